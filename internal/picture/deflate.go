package picture

import (
	"encoding/binary"
	"hash/adler32"
	"math"
	"math/bits"
	"slices"
)

// deflater packs the rows of a picture as a zlib stream (RFC 1950, 1951).
//
// Filtered pixels are mostly small numbers of a few bits each, and their repeats are short and by chance: a match of four bytes
// often takes more bits than its bytes do. So a match is taken only where it saves bits, by the entropy of its block; each place is
// looked up in one small table, and where nothing repeats most places are not looked up at all.
type deflater struct {
	out  func([]byte) // takes the stream
	sum  uint32       // Adler-32 of what was written
	buf  []byte       // up to a window of what came before, then what is to be packed
	from int          // of buf: what is to be packed
	base int          // the place of buf[0] in the picture's bytes

	table   [1 << hashBits]int32 // the last place of six bytes, plus one
	tokens  []uint32
	matched int // bytes of a block that are in matches

	// repeats takes the whole stream where most of its first block repeats: who looks closer packs that much better. It is told what
	// the first block has seen, and then all that comes.
	repeats func([]byte)
	handed  bool
	lits    [286]uint32 // how often each is used
	dists   [30]uint32
	least   [16]int32 // by the bits of a distance: how long a match must be to save bits

	acc    uint64 // bits to come, from the lowest
	count  uint
	packed []byte
	codes  codes
}

const (
	hashBits  = 15
	window    = 32 << 10
	blockSize = 64 << 10 // bytes of a block
	longest   = 258      // match
	isMatch   = 1 << 31  // of a token: a length and a distance, else a byte
	endOfData = 256

	mostRepeats = 80 // percent of the first block

	// Where nothing repeats, another byte is passed over without a look for every 16 places in a row, up to 8.
	skipShift = 4
	skipMost  = 8
)

// reset starts a stream.
func (d *deflater) reset(out, repeats func([]byte)) {
	if d.buf == nil {
		d.buf = make([]byte, 0, window+blockSize)
	}
	d.out, d.repeats, d.handed = out, repeats, false
	d.sum, d.buf, d.from, d.base = 1, d.buf[:0], 0, 0
	clear(d.table[:])
	d.acc, d.count, d.packed = 0, 0, append(d.packed[:0], 0x78, 0x5e) // 32 KiB, a fast method
}

// write takes in bytes.
func (d *deflater) write(p []byte) {
	if !d.handed {
		d.sum = update(d.sum, p)
	}
	for len(p) > 0 {
		if d.handed {
			d.repeats(p)
			return
		}
		n := min(len(p), cap(d.buf)-len(d.buf))
		d.buf = append(d.buf, p[:n]...)
		if p = p[n:]; len(d.buf) == cap(d.buf) {
			d.block(false)
			keep := copy(d.buf, d.buf[len(d.buf)-window:])
			d.base += len(d.buf) - keep
			d.buf, d.from = d.buf[:keep], keep
		}
	}
}

// close ends the stream.
func (d *deflater) close() {
	if !d.handed {
		d.block(true)
	}
	if d.handed {
		return // the other ends it
	}
	d.put(0, -d.count&7)
	d.flush()
	d.packed = binary.BigEndian.AppendUint32(d.packed, d.sum)
	d.out(d.packed)
}

// update is the Adler-32 of more bytes.
func update(sum uint32, p []byte) uint32 {
	h := adler32.Checksum(p)
	// Joined to what was before: RFC 1950's a and b, where b has seen a of before once for each new byte.
	const mod = 65521
	a1, b1, a2, b2 := sum&0xffff, sum>>16, h&0xffff, h>>16
	n := uint32(len(p) % mod)
	a := (a1 + a2 + mod - 1) % mod
	b := (b1 + b2 + uint32(uint64(n)*uint64(a1+mod-1)%mod)) % mod
	return b<<16 | a
}

// block packs what is in the buffer.
func (d *deflater) block(last bool) {
	data := d.buf[d.from:]
	d.thresholds(data)
	clear(d.lits[:])
	clear(d.dists[:])
	d.matched = 0
	d.parse()
	if d.base == 0 && d.from == 0 && 100*d.matched > mostRepeats*len(data) {
		d.handed = true
		d.repeats(data)
		return
	}
	d.lits[endOfData] = 1
	d.codes.make(&d.lits, &d.dists)
	final := uint64(0)
	if last {
		final = 1
	}
	if size := d.codes.size(&d.lits, &d.dists); size/8 >= len(data)+5*(1+len(data)/0xffff) {
		d.stored(data, final)
	} else {
		d.put(final|2<<1, 3)
		d.header()
		d.body()
	}
	d.flush()
	if len(d.packed) > partSize {
		d.out(d.packed)
		d.packed = d.packed[:0]
	}
}

// thresholds sets how long matches must be by what a byte of the block costs alone.
func (d *deflater) thresholds(data []byte) {
	var count [256]int
	sampled := 0
	for i := 0; i < len(data); i += 5 { // no multiple of a pixel's bytes
		count[data[i]]++
		sampled++
	}
	cost := 0.0
	for _, n := range count {
		if n > 0 {
			cost += float64(n) * math.Log2(float64(sampled)/float64(n))
		}
	}
	cost = max(cost/float64(max(sampled, 1)), 0.05)
	for i := range d.least {
		d.least[i] = int32(min(max(math.Ceil((9+float64(i))/cost), 4), longest))
	}
}

func hash6(v uint64) uint64 { return v << 16 * 0x9e3779b97f4a7c15 >> (64 - hashBits) }

// parse makes the tokens of what is in the buffer and counts them.
func (d *deflater) parse() {
	buf, lits, i := d.buf, &d.lits, d.from
	if cap(d.tokens) < len(buf)-i {
		d.tokens = make([]uint32, 0, window+blockSize)
	}
	tokens := d.tokens[:len(buf)-i]
	t, end, misses := 0, len(buf)-8, 0
	var other [256]uint32
	for i < end {
		v := le.Uint64(buf[i:])
		slot := &d.table[hash6(v)&(1<<hashBits-1)]
		at := int(*slot) - 1 - d.base
		*slot = int32(i + 1 + d.base)
		if n := i - at; at >= 0 && n <= window && le.Uint32(buf[at:]) == uint32(v) {
			if l := extend(buf, at, i); l >= int(d.least[bits.Len32(uint32(n))&15]) {
				misses = 0
				tokens[t] = isMatch | uint32(l)<<15 | uint32(n-1)
				t++
				d.matched += l
				lits[257+int(lengthCodes[l-3])]++
				d.dists[distanceCode(n)]++
				i += l
				if k := i - 2; k < end { // the places within are known by its start; its end starts what comes next
					d.table[hash6(le.Uint64(buf[k:]))&(1<<hashBits-1)] = int32(k + 1 + d.base)
				}
				continue
			}
		}
		misses++
		n := min(1+misses>>skipShift, skipMost)
		for ; n > 1 && i+1 < end; n -= 2 {
			a, b := byte(v), byte(v>>8)
			lits[a]++
			other[b]++ // of equal bytes one count need not wait for the other
			tokens[t], tokens[t+1] = uint32(a), uint32(b)
			v >>= 16
			t, i = t+2, i+2
		}
		if n > 0 {
			lits[byte(v)]++
			tokens[t] = uint32(byte(v))
			t, i = t+1, i+1
		}
	}
	for ; i < len(buf); i++ {
		lits[buf[i]]++
		tokens[t] = uint32(buf[i])
		t++
	}
	for c, n := range other {
		lits[c] += n
	}
	d.tokens = tokens[:t]
}

// extend returns how many bytes are the same at two places, of which four are known to be.
func extend(buf []byte, a, b int) int {
	most := min(longest, len(buf)-b)
	n := 4
	for n+8 <= most {
		if x := le.Uint64(buf[a+n:]) ^ le.Uint64(buf[b+n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < most && buf[a+n] == buf[b+n] {
		n++
	}
	return n
}

// lengthCodes are the codes of match lengths from 3, less 257; lengthBase and lengthExtra those codes' first lengths and bits.
var (
	lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	lengthBase  = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthCodes = func() (t [256]uint8) {
		for c, from := range lengthBase {
			for l := int(from); l < int(from)+1<<lengthExtra[c] && l <= longest; l++ {
				t[l-3] = uint8(c)
			}
		}
		return t
	}()
)

// distanceCode is the code of a distance: two for each power of two.
func distanceCode(n int) int {
	if n <= 2 {
		return n - 1
	}
	b := bits.Len32(uint32(n-1)) - 1
	return 2*b + (n-1)>>(b-1)&1
}

// put adds bits to the stream.
func (d *deflater) put(v uint64, n uint) {
	d.acc |= v << d.count
	if d.count += n; d.count >= 32 {
		d.packed = le.AppendUint32(d.packed, uint32(d.acc))
		d.acc >>= 32
		d.count -= 32
	}
}

// flush moves whole bytes out.
func (d *deflater) flush() {
	for d.count >= 8 {
		d.packed = append(d.packed, byte(d.acc))
		d.acc >>= 8
		d.count -= 8
	}
}

// stored writes bytes as they are.
func (d *deflater) stored(data []byte, final uint64) {
	for first := true; first || len(data) > 0; first = false {
		n := min(len(data), 0xffff)
		f := uint64(0)
		if n == len(data) {
			f = final
		}
		d.put(f, 3)
		d.put(0, -d.count&7)
		d.flush()
		d.packed = le.AppendUint16(d.packed, uint16(n))
		d.packed = le.AppendUint16(d.packed, ^uint16(n))
		d.packed = append(d.packed, data[:n]...)
		data = data[n:]
	}
}

// body writes the tokens by their codes.
func (d *deflater) body() {
	c := &d.codes
	acc, count := d.acc, d.count
	size := (c.size(&d.lits, &d.dists)+int(count))/8 + 16 // words are written, the last beyond the end
	at := len(d.packed)
	d.packed = slices.Grow(d.packed, size)
	out := d.packed[:at+size]
	for _, t := range d.tokens {
		if count >= 32 {
			le.PutUint32(out[at:], uint32(acc))
			at += 4
			acc >>= 32
			count -= 32
		}
		if t&isMatch == 0 {
			e := c.lit[t&0xff]
			acc |= uint64(e.bits) << count
			count += uint(e.n)
			continue
		}
		length, distance := int(t>>15&0x1ff), int(t&0x7fff)+1
		k := lengthCodes[length-3]
		e := c.lit[257+int(k)]
		acc |= (uint64(e.bits) | uint64(length-int(lengthBase[k]))<<e.n) << count
		count += uint(e.n) + uint(lengthExtra[k]) // 20 at most
		if count >= 32 {
			le.PutUint32(out[at:], uint32(acc))
			at += 4
			acc >>= 32
			count -= 32
		}
		k2 := distanceCode(distance)
		x := c.dist[k2]
		extra, first := uint(max(k2/2-1, 0)), 0
		if k2 >= 4 {
			first = distance - 1 - (2+k2&1)<<extra
		}
		acc |= (uint64(x.bits) | uint64(first)<<x.n) << count
		count += uint(x.n) + extra // 28 at most
	}
	d.packed, d.acc, d.count = out[:at], acc, count
	if d.count >= 32 {
		d.put(0, 0)
	}
	e := c.lit[endOfData]
	d.put(uint64(e.bits), uint(e.n))
}

// code is a Huffman code, its first bit lowest.
type code struct {
	bits uint16
	n    uint8 // 0 where it is not used
}

// codes are those of a block.
type codes struct {
	lit  [286]code
	dist [30]code
	sort []symbol
	room [286]int // for depths
}

type symbol struct {
	count uint32
	index uint16
}

func (c *codes) make(lits *[286]uint32, dists *[30]uint32) {
	c.assign(c.lit[:], lits[:], 15)
	c.assign(c.dist[:], dists[:], 15)
}

// size is how many bits a block takes, but for its header.
func (c *codes) size(lits *[286]uint32, dists *[30]uint32) (n int) {
	for i, k := range lits {
		n += int(k) * int(c.lit[i].n)
		if i > 256 {
			n += int(k) * int(lengthExtra[i-257])
		}
	}
	for i, k := range dists {
		n += int(k) * (int(c.dist[i].n) + max(i/2-1, 0))
	}
	return n
}

// assign gives symbols codes of at most most bits, shorter ones to those that are used more.
func (c *codes) assign(out []code, counts []uint32, most int) {
	c.sort = c.sort[:0]
	for i, n := range counts {
		out[i] = code{}
		if n > 0 {
			c.sort = append(c.sort, symbol{n, uint16(i)})
		}
	}
	switch len(c.sort) {
	case 0:
		return
	case 1:
		out[c.sort[0].index].n = 1
		return
	}
	slices.SortFunc(c.sort, func(a, b symbol) int {
		if a.count != b.count {
			return int(a.count) - int(b.count)
		}
		return int(a.index) - int(b.index)
	})
	var lengths [16]int // how many codes have a length
	for _, n := range depths(c.sort, &c.room) {
		lengths[min(n, most)]++
	}
	// Where codes were cut to most bits there are too many: a shorter one is lengthened to make room for two.
	total := 0
	for n := 1; n <= most; n++ {
		total += lengths[n] << (most - n)
	}
	for ; total > 1<<most; total-- {
		n := most - 1
		for lengths[n] == 0 {
			n--
		}
		lengths[n]--
		lengths[n+1] += 2
		lengths[most]--
	}
	at, next := 0, 0
	var first [16]int
	for n := 1; n <= most; n++ {
		next = (next + lengths[n-1]) << 1 // no code has a length of 0
		first[n] = next
	}
	for n := most; n > 0; n-- {
		for range lengths[n] {
			out[c.sort[at].index].n = uint8(n)
			at++
		}
	}
	for i := range out {
		if n := out[i].n; n > 0 {
			out[i].bits = bits.Reverse16(uint16(first[n])) >> (16 - n)
			first[n]++
		}
	}
}

// depths are the lengths of the Huffman codes of symbols in ascending order of their counts (Moffat and Katajainen, In-place
// calculation of minimum-redundancy codes, 1995), the longest first.
func depths(list []symbol, room *[286]int) []int {
	n := len(list)
	a := room[:n]
	for i := range list {
		a[i] = int(list[i].count)
	}
	a[0] += a[1]
	root, leaf := 0, 2
	for next := 1; next < n-1; next++ {
		if leaf >= n || a[root] < a[leaf] {
			a[next] = a[root]
			a[root] = next
			root++
		} else {
			a[next] = a[leaf]
			leaf++
		}
		if leaf >= n || root < next && a[root] < a[leaf] {
			a[next] += a[root]
			a[root] = next
			root++
		} else {
			a[next] += a[leaf]
			leaf++
		}
	}
	a[n-2] = 0
	for next := n - 3; next >= 0; next-- {
		a[next] = a[a[next]] + 1
	}
	avail, used, depth := 1, 0, 0
	root, next := n-2, n-1
	for avail > 0 {
		for root >= 0 && a[root] == depth {
			used++
			root--
		}
		for avail > used {
			a[next] = depth
			next--
			avail--
		}
		avail, used = 2*used, 0
		depth++
	}
	return a
}

// headerOrder is the order in which the lengths of the header's own codes are written.
var headerOrder = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// header writes the lengths of the codes, run by run.
func (d *deflater) header() {
	lits, dists := 286, 30
	for lits > 257 && d.codes.lit[lits-1].n == 0 {
		lits--
	}
	for dists > 1 && d.codes.dist[dists-1].n == 0 {
		dists--
	}
	var list [316]uint8
	n := 0
	for _, c := range d.codes.lit[:lits] {
		list[n] = c.n
		n++
	}
	for _, c := range d.codes.dist[:dists] {
		list[n] = c.n
		n++
	}
	type run struct{ symbol, extra, bits uint8 }
	var room [len(list)]run
	runs := room[:0]
	var counts [19]uint32
	add := func(r run) {
		runs = append(runs, r)
		counts[r.symbol]++
	}
	for i := 0; i < n; {
		k := i + 1
		for k < n && list[k] == list[i] {
			k++
		}
		length, v := k-i, list[i]
		i = k
		if v != 0 {
			add(run{v, 0, 0})
			length--
		}
		for length > 0 {
			switch {
			case v == 0 && length >= 11:
				m := min(length, 138)
				add(run{18, uint8(m - 11), 7})
				length -= m
			case v == 0 && length >= 3:
				add(run{17, uint8(length - 3), 3})
				length = 0
			case length >= 3:
				m := min(length, 6)
				add(run{16, uint8(m - 3), 2})
				length -= m
			default:
				add(run{v, 0, 0})
				length--
			}
		}
	}
	var own [19]code
	d.codes.assign(own[:], counts[:], 7)
	shown := 19
	for shown > 4 && own[headerOrder[shown-1]].n == 0 {
		shown--
	}
	d.put(uint64(lits-257)|uint64(dists-1)<<5|uint64(shown-4)<<10, 14)
	for _, k := range headerOrder[:shown] {
		d.put(uint64(own[k].n), 3)
	}
	for _, r := range runs {
		e := own[r.symbol]
		d.put(uint64(e.bits)|uint64(r.extra)<<e.n, uint(e.n)+uint(r.bits))
	}
}

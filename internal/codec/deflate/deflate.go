// Package deflate compresses filtered pixels to a zlib stream (RFC 1950, 1951), for PNG.
//
// General-purpose deflaters spend their time on a search for repetitions that pixels don't have.
// docs/internals/codecs.md has the measurements.
package deflate

import (
	"encoding/binary"
	"hash/adler32"
	"math"
	"math/bits"
)

// Encoder compresses the rows of a picture to a zlib stream (RFC 1950, 1951).
//
// Filtered pixels are mostly small numbers of a few bits each, and repeat only by chance and briefly: a match of four
// bytes often takes more bits than the bytes themselves. So a match is taken only if it saves bits, by the entropy of
// its block. Each position is looked up in one small table; where nothing repeats, most positions are skipped.
type Encoder struct {
	out  func([]byte) // receives the compressed stream
	sum  uint32       // Adler-32 of the bytes written so far
	buf  []byte       // up to a window of earlier bytes, then the bytes to compress
	from int          // index in buf of the first byte to compress
	base int          // position of buf[0] in the picture's bytes

	table   [1 << hashBits]int32 // the last position with each hash of six bytes, plus one
	tokens  []uint32             // alternately the length of a run of literals and a match; at the end a run alone
	matched int                  // bytes of the block that matches cover

	// repeats takes over the whole stream if most of its first block repeats, because a slower deflater compresses
	// that much better. It receives the bytes of the first block, then all later ones.
	repeats func([]byte)
	handed  bool
	lits    [286]uint32    // uses of each literal and length code
	other   [3][256]uint32 // part of the literals' counts while a block is parsed
	dists   [30]uint32
	least   [16]int32 // the shortest match that saves bits, by the number of bits of its distance

	acc    uint64 // bits not written yet, lowest first
	count  uint
	packed []byte
	codes  codes
}

var le = binary.LittleEndian

const (
	hashBits  = 13
	window    = 32 << 10
	blockSize = 64 << 10 // bytes per block
	longest   = 258      // bytes of the longest match
	endOfData = 256
	flushed   = 64 << 10 // size of the output buffer at which it is passed to out

	maxRepeats = 80 // percent of the first block that matches may cover before repeats takes over

	// After every 8 consecutive positions without a match, the step between lookups grows by one, up to 16.
	skipShift = 3
	skipMost  = 16
)

// Reset starts a stream. out receives it. If most of the first block repeats, repeats makes the whole stream instead:
// it receives the bytes of that block, then all later ones.
func (d *Encoder) Reset(out, repeats func([]byte)) {
	if d.buf == nil {
		d.buf = make([]byte, 0, window+blockSize)
	}
	d.out, d.repeats, d.handed = out, repeats, false
	d.sum, d.buf, d.from, d.base = 1, d.buf[:0], 0, 0
	clear(d.table[:])
	d.acc, d.count, d.packed = 0, 0, append(d.packed[:0], 0x78, 0x5e) // zlib header: 32 KiB window, fast method
}

// Write appends bytes to the stream.
func (d *Encoder) Write(p []byte) {
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

// Close ends the stream. If repeats has taken over, it only stops: the caller ends that stream.
func (d *Encoder) Close() {
	if !d.handed {
		d.block(true)
	}
	if d.handed {
		return
	}
	d.put(0, -d.count&7)
	d.flush()
	d.packed = binary.BigEndian.AppendUint32(d.packed, d.sum)
	d.out(d.packed)
}

// update returns the Adler-32 checksum sum extended by more bytes.
func update(sum uint32, p []byte) uint32 {
	h := adler32.Checksum(p)
	// RFC 1950's a and b of both parts are combined: b adds the earlier a once for each new byte.
	const mod = 65521
	a1, b1, a2, b2 := sum&0xffff, sum>>16, h&0xffff, h>>16
	n := uint32(len(p) % mod)
	a := (a1 + a2 + mod - 1) % mod
	b := (b1 + b2 + uint32(uint64(n)*uint64(a1+mod-1)%mod)) % mod
	return b<<16 | a
}

// block compresses the bytes in the buffer to one block.
func (d *Encoder) block(last bool) {
	data := d.buf[d.from:]
	d.thresholds(data)
	clear(d.lits[:])
	clear(d.dists[:])
	d.matched = 0
	clear(d.other[:])
	d.parse()
	for i := range d.other {
		for c, n := range d.other[i] {
			d.lits[c] += n
		}
	}
	if d.base == 0 && d.from == 0 && 100*d.matched > maxRepeats*len(data) {
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
	if len(d.packed) > flushed {
		d.out(d.packed)
		d.packed = d.packed[:0]
	}
}

// thresholds sets the minimum match lengths, by the cost of the block's bytes as literals.
func (d *Encoder) thresholds(data []byte) {
	var count [256]int
	sampled := 0
	for i := 0; i < len(data); i += 5 { // 5 is no multiple of a pixel's size
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

// parse turns the bytes in the buffer into tokens and counts the codes.
func (d *Encoder) parse() {
	buf, i := d.buf, d.from
	if cap(d.tokens) < blockSize/2+2 { // a match covers at least four bytes and has two tokens
		d.tokens = make([]uint32, 0, blockSize/2+2)
	}
	tokens, start, misses := d.tokens[:0], i, 0
	for {
		var at int
		if i, at, misses = d.next(i, misses); at < 0 {
			break
		}
		n, l := i-at, extend(buf, at, i)
		if l < int(d.least[bits.Len32(uint32(n))&15]) {
			misses++
			i += stride(misses)
			continue
		}
		misses = 0
		tokens = append(tokens, uint32(i-start), uint32(l)<<15|uint32(n-1))
		d.countLiterals(buf[start:i])
		d.matched += l
		d.lits[257+int(lengthCodes[l-3])]++
		d.dists[distanceCode(n)]++
		i += l
		start = i
		if k := i - 2; k < len(buf)-8 { // of a match, only the start and a position near the end are entered into the table
			d.table[hash6(le.Uint64(buf[k:]))&(1<<hashBits-1)] = int32(k + 1 + d.base)
		}
	}
	d.countLiterals(buf[start:])
	d.tokens = append(tokens, uint32(len(buf)-start))
}

// next returns the first position from i on whose four bytes also occur earlier, and the earlier position, which is
// -1 if there is none. misses is the number of lookups since the last match.
func (d *Encoder) next(i, misses int) (here, earlier, missed int) {
	buf, table, base := d.buf, &d.table, d.base
	for ; i < len(buf)-8; i += stride(misses) {
		v := le.Uint64(buf[i:])
		slot := &table[hash6(v)&(1<<hashBits-1)]
		at := int(*slot) - 1 - base
		*slot = int32(i + 1 + base)
		if at >= 0 && i-at <= window && le.Uint32(buf[at:]) == uint32(v) {
			return i, at, misses
		}
		misses++
	}
	return i, -1, misses
}

// stride returns the step to the next position to look up.
func stride(misses int) int { return min(1+misses>>skipShift, skipMost) }

// countLiterals counts the codes of literals.
func (d *Encoder) countLiterals(p []byte) {
	// Several arrays, because counting the same byte twice in a row would wait for the first count.
	for ; len(p) >= 4; p = p[4:] {
		d.lits[p[0]]++
		d.other[0][p[1]]++
		d.other[1][p[2]]++
		d.other[2][p[3]]++
	}
	for _, c := range p {
		d.lits[c]++
	}
}

// extend returns how many bytes are equal at two positions. The first four are known to be.
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

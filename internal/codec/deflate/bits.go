package deflate

import (
	"math/bits"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/codec/huffman"
)

// lengthCodes holds the codes of match lengths from 3, less 257; lengthBase and lengthExtra hold the first length and the
// extra bits of each code.
var (
	lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	lengthBase  = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
		195, 227, 258}
	lengthCodes = func() (t [256]uint8) {
		for c, from := range lengthBase {
			for l := int(from); l < int(from)+1<<lengthExtra[c] && l <= longest; l++ {
				t[l-3] = uint8(c)
			}
		}
		return t
	}()
)

// distanceCode returns the code of a distance. There are two codes for each power of two.
func distanceCode(n int) int {
	if n <= 2 {
		return n - 1
	}
	b := bits.Len32(uint32(n-1)) - 1
	return 2*b + (n-1)>>(b-1)&1
}

// put appends the lowest n bits of v to the stream.
func (d *Encoder) put(v uint64, n uint) {
	d.acc |= v << d.count
	if d.count += n; d.count >= 32 {
		d.packed = le.AppendUint32(d.packed, uint32(d.acc))
		d.acc >>= 32
		d.count -= 32
	}
}

// flush moves the whole bytes of acc to the output.
func (d *Encoder) flush() {
	for d.count >= 8 {
		d.packed = append(d.packed, byte(d.acc))
		d.acc >>= 8
		d.count -= 8
	}
}

// stored writes bytes as stored (uncompressed) blocks. final is 1 for the last block.
func (d *Encoder) stored(data []byte, final uint64) {
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

// body writes the codes of the block in the buffer.
func (d *Encoder) body() {
	c := &d.codes
	for i := range c.packed {
		c.packed[i] = uint32(c.lit[i].Bits)<<8 | uint32(c.lit[i].N)
	}
	size := c.size(&d.lits, &d.dists)/8 + 24 // bitWriter writes whole words, so the last one may exceed the block
	d.flush()
	b := bitWriter{acc: d.acc, count: d.count, at: len(d.packed)}
	d.packed = slices.Grow(d.packed, size)
	b.out = d.packed[:b.at+size]
	rest := d.buf[d.from:]
	for i := 0; ; i += 2 {
		n := int(d.tokens[i])
		b.literals(rest[:n], &c.packed)
		if rest = rest[n:]; i+1 == len(d.tokens) {
			break
		}
		length, distance := int(d.tokens[i+1]>>15), int(d.tokens[i+1]&0x7fff)+1
		rest = rest[length:]
		k, k2 := lengthCodes[length-3], distanceCode(distance)
		e, x := c.lit[257+int(k)], c.dist[k2]
		b.put(uint64(e.Bits)|uint64(length-int(lengthBase[k]))<<e.N, uint(e.N+lengthExtra[k])) // at most 19 bits
		extra, first := uint(max(k2/2-1, 0)), 0
		if k2 >= 4 {
			first = distance - 1 - (2+k2&1)<<extra
		}
		b.put(uint64(x.Bits)|uint64(first)<<x.N, uint(x.N)+extra) // at most 28 bits
		b.flush()
	}
	d.packed, d.acc, d.count = b.out[:b.at], b.acc, b.count
	e := c.lit[endOfData]
	d.put(uint64(e.Bits), uint(e.N))
}

// bitWriter appends bits to a slice of sufficient size.
type bitWriter struct {
	out   []byte
	at    int
	acc   uint64 // bits not written yet, lowest first
	count uint   // less than 8 after flush
}

// put appends n bits. At most 56 fit before flush.
func (b *bitWriter) put(v uint64, n uint) {
	b.acc |= v << (b.count & 63)
	b.count += n
}

// flush writes whole bytes.
func (b *bitWriter) flush() {
	le.PutUint64(b.out[b.at:], b.acc)
	b.at += int(b.count >> 3)
	b.acc >>= b.count & 56
	b.count &= 7
}

// literals writes the codes of bytes. A code has at most 14 bits, so four fit with the 7 that may be left.
func (b *bitWriter) literals(p []byte, codes *[256]uint32) {
	out, at, acc, count := b.out, b.at, b.acc, b.count
	for ; len(p) >= 4; p = p[4:] {
		v, w, x, y := codes[p[0]], codes[p[1]], codes[p[2]], codes[p[3]]
		acc |= uint64(v>>8) << (count & 63)
		count += uint(v & 0xff)
		acc |= uint64(w>>8) << (count & 63)
		count += uint(w & 0xff)
		acc |= uint64(x>>8) << (count & 63)
		count += uint(x & 0xff)
		acc |= uint64(y>>8) << (count & 63)
		count += uint(y & 0xff)
		le.PutUint64(out[at:], acc)
		at += int(count >> 3)
		acc >>= count & 56
		count &= 7
	}
	for _, c := range p {
		v := codes[c]
		acc |= uint64(v>>8) << (count & 63)
		count += uint(v & 0xff)
	}
	b.at, b.acc, b.count = at, acc, count
	b.flush()
}

// headerOrder is the order in which the lengths of the header's own codes are written.
var headerOrder = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// header writes the block's code lengths, run-length encoded.
func (d *Encoder) header() {
	lits, dists := 286, 30
	for lits > 257 && d.codes.lit[lits-1].N == 0 {
		lits--
	}
	for dists > 1 && d.codes.dist[dists-1].N == 0 {
		dists--
	}
	var list [316]uint8
	n := 0
	for _, c := range d.codes.lit[:lits] {
		list[n] = c.N
		n++
	}
	for _, c := range d.codes.dist[:dists] {
		list[n] = c.N
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
	var own [19]huffman.Code
	d.codes.maker.Assign(own[:], counts[:], 7)
	shown := 19
	for shown > 4 && own[headerOrder[shown-1]].N == 0 {
		shown--
	}
	d.put(uint64(lits-257)|uint64(dists-1)<<5|uint64(shown-4)<<10, 14)
	for _, k := range headerOrder[:shown] {
		d.put(uint64(own[k].N), 3)
	}
	for _, r := range runs {
		e := own[r.symbol]
		d.put(uint64(e.Bits)|uint64(r.extra)<<e.N, uint(e.N)+uint(r.bits))
	}
}

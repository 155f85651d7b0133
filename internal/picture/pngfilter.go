package picture

// The filters of PNG: a row is stored as its difference from a prediction made from the byte one pixel to the left,
// the byte above, and the byte above and to the left. Portable Network Graphics, third edition, chapter 9.
//
// Byte by byte, the four filters would cost more time than the deflate after them. So this code handles eight bytes at
// a time in a uint64, as fields of 8 bits, or of 16 where a sum needs room.

const (
	margin = 8 // zero bytes before a row, for its left neighbours, and after it, for the last word

	low7   = 0x7f7f7f7f7f7f7f7f
	high1  = 0x8080808080808080
	ones8  = 0x0101010101010101
	bytes2 = 0x00ff00ff00ff00ff
	ones16 = 0x0001000100010001
)

// filter holds a row and the row above it. The caller fills current; apply and best return it filtered and make it
// the row above.
type filter struct {
	n, pixel   int    // bytes of a row and of a pixel
	row, above []byte // margin, n bytes, margin
	out        []byte // the filter's type, n bytes, margin
}

// The filter types.
const (
	filterNone = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
)

// reset begins a picture with rows of n bytes.
func (f *filter) reset(n, pixel int) {
	f.n, f.pixel = n, pixel
	f.row, f.above, f.out = sized(f.row, n+2*margin), sized(f.above, n+2*margin), sized(f.out, 1+n+margin)
	clear(f.row)
	clear(f.above)
}

func sized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// current returns the buffer for the row to filter.
func (f *filter) current() []byte { return f.row[margin : margin+f.n] }

// near returns the row and its neighbours, each with a margin at the end.
func (f *filter) near() (row, left, above, corner []byte) {
	n := f.n + margin
	return f.row[margin:][:n], f.row[margin-f.pixel:][:n], f.above[margin:][:n], f.above[margin-f.pixel:][:n]
}

// apply returns the filtered row, preceded by the byte of the filter's type.
func (f *filter) apply(kind int) []byte {
	f.out[0] = byte(kind)
	row, left, above, corner := f.near()
	out := f.out[1:][:len(row)]
	switch kind {
	case filterNone:
		copy(out, row)
	case filterSub:
		for i := 0; i < len(out)-7; i += 8 {
			le.PutUint64(out[i:], minus(le.Uint64(row[i:]), le.Uint64(left[i:])))
		}
	case filterUp:
		for i := 0; i < len(out)-7; i += 8 {
			le.PutUint64(out[i:], minus(le.Uint64(row[i:]), le.Uint64(above[i:])))
		}
	case filterAverage:
		for i := 0; i < len(out)-7; i += 8 {
			le.PutUint64(out[i:], minus(le.Uint64(row[i:]), average8(le.Uint64(left[i:]), le.Uint64(above[i:]))))
		}
	case filterPaeth:
		for i := 0; i < len(out)-7; i += 8 {
			le.PutUint64(out[i:], minus(le.Uint64(row[i:]), paeth8(le.Uint64(left[i:]), le.Uint64(above[i:]), le.Uint64(corner[i:]))))
		}
	}
	f.row, f.above = f.above, f.row
	return f.out[:1+f.n]
}

// best returns the row after the filter with the smallest sum of absolute differences, the rule of image/png. It
// looks at only eight of every step bytes: with a step of 32 the choice costs half the time, and files grow by 0.5 %.
func (f *filter) best(step int) []byte {
	var sums [5]uint64
	row, left, above, corner := f.near()
	for i := 0; i < len(row)-7; {
		// Fields of 16 bits hold 127 pairs of at most 128 each.
		var none, sub, up, average, paeth uint64
		for end := min(i+127*step, len(row)-7); i < end; i += step {
			x, a, b, c := le.Uint64(row[i:]), le.Uint64(left[i:]), le.Uint64(above[i:]), le.Uint64(corner[i:])
			none += magnitude(x)
			sub += magnitude(minus(x, a))
			up += magnitude(minus(x, b))
			average += magnitude(minus(x, average8(a, b)))
			paeth += magnitude(minus(x, paeth8(a, b, c)))
		}
		for kind, v := range [...]uint64{none, sub, up, average, paeth} {
			sums[kind] += v&0xffff + v>>16&0xffff + v>>32&0xffff + v>>48
		}
	}
	best := filterNone
	for kind, s := range sums {
		if s < sums[best] {
			best = kind
		}
	}
	return f.apply(best)
}

// minus subtracts eight bytes from eight others.
func minus(x, y uint64) uint64 { return (x | high1 - y&low7) ^ (x^^y)&high1 }

// average8 returns the means of eight pairs of bytes, rounded down.
func average8(a, b uint64) uint64 { return a&b + (a^b)>>1&low7 }

// paeth8 returns, for eight bytes, whichever of left a, above b and above left c is nearest to a + b - c.
func paeth8(a, b, c uint64) uint64 {
	return predict(a&bytes2, b&bytes2, c&bytes2) | predict(a>>8&bytes2, b>>8&bytes2, c>>8&bytes2)<<8
}

// predict returns Paeth's predictor of four fields of 16 bits that hold 0 to 255.
func predict(a, b, c uint64) uint64 {
	// The three distances, with a bias that keeps every field positive: 0x4000, 0x4000 and their sum.
	da, db := (b|0x4000*ones16)-c, (a|0x4000*ones16)-c
	dc := da + db
	// Negate the fields that are below their bias. The results fit in nine bits.
	na, nb, nc := ^(da>>14)&ones16, ^(db>>14)&ones16, ^(dc>>15)&ones16
	pa := (da&(0x1ff*ones16) ^ (na<<9 - na)) + na
	pb := (db&(0x1ff*ones16) ^ (nb<<9 - nb)) + nb
	pc := (dc&(0x1ff*ones16) ^ (nc<<9 - nc)) + nc
	// Choose left if it is nearest, else above if it is not farther than the corner. A field is 1 where its
	// comparison holds.
	ab, ac, bc := ((pb|0x8000*ones16)-pa)>>15, ((pc|0x8000*ones16)-pa)>>15, ((pc|0x8000*ones16)-pb)>>15
	isA, isB := ab&ac&ones16, bc&ones16
	p := c ^ (b^c)&(isB<<8-isB)
	return p ^ (a^p)&(isA<<8-isA)
}

// magnitude returns, in four fields of 16 bits, the sums of the absolute values of two bytes taken as int8.
func magnitude(v uint64) uint64 {
	s := v >> 7 & ones8
	v = (v ^ (s<<8 - s)) + s
	return v&bytes2 + v>>8&bytes2
}

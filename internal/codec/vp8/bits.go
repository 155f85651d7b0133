package vp8

import "math/bits"

// bitWriter is the arithmetic encoder of RFC 6386, section 7.
type bitWriter struct {
	out   []byte
	width uint32 // width of the interval minus 1: 127 to 254 between bits
	low   uint32 // start of the interval
	have  int    // bits of low beyond the next byte; negative while there are fewer than 8 bits
}

func newBitWriter(out []byte) *bitWriter { return &bitWriter{out: out, width: 254, have: -8} }

// bit writes a bit that is 0 with a probability of p/256.
func (w *bitWriter) bit(p uint8, one bool) {
	split := w.width * uint32(p) >> 8
	if one {
		w.low += split + 1
		w.width -= split + 1
	} else {
		w.width = split
	}
	if w.width >= 127 {
		return
	}
	shift := 7 - (bits.Len32(w.width+1) - 1)
	w.width = (w.width+1)<<shift - 1
	w.low <<= shift
	if w.have += shift; w.have > 0 {
		w.flush()
	}
}

// flush moves a byte of low to the output and propagates its carry to the bytes before.
func (w *bitWriter) flush() {
	s := 8 + w.have
	b := w.low >> s
	w.low -= b << s
	w.have -= 8
	if b > 0xff {
		i := len(w.out) - 1
		for ; w.out[i] == 0xff; i-- {
			w.out[i] = 0
		}
		w.out[i]++
	}
	w.out = append(w.out, byte(b))
}

// number writes n bits, highest first, with even probabilities.
func (w *bitWriter) number(v, n int) {
	for n--; n >= 0; n-- {
		w.bit(128, v>>n&1 != 0)
	}
}

// close writes the remaining bits and returns the output.
func (w *bitWriter) close() []byte {
	w.number(0, 9-w.have)
	w.have = 0
	w.flush()
	return w.out
}

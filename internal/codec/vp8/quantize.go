package vp8

import "math"

// The kinds of blocks, in the order of the tables. RFC 6386, section 13.3.
const (
	lumaRest    = iota // luma without its first coefficients
	firsts             // the first coefficients of a macroblock's luma
	chromaBlock        // chroma
	lumaWhole          // luma with its first coefficients; never written by this encoder
	kinds
)

// steps holds the quantizers of a kind of block: of its first coefficient and of the others.
type steps [2]step

// step is a quantizer.
type step struct {
	size    int32
	inverse int32 // 2^17 / size
	round   int32 // added before the division, in 2^17ths; less than a half, because small levels cost bits
	least   int32 // the smallest coefficient whose level is not 0
}

// quantizer returns the index of the quantizer for a quality. Files get about as large as those of other encoders
// with that quality.
func quantizer(quality int) int {
	c := float64(min(max(quality, 0), 100)) / 100
	if c < 0.75 {
		c *= 2.0 / 3
	} else {
		c = 2*c - 1
	}
	return int(127*(1-math.Cbrt(c)) + 0.5)
}

func (e *encoder) setSteps(index int) {
	dc, ac := int32(dcSteps[index]), int32(acSteps[index])
	e.steps[lumaRest] = steps{newStep(dc, 48), newStep(ac, 52)}
	e.steps[firsts] = steps{newStep(2*dc, 48), newStep(max(ac*155/100, 8), 54)}
	e.steps[chromaBlock] = steps{newStep(int32(dcSteps[min(index, 117)]), 55), newStep(ac, 57)}
}

// newStep returns a quantizer that adds share/128 of a step before rounding down.
func newStep(size, share int32) step {
	s := step{size: size, inverse: 1 << 17 / size, round: share << 10}
	s.least = (1<<17 - s.round + s.inverse - 1) / s.inverse
	return s
}

// maxLevel is the largest level that has tokens.
const maxLevel = 2047

// quantize quantizes the coefficients from index first on. It stores their levels in zigzag order, replaces the
// coefficients by their decoded values, and returns the number of levels up to the last that is not 0.
func (s *steps) quantize(c *[16]int32, first int, levels *[16]int16) (n int) {
	*levels = [16]int16{}
	for i := first; i < 16; i++ {
		at := zigzag[i] & 15
		q := &s[1]
		if i == 0 {
			q = &s[0]
		}
		v := c[at]
		c[at] = 0
		size := max(v, -v)
		if size < q.least {
			continue
		}
		level := min((size*q.inverse+q.round)>>17, maxLevel)
		n = i + 1
		if v < 0 {
			level = -level
		}
		levels[i], c[at] = int16(level), level*q.size
	}
	return n
}

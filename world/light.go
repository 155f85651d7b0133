package world

import "math"

// RGB is linear light in red, green and blue; 1 is white. It takes half the memory of floats; a map has millions.
type RGB [3]Half

// NewRGB returns the RGB nearest to three numbers; they may also be the components of a vector.
func NewRGB(r, g, b float32) RGB { return RGB{NewHalf(r), NewHalf(g), NewHalf(b)} }

// Float32 returns c as floats.
func (c RGB) Float32() [3]float32 { return [3]float32{c[0].Float32(), c[1].Float32(), c[2].Float32()} }

// Half is a number of 16 bits as in IEEE 754: a sign, 5 bits of exponent, 10 of fraction. It has 11 significant bits
// down to 2^-14 and steps of 2^-24 below. The encodings of infinity and NaN are ordinary, larger numbers.
type Half uint16

// maxHalf is 65504, the largest finite number of the standard.
const maxHalf Half = 0x7bff

// NewHalf returns the Half nearest to f, ties to even, clamped to ±65504; NaN becomes 0.
func NewHalf(f float32) Half {
	b := math.Float32bits(f)
	sign := Half(b >> 16 & 0x8000)
	b &^= 1 << 31
	switch {
	case b > 0x7f800000: // NaN
		return 0
	case b >= 0x477fe000: // 65504
		return sign | maxHalf
	case b < 0x38800000: // 2^-14: floats from 0.5 to 1 also have steps of 2^-24
		return sign | Half(math.Float32bits(math.Float32frombits(b)+0.5)-math.Float32bits(0.5))
	}
	b += 0xfff + b>>13&1 // half of the bits to drop, less one if the rest is even
	return sign | Half((b-(127-15)<<23)>>13)
}

// Float32 returns h exactly.
func (h Half) Float32() float32 {
	f := math.Float32frombits(uint32(h&0x7fff)<<13) * (1 << (127 - 15))
	return math.Float32frombits(math.Float32bits(f) | uint32(h&0x8000)<<16)
}

// NightStyle is added to the Style of light that shines only at night, in maps with a day and a night.
const NightStyle uint8 = 128

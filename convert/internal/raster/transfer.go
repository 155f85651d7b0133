package raster

import (
	"math"
	"sync"
)

// linear returns the linear light of each 8-bit sRGB value (IEC 61966-2-1).
var linear = sync.OnceValue(func() *[256]float32 {
	t := &[256]float32{}
	for i := range t {
		t[i] = float32(decode(float64(i) / 255))
	}
	return t
})

// plainly returns each 8-bit value as it is, 0 to 1.
var plainly = sync.OnceValue(func() *[256]float32 {
	t := &[256]float32{}
	for i := range t {
		t[i] = float32(i) / 255
	}
	return t
})

func decode(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func encode(v float64) float64 {
	if v <= 0.0031308 {
		return v * 12.92
	}
	return float64(1.055*math.Pow(v, 1/2.4)) - 0.055
}

// curve tabulates a function of a number from 2^least to 2^most, with equal steps of the mantissa for each power of two.
// Below that range it is a straight line through 0; above, it is the last value of the table.
type curve [(most - least) << bits]float32

const (
	least = -14
	most  = 8
	bits  = 9
	shift = 23 - bits
	start = uint32(127+least) << 23
)

// newCurve returns a table of f at the middle of each step.
func newCurve(f func(float64) float64) *curve {
	c := &curve{}
	for i := range c {
		c[i] = float32(f(float64(math.Float32frombits(start + uint32(i)<<shift + 1<<(shift-1)))))
	}
	return c
}

func (c *curve) of(v float32) float32 {
	b := math.Float32bits(v)
	if !(v > 0) {
		return 0
	}
	if b < start {
		return c[0] * v * (1 << -least)
	}
	return c[min((b-start)>>shift, uint32(len(c)-1))]
}

// shown returns the curve from linear light to sRGB, 0 to 1.
var shown = sync.OnceValue(func() *curve { return newCurve(encode) })

// unshown returns the curve from sRGB, 0 to 1, to linear light.
var unshown = sync.OnceValue(func() *curve { return newCurve(decode) })

// halves returns the 8-bit sRGB values for linear light in steps of 1/4095, with which half averages.
var halves = sync.OnceValue(func() *[4096]uint8 {
	t := &[4096]uint8{}
	for i := range t {
		t[i] = uint8(math.Round(255 * encode(float64(i)/4095)))
	}
	return t
})

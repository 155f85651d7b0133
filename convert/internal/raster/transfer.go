package raster

import (
	"math"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
)

// plainly returns each 8-bit value as it is, 0 to 1.
var plainly = sync.OnceValue(func() *[256]float32 {
	t := &[256]float32{}
	for i := range t {
		t[i] = float32(i) / 255
	}
	return t
})

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
var shown = sync.OnceValue(func() *curve { return newCurve(gamma.Encode) })

// unshown returns the curve from sRGB, 0 to 1, to linear light.
var unshown = sync.OnceValue(func() *curve { return newCurve(gamma.Decode) })

// halves returns the 8-bit sRGB values for linear light in steps of 1/4095, with which half averages.
var halves = sync.OnceValue(func() *[4096]uint8 {
	t := &[4096]uint8{}
	for i := range t {
		t[i] = uint8(math.Round(255 * gamma.Encode(float64(i)/4095)))
	}
	return t
})

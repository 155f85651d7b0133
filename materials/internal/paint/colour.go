package paint

import (
	"math"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
)

// All colours in recipes are display values; these functions convert to and from linear light.

// White is the colour that changes nothing when multiplied.
var White = [3]float64{1, 1, 1}

// Clamp01 clamps a number to 0 to 1; NaN becomes 0.
func Clamp01(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, 0), 1)
}

// EncodeSRGB returns the 8-bit value of linear light.
func EncodeSRGB(v float32) uint8 {
	t := sRGBSteps()
	i := t.encoded[min(max(int(v*float32(len(t.encoded)-1)), 0), len(t.encoded)-1)]
	for i < 255 && v >= t.bounds[i] {
		i++
	}
	return i
}

// steps holds the linear light at which each 8-bit value of sRGB ends, and the 8-bit values of steps of linear light.
type steps struct {
	bounds  [255]float32
	encoded [4096]uint8
}

var sRGBSteps = sync.OnceValue(func() *steps {
	t := new(steps)
	b, e := &t.bounds, &t.encoded
	for i := range b {
		b[i] = float32(gamma.Decode((float64(i) + 0.5) / 255))
	}
	n := 0
	for i := range e {
		for n < 255 && float32(i)/float32(len(e)-1) >= b[n] {
			n++
		}
		e[i] = uint8(max(n-1, 0)) // one less, because the index is rounded
	}
	return t
})

func decodeSRGB(v float32) float32 {
	t := srgbTable()
	return t[min(max(int(float32(v*float32(len(t)-1))+0.5), 0), len(t)-1)]
}

var srgbTable = sync.OnceValue(func() *[4096]float32 {
	t := new([4096]float32)
	for i := range t {
		t[i] = float32(gamma.Decode(float64(i) / float64(len(t)-1)))
	}
	return t
})

// Value converts a number from 0 to 1 to 8 bits; it clamps and rounds.
func Value(v float32) uint8 { // comparisons are faster than min and max, which tell -0 from 0
	switch {
	case v >= 1:
		return 255
	case v > 0:
		return uint8(float32(v*255) + 0.5)
	}
	return 0
}

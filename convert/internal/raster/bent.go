package raster

import (
	"math"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
)

// bents keeps the curves of displays for later pictures, because a thumbnail draws a scene from several places, and a batch draws many maps
// with the same curves. It holds at most maxBents of them.
var bents = struct {
	sync.Mutex
	of map[[3]float64]*lightCurves
}{of: map[[3]float64]*lightCurves{}}

const maxBents = 32

// bentOf returns the curves of a display, which may be shared.
func bentOf(d *Display) *lightCurves {
	key := [3]float64{d.Albedo, d.Exponent, d.Gain}
	bents.Lock()
	defer bents.Unlock()
	b := bents.of[key]
	if b == nil {
		if len(bents.of) >= maxBents {
			clear(bents.of)
		}
		b = newBent(d)
		bents.of[key] = b
	}
	return b
}

// newBent returns the curves that docs/internals/light.md describes.
func newBent(d *Display) *lightCurves {
	albedo, exponent := d.Albedo, d.Exponent
	if !(albedo > 0) {
		albedo = 1
	}
	if !(exponent > 0) {
		exponent = 1
	}
	gain := d.Gain
	if !(gain > 0) {
		gain = 1
	}
	plain := math.Pow(gain, 2.2) // the gain's share of the intensity
	reflected, displayed := gamma.Decode(albedo), math.Pow(albedo, exponent)
	return &lightCurves{
		light:   newCurve(func(x float64) float64 { return gain * gamma.Encode(x/plain*reflected) / displayed }),
		texture: newCurve(func(x float64) float64 { return math.Pow(gamma.Encode(x), exponent) }),
	}
}

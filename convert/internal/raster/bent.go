package raster

import "math"

// newBent returns the curves that docs/light.md describes.
func newBent(d *Display) *bent {
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
	return &bent{
		light: newCurve(func(x float64) float64 {
			return gain * encode(x/plain*decode(albedo)) / math.Pow(albedo, exponent)
		}),
		texture: newCurve(func(x float64) float64 { return math.Pow(encode(x), exponent) }),
	}
}

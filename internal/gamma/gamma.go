// Package gamma turns light that an engine multiplies with textures as they are stored, in gamma space, into linear light.
//
// Such an engine shows t*l, texture times light; a glTF viewer decodes the texture, multiplies by linear light and
// encodes. They agree for one brightness of texture, the albedo: the light that takes a texel of brightness a to the
// engine's a*l is decode(a*l)/decode(a). With an albedo of 1 dark textures come out too dark.
package gamma

import "math"

// Curve is from light as it is shown to linear light.
type Curve struct {
	Albedo, Exponent float64 // as New has them, in range

	shown  float64 // brightness at which the engine shows a texel of the albedo
	albedo float64 // linear
}

// New returns the curve of an albedo of 0.01 to 1; what is no brightness is 1. The engine shows a texel t as t^exponent,
// which is 1 where textures are shown as they are stored.
func New(albedo, exponent float64) Curve {
	if !(albedo > 0) {
		albedo = 1
	}
	albedo = min(max(albedo, 0.01), 1)
	return Curve{albedo, exponent, math.Pow(albedo, exponent), Decode(albedo)}
}

// Linear is the linear light of a shown one, of which 1 leaves a texture as bright as the engine shows it.
func (c Curve) Linear(l float32) float32 {
	return float32(Decode(c.shown*float64(l)) / c.albedo)
}

// Shown is the inverse of Linear.
func (c Curve) Shown(l float32) float32 {
	return float32(Encode(float64(l)*c.albedo) / c.shown)
}

// Encode is the inverse of Decode.
func Encode(v float64) float64 {
	if v <= 0.04045/12.92 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// Decode is linear light from sRGB of 0 to 1 (IEC 61966-2-1); beyond 1 it goes on.
func Decode(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

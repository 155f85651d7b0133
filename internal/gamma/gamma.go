// Package gamma converts to linear light the light of engines that multiply it with textures as stored, in gamma space.
//
// Such an engine shows t*l, texture times light; a glTF viewer decodes the texture, multiplies by linear light and
// encodes. The two agree for only one brightness of texture, the albedo: the light that makes a texel of brightness
// a appear as the engine's a*l is decode(a*l)/decode(a). With an albedo of 1 dark textures come out too dark.
package gamma

import (
	"math"
	"sync"
)

// Curve converts light as shown by the engine to linear light.
type Curve struct {
	Albedo, Exponent float64 // parameters of New, in range

	shown  float64 // brightness at which the engine shows a texel with the albedo
	albedo float64 // Albedo in linear light
}

// New returns the curve for an albedo of 0.01 to 1; an invalid albedo becomes 1. The engine shows a texel t as
// t^exponent; exponent is 1 if it shows textures as stored.
func New(albedo, exponent float64) Curve {
	if !(albedo > 0) {
		albedo = 1
	}
	albedo = min(max(albedo, 0.01), 1)
	return Curve{albedo, exponent, math.Pow(albedo, exponent), Decode(albedo)}
}

// Linear converts shown light to linear light. Shown light of 1 leaves a texture as bright as the engine shows it.
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
	return float64(1.055*math.Pow(v, 1/2.4)) - 0.055
}

// Decode converts sRGB of 0 to 1 to linear light (IEC 61966-2-1). Above 1 it continues the curve.
func Decode(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// Linear8 returns the linear light of each 8-bit sRGB value.
var Linear8 = sync.OnceValue(func() *[256]float32 {
	t := new([256]float32)
	for i := range t {
		t[i] = float32(Decode(float64(i) / 255))
	}
	return t
})

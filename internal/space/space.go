// Package space computes with vectors and rotations. Every product is rounded before it is added, because fused multiply-adds
// would give different results on different machines.
package space

import "math"

// Multiply returns the rotation b followed by a.
func Multiply(a, b [4]float64) [4]float64 {
	return [4]float64{
		Sum(a[3]*b[0], a[0]*b[3], a[1]*b[2], -a[2]*b[1]),
		Sum(a[3]*b[1], -a[0]*b[2], a[1]*b[3], a[2]*b[0]),
		Sum(a[3]*b[2], a[0]*b[1], -a[1]*b[0], a[2]*b[3]),
		Sum(a[3]*b[3], -a[0]*b[0], -a[1]*b[1], -a[2]*b[2]),
	}
}

// Sum adds rounded products. It is not inlined, so that no compiler fuses them.
//
//go:noinline
func Sum(a, b, c, d float64) float64 { return a + b + c + d }

// Cross returns the cross product.
func Cross[T float32 | float64](a, b [3]T) [3]T {
	//nolint:unconvert // a product that is converted is rounded
	return [3]T{T(a[1]*b[2]) - T(a[2]*b[1]), T(a[2]*b[0]) - T(a[0]*b[2]), T(a[0]*b[1]) - T(a[1]*b[0])}
}

// Vector64 returns a vector in double precision.
func Vector64(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

// Difference returns a - b.
func Difference(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Length returns the length of v.
func Length(v [3]float32) float32 {
	return float32(math.Sqrt(float64(float32(v[0]*v[0]) + float32(v[1]*v[1]) + float32(v[2]*v[2]))))
}

// Unit returns v scaled to length 1, or v if its length is 0.
func Unit(v [3]float32) [3]float32 {
	l := math.Sqrt(float64(v[0])*float64(v[0]) + float64(v[1])*float64(v[1]) + float64(v[2])*float64(v[2])) // products are exact in float64
	if l == 0 {
		return v
	}
	for k := range v {
		v[k] = float32(float64(v[k]) / l)
	}
	return v
}

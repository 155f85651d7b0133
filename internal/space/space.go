// Package space computes with vectors, rotations and matrices. Every product is rounded before it is added, because fused multiply-adds
// would give different results on different machines.
package space

import "math"

// Sum adds rounded products. It is not inlined, so that no compiler fuses them.
//
//go:noinline
func Sum(a, b, c, d float64) float64 { return a + b + c + d }

// Dot returns the dot product in double precision, in which products of float32 are exact.
func Dot[T float32 | float64](a, b [3]T) float64 {
	return float64(float64(a[0])*float64(b[0])) + float64(float64(a[1])*float64(b[1])) + float64(float64(a[2])*float64(b[2]))
}

// Norm returns the length of v in double precision.
func Norm[T float32 | float64](v [3]T) float64 { return math.Sqrt(Dot(v, v)) }

// Distance returns the distance of two points.
func Distance(a, b [3]float64) float64 { return Norm(Difference(a, b)) }

// Cross returns the cross product.
func Cross[T float32 | float64](a, b [3]T) [3]T {
	//nolint:unconvert // a product that is converted is rounded
	return [3]T{T(a[1]*b[2]) - T(a[2]*b[1]), T(a[2]*b[0]) - T(a[0]*b[2]), T(a[0]*b[1]) - T(a[1]*b[0])}
}

// Difference returns a - b.
func Difference[T float32 | float64](a, b [3]T) [3]T {
	return [3]T{a[0] - b[0], a[1] - b[1], a[2] - b[2]}
}

// Lerp returns the point at a share of the way from one point to another.
func Lerp(p, q [3]float64, share float64) [3]float64 {
	for k := range p {
		p[k] += float64((q[k] - p[k]) * share)
	}
	return p
}

// Extend extends a box to a point.
func Extend[T float32 | float64](mins, maxs *[3]T, to [3]T) {
	for k, x := range to {
		mins[k], maxs[k] = min(mins[k], x), max(maxs[k], x)
	}
}

// Vector64 returns a vector in double precision.
func Vector64(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

// Vector32 returns a vector in single precision.
func Vector32(v [3]float64) [3]float32 {
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}

// Length returns the length of v in single precision.
func Length(v [3]float32) float32 {
	return float32(math.Sqrt(float64(float32(v[0]*v[0]) + float32(v[1]*v[1]) + float32(v[2]*v[2]))))
}

// Direction returns v divided by its length, and the length. If that is 0, the direction is not a number.
func Direction(v [3]float64) (direction [3]float64, length float64) {
	length = Norm(v)
	for k := range v {
		direction[k] = v[k] / length
	}
	return direction, length
}

// Unit returns v scaled to length 1, or v if its length is 0.
func Unit(v [3]float32) [3]float32 {
	l := Norm(v)
	if l == 0 {
		return v
	}
	for k := range v {
		v[k] = float32(float64(v[k]) / l)
	}
	return v
}

// UnitNormal returns v scaled to length 1, or zero if v has no length: normals of real models have other lengths.
func UnitNormal(v [3]float64) (out [3]float32) {
	u, l := Direction(v)
	if !(l > 1e-6 && l < 1e9) {
		return out
	}
	return Vector32(u)
}

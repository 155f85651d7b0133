// Package space computes with vectors and rotations. Every product is rounded before it is added, because fused multiply-adds
// would give different results on different machines.
package space

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

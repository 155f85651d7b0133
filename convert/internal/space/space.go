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

// Sum adds rounded products. It is not inlined, because fused multiply-adds would give different results on
// different machines.
//
//go:noinline
func Sum(a, b, c, d float64) float64 { return a + b + c + d }

// Cross returns the cross product, with the same bits on every machine.
func Cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		Sum(a[1]*b[2], -a[2]*b[1], 0, 0), Sum(a[2]*b[0], -a[0]*b[2], 0, 0), Sum(a[0]*b[1], -a[1]*b[0], 0, 0),
	}
}

// Vector64 returns a vector in double precision.
func Vector64(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

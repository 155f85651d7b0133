package space

// Multiply is the turn b followed by a.
func Multiply(a, b [4]float64) [4]float64 {
	return [4]float64{
		Sum(a[3]*b[0], a[0]*b[3], a[1]*b[2], -a[2]*b[1]),
		Sum(a[3]*b[1], -a[0]*b[2], a[1]*b[3], a[2]*b[0]),
		Sum(a[3]*b[2], a[0]*b[1], -a[1]*b[0], a[2]*b[3]),
		Sum(a[3]*b[3], -a[0]*b[0], -a[1]*b[1], -a[2]*b[2]),
	}
}

// Sum adds products that have been rounded: fused, they would differ from one machine to the next.
//
//go:noinline
func Sum(a, b, c, d float64) float64 { return a + b + c + d }

// Cross is the cross product, the same on every machine.
func Cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		Sum(a[1]*b[2], -a[2]*b[1], 0, 0), Sum(a[2]*b[0], -a[0]*b[2], 0, 0), Sum(a[0]*b[1], -a[1]*b[0], 0, 0),
	}
}

// Vector64 is a vector in double precision.
func Vector64(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

package convert

// multiply is the turn b followed by a.
func multiply(a, b [4]float64) [4]float64 {
	return [4]float64{
		sum(a[3]*b[0], a[0]*b[3], a[1]*b[2], -a[2]*b[1]),
		sum(a[3]*b[1], -a[0]*b[2], a[1]*b[3], a[2]*b[0]),
		sum(a[3]*b[2], a[0]*b[1], -a[1]*b[0], a[2]*b[3]),
		sum(a[3]*b[3], -a[0]*b[0], -a[1]*b[1], -a[2]*b[2]),
	}
}

// sum adds products that have been rounded: fused, they would differ from one machine to the next.
//
//go:noinline
func sum(a, b, c, d float64) float64 { return a + b + c + d }

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		sum(a[1]*b[2], -a[2]*b[1], 0, 0), sum(a[2]*b[0], -a[0]*b[2], 0, 0), sum(a[0]*b[1], -a[1]*b[0], 0, 0),
	}
}

func vector64(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

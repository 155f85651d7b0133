package paint

import "math"

// Whole reports whether a texture matrix repeats an image a whole number of times.
func Whole(m [6]float64) bool {
	for _, j := range []int{0, 1, 3, 4} {
		if math.Abs(m[j]-math.Round(m[j])) > 1e-3 {
			return false
		}
	}
	return true
}

// Bend returns m adjusted so that its image repeats a whole number of times, and false if the image is too coarse for
// that.
func Bend(m [6]float64) ([6]float64, bool) {
	fine := math.Hypot(m[0], m[3]) >= 1.5 && math.Hypot(m[1], m[4]) >= 1.5
	for _, j := range []int{0, 1, 3, 4} {
		m[j] = math.Round(m[j])
	}
	return m, fine && float64(m[0]*m[4]) != float64(m[1]*m[3])
}

// maxSpan is the largest number of periods that a picture covers so that another can repeat in it.
const maxSpan = 4

// SpanOf returns how many periods of its coordinates a picture has to cover so that an image with this matrix repeats a whole number of
// times in it, or 0 if that is over 4.
func SpanOf(m [6]float64) int {
	for k := 1; k <= maxSpan; k++ {
		if Whole(Scaled(m, k)) {
			return k
		}
	}
	return 0
}

// Scaled returns the matrix for coordinates that cover k periods of those of m.
func Scaled(m [6]float64, k int) [6]float64 {
	for _, j := range []int{0, 1, 3, 4} {
		m[j] *= float64(k)
	}
	return m
}

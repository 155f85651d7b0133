package paint

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// A texture matrix is [6]float64: u' = m[0]·u + m[1]·v + m[2], v' = m[3]·u + m[4]·v + m[5].

// Invert returns the inverse of a texture matrix; ok is false if it has none.
func Invert(m [6]float64) (inv [6]float64, ok bool) {
	det := float64(m[0]*m[4]) - float64(m[1]*m[3])
	if math.Abs(det) < 1e-9 || math.IsNaN(det) || math.IsInf(det, 0) {
		return pbr.Identity, false
	}
	inv = [6]float64{m[4] / det, -m[1] / det, 0, -m[3] / det, m[0] / det, 0}
	inv[2] = -(float64(inv[0]*m[2]) + float64(inv[1]*m[5]))
	inv[5] = -(float64(inv[3]*m[2]) + float64(inv[4]*m[5]))
	return inv, true
}

// Multiply returns the matrix that applies b, then a.
func Multiply(a, b [6]float64) (m [6]float64) {
	for r := 0; r < 6; r += 3 {
		for c := range 3 {
			m[r+c] = float64(a[r]*b[c]) + float64(a[r+1]*b[3+c])
		}
		m[r+2] += a[r+2]
	}
	return m
}

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

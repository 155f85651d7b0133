// Package skeleton holds the matrices that the decoders of models with skeletons share.
package skeleton

import "math"

// Matrix is a rotation and a translation: three rows, each with the translation as its last number. It converts from a
// bone's axes to another bone's or the model's.
type Matrix [3][4]float64

// NewMatrix returns the matrix of a rotation by a quaternion (X, Y, Z, W) and a translation to at. The quaternion is normalised; a zero
// quaternion does not rotate.
func NewMatrix(at [3]float64, q [4]float64) Matrix {
	n := float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]) + float64(q[3]*q[3])
	s := 2 / n
	if !(n > 1e-12 && n < 1e12) {
		q, s = [4]float64{}, 0
	}
	x, y, z, w := q[0], q[1], q[2], q[3]
	product := func(a, b float64) float64 { return float64(float64(a*b) * s) }
	return Matrix{
		{1 - product(y, y) - product(z, z), product(x, y) - product(w, z), product(x, z) + product(w, y), at[0]},
		{product(x, y) + product(w, z), 1 - product(x, x) - product(z, z), product(y, z) - product(w, x), at[1]},
		{product(x, z) - product(w, y), product(y, z) + product(w, x), 1 - product(x, x) - product(y, y), at[2]},
	}
}

// Point transforms a point.
func (m *Matrix) Point(v [3]float32) (out [3]float64) {
	out = m.Direction(v)
	for k := range out {
		out[k] += m[k][3]
	}
	return out
}

// Direction transforms a direction. The products are rounded before they are added, for equal results on all machines.
func (m *Matrix) Direction(v [3]float32) (out [3]float64) {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	for k := range out {
		out[k] = float64(m[k][0]*x) + float64(m[k][1]*y) + float64(m[k][2]*z)
	}
	return out
}

// Times returns the matrix that applies n, then m: for a bone with the matrix n whose parent has the matrix m.
func (m *Matrix) Times(n *Matrix) (out Matrix) {
	for row := range out {
		for col := range out[row] {
			out[row][col] = float64(m[row][0]*n[0][col]) + float64(m[row][1]*n[1][col]) + float64(m[row][2]*n[2][col])
		}
		out[row][3] += m[row][3]
	}
	return out
}

// Inverse returns the inverse of a rotation with a translation.
func (m *Matrix) Inverse() (out Matrix) {
	for i := range 3 {
		for k := range 3 {
			out[i][k] = m[k][i]
			out[i][3] -= float64(m[k][i] * m[k][3])
		}
	}
	return out
}

// Unit returns v scaled to length 1, or zero if v is zero: normals of real models have other lengths.
func Unit(v [3]float64) (out [3]float32) {
	l := math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2]))
	if !(l > 1e-6 && l < 1e9) {
		return out
	}
	for k := range v {
		out[k] = float32(v[k] / l)
	}
	return out
}

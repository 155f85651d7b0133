package space

// Matrix is an affine map: three rows, each with the translation as its last number.
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

// Identity changes nothing.
var Identity = Matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}

// Column returns a column of the matrix: what becomes of the direction of an axis or, for column 3, of the origin.
func (m *Matrix) Column(k int) [3]float64 { return [3]float64{m[0][k], m[1][k], m[2][k]} }

// Determinant returns the determinant of the matrix without its translation.
func (m *Matrix) Determinant() float64 {
	return Dot([3]float64(m[0][:3]), Cross([3]float64(m[1][:3]), [3]float64(m[2][:3])))
}

// Point transforms a point.
func (m *Matrix) Point(v [3]float32) (out [3]float64) {
	out = m.Direction(v)
	for k := range out {
		out[k] += m[k][3]
	}
	return out
}

// Direction transforms a direction.
func (m *Matrix) Direction(v [3]float32) [3]float64 { return m.Direction64(Vector64(v)) }

// Direction64 transforms a direction in double precision.
func (m *Matrix) Direction64(v [3]float64) (out [3]float64) {
	for k := range out {
		out[k] = float64(m[k][0]*v[0]) + float64(m[k][1]*v[1]) + float64(m[k][2]*v[2])
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

// Rotation returns the unit quaternion of a rotation.
func (m *Matrix) Rotation() [4]float64 {
	// The greatest component is computed from the diagonal, the others from it.
	trace := m[0][0] + m[1][1] + m[2][2]
	q := [4]float64{1 + 2*m[0][0] - trace, 1 + 2*m[1][1] - trace, 1 + 2*m[2][2] - trace, 1 + trace} // four times the squares
	most := 0
	for k := range q {
		if q[k] > q[most] {
			most = k
		}
	}
	x, y, z := m[2][1]-m[1][2], m[0][2]-m[2][0], m[1][0]-m[0][1]
	xy, yz, zx := m[1][0]+m[0][1], m[2][1]+m[1][2], m[0][2]+m[2][0]
	rows := [4][4]float64{{q[0], xy, zx, x}, {xy, q[1], yz, y}, {zx, yz, q[2], z}, {x, y, z, q[3]}}
	return UnitQuaternion(rows[most])
}

// Skin returns the position and the unit normal of a vertex that bones move, given the matrix of each bone and their weights for the
// vertex, the greatest first.
func Skin(matrices []Matrix, bones [4]uint8, weights [4]float32, position, normal [3]float32) (at, toward [3]float32) {
	var sum, direction [3]float64
	for i, weight := range weights {
		if weight == 0 {
			break
		}
		m := &matrices[bones[i]]
		to, turned := m.Point(position), m.Direction(normal)
		for k := range sum {
			sum[k] += float64(float64(weight) * to[k])
			direction[k] += float64(float64(weight) * turned[k])
		}
	}
	return Vector32(sum), UnitNormal(direction)
}

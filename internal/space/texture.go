package space

import "math"

// Texture is a matrix of texture coordinates: u' = m[0]·u + m[1]·v + m[2], v' = m[3]·u + m[4]·v + m[5].
type Texture = [6]float64

// IdentityTexture leaves texture coordinates unchanged.
var IdentityTexture = Texture{1, 0, 0, 0, 1, 0}

// MultiplyTexture returns the matrix that applies b, then a.
func MultiplyTexture(a, b Texture) (m Texture) {
	for r := 0; r < 6; r += 3 {
		for c := range 3 {
			m[r+c] = float64(a[r]*b[c]) + float64(a[r+1]*b[3+c])
		}
		m[r+2] += a[r+2]
	}
	return m
}

// InvertTexture returns the inverse of a matrix; without one it returns the identity and false. It makes no -0.
func InvertTexture(m Texture) (out Texture, ok bool) {
	det := float64(m[0]*m[4]) - float64(m[1]*m[3])
	if math.Abs(det) < 1e-9 || math.IsNaN(det) || math.IsInf(det, 0) {
		return IdentityTexture, false
	}
	out = Texture{m[4] / det, 0 - m[1]/det, 0, 0 - m[3]/det, m[0] / det, 0}
	out[2] = 0 - float64(out[0]*m[2]) - float64(out[1]*m[5])
	out[5] = 0 - float64(out[3]*m[2]) - float64(out[4]*m[5])
	return out, true
}

package paint

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// turn rotates the x and y of a normal from a texture's axes to those of a displacement's grid.
type turn [2][2]float32

// turnOf returns the turn for row t of a displacement, on its flat base surface.
func turnOf(d *world.Displacement, t float64) turn {
	type vector = [3]float64
	dot := func(a, b vector) float64 { return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2]) }
	unit := func(a vector) vector {
		l := math.Sqrt(dot(a, a))
		if l == 0 {
			return a
		}
		return vector{a[0] / l, a[1] / l, a[2] / l}
	}
	var right, up vector // along the columns and the rows
	var uv [2][2]float64 // the same for the texture coordinates
	c := &d.Corners
	for k := range 3 {
		right[k] = mean(float64(c[3].Position[k])-float64(c[0].Position[k]), float64(c[2].Position[k])-float64(c[1].Position[k]), t)
		up[k] = mean(float64(c[1].Position[k])-float64(c[0].Position[k]), float64(c[2].Position[k])-float64(c[3].Position[k]), 0.5)
	}
	for k := range 2 {
		uv[k][0] = mean(float64(c[3].UV[k])-float64(c[0].UV[k]), float64(c[2].UV[k])-float64(c[1].UV[k]), t)
		uv[k][1] = mean(float64(c[1].UV[k])-float64(c[0].UV[k]), float64(c[2].UV[k])-float64(c[3].UV[k]), 0.5)
	}
	det := float64(uv[0][0]*uv[1][1]) - float64(uv[0][1]*uv[1][0])
	if det == 0 {
		return turn{{1, 0}, {0, 1}}
	}
	var tangent, bitangent vector // of a normal map: to the right and up
	for k := range 3 {
		tangent[k] = (float64(right[k]*uv[1][1]) - float64(up[k]*uv[1][0])) / det
		bitangent[k] = (float64(right[k]*uv[0][1]) - float64(up[k]*uv[0][0])) / det
	}
	tangent, bitangent, right = unit(tangent), unit(bitangent), unit(right)
	along := dot(up, right)
	for k := range up {
		up[k] -= float64(right[k] * along)
	}
	up = unit(up)
	return turn{
		{float32(dot(tangent, right)), float32(dot(bitangent, right))},
		{float32(dot(tangent, up)), float32(dot(bitangent, up))},
	}
}

// normal turns a normal and writes it as a pixel.
func (m *turn) normal(c [4]float32, px []byte) {
	x, y, z := 2*c[0]-1, 2*c[1]-1, 2*c[2]-1
	putNormal(px, [3]float32{float32(m[0][0]*x) + float32(m[0][1]*y), float32(m[1][0]*x) + float32(m[1][1]*y), z})
	px[3] = 255
}

// mean interpolates between a and b at t; swapping a and b for 1-t gives the same bits.
func mean(a, b, t float64) float64 { return float64(a*(1-t)) + float64(b*t) }

package raster

import "github.com/bsp2gltf/bsp2gltf/internal/space"

// chrome sets the UVs of a corner from vertex i, which depend on the eye. Let f be the direction from the eye to the vertex's pivot,
// d = f × the view's right, r = d × f, and n the normal, all of length 1: the UVs are Chrome · (1 + n·r, 1 + n·d).
func (v *view) chrome(m *Mesh, i uint32, place *space.Matrix, c *corner) {
	var at, normal [3]float64
	for row := range 3 {
		at[row] = place[row][3]
		for col := range 3 {
			at[row] += float64(place[row][col] * float64(m.Pivots[i][col]))
			normal[row] += float64(place[row][col] * float64(m.Normals[i][col]))
		}
	}
	ahead := [3]float64{-v.back[0], -v.back[1], -v.back[2]}
	if !v.flat {
		ahead = unit([3]float64{at[0] - v.eye[0], at[1] - v.eye[1], at[2] - v.eye[2]})
	}
	down := unit(space.Cross(ahead, [3]float64(v.matrix[0][:3])))
	right := unit(space.Cross(down, ahead))
	normal = unit(normal)
	c.at[u0] = float64(m.Chrome[0]) * (1 + space.Dot(normal, right))
	c.at[v0] = float64(m.Chrome[1]) * (1 + space.Dot(normal, down))
}

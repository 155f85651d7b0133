package raster

import "github.com/bsp2gltf/bsp2gltf/internal/space"

// frame sets the attributes of a triangle's corners that directed light needs, in the mesh's axes: the directions of the texture's U and V,
// the normal, and the direction to the eye.
func (v *view) frame(m *Mesh, triangle []uint32, place *space.Matrix, corners []corner) {
	var at [3][3]float64
	for k, i := range triangle {
		at[k] = space.Vector64(m.Positions[i])
	}
	var right, along [3]float64
	if m.UV != nil {
		a, b, c := m.UV[triangle[0]], m.UV[triangle[1]], m.UV[triangle[2]]
		ua, va, ub, vb := float64(b[0]-a[0]), float64(b[1]-a[1]), float64(c[0]-a[0]), float64(c[1]-a[1])
		turned := 1.0
		if float64(ua*vb) < float64(va*ub) {
			turned = -1
		}
		for k := range right {
			p, q := at[1][k]-at[0][k], at[2][k]-at[0][k]
			right[k] = (float64(p*vb) - float64(q*va)) * turned
			along[k] = (float64(p*ub) - float64(q*ua)) * turned
		}
	}
	for k, i := range triangle {
		up := unit(space.Vector64(m.Normals[i]))
		across := func(d [3]float64) [3]float64 {
			by := space.Dot(up, d)
			return unit([3]float64{d[0] - float64(up[0]*by), d[1] - float64(up[1]*by), d[2] - float64(up[2]*by)})
		}
		for n, d := range [...][3]float64{across(right), across(along), up, v.toEye(at[k], place)} {
			copy(corners[k].at[frameRight+3*n:], d[:])
		}
	}
}

// toEye returns the vector from a point of a mesh to the eye, in the mesh's axes. The mesh may be rotated, mirrored and scaled uniformly.
func (v *view) toEye(at [3]float64, place *space.Matrix) (out [3]float64) {
	way := v.back
	if !v.flat {
		for row := range way {
			way[row] = v.eye[row] - place[row][3]
			for col := range at {
				way[row] -= float64(place[row][col] * at[col])
			}
		}
	}
	for col := range out {
		out[col] = space.Dot(place.Column(col), way)
	}
	return out
}

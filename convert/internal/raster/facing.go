package raster

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// spriteTransform returns the transform of a sprite, and the factor on its alpha. A glow of Source is as large on the screen as at 200
// units from any distance, and has 19000/d² of its light, at least a twentieth; the file has the light at 400 units.
func (v *view) spriteTransform(place *space.Matrix, s *Sprite) (out space.Matrix, alpha float64) {
	alpha = 1
	var size [3]float64
	for col := range 3 {
		size[col] = space.Norm(place.Column(col))
	}
	if s.Unit > 0 {
		d := max(space.Distance(place.Column(3), v.eye)/s.Unit, 1)
		for k := range size {
			size[k] *= d / 200
		}
		alpha = min(max(19000/(d*d), 0.05), 1) / 0.11875
	}
	ahead, right, up := neg(v.back), [3]float64(v.matrix[0][:3]), [3]float64(v.matrix[1][:3])
	if s.TowardEye && !v.flat {
		right = [3]float64{v.eye[2] - place[2][3], 0, place[0][3] - v.eye[0]}
	}
	if s.Upright {
		right, up = unit([3]float64{right[0], 0, right[2]}), [3]float64{0, 1, 0}
		ahead = [3]float64{right[2], 0, -right[0]}
	}
	for col, axis := range [3][3]float64{ahead, up, right} {
		for row := range 3 {
			out[row][col] = axis[row] * size[col]
			out[row][3] = place[row][3]
		}
	}
	return out, alpha
}

// positions returns the positions of a mesh as the eye sees it.
func (v *view) positions(m *Mesh, place *space.Matrix, how Facing) [][3]float32 {
	list := m.Positions
	if how != Fixed {
		list = v.facingQuads(m, place, how)
	}
	if m.Moves == nil {
		return list
	}
	out := make([][3]float32, len(list))
	for i, p := range list {
		for k := range 3 {
			out[i][k] = p[k] + m.Moves[i][k]
		}
	}
	return out
}

// facingQuads returns the positions of a mesh whose quads turn to the eye.
func (v *view) facingQuads(m *Mesh, place *space.Matrix, how Facing) [][3]float32 {
	right, up := toMesh(place, [3]float64(v.matrix[0][:3])), toMesh(place, [3]float64(v.matrix[1][:3]))
	eye := toMesh(place, space.Difference(v.eye, place.Column(3)))
	right, up = unit(right), unit(up)
	out := make([][3]float32, len(m.Positions))
	for i := 0; i < len(out); i += 4 {
		list := m.Positions[i:min(i+4, len(out))]
		facing := [3]float64{0, 0, 1}
		if m.Normals != nil {
			facing = space.Vector64(m.Normals[i])
		}
		s := newQuadAxes(list, facing, how)
		r, u := right, up
		if s.axis != [3]float64{} {
			u = s.axis
			r = unit(space.Cross(u, space.Difference(eye, s.middle)))
		}
		for k, p := range list {
			x, y := s.within(p)
			for c := range 3 {
				out[i+k][c] = float32(s.middle[c] + float64(r[c]*x) + float64(u[c]*y))
			}
		}
	}
	return out
}

// quadAxes holds the middle of four vertices, their directions right and up, and the longer axis if the quad turns about it.
type quadAxes struct{ middle, right, up, axis [3]float64 }

func newQuadAxes(list [][3]float32, facing [3]float64, how Facing) (s quadAxes) {
	for _, p := range list {
		for c := range 3 {
			s.middle[c] += float64(p[c]) / float64(len(list))
		}
	}
	if how == AboutOwn && len(list) == 4 {
		s.axis = longer(list)
	}
	high := s.axis
	switch {
	case high != [3]float64{}:
	case math.Abs(facing[1]) < 0.9:
		high = [3]float64{0, 1, 0}
	default:
		high = [3]float64{0, 0, -1}
	}
	along := space.Dot(high, facing)
	for c := range 3 {
		high[c] -= float64(facing[c] * along)
	}
	s.up = unit(high)
	s.right = unit(space.Cross(s.up, facing))
	return s
}

// within returns the distances of a point to the right of the middle and above it.
func (s *quadAxes) within(p [3]float32) (x, y float64) {
	from := space.Difference(space.Vector64(p), s.middle)
	return space.Dot(from, s.right), space.Dot(from, s.up)
}

// longer returns the direction of the longer sides of the rectangle of four vertices. Of the six distances between the vertices two are
// short, two long, and two diagonal.
func longer(p [][3]float32) [3]float64 {
	var ways [6][3]float64
	for i, pair := range [6][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}} {
		way := space.Difference(space.Vector64(p[pair[1]]), space.Vector64(p[pair[0]]))
		k := i
		for ; k > 0 && space.Dot(ways[k-1], ways[k-1]) > space.Dot(way, way); k-- {
			ways[k] = ways[k-1]
		}
		ways[k] = way
	}
	return unit(ways[2])
}

// toMesh returns a direction of the scene in the axes of a mesh.
func toMesh(place *space.Matrix, d [3]float64) (out [3]float64) {
	x, y, z := place.Column(0), place.Column(1), place.Column(2)
	size := space.Dot(x, space.Cross(y, z))
	if size == 0 {
		return d
	}
	for k, across := range [3][3]float64{space.Cross(y, z), space.Cross(z, x), space.Cross(x, y)} {
		out[k] = space.Dot(across, d) / size
	}
	return out
}

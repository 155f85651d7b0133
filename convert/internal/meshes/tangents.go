package meshes

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// tangents returns, by vertex of a primitive, the direction in which the first texture coordinate of its normal map grows: in the
// surface and of length 1. The fourth number is 1 if the picture's up is to the left of that direction, seen from the front, and -1 if
// the picture is mirrored: up is normal × tangent times this number, as in glTF. uv returns the coordinates on the normal map.
func tangents(p *scene.Primitive, uv func(vertex int) [2]float32) [][4]float32 {
	right, up := make([][3]float64, len(p.Positions)), make([][3]float64, len(p.Positions))
	for i := 0; i+2 < len(p.Indices); i += 3 {
		corner := [3]uint32(p.Indices[i : i+3])
		var edge [2][3]float64
		var way [2][2]float64 // in the picture
		at, from := p.Positions[corner[0]], uv(int(corner[0]))
		for e := range edge {
			to, end := p.Positions[corner[e+1]], uv(int(corner[e+1]))
			for k := range to {
				edge[e][k] = float64(to[k]) - float64(at[k])
			}
			for k := range end {
				way[e][k] = float64(end[k]) - float64(from[k])
			}
		}
		// Only the sign gives the image's orientation; with the magnitude, large triangles of small images would
		// dominate.
		sign := 1.0
		if space.Sum(way[0][0]*way[1][1], -way[1][0]*way[0][1], 0, 0) < 0 {
			sign = -1
		}
		for k := range 3 {
			r := sign * space.Sum(edge[0][k]*way[1][1], -edge[1][k]*way[0][1], 0, 0)
			u := sign * space.Sum(edge[0][k]*way[1][0], -edge[1][k]*way[0][0], 0, 0) // V grows downwards
			for _, c := range corner {
				right[c][k] += r
				up[c][k] += u
			}
		}
	}
	out := make([][4]float32, len(p.Positions))
	for i := range out {
		n := space.Vector64(p.Normals[i])
		t := across(n, right[i])
		for k, x := range t {
			out[i][k] = float32(x)
		}
		out[i][3] = 1
		if b := space.Cross(n, t); space.Sum(b[0]*up[i][0], b[1]*up[i][1], b[2]*up[i][2], 0) < 0 {
			out[i][3] = -1
		}
	}
	return out
}

// across returns the part of v that is perpendicular to a unit normal, scaled to length 1; if there is none, any direction perpendicular to
// the normal.
func across(n, v [3]float64) [3]float64 {
	for _, v := range [3][3]float64{v, {1, 0, 0}, {0, 1, 0}} {
		length := space.Norm(v)
		if !(length > 0) || math.IsInf(length, 0) {
			continue
		}
		along := space.Dot(n, v)
		for k := range v {
			v[k] = (v[k] - float64(n[k]*along)) / length
		}
		if length = space.Norm(v); length > 1e-3 {
			return [3]float64{v[0] / length, v[1] / length, v[2] / length}
		}
	}
	return [3]float64{0, 0, 1} // the normal is not one
}

package geometry

import (
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Autosprites returns a mesh whose quads the engine turns to the viewer in every frame, with each quad upright and facing the nearest
// eye that is at least 64 units away; axial quads turn about their longer axis. It also returns the number of quads that it turned: a
// quad without such an eye keeps its place, and a mesh that does not consist of quads is returned as it is. m is only read.
//
// As in the engine, a quad that faces the viewer becomes a square around its middle, whose size is given by the distance to its
// first corner, with the whole image on it. Quake III Arena, tr_shade_calc.c, AutospriteDeform and Autosprite2Deform.
func Autosprites(m Mesh, axial bool, eyes [][3]float32) (out Mesh, turned int) {
	if len(m.Vertices)%4 != 0 || len(m.Indices) != len(m.Vertices)/4*6 {
		return m, 0
	}
	for i := 0; i < len(m.Vertices); i += 4 {
		if !oneQuad(m.Indices[i/4*6:][:6], i) {
			return m, 0
		}
	}
	out = m
	out.Vertices, out.Indices = slices.Clone(m.Vertices), slices.Clone(m.Indices)
	for i := 0; i < len(out.Vertices); i += 4 {
		quad, indices := out.Vertices[i:i+4:i+4], out.Indices[i/4*6:][:6]
		var middle vec
		for k := range quad {
			middle = middle.add(toVec(quad[k].Position).scale(0.25))
		}
		forward, ok := towardsEye(middle, eyes)
		if !ok {
			continue
		}
		turned++
		if axial {
			turnAbout(quad, indices, forward)
		} else {
			stamp(quad, indices, uint32(i), middle, forward)
		}
	}
	return out, turned
}

// oneQuad reports whether all indices refer to the four vertices starting at first.
func oneQuad(indices []uint32, first int) bool {
	for _, x := range indices {
		if int(x) < first || int(x) >= first+4 {
			return false
		}
	}
	return true
}

// towardsEye returns the horizontal direction from a point to the nearest eye that is not too close.
func towardsEye(from vec, eyes [][3]float32) (direction vec, ok bool) {
	const least = 64
	nearest := math.Inf(1)
	for _, e := range eyes {
		d := toVec(e).sub(from)
		d[2] = 0
		if length := math.Sqrt(d.dot(d)); length >= least && length < nearest {
			nearest, direction, ok = length, d.scale(1/length), true
		}
	}
	return direction, ok
}

// stamp turns a quad into an upright square.
func stamp(quad []world.Vertex, indices []uint32, first uint32, middle, forward vec) {
	radius := toVec(quad[0].Position).distance(middle) * math.Sqrt2 / 2
	left, up := vec{forward[1], -forward[0], 0}.scale(radius), vec{0, 0, radius} // the viewer's left
	for k, c := range [4]struct {
		left, up float64
		uv       [2]float32
	}{{1, 1, [2]float32{0, 0}}, {1, -1, [2]float32{0, 1}}, {-1, -1, [2]float32{1, 1}}, {-1, 1, [2]float32{1, 0}}} {
		v := &quad[k]
		v.Position = middle.add(left.scale(c.left)).add(up.scale(c.up)).float32()
		v.Normal, v.UV = forward.float32(), c.uv
	}
	for k, x := range [6]uint32{0, 1, 2, 0, 2, 3} {
		indices[k] = first + x
	}
}

// turnAbout turns a quad about the line between the middles of its two shortest edges.
func turnAbout(quad []world.Vertex, indices []uint32, forward vec) {
	edges := [6][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}
	var short [2]int // into edges
	lengths := [2]float64{math.Inf(1), math.Inf(1)}
	at := func(k int) vec { return toVec(quad[k].Position) }
	for i, e := range edges {
		switch l := at(e[0]).distance(at(e[1])); {
		case l < lengths[0]:
			short, lengths = [2]int{i, short[0]}, [2]float64{l, lengths[0]}
		case l < lengths[1]:
			short[1], lengths[1] = i, l
		}
	}
	var mid [2]vec
	var against [2]bool // the edge runs the other way than the first
	first := edges[short[0]]
	for k, i := range short {
		against[k] = at(edges[i][0]).sub(at(edges[i][1])).dot(at(first[0]).sub(at(first[1]))) < 0
		mid[k] = at(edges[i][0]).add(at(edges[i][1])).scale(0.5)
	}
	across, ok := mid[1].sub(mid[0]).cross(forward).unit()
	if !ok {
		return // it points at the eye
	}
	place := func(side float64) {
		for k, i := range short {
			e := edges[i]
			half := side * lengths[k] / 2
			if against[k] {
				half = -half
			}
			quad[e[0]].Position = mid[k].add(across.scale(half)).float32()
			quad[e[1]].Position = mid[k].sub(across.scale(half)).float32()
		}
	}
	place(1)
	a, b, c := at(int(indices[0])%4), at(int(indices[1])%4), at(int(indices[2])%4)
	if b.sub(a).cross(c.sub(a)).dot(forward) < 0 {
		place(-1) // otherwise its back would be visible
	}
	for k := range quad {
		quad[k].Normal = forward.float32()
	}
}

package vbsp

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Side is a side of a brush to be added: A point p is inside if Normal·p <= Dist.
type Side struct {
	Normal  [3]float32
	Dist    float32
	TexInfo int32 // -1 is none
	NoFace  bool
	Bevel   bool // for collision only: it has no face
}

// Brush adds a convex solid to the last model, with a face for each of its sides, and returns the faces: -1 where there is
// none, as for sides that are hidden or that the others cut away.
func (m *Map) Brush(contents int32, sides ...Side) (faces []int) {
	if len(m.Models) == 0 {
		m.StartModel()
	}
	b := Brush{Model: len(m.Models) - 1, Contents: contents}
	box := brushmap.Around()
	for i, s := range sides {
		thin := s.TexInfo >= 0 && m.TexInfo[s.TexInfo].Flags&NoDraw != 0
		b.Sides = append(b.Sides, BrushSide{Plane: m.Plane(s.Normal, s.Dist), TexInfo: int16(s.TexInfo), Bevel: s.Bevel, Thin: thin})
		loop := winding(sides, i)
		face := -1
		if !s.Bevel && len(loop) >= 3 {
			box.Add(loop...)
			if !s.NoFace {
				face = m.Polygon(s.TexInfo, loop...)
			}
		}
		faces = append(faces, face)
	}
	b.Mins, b.Maxs = box.Mins, box.Maxs
	m.Brushes = append(m.Brushes, b)
	return faces
}

// Box adds an axial brush. Materials are those of the sides -x +x -y +y -z +z, and the last counts for all that follow;
// a material without a name gives no face.
func (m *Map) Box(contents int32, mins, maxs [3]float32, materials ...Material) (faces []int) {
	var sides []Side
	for i, plane := range (brushmap.Box{Mins: mins, Maxs: maxs}).Sides() {
		var mat Material
		if len(materials) > 0 {
			mat = materials[min(i, len(materials)-1)]
		}
		s := Side{Normal: plane.Normal, Dist: plane.Dist, TexInfo: -1, NoFace: true}
		if mat.Name != "" {
			s.TexInfo, s.NoFace = m.Project(mat, s.Normal), false
		}
		sides = append(sides, s)
	}
	return m.Brush(contents, sides...)
}

// wall is the thickness of a Hollow's walls.
const wall = 16

// Hollow adds a room: a box that is seen from inside, of six brushes around it. Materials are as for Box, of the sides of the
// air. It is one of Rooms, in the area.
func (m *Map) Hollow(area uint16, mins, maxs [3]float32, materials ...Material) (faces [6]int) {
	m.Rooms = append(m.Rooms, Room{Mins: mins, Maxs: maxs, Area: area})
	for i := range 6 {
		axis, low := i/2, i%2 == 0
		mat := materials[min(i, len(materials)-1)]
		lo, hi := mins, maxs
		for k := range axis { // the walls of an axis cover the ends of those before
			lo[k], hi[k] = lo[k]-wall, hi[k]+wall
		}
		var normal [3]float32
		at := maxs[axis]
		if low {
			normal[axis], at = 1, mins[axis]
			lo[axis], hi[axis] = at-wall, at
		} else {
			normal[axis] = -1
			lo[axis], hi[axis] = at, at+wall
		}
		info := m.Project(mat, normal)
		m.Box(Solid, lo, hi)
		sides := m.Brushes[len(m.Brushes)-1].Sides
		for k := range sides {
			sides[k].TexInfo = int16(info)
		}
		u, v := (axis+1)%3, (axis+2)%3
		loop := make([][3]float32, 4)
		for k, c := range [4][2]float32{{mins[u], mins[v]}, {maxs[u], mins[v]}, {maxs[u], maxs[v]}, {mins[u], maxs[v]}} {
			loop[k][axis], loop[k][u], loop[k][v] = at, c[0], c[1]
		}
		// u, v and the axis are right-handed: this loop is clockwise seen from the low end.
		if low {
			loop[1], loop[3] = loop[3], loop[1]
		}
		faces[i] = m.Polygon(info, loop...)
	}
	return faces
}

// far is beyond every map: the engine's coordinates end at 16384.
const far = 65536

// winding returns the face of a side: a square on its plane, clockwise seen from the front, cut by all other sides.
func winding(sides []Side, side int) [][3]float32 {
	s := sides[side]
	n := [3]float64{float64(s.Normal[0]), float64(s.Normal[1]), float64(s.Normal[2])}
	largest := 0
	for i := range n {
		if math.Abs(n[i]) > math.Abs(n[largest]) {
			largest = i
		}
	}
	up := [3]float64{0, 0, 1}
	if largest == 2 {
		up = [3]float64{1, 0, 0}
	}
	d := brushmap.Dot(up, n)
	l := 0.0
	for i := range up {
		up[i] -= float64(d * n[i])
		l += float64(up[i] * up[i])
	}
	right := [3]float64{}
	for i := range up {
		up[i] /= math.Sqrt(l)
	}
	for i := range 3 {
		u, v := (i+1)%3, (i+2)%3
		right[i] = float64(up[u]*n[v]) - float64(up[v]*n[u])
	}
	var loop [][3]float64
	for _, c := range [4][2]float64{{-far, far}, {far, far}, {far, -far}, {-far, -far}} {
		var p [3]float64
		for i := range p {
			p[i] = float64(n[i]*float64(s.Dist)) + float64(right[i]*c[0]) + float64(up[i]*c[1])
		}
		loop = append(loop, p)
	}
	for i, o := range sides {
		if i != side && !o.Bevel {
			loop = cut(loop, o)
		}
	}
	out := make([][3]float32, 0, len(loop))
	for _, p := range loop {
		var q [3]float32
		for i, c := range p {
			if r := math.Round(c*64) / 64; math.Abs(c-r) < 1e-3 {
				c = r // what is cut twice comes out the same
			}
			q[i] = float32(c)
		}
		out = append(out, q)
	}
	return out
}

// cut returns what of a loop is behind a side.
func cut(loop [][3]float64, s Side) (out [][3]float64) {
	n := [3]float64{float64(s.Normal[0]), float64(s.Normal[1]), float64(s.Normal[2])}
	off := func(p [3]float64) float64 { return brushmap.Dot(p, n) - float64(s.Dist) }
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		x, y := off(a), off(b)
		if x <= 1e-3 {
			out = append(out, a)
		}
		if x < -1e-3 && y > 1e-3 || x > 1e-3 && y < -1e-3 {
			var p [3]float64
			for k := range p {
				p[k] = a[k] + float64((b[k]-a[k])*(x/(x-y)))
			}
			out = append(out, p)
		}
	}
	return out
}

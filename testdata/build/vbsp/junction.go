package vbsp

import (
	"math"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// FixJunctions puts the corners of other faces of the same model into the edges that they lie on, so that no cracks show.
// The faces that got corners have a primitive: a list of triangles, since a fan of them would have some without area. It
// comes before any light, and displacements are left as they are.
func (m *Map) FixJunctions() {
	loops := make([][][3]float32, len(m.Faces))
	for i := range m.Faces {
		loops[i] = m.Loop(i)
	}
	mended := make([][][3]float32, len(m.Faces))
	for _, x := range m.Models {
		of := loops[x.FirstFace : x.FirstFace+x.NumFaces]
		for i := range of {
			face := int(x.FirstFace) + i
			mended[face] = of[i]
			if m.Faces[face].DispInfo < 0 && m.Faces[face].NumPrims == 0 {
				mended[face] = mend(of[i], of)
			}
		}
	}
	m.Edges, m.Surfedges = nil, nil
	for i := range m.Faces {
		f := &m.Faces[i]
		f.FirstEdge, f.NumEdges = m.AddLoop(mended[i]), int16(len(mended[i]))
		if len(mended[i]) > len(loops[i]) {
			m.AddPrimitive(i, List, triangulate(mended[i]), nil)
		}
	}
}

// AddPrimitive adds a primitive to a face. The primitives of a face are added one after another.
func (m *Map) AddPrimitive(face int, kind uint8, indices []uint16, vertices [][3]float32) {
	f := &m.Faces[face]
	if f.NumPrims == 0 {
		f.FirstPrim = uint16(len(m.Primitives))
	}
	f.NumPrims++
	m.Primitives = append(m.Primitives, Primitive{Type: kind, FirstIndex: uint16(len(m.PrimIndices)), NumIndex: uint16(len(indices)),
		FirstVert: uint16(len(m.PrimVerts)), NumVerts: uint16(len(vertices))})
	m.PrimIndices = append(m.PrimIndices, indices...)
	m.PrimVerts = append(m.PrimVerts, vertices...)
}

// mend returns the loop with the corners of the others that lie inside its edges.
func mend(loop [][3]float32, others [][][3]float32) (out [][3]float32) {
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		out = append(out, a)
		d := [3]float32{b[0] - a[0], b[1] - a[1], b[2] - a[2]}
		long := brushmap.Dot(d, d)
		type place struct {
			at float64
			p  [3]float32
		}
		var on []place
		for _, o := range others {
			for _, c := range o {
				e := [3]float32{c[0] - a[0], c[1] - a[1], c[2] - a[2]}
				k := brushmap.Dot(e, d) / long
				if k <= 1e-6 || k >= 1-1e-6 {
					continue
				}
				off := 0.0
				for j := range e {
					x := float64(e[j]) - float64(k*float64(d[j]))
					off += float64(x * x)
				}
				if off < 1e-6 {
					on = append(on, place{k, c})
				}
			}
		}
		sort.SliceStable(on, func(i, j int) bool { return on[i].at < on[j].at })
		for j, c := range on {
			if j == 0 || c.p != on[j-1].p {
				out = append(out, c.p)
			}
		}
	}
	return out
}

// triangulate cuts a convex loop into triangles that all have an area, although corners may lie inside its edges: ear by
// ear, each time the one for which the smaller of it and the rest is largest.
func triangulate(loop [][3]float32) (indices []uint16) {
	left := make([]uint16, len(loop))
	for i := range left {
		left[i] = uint16(i)
	}
	area := func(of ...uint16) float64 {
		var points [][3]float32
		for _, i := range of {
			points = append(points, loop[i])
		}
		_, a := brushmap.LoopNormal(points)
		return a
	}
	for len(left) > 3 {
		best, at := -1.0, 0
		for i := range left {
			ear := area(left[(i+len(left)-1)%len(left)], left[i], left[(i+1)%len(left)])
			rest := append(append([]uint16(nil), left[:i]...), left[i+1:]...)
			if q := math.Min(ear, area(rest...)); q > best+1e-9 {
				best, at = q, i
			}
		}
		indices = append(indices, left[(at+len(left)-1)%len(left)], left[at], left[(at+1)%len(left)])
		left = append(left[:at], left[at+1:]...)
	}
	return append(indices, left...)
}

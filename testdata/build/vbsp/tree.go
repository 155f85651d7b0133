package vbsp

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// complete makes up what the map leaves empty.
func (m *Map) complete() {
	if len(m.Models) == 0 {
		m.StartModel()
	}
	m.Models = append([]Model(nil), m.Models...)
	for i := range m.Models {
		if m.Models[i].Mins == m.Models[i].Maxs {
			m.Models[i].Mins, m.Models[i].Maxs = m.bounds(i)
		}
	}
	if len(m.Nodes) == 0 {
		m.Plant()
	}
	if len(m.Areas) == 0 {
		most := uint16(1)
		for _, r := range m.Rooms {
			most = max(most, r.Area)
		}
		m.Areas = make([]Area, most+1)
	}
	if len(m.OriginalFaces) == 0 {
		m.OriginalFaces = append([]Face(nil), m.Faces...)
		for i := range m.OriginalFaces {
			f := &m.OriginalFaces[i]
			f.LightOfs, f.NumPrims, f.FirstPrim = -1, 0, 0
		}
	}
	if len(m.VertNormalIndices) == 0 {
		m.FlatNormals()
	}
	m.Neighbours()
}

// bounds returns the box around a model's faces and brushes.
func (m *Map) bounds(model int) (lo, hi [3]float32) {
	var points [][3]float32
	x := m.Models[model]
	for i := range int(x.NumFaces) {
		points = append(points, m.Loop(int(x.FirstFace)+i)...)
	}
	for _, b := range m.Brushes {
		if b.Model == model {
			points = append(points, b.Mins, b.Maxs)
		}
	}
	return brushmap.Bounds(points...)
}

// FlatNormals gives every corner of every face the normal of its plane.
func (m *Map) FlatNormals() {
	m.VertNormals, m.VertNormalIndices = nil, nil
	for _, f := range m.Faces {
		i := uint16(brushmap.Intern(&m.VertNormals, m.Planes[f.Plane].Normal))
		for range f.NumEdges {
			m.VertNormalIndices = append(m.VertNormalIndices, i)
		}
	}
}

// SetNormal gives a corner of a face a normal. FlatNormals comes before.
func (m *Map) SetNormal(face, corner int, normal [3]float32) {
	at := corner
	for _, f := range m.Faces[:face] {
		at += int(f.NumEdges)
	}
	m.VertNormalIndices[at] = uint16(len(m.VertNormals))
	m.VertNormals = append(m.VertNormals, normal)
}

// block is a part of space that the tree is to split.
type block struct{ lo, hi [3]float32 }

func (b block) in(r Room) bool {
	for k := range 3 {
		if b.lo[k] < r.Mins[k] || b.hi[k] > r.Maxs[k] {
			return false
		}
	}
	return true
}

func (b block) meets(lo, hi [3]float32) bool {
	for k := range 3 {
		if b.lo[k] >= hi[k] || b.hi[k] <= lo[k] {
			return false
		}
	}
	return true
}

// Plant makes up the tree. The world is split by planes along the sides of the rooms until each leaf is in one room or in
// none; space in none is solid. A brush model has a node whose front leaf holds all its brushes.
func (m *Map) Plant() {
	m.Nodes, m.LeafFaces, m.LeafBrushes = nil, nil, nil
	m.Leaves = []Leaf{{Contents: Solid, Cluster: -1, Water: -1}}
	rooms := m.Rooms
	lo, hi := m.bounds(0)
	if len(rooms) == 0 {
		rooms = []Room{{Mins: lo, Maxs: hi, Area: 1}}
	}
	for _, r := range rooms {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], r.Mins[k]), max(hi[k], r.Maxs[k])
		}
	}
	for k := range 3 {
		lo[k], hi[k] = lo[k]-16, hi[k]+16
	}
	clusters := int16(0)
	m.split(block{lo, hi}, rooms, &clusters)
	m.Models[0].HeadNode = 0
	for i := 1; i < len(m.Models); i++ {
		m.Models[i].HeadNode = m.modelTree(i)
	}
}

// split returns the child that stands for the block: a node, or a leaf as a node has it.
func (m *Map) split(b block, rooms []Room, clusters *int16) int32 {
	for _, r := range rooms {
		if b.in(r) {
			return m.leaf(b, r, clusters)
		}
		if !b.meets(r.Mins, r.Maxs) {
			continue
		}
		for k := range 3 {
			for _, at := range [2]float32{r.Mins[k], r.Maxs[k]} {
				if at <= b.lo[k] || at >= b.hi[k] {
					continue
				}
				var n [3]float32
				n[k] = 1
				i := int32(len(m.Nodes))
				m.Nodes = append(m.Nodes, Node{Plane: int32(m.Plane(n, at)), Mins: short(b.lo), Maxs: short(b.hi)})
				front, back := b, b
				front.lo[k], back.hi[k] = at, at
				m.Nodes[i].Children[0] = m.split(front, rooms, clusters)
				m.Nodes[i].Children[1] = m.split(back, rooms, clusters)
				return i
			}
		}
	}
	return m.leaf(b, Room{Contents: Solid}, clusters)
}

// leaf adds a leaf of a room and returns it as a node's child. Displacements are in no leaf: the engine finds out where
// they reach when it loads the map.
func (m *Map) leaf(b block, r Room, clusters *int16) int32 {
	l := Leaf{Contents: r.Contents, Cluster: -1, AreaFlags: r.Area&0x1ff | r.Flags<<9, Mins: short(b.lo), Maxs: short(b.hi),
		FirstFace: uint16(len(m.LeafFaces)), FirstBrush: uint16(len(m.LeafBrushes)), Water: r.Water - 1}
	if r.Contents&Solid == 0 {
		l.Cluster = *clusters
		*clusters++
		x := m.Models[0]
		for i := range int(x.NumFaces) {
			face := int(x.FirstFace) + i
			if m.Faces[face].DispInfo < 0 && m.faceMeets(face, b) {
				m.LeafFaces = append(m.LeafFaces, uint16(face))
			}
		}
	}
	for i, s := range m.Brushes {
		if s.Model == 0 && b.meets(s.Mins, s.Maxs) {
			m.LeafBrushes = append(m.LeafBrushes, uint16(i))
		}
	}
	l.NumFaces, l.NumBrush = uint16(len(m.LeafFaces))-l.FirstFace, uint16(len(m.LeafBrushes))-l.FirstBrush
	m.Leaves = append(m.Leaves, l)
	return -int32(len(m.Leaves))
}

// faceMeets reports whether a face is seen from within the block: its box, moved a little to its front, reaches into it.
func (m *Map) faceMeets(face int, b block) bool {
	lo, hi := brushmap.Bounds(m.Loop(face)...)
	for k, n := range m.Planes[m.Faces[face].Plane].Normal {
		lo[k], hi[k] = lo[k]+n/2, hi[k]+n/2
	}
	for k := range 3 {
		if hi[k]-lo[k] < 0.25 {
			lo[k], hi[k] = lo[k]-0.125, hi[k]+0.125
		}
	}
	return b.meets(lo, hi)
}

// modelTree adds a node for a brush model and returns its index.
func (m *Map) modelTree(model int) int32 {
	lo, hi := m.bounds(model)
	node := Node{Plane: int32(m.Plane([3]float32{1, 0, 0}, lo[0]-1)), Mins: short(lo), Maxs: short(hi)}
	l := Leaf{Contents: Solid, Cluster: -1, Mins: short(lo), Maxs: short(hi), Water: -1,
		FirstFace: uint16(len(m.LeafFaces)), FirstBrush: uint16(len(m.LeafBrushes))}
	for i, b := range m.Brushes {
		if b.Model == model {
			m.LeafBrushes = append(m.LeafBrushes, uint16(i))
			l.NumBrush++
		}
	}
	m.Leaves = append(m.Leaves, l, Leaf{Cluster: -1, Water: -1})
	node.Children = [2]int32{-int32(len(m.Leaves) - 1), -int32(len(m.Leaves))}
	m.Nodes = append(m.Nodes, node)
	return int32(len(m.Nodes) - 1)
}

// LeafAt returns the leaf of the world that a place is in. Plant comes before.
func (m *Map) LeafAt(p [3]float32) int {
	n := int32(0)
	for n >= 0 {
		node := m.Nodes[n]
		plane := m.Planes[node.Plane]
		if brushmap.Dot(plane.Normal, p) > float64(plane.Dist) {
			n = node.Children[0]
		} else {
			n = node.Children[1]
		}
	}
	return int(-1 - n)
}

func short(p [3]float32) (s [3]int16) {
	for k, c := range p {
		s[k] = int16(math.Floor(float64(c)))
	}
	return s
}

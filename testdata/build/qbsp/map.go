// Package qbsp writes compiled maps of Quake's engine and its kin from a Go description, for tests: Quake (29, BSP2, 2PSB),
// GoldSrc (30, with Blue Shift's order), Xash3D (31, and 30 with its extra header) and Quake II (IBSP 38).
//
// A Map holds the records of all of them, where an index into another lump is a number: a test can say anything, also what is
// wrong, and nothing is checked. Helpers fill it as a mapper would: Project makes a texinfo from a texture, Polygon a face,
// Room a box seen from inside, Light the luxels of a face. Write makes up the tree and the vertices' edges are shared.
//
// A test that needs bytes no description gives takes the written file and changes it with SetLump, SetInt32 and Replace.
package qbsp

import "math"

// Map is a compiled map. Model 0 is the world.
type Map struct {
	Entities []Entity
	// RawEntities is written in place of Entities if it is not empty.
	RawEntities string
	Planes      []Plane
	Textures    []Texture
	TexInfo     []TexInfo
	Vertices    [][3]float32
	Edges       [][2]uint32
	Surfedges   []int32 // a negative one is the edge of its amount, reversed
	Faces       []Face
	// Lighting is written as its first channel where light is grey.
	Lighting []RGB
	Models   []Model
	// Directions and FaceInfo are written behind Xash3D's extra header.
	Directions []RGB
	FaceInfo   []FaceInfo
	Blocks     []Block // of BSPX, behind the last lump

	vertexAt map[[3]float32]uint32
	edgeAt   map[[2]uint32]int32
}

// Entity is a list of key and value, in the order they are written. Keys may repeat.
type Entity [][2]string

// Plane is dplane_t. Type is the axis of the normal, or 3 more than its nearest.
type Plane struct {
	Normal [3]float32
	Dist   float32
	Type   int32
}

// Texture is a miptex. Without pixels it is in an archive; one that is Missing is not in the lump at all. Quake II has only
// its name.
type Texture struct {
	Name          string
	Width, Height uint32
	Pixels        []byte
	Palette       [256][3]uint8 // not written by Quake
	Missing       bool
}

// TexInfo is texinfo_t. Texels of a point p are Vecs[i]·(p, 1).
type TexInfo struct {
	Vecs     [2][4]float32
	Texture  int32
	Flags    int32
	FaceInfo int16 // Xash3D, or -1
}

// Special is the flag of a TexInfo of Quake and GoldSrc that has no light. Those of Quake II are SURF_ of qfiles.h.
const (
	Special = 0x1

	Sky2     = 0x4
	Warp2    = 0x8
	Trans33  = 0x10
	Trans66  = 0x20
	NoDraw2  = 0x80
	Hint2    = 0x100
	Skip2    = 0x200
	WorldLux = 0x2 // Xash3D: luxels of units
	AxialLux = 0x4
	FineLux  = 0x8 // of eight texels
)

// NoStyle is the style of a place that is not used.
const NoStyle = 255

// Face is dface_t. Its loop of edges is clockwise seen from the front.
type Face struct {
	Plane     uint32
	Side      uint32 // 1 where the face looks against its plane
	FirstEdge int32
	NumEdges  uint32
	TexInfo   uint32
	Styles    [4]uint8
	LightOfs  int32 // in luxels, or -1 for none
}

// RGB is a luxel.
type RGB [3]uint8

// Model is dmodel_t.
type Model struct {
	Mins, Maxs, Origin  [3]float32
	FirstFace, NumFaces int32
}

// FaceInfo is dfaceinfo_t of Xash3D.
type FaceInfo struct {
	Land      [16]byte
	Step      uint16 // texels of a luxel
	MaxExtent uint16
	Group     int16
}

// Block is a block of BSPX.
type Block struct {
	Name    string
	Content []byte
}

// AddTexture returns the index of a texture, added if the map has none of its name.
func (m *Map) AddTexture(t Texture) int32 {
	for i, q := range m.Textures {
		if q.Name == t.Name {
			return int32(i)
		}
	}
	m.Textures = append(m.Textures, t)
	return int32(len(m.Textures) - 1)
}

// Project returns a texinfo of a texture on a plane, a texel for a unit: U goes along +Y on planes that face X and along +X on
// all others; V goes along -Y on floors and ceilings and down on all others. It is added if the map has none.
func (m *Map) Project(t Texture, normal [3]float32, flags int32) uint32 {
	u, v := [4]float32{1, 0, 0, 0}, [4]float32{0, 0, -1, 0}
	x, y, z := math.Abs(float64(normal[0])), math.Abs(float64(normal[1])), math.Abs(float64(normal[2]))
	switch {
	case z >= x && z >= y:
		v = [4]float32{0, -1, 0, 0}
	case x >= y:
		u = [4]float32{0, 1, 0, 0}
	}
	return m.Info(TexInfo{[2][4]float32{u, v}, m.AddTexture(t), flags, -1})
}

// Info returns the index of the texinfo, added if the map has none.
func (m *Map) Info(t TexInfo) uint32 {
	for i, q := range m.TexInfo {
		if q == t {
			return uint32(i)
		}
	}
	m.TexInfo = append(m.TexInfo, t)
	return uint32(len(m.TexInfo) - 1)
}

// StartModel begins a model, which faces are added to from here on, and returns its index. The first is the world; it begins
// by itself.
func (m *Map) StartModel() int {
	m.Models = append(m.Models, Model{FirstFace: int32(len(m.Faces))})
	return len(m.Models) - 1
}

// Polygon adds a face of the loop, which is convex, flat and clockwise seen from the front, and returns its index.
func (m *Map) Polygon(texinfo uint32, loop ...[3]float32) int {
	if len(m.Models) == 0 {
		m.StartModel()
	}
	plane, side := m.plane(loop)
	f := Face{Plane: plane, Side: side, FirstEdge: int32(len(m.Surfedges)), NumEdges: uint32(len(loop)), TexInfo: texinfo,
		Styles: [4]uint8{NoStyle, NoStyle, NoStyle, NoStyle}, LightOfs: -1}
	m.Surfedges = append(m.Surfedges, m.loopEdges(loop)...)
	m.Faces = append(m.Faces, f)
	x := &m.Models[len(m.Models)-1]
	for i, p := range loop {
		for k := range p {
			if x.NumFaces == 0 && i == 0 || p[k] < x.Mins[k] {
				x.Mins[k] = p[k]
			}
			if x.NumFaces == 0 && i == 0 || p[k] > x.Maxs[k] {
				x.Maxs[k] = p[k]
			}
		}
	}
	x.NumFaces++
	return len(m.Faces) - 1
}

// Room adds the inside of a box: faces -x, +x, -y, +y, floor, ceiling.
func (m *Map) Room(t Texture, a, b [3]float32) {
	for _, w := range []struct {
		normal [3]float32
		loop   [4][3]float32
	}{
		{[3]float32{1, 0, 0}, [4][3]float32{{a[0], a[1], a[2]}, {a[0], a[1], b[2]}, {a[0], b[1], b[2]}, {a[0], b[1], a[2]}}},
		{[3]float32{-1, 0, 0}, [4][3]float32{{b[0], b[1], a[2]}, {b[0], b[1], b[2]}, {b[0], a[1], b[2]}, {b[0], a[1], a[2]}}},
		{[3]float32{0, 1, 0}, [4][3]float32{{b[0], a[1], a[2]}, {b[0], a[1], b[2]}, {a[0], a[1], b[2]}, {a[0], a[1], a[2]}}},
		{[3]float32{0, -1, 0}, [4][3]float32{{a[0], b[1], a[2]}, {a[0], b[1], b[2]}, {b[0], b[1], b[2]}, {b[0], b[1], a[2]}}},
		{[3]float32{0, 0, 1}, [4][3]float32{{a[0], a[1], a[2]}, {a[0], b[1], a[2]}, {b[0], b[1], a[2]}, {b[0], a[1], a[2]}}},
		{[3]float32{0, 0, -1}, [4][3]float32{{a[0], b[1], b[2]}, {a[0], a[1], b[2]}, {b[0], a[1], b[2]}, {b[0], b[1], b[2]}}},
	} {
		m.Polygon(m.Project(t, w.normal, 0), w.loop[:]...)
	}
}

// plane returns the plane of a loop, added if the map has none, and 1 where the loop looks against it: the normal of a plane
// points along its largest axis.
func (m *Map) plane(loop [][3]float32) (plane, side uint32) {
	n := loopNormal(loop)
	largest, axial := 0, int32(3)
	for i, c := range n {
		if math.Abs(float64(c)) > math.Abs(float64(n[largest])) {
			largest = i
		}
	}
	if n[largest] < 0 {
		side = 1
		for k := range n {
			n[k] = 0 - n[k]
		}
	}
	if n[largest] == 1 {
		axial = 0
	}
	p := Plane{n, float32(dot(n, loop[0])), axial + int32(largest)}
	for i, q := range m.Planes {
		if q == p {
			return uint32(i), side
		}
	}
	m.Planes = append(m.Planes, p)
	return uint32(len(m.Planes) - 1), side
}

// Loop returns the corners of a face.
func (m *Map) Loop(face int) (loop [][3]float32) {
	f := m.Faces[face]
	for _, e := range m.Surfedges[f.FirstEdge : f.FirstEdge+int32(f.NumEdges)] {
		if e >= 0 {
			loop = append(loop, m.Vertices[m.Edges[e][0]])
		} else {
			loop = append(loop, m.Vertices[m.Edges[-e][1]])
		}
	}
	return loop
}

// loopEdges returns the surfedges of a loop. Vertices that are there already are shared, and so is the edge of a neighbour,
// which goes the other way. Edge 0 belongs to no face, because 0 can't be reversed.
func (m *Map) loopEdges(loop [][3]float32) (edges []int32) {
	if m.vertexAt == nil {
		m.vertexAt, m.edgeAt = map[[3]float32]uint32{}, map[[2]uint32]int32{}
	}
	if len(m.Edges) == 0 {
		m.Edges = append(m.Edges, [2]uint32{})
	}
	at := make([]uint32, len(loop))
	for i, p := range loop {
		for k := range p {
			p[k] += 0 // -0 becomes 0
		}
		v, ok := m.vertexAt[p]
		if !ok {
			v = uint32(len(m.Vertices))
			m.vertexAt[p] = v
			m.Vertices = append(m.Vertices, p)
		}
		at[i] = v
	}
	for i, a := range at {
		b := at[(i+1)%len(at)]
		if e, ok := m.edgeAt[[2]uint32{b, a}]; ok {
			delete(m.edgeAt, [2]uint32{b, a}) // an edge has two faces at most
			edges = append(edges, -e)
			continue
		}
		e := int32(len(m.Edges))
		m.edgeAt[[2]uint32{a, b}] = e
		m.Edges = append(m.Edges, [2]uint32{a, b})
		edges = append(edges, e)
	}
	return edges
}

// loopNormal returns the unit normal of a loop that is clockwise seen from the front.
func loopNormal(loop [][3]float32) (normal [3]float32) {
	var n [3]float64
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		for k := range 3 {
			u, v := (k+1)%3, (k+2)%3
			n[k] -= float64(float64(a[u])*float64(b[v])) - float64(float64(a[v])*float64(b[u]))
		}
	}
	l := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	for k := range n {
		normal[k] = float32(n[k]/l) + 0
		if math.Abs(math.Abs(n[k]/l)-1) < 1e-6 {
			normal = [3]float32{}
			normal[k] = float32(math.Copysign(1, n[k]))
			break
		}
	}
	return normal
}

func dot(a, b [3]float32) float64 {
	return float64(float64(a[0])*float64(b[0])) + float64(float64(a[1])*float64(b[1])) + float64(float64(a[2])*float64(b[2]))
}

// Package qbsp writes compiled maps of Quake's engine and its kin from a Go description, for tests: Quake (29, BSP2, 2PSB), Hexen II,
// GoldSrc (30, with Blue Shift's order), Xash3D (31, and 30 with its extra header), Quake 64, Quake II (IBSP 38) and QBSP.
//
// A Map holds the records of all of them, where an index into another lump is a number: a test can say anything, also what is
// wrong, and nothing is checked. Helpers fill it as a mapper would: Project makes a texinfo from a texture, Polygon a face,
// Room a box seen from inside, Light the luxels of a face. Write makes up the tree and the vertices' edges are shared.
//
// A test that needs bytes no description gives takes the written file and changes it with SetLump, brushmap.SetInt32 and Replace.
package qbsp

import (
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Map is a compiled map. Model 0 is the world.
type Map struct {
	Entities []Entity
	// RawEntities is written in place of Entities if it is not empty.
	RawEntities string
	Planes      []Plane
	Textures    []Texture
	TexInfo     []TexInfo
	brushmap.Loops[uint32]
	Faces []Face
	// Lighting is written as its first channel where light is grey.
	Lighting []RGB
	Models   []Model
	// Directions and FaceInfo are written behind Xash3D's extra header.
	Directions []RGB
	FaceInfo   []FaceInfo
	Blocks     []Block // of BSPX, behind the last lump
}

type (
	// Entity is a list of key and value.
	Entity = brushmap.Entity
	// Plane is dplane_t.
	Plane = brushmap.Plane
)

// Texture is a miptex. Without pixels it is in an archive; one that is Missing is not in the lump at all. Quake II has only
// its name.
type Texture struct {
	Name          string
	Width, Height uint32
	Pixels        []byte
	Palette       [256][3]uint8 // not written by Quake
	Missing       bool
	Shift         uint32 // Quake 64: it is drawn larger
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
	Flow2    = 0x40
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

// Project returns a texinfo of a texture on a plane, a texel for a unit, aligned to the world. It is added if the map has none.
func (m *Map) Project(t Texture, normal [3]float32, flags int32) uint32 {
	u, v := brushmap.Project(normal)
	return m.Info(TexInfo{[2][4]float32{{u[0], u[1], u[2]}, {v[0], v[1], v[2]}}, m.AddTexture(t), flags, -1})
}

// Info returns the index of the texinfo, added if the map has none.
func (m *Map) Info(t TexInfo) uint32 { return uint32(brushmap.Intern(&m.TexInfo, t)) }

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
	f := Face{Plane: plane, Side: side, FirstEdge: m.AddLoop(loop), NumEdges: uint32(len(loop)), TexInfo: texinfo,
		Styles: [4]uint8{NoStyle, NoStyle, NoStyle, NoStyle}, LightOfs: -1}
	m.Faces = append(m.Faces, f)
	x := &m.Models[len(m.Models)-1]
	if x.NumFaces > 0 {
		loop = append(loop, x.Mins, x.Maxs)
	}
	x.Mins, x.Maxs = brushmap.Bounds(loop...)
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
	n, _ := brushmap.LoopNormal(loop)
	p, opposite, first := brushmap.NewPlane(n, float32(brushmap.Dot(n, loop[0])))
	if !first {
		p, side = opposite, 1
	}
	return uint32(brushmap.Intern(&m.Planes, p)), side
}

// Loop returns the corners of a face.
func (m *Map) Loop(face int) [][3]float32 {
	return m.LoopAt(m.Faces[face].FirstEdge, int(m.Faces[face].NumEdges))
}

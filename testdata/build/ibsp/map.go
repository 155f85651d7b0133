// Package ibsp writes compiled maps of the Quake III family from a Go description, for tests and for the demo map.
//
// A Map is nested as a mapper thinks of it: models hold surfaces and brushes, surfaces hold vertices and indices,
// brushes hold sides. Write flattens it into lumps, in the record layouts of the chosen Variant. Planes are kept in
// pairs, and a tree of one node and two leaves is made up where the map has none: leaf 1 holds the whole world.
//
// Nothing is checked. What a map says is written, so a test can describe a map that is wrong; a test that needs bytes
// no description gives takes the written file and changes it with SetLump, brushmap.SetInt32 and Replace.
package ibsp

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Map is a compiled map. Model 0 is the world.
type Map struct {
	Entities []Entity
	// RawEntities is written in place of Entities if it is not empty.
	RawEntities string
	Shaders     []Shader
	Planes      []Plane
	Models      []Model
	Fogs        []Fog
	// Pages are the lightmaps: RGB, row by row, PageSize² texels of the variant.
	Pages [][]byte
	// Grid holds the samples of the light grid, x fastest, then y, then z. GridSize says how many there should be.
	Grid []GridPoint
	// Nodes, Leaves, LeafSurfaces and LeafBrushes are made up by Write if there are no nodes.
	Nodes        []Node
	Leaves       []Leaf
	LeafSurfaces []int32
	LeafBrushes  []int32
	Visibility   []byte
}

type (
	// Entity is a list of key and value.
	Entity = brushmap.Entity
	// Plane is dplane_t, which has no type in this family. Planes i and i^1 are the two sides of one plane.
	Plane = brushmap.Plane
)

// Shader is dshader_t. Names longer than 63 bytes are cut.
type Shader struct {
	Name     string
	Flags    int32
	Contents int32
}

// Model is a range of surfaces and brushes. Those of a brush model are relative to its entity's origin.
type Model struct {
	Mins, Maxs [3]float32
	Surfaces   []Surface
	Brushes    []Brush
}

// Brush is a convex solid. The engine takes the bounds of a fog brush from its first six sides: -x +x -y +y -z +z.
type Brush struct {
	Shader int32
	Sides  []Side
}

// Side is dbrushside_t. Surface is written by RBSP and FBSP only; -1 is none.
type Side struct {
	Plane, Shader, Surface int32
}

// Fog is dfog_t. Side is the index, in its brush, of the side seen from outside, or -1.
type Fog struct {
	Shader string
	Brush  int32
	Side   int32
}

// SurfaceType is mapSurfaceType_t.
type SurfaceType int32

const (
	Polygon SurfaceType = 1
	Patch   SurfaceType = 2
	Mesh    SurfaceType = 3
	Flare   SurfaceType = 4
)

// Pages of surfaces that have no lightmap.
const (
	NoPage     = -1
	WhitePage  = -2
	VertexPage = -3
	StyleNone  = 255
)

// Vertex is drawVert_t. IBSP files hold only the first Light and Color.
type Vertex struct {
	XYZ    [3]float32
	ST     [2]float32
	Light  [4][2]float32 // in the page, 0 to 1
	Normal [3]float32
	Color  [4][4]uint8
}

// Surface is dsurface_t. IBSP files hold only the first Page, LightX and LightY, and no styles.
//
// Indices are clockwise seen from the front. A patch's Vertices are its control points, row by row; with x along a row
// and y down the rows, x × y is the front. A flare has neither vertices nor indices: LightOrigin is its place,
// LightVecs[0] its colour (0 to 1) and LightVecs[2] where it faces.
type Surface struct {
	Shader       int32
	Fog          int32 // -1 is none
	Type         SurfaceType
	Vertices     []Vertex
	Indices      []int32
	LightStyles  [4]uint8
	VertexStyles [4]uint8
	Page         [4]int32
	LightX       [4]int32
	LightY       [4]int32
	LightW       int32
	LightH       int32
	LightOrigin  [3]float32
	// LightVecs of a polygon: one luxel along s, one along t, and the normal. For a patch these are the bounds, for
	// the level of detail, and 0.
	LightVecs      [3][3]float32
	PatchW, PatchH int32
}

// GridPoint is a sample of the light grid. Direction is a polar angle and an azimuth, 256 to the turn. IBSP files hold
// only the first colours.
type GridPoint struct {
	Ambient, Directed [4][3]uint8
	Styles            [4]uint8
	Direction         [2]uint8
}

// Node is dnode_t. A negative child is a leaf: -(leaf+1).
type Node struct {
	Plane      int32
	Children   [2]int32
	Mins, Maxs [3]int32
}

// Leaf is dleaf_t. Cluster -1 is outside.
type Leaf struct {
	Cluster, Area             int32
	Mins, Maxs                [3]int32
	FirstSurface, NumSurfaces int32
	FirstBrush, NumBrushes    int32
}

// Shader returns the index of the shader of that name, added if the map has none. Flags and contents of the first
// call stay.
func (m *Map) Shader(name string, flags, contents int32) int32 {
	for i, s := range m.Shaders {
		if s.Name == name {
			return int32(i)
		}
	}
	m.Shaders = append(m.Shaders, Shader{name, flags, contents})
	return int32(len(m.Shaders) - 1)
}

// Plane returns the index of the plane, added with its opposite if the map has none.
func (m *Map) Plane(normal [3]float32, dist float32) int32 {
	return int32(brushmap.AddPlane(&m.Planes, normal, dist))
}

// Box returns an axial brush with the sides in the order -x +x -y +y -z +z.
func (m *Map) Box(shader int32, mins, maxs [3]float32) Brush {
	b := Brush{Shader: shader}
	for _, p := range (brushmap.Box{Mins: mins, Maxs: maxs}).Sides() {
		b.Sides = append(b.Sides, Side{m.Plane(p.Normal, p.Dist), shader, -1})
	}
	return b
}

// NewSurface returns a surface without fog and without a lightmap, lit by its vertices, in style 0.
func NewSurface(t SurfaceType, shader int32) Surface {
	none := [4]uint8{0, StyleNone, StyleNone, StyleNone}
	return Surface{Shader: shader, Fog: -1, Type: t, LightStyles: none, VertexStyles: none,
		Page: [4]int32{VertexPage, VertexPage, VertexPage, VertexPage}}
}

// NewPolygon returns a polygon of the convex loop, which is clockwise seen from the front, drawn as a fan.
func NewPolygon(shader int32, loop []Vertex) Surface {
	s := NewSurface(Polygon, shader)
	s.Vertices = loop
	for i := 2; i < len(loop); i++ {
		s.Indices = append(s.Indices, 0, int32(i-1), int32(i))
	}
	return s
}

// NewPatch returns a patch of width × height control points. Its level of detail bounds are those of the points.
func NewPatch(shader int32, width, height int, points []Vertex) Surface {
	s := NewSurface(Patch, shader)
	s.Vertices, s.PatchW, s.PatchH = points, int32(width), int32(height)
	s.LightVecs[0], s.LightVecs[1] = Bounds([]Surface{s})
	return s
}

// NewFlare returns a flare, as q3map2 writes one for a light source: no vertices, no lightmap.
func NewFlare(shader int32, at, colour, normal [3]float32) Surface {
	s := NewSurface(Flare, shader)
	s.Page = [4]int32{}
	s.LightOrigin, s.LightVecs[0], s.LightVecs[2] = at, colour, normal
	return s
}

// Bounds returns the smallest box around the vertices, or zeros if there are none.
func Bounds(surfaces []Surface) (mins, maxs [3]float32) {
	var points [][3]float32
	for _, s := range surfaces {
		for _, v := range s.Vertices {
			points = append(points, v.XYZ)
		}
	}
	return brushmap.Bounds(points...)
}

// GridSize returns the first sample's place and the number of samples along each axis of a light grid of 64 × 64 × 128
// units over the world's bounds, as the engine computes them.
func GridSize(mins, maxs [3]float32) (origin [3]float32, size [3]int) {
	cell := [3]float64{64, 64, 128}
	for i := range 3 {
		lo := math.Ceil(float64(mins[i]) / cell[i])
		origin[i] = float32(cell[i] * lo)
		size[i] = int(math.Floor(float64(maxs[i])/cell[i])-lo) + 1
	}
	return origin, size
}

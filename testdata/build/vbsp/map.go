// Package vbsp writes compiled maps of Valve's Source engine from a Go description, for tests and for the showcase map.
//
// A Map holds the records as the file does, lump by lump, where an index into another lump is a number: a test can say
// anything, also what is wrong, and nothing is checked. Helpers fill it as a mapper would: Project makes a texinfo from a
// material, Polygon a face, Brush and Room solids with their faces, Displace a displacement, Light the luxels of a face,
// FixJunctions the vertices and primitives that close the cracks between faces.
//
// Write makes up what is needed and empty: a tree of axial planes with a leaf for each Room, the bounds of the models,
// the original faces and the normals. A test that needs bytes no description gives takes the written file and changes it
// with SetLump, brushmap.SetInt32 and Replace.
package vbsp

import "github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"

// Map is a compiled map. Model 0 is the world.
type Map struct {
	Entities []Entity
	// RawEntities is written in place of Entities if it is not empty.
	RawEntities string
	Revision    int32
	Planes      []Plane // in pairs: i and i^1 are the two sides of one plane
	TexData     []TexData
	TexInfo     []TexInfo
	brushmap.Loops[uint16]
	Faces    []Face
	FacesHDR []Face
	// OriginalFaces, VertNormals and VertNormalIndices are made up by Write if they are empty.
	OriginalFaces         []Face
	VertNormals           [][3]float32
	VertNormalIndices     []uint16
	Lighting, LightingHDR []RGBE
	// Night has a bit for each of a face's styles, the first the lowest, that shines at night: of all faces, where the
	// format has day and night.
	Night   uint8
	Models  []Model
	Brushes []Brush
	// Rooms are the boxes from which the tree is made. Nodes, Leaves, LeafFaces, LeafBrushes and the models' head nodes
	// are made up by Write if there are no nodes.
	Rooms                       []Room
	Nodes                       []Node
	Leaves                      []Leaf
	LeafFaces, LeafBrushes      []uint16
	LeafWater                   []LeafWater
	Areas                       []Area
	Visibility                  []byte
	WorldLights, WorldLightsHDR []WorldLight
	DispInfo                    []DispInfo
	DispVerts                   []DispVert
	DispTris                    []uint16 // tags of each triangle
	Blends                      []Blend  // one for each of DispVerts, or none
	Primitives                  []Primitive
	PrimVerts                   [][3]float32
	PrimIndices                 []uint16
	Overlays                    []Overlay
	WaterOverlays               []Overlay
	Cubemaps                    []Cubemap
	// Probes are spread over the leaves that they are in; ProbesHDR are for the lumps of HDR. OldProbes writes them in
	// the form of 2006: one cube for each leaf and no index.
	Probes, ProbesHDR []Probe
	OldProbes         bool
	StaticProps       *StaticProps
	DetailProps       *DetailProps
	Pak               []PakFile
	PackPak           bool   // the files in the pak are packed, by LZMA
	Flags             uint32 // of the whole map, from LuxelByte on; written from version 20 on
}

type (
	// Entity is a list of key and value.
	Entity = brushmap.Entity
	// Plane is dplane_t.
	Plane = brushmap.Plane
)

// TexData is dtexdata_t with its name. Reflectivity is the texture's mean colour, linear.
type TexData struct {
	Name          string
	Reflectivity  [3]float32
	Width, Height int32
}

// TexInfo is texinfo_t. Texels and luxels of a point p are Texture[i]·(p, 1) and Luxels[i]·(p, 1).
type TexInfo struct {
	Texture, Luxels [2][4]float32
	Flags           int32
	TexData         int32
}

// Flags of a TexInfo: SURF_ of bspflags.h.
const (
	Light     = 0x1
	Sky2D     = 0x2
	Sky       = 0x4
	Warp      = 0x8
	Trans     = 0x10
	NoPortal  = 0x20
	Trigger   = 0x40
	NoDraw    = 0x80
	Hint      = 0x100
	Skip      = 0x200
	NoLight   = 0x400
	BumpLight = 0x800
	NoShadows = 0x1000
	NoDecals  = 0x2000
	NoChop    = 0x4000
	Hitbox    = 0x8000
)

// Contents of brushes and leaves: CONTENTS_ of bspflags.h.
const (
	Empty       = 0
	Solid       = 0x1
	Window      = 0x2
	Grate       = 0x8
	Slime       = 0x10
	Water       = 0x20
	AreaPortal  = 0x8000
	PlayerClip  = 0x10000
	MonsterClip = 0x20000
	Origin      = 0x1000000
	Detail      = 0x8000000
	Translucent = 0x10000000
	Ladder      = 0x20000000
)

// NoStyle is the style of a place that is not used.
const NoStyle = 255

// Face is dface_t. Its loop of edges is clockwise seen from the front.
type Face struct {
	Plane           uint16 // the one that points to the front
	Side            uint8  // the plane's lowest bit
	OnNode          uint8
	FirstEdge       int32
	NumEdges        int16
	TexInfo         int16
	DispInfo        int16 // -1 is none
	Fog             int16 // -1 is none
	Styles          [4]uint8
	LightOfs        int32 // in bytes from the start of the lighting lump, or -1 for none
	Area            float32
	LuxelMins       [2]int32
	LuxelSize       [2]int32 // one less than there are
	OrigFace        int32
	NumPrims        uint16
	FirstPrim       uint16
	SmoothingGroups uint32
}

// RGBE is ColorRGBExp32: linear light of R·2^Exp / 255.
type RGBE struct {
	R, G, B uint8
	Exp     int8
}

// Model is dmodel_t.
type Model struct {
	Mins, Maxs, Origin  [3]float32
	HeadNode            int32
	FirstFace, NumFaces int32
}

// Brush is a convex solid. Mins and Maxs are for the tree that Write makes up.
type Brush struct {
	Model      int
	Contents   int32
	Sides      []BrushSide
	Mins, Maxs [3]float32
}

// BrushSide is dbrushside_t. Thin is written only from version 21 on.
type BrushSide struct {
	Plane    uint16
	TexInfo  int16
	DispInfo int16
	Bevel    bool
	Thin     bool
}

// Room is a box of the world that becomes leaves of its own. Where rooms overlap the first of the list wins.
type Room struct {
	Mins, Maxs [3]float32
	Contents   int32
	Area       uint16
	Flags      uint16 // of the leaf: 1 sees the 3D skybox, 4 the 2D sky
	Water      int16  // index into LeafWater plus one, 0 is none
}

// Node is dnode_t. A negative child is a leaf: -(leaf+1).
type Node struct {
	Plane               int32
	Children            [2]int32
	Mins, Maxs          [3]int16
	FirstFace, NumFaces uint16
	Area                int16
	Pad                 int16
}

// Leaf is dleaf_t, without the light that version 19 has in it.
type Leaf struct {
	Contents             int32
	Cluster              int16
	AreaFlags            uint16 // area in the low 9 bits, then flags
	Mins, Maxs           [3]int16
	FirstFace, NumFaces  uint16
	FirstBrush, NumBrush uint16
	Water                int16
	Pad                  int16
}

// LeafWater is dleafwaterdata_t.
type LeafWater struct {
	Surface, Bottom float32
	TexInfo         int16
	Pad             int16
}

// Area is darea_t.
type Area struct{ NumPortals, FirstPortal int32 }

// WorldLight is dworldlight_t. ShadowOffset is written only from version 21 on.
type WorldLight struct {
	Origin, Intensity, Normal   [3]float32
	ShadowOffset                [3]float32
	Cluster                     int32
	Type                        int32
	Style                       int32
	StopDot, StopDot2           float32
	Exponent, Radius            float32
	Constant, Linear, Quadratic float32
	Flags, TexInfo, Owner       int32
}

// Types of a WorldLight: emittype_t.
const (
	Surface = iota
	Point
	Spot
	SkyLight
	QuakeLight
	SkyAmbient
)

// DispInfo is ddispinfo_t.
type DispInfo struct {
	Start            [3]float32
	FirstVert        int32
	FirstTri         int32
	Power            int32
	MinTess          int32 // or flags: with bit 31, HasBlends says that there are Blends
	SmoothingAngle   float32
	Contents         int32
	Face             uint16
	Pad              uint16
	LightAlphaStart  int32
	LightSampleStart int32
	EdgeNeighbours   [4][2]Neighbour
	CornerNeighbours [4]CornerNeighbours
	AllowedVerts     [10]uint32
}

// HasBlends is a DispInfo's MinTess with Blends for its vertices.
const HasBlends = -0x80000000 | 0x40000000

// Neighbour is CDispSubNeighbor. Span 0 is a whole edge, 1 and 2 its halves.
type Neighbour struct {
	DispInfo    uint16 // NoNeighbour is none
	Orientation uint8  // quarter turns of the neighbour
	Span        uint8
	TheirSpan   uint8
	Pad         uint8
}

// NoNeighbour is the DispInfo of a Neighbour that is not there.
const NoNeighbour = 0xffff

// CornerNeighbours is CDispCornerNeighbors: displacements that share a corner and no edge.
type CornerNeighbours struct {
	DispInfo [4]uint16
	Count    uint8
	Pad      uint8
}

// DispVert is dDispVert_t. Alpha is 0 to 255.
type DispVert struct {
	Direction [3]float32
	Distance  float32
	Alpha     float32
}

// Tags of a displacement's triangles.
const (
	TriSurface   = 0x1
	TriWalkable  = 0x2
	TriBuildable = 0x4
	TriRemoved   = 0x20
)

// Blend is CDispMultiBlend: the weights of four layers, and how each is tinted.
type Blend struct {
	Weights, Alphas [4]float32
	Colors          [4][3]float32
}

// Primitive is dprimitive_t. Indices count from the face's first corner, or from the primitive's first vertex if it has
// vertices of its own.
type Primitive struct {
	Type                 uint8 // List, Strip or Fan
	Pad                  uint8
	FirstIndex, NumIndex uint16
	FirstVert, NumVerts  uint16
}

// Types of a Primitive.
const (
	List = iota
	Strip
	Fan // in the engine's header only as a comment
)

// Flags of a Map from version 21 on: each style's luxels of a face are followed by so many bytes for each luxel.
const (
	LuxelByte  = 0x4  // one
	LuxelBytes = 0x10 // three more
)

// Overlay is doverlay_t and dwateroverlay_t. Its corners lie at Origin + x·U + y·V, where V is Normal × U, or the
// opposite if FlipV is set.
type Overlay struct {
	ID            int32
	TexInfo       int16
	Order         uint16 // 0 to 3
	Faces         []int32
	U, V          [2]float32 // texture coordinates at the corners 0 and 2
	Corners       [4][2]float32
	Origin        [3]float32
	Normal, Basis [3]float32 // Basis is U
	FlipV         bool
	Fade          [2]float32 // units from the viewer at which it starts to fade and is gone
	Levels        [4]uint8   // least and most of CPU and GPU
}

// Cubemap is dcubemapsample_t: 1<<(Size-1) texels per side, 0 is the default.
type Cubemap struct {
	Origin [3]int32
	Size   uint8
	Pad    [3]uint8
}

// Probe is light from +X, -X, +Y, -Y, +Z and -Z at a place.
type Probe struct {
	At   [3]float32
	Cube [6]RGBE
}

// PakFile is a file that the map carries.
type PakFile struct {
	Name    string
	Content []byte
}

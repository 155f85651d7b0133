// Package world is the map as data: what can be drawn, not what was stored.
//
// The decoders of all engines fill a World and the stages read it; after decoding it is never written. There are no
// planes, edges or texinfo here: surfaces are shapes of vertices, light is charts of linear luxels, and a material is
// a name with what the map says of it. Positions are in map units with the map's own axes: right-handed, Z up.
//
// A stage never learns which game a map is from. Where it seems to need to, the decoder should have said more.
package world

import "io/fs"

// World is a map.
type World struct {
	Format     Format
	Name       string  // of the map: "q3dm17"
	Unit       float64 // metres per map unit at which the game's people have people's size
	Faces      int     // faces in the file, whether they could be read or not
	Models     []Model // Models[0] is the world itself, the others belong to entities
	Charts     []Chart
	Materials  []Material
	Billboards []Billboard
	Fogs       []Fog
	Entities   []Entity // Entities[0] is worldspawn
	Props      []Prop
	Grid       *Grid // light of what moves, or nil
	Files      fs.FS // what the map file carries with it, or nil
	Lumps      []Lump
	Issues     []Issue
}

// Format says what the file is and how that was told.
type Format struct {
	Family  string `json:"family"` // "Quake III"
	Ident   string `json:"ident"`  // "IBSP"
	Version int    `json:"version"`
	Game    string `json:"game"` // "Quake III Arena", as far as the bytes tell
	Why     string `json:"why"`  // what the bytes showed
}

// Lump is an entry of the file's directory.
type Lump struct {
	Index   int    `json:"index"`
	Name    string `json:"name"`
	Offset  int64  `json:"offset"`
	Size    int64  `json:"size"`
	Records int    `json:"records"` // 0 where the lump is not of records
}

// Model is a group of surfaces that move as one.
type Model struct {
	Name       string     // "*1" for a brush model, or a file name
	Mins, Maxs [3]float32 // finite
	Surfaces   []Surface
}

// NoChart is the Chart of a surface without a lightmap.
const NoChart = -1

// Surface is a piece of a model with one material.
type Surface struct {
	Shape    Shape
	Material int // index into World.Materials
	Chart    int // index into World.Charts, or NoChart
	Fog      int // index into World.Fogs, or -1
	Flags    Flags
	Record   int // index of the face in the file, for messages
}

// Flags are what the map itself says of a surface.
type Flags uint32

// The flags.
const (
	NoDraw  Flags = 1 << iota // never drawn
	Sky                       // a window to the sky
	Liquid                    // water, slime, lava
	Trigger                   // a volume of logic
	Hint                      // for the compiler: hint and skip
	Clip                      // for collision only
)

// Shape is *Polygon, *Patch or *Triangles.
type Shape interface{ shape() }

// Vertex is a corner of a surface.
type Vertex struct {
	Position [3]float32 // map units; decoders keep all numbers of a vertex finite and below 1<<24
	Normal   [3]float32 // unit, or zero for geometry to compute
	UV       [2]float32 // one texture is 0 to 1; V grows downwards, as in glTF
	Luxel    [2]float32 // luxels from the chart's top left; 0.5 is the centre of the first
	Color    [4]float32 // linear; white where the map has none
}

// Polygon is convex and planar, its corners counter-clockwise seen from the front.
type Polygon struct{ Corners []Vertex }

// Patch is a grid of Bezier control points, Height rows of Width, both odd and at least 3. Each 3x3 block is a
// biquadratic patch that shares its border points with the next. Seen from the front, columns run right and rows up.
type Patch struct {
	Width, Height int
	Control       []Vertex
}

// Triangles are three indices each, counter-clockwise seen from the front.
type Triangles struct {
	Vertices []Vertex
	Indices  []uint32
}

func (*Polygon) shape()   {}
func (*Patch) shape()     {}
func (*Triangles) shape() {}

// Chart is a rectangle of luxels with its layers of light.
type Chart struct {
	Width, Height int     // luxels
	Layers        []Layer // Layers[0] is flat, and of style 0 where the chart has that
}

// Layer is the light of a chart in one style and basis.
type Layer struct {
	Style  uint8
	Basis  Basis
	Luxels []RGB // row by row from the top (Direction: a unit vector, or zero)
}

// Basis is what the luxels of a layer measure.
type Basis uint8

// The bases.
const (
	Flat      Basis = iota // light on the surface
	Bump1                  // light on the first of three tilted directions (Source)
	Bump2                  // the second
	Bump3                  // the third
	Direction              // where the light comes from (Quake III's deluxe maps)
)

func (b Basis) String() string {
	return [...]string{"flat", "bump1", "bump2", "bump3", "direction"}[b]
}

// Lighting is where the light of a material's surfaces comes from.
type Lighting uint8

// The kinds of lighting.
const (
	Lightmap   Lighting = iota // from the surface's chart
	PerVertex                  // from the vertices' colours
	Fullbright                 // none: drawn as bright as its texture
)

func (l Lighting) String() string { return [...]string{"lightmap", "vertex", "fullbright"}[l] }

// Material is a material as the map names it. A name that is lit in two ways is two materials.
type Material struct {
	Name     string // lower case, forward slashes, no extension
	Lighting Lighting
	Flags    Flags  // as of its surfaces
	Contents uint32 // as stored, for extras
	Surface  uint32 // surface flags as stored, for extras
}

// Billboard is a point that is drawn as a sprite facing the viewer (a flare).
type Billboard struct {
	Position [3]float32
	Normal   [3]float32
	Color    [3]float32 // linear
	Material int        // index into World.Materials
	Model    int        // index into World.Models
	Record   int        // index of the face in the file
}

// Fog is a volume that is filled with fog.
type Fog struct {
	Material   int // index into World.Materials
	Mins, Maxs [3]float32
	Global     bool // fills the whole map: Mins and Maxs are those of Models[0]
	// Normal and Distance are of the plane through the side from which it is seen: a point p is Distance - Normal·p
	// deep in the fog. Normal is zero where it has no such side.
	Normal   [3]float32
	Distance float32
}

// Prop is a model that an entity places.
type Prop struct {
	Model  string // a file's name, lower case
	Index  int    // into World.Models once the file has been read, or NoModel
	Entity int    // index into World.Entities
	Origin [3]float32
	Angles [3]float32 // degrees: pitch, yaw, roll
	Scale  [3]float32
	Frame  int
}

// Grid is light sampled at the points of a box, X fastest, then Y, then Z.
type Grid struct {
	Origin   [3]float32 // map units, of the first sample
	Cell     [3]float32 // map units between samples
	Size     [3]int     // samples per axis
	Ambient  [][3]uint8 // light from everywhere, as 8-bit sRGB: what is stored has no more bits
	Directed [][3]uint8 // light from where Toward points, as 8-bit sRGB
	Toward   [][3]int8  // unit vector to the light, of which 127 is 1, or zero where the sample holds none
}

// Issue is something that was survived: a missing texture, a face that had to be dropped.
//
// A decoder's codes that start with "face-" are of faces that are in no model: there is one for each, and Where is
// "face 12". Beyond MaxWarnings of a code they are counted by one last issue.
type Issue struct {
	Code   string `json:"code"`  // stable: "texture-missing"
	Where  string `json:"where"` // "face 12", a material's name
	Detail string `json:"detail"`
	Count  int    `json:"count,omitempty"` // how many it stands for; 0 is one
}

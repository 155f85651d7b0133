// Package world is the map as data: what can be drawn, not what was stored.
//
// The decoders of all engines fill a World and the stages read it; after decoding it is never written. There are no
// planes, edges or texinfo here: surfaces are shapes of vertices, light is charts of linear luxels, and a material is
// a name with what the map says of it. Positions are in map units with the map's own axes: right-handed, Z up.
//
// A stage never learns which game a map is from. Where it seems to need to, the decoder should have said more.
package world

import (
	"io"
	"strconv"
)

// World is a map.
type World struct {
	Format     Format
	Name       string  // of the map: "q3dm17"
	Unit       float64 // metres per map unit at which the game's people have people's size
	Models     []Model // Models[0] is the world itself, the others belong to entities
	Turns      bool    // brush models turn by the angles of their entities; else those are where they move to
	Materials  []Material
	Baked      BakedLight // of the surfaces
	Ambient    Ambient    // light of what moves
	Lights     []Light
	Entities   []Entity // Entities[0] is worldspawn
	Props      []Prop
	Ropes      []Rope
	Billboards []Billboard
	Decals     []Decal
	Cubemaps   []Cubemap
	Volumes    Volumes
	Sky        SkyBox
	Files      Files
	Issues     []Issue
}

// BakedLight is the light that the map's compiler has stored for surfaces.
type BakedLight struct {
	Charts   []Chart
	Styles   map[uint8]float32 // how bright light styles are as the map starts, of those that flicker their mean; 1 where not there
	HDR      bool              // the charts' light goes far beyond what a screen shows, and was stored so
	Filtered bool              // the engine multiplies by a shader's lightmap stage however the script says to blend it (DarkPlaces)
	Display  *DisplayLight     // how the engine multiplies texture and light as displayed, or nil where it does so in linear light
}

// Ambient is the light of what moves: on a grid, or at places of the map's choice.
type Ambient struct {
	Grid   *Grid // or nil
	Probes []Probe
	Leafs  *Leafs // which of Probes are in the same room as a point, or nil
}

// Volumes are the parts of space that the map gives a meaning.
type Volumes struct {
	Fogs    []Fog
	Brushes []Brush
	Waters  []Water
	Areas   *Areas // or nil
}

// SkyBox is what is seen far away.
type SkyBox struct {
	Name string // what the names of the six images start with: "skybox/sky_day01_01"; "" where materials say it
	Box  *Box   // the 3D skybox, or nil
}

// Files are those that the map carries or names.
type Files struct {
	Pak  *io.SectionReader // a zip of the files that the map carries, or nil
	Wads []string          // archives of textures that the map names, the first first: "halflife.wad"
}

// DisplayLight says that the engine shows a texel t under a light l as t^Exponent * l, all as displayed, and how this light
// was bent to the linear light that charts and vertices have: l becomes d(a^Exponent * l) / d(a), where d decodes sRGB and
// a is Albedo.
type DisplayLight struct {
	Albedo, Exponent float64
	Most             float64 // where the light of all styles together ends; 0 is nowhere
}

// Format says what the file is and how that was told.
type Format struct {
	Family  string `json:"family"` // "Quake III"
	Ident   string `json:"ident"`  // "IBSP"
	Version int    `json:"version"`
	Game    string `json:"game"` // "Quake III Arena", as far as the bytes tell
	Why     string `json:"why"`  // what the bytes showed
}

// String is the ident and the version, of which a file may have only one: "IBSP 46", "30", "BSP2".
func (f Format) String() string {
	switch {
	case f.Version == 0:
		return f.Ident
	case f.Ident == "":
		return strconv.Itoa(f.Version)
	}
	return f.Ident + " " + strconv.Itoa(f.Version)
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
	Chart    int // index into World.Baked.Charts, or NoChart
	Fog      int // index into World.Volumes.Fogs, or -1
	Flags    Flags
	Record   int // index of the face in the file, for messages
	// Skins are the materials of each skin of a model file, of which Material is one; nil where there is but one, or the others
	// are not wanted.
	Skins []int
}

// Flags are what the map itself says of a surface.
type Flags uint32

// The flags.
const (
	NoDraw    Flags = 1 << iota // never drawn
	Sky                         // a window to the sky
	Liquid                      // water, slime, lava
	Trigger                     // a volume of logic
	Hint                        // for the compiler: hint and skip
	Clip                        // for collision only
	Underside                   // of a liquid, at the place of a surface that is seen from above
)

// Shape is *Polygon, *Displacement, *Patch, *Triangles or *Overlay.
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

// Displacement is a bent polygon of four corners: a grid of n rows of n points, n = 1<<Power + 1. Its rows run from
// Corners[0] to Corners[1], its columns from Corners[0] to Corners[3]; seen from the front, columns run right and rows up.
// The point (row, column) is the bilinear mean of the corners, in all that a Vertex has, moved by its offset; its
// Color[3] is its alpha.
//
// Each square has two triangles. Where the number of its least point, row*n + column, is odd, the diagonal runs from its
// upper left to its lower right, else from the lower left to the upper right; the one with the left side is the first.
type Displacement struct {
	Corners [4]Vertex
	Power   int          // 2 to 4
	Offsets [][3]float32 // map units, by point
	Alpha   []float32    // 0 to 1, by point: how much of the second layer of the material is seen
	Removed []bool       // by triangle: it is not there; nil where all are
	Blends  [][4]float32 // weights of four layers, by point; nil where there are none
}

// Overlay is a picture on another surface of the same model, the host: the part of a quadrangle that lies in front of or
// behind the host along Normal. It has the light of its host, and goes without it.
type Overlay struct {
	Corners [4]Corner  // counter-clockwise seen from the front, convex, in a plane across Normal
	Normal  [3]float32 // unit, to the viewer
	Host    int        // index into the model's Surfaces; no overlay itself
	Order   int        // 0 to 255; a higher one is drawn over a lower
	Fade    [2]float32 // map units from the viewer at which it starts to fade and is gone; 0 where it never does
}

// Corner is a corner of an Overlay.
type Corner struct {
	Position [3]float32
	UV       [2]float32
}

// Triangles are three indices each, counter-clockwise seen from the front.
type Triangles struct {
	Vertices []Vertex
	Indices  []uint32
}

func (*Polygon) shape()      {}
func (*Displacement) shape() {}
func (*Patch) shape()        {}
func (*Triangles) shape()    {}
func (*Overlay) shape()      {}

// Chart is a rectangle of luxels with its layers of light.
type Chart struct {
	Width, Height int     // luxels
	Layers        []Layer // Layers[0] is flat, and of style 0 where the chart has that
	// Material and Texture say where on a material a luxel lies: at luxel (x, y), as a Vertex has them, the texture's
	// coordinates are u = Texture[0]·(x, y, 1) and v = Texture[1]·(x, y, 1). They are set where the chart has tilted light.
	Material int
	Texture  [2][3]float64
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
	Bump1                  // light on the first of three directions tilted off the surface: toward (√⅔, 0, √⅓) in the
	Bump2                  // texture's U, its V (downwards) and the normal; the second toward (-√⅙, √½, √⅓),
	Bump3                  // the third toward (-√⅙, -√½, √⅓)
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
	// What the map knows of the texture, for where there is none: its size in pixels and its mean colour, linear. A
	// size of 0 says that the map does not know.
	Width, Height int
	Color         [3]float32
	Texture       *Texture // the picture, where the map or model has it; nil where it is looked for by name
	// Opacity is how much of what is behind is covered, 0 to 1, where Blend is not BlendNone.
	Opacity float32
	Blend   Blend
	Tint    [3]float32 // linear; multiplies the texture's colour; zero is white
	Falls   bool       // the game lets it fall to the floor
	Glow    [3]float32 // linear; of the texture's colour, what shines by itself; zero is nothing
	// TwoSided says that its surfaces are seen from behind, too.
	TwoSided bool
	// Colored says that the vertices' colours are the map's own and always show, whatever the material's name says of light.
	Colored bool
}

// Blend is how a material is drawn over what is behind it, where its place in the map and not its name says so.
type Blend uint8

// The ways to blend.
const (
	BlendNone  Blend = iota // as its name says
	BlendAlpha              // over it, by the opacity and the texture's alpha
	BlendMask               // where the texture is opaque
	BlendAdd                // added to it
)

// Texture is a picture of palette indices.
type Texture struct {
	Width, Height int
	Pixels        []byte     // row by row from the top
	Palette       [][3]uint8 // sRGB; nil where it is the game's
	Hole          bool       // index 255 is nothing
	AlphaIndex    bool       // the indices are alpha, 255 opaque, and all is in the last colour of the palette
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

// Decal is a picture that is thrown on the surfaces around a point. Its size is its material's.
type Decal struct {
	Material int // index into World.Materials
	Position [3]float32
	Entity   int // index into World.Entities
}

// NoEntity is the Entity of what no entity has made.
const NoEntity = -1

// Prop is a model that stands in the map.
type Prop struct {
	Model   string // a file's name, lower case; "" for a sprite
	Index   int    // into World.Models once the file has been read, or NoModel
	Kind    PropKind
	Entity  int // index into World.Entities, or NoEntity
	Record  int // index in the file, of static and detail props
	Origin  [3]float32
	Angles  [3]float32 // degrees: pitch, yaw, roll
	Scale   [3]float32
	Look    Look
	Draw    PropDraw
	Light   PropLight
	Box     bool // it stands in the 3D skybox
	Stored  Stored
	Sprite  *Sprite // in place of a model
	Facing  Facing  // of the model of a sprite, once the file has been read
	Falls   bool    // the game lets it fall to the floor
	Assumed bool    // the model is what the game's code gives the class of the entity: the map does not name it
	Count   int     // how many of the map's props it stands for; 0 is one
	// Level is by how many levels of detail this is coarser than the nearest prop before it that has none, in whose place it may
	// be shown from afar.
	Level int
}

// Look is how a prop shows its model. A number that the file does not have is taken to be one that it has.
type Look struct {
	Sequence  int    // an animation of the model
	Animation string // the sequence by its name, lower case; "" where Sequence says which
	Frame     int    // of the sequence
	Body      int    // which variant of each of the model's parts is shown, as the engine counts them
	Skin      int
}

// PropDraw is how a prop is drawn.
type PropDraw struct {
	Tint  [4]uint8   // sRGB with alpha; white where the map has none
	Blend Blend      // over what is behind it, with the alpha of Tint; BlendNone as its file says
	Glow  bool       // the game shows it as large on the screen from anywhere, and weaker with distance
	Fade  [2]float32 // map units from the viewer at which it starts to fade and is gone; 0 where it never does
}

// PropLight is the light on a prop, as far as the map says it.
type PropLight struct {
	Even *RGB        // the same everywhere on it, or nil
	At   *[3]float32 // the place whose light it has, where that is not the origin
	// Colors is light of its own on the model's vertices, linear, by surface of the model and by vertex of its Triangles; nil
	// where there is none, also of a single surface. Many props share a model and differ in this alone.
	Colors [][]RGB
	// Charts are charts of its own, by surface of the model, in place of the surfaces'; nil where there are none, NoChart for
	// a surface without one. The vertices' places on them are their UVs, of which 0 to 1 is the whole chart.
	Charts []int
}

// Stored are numbers of a prop as the map has them, for extras.
type Stored struct {
	Flags uint32
	Solid uint8 // 0 none, 2 its box, 6 its physics model
}

// PropKind is what has placed a prop.
type PropKind uint8

// The kinds of props.
const (
	EntityProp PropKind = iota
	StaticProp          // by the compiler, from an entity that is gone
	DetailProp          // by the compiler, on the surfaces of some materials: grass
)

func (k PropKind) String() string { return [...]string{"entity", "static", "detail"}[k] }

// Sprite is an upright picture, or two or three that cross, at the place of a prop.
type Sprite struct {
	Kind           SpriteKind
	Facing         Facing
	Mins, Maxs     [2]float32 // map units, right and up of the origin; of a beam along it and across
	UVMins, UVMaxs [2]float32 // upper left and lower right on the picture
	Material       int        // index into World.Materials
	Pixels         bool       // Mins and Maxs are shares of the picture's width and height, a pixel of which is a map unit
}

// Facing is how a picture turns to the viewer.
type Facing uint8

// The ways to face the viewer. Source SDK 2013, public/gamebspfile.h, DetailPropOrientation_t.
const (
	Fixed        Facing = iota
	ToViewer            // about its centre
	AboutUpright        // about the vertical
)

// SpriteKind is how many pictures a sprite has, and how they stand.
type SpriteKind uint8

// The kinds of sprites. All but the beam are DetailPropType_t. Source SDK 2013, public/gamebspfile.h.
const (
	OneSprite      SpriteKind = 1
	CrossSprite    SpriteKind = 2 // two pictures that cross
	TriangleSprite SpriteKind = 3 // three in a triangle
	BeamSprite     SpriteKind = 4 // two that cross along +X
)

// Rope hangs between two points, below the node of its entity.
type Rope struct {
	Entity   int          // index into World.Entities
	Material int          // index into World.Materials
	Points   [][3]float32 // map units, at least two
	Width    float32      // map units
	Texels   float32      // pixels of the picture's height to a map unit of its length
}

// Light is a lamp.
type Light struct {
	Kind      LightKind
	Entity    int // index into World.Entities, or NoEntity
	Origin    [3]float32
	Direction [3]float32 // unit, where it shines; zero where everywhere
	Color     [3]float32 // linear, its greatest 1
	// Intensity is light on a surface that faces the lamp, where 1 makes a white surface white: at a distance of one map
	// unit, from where it falls with the square; of Sun and Ambient anywhere.
	Intensity float64
	// Falls says how light falls where it does not with the square: at a distance of x map units it is Intensity divided by
	// Falls[0] + Falls[1]·x + Falls[2]·x². Intensity is then right at 100 units. Zero is the square alone.
	Falls        [3]float64
	Range        float64 // map units at which it ends; 0 is unknown
	Inner, Outer float64 // radians off Direction where the cone starts to fade and is dark, of Spot and Area
	Style        uint8
	Box          bool // it shines in the 3D skybox
}

// LightKind is the shape of a lamp.
type LightKind uint8

// The kinds of lights.
const (
	PointLight   LightKind = iota
	SpotLight              // a cone
	SunLight               // from infinitely far
	AreaLight              // a piece of a surface that shines to its front
	AmbientLight           // from everywhere: the sky's
)

func (k LightKind) String() string { return [...]string{"point", "spot", "sun", "area", "ambient"}[k] }

// Probe is the light of what moves at a place: from +X, -X, +Y, -Y, +Z and -Z, linear.
type Probe struct {
	Position [3]float32
	Cube     [6]RGB
}

// Cubemap is a place of which the game has taken pictures all around, for reflections.
type Cubemap struct {
	Origin [3]float32
	Size   int    // pixels per side
	Files  string // what its files are called, without extension: "materials/maps/q/c0_0_64"
}

// Brush is a convex solid of the map, as physics knows it.
type Brush struct {
	Model    int // index into World.Models
	Contents uint32
	Names    string       // the contents' flags by name: "solid detail"
	Planes   [][4]float32 // unit normal that points out, and distance: inside is where normal·p <= distance
	Record   int
}

// Water is a body of water.
type Water struct {
	Surface  float32 // map units, Z of its surface
	Bottom   float32 // Z of its lowest point
	Material int     // index into World.Materials, or -1
}

// Box is the 3D skybox: a small copy of what is far away, shown around the map at its scale.
type Box struct {
	Model  int        // index into World.Models, of its surfaces
	Entity int        // index into World.Entities, of the sky_camera
	Origin [3]float32 // the point of the box that is at the map's origin
	Scale  float32    // how much larger it is shown
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

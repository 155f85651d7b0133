// Package world is a map as data: what can be drawn, not what was stored.
//
// The decoders of all engines fill a World and the stages read it; after decoding it is never written. There are no
// planes, edges or texinfo here: surfaces are shapes of vertices, light is charts of linear luxels, and a material is
// a name with the map's properties for it. Positions are in map units along the map's axes: right-handed, Z up.
//
// A stage never learns which game a map is from. If it seems to need to, the decoder should have returned more.
package world

import (
	"io"
	"math"
	"strconv"
)

// World is a map.
type World struct {
	Format     Format
	Name       string  // the map's name: "q3dm17"
	Unit       float64 // metres per map unit, such that the game's people have natural size
	Models     []Model // Models[0] is the world, the others belong to entities
	Materials  []Material
	Baked      BakedLight // light of the surfaces
	Ambient    Ambient    // light for moving objects
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

// BakedLight is the light that the map's compiler stored for surfaces.
type BakedLight struct {
	Charts   []Chart
	Styles   Levels        // of light styles when the map starts
	Patterns Patterns      // of light styles that flicker
	Smooth   bool          // light changes evenly from one letter of a pattern to the next (Source)
	HDR      bool          // the charts were stored with high dynamic range
	Filtered bool          // the engine shows one texture of a shader in its light, whatever its stages do (DarkPlaces)
	Gamma    float64       // the game's default display gamma: a power of 1 / Gamma brightens the picture; 0 means 1
	Exposure *Exposure     // how the engine exposes pictures of this light when the map starts; nil if it does not
	Display  *DisplayLight // how the engine multiplies texture and light in display space; nil if it works in linear light
}

// Exposure describes an engine that exposes automatically: it multiplies light by a factor from Min to Max, chosen so that the share
// Bright of the picture's pixels is brighter than Target. Pixels are linear, from 0 to 1.
type Exposure struct{ Min, Max, Target, Bright float64 }

// Levels are the factors of light styles on red, green and blue. A flickering style has its mean, a missing style 1.
type Levels map[uint8][3]float32

// Patterns are how light styles flicker: a letter for each tenth of a second. The letter a is dark, m is normal brightness.
type Patterns map[uint8]string

// Ambient is the light for moving objects: on a grid, or at positions stored in the map.
type Ambient struct {
	Grid   *Grid // or nil
	Probes []Probe
	Leafs  *Leafs      // finds the Probes in the same room as a point; or nil
	Floor  *FloorLight // how the engine lights models by surfaces, if it has numbers of its own for them; or nil
}

// FloorLight describes how an engine lights a model by the nearest luxel of the surface below it, or by the sun. Light is in display
// space and clamped to 1.
type FloorLight struct {
	Gain   float32 // the factor on a chart's light
	Spread float32 // map units along X and Y to the four points from which the light's direction is derived; 0: it comes from the surface
	Sun    *Sun    // or nil
	Hidden []Lit   // liquids: surfaces that show no light themselves, but light models
}

// Lit is a surface with its own light, whose Luxel coordinates are those of the chart.
type Lit struct {
	Shape *Polygon
	Chart Chart
}

// Sun is the sunlight on models that are not in shadow: the sky is visible from them in the sun's direction.
type Sun struct {
	Color     [3]float32 // as displayed, may exceed 1
	Direction [3]float32 // unit, the direction it shines
}

// Volumes are the map's regions of space (fogs, brushes, waters, areas) and collision surfaces.
type Volumes struct {
	Fogs              []Fog
	Brushes           []Brush
	CollisionSurfaces []CollisionSurface
	Waters            []Water
	Areas             *Areas    // or nil
	RangeFog          *RangeFog // distance fog of everything but the 3D skybox, or nil
}

// SkyBox is the distant scenery.
type SkyBox struct {
	Name     string    // common prefix of the six images' names: "skybox/sky_day01_01"; "" if materials name them
	Skybox3D *Skybox3D // the 3D skybox, or nil
	Painted  *PaintedSky
}

// PaintedSky is a sky that the game paints in place of images (Garry's Mod, env_skypaint). Colours are as displayed, and may exceed 1.
type PaintedSky struct {
	Top, Bottom              [3]float32
	FadeBias                 float32 // how high the bottom's colour reaches: 1 is an even fade
	Dusk                     [3]float32
	DuskScale, DuskIntensity float32 // the height of the glow at the horizon, and its strength
	Sun                      [3]float32
	ToSun                    [3]float32 // unit vector toward the sun
	SunSize                  float32
	Stars                    bool
}

// Files are the files inside the map, and the archives that it names.
type Files struct {
	Pak  *io.SectionReader // a zip inside the map, or nil
	Wads []string          // texture archives named by the map, in search order: "halflife.wad"
	// Replacements are the folders whose images replace textures of the same name, in search order: "textures/start",
	// "textures". Nil if the game has no such folders.
	Replacements []string
	// GlowMasks means that the alpha of a picture NAME_glow beside a replacement says where that is full bright (Quake II). Otherwise
	// its colours are added.
	GlowMasks bool
	Described bool // the game has material files, materials/NAME.vmt (Source)
}

// DisplayLight describes an engine that multiplies in display space: it shows a texel t under a light l as t^Exponent * l. It also states
// how this light was converted to the linear light of charts and vertices: l became d(a^Exponent * l) / d(a), where d decodes sRGB and a
// is Albedo.
type DisplayLight struct {
	Albedo, Exponent float64
	Most             float64 // clamps the sum of all styles' light; 0 for no clamp
	Whole            bool    // a sum above Most is divided by its greatest channel; else each channel is clamped
	// Directed means that the light of charts comes from their directions, so that it shades normal maps and makes highlights
	// (DarkPlaces). The part Ambient, in display space, has no direction.
	Directed bool
	Ambient  float64
	// Doubled means that the engine doubles the brightness of textures, up to white, but not for liquids and translucent
	// surfaces without baked light. Light is not doubled then.
	Doubled bool
}

// Format identifies the file's format and how it was recognised.
type Format struct {
	Family  string `json:"family"` // "Quake III"
	Ident   string `json:"ident"`  // "IBSP"
	Version int    `json:"version"`
	Game    string `json:"game"` // "Quake III Arena", as far as the bytes identify it
	Why     string `json:"why"`  // how the format was recognised
}

// String returns the ident and the version, or the one that the file has: "IBSP 46", "30", "BSP2".
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
	Name         string     // "*1" for a brush model, or a file name
	Mins, Maxs   [3]float32 // finite
	Surfaces     []Surface
	Skeleton     *Skeleton     // or nil; vertices are in the bind pose
	MorphTargets *MorphTargets // or nil
	Info         *ModelInfo    // of a model that is converted by itself, or nil
	// Far is the distance in map units from which the game shows this coarser level of detail, on a screen 1080 pixels high with a field of
	// view of 90 degrees at 4:3. It is 0 for the finest level, and if the file does not state it.
	Far float32
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
	Record   int // the face's index in the file, for messages
	// Skins lists the surface's material in each skin of a model file, including Material. It is nil if the file has one skin, or if
	// only one is to be written.
	Skins []int
}

// Flags are properties that the map gives a surface.
type Flags uint32

// The flags.
const (
	NoDraw    Flags = 1 << iota // never drawn
	Sky                         // a window to the sky
	Liquid                      // water, slime, lava
	Trigger                     // a volume of logic
	Hint                        // for the compiler: hint and skip
	Clip                        // for collision only
	Underside                   // of a liquid, coinciding with its upper surface
	EvenLight                   // of a model: light from a direction is the same on all sides
)

// Shape is *Polygon, *Displacement, *Patch, *Triangles or *Overlay.
type Shape interface{ shape() }

// Vertex is a corner of a surface.
type Vertex struct {
	Position [3]float32 // map units; decoders keep all numbers of a vertex finite and below 1<<24
	Normal   [3]float32 // unit; zero if the geometry stage computes it
	UV       [2]float32 // one texture is 0 to 1; V grows downwards, as in glTF
	Luxel    [2]float32 // luxels from the chart's top left; 0.5 is the centre of the first
	Color    [4]float32 // linear light if the material is lit per vertex, else a factor of its colour; white if the map has none
}

// Polygon is convex and planar, its corners counter-clockwise seen from the front.
type Polygon struct {
	Corners []Vertex
	// Grid is the size in map units of the cells into which the game cuts the polygon along the map's axes, in order to move its
	// corners; or 0.
	Grid float32
}

// Patch is a grid of Bezier control points, Height rows of Width, both odd and at least 3. Each 3x3 block is a
// biquadratic patch that shares its border points with the next. Seen from the front, columns run right and rows up.
type Patch struct {
	Width, Height int
	Control       []Vertex
}

// Displacement is a quadrilateral with displaced points: a grid of n rows of n points, n = 1<<Power + 1. Its rows run from
// Corners[0] to Corners[1], its columns from Corners[0] to Corners[3]; seen from the front, columns run right and rows up.
// The point (row, column) interpolates all Vertex fields of the corners bilinearly, and is then moved by its offset; its
// Color[3] is its alpha.
//
// Each square has two triangles. If the index of its least point, row*n + column, is odd, the diagonal runs from its
// upper left to its lower right, else from the lower left to the upper right. The triangle with the left side comes
// first.
type Displacement struct {
	Corners [4]Vertex
	Power   int          // 2 to 4
	Offsets [][3]float32 // map units, by point
	Alpha   []float32    // 0 to 1, by point: opacity of the material's second layer
	Removed []bool       // by triangle: true if removed; nil if none is
	Blends  [][4]float32 // weights of four layers, by point; nil if there are none
}

// Overlay is an image on another surface of the same model, the host: the part of a quadrilateral that projects onto
// the host along Normal. It has the light of its host, and is dropped without it.
type Overlay struct {
	Corners [4]Corner  // counter-clockwise seen from the front, convex, in a plane perpendicular to Normal
	Normal  [3]float32 // unit, to the viewer
	Host    int        // index into the model's Surfaces; the host is not an overlay
	Order   int        // 0 to 255; a higher one is drawn over a lower
	Fade    [2]float32 // map units from the viewer at which it starts to fade and disappears; 0 if it does not
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
	// Bindings are the bones that move each vertex, if the model has a skeleton; else nil.
	Bindings []Binding
	// Pivots are the origins of the bones that move the vertices' normals, in map units, if the texture is Chrome; else nil.
	Pivots [][3]float32
	// MorphTargets are the frames after frame 0, if the model has MorphTargets; else nil. A target that moves no vertex is empty.
	MorphTargets []MorphTarget
}

func (*Polygon) shape()      {}
func (*Displacement) shape() {}
func (*Patch) shape()        {}
func (*Triangles) shape()    {}
func (*Overlay) shape()      {}

// Chart is a rectangle of luxels with its layers of light.
type Chart struct {
	Width, Height int     // luxels
	Layers        []Layer // Layers[0] is Flat, and of style 0 if the chart has that style
	// Material and Texture map luxels to a material: at luxel (x, y), in the units of Vertex.Luxel, the texture coordinates
	// are u = Texture[0]·(x, y, 1) and v = Texture[1]·(x, y, 1). They are set if the chart has light of three directions.
	Material int
	Texture  [2][3]float64
}

// Layer is the light of a chart in one style and basis.
type Layer struct {
	Style  uint8
	Basis  Basis
	Luxels []RGB // row by row from the top (Direction: a unit vector, or zero)
}

// Basis is the quantity that the luxels of a layer hold.
type Basis uint8

// The bases.
const (
	Flat      Basis = iota // light on the flat surface
	Bump1                  // light on the first of three directions tilted off the surface: toward (√⅔, 0, √⅓) in the
	Bump2                  // texture's U, its V (downwards) and the normal; the second toward (-√⅙, √½, √⅓),
	Bump3                  // the third toward (-√⅙, -√½, √⅓)
	Direction              // direction toward the light (Quake III's deluxe maps)
)

func (b Basis) String() string {
	return [...]string{"flat", "bump1", "bump2", "bump3", "direction"}[b]
}

// Lighting is the source of the light on a material's surfaces.
type Lighting uint8

// The kinds of lighting.
const (
	Lightmap   Lighting = iota // from the surface's chart
	PerVertex                  // from the vertices' colours
	Fullbright                 // no light: drawn as bright as its texture
)

func (l Lighting) String() string { return [...]string{"lightmap", "vertex", "fullbright"}[l] }

// Material is a material as named in the map. A name that is lit in two ways is two materials.
type Material struct {
	Name     string // lower case, forward slashes, no extension
	Lighting Lighting
	Flags    Flags  // as of its surfaces
	Contents uint32 // as stored, for extras
	Surface  uint32 // surface flags as stored, for extras
	// The map's data on the texture, used if the texture is missing: its size in pixels and its mean linear colour.
	// A size of 0 is unknown.
	Width, Height int
	Color         [3]float32
	Texture       *Texture // the image, if the map or model contains it; nil if it is found by name
	// Opacity is 0 to 1; it applies if Blend is not BlendNone.
	Opacity float32
	Blend   Blend
	Tint    [3]float32 // linear; multiplies the texture's colour; zero means white
	Glow    [3]float32 // linear; fraction of the texture's colour that is emitted
	// FPS is the frame rate of an animated texture, whose frames are Next or in its file; 0 for a still one.
	FPS    float64
	Motion MaterialMotion
	// TwoSided means that surfaces are also visible from behind.
	TwoSided bool
	// Filled means that the holes of its texture are black.
	Filled bool
	// Clear means that its texture is transparent all over in the game, so nothing is drawn if the texture is missing.
	Clear bool
	// Iris means that the texture is the iris that the game draws over the white of an eye, not the white itself. The UVs of its
	// surfaces are for the iris.
	Iris bool
	// Colored means that the map sets the vertices' colours, which are shown whatever lighting the material's script states.
	Colored bool
}

// Blend states how a material is drawn over the background, if the map's entity rather than the material determines that.
type Blend uint8

// The ways to blend.
const (
	BlendNone  Blend = iota // as the material determines
	BlendAlpha              // blended by the opacity and the texture's alpha
	BlendMask               // only the opaque parts of the texture
	BlendAdd                // added to the background
)

// Texture is an image of palette indices.
type Texture struct {
	Width, Height int
	Pixels        []byte     // row by row from the top
	Palette       [][3]uint8 // sRGB; nil for the game's palette
	Hole          bool       // index 255 is transparent
	AlphaIndex    bool       // the indices are alpha, 255 is opaque, and the colour is the palette's last
	// Chrome is nonzero if the game computes the UVs from the camera (GoldSrc). Let f be the direction from the camera to the vertex's
	// pivot, d = f × the screen's right, r = d × f, and n the normal, all of length 1: the UVs are Chrome · (1 + n·r, 1 + n·d). The
	// vertices have the UVs for a camera in front.
	Chrome [2]float32
	Next   []*Texture // the next frames of its animation, of the same size, if the material has an FPS
}

// MaterialMotion is how a material moves by itself, where no script says so.
type MaterialMotion struct {
	// Scroll is the speed of the texture along U, in widths per second.
	Scroll float32
	// Warp is the size in texels of a liquid's texture (1 in its UVs), if the game warps it; else 0. The warp is that of the
	// game's family, in texels. AtCorners means that the game moves the UVs of the corners that a Polygon's Grid makes, not of each pixel.
	Warp      float32
	AtCorners bool
	// Swell is the height of a liquid's waves in map units (docs/internals/readers.md), or 0. Its surface is at its mean height.
	Swell float32
	// Clock is the time in seconds that the game's clock shows when the map starts.
	Clock float32
}

// Billboard is a point that is drawn as a sprite facing the viewer (a flare).
type Billboard struct {
	Position [3]float32
	Normal   [3]float32
	Color    [3]float32 // linear
	Material int        // index into World.Materials
	Model    int        // index into World.Models
	Record   int        // the face's index in the file
}

// Fog is a volume that is filled with fog.
type Fog struct {
	Material   int // index into World.Materials
	Mins, Maxs [3]float32
	Global     bool // the fog fills the whole map: Mins and Maxs are those of Models[0]
	// Normal and Distance are the plane of the visible side: a point p is Distance - Normal·p deep in the fog.
	// Normal is zero if there is no visible side.
	Normal   [3]float32
	Distance float32
}

// RangeFog is fog that thickens with the distance d in map units from the camera: a share of each pixel is Color. Without a Thickness
// the share is f², in linear light, where f is (d - Start) / (End - Start), from 0 to Most. With a Thickness it is
// Most · (1 - e^-(Thickness·(d - Start))^Power), in display space, for d from Start to End.
type RangeFog struct {
	Start, End, Most float32
	Color            [3]float32 // linear
	Radial           bool       // d is the distance from the camera; else it is the depth along the view
	Thickness        float32    // per map unit
	Power            float32    // 1 or 2, with a Thickness
	Sky              float32    // the share of the sky that is Color, as displayed
	Second           *SecondFog // or nil
}

// SecondFog is the colour of a fog that depends on the view direction. A camera that looks along Direction sees the fog's first colour, one
// that looks against it sees Color. In between the two are mixed in display space by (1 + cosine) / 2.
type SecondFog struct {
	Color     [3]float32 // linear
	Direction [3]float32 // unit, or zero: half of each
}

// Share returns the share of a fog with a Thickness at a distance.
func (f *RangeFog) Share(d float64) float64 {
	deep := max(min(d, float64(f.End))-float64(f.Start), 0) * float64(f.Thickness)
	return float64(f.Most) * (1 - math.Exp(-math.Pow(deep, float64(f.Power))))
}

// Decal is an image projected on the surfaces around a point. Its size is its material's.
type Decal struct {
	Material int // index into World.Materials
	Position [3]float32
	Entity   int // index into World.Entities
}

// NoEntity is the Entity of items that don't come from an entity.
const NoEntity = -1

// Prop is a model placed in the map.
type Prop struct {
	Model       string // a file's name, lower case; "" for a sprite
	Index       int    // into World.Models once the file is read, or NoModel
	Kind        PropKind
	Entity      int // index into World.Entities, or NoEntity
	Record      int // index in the file, for static and detail props
	Origin      [3]float32
	Angles      [3]float32 // degrees: pitch, yaw, roll
	Scale       [3]float32
	Appearance  Appearance
	Draw        PropDraw
	Light       PropLight
	InSkybox    bool // it is in the 3D skybox
	Stored      Stored
	Sprite      *Sprite      // instead of a model
	Facing      Facing       // facing of a sprite's model, once the file is read
	Drop        Drop         // how the game drops it to the floor, without its Rise
	Assumed     bool         // the game's code, not the map, assigns the model to the entity's class
	Count       int          // number of the map's props that it represents; 0 means 1
	ConvexParts []ConvexPart // of its physics, in its model's axes; props of the same model share them
	// Level is 0 for ordinary props. Otherwise the prop is a coarser level of detail (1, 2, …) of the nearest earlier prop with Level 0,
	// which it may replace at a distance.
	Level int
}

// Group is a variant of a body part of a model.
type Group struct {
	Part, Variant string
	Shown         bool // the game shows it; it shows one variant of each part
}

// Appearance is the appearance of a prop's model. A number out of the file's range is replaced by one in range. The sequence is chosen by
// the name Animation, else by the first of Activities that the model has, else by the number Sequence.
type Appearance struct {
	Sequence   int            // the sequence by number
	Animation  string         // the sequence by name, lower case, or ""
	Activities []string       // a character's activities, the preferred first: "ACT_IDLE"
	Frame      int            // frame of the sequence
	Frames     int            // of a model without bones: the number of frames from Frame on that play; 1 plays the poses of that frame
	Body       int            // the variant of each body part, as one number in the engine's encoding
	BodyParts  BodyPartFilter // the body parts that are shown
	// Group is nil for ordinary props. Otherwise the prop is a variant of a body part of the nearest earlier prop without a Group, whose
	// place and bones it has.
	Group *Group
	Skin  int
	Plays Play    // how the sequence plays
	Rate  float64 // playback speed, relative to the sequence's own; 0 means 1
	Hover *Hover  // how the whole model turns and floats, or nil
}

// Hover states how the game constantly turns a prop and lets it float, whatever the angles of its entity.
type Hover struct {
	TurnPeriod float32 // seconds of a turn to the left, or 0
	Rise       float32 // mean height above the prop's origin, in map units
	Bob        float32 // amplitude of the floating, in map units
	BobPeriod  float32 // its period in seconds, or 0
	Ahead      float32 // when the map starts: seconds since the last highest point
	Centered   bool    // it turns about the middle of its model's box, not about the model's origin
}

// Height returns the height of a prop above its mean height, in map units, at a time in seconds after the map's start.
func (h *Hover) Height(time float64) float64 {
	if h.BobPeriod == 0 {
		return 0
	}
	return float64(h.Bob) * math.Cos(2*math.Pi*(time+float64(h.Ahead))/float64(h.BobPeriod))
}

// BodyPartFilter selects body parts of a model. A Part of 0 selects all, of -1 those that have a single variant, and another only the
// variant Number of this part. Parts are counted from 1.
type BodyPartFilter struct{ Part, Number int }

// Variant returns the variant of a body part that is shown, if any. The part has variants many, and chosen is the one for a filter that
// selects all parts.
func (o BodyPartFilter) Variant(part, variants, chosen int) (variant int, ok bool) {
	switch {
	case o.Part == 0:
		return chosen, true
	case o.Part < 0:
		return 0, variants == 1
	}
	return o.Number, o.Part == part+1 && o.Number < variants
}

// Play states how the game plays a model's sequence when the map starts. It begins with the first frame.
type Play uint8

// The ways to play a sequence.
const (
	Still    Play = iota // shows one frame
	Repeated             // loops
	Once                 // plays once and stays at its end
)

// PropDraw states how a prop is drawn.
type PropDraw struct {
	Tint  [4]uint8   // sRGB with alpha; white if the map has none
	Blend Blend      // blended with the alpha of Tint; with BlendNone its file determines it
	Glow  bool       // constant size on screen, weaker with distance
	Fade  [2]float32 // map units from the viewer at which it starts to fade and disappears; 0 if it does not
}

// PropLight is the light on a prop, as far as the map stores it.
type PropLight struct {
	Even *RGB        // uniform light, or nil
	At   *[3]float32 // the position where its light is sampled, if not its origin
	// Above means that it is lit by the surface above it, instead of the one below.
	Above bool
	// Colors is the prop's light on the model's vertices, linear, by surface of the model and by vertex of its Triangles.
	// Colors or a single surface's entry may be nil. Many props share a model and differ only in this.
	Colors [][]RGB
	// Charts replaces the surfaces' charts for this prop, by surface of the model; nil if there are none, NoChart for a
	// surface without one. The vertices' positions on them are their UVs; 0 to 1 spans the whole chart.
	Charts []int
}

// Stored holds a prop's numbers as stored in the map, for extras.
type Stored struct {
	Flags uint32
	Solid uint8 // 0 none, 2 its box, 6 its physics model
}

// PropKind is the origin of a prop.
type PropKind uint8

// The kinds of props.
const (
	EntityProp PropKind = iota
	StaticProp          // placed by the compiler, from an entity that it removed
	DetailProp          // scattered by the compiler on the surfaces of some materials: grass
	FileProp            // a model by itself, without a map
)

func (k PropKind) String() string { return [...]string{"entity", "static", "detail", "file"}[k] }

// Sprite is an upright quad, or several crossing ones, at the position of a prop.
type Sprite struct {
	Kind           SpriteKind
	Facing         Facing
	Mins, Maxs     [2]float32 // map units, right and up of the origin; for a beam along and across it
	UVMins, UVMaxs [2]float32 // upper left and lower right on the image
	Material       int        // index into World.Materials
	Pixels         bool       // Mins and Maxs are fractions of the image's width and height; a pixel is a map unit
}

// Facing states how a sprite turns to the viewer.
type Facing uint8

// The ways to face the viewer. Source SDK 2013, public/gamebspfile.h, DetailPropOrientation_t.
const (
	Fixed        Facing = iota
	ToViewer            // about its centre
	AboutUpright        // about the vertical, parallel to the screen
	UprightToEye        // about the vertical, to the camera's position; not in Source
)

// SpriteKind is the number and arrangement of a sprite's quads.
type SpriteKind uint8

// The kinds of sprites. All but the beam are DetailPropType_t. Source SDK 2013, public/gamebspfile.h.
const (
	OneSprite      SpriteKind = 1
	CrossSprite    SpriteKind = 2 // two crossing quads
	TriangleSprite SpriteKind = 3 // three quads in a triangle
	BeamSprite     SpriteKind = 4 // two quads that cross along +X
)

// Rope hangs between two points, below the node of its entity.
type Rope struct {
	Entity   int          // index into World.Entities
	Material int          // index into World.Materials
	Points   [][3]float32 // map units, at least two
	Width    float32      // map units
	Texels   float32      // pixels of the image's height per map unit of length
}

// Light is a lamp.
type Light struct {
	Kind      LightKind
	Entity    int // index into World.Entities, or NoEntity
	Origin    [3]float32
	Direction [3]float32 // unit, the direction it shines; zero for all directions
	Color     [3]float32 // linear, its greatest 1
	// Intensity is the light on a surface that faces the lamp, where 1 makes a white surface white. It is at a distance of one
	// map unit and falls with the square of the distance; for Sun and Ambient it is the same at any distance.
	Intensity float64
	// Falloff is the falloff if it is not the inverse square: at a distance of x map units the light is Intensity divided by
	// Falloff[0] + Falloff[1]·x + Falloff[2]·x². Intensity then matches at 100 units. Zero means the inverse square.
	Falloff      [3]float64
	Range        float64 // map units at which the light ends; 0 is unknown
	Inner, Outer float64 // radians off Direction at which the cone starts to fade and ends, for Spot and Area
	Style        uint8
	InSkybox     bool // it is in the 3D skybox
}

// LightKind is the shape of a lamp.
type LightKind uint8

// The kinds of lights.
const (
	PointLight   LightKind = iota
	SpotLight              // a cone
	SunLight               // from infinitely far
	AreaLight              // an emissive piece of a surface
	AmbientLight           // from all directions: the sky's
)

func (k LightKind) String() string { return [...]string{"point", "spot", "sun", "area", "ambient"}[k] }

// Probe is the light for moving objects at a position: from +X, -X, +Y, -Y, +Z and -Z, linear.
type Probe struct {
	Position [3]float32
	Cube     [6]RGB
}

// Cubemap is a position where the game rendered its surroundings for reflections.
type Cubemap struct {
	Origin [3]float32
	Size   int    // pixels per side
	Files  string // the files' name without extension: "materials/maps/q/c0_0_64"
}

// Brush is a convex collision solid of the map.
type Brush struct {
	Model    int // index into World.Models
	Contents uint32
	Names    string       // names of the contents flags: "solid detail"
	Planes   [][4]float32 // outward unit normal, and distance: a point p is inside if normal·p <= distance
	Record   int
	Cell     bool // a leaf of the map's tree, whose planes may enclose nothing
}

// CollisionSurface is a curved surface that stops bodies without a brush: a Patch or a Displacement.
type CollisionSurface struct {
	Model, Surface int // indices into World.Models and its Surfaces
	Contents       uint32
	Names          string // of the contents flags, as in Brush
}

// ConvexPart is a convex part of a model's physics: a closed mesh of triangles, counter-clockwise seen from outside, in the model's axes.
type ConvexPart struct {
	Positions [][3]float32
	Indices   []uint32
}

// Water is a body of water.
type Water struct {
	Surface  float32 // map units, Z of its surface
	Bottom   float32 // Z of its lowest point
	Material int     // index into World.Materials, or -1
	// Boxes are the bounding boxes of the leafs that it fills: minimum and maximum corner. Fog is what a camera inside sees; if it is nil,
	// the material may have a fog.
	Boxes [][2][3]float32
	Fog   *RangeFog
}

// Skybox3D is the 3D skybox: a miniature of the distant scenery, shown around the map at its scale.
type Skybox3D struct {
	Model  int        // index into World.Models of its surfaces
	Entity int        // index into World.Entities of the sky_camera
	Origin [3]float32 // the point of the box that is at the map's origin
	Scale  float32    // magnification
	Fog    *RangeFog  // at the magnified scale, or nil
}

// Grid is light sampled at the points of a box, X fastest, then Y, then Z.
type Grid struct {
	Origin   [3]float32 // map units, position of the first sample
	Cell     [3]float32 // map units between samples
	Size     [3]int     // samples per axis
	Ambient  [][3]uint8 // ambient light divided by Scale, as 8-bit sRGB, which is as fine as the stored light
	Directed [][3]uint8 // light from the direction Toward, likewise
	Toward   [][3]int8  // unit vector to the light, 127 is 1; zero if the sample has none
	Scale    float32    // linear light of 255; above 1 where light exceeds white; 0 means 1
	// Models states how the engine applies this light to models that are not the map's, or is nil. In display space it is ambient light
	// times Share, plus Least, plus directed light, with each channel clamped to 1.
	Models *GridShare
}

// GridShare is how an engine shows the light of a grid.
type GridShare struct{ Share, Least float32 }

// Issue is a defect that did not stop the conversion: a missing texture, a face that had to be dropped.
//
// A decoder's codes that start with "face-" stand for faces that are in no model: one issue for each face, with
// Where "face 12". Issues of a code beyond MaxWarnings are counted by one last issue.
type Issue struct {
	Code   string `json:"code"`  // stable: "image-broken"
	Where  string `json:"where"` // "face 12", a material's name
	Detail string `json:"detail"`
	Count  int    `json:"count,omitempty"` // number of issues that it represents; 0 means 1
}

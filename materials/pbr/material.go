// Package pbr holds materials in glTF's terms: a base colour, an emission, a normal map, metalness and roughness. It
// also holds properties that glTF can't express: a sky's box, a fog's depth, motion, surfaces that turn to the viewer.
//
// Package materials makes them, a writer reads them. Colours are linear and factors multiply images, as in glTF; an
// image is an index into materials.Set.Images, which all materials of a map share. A writer that ignores some fields
// still writes a valid material: the zero value of every field is the plain case, except for the fields that New sets.
package pbr

// Alpha is how a material uses the alpha of its base colour.
type Alpha uint8

// The alpha modes of glTF.
const (
	Opaque Alpha = iota
	Mask
	Blend
)

// Identity is the texture matrix that changes nothing.
var Identity = [6]float64{1, 0, 0, 0, 1, 0}

// NoImage is the Image of a texture slot that is empty.
const NoImage = -1

// Spanned returns the matrix for an image that covers span periods of the coordinates; 0 means one.
func Spanned(span int) [6]float64 {
	k := 1 / float64(max(span, 1))
	return [6]float64{k, 0, 0, 0, k, 0}
}

// Material is a material in glTF's terms.
type Material struct {
	Name         string
	Base         Slot
	BaseColor    [4]float32 // linear, 0 to 1, with opacity, which counts if Alpha is Blend or Mask; multiplies the texture
	Emission     Emission
	Normal       Slot // a normal map in glTF's convention: U, V upwards and the normal in red, green and blue
	Reflection   *Reflection
	Transmission *Transmission
	Alpha        Alpha
	Cutoff       float32 // of Mask
	Vertex       VertexUse
	Draw         Draw
	Beyond
	Placeholder bool           // its image is missing
	Extras      map[string]any // flat: string, float64, bool
	// Layers are materials drawn over this one on the same surfaces; their opacity is in the vertices' alpha, or 1.
	Layers          []Material
	Layer           LayerUse // set if this material is such a layer
	PlaceholderLook PlaceholderLook
}

// Beyond holds what glTF can't express. Readers find it in the extras. Effects that a material doesn't have are nil.
type Beyond struct {
	Sky         *Sky
	Fog         *Fog
	Motion      *Motion
	Details     []Slot       // their display values, doubled, multiply the colour; UV maps the map's coordinates
	Fine        *Fine        // a texture that the game draws over the base for each pixel
	Environment *Environment // an image of the surroundings
	Chrome      [2]float32   // world.Texture's Chrome, for readers that know the camera; or zero
	Behind      *Behind      // what the game multiplies the background by
	Mix         *Mix         // a texture that fades over the base
	Highlight   *Slot        // colours of highlights of directed light, in the base's coordinates; alpha is their sharpness
}

// Fine is a texture that Source draws over a material's base colour, for readers that draw it themselves: the combined image shows it too
// coarsely or at another scale.
type Fine struct {
	Base   Slot // the base colour without it, in the base's coordinates; NoImage if it is missing
	Over   Slot // the texture; UV maps the base's coordinates
	Mode   int  // of $detailblendmode: 0 to 4, 7, 8 or 11
	SRGB   bool // the texture holds colours; otherwise numbers
	Factor float64
	Tint   [3]float64 // linear; multiplies the texture
}

// Mix is a texture that is blended over a material's base colour, in its coordinates, by the opacity of the vertices. The bands of the
// material's layer show the same in steps.
type Mix struct {
	Second int // the index of the image
	Mask   Slot
}

// LayerUse says where a layer is visible.
type LayerUse struct {
	Whole     bool // everywhere: its own alpha blends it with the material below
	Weight    int  // the index, 1 to 3, of the displacement's weight that is its opacity; 0 is the vertices' alpha
	Threshold bool // a texel is fully visible from the opacity of one minus its image's alpha on, and invisible below
	// Bands are images of the layer over the material below it, mixed in linear light, one for each step of opacity up to 1. If they
	// are nil, the layer's own image is blended with what is below.
	Bands []Band
	// Mask belongs to a layer with bands. Its red and green modify the opacity (docs/internals/readers.md); its matrix is from the base's
	// coordinates. It is nil if readers can't mix the textures themselves.
	Mask *Slot
}

// Bands is the number of steps of a layer's opacity; the last is opaque. Viewers that multiply by vertex alpha would not need them,
// but many don't, and then the layer would hide the one below.
const Bands = 8

// Band is the image of a layer at one opacity.
type Band struct {
	Base, Glow int  // indices into materials.Set.Images; NoImage without one
	Clamp      bool // the images are clamped at their edges
	Span       int  // as in Slot
}

// Emission is the light that a material emits.
type Emission struct {
	Slot     Slot
	Color    [3]float32 // linear; multiplies the texture; black if nothing is emitted
	Strength float32    // an additional factor of 1 or more
	Glow     [3]float32 // the display value that the engine adds at a white texel; zero if Color is not adjusted
}

// VertexUse says how a material uses the colours of vertices.
type VertexUse struct {
	Color   bool // they multiply the base colour
	Alpha   bool // their alphas multiply the base alpha
	Inverse bool // with Alpha: one minus the alphas
}

// Draw says how the surfaces of a material are drawn.
type Draw struct {
	DoubleSided bool
	Nearest     bool    // enlarged texels of the base colour and the emission stay squares
	Unlit       bool    // the base colour is shown unlit: no lightmap, no vertex light
	LightGain   float64 // multiplies the lightmap, in display values; 1 unless stages double the light
	Hidden      bool    // not drawn
	Walled      bool    // drawn where the map has windows to the sky
	Sort        float32 // the engine's order of drawing; 3 is opaque
	Offset      bool    // lies on another surface and needs an offset against z-fighting
	Autosprite  Autosprite
}

// Reflection is how a material reflects lamps and its surroundings, in terms of glTF's metalness and roughness and of
// KHR_materials_specular. A material without one is rough and not metallic.
type Reflection struct {
	Roughness float32
	Metal     float32
	Specular  float32    // share of light along the surface that is reflected, 0 to 1
	Color     [3]float32 // linear, 0 to 25: 0.04·Color·Specular of the light from straight ahead is reflected
	IOR       float32    // index of refraction, which determines the 0.04; 0 means glTF's 1.5
	Slot                 // its green multiplies Roughness, its blue Metal and, if Masked, its alpha Specular
	Masked    bool
	Tinted    bool // the base texture's colours multiply Color
}

// Transmission is the share of light that passes through a material, by KHR_materials_transmission.
type Transmission struct {
	Factor float32 // 0 to 1
	Slot           // its red multiplies Factor
}

// Slot is a use of an image by a material.
type Slot struct {
	Image int        // index into materials.Set.Images, in a scene into Scene.Images; or NoImage
	Clamp bool       // it is clamped at its edges and does not repeat
	UV    [6]float64 // u' = UV[0]*u + UV[1]*v + UV[2], v' = UV[3]*u + UV[4]*v + UV[5]
	// LightmapUV takes the coordinates from the lightmap's set, as the engine's tcGen lightmap does.
	LightmapUV bool
	// Project, if not nil, computes the coordinates from the position in map units: u = Project[0]·(x, y, z, 1).
	Project *[2][4]float64
	// Span is the number of periods of the coordinates that the image of a base colour covers; 0 means 1.
	Span int
}

// GridUnits is the length in map units of a cell of the grid on placeholders; their texture coordinates follow the surface, not the map.
const GridUnits = 64

// Sky is the appearance of a sky material behind its clouds, which are the material's Base.
type Sky struct {
	Box    [6]int        // materials.Set.Images of right, back, left, front, up, down; NoImage if missing
	UV     [6][6]float64 // by side; as a Slot's
	Height float64       // height in map units of the clouds above the viewer
	Flat   bool          // the clouds are Quake's, on a flattened ball; Height is unused
	Light  [6]string     // by side of the box: the Sidecar with its HDR image, or ""
	Scale  float32       // the factor that scaled the light of the box to fit below white; 0 if the box was not stored as light
	// Guessed means that the sky's own images are missing, and Box has images in the colours of the map's light.
	Guessed bool
}

// Empty reports whether the box has no image.
func (s *Sky) Empty() bool {
	return s.Box == [6]int{NoImage, NoImage, NoImage, NoImage, NoImage, NoImage}
}

// SkySides are the sides of the sky's box in the map's axes, in the order of Sky.Box, as Quake III draws them (tr_sky.c): the direction of
// the side, of its s (right in the image) and of its t (up).
var SkySides = [6][3][3]float32{
	{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
	{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
	{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0, -1, 0}, {-1, 0, 0}, {0, 0, 1}},
	{{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
	{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}},
}

// Fog is the appearance of a fog material, or of water for a camera in it.
type Fog struct {
	Color  [3]float32 // linear
	Opaque float32    // distance in map units at which it is opaque; 0 for water
	// Of water, a share of f² is fog in linear light, f being (distance - Start) / (End - Start), from 0 to 1; map units.
	Start, End float32
}

// Autosprite is how the quads of a material turn to the viewer; glTF can't express it.
type Autosprite uint8

// The ways in which quads turn.
const (
	NoAutosprite  Autosprite = iota
	FacesViewer              // each faces the viewer
	TurnsToViewer            // each turns about its longer axis
)

// PlaceholderLook describes a material without its image.
type PlaceholderLook struct {
	Color   [3]float32 // linear; zero is grey
	Opacity float32    // of its surfaces, as the map states it, 0 to 1
	Overlay bool       // it is only used on top of other surfaces, and is usually transparent
}

// New returns a material without any image.
func New(name string) Material {
	return Material{
		Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Draw: Draw{Sort: 3, LightGain: 1}, PlaceholderLook: PlaceholderLook{Opacity: 1},
		Base: Slot{Image: NoImage, UV: Identity}, Normal: Slot{Image: NoImage, UV: Identity},
		Emission: Emission{Slot: Slot{Image: NoImage, UV: Identity}, Strength: 1}, Extras: map[string]any{"material": name},
	}
}

// NewSky returns a sky without any image.
func NewSky() *Sky {
	s := &Sky{Height: 512}
	for k := range s.Box {
		s.Box[k], s.UV[k] = NoImage, Identity
	}
	return s
}

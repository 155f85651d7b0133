// Package pbr holds materials in glTF's terms: a base colour, an emission, a normal map, metal and roughness, and beside them what
// games' materials have and glTF has no word for: a sky's box, a fog's depth, what moves, what turns to the viewer.
//
// Package materials makes them, a writer reads them. Colours are linear and factors multiply images, as in glTF; an image is an index
// into materials.Set.Images, which all materials of a map share. A material that a writer does not know all of is still right as
// far as it goes: every field's zero value is the plain case, but for those that New sets.
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

// Material is a material in glTF's terms.
type Material struct {
	Name         string
	Base         Slot
	BaseColor    [4]float32 // linear; multiplies the texture
	Emission     Emission
	Normal       Slot // a normal map as glTF has it: U, V upwards and the normal in red, green and blue
	Reflection   *Reflection
	Transmission *Transmission
	Alpha        Alpha
	Cutoff       float32 // of Mask
	Vertex       VertexUse
	Draw         Draw
	Sky          *Sky
	Fog          *Fog
	Placeholder  bool           // its image was not found
	Extras       map[string]any // flat: string, float64, bool
	Motion       *Motion        // what moves, or nil
	Details      []Slot         // textures that multiply what is shown by twice themselves, as displayed; UV is of the map's own coordinates
	// Layers are materials drawn over this one on the same surfaces, their opacity in the vertices' alpha.
	Layers []Material
	Layer  LayerUse // of one of them
	Stand  StandIn
}

// LayerUse says where a layer is seen.
type LayerUse struct {
	Weight    int  // the weight of a displacement, 1 to 3, that is its opacity; 0 is the vertices' alpha
	Threshold bool // its image's alpha is one minus the opacity from which on a texel is seen, and whole
}

// Emission is the light that a material sends out.
type Emission struct {
	Slot     Slot
	Color    [3]float32 // linear; multiplies the texture; black where nothing is emitted
	Strength float32    // of the emission beyond 1
	Glow     [3]float32 // as displayed: what the engine adds at a white texel of Slot; zero says that Color is not bent
}

// VertexUse is what a material does with the colours of vertices.
type VertexUse struct {
	Color   bool // they multiply the base colour
	Alpha   bool // their alphas multiply the base alpha
	Inverse bool // with Alpha: one minus them
}

// Draw is how the surfaces of a material are drawn.
type Draw struct {
	DoubleSided bool
	Unlit       bool    // the base colour is shown as it is: no lightmap, no vertex light
	LightGain   float64 // multiplies the lightmap, as displayed; 1 but for stages that double it
	Hidden      bool    // not drawn at all
	Sort        float32 // the engine's order of drawing, 3 is opaque
	Offset      bool    // lies on another surface and must not fight with it
	Autosprite  Autosprite
}

// Reflection is how a material mirrors lamps and what is around it, in the terms of glTF's metal and roughness and of
// KHR_materials_specular. Without one it is rough and no metal.
type Reflection struct {
	Roughness float32
	Metal     float32
	Specular  float32    // how much of light along the surface is reflected, 0 to 1
	Color     [3]float32 // linear, 0 to 25: of light from straight ahead 0.04·Color·Specular is reflected
	IOR       float32    // refraction, of which 0.04 follows; 0 is glTF's 1.5
	Slot                 // its green multiplies Roughness, its blue Metal, its alpha, if Masked, Specular
	Masked    bool
	Tinted    bool // the base texture's colours multiply Color
}

// Transmission is how much light goes through a material, by KHR_materials_transmission.
type Transmission struct {
	Factor float32 // 0 to 1
	Slot           // its red multiplies Factor
}

// Slot is an image as a material uses it.
type Slot struct {
	Image int        // index into materials.Set.Images, or NoImage
	Clamp bool       // its edges, in place of repeating
	UV    [6]float64 // u' = UV[0]*u + UV[1]*v + UV[2], v' = UV[3]*u + UV[4]*v + UV[5]
	// LightmapUV takes the coordinates from the lightmap's set; the engine's tcGen lightmap.
	LightmapUV bool
	// Project, where set, takes the coordinates from the position in map units: u = Project[0]·(x, y, z, 1).
	Project *[2][4]float64
}

// Sky is how a sky material looks, behind its clouds, which are the material's Base.
type Sky struct {
	Box    [6]int        // materials.Set.Images of right, back, left, front, up, down; NoImage where there is none
	UV     [6][6]float64 // of each, as a Slot's
	Height float64       // map units of the clouds over the viewer
	Light  [6]string     // Sidecars with all light of each side of the box, or ""
	Scale  float32       // what the light of the box was multiplied by, so that it fits below white; 0 where it was not light
}

// Fog is how a fog material looks.
type Fog struct {
	Color  [3]float32 // linear
	Opaque float32    // map units at which nothing is seen through it
}

// Autosprite is how the quads of a material turn to the viewer; glTF's do not.
type Autosprite uint8

// The ways in which quads turn.
const (
	NoAutosprite  Autosprite = iota
	FacesViewer              // each faces the viewer
	TurnsToViewer            // each turns about its longer axis
)

// StandIn is what a material is without its image.
type StandIn struct {
	Color   [3]float32 // linear; zero is grey
	Opacity float32    // that the map gives its surfaces, 0 to 1
	Overlay bool       // it lies on other surfaces only, and most often shows them through
}

// New returns a material that shows nothing yet.
func New(name string) Material {
	return Material{
		Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Draw: Draw{Sort: 3, LightGain: 1}, Stand: StandIn{Opacity: 1},
		Base: Slot{Image: NoImage, UV: Identity}, Normal: Slot{Image: NoImage, UV: Identity},
		Emission: Emission{Slot: Slot{Image: NoImage, UV: Identity}, Strength: 1}, Extras: map[string]any{"material": name},
	}
}

// NewSky returns a sky that shows nothing.
func NewSky() *Sky {
	s := &Sky{Height: 512}
	for k := range s.Box {
		s.Box[k], s.UV[k] = NoImage, Identity
	}
	return s
}

package materials

import (
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Alpha is how a material uses the alpha of its base colour.
type Alpha uint8

// The alpha modes of glTF.
const (
	Opaque Alpha = iota
	Mask
	Blend
)

// NoImage is the Image of a texture slot that is empty.
const NoImage = -1

// Set is the materials of a map with the images they share.
type Set struct {
	Materials []Material // by World.Materials
	Images    []Image
	Baked     []Baked     // by model, then surface
	Missing   []Missing   // in the order of World.Materials
	Sidecars  []Sidecar   // files beside the output
	Cubemaps  [][6]string // by World.Cubemaps where the options want them: the names of the faces' Sidecars, as Sky.Box, or ""
	Files     []string    // images that were read, by their full names, sorted
	Issues    []world.Issue
}

// Material is a material in glTF's terms.
type Material struct {
	Name         string
	Base         Slot
	BaseColor    [4]float32 // linear; multiplies the texture
	Emissive     Slot
	Emission     [3]float32 // linear; multiplies the texture; black where nothing is emitted
	Strength     float32    // of the emission beyond 1
	Glow         [3]float32 // as displayed: what the engine adds at a white texel of Emissive; zero says that Emission is not bent
	Normal       Slot       // a normal map as glTF has it: U, V upwards and the normal in red, green and blue
	Reflection   *Reflection
	Transmission *Transmission
	Alpha        Alpha
	Cutoff       float32 // of Mask
	DoubleSided  bool
	Unlit        bool    // the base colour is shown as it is: no lightmap, no vertex light
	VertexColor  bool    // the vertices' colours multiply the base colour
	VertexAlpha  bool    // the vertices' alphas multiply the base alpha
	InverseAlpha bool    // with VertexAlpha: one minus them
	LightGain    float64 // multiplies the lightmap, as displayed; 1 but for stages that double it
	Hidden       bool    // not drawn at all
	Sort         float32 // the engine's order of drawing, 3 is opaque
	Offset       bool    // lies on another surface and must not fight with it
	Autosprite   Autosprite
	Sky          *Sky
	Fog          *Fog
	Placeholder  bool           // its image was not found
	Extras       map[string]any // flat: string, float64, bool
	// Layers are materials drawn over this one on the same surfaces, their opacity in the vertices' alpha.
	Layers []Material
	Weight int // of a layer: the weight of a displacement, 1 to 3, that is its opacity; 0 is the vertices' alpha
	// Threshold says of a layer that its image's alpha is one minus the opacity from which on a texel is seen, and whole.
	Threshold bool

	stand standIn
}

// standIn is what a material is without its image.
type standIn struct {
	color   [3]float32 // linear; zero is grey
	opacity float32    // that the map gives its surfaces, 0 to 1
	overlay bool       // it lies on other surfaces only, and most often shows them through
}

// overlayOpacity is that of what lies on a wall and has lost its image: enough to be seen, and to see the wall.
const overlayOpacity = 0.25

// Autosprite is how the quads of a material turn to the viewer; glTF's do not.
type Autosprite uint8

// The ways in which quads turn.
const (
	NoAutosprite  Autosprite = iota
	FacesViewer              // each faces the viewer
	TurnsToViewer            // each turns about its longer axis
)

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

// Baked is the material of one displacement whose textures fade into each other: they are drawn into one image.
type Baked struct {
	Model, Surface int // indices into World.Models and its Surfaces
	// Material's coordinates are places on the displacement's grid, column and row from 0 to 1, in place of its UVs.
	Material Material
}

// Slot is an image as a material uses it.
type Slot struct {
	Image int        // index into Set.Images, or NoImage
	Clamp bool       // its edges, in place of repeating
	UV    [6]float64 // u' = UV[0]*u + UV[1]*v + UV[2], v' = UV[3]*u + UV[4]*v + UV[5]
	// LightmapUV takes the coordinates from the lightmap's set; the engine's tcGen lightmap.
	LightmapUV bool
	// Project, where set, takes the coordinates from the position in map units: u = Project[0]·(x, y, z, 1).
	Project *[2][4]float64
}

// Sky is how a sky material looks, behind its clouds, which are the material's Base.
type Sky struct {
	Box    [6]int        // Set.Images of right, back, left, front, up, down; NoImage where there is none
	UV     [6][6]float64 // of each, as a Slot's
	Height float64       // map units of the clouds over the viewer
	Light  [6]string     // Sidecars with all light of each side of the box, or ""
	Scale  float32       // what the light of the box was multiplied by, so that it fits below white; 0 where it was not light
}

// Sidecar is a file beside the output, whose name begins with the output's and "_".
type Sidecar struct {
	Name string // "sky_rt.exr", "cubemaps/c0_0_64_up.png"
	Data []byte
}

// Fog is how a fog material looks.
type Fog struct {
	Color  [3]float32 // linear
	Opaque float32    // map units at which nothing is seen through it
}

// Image is an encoded image.
type Image struct {
	Name          string // path without extension: "textures/base_wall/metal1"
	MIME          string // image/png, image/jpeg, image/webp
	Data          []byte
	Width, Height int
	Alpha         bool
}

// Missing is a material whose image was not found.
type Missing struct {
	Material string   `json:"material"`
	Tried    []string `json:"tried"`
	Hint     string   `json:"hint"`
}

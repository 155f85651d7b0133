package plan

import (
	"slices"
	"strings"

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
	Motion       *Motion        // what moves, or nil
	// Layers are materials drawn over this one on the same surfaces, their opacity in the vertices' alpha.
	Layers []Material
	Weight int // of a layer: the weight of a displacement, 1 to 3, that is its opacity; 0 is the vertices' alpha
	// Threshold says of a layer that its image's alpha is one minus the opacity from which on a texel is seen, and whole.
	Threshold bool

	Stand StandIn
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

// overlayOpacity is that of what lies on a wall and has lost its image: enough to be seen, and to see the wall.
const overlayOpacity = 0.25

// NewMaterial is a material that shows nothing yet.
func NewMaterial(name string) Material {
	return Material{
		Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Strength: 1, Sort: 3, LightGain: 1, Stand: StandIn{Opacity: 1},
		Base: Slot{Image: NoImage, UV: Identity}, Emissive: Slot{Image: NoImage, UV: Identity}, Normal: Slot{Image: NoImage, UV: Identity},
		Extras: map[string]any{"material": name},
	}
}

// MakePlaceholder makes a material the plain colour that stands for an image which was not found.
func (m *Material) MakePlaceholder() {
	m.Placeholder = true
	s := &m.Stand
	m.BaseColor = [4]float32{0.5, 0.5, 0.5, s.Opacity}
	if s.Color != [3]float32{} {
		for k, c := range s.Color {
			m.BaseColor[k] = float32(Clamp01(float64(c)))
		}
	}
	m.Emission = [3]float32{}
	if s.Overlay && m.Alpha != Opaque {
		m.BaseColor[3] *= overlayOpacity
	}
	m.Alpha, m.Cutoff = Opaque, 0
	if m.VertexAlpha || m.BaseColor[3] < 1 {
		m.Alpha = Blend
	}
	m.Extras["placeholder"] = true
}

// NewSky is a sky that shows nothing.
func NewSky() *Sky {
	s := &Sky{Height: 512}
	for k := range s.Box {
		s.Box[k], s.UV[k] = NoImage, Identity
	}
	return s
}

// leaveOut notes in the extras what is not shown of a material, and returns it as a list.
func (m *Material) leaveOut(cut []string) string {
	slices.Sort(cut)
	text := strings.Join(slices.Compact(cut), ", ")
	m.Extras["not_shown"] = text
	return text
}

// Place sets how the surfaces of a material are lit, tinted and drawn over what is behind them. It returns what that
// makes of the pixels, and whether it uses their alpha. hole says that the picture has holes.
func (m *Material) Place(wm *world.Material, hole bool) (p Pixels, alpha bool) {
	m.Unlit = wm.Lighting != world.Lightmap
	m.VertexColor = wm.Lighting == world.PerVertex
	m.DoubleSided = wm.TwoSided
	if wm.Tint != [3]float32{} {
		for k, c := range wm.Tint {
			m.BaseColor[k] = float32(Clamp01(float64(c)))
		}
	}
	switch {
	case wm.Blend == world.BlendAdd:
		m.Alpha, p = Blend, Added
		m.Extras["blend"] = "add"
	case wm.Blend == world.BlendAlpha:
		m.Alpha = Blend
	case wm.Blend == world.BlendMask || hole:
		m.Alpha, m.Cutoff = Mask, 0.5
	}
	if m.Alpha == Blend {
		m.BaseColor[3] = float32(Clamp01(float64(wm.Opacity)))
	}
	return p, m.Alpha != Opaque
}

// Ours are extras that a directive or parameter of the same name must not pretend to be.
var Ours = map[string]bool{"placeholder": true, "not_shown": true, "not_periodic": true, "surface_flags": true, "contents": true, "vmt_blend": true, "vmt_proxies": true}

package q3shader

// Stage is one pass of drawing a surface, drawn over the stages before it.
type Stage struct {
	Kind  MapKind
	Maps  []string // lower case, forward slashes, extension as given; one, or the frames of an Anim
	Clamp bool     // the image is clamped at its edges and does not repeat
	FPS   float32  // Anim: the frame floor(time · FPS) mod len(Maps) is shown

	Blend      *Blend // nil: the stage replaces what was drawn before
	BlendGiven bool   // the script has a blendFunc; if it is ONE ZERO, Blend is still nil
	AlphaFunc  AlphaFunc
	DepthWrite bool // after applying defaults: true unless blended, or if depthWrite was given

	RGBGen   Gen
	AlphaGen Gen // Const[0] is its constant
	TCGen    TCGen
	TCMods   []TCMod // in the order they are applied

	// Params are the directives that don't affect drawing in Quake III, in order. Raven's "surfacesprites" means
	// that the stage is drawn as sprites standing on the surface instead of on it, and "glow" that it also glows.
	Params []Param
}

// MapKind is the kind of a stage's Maps.
type MapKind uint8

const (
	Image    MapKind = iota // a file
	Lightmap                // the surface's lightmap, "$lightmap", white if it has none
	White                   // "$whiteimage"
	Anim                    // files, shown in turn
	Video                   // a RoQ film
	Builtin                 // another image that the engine makes: "$deluxemap", "$fromlevel", …
)

// Param returns the arguments of the last directive in Params with this name, which is in lower case.
func (s *Stage) Param(key string) (args []string, ok bool) { return findParam(s.Params, key) }

// Blend says how a stage is combined with what was drawn before: its colour · Src + the colour before · Dst.
type Blend struct{ Src, Dst Factor }

// The blend functions that have a name: add, filter and blend.
var (
	BlendAdd    = Blend{One, One}
	BlendFilter = Blend{DstColor, Zero}
	BlendAlpha  = Blend{SrcAlpha, OneMinusSrcAlpha}
)

// Factor is a blend factor of OpenGL.
type Factor uint8

const (
	Zero Factor = iota
	One
	SrcColor
	OneMinusSrcColor
	DstColor
	OneMinusDstColor
	SrcAlpha
	OneMinusSrcAlpha
	DstAlpha
	OneMinusDstAlpha
	SrcAlphaSaturate
)

// factorNames has the name of each Factor.
var factorNames = [...]string{
	"zero", "one", "src_color", "one_minus_src_color", "dst_color", "one_minus_dst_color", "src_alpha",
	"one_minus_src_alpha", "dst_alpha", "one_minus_dst_alpha", "src_alpha_saturate",
}

func (f Factor) String() string { return factorNames[f] }

// AlphaFunc says which pixels of a stage are drawn.
type AlphaFunc uint8

const (
	AlphaAll AlphaFunc = iota
	GT0                // alpha > 0
	LT128              // alpha < 128/255
	GE128              // alpha ≥ 128/255
	GE192              // alpha ≥ 192/255, Jedi Knight
)

var alphaFuncs = map[string]AlphaFunc{"gt0": GT0, "lt128": LT128, "ge128": GE128, "ge192": GE192}

// Gen is the source of a stage's colour or alpha.
type Gen struct {
	Kind  GenKind
	Const [3]float32 // GenConst: 0 to 1, display values
	Wave  Wave       // GenWave, clamped to 0 to 1
	Range float32    // GenPortal: distance in map units at which the surface is opaque
}

// GenKind is a source of colour or alpha. Identity is 1.
type GenKind uint8

const (
	GenIdentity         GenKind = iota
	GenIdentityLighting         // 1 / 2^overbrightBits: 1 if lightmaps have the full shift; colour only
	GenEntity                   // the entity's colour
	GenOneMinusEntity
	GenVertex      // the vertex's; colour is multiplied by identityLighting
	GenExactVertex // the vertex's, colour only
	GenOneMinusVertex
	GenLightingDiffuse  // from the light grid, colour only
	GenLightingSpecular // a highlight, alpha only
	GenConst
	GenWave
	GenPortal // distance to the viewer, alpha only
)

var rgbGens = map[string]GenKind{
	"identity": GenIdentity, "identitylighting": GenIdentityLighting, "entity": GenEntity,
	"oneminusentity": GenOneMinusEntity, "vertex": GenVertex, "exactvertex": GenExactVertex,
	"oneminusvertex": GenOneMinusVertex, "lightingdiffuse": GenLightingDiffuse, "const": GenConst, "wave": GenWave,
}

var alphaGens = map[string]GenKind{
	"identity": GenIdentity, "entity": GenEntity, "oneminusentity": GenOneMinusEntity, "vertex": GenVertex,
	"oneminusvertex": GenOneMinusVertex, "lightingspecular": GenLightingSpecular, "const": GenConst,
	"wave": GenWave, "portal": GenPortal,
}

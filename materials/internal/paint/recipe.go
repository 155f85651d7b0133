package paint

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
)

// Recipe describes how the stages of a shader produce the colour of a surface, at rest.
//
// The engine draws each stage over the result of those before. With L the light of the surface and D the background,
// the colour after each stage is
//
//	lit·L + glow + through·D
//
// as long as no stage multiplies light by light. lit becomes the base colour of a material that has a lightmap, glow its
// emission, and 1 - through its opacity. As in the engine, all values are display values, not linear.
type Recipe struct {
	Stages []Stage
	Light  Light
	Finer  float64 // the largest resolution of the picture, in multiples of its main image's; 0 means 1
	// Detailed lets the picture cover more periods of its main image, and be larger, so that no detail is left out.
	Detailed bool
	// Environment requests a Mirror: how much of the environment image each pixel shows.
	Environment bool
	// Behind requests the factor of the background, and whether something is added to it.
	Behind bool
	// WordOnly, with Behind, requests no picture of that factor: readers know only the word that says how a surface is blended.
	WordOnly bool
	// Apart draws only what the stages add to the background, which is Base times its alpha; Behind has the factor on the background.
	Apart bool
}

// Light is the source of L in a recipe.
type Light uint8

const (
	Unlit    Light = iota // no light: everything is in glow
	ByMap                 // the lightmap
	ByVertex              // the vertices' colours
)

// TypicalLight replaces the light where it would be squared.
const TypicalLight = 0.4

// Stage is a stage as it is drawn.
type Stage struct {
	Image string             // names the stage's picture; "" is white
	Gen   q3shader.TCGenKind // the source of its coordinates
	Clamp bool
	UV    [6]float64
	Color [3]float64 // multiplies the image
	Alpha float64    // multiplies the image's alpha
	Lit   bool       // the light multiplies the colour
	Blend *q3shader.Blend
	Test  q3shader.AlphaFunc
	Eye   bool // the stage shows the surroundings (tcGen environment), so a Mirror can be found
}

// Reflection returns the index of the only stage that shows the surroundings, or -1.
func (r *Recipe) Reflection() int {
	at := -1
	for i := range r.Stages {
		switch {
		case !r.Stages[i].Eye:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// hidden returns how many of a recipe's first stages a later stage covers everywhere.
func (r *Recipe) hidden() int {
	for i := len(r.Stages) - 1; i > 0; i-- {
		if l := &r.Stages[i]; l.Blend == nil && l.Test == q3shader.AlphaAll {
			return i
		}
	}
	return 0
}

// Doubles reports whether a stage multiplies what is below by twice itself.
func (l *Stage) Doubles() bool {
	return l.Blend != nil && *l.Blend == q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}
}

// Filters reports whether a stage multiplies what is below by itself.
func (l *Stage) Filters() bool {
	return l.Blend != nil && (*l.Blend == q3shader.BlendFilter || *l.Blend == q3shader.Blend{Src: q3shader.Zero, Dst: q3shader.SrcColor})
}

// MultipliesAndAdds reports whether a recipe's first stage multiplies the background and a later one adds to it, with the same light. It
// also does so if the first stage adds and a later one multiplies the sum, as with light on a reflecting pane.
func (r *Recipe) MultipliesAndAdds() bool {
	multiplies := func(l Stage) bool {
		return l.Filters() || l.Doubles() || l.Blend != nil && l.Blend.Src == q3shader.DstColor
	}
	adds := func(l Stage) bool { return l.Blend != nil && !multiplies(l) }
	first, later := r.Stages[0], r.Stages[1:]
	return r.Light != ByVertex && lights(r) <= 1 && (multiplies(first) && slices.ContainsFunc(later, adds) ||
		first.Blend != nil && *first.Blend == q3shader.BlendAdd && slices.ContainsFunc(later, multiplies))
}

// UsesAlpha reports whether the alpha of a stage's image affects the result.
func (l *Stage) UsesAlpha() bool {
	if l.Test != q3shader.AlphaAll {
		return true
	}
	return l.Blend != nil && (l.Blend.Src == q3shader.SrcAlpha || l.Blend.Src == q3shader.OneMinusSrcAlpha ||
		l.Blend.Dst == q3shader.SrcAlpha || l.Blend.Dst == q3shader.OneMinusSrcAlpha)
}

// Mean reports whether a picture gets only the mean colour of a stage's image, because its coordinates depend on the
// viewer, the light or the position.
func (l *Stage) Mean() bool { return l.Image != "" && l.Gen != q3shader.TCBase }

// Cutoffs are the alphas from which a pixel is drawn.
var Cutoffs = map[q3shader.AlphaFunc]float32{q3shader.GT0: 1.0 / 255, q3shader.GE128: 0.5, q3shader.GE192: 0.75}

// lights returns the number of stages on which light falls.
func lights(r *Recipe) (n int) {
	for i := range r.Stages {
		if r.Stages[i].Lit {
			n++
		}
	}
	return n
}

// maskOf returns the alpha test of the first stage if it alone decides what is drawn, because nothing later fills its
// holes. Then every pixel is drawn, and the stage's alpha is stored.
func maskOf(r *Recipe) q3shader.AlphaFunc {
	for i := range r.Stages {
		if l := &r.Stages[i]; (l.Blend == nil) != (i == 0) {
			return q3shader.AlphaAll
		}
	}
	return r.Stages[0].Test
}

// litOf reports whether the lightmap lights anything in the final colour, and the factor of 1 or more by which the lightmap must be scaled.
// The factor is from stages that double the light itself, or a result that is only light so far, instead of the colour.
func litOf(r *Recipe) (lit bool, gain float64) {
	gain = 1
	picture := false
	for i := range r.Stages {
		l := &r.Stages[i]
		if l.Blend == nil && l.Test == q3shader.AlphaAll {
			lit, gain, picture = false, 1, false
		}
		if l.Doubles() && (l.Image == "" || !picture) {
			gain *= 2
		}
		lit = lit || l.Lit
		picture = picture || l.Image != ""
	}
	if !lit || r.Light != ByMap {
		return false, 1
	}
	return true, gain
}

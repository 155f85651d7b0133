package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Recipe describes how the stages of a shader produce the colour of a surface, at rest.
//
// The engine draws each stage over the result of those before. With L the light of the surface and D the background,
// the colour after each stage is
//
//	lit·L + own + through·D
//
// as long as no stage multiplies light by light. lit becomes the base colour of a material that has a lightmap, own its
// emission, and 1 - through its opacity. As in the engine, all values are display values, not linear.
type Recipe struct {
	Layers  []Layer
	Details []Layer // detail textures that are not drawn into a picture
	Light   Light
	Finer   float64 // how many times finer than its main image the picture may be; 0 means 1
	// Detailed lets the picture cover more periods of its main image, and be larger, so that no detail is left out.
	Detailed bool
	// Environment requests how much of the reflection's picture each pixel shows.
	Environment bool
	// Behind requests what the background is multiplied by, and whether it is added to.
	Behind bool
}

// Light is the source of L in a recipe.
type Light uint8

const (
	Unlit    Light = iota // no light: everything is in own
	ByMap                 // the lightmap
	ByVertex              // the vertices' colours
)

// TypicalLight replaces the light where it would be squared.
const TypicalLight = 0.4

// Layer is a stage.
type Layer struct {
	Image  string             // an existing file, or "" for white
	Frames []string           // of an animMap: the files of its pictures that exist
	FPS    float64            // frames per second, of Frames
	Mods   []q3shader.TCMod   // what UV is computed from
	Wave   *q3shader.Wave     // of Color, which holds its mean
	Gen    q3shader.TCGenKind // the source of its coordinates
	Vector [2][3]float32      // of TCVector
	Clamp  bool
	UV     [6]float64
	Color  [3]float64 // multiplies the image
	Alpha  float64    // multiplies the image's alpha
	Lit    bool       // the light multiplies the colour
	Blend  *q3shader.Blend
	Test   q3shader.AlphaFunc
	Eye    bool           // tcGen environment: a reader that knows the eye can show it
	Tint   pbr.VertexTint // of the stage's colour, where Color holds a typical value
}

// Pictures reports whether a recipe uses an image.
func (r *Recipe) Pictures() bool {
	return slices.ContainsFunc(r.Layers, func(l Layer) bool { return l.Image != "" })
}

// Reflection returns the index of the only layer that shows the surroundings, or -1.
func (r *Recipe) Reflection() int {
	at := -1
	for i := range r.Layers {
		switch {
		case !r.Layers[i].Eye:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// IsDetail reports whether a layer is a detail texture: one that repeats many times within the main image and makes it
// lighter and darker around its middle grey, so that leaving it out does not change the mean colour.
func (l *Layer) IsDetail() bool {
	return l.Image != "" && !l.Lit && l.Doubles() && l.Color == [3]float64{1, 1, 1} &&
		math.Abs(l.UV[0]*l.UV[4]-l.UV[1]*l.UV[3]) >= 4
}

// Doubles reports whether a layer multiplies what is below by twice itself.
func (l *Layer) Doubles() bool {
	return l.Blend != nil && *l.Blend == q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}
}

// Filters reports whether a layer multiplies what is below by itself.
func (l *Layer) Filters() bool {
	return l.Blend != nil && (*l.Blend == q3shader.BlendFilter || *l.Blend == q3shader.Blend{Src: q3shader.Zero, Dst: q3shader.SrcColor})
}

// UsesAlpha reports whether the alpha of a layer's image affects the result.
func (l *Layer) UsesAlpha() bool {
	if l.Test != q3shader.AlphaAll {
		return true
	}
	return l.Blend != nil && (l.Blend.Src == q3shader.SrcAlpha || l.Blend.Src == q3shader.OneMinusSrcAlpha ||
		l.Blend.Dst == q3shader.SrcAlpha || l.Blend.Dst == q3shader.OneMinusSrcAlpha)
}

// Mean reports whether a picture gets only the mean colour of a layer's image, because its coordinates depend on the
// viewer, the light or the position.
func (l *Layer) Mean() bool { return l.Image != "" && l.Gen != q3shader.TCBase }

// Projection returns the planes that turn a position into texture coordinates, for TCVector.
func (l *Layer) Projection() *[2][4]float64 {
	var p [2][4]float64
	for k := range p {
		a, b := l.UV[3*k], l.UV[3*k+1]
		for x := range 3 {
			p[k][x] = float64(a*float64(l.Vector[0][x])) + float64(b*float64(l.Vector[1][x]))
		}
		p[k][3] = l.UV[3*k+2]
	}
	return &p
}

// key identifies the picture: recipes with different pictures have different keys.
func (r *Recipe) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "recipe %d %g %t", r.Light, r.Finer, r.Detailed)
	if r.Environment {
		b.WriteString(" environment")
	}
	if r.Behind {
		b.WriteString(" behind")
	}
	for i := range r.Layers {
		l := &r.Layers[i]
		fmt.Fprintf(&b, "|%q %d %t %g %g %g %t %v %d", l.Image, l.Gen, l.Clamp, l.UV, l.Color, l.Alpha, l.Lit, l.Blend, l.Test)
		if r.Environment && l.Eye {
			b.WriteString(" eye")
		}
	}
	return b.String()
}

// Cutoffs are the alphas from which a pixel is drawn.
var Cutoffs = map[q3shader.AlphaFunc]float32{q3shader.GT0: 1.0 / 255, q3shader.GE128: 0.5, q3shader.GE192: 0.75}

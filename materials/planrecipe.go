package materials

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
)

// recipe is how the stages of a shader make the colour of a surface, at rest.
//
// The engine draws stage after stage into what is there. With L the light of the surface and D what was drawn behind
// it, the colour after each stage is
//
//	lit·L + own + through·D
//
// as long as no stage multiplies light by light. lit becomes the base colour of a material that has a lightmap, own
// its emission, and through the opposite of its opacity. All values are as displayed, not linear, as in the engine.
type recipe struct {
	layers []layer
	light  light
	finer  float64 // how many times finer than its main image the picture may be; 0 is 1
	// detailed says that the picture may cover more periods of its main image, and be larger, so that no detail is left out.
	detailed bool
}

// light is what the L of a recipe is.
type light uint8

const (
	unlit    light = iota // nothing: all is own
	byMap                 // the lightmap
	byVertex              // the vertices' colours
)

// typicalLight stands for the light where it would be squared.
const typicalLight = 0.4

// layer is a stage.
type layer struct {
	image  string             // a file that exists, or "" for white
	gen    q3shader.TCGenKind // where its coordinates come from
	vector [2][3]float32      // of TCVector
	clamp  bool
	uv     [6]float64
	color  [3]float64 // multiplies the image
	alpha  float64    // multiplies the image's alpha
	lit    bool       // the light multiplies the colour
	blend  *q3shader.Blend
	test   q3shader.AlphaFunc
}

// pictures tells whether a recipe has an image.
func (r *recipe) pictures() bool {
	return slices.ContainsFunc(r.layers, func(l layer) bool { return l.image != "" })
}

// isDetail tells whether a layer is a detail texture: one that repeats many times within the main image and makes it
// lighter and darker about its middle grey, so that leaving it out changes no colour.
func (l *layer) isDetail() bool {
	return l.image != "" && !l.lit && l.doubles() && l.color == [3]float64{1, 1, 1} &&
		math.Abs(l.uv[0]*l.uv[4]-l.uv[1]*l.uv[3]) >= 4
}

// doubles tells whether a layer multiplies what is there by twice itself.
func (l *layer) doubles() bool {
	return l.blend != nil && *l.blend == q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}
}

// filters tells whether a layer multiplies what is there by itself.
func (l *layer) filters() bool {
	return l.blend != nil && (*l.blend == q3shader.BlendFilter || *l.blend == q3shader.Blend{Src: q3shader.Zero, Dst: q3shader.SrcColor})
}

// usesAlpha tells whether the alpha of a layer's image is of any account.
func (l *layer) usesAlpha() bool {
	if l.test != q3shader.AlphaAll {
		return true
	}
	return l.blend != nil && (l.blend.Src == q3shader.SrcAlpha || l.blend.Src == q3shader.OneMinusSrcAlpha ||
		l.blend.Dst == q3shader.SrcAlpha || l.blend.Dst == q3shader.OneMinusSrcAlpha)
}

// mean tells whether only the mean colour of a layer's image goes into a picture: its coordinates depend on the eye,
// the light or the place.
func (l *layer) mean() bool { return l.image != "" && l.gen != q3shader.TCBase }

// projection is what makes texture coordinates of a position, for TCVector.
func (l *layer) projection() *[2][4]float64 {
	var p [2][4]float64
	for k := range p {
		a, b := l.uv[3*k], l.uv[3*k+1]
		for x := range 3 {
			p[k][x] = float64(a*float64(l.vector[0][x])) + float64(b*float64(l.vector[1][x]))
		}
		p[k][3] = l.uv[3*k+2]
	}
	return &p
}

// key tells recipes apart that make different pictures.
func (r *recipe) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "recipe %d %g %t", r.light, r.finer, r.detailed)
	for i := range r.layers {
		l := &r.layers[i]
		fmt.Fprintf(&b, "|%q %d %t %g %g %g %t %v %d", l.image, l.gen, l.clamp, l.uv, l.color, l.alpha, l.lit, l.blend, l.test)
	}
	return b.String()
}

// cutoffs are the alphas from which a pixel is drawn.
var cutoffs = map[q3shader.AlphaFunc]float32{q3shader.GT0: 1.0 / 255, q3shader.GE128: 0.5, q3shader.GE192: 0.75}

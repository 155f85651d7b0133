package materials

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
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
}

// light is what the L of a recipe is.
type light uint8

const (
	unlit    light = iota // nothing: all is own
	byMap                 // the lightmap
	byVertex              // the vertices' colours
)

// layer is a stage.
type layer struct {
	image string // a file that exists, or "" for white
	mean  bool   // only the image's mean colour is known: its coordinates depend on the eye or the light
	clamp bool
	uv    [6]float64
	color [3]float64 // multiplies the image
	alpha float64    // multiplies the image's alpha
	lit   bool       // the light multiplies the colour
	blend *q3shader.Blend
	test  q3shader.AlphaFunc
}

var identity = [6]float64{1, 0, 0, 0, 1, 0}

// opaqueImage tells that an image has no alpha without reading it.
func opaqueImage(name string) bool {
	return name == "" || strings.HasSuffix(name, ".jpg") || strings.HasSuffix(name, ".jpeg")
}

// simple is a recipe that needs no picture to be made: an image for the base colour, and perhaps one that is added.
type simple struct {
	base      int // layer, or -1 for a plain colour
	baseColor [3]float64
	glow      int // layer whose image is added, or -1
	glowColor [3]float64
	glows     bool
	unlit     bool // the base is the surface's own colour, light does not touch it
	alpha     Alpha
	cutoff    float32
	opacity   float64
	gain      float64 // of the light, as displayed
}

// term is a product of a colour and at most one image; the zero term is none.
type term struct {
	set   bool
	coef  [3]float64
	layer int // whose image, or -1
}

func (t term) times(u term) (term, bool) {
	if !t.set || !u.set {
		return term{}, true
	}
	if t.layer >= 0 && u.layer >= 0 {
		return term{}, false
	}
	out := term{set: true, layer: max(t.layer, u.layer)}
	for k := range out.coef {
		out.coef[k] = t.coef[k] * u.coef[k]
	}
	return out, true
}

func (t term) plus(u term) (term, bool) {
	switch {
	case !t.set:
		return u, true
	case !u.set:
		return t, true
	case t.layer != u.layer:
		return term{}, false
	}
	for k := range t.coef {
		t.coef[k] += u.coef[k]
	}
	return t, true
}

// mix is a colour in the making: lit·L + own.
type mix struct{ lit, own term }

func (m mix) times(s term) (mix, bool) {
	lit, ok1 := m.lit.times(s)
	own, ok2 := m.own.times(s)
	return mix{lit, own}, ok1 && ok2
}

// typicalLight stands for the light where it would be squared.
const typicalLight = 0.4

// multiply is m · s where s may be lit itself.
func (m mix) multiply(s term, lit bool) (mix, bool) {
	out, ok := m.times(s)
	if !lit || !ok {
		return out, ok
	}
	squared := out.lit
	for k := range squared.coef {
		squared.coef[k] *= typicalLight
	}
	sum, ok := squared.plus(out.own)
	return mix{lit: sum}, ok
}

// simplify finds the simple form of a recipe; ok is false where a picture has to be made.
func (r *recipe) simplify() (s simple, ok bool) {
	s = simple{base: -1, glow: -1, opacity: 1}
	var m mix
	for i := range r.layers {
		l := &r.layers[i]
		if l.mean && l.image != "" {
			return s, false
		}
		src := term{set: l.color != [3]float64{}, coef: l.color, layer: -1}
		if l.image != "" {
			src.layer = i
		}
		if !src.set && i > 0 && l.blend != nil && *l.blend == q3shader.BlendAdd {
			continue // adds nothing
		}
		if l.test != q3shader.AlphaAll && (i > 0 || !opaqueImage(l.image)) {
			if i > 0 || l.test == q3shader.LT128 || l.blend != nil {
				return s, false
			}
			s.alpha, s.cutoff = Mask, cutoffs[l.test]
		}
		put := mix{own: src}
		if l.lit {
			put = mix{lit: src}
		}
		switch b := l.blend; {
		case b == nil:
			m = put
			s.alpha = min(s.alpha, Mask)
			if i > 0 {
				s.alpha = Opaque // it covers what was masked
			}
		case i == 0 && *b == q3shader.BlendAlpha:
			m = put
			s.alpha, s.opacity = Blend, l.alpha
			if opaqueImage(l.image) && l.alpha >= 1 {
				s.alpha = Opaque
			}
		case i == 0:
			return s, false
		case *b == q3shader.BlendAdd, *b == q3shader.Blend{Src: q3shader.SrcAlpha, Dst: q3shader.One} && opaqueImage(l.image) && l.alpha >= 1:
			if s.alpha == Blend {
				return s, false
			}
			lit, ok1 := m.lit.plus(put.lit)
			own, ok2 := m.own.plus(put.own)
			if !ok1 || !ok2 {
				return s, false
			}
			m = mix{lit, own}
		case l.doubles():
			if m, ok = m.multiply(src, l.lit); !ok {
				return s, false
			}
			m, _ = m.times(term{set: true, coef: [3]float64{2, 2, 2}, layer: -1})
		case *b == q3shader.BlendFilter, *b == q3shader.Blend{Src: q3shader.Zero, Dst: q3shader.SrcColor}:
			if m, ok = m.multiply(src, l.lit); !ok {
				return s, false
			}
		default:
			return s, false
		}
	}
	return s.settle(m)
}

// cutoffs are the alphas from which a pixel is drawn.
var cutoffs = map[q3shader.AlphaFunc]float32{q3shader.GT0: 1.0 / 255, q3shader.GE128: 0.5, q3shader.GE192: 0.75}

// settle gives the terms their places in a material.
func (s simple) settle(m mix) (simple, bool) {
	base, glow := m.lit, m.own
	if !base.set {
		base, glow, s.unlit = m.own, term{}, true
	}
	if !base.set {
		base = term{set: true, layer: -1} // black
	}
	s.base, s.baseColor = base.layer, base.coef
	if glow.set {
		s.glows, s.glow, s.glowColor = true, glow.layer, glow.coef
	}
	s.gain = 1
	if most := max(s.baseColor[0], s.baseColor[1], s.baseColor[2]); most > 1 && !s.unlit {
		s.gain = most
		for k := range s.baseColor {
			s.baseColor[k] /= most
		}
	}
	return s, true
}

// newRecipe makes the recipe of a shader's stages. find returns the file of an image, or "".
// Without detail, detail textures are left out.
func newRecipe(stages []q3shader.Stage, lighting world.Lighting, detail bool, find func(string) string) (r recipe, missing, cut []string) {
	r.light = lightOf(stages, lighting)
	for i := range stages {
		st := &stages[i]
		l := layer{uv: identity, color: [3]float64{1, 1, 1}, alpha: 1, blend: st.Blend, test: st.AlphaFunc, clamp: st.Clamp}
		if _, ok := st.Param("surfacesprites"); ok {
			cut = append(cut, "surfaceSprites")
			continue
		}
		switch {
		case st.Kind == q3shader.Lightmap || lighting == world.Lightmap && isLightImage(st):
			l.lit = r.light == byMap
		case st.Kind == q3shader.Image || st.Kind == q3shader.Anim:
			if st.Kind == q3shader.Anim {
				cut = append(cut, "animMap")
			}
			if l.image = find(st.Maps[0]); l.image == "" {
				missing = append(missing, st.Maps[0])
				continue
			}
			l.uv = st.Matrix(0)
			switch st.TCGen.Kind {
			case q3shader.TCEnvironment:
				l.mean = true
				cut = append(cut, "tcGen environment")
			case q3shader.TCLightmap:
				l.mean = true
				cut = append(cut, "tcGen lightmap")
			case q3shader.TCVector:
				l.mean = true
				cut = append(cut, "tcGen vector")
			}
			cut = append(cut, moving(st)...)
		case st.Kind == q3shader.Video || st.Kind == q3shader.Builtin:
			cut = append(cut, "videoMap")
			continue
		}
		l.generate(st, r.light)
		if !detail && i > 0 && l.isDetail() {
			cut = append(cut, "detail texture")
			continue
		}
		r.layers = append(r.layers, l)
	}
	return r, missing, cut
}

// isDetail tells whether a layer is a detail texture: one that repeats many times within the main image and makes it
// lighter and darker about its middle grey, so that leaving it out changes no colour.
func (l *layer) isDetail() bool {
	return l.image != "" && !l.lit && l.doubles() && l.color == [3]float64{1, 1, 1} &&
		math.Abs(l.uv[0]*l.uv[4]-l.uv[1]*l.uv[3]) >= 4
}

// moving names the tcMods that move, which a still picture leaves out.
func moving(st *q3shader.Stage) (cut []string) {
	for _, m := range st.TCMods {
		switch m.Kind {
		case q3shader.TCTurb:
			cut = append(cut, "tcMod turb")
		case q3shader.TCScroll:
			cut = append(cut, "tcMod scroll")
		case q3shader.TCRotate:
			cut = append(cut, "tcMod rotate")
		case q3shader.TCStretch:
			cut = append(cut, "tcMod stretch")
		}
	}
	return cut
}

// lightOf tells what lights a shader's stages. A lightmap stage on a surface without one is white in the engine.
func lightOf(stages []q3shader.Stage, lighting world.Lighting) light {
	vertex := false
	for i := range stages {
		st := &stages[i]
		if lighting == world.Lightmap && (st.Kind == q3shader.Lightmap || isLightImage(st)) {
			return byMap
		}
		switch st.RGBGen.Kind {
		case q3shader.GenVertex, q3shader.GenExactVertex, q3shader.GenLightingDiffuse:
			vertex = true
		}
	}
	if vertex {
		return byVertex
	}
	return unlit
}

// generate resolves a stage's rgbGen and alphaGen. A wave is at its mean.
func (l *layer) generate(st *q3shader.Stage, by light) {
	scale := func(v float64) {
		for k := range l.color {
			l.color[k] *= v
		}
	}
	switch g := st.RGBGen; g.Kind {
	case q3shader.GenVertex, q3shader.GenExactVertex, q3shader.GenLightingDiffuse:
		l.lit = l.lit || by == byVertex
	case q3shader.GenConst:
		for k := range l.color {
			l.color[k] *= clamp01(float64(g.Const[k]))
		}
	case q3shader.GenWave:
		scale(waveMean(g.Wave))
	case q3shader.GenOneMinusVertex, q3shader.GenOneMinusEntity:
		scale(0)
	}
	switch g := st.AlphaGen; g.Kind {
	case q3shader.GenConst:
		l.alpha = clamp01(float64(g.Const[0]))
	case q3shader.GenWave:
		l.alpha = waveMean(g.Wave)
	case q3shader.GenLightingSpecular:
		l.alpha = typicalHighlight
	case q3shader.GenOneMinusEntity:
		l.alpha = 0
	}
}

// typicalHighlight stands for alphaGen lightingSpecular, which depends on the eye: cos⁴ over a half sphere.
const typicalHighlight = 0.1

// waveMean is the mean of a wave over its period, clamped as the engine does.
func waveMean(w q3shader.Wave) float64 {
	const steps = 64
	if w.Freq == 0 {
		return clamp01(float64(w.At(0)))
	}
	sum := 0.0
	for i := range steps {
		sum += clamp01(float64(w.At(float64(i) / steps / float64(w.Freq))))
	}
	return sum / steps
}

func clamp01(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, 0), 1)
}

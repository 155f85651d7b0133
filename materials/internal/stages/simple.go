package stages

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// simple is the form of a recipe that needs no combined image: an image for the base colour, and optionally one that
// is added.
type simple struct {
	base      int // stage, or -1 for a plain colour
	baseColor [3]float64
	glow      int // stage whose image is added, or -1
	glowColor [3]float64
	glows     bool
	unlit     bool // the base is the surface's glow colour, unaffected by light
	alpha     pbr.Alpha
	cutoff    float32
	opacity   float64
	gain      float64 // of the light, for display values
}

// term is a product of a colour and at most one image; the zero term adds nothing.
type term struct {
	set   bool
	coef  [3]float64
	layer int // of the image, or -1
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

func (t term) scale(v float64) term {
	for k := range t.coef {
		t.coef[k] *= v
	}
	return t
}

// clamp limits a plain colour to 1 as the engine's framebuffer does.
func (t term) clamp() term {
	if t.layer < 0 {
		for k := range t.coef {
			t.coef[k] = min(t.coef[k], 1)
		}
	}
	return t
}

// mix is an intermediate colour: lit·L + glow.
type mix struct{ lit, glow term }

// multiply returns m · s; s may be lit itself. It returns false if a term can't hold the product.
func (m mix) multiply(s term, lit bool) (mix, bool) {
	l, ok1 := m.lit.times(s)
	glow, ok2 := m.glow.times(s)
	if !lit || !ok1 || !ok2 {
		return mix{l, glow}, ok1 && ok2
	}
	sum, ok := l.scale(paint.TypicalLight).plus(glow)
	return mix{lit: sum}, ok
}

// opaqueImage reports whether an image's format has no alpha, by its name.
func opaqueImage(name string) bool {
	return name == "" || !images.HasAlpha(name)
}

// solid reports whether a stage's alpha is 1 everywhere, by the name of its image.
func (l *stage) solid() bool { return opaqueImage(l.Image) && l.Alpha >= 1 }

// simplify returns the simple form of a recipe; ok is false if a picture has to be drawn.
func simplify(r *recipe) (s simple, ok bool) {
	s = simple{base: -1, glow: -1, opacity: 1}
	var m mix
	for i := range r.stages {
		l := &r.stages[i]
		if l.Gen == q3shader.TCEnvironment && l.Image != "" {
			return s, false
		}
		src := term{set: l.Color != [3]float64{}, coef: l.Color, layer: -1}
		if l.Image != "" {
			src.layer = i
		}
		solid := l.solid()
		if l.Test != q3shader.AlphaAll && !(solid && l.Test != q3shader.LT128) {
			if i > 0 || l.Test == q3shader.LT128 || l.Blend != nil || l.Alpha < 1 {
				return s, false
			}
			s.alpha, s.cutoff = pbr.Mask, paint.Cutoffs[l.Test]
		}
		put := mix{glow: src}
		if l.Lit {
			put = mix{lit: src}
		}
		adds := l.Blend != nil && (*l.Blend == q3shader.BlendAdd ||
			*l.Blend == q3shader.Blend{Src: q3shader.SrcAlpha, Dst: q3shader.One} && opaqueImage(l.Image))
		switch {
		case l.Blend == nil && i == 0:
			m = put
		case l.Blend == nil: // it covers everything before it, even in the holes
			m = put
			s.alpha, s.cutoff, s.opacity = pbr.Opaque, 0, 1
		case i == 0 && *l.Blend == q3shader.BlendAlpha:
			m = put
			if !solid {
				s.alpha, s.opacity = pbr.Blend, l.Alpha
			}
		case i == 0 || s.alpha == pbr.Blend && !l.Filters() && !(r.glows && i == len(r.stages)-1):
			return s, false
		case adds && !src.set:
		case adds:
			if l.Blend.Src == q3shader.SrcAlpha {
				put.lit, put.glow = put.lit.scale(l.Alpha), put.glow.scale(l.Alpha)
			}
			var ok1, ok2 bool
			m.lit, ok1 = m.lit.plus(put.lit)
			m.glow, ok2 = m.glow.plus(put.glow)
			if !ok1 || !ok2 {
				return s, false
			}
			m.glow = m.glow.clamp()
		case l.Filters(), l.Doubles():
			if m, ok = m.multiply(src, l.Lit); !ok {
				return s, false
			}
			if l.Doubles() {
				m.lit, m.glow = m.lit.scale(2), m.glow.scale(2)
			}
			m.glow = m.glow.clamp()
		default:
			return s, false
		}
	}
	return s.settle(r, m)
}

// settle assigns the terms to a material's base and glow.
func (s simple) settle(r *recipe, m mix) (simple, bool) {
	base, glow := m.lit, m.glow
	if !base.set {
		base, glow, s.unlit = m.glow, term{}, true
	}
	if !base.set {
		base = term{set: true, layer: -1} // black
	}
	s.base, s.baseColor = base.layer, base.coef
	if glow.set {
		if r.light != paint.ByMap && (!r.emits || s.unlit) {
			return s, false // a material without a lightmap has no emission
		}
		s.glows, s.glow, s.glowColor = true, glow.layer, glow.coef
		if glow.layer >= 0 && (r.stages[glow.layer].Mean() || base.layer >= 0 && r.stages[base.layer].Mean()) {
			return s, false // the two share coordinates
		}
	}
	s.gain = 1
	if most := max(s.baseColor[0], s.baseColor[1], s.baseColor[2]); most > 1 {
		if s.unlit || r.light != paint.ByMap {
			return s, false // there is no light to scale
		}
		s.gain = most
		for k := range s.baseColor {
			s.baseColor[k] /= most
		}
	}
	return s, true
}

// principal returns the nearest simple form of a recipe without drawing a picture: its first whole image.
func principal(r *recipe) simple {
	s := simple{base: -1, glow: -1, baseColor: [3]float64{1, 1, 1}, opacity: 1, gain: 1, unlit: r.light == paint.Unlit}
	for i := range r.stages {
		l := &r.stages[i]
		if l.Image == "" || s.base >= 0 && (l.Blend != nil || l.Mean()) {
			continue
		}
		s.base, s.baseColor = i, l.Color
		s.alpha, s.cutoff, s.opacity = pbr.Opaque, 0, 1
		if i == 0 && l.Blend != nil {
			s.alpha, s.opacity = pbr.Blend, l.Alpha
		} else if i == 0 && l.Test != q3shader.AlphaAll && l.Test != q3shader.LT128 {
			s.alpha, s.cutoff = pbr.Mask, paint.Cutoffs[l.Test]
		}
	}
	return s
}

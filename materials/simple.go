package materials

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
)

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

func (t term) scale(v float64) term {
	for k := range t.coef {
		t.coef[k] *= v
	}
	return t
}

// clamp limits a plain colour as the screen does.
func (t term) clamp() term {
	if t.layer < 0 {
		for k := range t.coef {
			t.coef[k] = min(t.coef[k], 1)
		}
	}
	return t
}

// mix is a colour in the making: lit·L + own.
type mix struct{ lit, own term }

// multiply is m · s where s may be lit itself.
func (m mix) multiply(s term, lit bool) (mix, bool) {
	l, ok1 := m.lit.times(s)
	own, ok2 := m.own.times(s)
	if !lit || !ok1 || !ok2 {
		return mix{l, own}, ok1 && ok2
	}
	sum, ok := l.scale(typicalLight).plus(own)
	return mix{lit: sum}, ok
}

// opaqueImage tells that an image has no alpha without reading it.
func opaqueImage(name string) bool {
	return name == "" || strings.HasSuffix(name, ".jpg") || strings.HasSuffix(name, ".jpeg")
}

// simplify finds the simple form of a recipe; ok is false where a picture has to be made.
func simplify(r *recipe) (s simple, ok bool) {
	s = simple{base: -1, glow: -1, opacity: 1}
	var m mix
	for i := range r.layers {
		l := &r.layers[i]
		if l.gen == q3shader.TCEnvironment && l.image != "" {
			return s, false
		}
		src := term{set: l.color != [3]float64{}, coef: l.color, layer: -1}
		if l.image != "" {
			src.layer = i
		}
		solid := opaqueImage(l.image) && l.alpha >= 1 // its alpha is 1 everywhere
		if l.test != q3shader.AlphaAll && !(solid && l.test != q3shader.LT128) {
			if i > 0 || l.test == q3shader.LT128 || l.blend != nil || l.alpha < 1 {
				return s, false
			}
			s.alpha, s.cutoff = Mask, cutoffs[l.test]
		}
		put := mix{own: src}
		if l.lit {
			put = mix{lit: src}
		}
		adds := l.blend != nil && (*l.blend == q3shader.BlendAdd ||
			*l.blend == q3shader.Blend{Src: q3shader.SrcAlpha, Dst: q3shader.One} && opaqueImage(l.image))
		switch {
		case l.blend == nil && i == 0:
			m = put
		case l.blend == nil: // it covers what was before, its holes too
			m = put
			s.alpha, s.cutoff, s.opacity = Opaque, 0, 1
		case i == 0 && *l.blend == q3shader.BlendAlpha:
			m = put
			if !solid {
				s.alpha, s.opacity = Blend, l.alpha
			}
		case i == 0 || s.alpha == Blend && !l.filters():
			return s, false
		case adds && !src.set:
		case adds:
			if l.blend.Src == q3shader.SrcAlpha {
				put.lit, put.own = put.lit.scale(l.alpha), put.own.scale(l.alpha)
			}
			var ok1, ok2 bool
			m.lit, ok1 = m.lit.plus(put.lit)
			m.own, ok2 = m.own.plus(put.own)
			if !ok1 || !ok2 {
				return s, false
			}
			m.own = m.own.clamp()
		case l.filters(), l.doubles():
			if m, ok = m.multiply(src, l.lit); !ok {
				return s, false
			}
			if l.doubles() {
				m.lit, m.own = m.lit.scale(2), m.own.scale(2)
			}
			m.own = m.own.clamp()
		default:
			return s, false
		}
	}
	return s.settle(r, m)
}

// settle gives the terms their places in a material.
func (s simple) settle(r *recipe, m mix) (simple, bool) {
	base, glow := m.lit, m.own
	if !base.set {
		base, glow, s.unlit = m.own, term{}, true
	}
	if !base.set {
		base = term{set: true, layer: -1} // black
	}
	s.base, s.baseColor = base.layer, base.coef
	if glow.set {
		if r.light != byMap {
			return s, false // a material without a lightmap has no emission
		}
		s.glows, s.glow, s.glowColor = true, glow.layer, glow.coef
		if glow.layer >= 0 && (r.layers[glow.layer].mean() || base.layer >= 0 && r.layers[base.layer].mean()) {
			return s, false // the two share coordinates
		}
	}
	s.gain = 1
	if most := max(s.baseColor[0], s.baseColor[1], s.baseColor[2]); most > 1 {
		if s.unlit || r.light != byMap {
			return s, false // there is no light to be more of
		}
		s.gain = most
		for k := range s.baseColor {
			s.baseColor[k] /= most
		}
	}
	return s, true
}

// principal is the nearest simple form of a recipe without making a picture: its first whole image.
func principal(r *recipe) simple {
	s := simple{base: -1, glow: -1, baseColor: [3]float64{1, 1, 1}, opacity: 1, gain: 1, unlit: r.light == unlit}
	for i := range r.layers {
		l := &r.layers[i]
		if l.image == "" || s.base >= 0 && (l.blend != nil || l.mean()) {
			continue
		}
		s.base, s.baseColor = i, l.color
		s.alpha, s.cutoff, s.opacity = Opaque, 0, 1
		if i == 0 && l.blend != nil {
			s.alpha, s.opacity = Blend, l.alpha
		} else if i == 0 && l.test != q3shader.AlphaAll && l.test != q3shader.LT128 {
			s.alpha, s.cutoff = Mask, cutoffs[l.test]
		}
	}
	return s
}

// Package paint draws pixels: the stages of a shader, blended textures, palettes, normal maps and the like. It is independent of files and
// materials.
package paint

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
)

// Canvas is a row of the picture while it is drawn. A pixel is lit·L + glow + through·D, with three planes of three values each. Planes
// that are zero everywhere are skipped, which for most stages are two of the three.
type Canvas struct {
	Planes [3]plane
	// If the first stage has holes, later blended stages keep them: depthFunc equal, stated or not.
	holes   bool
	written []bool // with holes: the pixels that some stage has filled
	first   bool   // nothing is drawn yet
	unlit   bool   // no light falls on the picture: at the end lit holds glow
	open    bool   // values are not clamped
	apart   bool   // the factor on the background is not part of the picture
	drawn   []bool
	spare   []float32 // for a plane that is needed twice
	before  [3]plane  // the previous planes, for a stage that does not cover every pixel
	product [3]plane  // the previous result times a stage
}

const (
	LitPlane = iota
	GlowPlane
	throughPlane
)

type plane struct {
	Set    bool
	Values []float32
}

// NewCanvas returns a row of width pixels with nothing drawn on it.
func NewCanvas(width int) *Canvas {
	c := &Canvas{spare: make([]float32, 3*width), written: make([]bool, width), drawn: make([]bool, width)}
	for i := range c.Planes {
		c.Planes[i].Values = make([]float32, 3*width)
	}
	return c
}

// Clear starts a row: the background shows everywhere.
func (c *Canvas) Clear() {
	c.Planes[LitPlane].Set, c.Planes[GlowPlane].Set, c.Planes[throughPlane].Set = false, false, true
	through := c.Planes[throughPlane].Values
	for i := range through {
		through[i] = 1
	}
	c.first, c.holes = true, false
}

// as copies the state of another canvas.
func (c *Canvas) as(from *Canvas) {
	from.save(&c.Planes)
	copy(c.written, from.written)
	c.first, c.holes = from.first, from.holes
}

// save copies the planes to another set.
func (c *Canvas) save(to *[3]plane) {
	for i := range c.Planes {
		p, q := &c.Planes[i], &to[i]
		if q.Values == nil {
			q.Values = make([]float32, len(p.Values))
		}
		if q.Set = p.Set; p.Set {
			copy(q.Values, p.Values)
		}
	}
}

// times multiplies a plane by values.
func (p *plane) times(v []float32) {
	if p.Set {
		q := p.Values[:len(v)]
		for i := range q {
			q[i] *= v[i]
		}
	}
}

// scale multiplies a plane by a number.
func (p *plane) scale(v float32) {
	if p.Set {
		for i := range p.Values {
			p.Values[i] *= v
		}
	}
}

// timesAlpha multiplies a plane by one value a pixel, or by one minus it.
func (p *plane) timesAlpha(a []float32, inverse bool) {
	if !p.Set {
		return
	}
	for x, f := range a {
		if inverse {
			f = 1 - f
		}
		q := p.Values[3*x : 3*x+3 : 3*x+3]
		q[0], q[1], q[2] = q[0]*f, q[1]*f, q[2]*f
	}
}

// plus adds values to a plane.
func (p *plane) plus(v []float32) {
	if !p.Set {
		copy(p.Values, v)
		p.Set = true
		return
	}
	q := p.Values[:len(v)]
	for i := range q {
		q[i] += v[i]
	}
}

// multiplyPlanes multiplies all planes by a stage. Where light would be squared, one factor is the typical light.
func multiplyPlanes(planes *[3]plane, rgb []float32, lit bool) {
	for i := range planes {
		planes[i].times(rgb)
	}
	if !lit {
		return
	}
	l, glow := &planes[LitPlane], &planes[GlowPlane]
	l.scale(TypicalLight)
	if glow.Set {
		if l.Set {
			l.plus(glow.Values)
		} else {
			l.Values, glow.Values = glow.Values, l.Values
			l.Set = true
		}
		glow.Set = false
	}
	planes[throughPlane].scale(TypicalLight)
}

// Over draws a stage over the row so far.
func (c *Canvas) Over(l *Stage, rgb, alpha []float32) {
	first := c.first
	c.first = false
	leaves := c.holes && l.Blend != nil
	if l.Test == q3shader.AlphaAll && !leaves {
		c.holes = c.holes && l.Blend != nil
		c.blend(l, rgb, alpha)
		return
	}
	for x, a := range alpha {
		c.drawn[x] = passes(l.Test, a) && (!leaves || c.written[x])
	}
	switch {
	case l.Blend == nil && first:
		c.holes = true
		copy(c.written, c.drawn)
	case l.Blend == nil && c.holes:
		for x, drawn := range c.drawn {
			c.written[x] = c.written[x] || drawn
		}
	}
	c.save(&c.before)
	c.blend(l, rgb, alpha)
	for i := range c.Planes {
		p, q := &c.Planes[i], &c.before[i]
		if !p.Set && !q.Set {
			continue
		}
		for x, drawn := range c.drawn {
			for k := 3 * x; k < 3*x+3; k++ {
				switch {
				case !drawn && q.Set:
					p.Values[k] = q.Values[k]
				case !drawn || !p.Set:
					p.Values[k] = 0
				}
			}
		}
		p.Set = true
	}
}

// passes reports whether an alpha passes a test.
func passes(test q3shader.AlphaFunc, a float32) bool {
	switch test {
	case q3shader.GT0:
		return a > 0
	case q3shader.LT128:
		return a < 127.5/255
	case q3shader.GE128:
		return a >= 127.5/255
	case q3shader.GE192:
		return a >= 191.5/255
	}
	return true
}

// blend draws a stage on every pixel of the row.
func (c *Canvas) blend(l *Stage, rgb, alpha []float32) {
	to := &c.Planes[GlowPlane]
	if l.Lit {
		to = &c.Planes[LitPlane]
	}
	switch {
	case l.Blend == nil:
		for i := range c.Planes {
			c.Planes[i].Set = false
		}
		to.plus(rgb)
		return
	case l.Filters():
		multiplyPlanes(&c.Planes, rgb, l.Lit)
		return
	case l.Doubles():
		multiplyPlanes(&c.Planes, rgb, l.Lit)
		for i := range c.Planes {
			c.Planes[i].scale(2)
		}
		c.clamp()
		return
	}
	ofBefore := l.Blend.Src == q3shader.DstColor || l.Blend.Src == q3shader.OneMinusDstColor
	if ofBefore {
		c.save(&c.product)
		multiplyPlanes(&c.product, rgb, l.Lit)
	}
	// The previous result.
	switch l.Blend.Dst {
	case q3shader.One, q3shader.DstAlpha: // the engine's framebuffer has an alpha of 1
	case q3shader.SrcColor:
		multiplyPlanes(&c.Planes, rgb, l.Lit)
	case q3shader.OneMinusSrcColor:
		f := float32(1)
		if l.Lit {
			f = TypicalLight
		}
		for i, v := range rgb {
			c.spare[i] = 1 - float32(f*v)
		}
		for i := range c.Planes {
			c.Planes[i].times(c.spare)
		}
	case q3shader.SrcAlpha, q3shader.OneMinusSrcAlpha:
		for i := range c.Planes {
			c.Planes[i].timesAlpha(alpha, l.Blend.Dst == q3shader.OneMinusSrcAlpha)
		}
	default: // Zero, OneMinusDstAlpha
		for i := range c.Planes {
			c.Planes[i].Set = false
		}
	}
	// The stage.
	switch l.Blend.Src {
	case q3shader.One, q3shader.DstAlpha, q3shader.OneMinusDstColor:
		to.plus(rgb)
	case q3shader.SrcAlpha, q3shader.OneMinusSrcAlpha:
		part := plane{true, c.spare}
		copy(part.Values, rgb)
		part.timesAlpha(alpha, l.Blend.Src == q3shader.OneMinusSrcAlpha)
		to.plus(part.Values)
	}
	for i := range c.Planes {
		if q := &c.product[i]; ofBefore && q.Set {
			if l.Blend.Src == q3shader.OneMinusDstColor {
				q.scale(-1)
			}
			c.Planes[i].plus(q.Values)
		}
	}
	if *l.Blend != q3shader.BlendAlpha {
		c.clamp()
	}
}

// clamp limits the planes to 1 as the engine's framebuffer does, except light that is scaled up later. Where the light
// would darken, which glTF can't express, a typical light does.
func (c *Canvas) clamp() {
	if c.open {
		return
	}
	lit, glow := &c.Planes[LitPlane], &c.Planes[GlowPlane]
	if lit.Set {
		for k, v := range lit.Values {
			if v < 0 {
				lit.Values[k] = 0
				if glow.Set {
					glow.Values[k] += float32(v * TypicalLight)
				}
			}
		}
	}
	if glow.Set {
		limitTo(glow.Values, 1)
	}
	// The background may be dark enough to be doubled.
	if through := &c.Planes[throughPlane]; through.Set {
		limitTo(through.Values, 2)
	}
}

// limitTo limits values to 0 and most.
func limitTo(values []float32, most float32) {
	for k, v := range values {
		if v < 0 {
			values[k] = 0
		} else if v > most {
			values[k] = most
		}
	}
}

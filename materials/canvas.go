package materials

import "github.com/bsp2gltf/bsp2gltf/materials/q3shader"

// canvas is a row of the picture in the making: lit·L + own + through·D, three values a pixel. A plane that is zero
// everywhere is not touched: most stages leave two of the three so.
type canvas struct {
	planes [3]plane
	// Where the first stage has holes, later ones that are blended leave them: depthFunc equal, said or not.
	holes   bool
	written []bool // with holes: the pixels that a stage has filled
	first   bool   // nothing was drawn
	unlit   bool   // no light falls on the picture: in the end lit holds own
	drawn   []bool
	spare   []float32 // for a plane that is needed twice
	before  [3]plane  // the planes before a stage that is not drawn everywhere
	product [3]plane  // what was there times a stage
}

const (
	litPlane = iota
	ownPlane
	throughPlane
)

type plane struct {
	set bool
	v   []float32
}

func newCanvas(width int) *canvas {
	c := &canvas{spare: make([]float32, 3*width), written: make([]bool, width), drawn: make([]bool, width)}
	for i := range c.planes {
		c.planes[i].v = make([]float32, 3*width)
	}
	return c
}

// clear starts a row: what is behind shows everywhere.
func (c *canvas) clear() {
	c.planes[litPlane].set, c.planes[ownPlane].set, c.planes[throughPlane].set = false, false, true
	through := c.planes[throughPlane].v
	for i := range through {
		through[i] = 1
	}
	c.first, c.holes = true, false
}

// save copies the planes to a set of others.
func (c *canvas) save(to *[3]plane) {
	for i := range c.planes {
		p, q := &c.planes[i], &to[i]
		if q.v == nil {
			q.v = make([]float32, len(p.v))
		}
		if q.set = p.set; p.set {
			copy(q.v, p.v)
		}
	}
}

// times multiplies a plane by values.
func (p *plane) times(v []float32) {
	if p.set {
		q := p.v[:len(v)]
		for i := range q {
			q[i] *= v[i]
		}
	}
}

// scale multiplies a plane by a number.
func (p *plane) scale(v float32) {
	if p.set {
		for i := range p.v {
			p.v[i] *= v
		}
	}
}

// timesAlpha multiplies a plane by a value a pixel, or by one minus it.
func (p *plane) timesAlpha(a []float32, inverse bool) {
	if !p.set {
		return
	}
	for x, f := range a {
		if inverse {
			f = 1 - f
		}
		q := p.v[3*x : 3*x+3 : 3*x+3]
		q[0], q[1], q[2] = q[0]*f, q[1]*f, q[2]*f
	}
}

// plus adds values to a plane.
func (p *plane) plus(v []float32) {
	if !p.set {
		copy(p.v, v)
		p.set = true
		return
	}
	q := p.v[:len(v)]
	for i := range q {
		q[i] += v[i]
	}
}

// multiplyPlanes multiplies all of planes by a layer. Light times light is the typical light times light.
func multiplyPlanes(planes *[3]plane, rgb []float32, lit bool) {
	for i := range planes {
		planes[i].times(rgb)
	}
	if !lit {
		return
	}
	l, own := &planes[litPlane], &planes[ownPlane]
	l.scale(typicalLight)
	if own.set {
		if l.set {
			l.plus(own.v)
		} else {
			l.v, own.v = own.v, l.v
			l.set = true
		}
		own.set = false
	}
	planes[throughPlane].scale(typicalLight)
}

// over draws a layer on the row.
func (c *canvas) over(l *layer, rgb, alpha []float32) {
	first := c.first
	c.first = false
	leaves := c.holes && l.blend != nil
	if l.test == q3shader.AlphaAll && !leaves {
		c.holes = c.holes && l.blend != nil
		c.blend(l, rgb, alpha)
		return
	}
	for x, a := range alpha {
		c.drawn[x] = passes(l.test, a) && (!leaves || c.written[x])
	}
	switch {
	case l.blend == nil && first:
		c.holes = true
		copy(c.written, c.drawn)
	case l.blend == nil && c.holes:
		for x, drawn := range c.drawn {
			c.written[x] = c.written[x] || drawn
		}
	}
	c.save(&c.before)
	c.blend(l, rgb, alpha)
	for i := range c.planes {
		p, q := &c.planes[i], &c.before[i]
		if !p.set && !q.set {
			continue
		}
		for x, drawn := range c.drawn {
			for k := 3 * x; k < 3*x+3; k++ {
				switch {
				case !drawn && q.set:
					p.v[k] = q.v[k]
				case !drawn || !p.set:
					p.v[k] = 0
				}
			}
		}
		p.set = true
	}
}

// passes is the alpha test.
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

// blend draws a layer on every pixel of the row.
func (c *canvas) blend(l *layer, rgb, alpha []float32) {
	to := &c.planes[ownPlane]
	if l.lit {
		to = &c.planes[litPlane]
	}
	switch {
	case l.blend == nil:
		for i := range c.planes {
			c.planes[i].set = false
		}
		to.plus(rgb)
		return
	case l.filters():
		multiplyPlanes(&c.planes, rgb, l.lit)
		return
	case l.doubles():
		multiplyPlanes(&c.planes, rgb, l.lit)
		for i := range c.planes {
			c.planes[i].scale(2)
		}
		c.clamp()
		return
	}
	ofBefore := l.blend.Src == q3shader.DstColor || l.blend.Src == q3shader.OneMinusDstColor
	if ofBefore {
		c.save(&c.product)
		multiplyPlanes(&c.product, rgb, l.lit)
	}
	// What was there.
	switch l.blend.Dst {
	case q3shader.One, q3shader.DstAlpha: // the screen's alpha is 1
	case q3shader.SrcColor:
		multiplyPlanes(&c.planes, rgb, l.lit)
	case q3shader.OneMinusSrcColor:
		f := float32(1)
		if l.lit {
			f = typicalLight
		}
		for i, v := range rgb {
			c.spare[i] = 1 - float32(f*v)
		}
		for i := range c.planes {
			c.planes[i].times(c.spare)
		}
	case q3shader.SrcAlpha, q3shader.OneMinusSrcAlpha:
		for i := range c.planes {
			c.planes[i].timesAlpha(alpha, l.blend.Dst == q3shader.OneMinusSrcAlpha)
		}
	default: // Zero, OneMinusDstAlpha
		for i := range c.planes {
			c.planes[i].set = false
		}
	}
	// The layer.
	switch l.blend.Src {
	case q3shader.One, q3shader.DstAlpha, q3shader.OneMinusDstColor:
		to.plus(rgb)
	case q3shader.SrcAlpha, q3shader.OneMinusSrcAlpha:
		part := plane{true, c.spare}
		copy(part.v, rgb)
		part.timesAlpha(alpha, l.blend.Src == q3shader.OneMinusSrcAlpha)
		to.plus(part.v)
	}
	for i := range c.planes {
		if q := &c.product[i]; ofBefore && q.set {
			if l.blend.Src == q3shader.OneMinusDstColor {
				q.scale(-1)
			}
			c.planes[i].plus(q.v)
		}
	}
	if *l.blend != q3shader.BlendAlpha {
		c.clamp()
	}
}

// clamp limits the planes as the screen does, but for light that is brought up later. Where light makes darker, which
// glTF can't, a typical light does.
func (c *canvas) clamp() {
	lit, own := &c.planes[litPlane], &c.planes[ownPlane]
	if lit.set {
		for k, v := range lit.v {
			if v < 0 {
				lit.v[k] = 0
				if own.set {
					own.v[k] += float32(v * typicalLight)
				}
			}
		}
	}
	if own.set {
		for k, v := range own.v {
			own.v[k] = min(max(v, 0), 1)
		}
	}
	// What is behind may be dark enough to be made twice as bright.
	if through := &c.planes[throughPlane]; through.set {
		for k, v := range through.v {
			through.v[k] = min(max(v, 0), 2)
		}
	}
}

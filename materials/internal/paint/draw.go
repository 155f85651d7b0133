package paint

import (
	"bytes"
	"context"
	"image"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// lateGlow is the number of pixels from which a glow is drawn after its base colour was encoded, if Draw may.
const lateGlow = 1 << 19

// Draw evaluates the recipe for every pixel of c and stores the results as base colour, alpha and emission. It fails
// only when ctx ends.
func (c *Combined) Draw(ctx context.Context, r *Recipe) error {
	at := -1 // the stage of the surroundings
	if r.Environment {
		at = r.Reflection()
	}
	if n := r.hidden(); n > 0 {
		shown := *r
		shown.Stages = r.Stages[n:]
		r, at = &shown, max(at-n, -1)
		c.Samplers = c.Samplers[n:]
	}
	p := c.drawer(r)
	mirrored, behind := p.reflects(c, r, at), p.background(c, r)
	var over *image.NRGBA
	if c.DrawOver && mirrored.readsOnce() && behind.readsOnce() {
		over = p.drawnOver(c)
	}
	if c.Base = over; over == nil {
		c.Base = image.NewNRGBA(image.Rect(0, 0, c.Width, c.Height))
	}
	late := c.DrawOver && over == nil && c.Width*c.Height >= lateGlow
	covered, emits := true, false
	glow := make([]byte, len(p.black))
	for y := range c.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		solid, adds := p.row(y, c.Base.Pix[y*c.Base.Stride:(y+1)*c.Base.Stride], glow)
		covered = covered && solid
		if adds && !late && (c.Glow != nil || !bytes.Equal(glow, p.black)) {
			if c.Glow == nil {
				c.Glow = blackPicture(c.Width, c.Height)
			}
			copy(c.Glow.Pix[y*c.Glow.Stride:], glow)
		}
		emits = emits || adds && shines(glow, c.Width)
	}
	p.watched = nil
	if !emits {
		c.Glow = nil
	} else if late {
		c.late = p
	}
	c.Glows = emits
	switch l := &p.layers[0]; {
	case p.mask != q3shader.AlphaAll && !c.Base.Opaque():
		c.Alpha, c.Cutoff = pbr.Mask, Cutoffs[p.mask]
		if p.mask == q3shader.LT128 {
			c.Cutoff = 0.5
		}
	case covered:
		c.Alpha, c.Cutoff = pbr.Opaque, 0
	default:
		c.Alpha = pbr.Blend
		if l.Blend == nil && l.Test != q3shader.AlphaAll {
			c.Alpha, c.Cutoff = pbr.Mask, 0.5
		}
		bleed(c.Base)
	}
	if err := c.behind(ctx, r, p, behind); err != nil {
		return err
	}
	var err error
	c.Mirror, err = c.mirror(ctx, r, p, mirrored)
	return err
}

// DrawGlow draws the emission over the base colour, which must have been used, if Draw has left it out.
func (c *Combined) DrawGlow(ctx context.Context) error {
	p := c.late
	if p == nil {
		return nil
	}
	c.late = nil
	if c.Glow = c.Base; c.Alpha == pbr.Blend && c.Mirror != nil {
		c.Glow = image.NewNRGBA(c.Base.Rect) // the Share needs the base's alpha
	} else {
		c.Base = nil
	}
	row := make([]byte, len(p.black))
	for y := range c.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		glow := c.Glow.Pix[y*c.Glow.Stride:][:len(row)]
		if _, adds := p.row(y, row, glow); !adds {
			copy(glow, p.black)
		}
	}
	return nil
}

// Drop frees the pixels.
func (c *Combined) Drop() {
	c.Samplers, c.Base, c.Glow, c.late = nil, nil, nil, nil
	if c.Mirror != nil {
		c.Mirror.Share, c.Mirror.late = nil, nil
	}
	if c.Behind != nil {
		c.Behind.Picture, c.Behind.late = nil, nil
	}
}

// drawer makes the samplers of c. With DrawOver it uses them up, which frees the images that were scaled.
func (c *Combined) drawer(r *Recipe) *drawer {
	p := &drawer{stages: r.Stages, layers: r.Stages, mask: maskOf(r), canvas: NewCanvas(c.Width), black: blackPicture(c.Width, 1).Pix}
	if p.mask != q3shader.AlphaAll {
		p.layers = append([]Stage(nil), p.layers...)
		p.layers[0].Test = q3shader.AlphaAll
	}
	for i := range p.layers {
		p.samplers = append(p.samplers, c.Samplers[i]())
		if c.DrawOver {
			c.Samplers[i] = nil
		}
	}
	p.rgb, p.alpha = make([]float32, 3*c.Width), make([]float32, c.Width)
	p.lit, c.Gain = litOf(r)
	p.gain = float32(c.Gain)
	c.Unlit, p.canvas.unlit, p.canvas.apart = !p.lit, !p.lit, r.Apart
	return p
}

// drawnOver returns the image of a sampler that c can be drawn over, or nil: its rows are read only by that sampler, each before that
// row is drawn. The alpha of a mask is written before the stages after the first are read.
func (p *drawer) drawnOver(c *Combined) *image.NRGBA {
	for i := range p.samplers {
		im := p.samplers[i].im
		if im == nil || !p.samplers[i].tile || im.Rect != image.Rect(0, 0, c.Width, c.Height) || im.Stride != 4*c.Width || i > 0 &&
			p.mask != q3shader.AlphaAll {
			continue
		}
		if !slices.ContainsFunc(p.samplers[:i], func(s sampler) bool { return s.im == im }) &&
			!slices.ContainsFunc(p.samplers[i+1:], func(s sampler) bool { return s.im == im }) {
			return im
		}
	}
	return nil
}

// row draws a row of base colour with its alpha, and of emission if adds is true. covered reports whether nothing behind shows
// through.
func (p *drawer) row(y int, base, glow []byte) (covered, adds bool) {
	cv := p.canvas
	cv.Clear()
	for _, w := range p.watched {
		w.clear()
	}
	for i := range p.layers {
		rgb, alpha := p.samplers[i].Row(y, p.rgb, p.alpha)
		for _, w := range p.watched {
			w.over(i, rgb, alpha)
		}
		if i == 0 {
			maskRow(base, alpha, p.mask)
		}
		cv.Over(&p.layers[i], rgb, alpha)
	}
	for _, w := range p.watched {
		w.row(len(p.alpha))
	}
	l, o := &cv.Planes[LitPlane], &cv.Planes[GlowPlane]
	if !p.lit && o.Set { // no emission without a lightmap: everything becomes base colour
		l.plus(o.Values)
		o.Set = false
	}
	if !l.Set {
		clear(l.Values)
	}
	if !o.Set {
		return cv.settle(base, nil, p.gain, p.mask != q3shader.AlphaAll), false
	}
	copy(glow, p.black)
	return cv.settle(base, glow, p.gain, p.mask != q3shader.AlphaAll), true
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

// maskRow writes the alpha of a mask. For LT128, which keeps low alphas, the alpha is inverted.
func maskRow(row []byte, alpha []float32, mask q3shader.AlphaFunc) {
	if mask == q3shader.AlphaAll {
		return
	}
	for x, a := range alpha {
		row[4*x+3] = Value(a)
		if mask == q3shader.LT128 {
			row[4*x+3] = 255 - Value(a)
		}
	}
}

// litOf reports whether the lightmap lights anything in the final colour, and the factor above 1 by which it must be
// scaled: stages that double the light itself, or a result that is only light so far, are not part of the colour.
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

// settle writes a row of base colour and alpha, and of emission if glow is not nil. If masked, the alpha is already
// written. It reports whether nothing behind shows through.
func (c *Canvas) settle(row, glow []byte, gain float32, masked bool) bool {
	covered := true
	lit, added, through := &c.Planes[LitPlane], &c.Planes[GlowPlane], &c.Planes[throughPlane]
	if masked || !through.Set {
		store(row, lit.Values, gain)
		if !masked {
			for i := 3; i < len(row); i += 4 {
				row[i] = 255
			}
		}
		if glow != nil {
			store(glow, added.Values, 1)
		}
		return true
	}
	for x := range len(row) / 4 {
		v := [3]float32{lit.Values[3*x], lit.Values[3*x+1], lit.Values[3*x+2]}
		p := row[4*x : 4*x+4 : 4*x+4]
		p[3] = 255
		if c.tints(x) {
			covered = false
			c.tint(x, p)
			continue
		}
		opacity := c.opacity(x)
		if opacity < 0.998 {
			covered = false
			if p[3] = Value(opacity); p[3] == 0 {
				p[0], p[1], p[2] = 0, 0, 0
				continue
			}
			v[0], v[1], v[2] = v[0]/opacity, v[1]/opacity, v[2]/opacity
		}
		p[0], p[1], p[2] = Value(v[0]/gain), Value(v[1]/gain), Value(v[2]/gain)
		if glow != nil {
			for k := range 3 {
				glow[4*x+k] = Value(added.Values[3*x+k] / opacity)
			}
		}
	}
	return covered
}

// store writes the colours of a row, divided by gain, and leaves its alpha.
func store(row []byte, values []float32, gain float32) {
	for x := range len(row) / 4 {
		v, p := values[3*x:3*x+3:3*x+3], row[4*x:4*x+4:4*x+4]
		if gain == 1 {
			p[0], p[1], p[2] = Value(v[0]), Value(v[1]), Value(v[2])
		} else {
			p[0], p[1], p[2] = Value(v[0]/gain), Value(v[1]/gain), Value(v[2]/gain)
		}
	}
}

// tints reports whether a pixel colours or brightens what is behind it, which an opacity can't express. With light on
// top of it no single colour would do.
func (c *Canvas) tints(x int) bool {
	const same = 1.0 / 255
	t := c.Planes[throughPlane].Values[3*x : 3*x+3 : 3*x+3]
	return c.unlit && !c.apart && (max(t[0], t[1], t[2])-min(t[0], t[1], t[2]) > same || t[0] > 1+same)
}

// tint approximates glow + through·D by a blend D·(1-a) + b·a that is the same for a grey D of one half. a is the
// greatest distance of through from 1, or more if b would be out of range otherwise.
func (c *Canvas) tint(x int, px []byte) {
	t := c.Planes[throughPlane].Values[3*x : 3*x+3 : 3*x+3]
	var added [3]float32
	if p := &c.Planes[LitPlane]; p.Set { // draw has put it there
		added = [3]float32(p.Values[3*x:])
	}
	a := float32(0)
	for k, o := range added {
		a = max(a, 1-t[k], t[k]-1, float32(2*o)+t[k]-1)
	}
	a = min(a, 1)
	for k, o := range added {
		px[k] = Value((o + float32((t[k]-1+a)/2)) / a)
	}
	px[3] = Value(a)
}

// opacity returns how much of the background is hidden: at least enough for the colour to be within range.
func (c *Canvas) opacity(x int) float32 {
	through, most := float32(0), float32(0)
	for k := 3 * x; k < 3*x+3; k++ {
		through += c.Planes[throughPlane].Values[k] / 3
		sum := float32(0)
		for i := range 2 {
			if c.Planes[i].Set {
				sum += c.Planes[i].Values[k]
			}
		}
		most = max(most, sum)
	}
	return min(max(1-through, min(most, 1)), 1)
}

// shines reports whether a row of emission contains more than rounding errors.
func shines(row []byte, width int) bool {
	if row != nil {
		for x := range width {
			if p := row[4*x : 4*x+4 : 4*x+4]; max(p[0], p[1], p[2]) > 3 {
				return true
			}
		}
	}
	return false
}

// bleed gives fully transparent pixels the mean colour of the others, so that filtering causes no dark fringe.
func bleed(im *image.NRGBA) {
	var sum [3]int
	n := 0
	for i := 0; i+3 < len(im.Pix); i += 4 {
		if im.Pix[i+3] != 0 {
			n++
			for k := range sum {
				sum[k] += int(im.Pix[i+k])
			}
		}
	}
	for i := 0; i+3 < len(im.Pix); i += 4 {
		if im.Pix[i+3] == 0 {
			for k := range sum {
				im.Pix[i+k] = uint8(sum[k] / max(n, 1))
			}
		}
	}
}

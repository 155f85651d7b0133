package paint

import (
	"bytes"
	"context"
	"image"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/levels"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// lateGlow is the number of pixels from which on the emission is drawn after the base colour was encoded, if Draw may do so.
const lateGlow = 1 << 19

// Draw evaluates the recipe for every pixel and passes its pictures to show, one after another: the base, then the emission, the share of
// the environment and the factor of the background, if there are any. It sets all fields of c before the first call. With DrawOver
// show must not keep a picture, because the next may be drawn over it. Draw uses up c's samplers. It fails if show does, or if ctx ends.
func (c *Combined) Draw(ctx context.Context, r *Recipe, show func(Part, *image.NRGBA) error) error {
	at := -1 // the stage of the environment
	if r.Environment {
		at = r.Reflection()
	}
	defer func() { c.Samplers = nil }()
	if n := r.hidden(); n > 0 {
		shown := *r
		shown.Stages = r.Stages[n:]
		r, at = &shown, max(at-n, -1)
		c.Samplers = c.Samplers[n:]
	}
	p := c.drawer(r)
	if v := p.levels(c); v != nil {
		return c.drawLevels(ctx, r, at, p, v, show)
	}
	return c.drawAll(ctx, r, at, p, show)
}

// drawAll draws all pictures from the recipe's images.
func (c *Combined) drawAll(ctx context.Context, r *Recipe, at int, p *drawer, show func(Part, *image.NRGBA) error) error {
	d, err := c.draw(ctx, r, at, p)
	if err != nil {
		return err
	}
	if err := show(BasePart, d.base); err != nil {
		return err
	}
	if c.Glows {
		if d.glow == nil {
			if d.glow = d.base; c.Alpha == pbr.Blend && c.Mirror != nil {
				d.glow = image.NewNRGBA(d.base.Rect) // the share needs the base's alpha
			}
			if err := p.glow(ctx, d.glow); err != nil {
				return err
			}
		}
		if err := show(GlowPart, d.glow); err != nil {
			return err
		}
		d.glow = nil // only one picture is in memory beside the base
	}
	if d.shareDiffers {
		share, err := d.share(ctx, c)
		if err == nil {
			err = show(SharePart, share)
		}
		if err != nil {
			return err
		}
	}
	if c.Behind != nil {
		behind, err := d.background(ctx, c)
		if err == nil {
			err = show(BehindPart, behind)
		}
		return err
	}
	return nil
}

// levels returns the levels of a recipe's only image, if each channel of the result depends only on the same channel of the image, and on
// its alpha if some stage uses that. It returns nil for other recipes, and if the image does not have many more pixels than levels.
func (p *drawer) levels(c *Combined) *levels.Levels {
	if l := &p.layers[0]; l.Blend != nil || l.Test != q3shader.AlphaAll { // what is behind shows through
		return nil
	}
	var only *image.NRGBA
	byAlpha := p.mask != q3shader.AlphaAll
	for i := range p.samplers {
		im := p.samplers[i].im
		if im == nil {
			continue
		}
		if !p.samplers[i].tile || im.Rect != image.Rect(0, 0, c.Width, c.Height) || im.Stride != 4*c.Width || only != nil && im != only {
			return nil
		}
		only, byAlpha = im, byAlpha || p.layers[i].UsesAlpha()
	}
	if only == nil || c.Width*c.Height < 1024 {
		return nil
	}
	if v := levels.Of(only, byAlpha); 2*v.Size() <= c.Width*c.Height {
		return v
	}
	return nil
}

// drawLevels draws c from a picture of the levels of its image. Properties of all pixels, such as the greatest share of the environment,
// are the same for both.
func (c *Combined) drawLevels(ctx context.Context, r *Recipe, at int, p *drawer, v *levels.Levels,
	show func(Part, *image.NRGBA) error) error {
	picture := v.Picture(min(c.Width, 256))
	few := &Combined{Width: picture.Rect.Dx(), Height: picture.Rect.Dy()}
	var im *image.NRGBA
	for _, s := range p.samplers {
		if s.im != nil {
			im, s.im = s.im, picture
		} else {
			s.rgb, s.alpha = s.rgb[:3*few.Width], s.alpha[:few.Width]
		}
		few.Samplers = append(few.Samplers, func() sampler { return s })
	}
	d, err := few.draw(ctx, r, at, few.drawer(r))
	if err != nil {
		return err
	}
	c.Alpha, c.Cutoff, c.Glows, c.Mirror = few.Alpha, few.Cutoff, few.Glows, few.Mirror
	// spread shows a part with the pixels of a picture of the levels. It is drawn over another picture, if it may be.
	spread := func(part Part, from, over *image.NRGBA) (*image.NRGBA, error) {
		if !c.DrawOver {
			over = nil
		}
		out, err := v.Spread(ctx, from, over)
		if err == nil {
			err = show(part, out)
		}
		return out, err
	}
	over := im
	if few.Glows || d.shareDiffers {
		over = nil // the image is read again
	}
	base, err := spread(BasePart, d.base, over)
	if err == nil && c.Glows {
		_, err = spread(GlowPart, d.glow, base)
	}
	if err == nil && d.shareDiffers {
		var share *image.NRGBA
		if share, err = d.share(ctx, few); err == nil {
			_, err = spread(SharePart, share, im)
		}
	}
	return err
}

// firstDrawing is the result of the first drawing, from which the other pictures are drawn.
type firstDrawing struct {
	base             *image.NRGBA
	glow             *image.NRGBA // nil if there is no emission, or if it is drawn after the base was shown
	mirrored, behind *watched
	samplers         []sampler
	shareDiffers     bool    // between pixels, and it is not in the base
	typical          float32 // the light that the values of the background assume for the lightmap
}

// draw evaluates the recipe for every pixel of c.
func (c *Combined) draw(ctx context.Context, r *Recipe, at int, p *drawer) (*firstDrawing, error) {
	d := &firstDrawing{mirrored: p.reflects(c, r, at), behind: p.background(c, r), samplers: p.samplers}
	var over *image.NRGBA
	if c.DrawOver && !d.mirrored.rereads() && !d.behind.rereads() {
		over = p.drawnOver(c)
	}
	if d.base = over; over == nil {
		d.base = image.NewNRGBA(image.Rect(0, 0, c.Width, c.Height))
	}
	late := c.DrawOver && over == nil && c.Width*c.Height >= lateGlow
	covered, emits := true, false
	glow := make([]byte, len(p.black))
	for y := range c.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		solid, adds := p.row(y, d.base.Pix[y*d.base.Stride:(y+1)*d.base.Stride], glow)
		covered = covered && solid
		if adds && !late && (d.glow != nil || !bytes.Equal(glow, p.black)) {
			if d.glow == nil {
				d.glow = blackPicture(c.Width, c.Height)
			}
			copy(d.glow.Pix[y*d.glow.Stride:], glow)
		}
		emits = emits || adds && shines(glow, c.Width)
	}
	p.watched = nil
	if c.Glows = emits; !c.Glows {
		d.glow = nil
	}
	switch l := &p.layers[0]; {
	case p.mask != q3shader.AlphaAll && !d.base.Opaque():
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
		bleed(d.base)
	}
	if err := d.findBackground(ctx, c, r); err != nil {
		return nil, err
	}
	return d, d.findMirror(ctx, c, r, p)
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

// glow draws the emission.
func (p *drawer) glow(ctx context.Context, to *image.NRGBA) error {
	base := make([]byte, len(p.black))
	for y := range to.Rect.Dy() {
		if y%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		glow := to.Pix[y*to.Stride:][:len(base)]
		if _, adds := p.row(y, base, glow); !adds {
			copy(glow, p.black)
		}
	}
	return nil
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

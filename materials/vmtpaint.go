package materials

import (
	"context"
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// softMask is the mean width of a mask's transition, of the vertices' alpha, from which on a layer is shown by its opacity
// alone: a texel is either there or not, and what comes in by and by would come in at once.
const softMask = 0.3

// makePaint makes the picture of a paint.
func (mk *maker) makePaint(ctx context.Context, m *made, j *job, b *limit.Budget) error {
	p := j.paint
	base, err := mk.decode(p.base, p.form.frame, 0, b)
	if err != nil {
		return m.broken(p.base, err)
	}
	defer base.release()
	m.clamp = base.clamp
	m.files = append(m.files, p.base)
	if base.cut != "" {
		m.issues = append(m.issues, world.Issue{Code: "image-cut", Where: p.base, Detail: base.cut})
	}
	var over *image.NRGBA
	switch {
	case p.over == p.base:
		over = base.im
	case p.over != "":
		second, err := mk.decode(p.over, p.second, 0, b)
		if err != nil { // the base is shown without it
			if err := m.broken(p.over, err); err != nil {
				return err
			}
			break
		}
		defer second.release()
		over = second.im
		m.files = append(m.files, p.over)
	}
	im := base.im
	if p.form.pixels == tinted {
		paintTint(im, p.form.tint, p.form.over)
	}
	m.soft = p.mode == covered && (over == nil || meanColor(over, false)[0] > softMask)
	if (over != nil || p.over == "") && !m.soft {
		c := spread(p, base.im, over)
		if err := b.Pixels(c.width, c.height); err != nil {
			return m.broken(j.name, err)
		}
		size := int64(4*c.width*c.height) * 3 // with both textures resized
		if err := b.Reserve(size); err != nil {
			return err
		}
		defer b.Release(size)
		if im, err = c.draw(ctx, p, base.im, over); err != nil {
			return err
		}
	}
	change(p.form.pixels, im)
	return mk.encode(m, j.name, im, j.alpha && !m.soft && !im.Opaque())
}

// brush is how a paint's picture lies on its textures.
type brush struct {
	width, height int
	uv            [6]float64 // from the picture's coordinates to those of what is drawn over
	mean          bool       // which can't repeat with the base: its mean is drawn
}

// plan settles the size of a picture that repeats as its base does: as fine as what is drawn over, within what is
// reasonable. What is drawn over repeats a whole number of times.
func spread(p *overpaint, base, over *image.NRGBA) brush {
	c := brush{width: base.Rect.Dx(), height: base.Rect.Dy(), uv: p.uv}
	if over == nil {
		return c
	}
	if !whole(c.uv) {
		for _, k := range []int{0, 1, 3, 4} {
			c.uv[k] = math.Round(c.uv[k])
		}
	}
	if math.Abs(float64(c.uv[0]*c.uv[4])-float64(c.uv[1]*c.uv[3])) < 0.5 {
		c.uv, c.mean = identity, true
		return c
	}
	side := func(own, other int, repeats float64) int {
		most := max(float64(own), min(canvasMost, max(p.finer, 1)*float64(own)))
		return int(min(max(float64(own), float64(other)*repeats), most))
	}
	c.width = side(c.width, over.Rect.Dx(), max(math.Abs(c.uv[0]), math.Abs(c.uv[3])))
	c.height = side(c.height, over.Rect.Dy(), max(math.Abs(c.uv[1]), math.Abs(c.uv[4])))
	return c
}

// draw makes the picture. It fails only when ctx ends.
func (c *brush) draw(ctx context.Context, p *overpaint, base, over *image.NRGBA) (*image.NRGBA, error) {
	out := image.NewNRGBA(image.Rect(0, 0, c.width, c.height))
	l := layer{color: white, alpha: 1}
	if !base.Opaque() {
		l.blend = &q3shader.BlendAlpha // its alpha goes along
	}
	below := newSampler(base, &l, identity, c.width, c.height)
	above := newSampler(nil, &l, identity, c.width, c.height)
	if over != nil {
		l := layer{color: white, alpha: 1}
		if mixes[p.mode].alpha {
			l.blend = &q3shader.BlendAlpha
		}
		if c.mean {
			l.gen = q3shader.TCEnvironment
		}
		above = newSampler(over, &l, c.uv, c.width, c.height)
	}
	rgb, alpha := make([]float32, 3*c.width), make([]float32, c.width)
	rgb2, alpha2 := make([]float32, 3*c.width), make([]float32, c.width)
	m := newMixer(p.mode, p.factor, p.tint)
	for y := range c.height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rgb, alpha := below.row(y, rgb, alpha)
		rgb2, alpha2 := above.row(y, rgb2, alpha2)
		row := out.Pix[y*out.Stride : (y+1)*out.Stride]
		for x := range alpha {
			a := [4]float32{decodeSRGB(rgb[3*x]), decodeSRGB(rgb[3*x+1]), decodeSRGB(rgb[3*x+2]), alpha[x]}
			a = m.over(a, [4]float32{rgb2[3*x], rgb2[3*x+1], rgb2[3*x+2], alpha2[x]})
			px := row[4*x : 4*x+4 : 4*x+4]
			px[0], px[1], px[2], px[3] = encodeSRGB(a[0]), encodeSRGB(a[1]), encodeSRGB(a[2]), value(a[3])
		}
	}
	return out, nil
}

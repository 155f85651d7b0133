package paint

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Surface holds the result of Source's generic shaders for a material's textures, before light falls on it. Source SDK 2013,
// materialsystem/stdshaders: lightmappedgeneric_ps2_3_x.h, vertexlit_and_unlit_generic_ps2x.fxc and _bump_ps2x.fxc, skin_ps20b.fxc.
type Surface struct {
	Detail  Mix // how a detail texture changes the base, if there is one
	After   bool
	Tint    [3]float32 // linear, not limited to 1: multiplies the colour
	Places  bool       // the base's alpha is the amount of the tint
	Over    float32    // with Places: the share of the tint that replaces the colour, 0 to 1
	Glow    float32    // where the mask is white: the share of the colour that is emitted instead of lit, 0 to 1
	Light   [3]float32 // linear: multiplies the emission, except that of a detail
	Last    bool       // the light that a detail adds is not dimmed where the surface glows
	Unlit   bool       // the light that a detail adds is part of the colour
	Shown   bool       // the base's alpha is opacity
	Pixels  Pixels     // how the colour changes the background: AsStored, Added, AddedByAlpha, Modulated or Multiplied
	Opacity float32    // of pixels that are not AsStored: multiplies the base's alpha, 0 to 1
}

// Draw makes the picture that is lit and the picture of the emission, which is nil if there is none. over is the detail texture. mask is
// the texture of the emission's amount; if it is nil, the base's alpha is the mask. Draw fails only if ctx ends.
func (s *Surface) Draw(ctx context.Context, b *Brush, base, over, mask *image.NRGBA) (lit, glow *image.NRGBA, err error) {
	d := drawing{surface: s, width: b.Width}
	draw := d.row
	if d.byBytes(b, base, over, mask) {
		by := newDirect(&d, base, mask)
		draw = by.row
	} else {
		d.samplers(b, base, over, mask)
	}
	lit = image.NewNRGBA(image.Rect(0, 0, b.Width, b.Height))
	if s.Glow > 0 || over != nil && s.Detail.Mode.Late() && !s.Unlit {
		glow = blackPicture(b.Width, b.Height)
	}
	for y := range b.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		row := lit.Pix[y*lit.Stride : (y+1)*lit.Stride]
		if glow == nil {
			draw(y, row, nil)
		} else {
			draw(y, row, glow.Pix[y*glow.Stride:(y+1)*glow.Stride])
		}
	}
	return lit, glow, nil
}

// drawing is a surface with its textures.
type drawing struct {
	surface *Surface
	width   int
	mixer   Mixer
	base    channels
	over    *channels // nil without a detail texture
	mask    *channels // nil if the base's alpha is the mask
}

// channels read a texture's colour and alpha.
type channels struct {
	color sampler
	alpha *sampler // nil: that of color
	// The row that was read last.
	rgb, opacity, grey []float32
}

func (d *drawing) samplers(b *Brush, base, over, mask *image.NRGBA) {
	s := d.surface
	if nx, ny := b.Width/base.Rect.Dx(), b.Height/base.Rect.Dy(); nx*ny > 1 {
		base = enlarge(base, nx, ny)
	}
	d.base = channelsOf(base, s.Shown || s.Pixels != AsStored, pbr.Identity, b, false)
	if over != nil {
		c := channelsOf(over, s.Detail.Mode == OverMix, b.UV, b, b.Mean)
		d.over, d.mixer = &c, NewMixer(&s.Detail)
	}
	if mask != nil {
		c := channelsOf(mask, true, pbr.Identity, b, false)
		d.mask = &c
	}
}

// channelsOf returns what reads a texture for a picture. weighted means that its alpha weights its colour where pixels are joined;
// otherwise the alpha is another picture, because a texture may have its colour where its alpha is 0.
func channelsOf(im *image.NRGBA, weighted bool, uv [6]float64, b *Brush, mean bool) channels {
	l := Stage{Color: White, Alpha: 1, Blend: &q3shader.BlendAlpha}
	if mean {
		l.Gen = q3shader.TCEnvironment
	}
	sampled := func(im *image.NRGBA) sampler { return newSampler(im, &l, uv, b.Width, b.Height) }
	if weighted || im.Opaque() || im.Rect == image.Rect(0, 0, b.Width, b.Height) && uv == pbr.Identity && !mean {
		return channels{color: sampled(im)}
	}
	a := sampled(alphaOf(im))
	return channels{color: sampled(Opaque(im)), alpha: &a}
}

// row returns a row of the colour, three values a pixel, and of the alpha. The next call overwrites them.
func (c *channels) row(y, width int) (rgb, alpha []float32) {
	if c.rgb == nil {
		c.rgb, c.opacity = make([]float32, 3*width), make([]float32, width)
	}
	rgb, alpha = c.color.Row(y, c.rgb, c.opacity)
	if c.alpha != nil {
		if c.grey == nil {
			c.grey = make([]float32, 3*width)
		}
		grey, _ := c.alpha.Row(y, c.grey, c.opacity)
		alpha = c.opacity
		for x := range alpha {
			alpha[x] = grey[3*x]
		}
	}
	return rgb, alpha
}

// alphaOf returns the alpha of a picture as a grey one.
func alphaOf(im *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(im.Rect)
	for i := 0; i+4 <= len(im.Pix); i += 4 {
		a := im.Pix[i+3]
		out.Pix[i], out.Pix[i+1], out.Pix[i+2], out.Pix[i+3] = a, a, a, 255
	}
	return out
}

// row draws a row of the lit picture, and of the glowing one if glow is not nil.
func (d *drawing) row(y int, lit, glow []byte) {
	rgb, alpha := d.base.row(y, d.width)
	var over, overAlpha, mask []float32
	if d.over != nil {
		over, overAlpha = d.over.row(y, d.width)
	}
	if d.mask != nil {
		mask, _ = d.mask.row(y, d.width)
	}
	for x := range d.width {
		t := texels{base: [4]float32{decodeSRGB(rgb[3*x]), decodeSRGB(rgb[3*x+1]), decodeSRGB(rgb[3*x+2]), alpha[x]}}
		if over != nil {
			t.detail = [4]float32{over[3*x], over[3*x+1], over[3*x+2], overAlpha[x]}
		}
		t.mask = [3]float32{t.base[3], t.base[3], t.base[3]}
		if mask != nil {
			t.mask = [3]float32(mask[3*x:])
		}
		c, g := d.texel(&t)
		px := lit[4*x : 4*x+4 : 4*x+4]
		px[0], px[1], px[2], px[3] = EncodeSRGB(c[0]), EncodeSRGB(c[1]), EncodeSRGB(c[2]), 255
		d.surface.blend(px, &c)
		if glow != nil {
			glow[4*x], glow[4*x+1], glow[4*x+2] = EncodeSRGB(g[0]), EncodeSRGB(g[1]), EncodeSRGB(g[2])
		}
	}
}

// texels holds the texels of the textures at one place: the base linear, the others as stored.
type texels struct {
	base, detail [4]float32
	mask         [3]float32
}

// texel returns the linear colour on which light falls, with the alpha, and the linear light that is added.
func (d *drawing) texel(t *texels) (c [4]float32, glow [3]float32) {
	s := d.surface
	var added [3]float32
	c = t.base
	if d.over != nil {
		if s.Detail.Mode.Late() {
			added = d.mixer.light(t.detail)
		} else {
			c = d.mixer.Over(c, t.detail)
		}
		if !s.After {
			c[3] = t.base[3]
		} else if d.mask == nil {
			t.mask = [3]float32{c[3], c[3], c[3]}
		}
	}
	for k := range 3 {
		to := float32(c[k] * s.Tint[k])
		if s.Places {
			to += float32((s.Tint[k] - to) * s.Over)
			to = c[k] + float32((to-c[k])*c[3])
		}
		c[k] = to
	}
	for k := range 3 {
		share := float32(t.mask[k] * s.Glow)
		glow[k] = float32(c[k] * share)
		c[k] -= glow[k]
		glow[k] = float32(glow[k] * s.Light[k])
		switch {
		case s.Unlit:
			c[k] += added[k]
		case s.Last:
			glow[k] += added[k]
		default:
			glow[k] += float32(added[k] * (1 - share))
		}
	}
	return c, glow
}

// blend sets the alpha of a pixel, and its colour if it does not simply cover the background. c is its linear colour and alpha.
func (s *Surface) blend(px []byte, c *[4]float32) {
	a := float32(c[3] * s.Opacity)
	switch s.Pixels {
	case Added:
		addition(px, 255)
	case AddedByAlpha:
		if !s.Shown {
			a = s.Opacity
		}
		for k := range 3 {
			px[k] = EncodeSRGB(float32(min(c[k], 1) * a))
		}
		addition(px, 255)
	default:
		if s.Shown {
			px[3] = Value(c[3])
		}
	}
}

// results caches the results of texel for the bytes of one channel, so that a picture without a detail texture computes each pair of bytes
// once. A result is 0 while it is unknown. Otherwise it has the lit byte, above it the emission's byte, and the bit known.
type results [1 << 16]uint32

const known = 1 << 16

// byBytes reports whether each channel of the picture depends on two bytes only: the channel's own and that of the mask or the alpha.
// The base and the mask lie pixel for pixel on the picture.
func (d *drawing) byBytes(b *Brush, base, over, mask *image.NRGBA) bool {
	whole := image.Rect(0, 0, b.Width, b.Height)
	return over == nil && base.Rect == whole && (mask == nil || mask.Rect == whole && !d.surface.Places) && d.surface.Pixels != AddedByAlpha
}

// byteSurface draws pictures byBytes.
type byteSurface struct {
	drawing    *drawing
	base, mask *image.NRGBA // mask is nil if the base's alpha is the mask
	results    [3]*results  // of red, green and blue; channels that are drawn alike share theirs
}

func newDirect(d *drawing, base, mask *image.NRGBA) byteSurface {
	out := byteSurface{drawing: d, base: base, mask: mask}
	s := d.surface
	for k := range out.results {
		for i := range k {
			if s.Tint[i] == s.Tint[k] && s.Light[i] == s.Light[k] {
				out.results[k] = out.results[i]
			}
		}
		if out.results[k] == nil {
			out.results[k] = new(results)
		}
	}
	return out
}

// row is that of drawing.
func (d *byteSurface) row(y int, lit, glow []byte) {
	base := d.base.Pix[y*d.base.Stride:][:len(lit)]
	var mask []byte
	if d.mask != nil {
		mask = d.mask.Pix[y*d.mask.Stride:][:len(lit)]
	}
	s := d.drawing.surface
	for x := 0; x < len(lit); x += 4 {
		from, px := base[x:x+4:x+4], lit[x:x+4:x+4]
		second := [3]uint8{from[3], from[3], from[3]}
		if mask != nil {
			second = [3]uint8(mask[x:])
		}
		for k, r := range d.results {
			at := int(from[k])<<8 | int(second[k])
			v := r[at]
			if v == 0 {
				v = d.result(k, from[k], second[k])
				r[at] = v
			}
			px[k] = uint8(v)
			if glow != nil {
				glow[x+k] = uint8(v >> 8)
			}
		}
		px[3] = 255
		if s.Shown || s.Pixels != AsStored {
			s.blend(px, &[4]float32{3: unit(from[3])})
		}
	}
}

// result returns the result of a channel's byte and of the mask's or the alpha's.
func (d *byteSurface) result(k int, value, second uint8) uint32 {
	var t texels
	t.base[k], t.base[3] = decodeSRGB(unit(value)), unit(second)
	t.mask[k] = t.base[3]
	c, g := d.drawing.texel(&t)
	return known | uint32(EncodeSRGB(g[k]))<<8 | uint32(EncodeSRGB(c[k]))
}

// unit returns a byte as a number from 0 to 1, as samplers do.
func unit(v uint8) float32 { return float32(v) * (float32(1) / 255) }

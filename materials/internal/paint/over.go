package paint

import (
	"context"
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Mix states how a texture is drawn over another, in the coordinates of the one below.
type Mix struct {
	UV     [6]float64 // from the base's coordinates to those of the texture drawn over it
	Mode   BlendMode
	Stored bool // the texture drawn over the base holds numbers, not colours: it is read as stored
	Factor float64
	Tint   [3]float64 // linear; multiplies the colour of the texture drawn over the base
	Finer  float64    // the largest resolution of the picture, in multiples of the base's; 0 means 1
	Most   float64    // the largest side in pixels of a picture that is finer than the base; 0 means 1024
}

// Brush maps a picture to the two textures that it mixes.
type Brush struct {
	Width, Height int
	UV            [6]float64 // from the picture's coordinates to those of the texture drawn over the base
	Mean          bool       // the texture drawn over can't repeat with the base: its mean colour is drawn
}

// Spread sets the size of a picture that repeats like its base. It is as fine as the texture drawn over it, within limits, and the
// matrix of that texture is adjusted so that it repeats a whole number of times.
func Spread(p *Mix, base, over *image.NRGBA) Brush {
	c := Brush{Width: base.Rect.Dx(), Height: base.Rect.Dy(), UV: p.UV}
	if over == nil {
		return c
	}
	if !Whole(c.UV) {
		for _, k := range []int{0, 1, 3, 4} {
			c.UV[k] = math.Round(c.UV[k])
		}
	}
	if math.Abs(float64(c.UV[0]*c.UV[4])-float64(c.UV[1]*c.UV[3])) < 0.5 {
		c.UV, c.Mean = pbr.Identity, true
		return c
	}
	size := p.size(&c.UV, base.Rect.Size(), over.Rect.Size())
	c.Width, c.Height = size.X, size.Y
	return c
}

// size returns the size of a picture of a base and of a texture over it, whose matrix is uv.
func (p *Mix) size(uv *[6]float64, base, over image.Point) image.Point {
	limit := p.Most
	if limit == 0 {
		limit = canvasMost
	}
	side := func(base, over int, repeats float64) int { // the base's, doubled until the texture over it is not finer
		most := min(limit, max(p.Finer, 1)*float64(base))
		for float64(base) < float64(over)*repeats && float64(2*base) <= most {
			base *= 2
		}
		return base
	}
	across, down := max(math.Abs(uv[0]), math.Abs(uv[3])), max(math.Abs(uv[1]), math.Abs(uv[4]))
	return image.Pt(side(base.X, over.X, across), side(base.Y, over.Y, down))
}

// Holds reports whether a picture of a base and a texture over it, with these sizes in pixels, shows the texture at its own scale and at
// full resolution.
func (p *Mix) Holds(base, over [2]int) bool {
	if !Whole(p.UV) {
		return false
	}
	size := p.size(&p.UV, image.Pt(base[0], base[1]), image.Pt(over[0], over[1]))
	return float64(size.X) >= float64(over[0])*max(math.Abs(p.UV[0]), math.Abs(p.UV[3])) &&
		float64(size.Y) >= float64(over[1])*max(math.Abs(p.UV[1]), math.Abs(p.UV[4]))
}

// Draw makes the picture. It fails only when ctx ends.
func (c *Brush) Draw(ctx context.Context, p *Mix, base, over *image.NRGBA) (*image.NRGBA, error) {
	out := image.NewNRGBA(image.Rect(0, 0, c.Width, c.Height))
	l := Stage{Color: White, Alpha: 1}
	if !base.Opaque() {
		l.Blend = &q3shader.BlendAlpha // keeps its alpha
	}
	below := newSampler(base, &l, pbr.Identity, c.Width, c.Height)
	above := newSampler(nil, &l, pbr.Identity, c.Width, c.Height)
	if over != nil {
		l := Stage{Color: White, Alpha: 1}
		if p.Mode == OverMix {
			l.Blend = &q3shader.BlendAlpha
		}
		if c.Mean {
			l.Gen = q3shader.TCEnvironment
		}
		above = newSampler(over, &l, c.UV, c.Width, c.Height)
	}
	rgb, alpha := make([]float32, 3*c.Width), make([]float32, c.Width)
	rgb2, alpha2 := make([]float32, 3*c.Width), make([]float32, c.Width)
	m := NewMixer(p)
	for y := range c.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rgb, alpha := below.Row(y, rgb, alpha)
		rgb2, alpha2 := above.Row(y, rgb2, alpha2)
		row := out.Pix[y*out.Stride : (y+1)*out.Stride]
		for x := range alpha {
			a := [4]float32{decodeSRGB(rgb[3*x]), decodeSRGB(rgb[3*x+1]), decodeSRGB(rgb[3*x+2]), alpha[x]}
			a = m.Over(a, [4]float32{rgb2[3*x], rgb2[3*x+1], rgb2[3*x+2], alpha2[x]})
			px := row[4*x : 4*x+4 : 4*x+4]
			px[0], px[1], px[2], px[3] = EncodeSRGB(a[0]), EncodeSRGB(a[1]), EncodeSRGB(a[2]), Value(a[3])
		}
	}
	return out, nil
}

package materials

import (
	"context"
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
)

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

package paint

import (
	"bytes"
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Draw evaluates the recipe for every pixel of c and stores the results as base colour, alpha and emission. It fails
// only when ctx ends.
func (c *Combined) Draw(ctx context.Context, r *plan.Recipe) error {
	width, height := c.Width, c.Height
	layers := r.Layers
	mask := maskOf(r)
	if mask != q3shader.AlphaAll {
		layers = append([]plan.Layer(nil), layers...)
		layers[0].Test = q3shader.AlphaAll
		c.Alpha, c.Cutoff = pbr.Mask, plan.Cutoffs[mask]
		if mask == q3shader.LT128 {
			c.Cutoff = 0.5
		}
	}
	samplers := make([]sampler, len(layers))
	for i := range layers {
		samplers[i] = c.Samplers[i]()
	}
	c.Base = image.NewNRGBA(image.Rect(0, 0, width, height))
	cv := NewCanvas(width)
	rgb, alpha := make([]float32, 3*width), make([]float32, width)
	var lit bool
	lit, c.Gain = litOf(r)
	c.Unlit, cv.unlit = !lit, !lit
	covered, emits := true, false
	black := blackPicture(width, 1).Pix
	glowing := make([]byte, len(black))
	for y := range height {
		if y%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := c.Base.Pix[y*c.Base.Stride : (y+1)*c.Base.Stride]
		cv.Clear()
		for i := range layers {
			rgb, alpha := samplers[i].Row(y, rgb, alpha)
			if i == 0 {
				maskRow(row, alpha, mask)
			}
			cv.Over(&layers[i], rgb, alpha)
		}
		l, own := &cv.Planes[LitPlane], &cv.Planes[OwnPlane]
		if !lit && own.Set { // no emission without a lightmap: everything becomes base colour
			l.plus(own.Values)
			own.Set = false
		}
		if !l.Set {
			clear(l.Values)
		}
		var glow []byte
		if own.Set {
			glow = glowing
			copy(glow, black)
		}
		covered = cv.settle(row, glow, float32(c.Gain), mask != q3shader.AlphaAll) && covered
		if own.Set && (c.Glow != nil || !bytes.Equal(glow, black)) {
			if c.Glow == nil {
				c.Glow = blackPicture(width, height)
			}
			copy(c.Glow.Pix[y*c.Glow.Stride:], glow)
		}
		emits = emits || shines(glow, width)
	}
	if !emits {
		c.Glow = nil
	}
	switch {
	case mask != q3shader.AlphaAll && !c.Base.Opaque():
	case covered:
		c.Alpha, c.Cutoff = pbr.Opaque, 0
	default:
		c.Alpha = pbr.Blend
		if l := layers[0]; l.Blend == nil && l.Test != q3shader.AlphaAll {
			c.Alpha, c.Cutoff = pbr.Mask, 0.5
		}
		bleed(c.Base)
	}
	var err error
	c.Mirror, err = c.mirror(ctx, r, samplers)
	return err
}

// maskOf returns the alpha test of the first stage if it alone decides what is drawn, because nothing later fills its
// holes. Then every pixel is drawn, and the stage's alpha is stored.
func maskOf(r *plan.Recipe) q3shader.AlphaFunc {
	for i := range r.Layers {
		if l := &r.Layers[i]; (l.Blend == nil) != (i == 0) {
			return q3shader.AlphaAll
		}
	}
	return r.Layers[0].Test
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
func litOf(r *plan.Recipe) (lit bool, gain float64) {
	gain = 1
	picture := false
	for i := range r.Layers {
		l := &r.Layers[i]
		if l.Blend == nil && l.Test == q3shader.AlphaAll {
			lit, gain, picture = false, 1, false
		}
		if l.Doubles() && (l.Image == "" || !picture) {
			gain *= 2
		}
		lit = lit || l.Lit
		picture = picture || l.Image != ""
	}
	if !lit || r.Light != plan.ByMap {
		return false, 1
	}
	return true, gain
}

// settle writes a row of base colour and alpha, and of emission if glow is not nil. If masked, the alpha is already
// written. It reports whether nothing behind shows through.
func (c *Canvas) settle(row, glow []byte, gain float32, masked bool) bool {
	covered := true
	lit, own, through := &c.Planes[LitPlane], &c.Planes[OwnPlane], &c.Planes[throughPlane]
	for x := range len(row) / 4 {
		v := [3]float32{lit.Values[3*x], lit.Values[3*x+1], lit.Values[3*x+2]}
		opacity := float32(1)
		p := row[4*x : 4*x+4 : 4*x+4]
		if !masked {
			p[3] = 255
			switch {
			case through.Set && c.tints(x):
				covered = false
				c.tint(x, p)
				continue
			case through.Set:
				opacity = c.opacity(x)
			}
			if opacity < 0.998 {
				covered = false
				if p[3] = Value(opacity); p[3] == 0 {
					continue
				}
				v[0], v[1], v[2] = v[0]/opacity, v[1]/opacity, v[2]/opacity
			}
		}
		p[0], p[1], p[2] = Value(v[0]/gain), Value(v[1]/gain), Value(v[2]/gain)
		if glow != nil {
			for k := range 3 {
				glow[4*x+k] = Value(own.Values[3*x+k] / opacity)
			}
		}
	}
	return covered
}

// tints reports whether a pixel colours or brightens what is behind it, which an opacity can't express. With light on
// top of it no single colour would do.
func (c *Canvas) tints(x int) bool {
	const same = 1.0 / 255
	t := c.Planes[throughPlane].Values[3*x : 3*x+3 : 3*x+3]
	return c.unlit && (max(t[0], t[1], t[2])-min(t[0], t[1], t[2]) > same || t[0] > 1+same)
}

// tint approximates own + through·D by a blend D·(1-a) + b·a that is the same for a grey D of one half. a is the
// greatest distance of through from 1, or more if b would be out of range otherwise.
func (c *Canvas) tint(x int, px []byte) {
	t := c.Planes[throughPlane].Values[3*x : 3*x+3 : 3*x+3]
	var own [3]float32
	if p := &c.Planes[LitPlane]; p.Set { // draw has put it there
		own = [3]float32(p.Values[3*x:])
	}
	a := float32(0)
	for k, o := range own {
		a = max(a, 1-t[k], t[k]-1, float32(2*o)+t[k]-1)
	}
	a = min(a, 1)
	for k, o := range own {
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

func blackPicture(width, height int) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := 3; i < len(im.Pix); i += 4 {
		im.Pix[i] = 255
	}
	return im
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

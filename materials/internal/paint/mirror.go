package paint

import (
	"context"
	"image"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// reflects returns the watcher that finds how much of the environment image of stage at the pixels of c show. It is nil if a material
// can't express that, because the image's own alpha is used.
func (p *drawer) reflects(c *Combined, r *Recipe, at int) *watched {
	if at < 0 || p.samplers[at].im != nil || r.Stages[at].UsesAlpha() && p.samplers[at].plain[3] < 1 {
		return nil
	}
	s := &shares{layers: p.layers, at: at, dark: NewCanvas(c.Width), bright: NewCanvas(c.Width)}
	s.dark.open, s.bright.open = true, true
	s.black, s.white = make([]float32, 3*c.Width), make([]float32, 3*c.Width)
	for i := range s.white {
		s.white[i] = 1
	}
	// Holes of the first stage are left by the others; if they become those of a mask, all of the stage is drawn.
	return p.watch(c, s, p.mask != q3shader.AlphaAll || r.Stages[0].Test == q3shader.AlphaAll)
}

// findMirror finds the Mirror of c, whose base and emission are drawn. There is none if both include the environment image, which a
// material can't express.
func (d *firstDrawing) findMirror(ctx context.Context, c *Combined, r *Recipe, p *drawer) error {
	if d.mirrored == nil {
		return nil
	}
	s := d.mirrored.watcher.(*shares)
	if s.layers = p.stages; c.Alpha == pbr.Mask { // the mask decides what is drawn
		s.layers = slices.Clone(s.layers)
		s.layers[0].Test = q3shader.AlphaAll
	}
	m, even, like := &Mirror{}, true, c.newBaseMultiple(r)
	var first [3]float32
	err := d.mirrored.each(ctx, d.samplers, c.Width, c.Height, func(y int, sums []float32) {
		for i, sum := range sums {
			share, k := d.shareAt(c, y, i, sum, evenShare), i%3
			if y == 0 && i < 3 {
				first[k] = share
			}
			m.Factor[k] = max(m.Factor[k], float64(share))
			even = even && max(share-first[k], first[k]-share) < 1.0/255
			like.add(k, float64(share), d.base.Pix[y*d.base.Stride+i/3*4:][:4])
		}
	})
	if err != nil || s.found == [2]bool{} || s.found == [2]bool{true, true} {
		return err
	}
	if !even {
		for k := range m.Factor {
			m.Factor[k] = min(m.Factor[k], maxShare)
		}
	}
	m.Glow = s.found[GlowPlane] && !c.Unlit
	for k := range m.Mean {
		m.Mean[k] = float64(d.samplers[s.at].rgb[k])
	}
	if factor, ok := like.factor(); ok && !even && !m.Glow {
		m.Based, m.Factor = true, factor
	} else {
		d.shareDiffers = !even
	}
	c.Mirror = m
	return nil
}

// share draws how much of the environment the pixels of c show, relative to the Mirror's Factor.
func (d *firstDrawing) share(ctx context.Context, c *Combined) (*image.NRGBA, error) {
	out := blackPicture(c.Width, c.Height)
	err := d.mirrored.each(ctx, d.samplers, c.Width, c.Height, func(y int, sums []float32) {
		row := out.Pix[y*out.Stride:]
		for i, sum := range sums {
			if f := c.Mirror.Factor[i%3]; f > 0 {
				row[i/3*4+i%3] = Value(d.shareAt(c, y, i, sum, maxShare) / float32(f))
			}
		}
	})
	return out, err
}

// baseMultiple finds out whether shares are a factor times the base, as with a reflection that the surface's own image multiplies.
type baseMultiple struct {
	never       bool
	least, most [3]float64 // the factors that each channel's pixels allow
}

// newBaseMultiple returns a baseMultiple for c's pixels. Where a lightmap lights the base it may yet be brightened, and where the base is
// blended its values are divided by its alpha.
func (c *Combined) newBaseMultiple(r *Recipe) baseMultiple {
	inf := math.Inf(1)
	return baseMultiple{never: r.Light == ByMap || c.Alpha == pbr.Blend, most: [3]float64{inf, inf, inf}}
}

// add adds the share of a channel of a pixel of the base. It may differ by one of 255 steps, because the base is rounded to these.
func (l *baseMultiple) add(k int, share float64, base []byte) {
	if l.never || base[3] == 0 {
		return
	}
	if base[k] < 255 { // else it may be more
		l.least[k] = max(l.least[k], (255*share-1)/(float64(base[k])+0.5))
	}
	if base[k] > 0 {
		l.most[k] = min(l.most[k], (255*share+1)/(float64(base[k])-0.5))
	}
}

// factor returns the factor, if there is one.
func (l *baseMultiple) factor() (out [3]float64, ok bool) {
	for k := range out {
		if out[k] = l.least[k]; !math.IsInf(l.most[k], 1) {
			out[k] = (l.least[k] + l.most[k]) / 2
		}
		if l.least[k] > l.most[k] || out[k] > maxShare {
			return out, false
		}
	}
	return out, !l.never
}

// maxShare limits a share, which is divided by the alpha, if pixels differ, because their image has 255 steps. evenShare is the limit if
// all are equal, as on a clear sphere that shows only the environment.
const maxShare, evenShare = 8, 255

// shareAt returns how much of the environment channel i of row y shows, from a sum that shares has found; most is its limit.
func (d *firstDrawing) shareAt(c *Combined, y, i int, sum, most float32) float32 {
	alpha := float32(1)
	if c.Alpha == pbr.Blend {
		alpha = max(float32(d.base.Pix[y*d.base.Stride+i/3*4+3])/255, 1/most)
	}
	return min(max(sum/float32(c.Gain)/alpha, 0), most)
}

// shares finds how much of stage at shows: the difference between white and black.
type shares struct {
	layers       []Stage
	at           int
	dark, bright *Canvas
	black, white []float32
	found        [2]bool // the planes that have such values
}

func (s *shares) clear() { s.dark.Clear() }

func (s *shares) over(i int, rgb, alpha []float32) {
	l := &s.layers[i]
	switch {
	case i < s.at:
		s.dark.Over(l, rgb, alpha)
	case i == s.at:
		s.bright.as(s.dark)
		s.dark.Over(l, s.black, alpha)
		s.bright.Over(l, s.white, alpha)
	default:
		s.dark.Over(l, rgb, alpha)
		s.bright.Over(l, rgb, alpha)
	}
}

func (s *shares) values(to []float32) {
	clear(to)
	for k := range s.found {
		p, q := &s.dark.Planes[k], &s.bright.Planes[k]
		if !p.Set && !q.Set {
			continue
		}
		for i := range to {
			v := float32(0)
			if q.Set {
				v = q.Values[i]
			}
			if p.Set {
				v -= p.Values[i]
			}
			s.found[k] = s.found[k] || v > 1.0/510
			to[i] += v
		}
	}
}

package paint

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// mirror finds the Mirror of a recipe whose c.Base and c.Glow are drawn. It returns nil if there is none, or if a
// material can't hold it, because both base and emission include the picture, or because of the picture's alpha.
func (c *Combined) mirror(ctx context.Context, r *Recipe, samplers []sampler) (*Mirror, error) {
	at := -1
	if r.Environment {
		at = r.Reflection()
	}
	if at < 0 || samplers[at].im != nil || r.Stages[at].UsesAlpha() && samplers[at].plain[3] < 1 {
		return nil, nil
	}
	m, even := &Mirror{}, true
	var first [3]float32
	found, err := c.shares(ctx, r, samplers, at, func(x, y int, share [3]float32) {
		if x == 0 && y == 0 {
			first = share
		}
		for k, v := range share {
			m.Factor[k] = max(m.Factor[k], float64(v))
			even = even && max(v-first[k], first[k]-v) < 1.0/255
		}
	})
	if err != nil || found == [2]bool{} || found == [2]bool{true, true} {
		return nil, err
	}
	m.Glow = found[GlowPlane] && !c.Unlit
	for k := range m.Mean {
		m.Mean[k] = float64(samplers[at].rgb[k])
	}
	if !even {
		m.late = func(ctx context.Context) error {
			m.Share = blackPicture(c.Width, c.Height)
			_, err := c.shares(ctx, r, samplers, at, func(x, y int, share [3]float32) {
				for k, v := range share {
					if f := m.Factor[k]; f > 0 {
						m.Share.Pix[y*m.Share.Stride+4*x+k] = Value(v / float32(f))
					}
				}
			})
			return err
		}
	}
	return m, nil
}

// DrawRest draws the pictures of c's Mirror and Behind, if there are any. They are drawn last, so that they don't take memory beside the
// glow.
func (c *Combined) DrawRest(ctx context.Context) error {
	if c.Mirror != nil && c.Mirror.late != nil {
		if err := c.Mirror.late(ctx); err != nil {
			return err
		}
	}
	if c.Behind != nil {
		return c.Behind.late(ctx)
	}
	return nil
}

// mostShare limits a share, which is divided by the alpha.
const mostShare = 8

// shares passes how much of stage at shows at each pixel to set, row by row: the difference between white and black.
// found tells in which planes there are such values.
func (c *Combined) shares(ctx context.Context, r *Recipe, samplers []sampler, at int, set func(x, y int, share [3]float32)) (found [2]bool,
	err error) {
	var share [3]float32
	dark, bright := NewCanvas(c.Width), NewCanvas(c.Width)
	dark.open, bright.open = true, true
	black, white := make([]float32, 3*c.Width), make([]float32, 3*c.Width)
	for i := range white {
		white[i] = 1
	}
	rgb, alpha := make([]float32, 3*c.Width), make([]float32, c.Width)
	for y := range c.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return found, ctx.Err()
		}
		dark.Clear()
		bright.Clear()
		for i := range r.Stages {
			rgb, alpha := samplers[i].Row(y, rgb, alpha)
			l := r.Stages[i]
			if i == 0 && c.Alpha == pbr.Mask {
				l.Test = 0 // the mask decides what is drawn
			}
			low, high := rgb, rgb
			if i == at {
				low, high = black, white
			}
			dark.Over(&l, low, alpha)
			bright.Over(&l, high, alpha)
		}
		for x := range white {
			sum, alpha := float32(0), float32(1)
			if c.Alpha == pbr.Blend {
				alpha = max(float32(c.Base.Pix[y*c.Base.Stride+x/3*4+3])/255, 1.0/mostShare)
			}
			for k := range found {
				p, q := &dark.Planes[k], &bright.Planes[k]
				v := float32(0)
				if q.Set {
					v = q.Values[x]
				}
				if p.Set {
					v -= p.Values[x]
				}
				found[k] = found[k] || v > 1.0/510
				sum += v
			}
			if share[x%3] = min(max(sum/float32(c.Gain)/alpha, 0), mostShare); x%3 == 2 {
				set(x/3, y, share)
			}
		}
	}
	return found, nil
}

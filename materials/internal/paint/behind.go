package paint

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// behind finds how a recipe changes the background, if it only adds to it or multiplies it. Base is drawn for blending.
// As a picture for multiplication it holds 1 + alpha·(2·base - 1), which ends at 2 and knows no light.
func (c *Combined) behind(ctx context.Context, r *Recipe, samplers []sampler) error {
	lights := 0
	for i := range r.Stages {
		if r.Stages[i].Lit {
			lights++
		}
	}
	if !r.Behind || c.Alpha != pbr.Blend || lights > 1 {
		return nil
	}
	typical := float32(1) // what the lightmap stands for in a plane
	if lights == 1 && r.Light == ByMap {
		typical = TypicalLight
	}
	var added float32
	adds, most := true, [3]float64{}
	err := c.through(ctx, r, samplers, func(_ int, through []float32, brightest float32) {
		added = max(added, brightest)
		for x, v := range through {
			adds = adds && v > 1-1.0/255 && v < 1+1.0/255
			most[x%3] = max(most[x%3], float64(v/typical))
		}
	})
	if err != nil {
		return err
	}
	brightest := max(most[0], most[1], most[2])
	switch {
	case adds && added > 0:
		c.Blending = "add"
	case added > 1.0/255 || r.Light == ByVertex:
	case brightest > 2 || typical != 1:
		m := &Behind{Factor: most}
		m.late = func(ctx context.Context) error {
			m.Picture = blackPicture(c.Width, c.Height)
			return c.through(ctx, r, samplers, func(y int, through []float32, _ float32) {
				row := m.Picture.Pix[y*m.Picture.Stride:]
				for i, v := range through {
					row[i/3*4+i%3] = Value(v / typical / float32(max(most[i%3], 1e-6)))
				}
			})
		}
		c.Blending, c.Behind = "multiply", m
	default:
		c.Blending = "multiply"
	}
	return nil
}

// through passes each row's factors of the background to set, three a pixel, with the brightest value that is added.
func (c *Combined) through(ctx context.Context, r *Recipe, samplers []sampler, set func(y int, through []float32, added float32)) error {
	cv := NewCanvas(c.Width)
	cv.open = true
	rgb, alpha := make([]float32, 3*c.Width), make([]float32, c.Width)
	row := make([]float32, 3*c.Width)
	for y := range c.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cv.Clear()
		for i := range r.Stages {
			rgb, alpha := samplers[i].Row(y, rgb, alpha)
			cv.Over(&r.Stages[i], rgb, alpha)
		}
		clear(row)
		if p := &cv.Planes[throughPlane]; p.Set {
			copy(row, p.Values)
		}
		added := float32(0)
		for _, p := range cv.Planes[:throughPlane] {
			if p.Set {
				for _, v := range p.Values {
					added = max(added, v)
				}
			}
		}
		set(y, row, added)
	}
	return nil
}

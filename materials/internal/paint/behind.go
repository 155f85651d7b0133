package paint

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Behind is what a Combined multiplies the displayed background by, besides its light.
type Behind struct {
	Factor  [3]float64   // the greatest of all pixels, by channel
	Picture *image.NRGBA // relative to Factor, 1 is white
}

// behind finds how a recipe changes the background, if it only adds to it or multiplies it. Base is drawn for blending.
// As a picture for multiplication it holds 1 + alpha·(2·base - 1), which ends at 2 and knows no light.
func (c *Combined) behind(ctx context.Context, r *plan.Recipe, samplers []sampler) error {
	lights := 0
	for i := range r.Layers {
		if r.Layers[i].Lit {
			lights++
		}
	}
	if !r.Behind || c.Alpha != pbr.Blend || lights > 1 {
		return nil
	}
	typical := float32(1) // what the lightmap stands for in a plane
	if lights == 1 && r.Light == plan.ByMap {
		typical = plan.TypicalLight
	}
	cv := NewCanvas(c.Width)
	cv.open = true
	through := make([]float32, 0, 3*c.Width*c.Height)
	rgb, alpha := make([]float32, 3*c.Width), make([]float32, c.Width)
	var own float32
	adds, most := true, [3]float64{}
	for y := range c.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cv.Clear()
		for i := range r.Layers {
			rgb, alpha := samplers[i].Row(y, rgb, alpha)
			cv.Over(&r.Layers[i], rgb, alpha)
		}
		for x := range rgb {
			v := float32(0)
			if p := &cv.Planes[throughPlane]; p.Set {
				v = p.Values[x]
			}
			for _, p := range cv.Planes[:throughPlane] {
				if p.Set {
					own = max(own, p.Values[x])
				}
			}
			adds = adds && v > 1-1.0/255 && v < 1+1.0/255
			through = append(through, v/typical)
			most[x%3] = max(most[x%3], float64(v/typical))
		}
	}
	brightest := max(most[0], most[1], most[2])
	switch {
	case adds && own > 0:
		c.Blending = "add"
	case own > 1.0/255 || r.Light == plan.ByVertex:
	case brightest > 2 || typical != 1:
		c.Blending, c.Behind = "multiply", &Behind{Factor: most, Picture: blackPicture(c.Width, c.Height)}
		for i, v := range through {
			c.Behind.Picture.Pix[i/3*4+i%3] = Value(v / float32(max(most[i%3], 1e-6)))
		}
	default:
		c.Blending = "multiply"
	}
	return nil
}

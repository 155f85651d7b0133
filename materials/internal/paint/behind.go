package paint

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// background returns the watcher that finds how a recipe changes the background. It is nil if the recipe does not request that, or if light
// falls on several stages.
func (p *drawer) background(c *Combined, r *Recipe) *watched {
	if !r.Behind || lights(r) > 1 {
		return nil
	}
	t := &backgroundFactors{stages: r.Stages, canvas: NewCanvas(c.Width)}
	t.canvas.open = true
	return p.watch(c, t, true)
}

// findBackground finds how a recipe changes the background: by adding, multiplying, or with Apart both. The base is drawn for
// blending. A base for multiplication means 1 + alpha·(2·base - 1), which is at most 2 and does not include light.
func (d *firstDrawing) findBackground(ctx context.Context, c *Combined, r *Recipe) error {
	if d.behind == nil || c.Alpha != pbr.Blend {
		return nil
	}
	d.typical = 1
	if lights(r) == 1 && r.Light == ByMap {
		d.typical = TypicalLight
	}
	adds, most := true, [3]float64{}
	err := d.behind.each(ctx, d.samplers, c.Width, c.Height, func(_ int, through []float32) {
		for i, v := range through {
			adds = adds && v > 1-1.0/255 && v < 1+1.0/255
			most[i%3] = max(most[i%3], float64(v/d.typical))
		}
	})
	if err != nil {
		return err
	}
	added := d.behind.watcher.(*backgroundFactors).added
	brightest := max(most[0], most[1], most[2])
	switch {
	case adds && added > 0:
		c.Blending = "add"
	case r.Light == ByVertex:
	case r.WordOnly:
		if added <= 1.0/255 && brightest <= 2 && d.typical == 1 {
			c.Blending = "multiply"
		}
	case r.Apart || added <= 1.0/255 && (brightest > 2 || d.typical != 1):
		if c.Behind = (&Behind{Factor: most}); !r.Apart {
			c.Blending = "multiply"
		}
	case added <= 1.0/255:
		c.Blending = "multiply"
	}
	return nil
}

// background draws the factor by which c multiplies the background, relative to the Behind's Factor.
func (d *firstDrawing) background(ctx context.Context, c *Combined) (*image.NRGBA, error) {
	out := blackPicture(c.Width, c.Height)
	err := d.behind.each(ctx, d.samplers, c.Width, c.Height, func(y int, through []float32) {
		row := out.Pix[y*out.Stride:]
		for i, v := range through {
			row[i/3*4+i%3] = Value(v / d.typical / float32(max(c.Behind.Factor[i%3], 1e-6)))
		}
	})
	return out, err
}

// backgroundFactors finds the factors of the background, and the brightest value that is added to it.
type backgroundFactors struct {
	stages []Stage
	canvas *Canvas
	added  float32
}

func (t *backgroundFactors) clear() { t.canvas.Clear() }

func (t *backgroundFactors) over(i int, rgb, alpha []float32) {
	t.canvas.Over(&t.stages[i], rgb, alpha)
}

func (t *backgroundFactors) values(to []float32) {
	if p := &t.canvas.Planes[throughPlane]; p.Set {
		copy(to, p.Values)
	} else {
		clear(to)
	}
	for _, p := range t.canvas.Planes[:throughPlane] {
		if p.Set {
			for _, v := range p.Values {
				t.added = max(t.added, v)
			}
		}
	}
}

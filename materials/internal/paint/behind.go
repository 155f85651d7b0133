package paint

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// background returns what finds how a recipe changes the background, or nil if that is not asked, or if light falls on several stages.
func (p *drawer) background(c *Combined, r *Recipe) *watched {
	if !r.Behind || lights(r) > 1 {
		return nil
	}
	t := &backgroundFactors{stages: r.Stages, canvas: NewCanvas(c.Width)}
	t.canvas.open = true
	return p.watch(c, t, true)
}

// behind finds how a recipe changes the background, if it adds to it or multiplies it, or with Apart both. Base is drawn for blending.
// As a picture for multiplication it holds 1 + alpha·(2·base - 1), which ends at 2 and knows no light.
func (c *Combined) behind(ctx context.Context, r *Recipe, p *drawer, w *watched) error {
	if w == nil || c.Alpha != pbr.Blend {
		return nil
	}
	typical := float32(1) // what the lightmap stands for in a plane
	if lights(r) == 1 && r.Light == ByMap {
		typical = TypicalLight
	}
	adds, most := true, [3]float64{}
	err := w.each(ctx, p.samplers, c.Width, c.Height, func(_ int, through []float32) {
		for i, v := range through {
			adds = adds && v > 1-1.0/255 && v < 1+1.0/255
			most[i%3] = max(most[i%3], float64(v/typical))
		}
	})
	if err != nil {
		return err
	}
	added := w.watcher.(*backgroundFactors).added
	brightest := max(most[0], most[1], most[2])
	switch {
	case adds && added > 0:
		c.Blending = "add"
	case r.Light == ByVertex:
	case r.Apart || added <= 1.0/255 && (brightest > 2 || typical != 1):
		m := &Behind{Factor: most}
		m.late = func(ctx context.Context) error {
			m.Picture = blackPicture(c.Width, c.Height)
			return w.each(ctx, p.samplers, c.Width, c.Height, func(y int, through []float32) {
				row := m.Picture.Pix[y*m.Picture.Stride:]
				for i, v := range through {
					row[i/3*4+i%3] = Value(v / typical / float32(max(most[i%3], 1e-6)))
				}
			})
		}
		if c.Behind = m; !r.Apart {
			c.Blending = "multiply"
		}
	case added <= 1.0/255:
		c.Blending = "multiply"
	}
	return nil
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

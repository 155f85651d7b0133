package quake3

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// curve turns the engine's gamma-space light into linear light.
type curve struct {
	gamma  gamma.Curve
	engine engine

	// Of a value that has been shifted, of which 255 is white:
	table [mostShown + 1]float32    // linear light
	half  [mostShown + 1]world.Half // the same
	srgb  [mostShown + 1]uint8      // the same as 8-bit sRGB; only 0 is 0
}

// mostShown is the most that light goes beyond white: 255, doubled.
const mostShown = 2 * 255

func newCurve(e engine, albedo float64) *curve {
	e.overbright = min(max(e.overbright, 0), 8)
	c := &curve{gamma: gamma.New(albedo, 1), engine: e}
	v := 0
	for i := range c.table {
		l := c.gamma.Linear(float32(i) / 255)
		for v < 255 && float64(l) >= least(v+1) {
			v++
		}
		// Rounding takes a few over the border to the next 8-bit value. Pages shall have the value that l has.
		h := world.NewHalf(l)
		switch rounded := float64(h.Float32()); {
		case rounded < least(v):
			h++
		case v < 255 && rounded >= least(v+1):
			h--
		}
		c.table[i], c.half[i], c.srgb[i] = l, h, uint8(v)
	}
	return c
}

// least is the least light that is nearest to an 8-bit sRGB value.
func least(v int) float64 { return gamma.Decode((float64(v) - 0.5) / 255) }

// display returns how the map's engine shows light.
func (c *curve) display() *world.DisplayLight {
	d := &world.DisplayLight{Albedo: c.gamma.Albedo, Exponent: c.gamma.Exponent}
	if !c.engine.beyond {
		d.Most = 1
	}
	return d
}

// shown is a stored colour as it is shown, of which 255 is white: shifted up, and where a channel leaves the range all are
// scaled down together, so that the hue is kept (Quake III Arena, tr_bsp.c, R_ColorShiftLightingBytes).
func (c *curve) shown(r, g, b uint8) (x, y, z int) {
	i, j, k, white := int(r)<<c.engine.overbright, int(g)<<c.engine.overbright, int(b)<<c.engine.overbright, 255
	if c.engine.beyond {
		white = mostShown
	}
	if most := max(i, j, k); most > white {
		i, j, k = i*white/most, j*white/most, k*white/most
	}
	return i, j, k
}

// luxel lifts a stored luxel. (Three results are in registers; an array would be twice as slow.)
func (c *curve) luxel(r, g, b uint8) (x, y, z world.Half) {
	i, j, k := c.shown(r, g, b)
	return c.half[i], c.half[j], c.half[k]
}

// sample lifts a light of a grid's sample. level is what scaled returns.
func (c *curve) sample(r, g, b uint8, level *[mostShown + 1]uint8) (x, y, z uint8) {
	i, j, k := c.shown(r, g, b)
	return level[i], level[j], level[k]
}

// scaled returns, for shown values, the linear light divided by a scale as 8-bit sRGB; only 0 is 0. The scale is at least 1.
func (c *curve) scaled(scale float32) *[mostShown + 1]uint8 {
	if scale == 1 {
		return &c.srgb
	}
	out := &[mostShown + 1]uint8{}
	for i := 1; i < len(out); i++ {
		out[i] = uint8(min(max(math.Round(255*gamma.Encode(float64(c.table[i])/float64(scale))), 1), 255))
	}
	return out
}

// color lifts a vertex colour, whose alpha is linear as it is.
func (c *curve) color(v []uint8) [4]float32 {
	r, g, b := c.shown(v[0], v[1], v[2])
	return [4]float32{c.table[r], c.table[g], c.table[b], float32(v[3]) / 255}
}

// direction lifts a luxel of a deluxe page to a unit vector, or to zero where it holds none.
func direction(r, g, b uint8) (x, y, z world.Half) {
	v := [3]float32{float32(r)/127.5 - 1, float32(g)/127.5 - 1, float32(b)/127.5 - 1}
	l := length(v)
	if l < 0.1 {
		return 0, 0, 0
	}
	return world.NewHalf(v[0] / l), world.NewHalf(v[1] / l), world.NewHalf(v[2] / l)
}

// length has its products rounded one by one, so that it is the same on all processors.
func length(v [3]float32) float32 {
	return float32(math.Sqrt(float64(float32(v[0]*v[0]) + float32(v[1]*v[1]) + float32(v[2]*v[2]))))
}

package quake3

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// curve turns the engine's gamma-space light into linear light.
type curve struct {
	gamma  gamma.Curve
	engine engine

	page, vertex, grid *ramp           // grid is that of its ambient light
	directed           *ramp           // the grid's directed light
	levels             [256][3]float32 // of light styles when the map starts
	half               [256]world.Half // pages' linear light, each with the 8-bit sRGB value of the float
}

// ramp turns one kind of stored light into linear light.
type ramp struct {
	raise  [256]int  // by stored byte: the value before a colour is scaled down to 255
	linear []float32 // by the sum of colours of 0 to 255
}

// newCurve returns the curve of an engine for a map whose lightmaps and colours have so many slots for styles.
func newCurve(e engine, albedo float64, levels world.Levels, slots int) *curve {
	c := &curve{gamma: gamma.New(albedo, 1), engine: e}
	type kind struct {
		gain    channelGain
		ambient float64
	}
	ramps := map[kind]*ramp{} // most engines have one for all kinds of light
	of := func(g channelGain, ambient float64) *ramp {
		k := kind{g, ambient}
		if ramps[k] == nil {
			ramps[k] = newRamp(g, ambient, c.gamma, slots)
		}
		return ramps[k]
	}
	c.page, c.vertex, c.grid, c.directed = of(e.page, e.ambient), of(e.vertex, e.ambient), of(e.grid, e.ambient), of(e.grid, 0)
	for i := range c.levels {
		c.levels[i] = [3]float32{1, 1, 1}
		if l, ok := levels[uint8(i)]; ok {
			c.levels[i] = l
		}
	}
	v := 0
	for i := range c.half {
		l := c.page.linear[i]
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
		c.half[i] = h
	}
	return c
}

func newRamp(g channelGain, ambient float64, c gamma.Curve, slots int) *ramp {
	r := &ramp{linear: make([]float32, slots*255+1)}
	for i := range r.raise {
		r.raise[i] = int(g.before * float64(i))
	}
	for i := range r.linear {
		r.linear[i] = c.Linear(float32(g.after*float64(i)/255 + ambient))
	}
	return r
}

// least returns the least light that is nearest to an 8-bit sRGB value.
func least(v int) float64 { return gamma.Decode((float64(v) - 0.5) / 255) }

// display returns how the map's engine shows light.
func (c *curve) display() *world.DisplayLight {
	return &world.DisplayLight{Albedo: c.gamma.Albedo, Exponent: c.gamma.Exponent, Most: c.engine.most, Ambient: c.engine.ambient}
}

// raised is a stored colour as the engine keeps it, 0 to 255: multiplied, and where a channel leaves the range all are scaled down
// together, so that the hue is kept (Quake III Arena, tr_bsp.c, R_ColorShiftLightingBytes).
func (r *ramp) raised(red, green, blue uint8) (x, y, z int) {
	i, j, k := r.raise[red], r.raise[green], r.raise[blue]
	if most := max(i, j, k); most > 255 {
		i, j, k = i*255/most, j*255/most, k*255/most
	}
	return i, j, k
}

// luxel decodes a stored luxel. (Three results are in registers; an array would be twice as slow.)
func (c *curve) luxel(r, g, b uint8) (x, y, z world.Half) {
	i, j, k := c.page.raised(r, g, b)
	return c.half[i], c.half[j], c.half[k]
}

// scaled returns, for values of the grid, the linear light divided by a scale as 8-bit sRGB; only no light is 0. The scale is at least 1.
func (r *ramp) scaled(scale float32) []uint8 {
	out := make([]uint8, len(r.linear))
	for i := range out {
		out[i] = uint8(min(max(math.Round(255*gamma.Encode(float64(r.linear[i])/float64(scale))), min(float64(i), 1)), 255))
	}
	return out
}

// sum adds the colours of styles, as the engine keeps them, at their levels.
func (c *curve) sum(r *ramp, colors *[4][3]uint8, styles [4]uint8) (x, y, z int) {
	for k, style := range styles {
		if style == noStyle {
			continue
		}
		i, j, l := r.raised(colors[k][0], colors[k][1], colors[k][2])
		if style != 0 {
			f := &c.levels[style]
			i, j, l = times(i, f[0]), times(j, f[1]), times(l, f[2])
		}
		x, y, z = x+i, y+j, z+l
	}
	most := len(r.linear) - 1
	return min(x, most), min(y, most), min(z, most)
}

// times returns a raised value at a level, which may exceed 1 where the letter z is twice as bright as m.
func times(i int, level float32) int { return int(float32(float32(i)*level) + 0.5) }

// color decodes the vertex colour of a slot, whose alpha is linear as it is.
func (c *curve) color(v vertex, slot int) [4]float32 {
	b := v.color(slot)
	x, y, z := c.vertex.raised(b[0], b[1], b[2])
	return c.colored(x, y, z, b[3])
}

// light decodes the light of a vertex: the sum of its colours in the styles of a surface, or the first colour if there are none; slot has
// the alpha. (OpenJK, tr_surface.cpp, ComputeFinalVertexColor.)
func (c *curve) light(v vertex, slot int, styles [4]uint8) [4]float32 {
	if styles == [4]uint8{noStyle, noStyle, noStyle, noStyle} {
		return c.color(v, slot)
	}
	var colors [4][3]uint8
	for k := range v.slots {
		colors[k] = [3]uint8(v.color(k))
	}
	x, y, z := c.sum(c.vertex, &colors, styles)
	if most := int(255 * c.engine.most); most > 0 {
		x, y, z = min(x, most), min(y, most), min(z, most)
	}
	return c.colored(x, y, z, v.color(slot)[3])
}

func (c *curve) colored(x, y, z int, alpha uint8) [4]float32 {
	l := c.vertex.linear
	return [4]float32{l[x], l[y], l[z], float32(alpha) / 255}
}

// direction decodes a luxel of a deluxe page to a unit vector, or to zero where it holds none.
func direction(r, g, b uint8) (x, y, z world.Half) {
	v := [3]float32{float32(r)/127.5 - 1, float32(g)/127.5 - 1, float32(b)/127.5 - 1}
	l := space.Length(v)
	if l < 0.1 {
		return 0, 0, 0
	}
	return world.NewHalf(v[0] / l), world.NewHalf(v[1] / l), world.NewHalf(v[2] / l)
}

package paint

import "github.com/bsp2gltf/bsp2gltf/materials/internal/plan"

// Mixer draws texels over others.
type Mixer struct {
	mode        plan.BlendMode
	stored      bool
	factor      float32
	tint        [3]float32
	scale, from float32 // of ShoneAbove: color*scale + from
}

// NewMixer returns a Mixer for a mode, with a tint.
func NewMixer(m plan.BlendMode, factor float64, tint [3]float64) Mixer {
	f := float32(factor)
	out := Mixer{mode: m, stored: plan.Mixes[m].Stored, factor: f, tint: [3]float32{float32(tint[0]), float32(tint[1]), float32(tint[2])}}
	// With a factor of 1 everything glows; below 1 only what is brighter than 1 minus the factor, scaled to the same
	// white; below one half, what is brighter than one half, dimmed.
	if f >= 0.5 {
		out.scale = 1 / f
		out.from = 1 - out.scale
	} else {
		out.scale = 4 * f
		out.from = -2 * f
	}
	return out
}

// Over draws d over c. c is linear; d is as stored.
func (m *Mixer) Over(c, d [4]float32) [4]float32 {
	for k := range 3 {
		if !m.stored {
			d[k] = decodeSRGB(d[k])
		}
		d[k] = float32(d[k] * m.tint[k])
	}
	f := m.factor
	lerp := func(a, b, t float32) float32 { return a + float32((b-a)*t) }
	switch m.mode {
	case plan.Doubled:
		for k := range 3 {
			c[k] *= lerp(1, 2*d[k], f)
		}
	case plan.AddedMix:
		for k := range 3 {
			c[k] += float32(f * d[k])
		}
	case plan.OverMix:
		for k := range 3 {
			c[k] = lerp(c[k], d[k], f*d[3])
		}
	case plan.Faded:
		for k := range c {
			c[k] = lerp(c[k], d[k], f)
		}
	case plan.Under:
		for k := range 3 {
			c[k] = lerp(c[k], d[k], f*(1-c[3]))
		}
		c[3] = d[3]
	case plan.ShoneAbove:
		for k := range 3 {
			c[k] = min(max(float32(float32(c[k]*m.tint[k])*m.scale)+m.from, 0), 1)
		}
	case plan.TwoPatterns:
		pattern := lerp(d[0], d[3], c[3])
		for k := range 3 {
			c[k] *= lerp(1, 2*pattern, f)
		}
	case plan.MultipliedMix:
		for k := range c {
			c[k] = lerp(c[k], float32(c[k]*d[k]), f)
		}
	case plan.MaskedMix:
		c[3] = lerp(c[3], float32(c[3]*d[3]), f)
	case plan.BumpOfColor:
		light := (d[0] + d[1] + d[2]) * (2.0 / 3)
		for k := range 3 {
			c[k] *= light
		}
	case plan.Covered:
		c[3] = 1 - d[1]
	}
	return c
}

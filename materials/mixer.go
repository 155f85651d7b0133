package materials

// mixer draws texels over others.
type mixer struct {
	mode        blendMode
	stored      bool
	factor      float32
	tint        [3]float32
	scale, from float32 // of shoneAbove: color*scale + from
}

func newMixer(m blendMode, factor float64, tint [3]float64) mixer {
	f := float32(factor)
	out := mixer{mode: m, stored: mixes[m].stored, factor: f, tint: [3]float32{float32(tint[0]), float32(tint[1]), float32(tint[2])}}
	// With a factor of 1 all shines; below, only what is brighter than 1 minus the factor, up to the same white; below a
	// half, what is brighter than a half, dimmed.
	if f >= 0.5 {
		out.scale = 1 / f
		out.from = 1 - out.scale
	} else {
		out.scale = 4 * f
		out.from = -2 * f
	}
	return out
}

// over draws a texel over a linear one. That on top is as stored.
func (m *mixer) over(c, d [4]float32) [4]float32 {
	for k := range 3 {
		if !m.stored {
			d[k] = decodeSRGB(d[k])
		}
		d[k] = float32(d[k] * m.tint[k])
	}
	f := m.factor
	lerp := func(a, b, t float32) float32 { return a + float32((b-a)*t) }
	switch m.mode {
	case doubled:
		for k := range 3 {
			c[k] *= lerp(1, 2*d[k], f)
		}
	case addedMix:
		for k := range 3 {
			c[k] += float32(f * d[k])
		}
	case overMix:
		for k := range 3 {
			c[k] = lerp(c[k], d[k], f*d[3])
		}
	case faded:
		for k := range c {
			c[k] = lerp(c[k], d[k], f)
		}
	case under:
		for k := range 3 {
			c[k] = lerp(c[k], d[k], f*(1-c[3]))
		}
		c[3] = d[3]
	case shoneAbove:
		for k := range 3 {
			c[k] = min(max(float32(float32(c[k]*m.tint[k])*m.scale)+m.from, 0), 1)
		}
	case twoPatterns:
		pattern := lerp(d[0], d[3], c[3])
		for k := range 3 {
			c[k] *= lerp(1, 2*pattern, f)
		}
	case multipliedMix:
		for k := range c {
			c[k] = lerp(c[k], float32(c[k]*d[k]), f)
		}
	case maskedMix:
		c[3] = lerp(c[3], float32(c[3]*d[3]), f)
	case bumpOfColor:
		light := (d[0] + d[1] + d[2]) * (2.0 / 3)
		for k := range 3 {
			c[k] *= light
		}
	case covered:
		c[3] = 1 - d[1]
	}
	return c
}

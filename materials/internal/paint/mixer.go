package paint

import "github.com/bsp2gltf/bsp2gltf/internal/space"

// BlendMode states how a texture changes the one below it. The first twelve are the values of $detailblendmode (Source
// SDK 2013, common_ps_fxc.h, TextureCombine); they work in the same linear light as there.
type BlendMode uint8

const (
	Doubled       BlendMode = iota // base times twice the detail: a grey of 128 changes nothing
	AddedMix                       // base plus detail
	OverMix                        // detail over base by the detail's alpha
	Faded                          // interpolates from base to detail, alpha included
	Under                          // detail where the base's alpha is low
	Shone                          // the detail is added as emission
	ShoneAbove                     // the same for the part above a threshold
	TwoPatterns                    // base times twice the detail's red or alpha, chosen by the base's alpha
	MultipliedMix                  // base times detail, alpha included
	MaskedMix                      // base, with its alpha times the detail's
	BumpOfBump                     // the detail tilts the normals
	BumpOfColor                    // base times the light of the detail's three directions
	Covered                        // $blendmodulatetexture: base; its alpha is the opacity at which a layer appears
	Ribbed                         // Cable: base times the square of a normal map's blue, which is half-Lambert light from ahead
	Reduced                        // $detail_alpha_mask_base_texture: twice the base where the detail's alpha is 1, white where it is 0; times the detail
)

// Late reports whether a mode adds light after lighting.
func (m BlendMode) Late() bool { return m == Shone || m == ShoneAbove }

// ReadsAlpha reports whether the colour that a mode makes depends on the alpha of the texture above.
func (m BlendMode) ReadsAlpha() bool { return m == OverMix || m == TwoPatterns }

// Mixer draws texels over others.
type Mixer struct {
	mode        BlendMode
	stored      bool
	factor      float32
	tint        [3]float32
	scale, from float32 // of ShoneAbove: color*scale + from
}

// NewMixer returns a Mixer for a mix.
func NewMixer(p *Mix) Mixer {
	f, tint := float32(p.Factor), p.Tint
	out := Mixer{mode: p.Mode, stored: p.Stored, factor: f, tint: space.Vector32(tint)}
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
	d = m.read(d)
	f := m.factor
	lerp := func(a, b, t float32) float32 { return a + float32((b-a)*t) }
	switch m.mode {
	case Doubled:
		for k := range 3 {
			c[k] *= lerp(1, 2*d[k], f)
		}
	case AddedMix:
		for k := range 3 {
			c[k] += float32(f * d[k])
		}
	case OverMix:
		for k := range 3 {
			c[k] = lerp(c[k], d[k], f*d[3])
		}
	case Faded:
		for k := range c {
			c[k] = lerp(c[k], d[k], f)
		}
	case Under:
		for k := range 3 {
			c[k] = lerp(c[k], d[k], f*(1-c[3]))
		}
		c[3] = d[3]
	case ShoneAbove:
		for k := range 3 {
			c[k] = min(max(float32(float32(c[k]*m.tint[k])*m.scale)+m.from, 0), 1)
		}
	case TwoPatterns:
		pattern := lerp(d[0], d[3], c[3])
		for k := range 3 {
			c[k] *= lerp(1, 2*pattern, f)
		}
	case MultipliedMix:
		for k := range c {
			c[k] = lerp(c[k], float32(c[k]*d[k]), f)
		}
	case MaskedMix:
		c[3] = lerp(c[3], float32(c[3]*d[3]), f)
	case BumpOfColor:
		light := (d[0] + d[1] + d[2]) * (2.0 / 3)
		for k := range 3 {
			c[k] *= light
		}
	case Covered:
		c[3] = 1 - d[1]
	case Ribbed:
		for k := range 3 {
			c[k] *= d[2] * d[2]
		}
	case Reduced:
		for k := range 3 {
			c[k] = min(float32(min(float32(2*c[k]), 1)*d[3])+(1-d[3]), 1) * d[k]
		}
	}
	return c
}

// read returns a tinted texel of the texture that is drawn over another, linear or as stored, as the mode needs it.
func (m *Mixer) read(d [4]float32) [4]float32 {
	for k := range 3 {
		if !m.stored {
			d[k] = decodeSRGB(d[k])
		}
		d[k] = float32(d[k] * m.tint[k])
	}
	return d
}

// light returns the light that a texel adds, for modes that are late. d is as stored.
func (m *Mixer) light(d [4]float32) (out [3]float32) {
	d = m.read(d)
	for k := range out {
		if out[k] = float32(d[k] * m.factor); m.mode == ShoneAbove {
			out[k] = min(max(float32(d[k]*m.scale)+m.from, 0), 1)
		}
	}
	return out
}

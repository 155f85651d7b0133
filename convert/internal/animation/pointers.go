package animation

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/keyframes"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// propertyTrack is a property of a material or a lamp that changes by itself, again and again. In between its keys it changes evenly, or
// not at all if it steps.
type propertyTrack struct {
	pointer string // KHR_animation_pointer: the JSON pointer of the property
	size    int    // of a value
	step    bool
	even    bool    // it changes evenly for ever
	period  float64 // seconds
	times   []float32
	values  []float32 // size of them for each time; the last is at the period, where it begins again
}

const (
	// samples is how many keys a second what does not change evenly has.
	samples = 20

	// maxSamples bounds the keys of a property.
	maxSamples = 1200

	// fine is the tolerance of the values between two keys: parts of a texture or of white.
	fine = 1.0 / 512
)

// propertyTracks returns what changes in materials: the coordinates of their textures and their colours. What glTF has no property for is
// left out: frames, turbulence, vertices that move.
func propertyTracks(materials []scene.Material) (list []propertyTrack) {
	known := map[string][]propertyTrack{} // of coordinates: many materials move in one way
	for i := range materials {
		m := &materials[i]
		if m.Motion.Still() {
			continue
		}
		if m.Base.Image >= 0 {
			at := fmt.Sprintf("/materials/%d/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/", i)
			list = append(list, alike(known, at, m.Motion.Rest, m.Motion.Base)...)
		}
		if m.Emission.Slot.Image >= 0 && !m.Draw.Unlit {
			at := fmt.Sprintf("/materials/%d/emissiveTexture/extensions/KHR_texture_transform/", i)
			list = append(list, alike(known, at, m.Motion.Rest, m.Motion.Glow)...)
		}
		if c := m.BaseColor; m.Motion.Color != nil {
			at := fmt.Sprintf("/materials/%d/pbrMetallicRoughness/baseColorFactor", i)
			list = append(list, colours(at, c[:], m.Motion.Color, m.Motion.ColorRest)...)
		}
		if c := m.Emission.Color; m.Motion.GlowColor != nil && c != [3]float32{} && !m.Draw.Unlit {
			list = append(list, colours(fmt.Sprintf("/materials/%d/emissiveFactor", i), c[:], m.Motion.GlowColor,
				m.Motion.GlowColorRest)...)
		}
	}
	return list
}

// alike returns what coordinates returns for the texture at a pointer. Textures that move in one way share their keys.
func alike(known map[string][]propertyTrack, at string, rest *[6]float64, list []pbr.Change) []propertyTrack {
	key, err := json.Marshal([]any{rest, list})
	if err != nil { // a number that is none
		return nil
	}
	if _, ok := known[string(key)]; !ok {
		known[string(key)] = coordinates(rest, list)
	}
	out := slices.Clone(known[string(key)])
	for i := range out {
		out[i].pointer = at + out[i].pointer
	}
	return out
}

// coordinates returns the offset, the rotation and the scale of a texture by its changes, those that change. Their pointers are relative to
// the texture's transform.
func coordinates(rest *[6]float64, list []pbr.Change) []propertyTrack {
	if len(list) == 0 {
		return nil
	}
	periods, even := periodsOf(list)
	period := roundFor(periods)
	if !(period > 0) {
		return nil
	}
	back := pbr.Identity
	if rest != nil {
		var ok bool
		if back, ok = space.InvertTexture(*rest); !ok {
			return nil
		}
	}
	n := 1
	if !even {
		n = int(min(math.Ceil(period*samples), maxSamples))
	}
	offset := propertyTrack{pointer: "offset", size: 2, even: even, period: period}
	rotation := propertyTrack{pointer: "rotation", size: 1, even: even, period: period}
	scale := propertyTrack{pointer: "scale", size: 2, even: even, period: period}
	turn := 0.0
	for k := 0; k <= n; k++ {
		time := period * float64(k) / float64(n)
		m := space.MultiplyTexture(pbr.MatrixAt(list, time), back)
		// The matrix is a scale, then a rotation by an angle r: rows (x · cos r, y · sin r) and (-x · sin r, y · cos r).
		x := math.Hypot(m[0], m[3])
		if x == 0 {
			return nil
		}
		r := math.Atan2(-m[3], m[0])
		turn += math.Remainder(r-turn, 2*math.Pi)
		y := (float64(m[0]*m[4]) - float64(m[1]*m[3])) / x
		if math.Abs(m[1]-y*math.Sin(r)) > 1e-3 { // it shears
			return nil
		}
		for _, p := range []*propertyTrack{&offset, &rotation, &scale} {
			p.times = append(p.times, float32(time))
		}
		offset.values = append(offset.values, float32(m[2]), float32(m[5]))
		rotation.values = append(rotation.values, float32(turn))
		scale.values = append(scale.values, float32(x), float32(y))
	}
	var out []propertyTrack
	for _, p := range []propertyTrack{offset, rotation, scale} {
		if p.changes() {
			p.thin()
			out = append(out, p)
		}
	}
	return out
}

// thin leaves out keys as long as the others, with even changes between them, are fine enough.
func (p *propertyTrack) thin() {
	var times, values []float32
	for _, k := range keyframes.Reduce(len(p.times), p.straight) {
		times, values = append(times, p.times[k]), append(values, p.values[k*p.size:(k+1)*p.size]...)
	}
	p.times, p.values = times, values
}

// straight reports whether all keys between two are near enough to an even change from the first to the last.
func (p *propertyTrack) straight(from, to int) bool {
	if to-from > 256 {
		return false
	}
	for i := from + 1; i < to; i++ {
		part := (p.times[i] - p.times[from]) / (p.times[to] - p.times[from])
		for k := range p.size {
			a, b := p.values[from*p.size+k], p.values[to*p.size+k]
			if d := p.values[i*p.size+k] - a - float32((b-a)*part); d > fine || d < -fine {
				return false
			}
		}
	}
	return true
}

// changes reports whether not all values are the same.
func (p *propertyTrack) changes() bool {
	for i := p.size; i < len(p.values); i++ {
		if p.values[i] != p.values[i-p.size] {
			return true
		}
	}
	return false
}

// periodsOf returns the seconds after which each change begins again, and whether all changes are even.
func periodsOf(list []pbr.Change) (periods []float64, even bool) {
	even = true
	for _, c := range list {
		switch c.Kind {
		case "scroll":
			for _, x := range c.Numbers {
				if x != 0 {
					periods = append(periods, 1/math.Abs(x))
				}
			}
		case "rotate":
			if c.Numbers[0] != 0 {
				periods, even = append(periods, 360/math.Abs(c.Numbers[0])), false
			}
		case "stretch":
			if c.Wave.Freq != 0 {
				periods, even = append(periods, 1/math.Abs(c.Wave.Freq)), false
			}
		}
	}
	return periods, even
}

// roundFor returns the seconds after which all periods end together, if that is soon enough, else the longest of them, at most a minute.
func roundFor(periods []float64) float64 {
	longest := 0.0
	for _, p := range periods {
		longest = max(longest, p)
	}
	if together, ok := keyframes.CommonPeriod(periods, longestRound); ok {
		return max(together, longest)
	}
	return min(longest, longestRound)
}

// colours returns the wave of a linear colour, which multiplies it as displayed. rest is the wave's value that the colour includes.
func colours(at string, colour []float32, w *pbr.Wave, rest float64) []propertyTrack {
	if !(rest > 0) || w.Freq == 0 || w.Func == "noise" {
		return nil
	}
	p := propertyTrack{pointer: at, size: len(colour), period: 1 / math.Abs(w.Freq), step: w.Func == "square"}
	if p.period > longestRound {
		return nil
	}
	n := int(min(max(math.Ceil(p.period*samples), 16), maxSamples))
	for k := 0; k <= n; k++ {
		time := p.period * float64(k) / float64(n)
		part := min(max(pbr.WaveAt(w, time), 0), 1) / rest
		p.times = append(p.times, float32(time))
		for i, c := range colour {
			if i < 3 {
				c = float32(min(gamma.Decode(gamma.Encode(float64(c))*part), 1))
			}
			p.values = append(p.values, c)
		}
	}
	if !p.changes() {
		return nil
	}
	if !p.step {
		p.thin()
	}
	return []propertyTrack{p}
}

// channel returns the track again and again up to a time.
func (p *propertyTrack) channel(end float64) scene.Channel {
	c := scene.Channel{Node: scene.None, Pointer: p.pointer, Size: p.size, Step: p.step}
	rounds, stretch := fit(0, p.period, end)
	if p.even {
		c.Times, c.Values = []float32{0, float32(end)}, slices.Clone(p.values[:p.size])
		for k, x := range p.values[:p.size] {
			c.Values = append(c.Values, float32(float64(x)+float64(float64(p.values[len(p.values)-p.size+k]-x)*float64(rounds))))
		}
		return c
	}
	for round := 0; round < rounds && len(c.Times) < maxKeys; round++ {
		from := float64(float64(round)*p.period) * stretch
		for k, t := range p.times {
			if time := float64(float64(t)*stretch) + from; len(c.Times) == 0 || time > float64(c.Times[len(c.Times)-1])+instant/2 {
				c.Times = append(c.Times, float32(time))
			} else { // the last key of a round is the first of the next: it begins again at once
				if same := slices.Equal(c.Values[len(c.Values)-p.size:], p.values[:p.size]); same {
					continue
				}
				c.Times = append(c.Times, float32(time+instant))
			}
			c.Values = append(c.Values, p.values[k*p.size:(k+1)*p.size]...)
		}
	}
	return c
}

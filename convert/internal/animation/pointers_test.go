package animation

import (
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// valueAt returns a channel's value at a time.
func valueAt(c *scene.Channel, time float64) []float64 {
	k := 0
	for k+1 < len(c.Times) && float64(c.Times[k+1]) <= time {
		k++
	}
	out := make([]float64, c.Size)
	for i := range out {
		out[i] = float64(c.Values[k*c.Size+i])
		if k+1 < len(c.Times) && !c.Step {
			part := (time - float64(c.Times[k])) / float64(c.Times[k+1]-c.Times[k])
			out[i] += (float64(c.Values[(k+1)*c.Size+i]) - out[i]) * part
		}
	}
	return out
}

// moving returns a material with a picture and changes of its coordinates.
func moving(rest *[6]float64, list ...pbr.Change) scene.Material {
	m := scene.Material{Material: pbr.New("m")}
	m.Base.Image = 0
	m.Motion = &pbr.Motion{Base: list, Rest: rest}
	return m
}

// The offset, rotation and scale of a texture put a corner of it where the changes do, at any time.
func TestTexturesMoveByPointers(t *testing.T) {
	wave := &pbr.Wave{Func: "sin", Base: 1, Amp: 0.25, Freq: 0.5}
	for name, m := range map[string]scene.Material{
		"scroll": moving(nil, pbr.Change{Kind: "scroll", Numbers: []float64{0.5, -0.25}}),
		"scale, scroll": moving(&[6]float64{2, 0, 0, 0, 3, 0}, pbr.Change{Kind: "scale", Numbers: []float64{2, 3}},
			pbr.Change{Kind: "scroll", Numbers: []float64{0.1, 0}}),
		"rotate": moving(nil, pbr.Change{Kind: "rotate", Numbers: []float64{45}}),
		"rotate, scroll": moving(nil, pbr.Change{Kind: "rotate", Numbers: []float64{-36}},
			pbr.Change{Kind: "scroll", Numbers: []float64{0.2, 0.1}}),
		"stretch": moving(nil, pbr.Change{Kind: "stretch", Wave: wave}),
		"turb, scroll": moving(nil, pbr.Change{Kind: "turb", Numbers: []float64{0.1, 0, 1}},
			pbr.Change{Kind: "scroll", Numbers: []float64{1, 0}}),
		"never together": moving(nil, pbr.Change{Kind: "scroll", Numbers: []float64{math.Pi / 10, 0.3}}),
		"transform, turn": moving(nil, pbr.Change{Kind: "transform", Numbers: []float64{0, -1, 1, 1, 0, 0}},
			pbr.Change{Kind: "rotate", Numbers: []float64{90}}),
	} {
		list := propertyTracks([]scene.Material{m})
		if len(list) == 0 {
			t.Errorf("%s: nothing moves", name)
			continue
		}
		channels := map[string]scene.Channel{}
		for i := range list {
			c := list[i].channel(list[i].period)
			channels[c.Pointer[strings.LastIndexByte(c.Pointer, '/')+1:]] = c
		}
		back := pbr.Identity
		if m.Motion.Rest != nil {
			back, _ = space.InvertTexture(*m.Motion.Rest)
		}
		for time := 0.0; time < list[0].period; time += list[0].period / 97 {
			get := func(name string, or ...float64) []float64 {
				if c, ok := channels[name]; ok {
					return valueAt(&c, time)
				}
				first := space.MultiplyTexture(pbr.MatrixAt(m.Motion.Base, 0), back)
				switch name {
				case "offset":
					return []float64{first[2], first[5]}
				case "rotation":
					return []float64{math.Atan2(-first[3], first[0])}
				}
				return or
			}
			offset, turn, scale := get("offset"), get("rotation")[0], get("scale", 1, 1)
			want := space.MultiplyTexture(pbr.MatrixAt(m.Motion.Base, time), back)
			// KHR_texture_transform: scale, then turn, then move.
			x, y := 0.7*scale[0], 0.2*scale[1]
			u, v := math.Cos(turn)*x+math.Sin(turn)*y+offset[0], math.Cos(turn)*y-math.Sin(turn)*x+offset[1]
			du, dv := u-(want[0]*0.7+want[1]*0.2+want[2]), v-(want[3]*0.7+want[4]*0.2+want[5])
			if math.Hypot(du, dv) > 2*fine {
				t.Errorf("%s: at %.3g s it is %g, %g off", name, time, du, dv)
				break
			}
		}
	}
}

// What glTF can't express, and what stands still, is no channel.
func TestNoPointersOfWhatHasNone(t *testing.T) {
	bare := moving(nil, pbr.Change{Kind: "scroll", Numbers: []float64{1, 0}})
	bare.Base.Image = pbr.NoImage
	for name, m := range map[string]scene.Material{
		"warp": moving(nil, pbr.Change{Kind: "warp", Numbers: []float64{0.1, 8, 1}}), "no picture": bare,
		"shear": moving(nil, pbr.Change{Kind: "transform", Numbers: []float64{1, 1, 0, 0, 1, 0}},
			pbr.Change{Kind: "scroll", Numbers: []float64{1, 0}}),
		"flat":    moving(&[6]float64{}, pbr.Change{Kind: "scroll", Numbers: []float64{1, 0}}),
		"nothing": {Material: pbr.New("m")}, "at 0": moving(nil, pbr.Change{Kind: "scroll", Numbers: []float64{0, 0}}),
	} {
		if list := propertyTracks([]scene.Material{m}); len(list) != 0 {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// A wave multiplies a colour as displayed; a square one steps.
func TestWavesOfColoursByPointers(t *testing.T) {
	m := scene.Material{Material: pbr.New("m")}
	m.BaseColor = [4]float32{0.5, 0.25, 1, 0.75}
	m.Motion = &pbr.Motion{Color: &pbr.Wave{Func: "sin", Base: 0.5, Amp: 0.25, Freq: 0.5}, ColorRest: 0.5}
	m.Emission.Color = [3]float32{1, 1, 1}
	m.Motion.GlowColor, m.Motion.GlowColorRest = &pbr.Wave{Func: "square", Base: 0.5, Amp: 0.5, Freq: 1}, 1
	list := propertyTracks([]scene.Material{m})
	if len(list) != 2 || list[0].pointer != "/materials/0/pbrMetallicRoughness/baseColorFactor" ||
		list[1].pointer != "/materials/0/emissiveFactor" || !list[1].step {
		t.Fatalf("%+v", list)
	}
	c, glow := list[0].channel(4), list[1].channel(4)
	for time := 0.0; time < 4; time += 0.1 {
		part := (0.5 + 0.25*math.Sin(math.Pi*time)) / 0.5
		got := valueAt(&c, time)
		for k, x := range m.BaseColor {
			want := min(gamma.Decode(gamma.Encode(float64(x))*part), 1)
			if k == 3 {
				want = 0.75
			}
			if math.Abs(got[k]-want) > 0.01 {
				t.Fatalf("at %g s: %v, want %g at %d", time, got, want, k)
			}
		}
		on := 0.0
		if math.Mod(time+0.01, 1) < 0.5 {
			on = 1
		}
		if got := valueAt(&glow, time+0.01); got[0] != on {
			t.Errorf("at %g s the glow is %v, want %g", time, got, on)
		}
	}
}

// A lamp flickers by the letters of its style: in steps, or evenly between them.
func TestLampsFlickerByPointers(t *testing.T) {
	for _, smooth := range []bool{false, true} {
		w := &world.World{Lights: []world.Light{{Style: 4}, {Style: 4 | world.NightStyle}, {}, {Style: 33}, {Style: 4}}}
		w.Baked.Patterns, w.Baked.Smooth = world.Patterns{4: "mAy", 33: "b"}, smooth
		placed := &nodes.Placed{Lamps: []int{1, 2, 1, 1, scene.None}, Nodes: make([]scene.Node, 3),
			Lights: []scene.Light{{Intensity: 10}, {Intensity: 20}}}
		placed.Nodes[1].Light, placed.Nodes[2].Light = 0, 1
		in := Input{World: w, Placed: placed}
		list := in.flickers()
		if len(list) != 2 || list[1].pointer != "/extensions/KHR_lights_punctual/lights/1/intensity" {
			t.Fatalf("%+v", list)
		}
		c := list[1].channel(0.6)
		for time, want := range map[float64]float64{0.05: 20, 0.15: 0, 0.25: 40, 0.35: 20, 0.45: 0} {
			if smooth {
				want = map[float64]float64{0.05: 10, 0.15: 20, 0.25: 30, 0.35: 10, 0.45: 20}[time]
			}
			if got := valueAt(&c, time)[0]; math.Abs(got-want) > 1e-3 {
				t.Errorf("smooth %v: at %g s it is %g, want %g", smooth, time, got, want)
			}
		}
	}
}

package drawkey

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A reader that follows docs/internals/light.md shows what the engine shows: t^exponent * l plus the added light.
func TestDisplayUndoesTheCurve(t *testing.T) {
	for _, exponent := range []float64{1, 0.8} {
		curve := gamma.New(0.35, exponent)
		m := pbr.Material{Draw: pbr.Draw{LightGain: 2},
			Emission: pbr.Emission{Color: [3]float32{1, 0.5, 0}, Strength: 1.3, Glow: [3]float32{1, 0.7, 0}}}
		d := display(&world.DisplayLight{Albedo: 0.35, Exponent: exponent}, &m)
		intensity := Gain(&m)
		for _, l := range []float64{0.02, 0.3, 1, 1.7} {
			x := float64(curve.Linear(float32(l))) * intensity / math.Pow(d.Gain, 2.2)
			got := d.Gain * gamma.Encode(x*gamma.Decode(d.Albedo)) / math.Pow(d.Albedo, d.Exponent)
			if math.Abs(got-2*l) > 1e-4 {
				t.Errorf("exponent %g, light %g: %g, want %g", exponent, l, got, 2*l)
			}
		}
		for k, want := range m.Emission.Glow { // at a white texel
			got := gamma.Encode(float64(m.Emission.Color[k])*float64(m.Emission.Strength)) * d.Emission[k]
			if math.Abs(got-float64(want)) > 1e-4 {
				t.Errorf("channel %d: %g is added, want %g", k, got, want)
			}
		}
	}
}

func TestDisplayIsWrittenOnlyIfLightIsNotLinear(t *testing.T) {
	lit, unlit := scene.Material{}, scene.Material{Material: pbr.Material{Draw: pbr.Draw{Unlit: true}}}
	// The vertices have the light with its gain; the lightmap is white. Red is shown as 0.5 of what it is written as.
	glowing := scene.Material{Lightmap: 0, Intensity: 1, Material: pbr.Material{Draw: pbr.Draw{LightGain: 2},
		Emission: pbr.Emission{Color: [3]float32{1, 0, 0}, Strength: 1, Glow: [3]float32{0.5, 0, 0}}}}
	lit.Lightmap, unlit.Lightmap = scene.None, scene.None
	for _, c := range []struct {
		name    string
		display *world.DisplayLight
		key     Key
		m       *scene.Material
		want    *scene.Display
	}{
		{"the game is linear, too", nil, Key{}, &lit, nil},
		{"a page", &world.DisplayLight{Albedo: 0.35, Exponent: 1}, Key{}, &lit, &scene.Display{Albedo: 0.35, Exponent: 1, Gain: 0}},
		{"no light", &world.DisplayLight{Albedo: 0.35, Exponent: 1}, Key{Page: scene.None}, &unlit, nil},
		{"no light, but a curve of textures", &world.DisplayLight{Albedo: 0.35, Exponent: 0.8}, Key{Page: scene.None}, &unlit,
			&scene.Display{Albedo: 1, Exponent: 0.8}},
		{"vertices, with what is added to it", &world.DisplayLight{Albedo: 0.35, Exponent: 0.8}, Key{Page: scene.None}, &glowing,
			&scene.Display{Albedo: 1, Exponent: 0.8, Emission: &[3]float64{0.5, 1, 1}}},
		{"vertices", &world.DisplayLight{Albedo: 0.35, Exponent: 1}, Key{Page: scene.None, VertexLit: true}, &unlit,
			&scene.Display{Albedo: 0.5, Exponent: 1, Texture: 2}},
	} {
		from := Sources{World: &world.World{Baked: world.BakedLight{Display: c.display}},
			Light: VertexLight{Of: map[Texture]VertexLightScale{{}: {0.5, 2}}}}
		if d := displayOf(c.key, c.m, &from); !reflect.DeepEqual(d, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, d, c.want)
		}
	}
}

package source_test

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A brush model is drawn as its first entity says. 51 of 255 is a fifth; 128 as displayed is 0.21586 of light.
func TestEntitiesDrawTheirBrushModels(t *testing.T) {
	half := [3]float32{0.2158605, 1, 1}
	for _, test := range []struct {
		name   string
		keys   [][2]string
		tint   [3]float32
		blend  world.Blend
		alpha  float32
		hidden bool
	}{
		{name: "as it is", keys: [][2]string{{"rendermode", "0"}, {"renderamt", "51"}, {"rendercolor", "255 255 255"}}},
		{name: "in a colour", keys: [][2]string{{"rendercolor", "128 255 255"}}, tint: half},
		{name: "half through", keys: [][2]string{{"rendermode", "2"}, {"renderamt", "51"}, {"rendercolor", "128 255 255"}}, tint: half, blend: world.BlendAlpha, alpha: 0.2},
		{name: "whole", keys: [][2]string{{"rendermode", "2"}, {"renderamt", "255"}}},
		{name: "of no opacity", keys: [][2]string{{"rendermode", "1"}, {"renderamt", "0"}}, hidden: true},
		{name: "not at all", keys: [][2]string{{"rendermode", "10"}}, hidden: true},
		{name: "later", keys: [][2]string{{"StartDisabled", "1"}}, hidden: true},
	} {
		m := row(1)
		m.StartModel()
		for i := range 2 {
			m.Polygon(m.Project(bricks, vec3{0, 0, 1}), square(float32(64*i), 0, 64)...)
		}
		m.Entities = []vbsp.Entity{
			{{"classname", "worldspawn"}}, append(vbsp.Entity{{"classname", "func_brush"}, {"model", "*1"}}, test.keys...),
			{{"classname", "func_brush"}, {"model", "*1"}, {"rendermode", "10"}},
		}
		w := decode(t, m.Write(vbsp.Source2007))
		a, b := &w.Models[1].Surfaces[0], &w.Models[1].Surfaces[1]
		got, of := w.Materials[a.Material], w.Materials[w.Models[0].Surfaces[0].Material]
		if got.Tint != test.tint || got.Blend != test.blend || got.Opacity != test.alpha || got.Name != of.Name || a.Material != b.Material {
			t.Errorf("%s: %+v", test.name, got)
		}
		if of.Tint != [3]float32{} || of.Blend != world.BlendNone {
			t.Errorf("%s: of the world %+v", test.name, of)
		}
		for _, s := range w.Models[1].Surfaces {
			if (s.Flags&world.NoDraw != 0) != test.hidden {
				t.Errorf("%s: flags %d", test.name, s.Flags)
			}
		}
	}
}

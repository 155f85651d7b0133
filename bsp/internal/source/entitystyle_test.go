package source_test

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A brush model is drawn as its entity says. 51 of 255 is a fifth; 128 as displayed is 0.21586 of light.
func TestEntitiesDrawTheirBrushModels(t *testing.T) {
	half := [3]float32{0.2158605, 1, 1}
	for _, test := range []struct {
		name    string
		keys    [][2]string
		tint    [3]float32
		blend   world.Blend
		alpha   float32
		hidden  bool
		trigger bool
	}{
		{name: "as it is", keys: [][2]string{{"rendermode", "0"}, {"renderamt", "51"}, {"rendercolor", "255 255 255"}}},
		{name: "in a colour", keys: [][2]string{{"rendercolor", "128 255 255"}}, tint: half},
		{name: "half through", keys: [][2]string{{"rendermode", "2"}, {"renderamt", "51"}, {"rendercolor", "128 255 255"}}, tint: half,
			blend: world.BlendAlpha, alpha: 0.2},
		{name: "whole", keys: [][2]string{{"rendermode", "2"}, {"renderamt", "255"}}},
		{name: "of no opacity", keys: [][2]string{{"rendermode", "1"}, {"renderamt", "0"}}, hidden: true},
		{name: "not at all", keys: [][2]string{{"rendermode", "10"}}, hidden: true},
		{name: "later", keys: [][2]string{{"StartDisabled", "1"}}, hidden: true},
		{name: "as copies of a template", keys: [][2]string{{"targetname", "Copied"}}, hidden: true},
		{name: "a trigger", keys: [][2]string{{"classname", "trigger_hurt"}}, trigger: true},
		{name: "a field", keys: [][2]string{{"classname", "trigger_portal_cleanser"}}},
		{name: "a wall", keys: [][2]string{{"classname", "func_wall_toggle"}, {"spawnflags", "2"}}},
		{name: "a wall that starts off", keys: [][2]string{{"classname", "func_wall_toggle"}, {"spawnflags", "1"}}, hidden: true},
	} {
		m := row(1)
		m.StartModel()
		for i := range 2 {
			m.Polygon(m.Project(bricks, vec3{0, 0, 1}), square(float32(64*i), 0, 64)...)
		}
		m.Entities = []vbsp.Entity{
			{{"classname", "worldspawn"}}, append(append(vbsp.Entity{{"model", "*1"}}, test.keys...), [2]string{"classname", "func_brush"}),
			{{"classname", "func_brush"}, {"model", "*1"}, {"rendermode", "10"}},
			{{"classname", "point_template"}, {"Template01", "copied"}},
		}
		w := decode(t, m.Write(vbsp.Source2007))
		model := w.Models[w.Entities[1].Model]
		a, b := &model.Surfaces[0], &model.Surfaces[1]
		got, of := w.Materials[a.Material], w.Materials[w.Models[0].Surfaces[0].Material]
		if got.Tint != test.tint || got.Blend != test.blend || got.Opacity != test.alpha || got.Name != of.Name ||
			a.Material != b.Material {
			t.Errorf("%s: %+v", test.name, got)
		}
		if of.Tint != [3]float32{} || of.Blend != world.BlendNone {
			t.Errorf("%s: of the world %+v", test.name, of)
		}
		for _, s := range model.Surfaces {
			if (s.Flags&world.NoDraw != 0) != test.hidden || (s.Flags&world.Trigger != 0) != test.trigger {
				t.Errorf("%s: flags %d", test.name, s.Flags)
			}
		}
	}
}

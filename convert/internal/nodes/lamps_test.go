package nodes

import (
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// putLamps places white lamps, a worldspawn and entities.
func putLamps(t *testing.T, p pipeline.Pipeline, lights []world.Light, entities ...world.Entity) (*scene.Scene, *Placed) {
	t.Helper()
	w := &world.World{Name: "test", Models: make([]world.Model, 1), Lights: lights}
	w.Entities = append([]world.Entity{entity(0, "classname", "worldspawn")}, entities...)
	for i := range w.Lights {
		if w.Lights[i].Color == [3]float32{} {
			w.Lights[i].Color = [3]float32{1, 1, 1}
		}
	}
	return put(t, p, w)
}

func TestLampsAreInCandelaAndLux(t *testing.T) {
	for _, test := range []struct {
		name  string
		light world.Light
		want  float64
	}{
		// A Quake III light of 300 lights a wall at one unit with 300 * 7500 / 255 of white. A glTF light of I candela
		// lights a wall at m metres with I / m² lux, of which white reflects 1/π: at m = 1/32 the two agree if I = π *
		// 8823.5 / 32² = 27.07 cd.
		{"point", world.Light{Intensity: 300 * 7500.0 / 255}, 27.07},
		{"spot", world.Light{Kind: world.SpotLight, Intensity: 1024, Inner: 0.1, Outer: 0.2}, math.Pi},
		// A sun that makes white surfaces white gives π lux.
		{"sun", world.Light{Kind: world.SunLight, Intensity: 1}, math.Pi},
	} {
		for _, scale := range []float64{1, 683} {
			got, ok := punctual(&test.light, &pipeline.EntityOptions{Lights: true, LightScale: scale}, 1.0/32)
			if want := test.want * scale; !ok || math.Abs(got.Intensity-want) > want*1e-3 || got.Kind != test.light.Kind {
				t.Errorf("%s: %+v, want %g", test.name, got, want)
			}
		}
	}
	for _, wild := range []float64{0, -1, 1e30, math.Inf(1), math.NaN()} {
		if got, ok := punctual(&world.Light{Intensity: wild}, &pipeline.EntityOptions{Lights: true, LightScale: 1}, 1); ok {
			t.Errorf("an intensity of %g makes %+v", wild, got)
		}
	}
}

func TestLampsHangOnTheirEntities(t *testing.T) {
	down := [3]float32{0, 0, -1}
	lights := []world.Light{
		{Entity: 1, Origin: [3]float32{32, 64, 96}, Intensity: 1, Range: 64},
		{Entity: 2, Kind: world.SpotLight, Direction: down, Intensity: 1, Outer: 1},
		{Entity: 3, Kind: world.SpotLight, Direction: down, Intensity: 1, Outer: 1, Style: 33},
		{Entity: world.NoEntity, Origin: [3]float32{32, 0, 0}, Intensity: 1},
		{Entity: 4, Intensity: 1},
	}
	s, _ := putLamps(t, set(t, "entities.skip=[gone]"), lights,
		entity(world.NoModel, "classname", "light", "origin", "32 64 96"),
		entity(world.NoModel, "classname", "turns", "origin", "32 0 0"),
		entity(world.NoModel, "classname", "light_spot", "origin", "32 0 0", "angles", "-90 90 0", "targetname", "lamp"),
		entity(world.NoModel, "classname", "gone"))
	if n := findNode(t, s, "light"); n.Light != 0 || n.Translation != [3]float64{1, 3, -2} || s.Lights[0].Range != 2 ||
		s.Lights[0].Name != "light" {
		t.Errorf("%+v, %+v", n, s.Lights[0])
	}
	// An entity without angles faces in the direction of its light. One with angles keeps them, and its light has a
	// child node.
	if n := findNode(t, s, "turns"); n.Light != 1 || !near(rotate(n.Rotation, [3]float64{0, 0, -1}), [3]float64{0, -1, 0}) {
		t.Errorf("%+v", n)
	}
	n := findNode(t, s, "light_spot_lamp_light")
	if parentOf(t, s, n.Name) != "light_spot_lamp" || findNode(t, s, "light_spot_lamp").Light != scene.None || n.Light != 2 ||
		n.Extras["style_name"] != "lamp" || n.Extras["style"] != 33.0 {
		t.Errorf("%+v", n)
	}
	places := scene.Places(s)
	for i := range s.Nodes {
		if at := places[i]; s.Nodes[i].Name == n.Name && (!near(at.At, [3]float64{1, 0, 0}) || !near(at.Z, [3]float64{0, 1, 0})) {
			t.Errorf("it is at %+v", at)
		}
	}
	if n := findNode(t, s, "light_3"); n.Light != 3 || n.Translation != [3]float64{1, 0, 0} || len(s.Lights) != 4 {
		t.Errorf("%+v of %d", n, len(s.Lights))
	}
}

func TestLampsThatAreNotShown(t *testing.T) {
	lights := []world.Light{
		{Entity: world.NoEntity, Kind: world.AreaLight, Intensity: 1024, Color: [3]float32{1, 0.5, 0}, Direction: [3]float32{0, 0, -1}},
		{Entity: 1, Kind: world.AmbientLight, Intensity: 2},
		{Entity: 1, Intensity: 1},
	}
	e := entity(world.NoModel, "classname", "light_environment")
	s, out := putLamps(t, pipeline.Default(), lights, e)
	n := findNode(t, s, "light_0")
	if n.Light != scene.None || n.Extras["bsp2gltf_light"] != "area" || n.Extras["color_g"] != 0.5 ||
		math.Abs(n.Extras["intensity"].(float64)-math.Pi) > 1e-9 {
		t.Errorf("%+v", n)
	}
	n = findNode(t, s, "light_environment_light")
	if n.Extras["bsp2gltf_light"] != "ambient" || findNode(t, s, "light_environment").Light != 0 ||
		!slices.Equal(shine(out), []bool{false, false, true}) {
		t.Errorf("%+v %v", n, out.Lamps)
	}
	s, out = putLamps(t, set(t, "entities.area_lights=true"), lights, e)
	if n := findNode(t, s, "light_0"); n.Light == scene.None || s.Lights[n.Light].Kind != world.SpotLight ||
		!slices.Equal(shine(out), []bool{true, false, true}) {
		t.Errorf("%+v %v", n, out.Lamps)
	}
	s, out = putLamps(t, set(t, "output.extras=false"), lights, e)
	if len(s.Nodes) != 3 || !slices.Equal(shine(out), []bool{false, false, true}) {
		t.Errorf("%d nodes", len(s.Nodes))
	}
	s, out = putLamps(t, set(t, "entities.lights=false"), lights, e)
	if len(s.Nodes) != 3 || len(s.Lights) != 0 || !slices.Equal(shine(out), make([]bool, 3)) {
		t.Errorf("%d nodes", len(s.Nodes))
	}
	s, _ = putLamps(t, set(t, "entities.nodes=false"), lights, e, entity(world.NoModel, "classname", "place"))
	if findNode(t, s, "light_environment").Light != 0 || len(s.Nodes) != 5 {
		t.Errorf("without nodes of entities there are %d", len(s.Nodes))
	}
}

// shine reports which lamps shine.
func shine(out *Placed) (list []bool) {
	for _, node := range out.Lamps {
		list = append(list, node != scene.None)
	}
	return list
}

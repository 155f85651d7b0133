package nodes

import (
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// These are the least and the greatest corner, at 32 units per metre with Y up: the map's Y is -Z.
func TestEntitiesThatShowNothingStateTheirSize(t *testing.T) {
	s, _ := put(t, pipeline.Default(), &world.World{
		Models: []world.Model{{}, {Mins: [3]float32{-32, 0, 16}, Maxs: [3]float32{32, 64, 48}},
			{Maxs: [3]float32{32, 32, 0}, Surfaces: shown()}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"), entity(1, "classname", "trigger"), entity(2, "classname", "door")},
	})
	if got, want := findNode(t, s, "trigger").Extras["bsp2gltf_box"], "-1 0.5 -2 1 1.5 0"; got != want {
		t.Errorf("the box is %v, want %s", got, want)
	}
	if box, ok := findNode(t, s, "door").Extras["bsp2gltf_box"]; ok {
		t.Errorf("a model with faces has the box %v", box)
	}
}

func TestPosesOfEntities(t *testing.T) {
	none, left := [4]float64{0, 0, 0, 1}, [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}
	for _, test := range []struct {
		name  string
		model int
		turn  [3]float32
		pairs []string
		want  placement
	}{
		{"angle is the yaw", world.NoModel, [3]float32{}, []string{"origin", "32 0 0", "angle", "90"}, placement{[3]float64{1, 0, 0}, left}},
		{"angles win", world.NoModel, [3]float32{}, []string{"angle", "45", "angles", "0 90 0"}, placement{[3]float64{}, left}},
		{"-1 is up, no turn", world.NoModel, [3]float32{}, []string{"angle", "-1"}, placement{[3]float64{}, none}},
		{"-2 is down, no turn", world.NoModel, [3]float32{}, []string{"angle", "-2"}, placement{[3]float64{}, none}},
		{"a brush model is moved, not turned", 1, [3]float32{}, []string{"origin", "0 0 32", "angle", "90"},
			placement{[3]float64{0, 1, 0}, none}},
		{"a brush model whose class turns it", 1, [3]float32{0, 90, 0}, []string{"origin", "0 0 32", "angles", "0 90 0"},
			placement{[3]float64{0, 1, 0}, left}},
		{"the world is neither", 0, [3]float32{0, 90, 0}, []string{"origin", "0 0 32", "angles", "0 90 0"}, placement{[3]float64{}, none}},
		{"no origin", 1, [3]float32{}, nil, placement{[3]float64{}, none}},
		{"a broken origin", world.NoModel, [3]float32{}, []string{"origin", "1 2"}, placement{[3]float64{}, none}},
		{"an origin that is not finite", world.NoModel, [3]float32{}, []string{"origin", "nan inf 0"}, placement{[3]float64{}, none}},
	} {
		e := entity(test.model, test.pairs...)
		e.ModelAngles = test.turn
		got := poseOf(&e, axes.Axes{Unit: 1.0 / 32})
		for k := range got.turn {
			if math.Abs(got.turn[k]-test.want.turn[k]) > 1e-9 || got.at != test.want.at {
				t.Errorf("%s: %v, want %v", test.name, got, test.want)
				break
			}
		}
	}
}

func TestSkippedEntities(t *testing.T) {
	w := &world.World{Models: []world.Model{{Surfaces: shown()}, {}, {Surfaces: shown()}, {Surfaces: shown()}}, Entities: []world.Entity{
		entity(0, "classname", "worldspawn"), entity(1, "classname", "Trigger_Multiple"),
		entity(2, "classname", "func_door", "targetname", "d"),
		entity(3, "classname", "trigger_push"), entity(3, "classname", "func_wall"), // share one
		entity(world.NoModel, "classname", "info_null"),
	}}
	for option, want := range map[string]string{
		`entities.skip=[info_null, "trigger_*"]`: "unnamed worldspawn func_door_d func_wall",
		"entities.skip=['*']":                    "unnamed worldspawn model_2 model_3",
		"entities.nodes=false":                   "unnamed worldspawn Trigger_Multiple func_door_d trigger_push func_wall",
	} {
		s, out := put(t, set(t, option), w)
		var got []string
		for _, n := range s.Nodes {
			got = append(got, n.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", option, got, want)
		}
		for i, node := range out.Entities {
			if node != scene.None && s.Nodes[node].Name != entityName(&w.Entities[i]) {
				t.Errorf("%s: entity %d is node %q", option, i, s.Nodes[node].Name)
			}
		}
	}
}

func TestModelsInTwoEntitiesAndInNone(t *testing.T) {
	s, _ := put(t, pipeline.Default(), &world.World{
		Models: []world.Model{{Surfaces: shown()}, {Surfaces: shown()}, {Surfaces: shown()}, {}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"), entity(1, "classname", "a"), entity(1, "classname", "b"),
			entity(3, "classname", "empty")},
	})
	for name, mesh := range map[string]int{"a": 1, "b": 1, "model_2": 2, "empty": scene.None, "worldspawn": 0} {
		if got := findNode(t, s, name).Mesh; got != mesh {
			t.Errorf("%s has mesh %d, want %d", name, got, mesh)
		}
	}
}

// Partitions and hidden surfaces are on nodes below the model's.
func TestPartsOfAModelAreOnNodesBelow(t *testing.T) {
	w := &world.World{Models: []world.Model{{}}, Entities: []world.Entity{entity(0, "classname", "worldspawn")}}
	s, _ := put(t, pipeline.Default(), w, func(in *Input) {
		in.Meshes.Models[0] = meshes.Model{Mesh: scene.None, Hidden: 4,
			Partitions: []meshes.Partition{{Name: "area_3", Mesh: 2}, {Name: "area_7", Mesh: 3}}}
	})
	for name, mesh := range map[string]int{"worldspawn_area_3": 2, "worldspawn_area_7": 3, "worldspawn_hidden": 4} {
		if n := findNode(t, s, name); n.Mesh != mesh || parentOf(t, s, name) != "worldspawn" ||
			(name == "worldspawn_hidden") != (n.Extras["bsp2gltf_hidden"] == true) {
			t.Errorf("%+v", n)
		}
	}
}

// With stable names a node is named by what distinguishes it, not by its number: the editor's number, the key-values, the place.
func TestStableNames(t *testing.T) {
	names := func(w *world.World) string {
		s, _ := put(t, set(t, "output.names=stable"), w)
		var all []string
		for _, n := range s.Nodes {
			all = append(all, n.Name)
		}
		return strings.Join(all, " ")
	}
	door, light := entity(1, "classname", "door", "model", "*1"), entity(world.NoModel, "classname", "light", "hammerid", "12")
	named, water := entity(world.NoModel, "classname", "a", "targetname", "b"), world.Water{Surface: 64, Material: -1}
	w := &world.World{Models: make([]world.Model, 3), Entities: []world.Entity{entity(0, "classname", "worldspawn"), door, light, named},
		Volumes: world.Volumes{Waters: []world.Water{water}}}
	before := names(w)
	if !strings.Contains(before, " light_id12 ") || !strings.Contains(before, " a_b ") ||
		!strings.HasPrefix(before, "unnamed worldspawn door_") {
		t.Error(before)
	}
	// Another door in front, which is brush model 1, and a body of water in front change no name.
	other := entity(1, "classname", "door", "model", "*1", "speed", "7")
	door.Model, door.Pairs = 2, []world.Pair{{Key: "classname", Value: "door"}, {Key: "model", Value: "*2"}}
	w.Entities = []world.Entity{w.Entities[0], other, door, light, named}
	w.Volumes.Waters = []world.Water{{Surface: 1, Material: -1}, water}
	after := names(w)
	for _, name := range strings.Fields(before) {
		if !strings.Contains(after+" ", name+" ") {
			t.Errorf("%s is not in %s", name, after)
		}
	}
}

func TestWildNumbersStayFinite(t *testing.T) {
	big := "3e38 -3e38 3e38"
	w := &world.World{Materials: []world.Material{{Name: "m"}},
		Models:     []world.Model{{Name: "*0", Mins: [3]float32{-3e38, -3e38, -3e38}, Maxs: [3]float32{3e38, 3e38, 3e38}}},
		Billboards: []world.Billboard{{Position: [3]float32{3e38, 0, 0}, Normal: [3]float32{1e-38, 3e38, 0}}},
		Volumes: world.Volumes{Fogs: []world.Fog{{Mins: [3]float32{3e38, 3e38, 3e38}, Maxs: [3]float32{3e38, -3e38, 3e38}},
			{Global: true}}},
		Entities: []world.Entity{
			entity(0, "classname", "worldspawn"),
			entity(world.NoModel, "classname", "light", "origin", big, "angles", big, "parentname", "X"),
			entity(world.NoModel, "classname", "info_player_intermission", "origin", big, "target", "x"),
			entity(world.NoModel, "classname", "x", "targetname", "x", "origin", "-3e38 3e38 -3e38", "angles", big),
		},
	}
	for kind := world.PointLight; kind <= world.AmbientLight; kind++ {
		for _, entity := range []int{world.NoEntity, 1} {
			for _, x := range []float64{math.Inf(1), math.NaN(), 3e300, -1, 1e-300} {
				w.Lights = append(w.Lights, world.Light{Kind: kind, Entity: entity, Origin: [3]float32{3e38, 0, 0},
					Direction: [3]float32{3e38, 1, 0},
					Color:     [3]float32{3e38, -1, 1}, Intensity: x, Range: x, Inner: x, Outer: x})
			}
		}
	}
	w.Volumes.Waters = []world.Water{{Surface: 3e38, Bottom: -3e38, Material: -1}}
	w.Cubemaps = []world.Cubemap{{Origin: [3]float32{3e38, 0, 0}}}
	w.Props = []world.Prop{{Model: "a.mdl", Index: world.NoModel, Kind: world.StaticProp, Entity: world.NoEntity,
		Origin: [3]float32{3e38, 0, 0},
		Angles: [3]float32{3e38, 0, 0}, Scale: [3]float32{3e38, 0, 0}, Draw: world.PropDraw{Fade: [2]float32{3e38, 3e38}}}}
	s, _ := put(t, pipeline.Default(), w, func(in *Input) { in.Axes.Unit, in.Meshes.Meshes = 1000, nil })
	scenetest.ReadGLB(t, scenetest.GLB(t, s)) // JSON has no number for what is not finite
}

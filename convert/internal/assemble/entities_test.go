package assemble

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// entityScene returns the scene of a worldspawn and entities at 1/32 metres per unit.
func entityScene(t *testing.T, p pipeline.Pipeline, entities ...world.Entity) (*scene.Scene, *report.Report) {
	t.Helper()
	return literal(t, p, &world.World{Name: "test", Unit: 1.0 / 32, Entities: append([]world.Entity{entity(0, "classname", "worldspawn")}, entities...)})
}

func TestCameras(t *testing.T) {
	s, _ := entityScene(t, defaults(), entity(world.NoModel, "classname", "info_player_intermission", "origin", "0 0 64", "angles", "30 90 0"),
		entity(world.NoModel, "classname", "info_player_intermission", "origin", "0 0 0", "target", "x"),
		entity(world.NoModel, "classname", "info_notnull", "targetname", "x", "origin", "-10 0 0"))
	c := s.Cameras[0]
	// 90 degrees wide at 4:3 is 2 atan(3/4) = 73.74 degrees high.
	if math.Abs(c.YFov*180/math.Pi-73.7398) > 1e-4 || math.Abs(c.Aspect-4.0/3) > 1e-9 || !(c.ZNear > 0 && c.ZFar > c.ZNear) {
		t.Errorf("%+v", c)
	}
	// Yaw 90 is north, -Z here, and pitch 30 looks down.
	look := rotate(findNode(t, s, "info_player_intermission").Rotation, [3]float64{0, 0, -1})
	if !near(look, [3]float64{0, -0.5, -math.Sqrt(3) / 2}) {
		t.Errorf("it looks along %v", look)
	}
	if got := rotate(findNode(t, s, "info_player_intermission_2").Rotation, [3]float64{0, 0, -1}); !near(got, [3]float64{-1, 0, 0}) {
		t.Errorf("it looks along %v, want at its target", got)
	}
	if s.Cameras[1].Name != "info_player_intermission_2" {
		t.Errorf("the camera is called %q, not as its node", s.Cameras[1].Name)
	}
	s, _ = entityScene(t, set(t, "entities.cameras=false"), entity(world.NoModel, "classname", "info_player_intermission"))
	if len(s.Cameras) > 0 {
		t.Error("there is a camera")
	}
}

// These are the least and the greatest corner, at 32 units per metre with Y up: the map's Y is -Z.
func TestEntitiesThatShowNothingTellTheirSize(t *testing.T) {
	w := &world.World{Unit: 1.0 / 32, Materials: []world.Material{{Name: "m"}}, Models: []world.Model{
		{Name: "*0"}, {Name: "*1", Mins: [3]float32{-32, 0, 16}, Maxs: [3]float32{32, 64, 48}},
		{Name: "*2", Mins: [3]float32{0, 0, 0}, Maxs: [3]float32{32, 32, 0}, Surfaces: []world.Surface{square(0, world.NoChart, 1)}},
	}}
	w.Entities = []world.Entity{entity(0, "classname", "worldspawn"), entity(1, "classname", "trigger"), entity(2, "classname", "door")}
	s, _ := literal(t, defaults(), w)
	if got, want := findNode(t, s, "trigger").Extras["bsp2gltf_box"], "-1 0.5 -2 1 1.5 0"; got != want {
		t.Errorf("the box is %v, want %s", got, want)
	}
	if box, ok := findNode(t, s, "door").Extras["bsp2gltf_box"]; ok {
		t.Errorf("a model with faces has the box %v", box)
	}
}

func TestEntityPlacesAndAngles(t *testing.T) {
	none := [4]float64{0, 0, 0, 1}
	for _, test := range []struct {
		name  string
		model int
		pairs []string
		at    [3]float64
		turn  [4]float64
	}{
		{"angle is the yaw", world.NoModel, []string{"origin", "32 0 0", "angle", "90"}, [3]float64{1, 0, 0}, [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}},
		{"angles win", world.NoModel, []string{"angle", "45", "angles", "0 90 0"}, [3]float64{}, [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}},
		{"-1 is up, no turn", world.NoModel, []string{"angle", "-1"}, [3]float64{}, none},
		{"-2 is down, no turn", world.NoModel, []string{"angle", "-2"}, [3]float64{}, none},
		{"a brush model is moved, not turned", 1, []string{"origin", "0 0 32", "angle", "90"}, [3]float64{0, 1, 0}, none},
		{"no origin", 1, nil, [3]float64{}, none},
		{"a broken origin", world.NoModel, []string{"origin", "1 2"}, [3]float64{}, none},
		{"an origin that is not finite", world.NoModel, []string{"origin", "nan inf 0"}, [3]float64{}, none},
	} {
		w := &world.World{Unit: 1.0 / 32, Materials: []world.Material{{Name: "m"}}, Models: []world.Model{
			{Name: "*0"}, {Name: "*1", Surfaces: []world.Surface{square(0, world.NoChart, 1)}},
		}}
		w.Entities = []world.Entity{entity(0, "classname", "worldspawn"), entity(test.model, append([]string{"classname", "thing"}, test.pairs...)...)}
		s, _ := literal(t, defaults(), w)
		n := findNode(t, s, "thing")
		if n.Translation != test.at {
			t.Errorf("%s: at %v, want %v", test.name, n.Translation, test.at)
		}
		for k := range n.Rotation {
			if math.Abs(n.Rotation[k]-test.turn[k]) > 1e-9 {
				t.Errorf("%s: turned %v, want %v", test.name, n.Rotation, test.turn)
				break
			}
		}
		if (n.Mesh != scene.None) != (test.model == 1) {
			t.Errorf("%s: mesh %d", test.name, n.Mesh)
		}
	}
}

func TestExtrasAreFlatAndKeepRepeatedKeys(t *testing.T) {
	e := entity(world.NoModel, "classname", "thing", "a", "1", "a", "2", "A", "3", "a_2", "4", "a", "5", "", "6")
	got := keyValues(&e)
	want := map[string]any{"classname": "thing", "a": "1", "a_2": "2", "A": "3", "a_2_2": "4", "a_3": "5", "": "6"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	many := world.Entity{}
	for range 100_000 { // in no time that grows with the square
		many.Pairs = append(many.Pairs, world.Pair{Key: "a"}, world.Pair{Key: "a_7"})
	}
	if n := len(keyValues(&many)); n != 200_000 {
		t.Errorf("%d keys are left", n)
	}
}

func TestSkippedEntities(t *testing.T) {
	w := func() *world.World {
		w := &world.World{Materials: []world.Material{{Name: "m"}}, Models: []world.Model{{Name: "*0", Surfaces: []world.Surface{square(0, world.NoChart, 1)}}}}
		for i := 1; i < 4; i++ {
			w.Models = append(w.Models, world.Model{Name: fmt.Sprint("*", i), Surfaces: []world.Surface{square(0, world.NoChart, 1)}})
		}
		w.Entities = []world.Entity{
			entity(0, "classname", "worldspawn"),
			entity(1, "classname", "Trigger_Multiple"),
			entity(2, "classname", "func_door", "targetname", "d"),
			entity(3, "classname", "trigger_push"), entity(3, "classname", "func_wall"), // share one
			entity(world.NoModel, "classname", "info_null"),
		}
		return w
	}
	s, r := literal(t, set(t, `entities.skip=[info_null, "trigger_*"]`), w())
	for _, n := range s.Nodes {
		if strings.Contains(strings.ToLower(n.Name), "trigger") || n.Name == "info_null" {
			t.Errorf("there is a node %q", n.Name)
		}
	}
	if r.Entities.Skipped != 3 || r.Entities.Nodes != 3 || r.Entities.Total != 6 || r.Surfaces.Kept != 3 || r.Surfaces.Dropped["skipped"] != 1 {
		t.Errorf("%+v %+v", r.Entities, r.Surfaces)
	}
	if findNode(t, s, "func_wall").Mesh == scene.None || findNode(t, s, "func_door_d").Mesh == scene.None {
		t.Error("a model that is still shown is gone")
	}
	s, r = literal(t, set(t, "entities.skip=['*']"), w())
	if findNode(t, s, "worldspawn").Mesh == scene.None || r.Entities.Nodes != 1 || r.Surfaces.Kept != 1 {
		t.Errorf("skipping all: %+v %+v", r.Entities, r.Surfaces)
	}
	s, r = literal(t, set(t, "entities.nodes=false"), w())
	if r.Entities.Skipped != 1 || findNode(t, s, "trigger_push").Mesh == scene.None {
		t.Errorf("without nodes: %+v", r.Entities)
	}
}

func TestModelsInTwoEntitiesAndInNone(t *testing.T) {
	surface := func() []world.Surface { return []world.Surface{square(0, world.NoChart, 1)} }
	s, r := literal(t, defaults(), &world.World{
		Materials: []world.Material{{Name: "m"}},
		Models:    []world.Model{{Name: "*0", Surfaces: surface()}, {Name: "*1", Surfaces: surface()}, {Name: "*2", Surfaces: surface()}, {Name: "*3"}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"), entity(1, "classname", "a"), entity(1, "classname", "b"),
			entity(3, "classname", "empty")},
	})
	if a, b := findNode(t, s, "a"), findNode(t, s, "b"); a.Mesh == scene.None || a.Mesh != b.Mesh {
		t.Errorf("meshes %d and %d", a.Mesh, b.Mesh)
	}
	if findNode(t, s, "model_2").Mesh == scene.None || findNode(t, s, "empty").Mesh != scene.None || r.Surfaces.Kept != 3 {
		t.Errorf("%+v", r.Surfaces)
	}
}

func TestPropsFollowTheirEntity(t *testing.T) {
	w := &world.World{Unit: 1.0 / 32, Materials: []world.Material{{Name: "m"}}, Models: []world.Model{
		{Name: "*0"}, {Name: "*1", Surfaces: []world.Surface{square(0, world.NoChart, 1)}},
		{Name: "models/vase.md3", Surfaces: []world.Surface{square(0, world.NoChart, 1)}},
	}}
	w.Entities = []world.Entity{
		entity(0, "classname", "worldspawn"),
		entity(world.NoModel, "classname", "misc_gamemodel", "origin", "32 0 0", "angle", "90"),
		entity(1, "classname", "func_train", "origin", "0 32 0", "angle", "90"),
		entity(world.NoModel, "classname", "gone", "origin", "0 0 32"),
	}
	for i := 1; i < 4; i++ {
		p := world.Prop{Model: "models/vase.md3", Index: 2, Entity: i, Scale: [3]float32{1, 2, 3}, Angles: w.Entities[i].Angles()}
		p.Origin, _ = w.Entities[i].Vector("origin")
		w.Props = append(w.Props, p)
	}
	s, _ := literal(t, set(t, "entities.skip=[gone]"), w)
	var at []scene.Transform
	for i, place := range scene.Places(s) {
		if strings.HasPrefix(s.Nodes[i].Name, "vase") {
			at = append(at, place)
		}
	}
	if len(at) != 3 {
		t.Fatalf("%d props", len(at))
	}
	// The scales of the map's axes X, Y, Z become those of X, Z, Y.
	if !near(at[0].At, [3]float64{1, 0, 0}) || !near(at[0].X, [3]float64{0, 0, -1}) || !near(at[0].Y, [3]float64{0, 3, 0}) {
		t.Errorf("on an entity: %+v", at[0])
	}
	if !near(at[1].At, [3]float64{0, 0, -1}) || !near(at[1].X, [3]float64{0, 0, -1}) {
		t.Errorf("on a brush model, which is not turned itself: %+v", at[1])
	}
	if !near(at[2].At, [3]float64{0, 1, 0}) {
		t.Errorf("of an entity that was left out: %+v", at[2])
	}
}

func TestWildNumbersStayFinite(t *testing.T) {
	big := "3e38 -3e38 3e38"
	w := &world.World{Unit: 1000, Materials: []world.Material{{Name: "m"}},
		Models:     []world.Model{{Name: "*0", Mins: [3]float32{-3e38, -3e38, -3e38}, Maxs: [3]float32{3e38, 3e38, 3e38}}},
		Billboards: []world.Billboard{{Position: [3]float32{3e38, 0, 0}, Normal: [3]float32{1e-38, 3e38, 0}}},
		Volumes:    world.Volumes{Fogs: []world.Fog{{Mins: [3]float32{3e38, 3e38, 3e38}, Maxs: [3]float32{3e38, -3e38, 3e38}}, {Global: true}}},
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
				w.Lights = append(w.Lights, world.Light{Kind: kind, Entity: entity, Origin: [3]float32{3e38, 0, 0}, Direction: [3]float32{3e38, 1, 0},
					Color: [3]float32{3e38, -1, 1}, Intensity: x, Range: x, Inner: x, Outer: x})
			}
		}
	}
	w.Ambient.Probes = []world.Probe{{Position: [3]float32{3e38, 0, 0}}}
	w.Volumes.Waters = []world.Water{{Surface: 3e38, Bottom: -3e38, Material: -1}}
	w.Cubemaps = []world.Cubemap{{Origin: [3]float32{3e38, 0, 0}}}
	w.Props = []world.Prop{{Model: "a.mdl", Index: world.NoModel, Kind: world.StaticProp, Entity: world.NoEntity, Origin: [3]float32{3e38, 0, 0},
		Angles: [3]float32{3e38, 0, 0}, Scale: [3]float32{3e38, 0, 0}, Draw: world.PropDraw{Fade: [2]float32{3e38, 3e38}}}}
	s, _ := literal(t, defaults(), w)
	readGLB(t, glb(t, s)) // JSON has no number for what is not finite
}

func TestCamerasOfSource(t *testing.T) {
	for _, test := range []struct {
		class, fov string
		want       float64 // degrees from top to bottom; 0 is no camera
	}{
		// The tangent of half the height is 3/4 of that of half the width: atan(0.75 tan 45°) = 36.87°.
		{"point_camera", "", 73.7398},
		{"Point_Camera", "90", 73.7398},
		{"point_viewcontrol", "60", 46.8265},  // 2 atan(0.75 tan 30°)
		{"point_devshot_camera", "", 59.8402}, // 2 atan(0.75 tan 37.5°)
		{"point_camera", "0", 73.7398},
		{"point_camera", "180", 73.7398},
		{"sky_camera", "90", 0},
	} {
		s, _ := entityScene(t, defaults(), entity(world.NoModel, "classname", test.class, "FOV", test.fov))
		got := 0.0
		if len(s.Cameras) > 0 {
			got = s.Cameras[0].YFov * 180 / math.Pi
		}
		if math.Abs(got-test.want) > 1e-3 {
			t.Errorf("%s %q: %g degrees, want %g", test.class, test.fov, got, test.want)
		}
	}
}

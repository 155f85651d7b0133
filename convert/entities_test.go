package convert

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// entityScene is the scene of entities behind a worldspawn, at 1/32 metres per unit.
func entityScene(t *testing.T, p Pipeline, entities ...world.Entity) (*Scene, *Report) {
	t.Helper()
	return literal(t, p, &world.World{Name: "test", Unit: 1.0 / 32, Entities: append([]world.Entity{entity(0, "classname", "worldspawn")}, entities...)})
}

func TestLightIntensityWorkedOut(t *testing.T) {
	s, _ := entityScene(t, pipeline(), entity(world.NoModel, "classname", "light", "origin", "32 64 96", "light", "300", "_color", "1 0.5 0"))
	n := findNode(t, s, "light")
	if n.Translation != [3]float64{1, 3, -2} || n.Light != 0 {
		t.Errorf("%+v", n)
	}
	l := s.Lights[0]
	// The compiler gives a wall at d units 300 * 7500 / d² of 255. A glTF light of I candela gives a wall at m metres
	// I / m² lux, of which a white one reflects 1/π: at m = d/32 they agree if I = π * 300 * 7500 / 255 / 32² = 27.07 cd.
	if math.Abs(l.Intensity-27.07) > 0.005 {
		t.Errorf("the intensity is %g", l.Intensity)
	}
	// 1 of 255 is left at d = √(300 * 7500) = 1500 units, which are 46.875 m.
	if math.Abs(l.Range-46.875) > 1e-9 || l.Spot || l.Color != [3]float64{1, 0.5, 0} || l.Name != "light" {
		t.Errorf("%+v", l)
	}
}

func TestLightKeys(t *testing.T) {
	base := math.Pi * photons / 255 / 1024
	for _, test := range []struct {
		name  string
		pairs []string
		want  float64 // in units of light; 0 is no light
	}{
		{"300 by default", nil, 300},
		{"light", []string{"light", "100"}, 100},
		{"_light wins", []string{"light", "100", "_light", "50"}, 50},
		{"0 is the default", []string{"light", "0"}, 300},
		{"scale", []string{"light", "100", "scale", "2.5"}, 250},
		{"negative takes light away", []string{"light", "-100"}, 0},
		{"not a number", []string{"light", "bright"}, 300},
		{"too large for JSON readers", []string{"light", "3e38"}, 0},
	} {
		s, _ := entityScene(t, pipeline(), entity(world.NoModel, append([]string{"classname", "Light", "origin", "0 0 0"}, test.pairs...)...))
		got := 0.0
		if len(s.Lights) > 0 {
			got = s.Lights[0].Intensity
		}
		if math.Abs(got-test.want*base) > 1e-9*got {
			t.Errorf("%s: %g, want %g", test.name, got/base, test.want)
		}
	}
	s, _ := entityScene(t, set(t, "entities.light_scale=683"), entity(world.NoModel, "classname", "light"))
	if want := 683 * 300 * base; math.Abs(s.Lights[0].Intensity-want) > 1e-6 {
		t.Errorf("scaled: %g, want %g", s.Lights[0].Intensity, want)
	}
	s, _ = entityScene(t, set(t, "entities.lights=false"), entity(world.NoModel, "classname", "light"))
	if len(s.Lights) > 0 || findNode(t, s, "light").Light != None {
		t.Error("there is a light")
	}
}

func TestSpotLooksAtItsTarget(t *testing.T) {
	s, _ := entityScene(t, pipeline(),
		entity(world.NoModel, "classname", "light", "origin", "0 0 128", "target", "Spot", "radius", "32"),
		entity(world.NoModel, "classname", "target_position", "targetname", "spot", "origin", "0 0 0"),
		entity(world.NoModel, "classname", "target_position", "targetname", "spot", "origin", "500 0 0"))
	l := s.Lights[0]
	// The cone is 32 units wide where the target is, 128 units away, and fades out over 16 more.
	if !l.Spot || math.Abs(math.Tan(l.Inner)-0.25) > 1e-9 || math.Abs(math.Tan(l.Outer)-0.375) > 1e-9 {
		t.Errorf("%+v", l)
	}
	if got := rotate(findNode(t, s, "light").Rotation, [3]float64{0, 0, -1}); !near(got, [3]float64{0, -1, 0}) {
		t.Errorf("it shines along %v, want down", got)
	}
	for _, target := range []string{"", "nobody", "here", "nowhere"} {
		s, _ := entityScene(t, pipeline(),
			entity(world.NoModel, "classname", "light", "origin", "0 0 128", "target", target),
			entity(world.NoModel, "classname", "target_position", "targetname", "here", "origin", "0 0 128"),
			entity(world.NoModel, "classname", "target_position", "targetname", "nowhere"))
		if s.Lights[0].Spot {
			t.Errorf("target %q makes a spot", target)
		}
	}
}

func TestCameras(t *testing.T) {
	s, _ := entityScene(t, pipeline(), entity(world.NoModel, "classname", "info_player_intermission", "origin", "0 0 64", "angles", "30 90 0"),
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
		s, _ := literal(t, pipeline(), w)
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
		if (n.Mesh != None) != (test.model == 1) {
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

func TestManyTargetsTakeNoTime(t *testing.T) {
	var list []world.Entity
	for i := range 30_000 {
		list = append(list, entity(world.NoModel, "classname", "light", "origin", "1 2 3", "target", fmt.Sprint("t", i), "targetname", fmt.Sprint("n", i)))
	}
	s, _ := entityScene(t, pipeline(), list...)
	if len(s.Lights) != 30_000 {
		t.Errorf("%d lights", len(s.Lights))
	}
}

func TestSkippedEntities(t *testing.T) {
	w := func() *world.World {
		w := &world.World{Faces: 4, Materials: []world.Material{{Name: "m"}}, Models: []world.Model{{Name: "*0", Surfaces: []world.Surface{square(0, world.NoChart, 1)}}}}
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
	if findNode(t, s, "func_wall").Mesh == None || findNode(t, s, "func_door_d").Mesh == None {
		t.Error("a model that is still shown is gone")
	}
	s, r = literal(t, set(t, "entities.skip=['*']"), w())
	if findNode(t, s, "worldspawn").Mesh == None || r.Entities.Nodes != 1 || r.Surfaces.Kept != 1 {
		t.Errorf("skipping all: %+v %+v", r.Entities, r.Surfaces)
	}
	s, r = literal(t, set(t, "entities.nodes=false"), w())
	if r.Entities.Skipped != 1 || findNode(t, s, "trigger_push").Mesh == None {
		t.Errorf("without nodes: %+v", r.Entities)
	}
}

func TestModelsInTwoEntitiesAndInNone(t *testing.T) {
	surface := func() []world.Surface { return []world.Surface{square(0, world.NoChart, 1)} }
	s, r := literal(t, pipeline(), &world.World{
		Faces: 3, Materials: []world.Material{{Name: "m"}},
		Models: []world.Model{{Name: "*0", Surfaces: surface()}, {Name: "*1", Surfaces: surface()}, {Name: "*2", Surfaces: surface()}, {Name: "*3"}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"), entity(1, "classname", "a"), entity(1, "classname", "b"),
			entity(3, "classname", "empty")},
	})
	if a, b := findNode(t, s, "a"), findNode(t, s, "b"); a.Mesh == None || a.Mesh != b.Mesh {
		t.Errorf("meshes %d and %d", a.Mesh, b.Mesh)
	}
	if findNode(t, s, "model_2").Mesh == None || findNode(t, s, "empty").Mesh != None || r.Surfaces.Kept != 3 {
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
	var at []transform
	o := &objWriter{scene: s}
	for i := range s.Nodes {
		if strings.HasPrefix(s.Nodes[i].Name, "vase") {
			at = append(at, o.place(i))
		}
	}
	if len(at) != 3 {
		t.Fatalf("%d props", len(at))
	}
	// The scale of the map's axes X, Y, Z is that of X, Z, Y here.
	if !near(at[0].at, [3]float64{1, 0, 0}) || !near(at[0].x, [3]float64{0, 0, -1}) || !near(at[0].y, [3]float64{0, 3, 0}) {
		t.Errorf("on an entity: %+v", at[0])
	}
	if !near(at[1].at, [3]float64{0, 0, -1}) || !near(at[1].x, [3]float64{0, 0, -1}) {
		t.Errorf("on a brush model, which is not turned itself: %+v", at[1])
	}
	if !near(at[2].at, [3]float64{0, 1, 0}) {
		t.Errorf("of an entity that was left out: %+v", at[2])
	}
}

func TestWildNumbersStayFinite(t *testing.T) {
	big := "3e38 -3e38 3e38"
	w := &world.World{Unit: 1000, Materials: []world.Material{{Name: "m"}},
		Models:     []world.Model{{Name: "*0", Mins: [3]float32{-3e38, -3e38, -3e38}, Maxs: [3]float32{3e38, 3e38, 3e38}}},
		Billboards: []world.Billboard{{Position: [3]float32{3e38, 0, 0}, Normal: [3]float32{1e-38, 3e38, 0}}},
		Fogs:       []world.Fog{{Mins: [3]float32{3e38, 3e38, 3e38}, Maxs: [3]float32{3e38, -3e38, 3e38}}, {Global: true}},
		Entities: []world.Entity{
			entity(0, "classname", "worldspawn"),
			entity(world.NoModel, "classname", "light", "origin", big, "target", "x", "light", "1e38", "scale", "1e38", "radius", "3e38"),
			entity(world.NoModel, "classname", "light", "origin", "0 0 0", "target", "x", "light", "1e-38", "radius", "1e-38", "_color", big),
			entity(world.NoModel, "classname", "info_player_intermission", "origin", big, "target", "x"),
			entity(world.NoModel, "classname", "x", "targetname", "x", "origin", "-3e38 3e38 -3e38", "angles", big),
		},
	}
	s, _ := literal(t, pipeline(), w)
	readGLB(t, glb(t, s)) // JSON has no number for what is not finite
}

package source_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// row returns a map of squares side by side.
func row(n int) *vbsp.Map {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}}
	for i := range n {
		m.Polygon(m.Project(bricks, vec3{0, 0, 1}), square(float32(64*i), 0, 0)...)
	}
	return m
}

// faces returns the numbers of the faces of each model.
func faces(w *decoding.Map) (list [][]int) {
	for i := range w.Models {
		var of []int
		for _, s := range w.Models[i].Surfaces {
			of = append(of, s.Record)
		}
		list = append(list, of)
	}
	return list
}

// A face belongs to the first model that claims it; one that none claims has an issue.
func TestModelsThatOverlap(t *testing.T) {
	for _, c := range []struct {
		what   string
		models [][2]int32 // first face, faces
		want   [][]int
		issues []string
	}{
		{"side by side", [][2]int32{{0, 2}, {2, 2}}, [][]int{{0, 1}, {2, 3}}, nil},
		{"overlapping", [][2]int32{{0, 3}, {1, 3}}, [][]int{{0, 1, 2}, {3}},
			[]string{"model-faces: model *1: 2 of its faces belong to another model"}},
		{"one in the other", [][2]int32{{0, 4}, {1, 2}}, [][]int{{0, 1, 2, 3}, nil},
			[]string{"model-faces: model *1: 2 of its faces belong to another model"}},
		{"a gap", [][2]int32{{0, 1}, {3, 1}}, [][]int{{0}, {3}},
			[]string{"face-model: face 1: it is in no model", "face-model: face 2: it is in no model"}},
		{"none", [][2]int32{{0, 4}, {4, 0}}, [][]int{{0, 1, 2, 3}, nil}, nil},
		{"too many", [][2]int32{{0, 4}, {3, 2}}, [][]int{{0, 1, 2, 3}, nil},
			[]string{"model-faces: model *1: 2 faces from 3 are outside the 4 of the map",
				"model-faces: model *1: 1 of its faces belong to another model"}},
		{"after the last", [][2]int32{{0, 4}, {5, 0}}, [][]int{{0, 1, 2, 3}, nil},
			[]string{"model-faces: model *1: 0 faces from 5 are outside the 4 of the map"}},
		{"before the first", [][2]int32{{0, 4}, {-1, 2}}, [][]int{{0, 1, 2, 3}, nil},
			[]string{"model-faces: model *1: 2 faces from -1 are outside the 4 of the map"}},
		{"less than none", [][2]int32{{0, 4}, {1, -1}}, [][]int{{0, 1, 2, 3}, nil},
			[]string{"model-faces: model *1: -1 faces from 1 are outside the 4 of the map"}},
		{"as many as can be", [][2]int32{{0, 4}, {math.MaxInt32, math.MaxInt32}}, [][]int{{0, 1, 2, 3}, nil},
			[]string{"model-faces: model *1: 2147483647 faces from 2147483647 are outside the 4 of the map"}},
	} {
		m := row(4)
		m.StartModel()
		data := m.Write(vbsp.Source2007)
		for i, x := range c.models {
			at := vbsp.Record(data, vbsp.LumpModels, 48, i)
			brushmap.SetInt32(data, at+40, x[0])
			brushmap.SetInt32(data, at+44, x[1])
		}
		w := decode(t, data)
		if got := faces(w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		wantIssues(t, w, c.issues...)
	}
}

func TestModels(t *testing.T) {
	m := row(1)
	m.StartModel()
	m.Polygon(0, square(0, 0, 32)...)
	data := m.Write(vbsp.Source2007)
	w := decode(t, data)
	if a, b := w.Models[0], w.Models[1]; len(w.Models) != 2 || a.Name != "*0" || b.Name != "*1" || b.Mins != (vec3{0, 0, 32}) ||
		b.Maxs != (vec3{64, 64, 32}) {
		t.Errorf("%+v", w.Models)
	}
	brushmap.SetFloat32(data, vbsp.Record(data, vbsp.LumpModels, 48, 1), float32(math.NaN()))
	w = decode(t, data)
	wantIssues(t, w, "model-box: model *1: the box from [NaN 0 32] to [64 64 32] is left out")
	if w.Models[1].Mins != (vec3{}) || w.Models[1].Maxs != (vec3{}) || len(w.Models[1].Surfaces) != 1 {
		t.Errorf("%+v", w.Models[1])
	}
}

func TestEntities(t *testing.T) {
	m := row(1)
	m.StartModel()
	m.Polygon(0, square(0, 0, 32)...)
	entity := func(of string, pairs ...[2]string) vbsp.Entity {
		return append(vbsp.Entity{{"classname", of}}, pairs...)
	}
	m.Entities = []vbsp.Entity{
		entity("worldspawn", [2]string{"skyname", "Sky_Day01_01"}, [2]string{"model", "*1"}),
		entity("func_door", [2]string{"model", "*1"}),
		entity("func_door", [2]string{"model", "*0"}),
		entity("func_door", [2]string{"model", "*2"}),
		entity("func_door", [2]string{"model", "*+1"}),
		entity("prop_dynamic", [2]string{"model", "Models\\A.MDL"}, [2]string{"origin", "1 2 3"}, [2]string{"angles", "10 20 30"},
			[2]string{"skin", "2"}, [2]string{"modelscale", "1.5"}),
		entity("prop_dynamic", [2]string{"model", "models/b.mdl"}, [2]string{"origin", "nowhere"}, [2]string{"skin", "-1"},
			[2]string{"modelscale", "0"}),
		entity("env_sprite", [2]string{"model", "sprites/a.vmt"}),
		entity("infodecal", [2]string{"texture", "Decals\\A"}, [2]string{"origin", "4 5 6"}),
		entity("infodecal", [2]string{"texture", "decals/c"}, [2]string{"origin", "4 5 6"}, [2]string{"targetname", "later"}),
		entity("infodecal", [2]string{"texture", "decals/b"}),
		entity("infodecal", [2]string{"origin", "4 5 6"}),
		entity("InfoDecal", [2]string{"texture", "decals/a"}, [2]string{"origin", "99999999 0 0"}),
	}
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w,
		`entity-model: entity 2: "func_door" has model "*0", the map has *1 to *1`,
		`entity-model: entity 3: "func_door" has model "*2", the map has *1 to *1`,
		`entity-model: entity 4: "func_door" has model "*+1", the map has *1 to *1`,
		"decal: entity 10: it has no texture or no place", "decal: entity 11: it has no texture or no place",
		"decal: entity 12: it has no texture or no place")
	if w.Sky.Name != "skybox/sky_day01_01" {
		t.Errorf("sky %q", w.Sky.Name)
	}
	for i, want := range []int{0, 1, -1, -1, -1, -1} {
		if w.Entities[i].Model != want {
			t.Errorf("entity %d has model %d, want %d", i, w.Entities[i].Model, want)
		}
	}
	white := [4]uint8{255, 255, 255, 255}
	if want := []world.Prop{
		{Model: "models/a.mdl", Index: -1, Entity: 5, Origin: vec3{1, 2, 3}, Angles: vec3{10, 20, 30}, Scale: vec3{1.5, 1.5, 1.5},
			Appearance: world.Appearance{Skin: 2}, Draw: world.PropDraw{Tint: white}},
		{Model: "models/b.mdl", Index: -1, Entity: 6, Scale: vec3{1, 1, 1}, Draw: world.PropDraw{Tint: white}},
		{Index: -1, Entity: 7, Scale: vec3{1, 1, 1}, Draw: world.PropDraw{Tint: white}, Sprite: &world.Sprite{
			Kind: 2, Facing: 1, Mins: vec2{-0.5, -0.5}, Maxs: vec2{0.5, 0.5}, UVMaxs: vec2{1, 1}, Pixels: true}},
	}; !reflect.DeepEqual(w.Props, want) {
		t.Errorf("%+v", w.Props)
	}
	if len(w.Decals) != 1 || w.Decals[0].Position != (vec3{4, 5, 6}) || w.Decals[0].Entity != 8 ||
		w.Materials[w.Decals[0].Material].Name != "decals/a" {
		t.Errorf("%+v, %+v", w.Decals, w.Materials)
	}

	m.RawEntities = `{"classname" "light"}{"a`
	w = decode(t, m.Write(vbsp.Source2007))
	if len(w.Entities) != 2 || w.Entities[0].Model != 0 || w.Sky.Name != "" || len(w.Issues) != 2 || w.Issues[0].Code != "entity-text" ||
		issues(w)[1] != "entity-worldspawn: entity 0: the first entity is not worldspawn" {
		t.Errorf("%q", issues(w))
	}
	w = decode(t, vbsp.Replace(m.Write(vbsp.Source2007), vbsp.LumpEntities, nil))
	wantIssues(t, w, "entity-worldspawn: entity 0: the first entity is not worldspawn")
}

// camera returns a map of two rooms, areas 1 and 2, with a sky_camera in the second.
func camera(more ...vbsp.Entity) *vbsp.Map {
	m := &vbsp.Map{}
	m.Hollow(1, vec3{0, 0, 0}, vec3{256, 256, 128}, bricks)
	m.Hollow(2, vec3{1024, 0, 0}, vec3{1152, 128, 64}, bricks)
	m.Entities = append([]vbsp.Entity{
		{{"classname", "worldspawn"}},
		{{"classname", "info_player_start"}, {"origin", "64 64 64"}},
		{{"classname", "sky_camera"}, {"origin", "1088 64 32"}, {"scale", "32"}},
	}, more...)
	return m
}

func TestSkybox(t *testing.T) {
	m := camera(
		vbsp.Entity{{"classname", "prop_dynamic"}, {"model", "models/a.mdl"}, {"origin", "1040 16 16"}},
		vbsp.Entity{{"classname", "prop_dynamic"}, {"model", "models/a.mdl"}, {"origin", "16 16 16"}},
		vbsp.Entity{{"classname", "func_brush"}, {"model", "*1"}},
		vbsp.Entity{{"classname", "func_brush"}, {"model", "*2"}, {"origin", "-1024 0 0"}},
	)
	ground := m.Polygon(m.Project(bricks, vec3{0, 0, 1}), square(1040, 16, 8)...)
	m.Displace(ground, 0, 2, flat)
	outside := m.Polygon(m.Project(bricks, vec3{0, 0, 1}), square(16, 16, 8)...)
	m.Displace(outside, 0, 2, flat)
	for range 2 {
		m.StartModel()
		m.Box(vbsp.Solid, vec3{1040, 80, 16}, vec3{1056, 96, 32}, bricks)
	}
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	if w.Sky.Skybox3D == nil || *w.Sky.Skybox3D != (world.Skybox3D{Model: 3, Entity: 2, Origin: vec3{1088, 64, 32}, Scale: 32}) {
		t.Fatalf("%+v", w.Sky.Skybox3D)
	}
	// The sides of the rooms are the faces 0 to 5 and 6 to 11, the displacements 12 and 13.
	if got, want := faces(w), [][]int{{0, 1, 2, 3, 4, 5, 13}, {14, 15, 16, 17, 18, 19}, {20, 21, 22, 23, 24, 25},
		{6, 7, 8, 9, 10, 11, 12}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if b := w.Models[3]; b.Name != "*0 skybox" || b.Mins != (vec3{1024, 0, 0}) || b.Maxs != (vec3{1152, 128, 64}) {
		t.Errorf("%+v", b)
	}
	for i, want := range []bool{false, false, true, true, false, true, false} {
		if w.Entities[i].InSkybox != want {
			t.Errorf("entity %d: %v", i, w.Entities[i].InSkybox)
		}
	}
	if !w.Props[0].InSkybox || w.Props[1].InSkybox {
		t.Errorf("%+v", w.Props)
	}
}

// The first camera that shows something is used; a second camera in the same area changes nothing.
func TestSkyboxOfSeveralCameras(t *testing.T) {
	m := camera(
		vbsp.Entity{{"classname", "sky_camera"}, {"origin", "1040 64 32"}, {"scale", "8"}},
		vbsp.Entity{{"classname", "sky_camera"}, {"origin", "2088 64 32"}},
	)
	m.Hollow(3, vec3{2048, 0, 0}, vec3{2176, 128, 64}, bricks)
	m.Entities[2], m.Entities[4] = m.Entities[4], m.Entities[2]
	m.Entities[1][1][1] = "2100 64 32" // the players are in the third room
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w, "skybox: entity 2: the sky_camera is in the area of the players, who start in entity 1")
	if w.Sky.Skybox3D == nil || w.Sky.Skybox3D.Entity != 3 || w.Sky.Skybox3D.Scale != 8 {
		t.Errorf("%+v", w.Sky.Skybox3D)
	}
	m.Entities[1][1][1] = "64 64 64"
	w = decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w,
		"skybox: entity 3: the map has several 3D skyboxes: that of entity 2 is shown, this one stays where it is",
		"skybox: entity 4: the map has several 3D skyboxes: that of entity 2 is shown, this one stays where it is")
	if w.Sky.Skybox3D == nil || w.Sky.Skybox3D.Entity != 2 {
		t.Errorf("%+v", w.Sky.Skybox3D)
	}
}

// Where the 3D skybox can't be separated from the map, or players are in it, there is none, and every face is in the
// world.
func TestSkyboxGuards(t *testing.T) {
	for _, c := range []struct {
		what string
		set  func(m *vbsp.Map)
		want []string
	}{
		{"no camera", func(m *vbsp.Map) { m.Entities = m.Entities[:2] }, nil},
		{"no place", func(m *vbsp.Map) { m.Entities[2][1][1] = "" }, []string{"skybox: entity 2: the sky_camera has no place"}},
		{"far away", func(m *vbsp.Map) { m.Entities[2][1][1] = "1e30 0 0" }, []string{"skybox: entity 2: the sky_camera has no place"}},
		{"in a wall", func(m *vbsp.Map) { m.Entities[2][1][1] = "1016 64 32" },
			[]string{"skybox: entity 2: the sky_camera at [1016 64 32] is in no area"}},
		{"with the players", func(m *vbsp.Map) { m.Entities[1][1][1] = "1100 64 32" },
			[]string{"skybox: entity 2: the sky_camera is in the area of the players, who start in entity 1"}},
		{"with other players", func(m *vbsp.Map) {
			m.Entities = append(m.Entities, vbsp.Entity{{"classname", "Info_Player_Terrorist"}, {"origin", "1100 64 32"}})
		}, []string{"skybox: entity 2: the sky_camera is in the area of the players, who start in entity 3"}},
		{"no tree", func(m *vbsp.Map) {
			m.Nodes = []vbsp.Node{{Children: [2]int32{0, 0}}}
			m.Leaves = []vbsp.Leaf{{}}
		}, []string{"skybox: entity 2: the sky_camera at [1088 64 32] is in no area"}},
		{"a plane that is none", func(m *vbsp.Map) {
			m.Nodes = []vbsp.Node{{Plane: 1 << 20}}
			m.Leaves = []vbsp.Leaf{{}}
		}, []string{"skybox: entity 2: the sky_camera at [1088 64 32] is in no area"}},
		{"a node that is none", func(m *vbsp.Map) {
			m.Nodes = []vbsp.Node{{Children: [2]int32{9, math.MaxInt32}}}
			m.Leaves = []vbsp.Leaf{{}}
		}, []string{"skybox: entity 2: the sky_camera at [1088 64 32] is in no area"}},
		{"a leaf that is none", func(m *vbsp.Map) {
			m.Nodes = []vbsp.Node{{Children: [2]int32{-9, math.MinInt32}}}
			m.Leaves = []vbsp.Leaf{{}}
		}, []string{"skybox: entity 2: the sky_camera at [1088 64 32] is in no area"}},
	} {
		m := camera()
		c.set(m)
		w := decode(t, m.Write(vbsp.Source2007))
		wantIssues(t, w, c.want...)
		if w.Sky.Skybox3D != nil || len(w.Models) != 1 || len(w.Models[0].Surfaces) != 12 {
			t.Errorf("%s: %+v, %d models", c.what, w.Sky.Skybox3D, len(w.Models))
		}
	}
	for _, scale := range []string{"", "0", "-16", "1e9", "x"} {
		m := camera()
		m.Entities[2][2][1] = scale
		if w := decode(t, m.Write(vbsp.Source2007)); w.Sky.Skybox3D == nil || w.Sky.Skybox3D.Scale != 16 {
			t.Errorf("%+v", w.Sky.Skybox3D)
		}
	}
}

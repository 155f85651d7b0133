package goldsrc_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// with returns the floor with entities behind worldspawn.
func with(entities ...qbsp.Entity) *qbsp.Map {
	m := floor(bricks)
	m.Entities = append(m.Entities, entities...)
	return m
}

// Maps of Quake and Quake II get the models that the game names for classes, turned as the entity unless they hover; GoldSrc's don't.
func TestItemsOfQuake(t *testing.T) {
	m := with(qbsp.Entity{{"classname", "monster_army"}, {"origin", "8 0 0"}, {"angle", "90"}},
		qbsp.Entity{{"classname", "weapon_nailgun"}, {"origin", "16 0 0"}, {"angle", "90"}},
		qbsp.Entity{{"classname", "monster_flipper"}, {"origin", "24 0 0"}})
	for v, want := range map[qbsp.Variant][]string{
		qbsp.Quake:  {"1 progs/soldier.mdl [8 0 0] [0 90 0]", "2 progs/g_nail.mdl [16 0 0] [0 0 0]"},
		qbsp.Quake2: {"3 models/monsters/flipper/tris.md2 [24 0 0] [0 0 0]"},
	} {
		var got []string
		for _, p := range decode(t, m.Write(v)).Props {
			got = append(got, fmt.Sprintf("%d %s %v %v", p.Entity, p.Model, p.Origin, p.Angles))
			if !p.Assumed || p.Kind != world.EntityProp || (p.Appearance.Hover == nil) == (p.Entity == 2) {
				t.Errorf("%+v", p)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The key model names a file of any format, which package models reads or reports. Brush models are none, and neither volumes, point
// entities, classes whose model the game's code names, nor the world show it.
func TestModelFilesOfAnyFormat(t *testing.T) {
	keys := [][2]string{{"misc_model", "models/a/tris.md2"}, {"misc_model", "progs/A.MDL"}, {"misc_model", "a.md3"}, {"func_wall", "a.iqm"},
		{"misc_model", "a.md5mesh"}, {"misc_model", "maps/b_box.bsp"}, {"misc_model", "a.spr"}, {"misc_model", "a.dpm"}, {"misc_model", "a.zym"}}
	ignored := [][2]string{{"func_wall", "*1"}, {"misc_model", "*9"}, {"misc_model", "a"}, {"misc_model", ""}, {"trigger_once", "a.md3"},
		{"info_null", "a.iqm"}, {"target_speaker", "a.md2"}, {"path_corner", "a.md3"}}
	var list []qbsp.Entity
	var want []string
	for i, k := range append(keys, ignored...) {
		list = append(list, qbsp.Entity{{"classname", k[0]}, {"model", k[1]}, {"skin", "1"}, {"frame", "2"}})
		if i < len(keys) {
			want = append(want, fmt.Sprintf("%d %s 1 2", i+1, strings.ToLower(k[1])))
		}
	}
	m := with(list...)
	m.Entities[0] = append(m.Entities[0], [2]string{"model", "maps/a.bsp"})
	m.StartModel()
	m.Polygon(0, square(0, 0, 32)...)
	for _, v := range []qbsp.Variant{qbsp.Quake, qbsp.Quake2, qbsp.HalfLife} {
		var got []string
		for _, p := range decode(t, m.Write(v)).Props {
			got = append(got, fmt.Sprintf("%d %s %d %d", p.Entity, p.Model, p.Appearance.Skin, p.Appearance.Frame))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	m = with(qbsp.Entity{{"classname", "Monster_Army"}, {"model", "a.md5mesh"}},
		qbsp.Entity{{"classname", "monster_flipper"}, {"model", "a.md2"}})
	for v, want := range map[qbsp.Variant]string{
		qbsp.Quake: "progs/soldier.mdl a.md2", qbsp.Quake2: "models/monsters/flipper/tris.md2 a.md5mesh",
	} {
		var got []string
		for _, p := range decode(t, m.Write(v)).Props {
			got = append(got, p.Model)
		}
		slices.Sort(got)
		if expected := strings.Fields(want); !slices.Equal(got, slices.Sorted(slices.Values(expected))) {
			t.Errorf("%v: %q, want %q", v, got, expected)
		}
	}
}

func TestEntities(t *testing.T) {
	m := with(qbsp.Entity{{"classname", "info_null"}, {"message", "\xfcber"}}, qbsp.Entity{{"classname", "func_door"}, {"model", "*1"}},
		qbsp.Entity{{"classname", "func_wall"}, {"model", "*2"}}, qbsp.Entity{{"classname", "func_wall"}, {"model", "*0"}})
	m.Entities[0] = append(m.Entities[0], [2]string{"model", "*1"})
	m.StartModel()
	m.Polygon(0, square(0, 0, 32)...)
	w := decode(t, m.Write(qbsp.HalfLife))
	wantIssues(t, w, `entity-model: entity 3: "func_wall" has model "*2", the map has *1 to *1`,
		`entity-model: entity 4: "func_wall" has model "*0", the map has *1 to *1`)
	var models []int
	for _, e := range w.Entities {
		models = append(models, e.Model)
	}
	if !reflect.DeepEqual(models, []int{0, -1, 1, -1, -1}) || w.Entities[1].Value("message") != "über" || len(w.Models[1].Surfaces) != 1 {
		t.Errorf("%v, %+v", models, w.Entities)
	}
	m.Entities = m.Entities[1:]
	if w := decode(t, m.Write(qbsp.HalfLife)); w.Issues[len(w.Issues)-1].Code != "entity-worldspawn" {
		t.Errorf("%q", issues(w))
	}
}

// GoldSrc's entities say how their models are drawn, each in its own way.
func TestRenderModes(t *testing.T) {
	half := func(c [3]float64) (l vec3) {
		for k, x := range c {
			l[k] = float32(math.Pow((x/255+0.055)/1.055, 2.4))
		}
		return l
	}
	for _, c := range []struct {
		what    string
		texture string
		keys    qbsp.Entity
		want    world.Material // its blend, opacity, tint and flags
		lit     bool
	}{
		{"normal", "a", qbsp.Entity{{"rendermode", "0"}, {"renderamt", "100"}}, world.Material{}, true},
		{"none", "a", nil, world.Material{}, true},
		{"unknown", "a", qbsp.Entity{{"rendermode", "6"}, {"renderamt", "100"}}, world.Material{}, true},
		{"color", "a", qbsp.Entity{{"rendermode", "1"}, {"renderamt", "51"}, {"rendercolor", "255 128 64"}},
			world.Material{Blend: world.BlendAlpha, Opacity: 0.2, Tint: half([3]float64{255, 128, 64})}, false},
		{"color, black", "a", qbsp.Entity{{"rendermode", "1"}, {"renderamt", "255"}},
			world.Material{Blend: world.BlendAlpha, Opacity: 1, Tint: vec3{1 / 255.0 / 12.92, 1 / 255.0 / 12.92, 1 / 255.0 / 12.92}},
			false},
		{"texture", "a", qbsp.Entity{{"rendermode", "2"}, {"renderamt", "102"}, {"rendercolor", "1 2 3"}},
			world.Material{Blend: world.BlendAlpha, Opacity: 0.4}, false},
		{"glow", "a", qbsp.Entity{{"rendermode", "3"}, {"renderamt", "102"}}, world.Material{Blend: world.BlendAdd, Opacity: 0.4}, false},
		{"solid", "a", qbsp.Entity{{"rendermode", "4"}, {"renderamt", "255"}}, world.Material{}, true},
		{"solid with holes", "{a", qbsp.Entity{{"rendermode", "4"}, {"renderamt", "255"}},
			world.Material{Blend: world.BlendMask, Opacity: 1}, true},
		{"holes that are not shown", "{a", nil, world.Material{Filled: true}, true},
		{"texture with holes", "{a", qbsp.Entity{{"rendermode", "2"}, {"renderamt", "255"}},
			world.Material{Blend: world.BlendAlpha, Opacity: 1}, false},
		{"additive", "a", qbsp.Entity{{"rendermode", "5"}, {"renderamt", "999"}}, world.Material{Blend: world.BlendAdd, Opacity: 1}, false},
		{"nothing is left", "a", qbsp.Entity{{"rendermode", "2"}}, world.Material{Blend: world.BlendAlpha, Flags: world.NoDraw}, false},
		{"water", "!a", qbsp.Entity{{"rendermode", "2"}, {"renderamt", "51"}},
			world.Material{Blend: world.BlendAlpha, Opacity: 0.2, Flags: world.Liquid}, false},
		{"solid, nothing is left", "a", qbsp.Entity{{"rendermode", "4"}}, world.Material{Flags: world.NoDraw}, false},
		{"a wall", "a", qbsp.Entity{{"classname", "func_wall_toggle"}, {"spawnflags", "2"}}, world.Material{}, true},
		{"a wall that starts off", "a", qbsp.Entity{{"classname", "func_wall_toggle"}, {"spawnflags", "3"}},
			world.Material{Flags: world.NoDraw}, false},
		{"a trigger", "a", qbsp.Entity{{"classname", "trigger_once"}}, world.Material{Flags: world.Trigger}, false},
		{"a ladder", "a", qbsp.Entity{{"classname", "FUNC_LADDER"}}, world.Material{Flags: world.Trigger}, false},
	} {
		m := with(append(qbsp.Entity{{"model", "*1"}}, c.keys...), qbsp.Entity{{"model", "*1"}, {"rendermode", "5"}, {"renderamt", "7"}})
		m.StartModel()
		m.Polygon(m.Project(qbsp.Texture{Name: c.texture}, vec3{0, 0, 1}, 0), square(0, 0, 32)...)
		m.Polygon(0, square(0, 0, 0)...) // the bottom of a liquid is not drawn
		m.LightAll(qbsp.RGB{9, 9, 9})
		w := decode(t, m.Write(qbsp.HalfLife))
		wantIssues(t, w)
		s := w.Models[w.Entities[1].Model].Surfaces[0]
		got := w.Materials[s.Material]
		for k, x := range c.want.Tint {
			if d := got.Tint[k] - x; d > 1e-5 || d < -1e-5 {
				t.Errorf("%s: tint %v, want %v", c.what, got.Tint, c.want.Tint)
			}
		}
		if got.Blend != c.want.Blend || got.Opacity != c.want.Opacity || got.Flags != c.want.Flags || got.Filled != c.want.Filled ||
			s.Flags != got.Flags ||
			(s.Chart != world.NoChart) != c.lit {
			t.Errorf("%s: %+v of chart %d, want %+v", c.what, got, s.Chart, c.want)
		}
	}
	// Ports of Quake know an alpha.
	for alpha, want := range map[string]world.Material{"0.25": {Blend: world.BlendAlpha, Opacity: 0.25}, "0": {}, "1": {},
		"x": {}} {
		m := with(qbsp.Entity{{"model", "*1"}, {"alpha", alpha}, {"rendermode", "5"}})
		m.StartModel()
		m.Polygon(0, square(0, 0, 32)...)
		m.LightAll(qbsp.RGB{9, 9, 9})
		w := decode(t, m.Write(qbsp.Quake))
		if got := w.Materials[w.Models[1].Surfaces[0].Material]; got.Blend != want.Blend || got.Opacity != want.Opacity ||
			got.Lighting != world.Lightmap {
			t.Errorf("alpha %s: %+v", alpha, got)
		}
	}
}

// Entities that share a model show it each in its own way; the faces exist once for each way.
func TestEntitiesShareAModel(t *testing.T) {
	m := with(
		qbsp.Entity{{"classname", "trigger_once"}, {"model", "*1"}},
		qbsp.Entity{{"classname", "func_breakable"}, {"model", "*1"}},
		qbsp.Entity{{"classname", "func_wall"}, {"model", "*1"}, {"rendermode", "2"}, {"renderamt", "51"}},
		qbsp.Entity{{"classname", "trigger_multiple"}, {"model", "*1"}},
		qbsp.Entity{{"classname", "func_wall"}, {"model", "*2"}})
	for range 2 {
		m.StartModel()
		m.Polygon(m.Project(qbsp.Texture{Name: "a"}, vec3{0, 0, 1}, 0), square(0, 0, 32)...)
	}
	m.LightAll(qbsp.RGB{9, 9, 9})
	w := decode(t, m.Write(qbsp.HalfLife))
	wantIssues(t, w)
	var models []int
	for _, e := range w.Entities[1:] {
		models = append(models, e.Model)
	}
	if want := []int{3, 1, 4, 3, 2}; !reflect.DeepEqual(models, want) {
		t.Fatalf("models %v, want %v", models, want)
	}
	for i, want := range []world.Material{{}, {}, {}, {Flags: world.Trigger}, {Blend: world.BlendAlpha, Opacity: 0.2}} {
		if i == 0 {
			continue
		}
		m := w.Models[i]
		got := w.Materials[m.Surfaces[0].Material]
		if len(m.Surfaces) != 1 || got.Flags != want.Flags || got.Blend != want.Blend || got.Opacity != want.Opacity {
			t.Errorf("model %d (%s): %d surfaces, %+v", i, m.Name, len(m.Surfaces), got)
		}
	}
	if a, b := w.Models[3].Name, w.Models[1].Name; a != "model 3 (*1)" || b != "*1" {
		t.Errorf("they are called %q and %q", a, b)
	}
}

func TestProps(t *testing.T) {
	one, white := vec3{1, 1, 1}, [4]uint8{255, 255, 255, 255}
	idle := world.Appearance{Activities: []string{"ACT_IDLE"}, Plays: world.Repeated}
	for _, c := range []struct {
		what string
		keys qbsp.Entity
		want *world.Prop
	}{
		{"a model", qbsp.Entity{{"classname", "cycler"}, {"model", "models\\Tree.MDL"}, {"origin", "1 2 3"}, {"angles", "10 20 30"},
			{"sequence", "3"}, {"body", "2"}, {"skin", "1"}},
			&world.Prop{Model: "models/tree.mdl", Origin: vec3{1, 2, 3}, Angles: vec3{-10, 20, 30}, Scale: one,
				Appearance: world.Appearance{Sequence: 3, Body: 2, Skin: 1}, Draw: world.PropDraw{Tint: white}}},
		{"of a class", qbsp.Entity{{"classname", "monster_barney"}, {"angle", "90"}},
			&world.Prop{Model: "models/barney.mdl", Angles: vec3{0, 90, 0}, Scale: one, Appearance: idle, Draw: world.PropDraw{Tint: white},
				Assumed: true, Drop: world.Drop{Most: 256, Sides: [2]float32{-16, 16}}}},
		{"its own model goes first", qbsp.Entity{{"classname", "item_battery"}, {"model", "models/my.mdl"}},
			&world.Prop{Model: "models/my.mdl", Scale: one, Draw: world.PropDraw{Tint: white},
				Drop: world.Drop{Most: 256, Sides: [2]float32{-16, 16}}}},
		{"left over on a node", qbsp.Entity{{"classname", "info_node"}, {"model", "models/hgrunt.mdl"}}, nil},
		{"left over on a lamp", qbsp.Entity{{"classname", "light_spot"}, {"model", "models/hgrunt.mdl"}}, nil},
		{"of nothing", qbsp.Entity{{"classname", "cycler"}, {"model", "models/a.mdl"}, {"rendermode", "2"}}, nil},
		// 200 * 19000 / 400² = 23.75.
		{"a glow", qbsp.Entity{{"classname", "env_glow"}, {"model", "a.spr"}, {"rendermode", "3"}, {"renderamt", "200"}},
			&world.Prop{Model: "a.spr", Scale: one,
				Draw: world.PropDraw{Blend: world.BlendAdd, Tint: [4]uint8{255, 255, 255, 23}, Glow: true}}},
		{"a glow that does not fade", qbsp.Entity{{"classname", "env_glow"}, {"model", "a.spr"}, {"rendermode", "3"}, {"renderamt", "200"},
			{"renderfx", "14"}},
			&world.Prop{Model: "a.spr", Scale: one, Draw: world.PropDraw{Blend: world.BlendAdd, Tint: [4]uint8{255, 255, 255, 200}}}},
		{"a sprite", qbsp.Entity{{"classname", "env_glow"}, {"model", "sprites/glow01.spr"}, {"scale", "0.5"}, {"angles", "10 0 0"},
			{"rendermode", "5"}, {"renderamt", "200"}, {"rendercolor", "255 128 0"}, {"frame", "2"}},
			&world.Prop{Model: "sprites/glow01.spr", Angles: vec3{10, 0, 0}, Scale: vec3{0.5, 0.5, 0.5}, Appearance: world.Appearance{Frame: 2},
				Draw: world.PropDraw{Blend: world.BlendAdd, Tint: [4]uint8{255, 128, 0, 200}}}},
		{"black is white to a sprite", qbsp.Entity{{"classname", "env_sprite"}, {"model", "a.spr"}, {"rendermode", "4"},
			{"renderamt", "255"}, {"rendercolor", "0 0 0"}},
			&world.Prop{Model: "a.spr", Scale: one, Draw: world.PropDraw{Blend: world.BlendMask, Tint: white}}},
		{"a model that is faint", qbsp.Entity{{"classname", "env_model"}, {"model", "a.mdl"}, {"rendermode", "2"}, {"renderamt", "100"},
			{"rendercolor", "9 9 9"}},
			&world.Prop{Model: "a.mdl", Scale: one, Draw: world.PropDraw{Blend: world.BlendAlpha, Tint: [4]uint8{255, 255, 255, 100}}}},
		{"a sprite that starts off", qbsp.Entity{{"classname", "env_sprite"}, {"model", "a.spr"}, {"targetname", "a"}}, nil},
		{"and on", qbsp.Entity{{"classname", "env_sprite"}, {"model", "a.spr"}, {"targetname", "a"}, {"spawnflags", "1"}},
			&world.Prop{Model: "a.spr", Scale: one, Draw: world.PropDraw{Tint: white}}},
		{"odd numbers", qbsp.Entity{{"classname", "cycler"}, {"model", "a.mdl"}, {"sequence", "-3"}, {"body", "1e30"}, {"scale", "-1"},
			{"origin", "x"}},
			&world.Prop{Model: "a.mdl", Scale: one, Draw: world.PropDraw{Tint: white},
				Appearance: world.Appearance{Body: 1 << 16, Plays: world.Repeated}}},
		{"a class without a model", qbsp.Entity{{"classname", "info_player_start"}}, nil},
		{"another file, which package models reports", qbsp.Entity{{"classname", "cycler"}, {"model", "a.wav"}},
			&world.Prop{Model: "a.wav", Scale: one, Appearance: world.Appearance{Plays: world.Repeated}, Draw: world.PropDraw{Tint: white}}},
		{"no file", qbsp.Entity{{"classname", "cycler"}, {"model", "a"}}, nil},
		{"brushes", qbsp.Entity{{"classname", "func_wall"}, {"model", "*1"}}, nil},
	} {
		m := with(c.keys)
		m.StartModel()
		m.Polygon(0, square(0, 0, 32)...)
		w := decode(t, m.Write(qbsp.HalfLife))
		var want []world.Prop
		if c.want != nil {
			c.want.Index, c.want.Entity = world.NoModel, 1
			want = []world.Prop{*c.want}
		}
		if !reflect.DeepEqual(w.Props, want) {
			t.Errorf("%s: %+v, want %+v", c.what, w.Props, want)
		}
	}
	// Quake has no such classes and no render modes.
	w := decode(t, with(qbsp.Entity{{"classname", "monster_barney"}},
		qbsp.Entity{{"model", "progs/s_light.spr"}, {"rendermode", "5"}}).Write(qbsp.Quake))
	if len(w.Props) != 1 || w.Props[0].Draw.Blend != world.BlendNone || w.Props[0].Draw.Tint != white {
		t.Errorf("%+v", w.Props)
	}
}

// The sky's images are in a folder of the engine. A map with a sky surface that names no sky has the game's
// default.
func TestSky(t *testing.T) {
	for _, c := range []struct {
		v    qbsp.Variant
		key  string
		name string
		sky  bool
		want string
	}{
		{qbsp.HalfLife, "skyname", "Night\\a", false, "gfx/env/night/a"}, {qbsp.HalfLife, "skyname", "", true, "gfx/env/desert"},
		{qbsp.HalfLife, "skyname", "", false, ""}, {qbsp.Quake, "sky", "moon_", false, "gfx/env/moon_"}, {qbsp.Quake, "sky", "", true, ""},
		{qbsp.Quake2, "sky", "unit2_", false, "env/unit2_"}, {qbsp.Quake2, "sky", "", true, "env/unit1_"},
		{qbsp.Quake2, "sky", "", false, ""},
	} {
		m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}, {c.key, c.name}}}}
		texture, flags := bricks, int32(0)
		if c.sky {
			texture.Name, flags = "sky", qbsp.Sky2
		}
		if !c.v.Quake2 {
			flags = 0
		}
		m.Polygon(m.Project(texture, vec3{0, 0, 1}, flags), square(0, 0, 0)...)
		if w := decode(t, m.Write(c.v)); w.Sky.Name != c.want {
			t.Errorf("%+v: %q", c, w.Sky.Name)
		}
	}
}

func TestWads(t *testing.T) {
	m := floor(bricks)
	m.Entities[0] = append(m.Entities[0], [2]string{"wad",
		"\\Sierra\\Half-Life\\valve\\HalfLife.WAD;;decals.wad ; c:/x/My Mod/own.wad;noend"})
	if w := decode(t, m.Write(qbsp.HalfLife)); !reflect.DeepEqual(w.Files.Wads, []string{"halflife.wad", "decals.wad", "own.wad"}) {
		t.Errorf("%q", w.Files.Wads)
	}
	if w := decode(t, m.Write(qbsp.Quake)); w.Files.Wads != nil {
		t.Errorf("%q", w.Files.Wads)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-4*math.Abs(b)+1e-9 }

func TestLampsOfGoldSrc(t *testing.T) {
	const degree = math.Pi / 180
	down, west := vec3{0, 0, -1}, vec3{-1, 0, 0}
	// 200 of white is 200³/10 = 800000 at one unit, twice that is 1600000 of 255, which is 1 at 1265 units.
	const bright, reach = 1600000.0 / 255, 1264.911064
	for _, c := range []struct {
		what string
		keys qbsp.Entity
		want *world.Light
	}{
		{"a point", qbsp.Entity{{"classname", "light"}, {"_light", "255 255 255 200"}, {"origin", "1 2 3"}, {"style", "4"}},
			&world.Light{Origin: vec3{1, 2, 3}, Color: vec3{1, 1, 1}, Intensity: bright, Range: reach, Style: 4}},
		{"coloured", qbsp.Entity{{"classname", "light"}, {"_light", "255 127.5 0 200"}},
			&world.Light{Color: vec3{1, 0.5, 0}, Intensity: bright, Range: reach}},
		{"three numbers", qbsp.Entity{{"classname", "light"}, {"_light", "200 100 -5"}},
			&world.Light{Color: vec3{1, 0.5, 0}, Intensity: bright, Range: reach}},
		{"one number", qbsp.Entity{{"classname", "light"}, {"_light", "200"}},
			&world.Light{Color: vec3{1, 1, 1}, Intensity: bright, Range: reach}},
		{"none is 300", qbsp.Entity{{"classname", "light"}},
			&world.Light{Color: vec3{1, 1, 1}, Intensity: 2 * 2700000.0 / 255, Range: math.Sqrt(5400000)}},
		{"takes light away", qbsp.Entity{{"classname", "light"}, {"_light", "-100 -1 -1"}}, nil},
		{"a spot down", qbsp.Entity{{"classname", "light_spot"}, {"_light", "255 255 255 200"}, {"pitch", "-90"}, {"_cone", "30"},
			{"_cone2", "45"}},
			&world.Light{Kind: world.SpotLight, Direction: down, Color: vec3{1, 1, 1}, Intensity: bright, Range: reach, Inner: 30 * degree,
				Outer: 45 * degree}},
		{"by its angles", qbsp.Entity{{"classname", "light_spot"}, {"_light", "200"}, {"angles", "0 180 0"}, {"_cone2", "5"}},
			&world.Light{Kind: world.SpotLight, Direction: west, Color: vec3{1, 1, 1}, Intensity: bright, Range: reach, Inner: 10 * degree,
				Outer: 10 * degree}},
		{"by its angle", qbsp.Entity{{"classname", "light_spot"}, {"_light", "200"}, {"angle", "-2"}, {"angles", "9 180 0"}},
			&world.Light{Kind: world.SpotLight, Direction: down, Color: vec3{1, 1, 1}, Intensity: bright, Range: reach, Inner: 10 * degree,
				Outer: 10 * degree}},
		{"to its target", qbsp.Entity{{"classname", "light"}, {"_light", "200"}, {"target", "there"}, {"origin", "8 0 64"}},
			&world.Light{Kind: world.SpotLight, Origin: vec3{8, 0, 64}, Direction: west, Color: vec3{1, 1, 1}, Intensity: bright,
				Range: reach, Inner: 10 * degree, Outer: 10 * degree}},
		{"the sun", qbsp.Entity{{"classname", "light_environment"}, {"_light", "255 255 255 127.5"}, {"angles", "-90 0 0"}},
			&world.Light{Kind: world.SunLight, Direction: down, Color: vec3{1, 1, 1}, Intensity: 1}},
		{"no sun", qbsp.Entity{{"classname", "light_environment"}}, nil},
		{"far too bright", qbsp.Entity{{"classname", "light"}, {"_light", "1e30"}}, nil},
		{"odd", qbsp.Entity{{"classname", "light"}, {"_light", "nan 1 2 3 4 5"}, {"style", "999"}},
			&world.Light{Color: vec3{1, 1, 1}, Intensity: 2 * 2700000.0 / 255, Range: math.Sqrt(5400000), Style: 255}},
	} {
		w := decode(t, with(qbsp.Entity{{"targetname", "there"}, {"origin", "0 0 64"}}, c.keys).Write(qbsp.HalfLife))
		wantLamp(t, c.what, w, c.want)
	}
}

// wantLamp checks the only lamp of a world, which belongs to entity 2.
func wantLamp(t *testing.T, what string, w *decoding.Map, want *world.Light) {
	t.Helper()
	if want == nil || len(w.Lights) != 1 {
		if want != nil || len(w.Lights) != 0 {
			t.Errorf("%s: %+v, want %+v", what, w.Lights, want)
		}
		return
	}
	got := w.Lights[0]
	for k := range 3 {
		if math.Abs(float64(got.Direction[k]-want.Direction[k])) > 1e-6 || math.Abs(float64(got.Color[k]-want.Color[k])) > 1e-6 {
			t.Errorf("%s: %+v, want %+v", what, got, want)
			return
		}
	}
	if !near(got.Intensity, want.Intensity) || !near(got.Range, want.Range) || !near(got.Inner, want.Inner) ||
		!near(got.Outer, want.Outer) ||
		got.Kind != want.Kind || got.Origin != want.Origin || got.Style != want.Style || got.Entity != 2 {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

// A light of 200 is 100 half way, at 100 units: 100 * 2.0625/255 = 0.80882 in Quake, which is decode(0.80882) = 0.61889, and
// 100 * 2/255 = 0.78431, decode 0.57758, in Quake II. It ends at 200.
func TestLampsOfQuake(t *testing.T) {
	const degree = math.Pi / 180
	for _, c := range []struct {
		what string
		v    qbsp.Variant
		keys qbsp.Entity
		want *world.Light
	}{
		{"a point", qbsp.Quake, qbsp.Entity{{"classname", "light"}, {"light", "200"}, {"origin", "1 2 3"}},
			&world.Light{Origin: vec3{1, 2, 3}, Color: vec3{1, 1, 1}, Intensity: 6188.9, Range: 200}},
		{"of a class of its own", qbsp.Quake, qbsp.Entity{{"classname", "light_torch_small_walltorch"}, {"light", "200"}},
			&world.Light{Color: vec3{1, 1, 1}, Intensity: 6188.9, Range: 200}},
		{"coloured", qbsp.Quake, qbsp.Entity{{"classname", "light"}, {"_light", "200"}, {"_color", "255 0 127.5"}},
			&world.Light{Color: vec3{1, 0, 0.5}, Intensity: 6188.9, Range: 200}},
		// 300: half is 150, 150 * 2.0625/255 = 1.21324; decode is 1.55551.
		{"none is 300", qbsp.Quake, qbsp.Entity{{"classname", "light"}},
			&world.Light{Color: vec3{1, 1, 1}, Intensity: 1.55551 * 150 * 150, Range: 300}},
		{"a spot", qbsp.Quake, qbsp.Entity{{"classname", "light"}, {"light", "200"}, {"origin", "0 0 128"}, {"target", "there"},
			{"angle", "60"}},
			&world.Light{Kind: world.SpotLight, Origin: vec3{0, 0, 128}, Direction: vec3{0, 0, -1}, Color: vec3{1, 1, 1}, Intensity: 6188.9,
				Range: 200, Inner: 30 * degree, Outer: 30 * degree}},
		{"takes light away", qbsp.Quake, qbsp.Entity{{"classname", "light"}, {"light", "-200"}}, nil},
		// Its textures are doubled, not its light: decode(100/255) is 0.127438.
		{"Quake II", qbsp.Quake2, qbsp.Entity{{"classname", "light"}, {"light", "200"}},
			&world.Light{Color: vec3{1, 1, 1}, Intensity: 1274.38, Range: 200}},
		{"its spot", qbsp.Quake2, qbsp.Entity{{"classname", "light_spot"}, {"light", "200"}, {"angle", "180"}, {"_cone", "25"}},
			&world.Light{Kind: world.SpotLight, Direction: vec3{-1, 0, 0}, Color: vec3{1, 1, 1}, Intensity: 1274.38, Range: 200,
				Inner: 25 * degree, Outer: 25 * degree}},
	} {
		w := decode(t, with(qbsp.Entity{{"targetname", "there"}, {"origin", "0 0 64"}}, c.keys).Write(c.v))
		wantLamp(t, c.what, w, c.want)
	}
}

// Faces shine as an info_texlights says of their texture: 64 * 64 units of 255 255 255 51 are 51 * 4096 * 0.1 * 2 of 255.
func TestTextureLamps(t *testing.T) {
	m := two(bricks)
	m.Faces[1].TexInfo = m.Project(qbsp.Texture{Name: "+0~LIGHT1"}, vec3{0, 0, 1}, 0)
	m.Entities = append(m.Entities, qbsp.Entity{{"classname", "info_texlights"}, {"+0~light1", "255 127.5 0 51"}, {"none", "255 255 255"},
		{"brick01", "0 0 0"}})
	w := decode(t, m.Write(qbsp.HalfLife))
	want := world.Light{Kind: world.AreaLight, Entity: world.NoEntity, Origin: vec3{96, 32, 0}, Direction: vec3{0, 0, 1},
		Color: vec3{1, 0.5, 0}, Outer: math.Pi / 2}
	if len(w.Lights) != 1 || !near(w.Lights[0].Intensity, 51*4096*0.2/255) {
		t.Fatalf("%+v", w.Lights)
	}
	want.Intensity = w.Lights[0].Intensity
	if w.Lights[0] != want {
		t.Errorf("%+v, want %+v", w.Lights[0], want)
	}
	for i, glow := range []vec3{{}, {1, 0.5, 0}} {
		if m := w.Materials[w.Models[0].Surfaces[i].Material]; m.Glow != glow {
			t.Errorf("%+v", m)
		}
	}
}

// The compiler has a list for all maps and one for a single map, which takes precedence.
func TestListsOfTextureLamps(t *testing.T) {
	m := two(bricks)
	m.Faces[1].TexInfo = m.Project(qbsp.Texture{Name: "+0~LIGHT1"}, vec3{0, 0, 1}, 0)
	file := m.Write(qbsp.HalfLife)
	for _, c := range []struct {
		name       string
		lists      fstest.MapFS
		brightness float64
	}{
		{"all maps", fstest.MapFS{"lights.rad": {Data: []byte("// all\r\n+0~LIGHT1\t100 100 100 // lamp\r\nbroken\nbroken x\n")}}, 100},
		{"the map's", fstest.MapFS{"lights.rad": {Data: []byte("+0~light1 100")},
			"maps/x.rad": {Data: []byte("  +0~light1   255 255 255 51")}}, 51},
		{"none", fstest.MapFS{"other.rad": {Data: []byte("+0~light1 100")}}, 0},
	} {
		got := 0.0
		for _, l := range decodeOptions(t, file, goldsrc.Options{Name: "x", Files: c.lists}).Lights {
			got += l.Intensity
		}
		if !near(got, c.brightness*4096*0.2/255) {
			t.Errorf("%s: %g, want %g", c.name, got, c.brightness*4096*0.2/255)
		}
	}
}

// Ten thousand entities that point at each other decode quickly.
func TestManyTargets(t *testing.T) {
	m := floor(bricks)
	for i := range 10000 {
		m.Entities = append(m.Entities, qbsp.Entity{{"classname", "light"}, {"_light", "200"}, {"targetname", fmt.Sprint(i)},
			{"target", fmt.Sprint(i + 1)}, {"origin", fmt.Sprintf("%d 0 0", i)}})
	}
	if w := decode(t, m.Write(qbsp.HalfLife)); len(w.Lights) != 10000 || w.Lights[0].Kind != world.SpotLight ||
		w.Lights[9999].Kind != world.PointLight {
		t.Errorf("%d lights", len(w.Lights))
	}
}

// Decals are present at the start of a map unless they have a name to be triggered by. A map does not list their archive.
func TestDecals(t *testing.T) {
	decal := func(pairs ...[2]string) qbsp.Entity { return append(qbsp.Entity{{"classname", "infodecal"}}, pairs...) }
	m := with(decal([2]string{"texture", "{Lambda06"}, [2]string{"origin", "1 2 3"}),
		decal([2]string{"texture", "{lambda06"}, [2]string{"origin", "4 5 6"}),
		decal([2]string{"texture", "{blood1"}, [2]string{"origin", "4 5 6"}, [2]string{"targetname", "later"}),
		decal([2]string{"texture", "{x"}))
	m.Entities[0] = append(m.Entities[0], [2]string{"wad", "\\half-life\\valve\\halflife.wad"})
	w := decode(t, m.Write(qbsp.HalfLife))
	wantIssues(t, w, "decal: entity 4: it has no texture or no place")
	if len(w.Decals) != 2 || w.Decals[0].Position != (vec3{1, 2, 3}) || w.Decals[1].Entity != 2 ||
		w.Decals[0].Material != w.Decals[1].Material {
		t.Fatalf("%+v", w.Decals)
	}
	if got := w.Materials[w.Decals[0].Material]; got.Name != "{lambda06" ||
		!reflect.DeepEqual(w.Files.Wads, []string{"halflife.wad", "decals.wad"}) {
		t.Errorf("%+v, archives %q", got, w.Files.Wads)
	}
	if w := decode(t, with().Write(qbsp.HalfLife)); len(w.Files.Wads) != 0 {
		t.Errorf("without decals %q", w.Files.Wads)
	}
}

// A script whose sequence waits holds its monster in another one; it may stand at the script's place. Each line of want is a monster's
// sequence, its X and its yaw.
func TestScriptsHoldMonsters(t *testing.T) {
	monster := func(keys ...[2]string) qbsp.Entity {
		return append(qbsp.Entity{{"classname", "monster_scientist"}, {"model", "a.mdl"}, {"origin", "100 0 0"}, {"angles", "0 90 0"}},
			keys...)
	}
	script := func(keys ...[2]string) qbsp.Entity {
		return append(qbsp.Entity{{"classname", "scripted_sequence"}, {"origin", "8 9 10"}, {"angles", "0 45 0"}, {"m_iszIdle", "Wait"},
			{"m_iszPlay", "go"}}, keys...)
	}
	bob, takesBob, named := [2]string{"targetname", "bob"}, [2]string{"m_iszEntity", "bob"}, [2]string{"targetname", "s"}
	there, ofClass := [2]string{"m_fMoveTo", "4"}, [2]string{"m_iszEntity", "monster_scientist"}
	const stays, put, free = "wait 100 90", "wait 8 45", " 100 90"
	for what, test := range map[string]struct {
		entities []qbsp.Entity
		want     []string
	}{
		"waits":            {[]qbsp.Entity{monster(bob), script(named, takesBob)}, []string{stays}},
		"is put there":     {[]qbsp.Entity{script(takesBob, there), monster(), monster(bob)}, []string{free, put}},
		"plays at once":    {[]qbsp.Entity{monster(bob), script(takesBob)}, []string{free}},
		"walks there":      {[]qbsp.Entity{monster(bob), script(named, takesBob, [2]string{"m_fMoveTo", "1"})}, []string{free}},
		"another":          {[]qbsp.Entity{monster([2]string{"targetname", "Bob"}), script(named, takesBob)}, []string{free}},
		"a class near":     {[]qbsp.Entity{monster(), script(named, ofClass, [2]string{"m_flRadius", "100"})}, []string{stays}},
		"a class far away": {[]qbsp.Entity{monster(), script(named, ofClass, [2]string{"m_flRadius", "90"})}, []string{free}},
		"the first has it": {[]qbsp.Entity{monster(bob), script(named, takesBob), script(takesBob, there)}, []string{stays}},
		"one each": {[]qbsp.Entity{monster(bob), monster(bob), script(named, takesBob), script(takesBob, there)},
			[]string{stays, put}},
		"an unnamed one without idle has it": {
			[]qbsp.Entity{monster(bob), {{"classname", "scripted_sequence"}, takesBob}, script(named, takesBob)}, []string{free}},
		"without idle": {[]qbsp.Entity{monster(bob), {{"classname", "scripted_sequence"}, named, takesBob}}, []string{free}},
		"ai": {[]qbsp.Entity{monster(bob), {{"classname", "aiscripted_sequence"}, {"m_iszIdle", "wait"}, named, takesBob}},
			[]string{free}},
	} {
		w := decode(t, with(test.entities...).Write(qbsp.HalfLife))
		var got []string
		for i := range w.Props {
			p := &w.Props[i]
			got = append(got, fmt.Sprintf("%s %g %g", p.Appearance.Animation, p.Origin[0], p.Angles[1]))
			if held := p.Appearance.Animation != ""; held != (p.Appearance.Plays == world.Once) || held == (len(p.Appearance.Activities) > 0) {
				t.Errorf("%s: %+v", what, p.Appearance)
			}
			start := w.Entities[p.Entity].Start
			if p.Origin[0] == 8 && (start == nil || start.Origin != p.Origin || start.Angles[1] != 45 || p.Drop.Most != 0) {
				t.Errorf("%s: %+v", what, start)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", what, got, test.want)
		}
	}
	frozen := qbsp.Entity{{"classname", "scripted_sequence"}, {"m_iszIdle", "go"}, {"m_iszPlay", "Go"}, named, takesBob}
	w := decode(t, with(monster(bob), frozen).Write(qbsp.HalfLife))
	if w.Props[0].Appearance.Plays != world.Still || w.Props[0].Appearance.Animation != "go" {
		t.Errorf("%+v", w.Props[0].Appearance)
	}
}

func TestStances(t *testing.T) {
	for _, c := range []struct {
		keys qbsp.Entity
		want world.Appearance
	}{
		{qbsp.Entity{{"classname", "cycler"}, {"sequence", "3"}, {"frame", "7"}}, world.Appearance{Sequence: 3, Frame: 7}},
		{qbsp.Entity{{"classname", "cycler"}, {"framerate", "5"}}, world.Appearance{Plays: world.Repeated}}, // which sets it to 1
		{qbsp.Entity{{"classname", "env_model"}, {"sequence", "2"}, {"framerate", "0.5"}},
			world.Appearance{Sequence: 2, Plays: world.Repeated, Rate: 0.5}},
		{qbsp.Entity{{"classname", "env_model"}, {"framerate", "-1"}}, world.Appearance{}},
		{qbsp.Entity{{"classname", "monster_turret"}, {"sequence", "3"}}, world.Appearance{}},
		{qbsp.Entity{{"classname", "monster_ichthyosaur"}, {"sequence", "3"}},
			world.Appearance{Activities: []string{"ACT_WALK"}, Plays: world.Repeated}},
		{qbsp.Entity{{"classname", "monster_snark"}}, world.Appearance{Sequence: 3, Plays: world.Repeated}},
		{qbsp.Entity{{"classname", "Monster_Zombie"}, {"sequence", "3"}, {"body", "1"}},
			world.Appearance{Activities: []string{"ACT_IDLE"}, Body: 1, Plays: world.Repeated}},
		{qbsp.Entity{{"classname", "monster_flyer_flock"}}, world.Appearance{Activities: []string{"ACT_FLY"}, Plays: world.Repeated}},
		{qbsp.Entity{{"classname", "monster_apache"}, {"sequence", "3"}}, world.Appearance{Plays: world.Repeated}},
		{qbsp.Entity{{"classname", "monster_scientist_dead"}, {"sequence", "3"}}, world.Appearance{Animation: "lying_on_back"}},
		{qbsp.Entity{{"classname", "monster_scientist_dead"}, {"pose", "2"}}, world.Appearance{Animation: "dead_sitting"}},
		{qbsp.Entity{{"classname", "monster_barney_dead"}, {"pose", "3"}}, world.Appearance{Animation: "lying_on_back"}},
		{qbsp.Entity{{"classname", "monster_barney_dead"}, {"pose", "-1"}}, world.Appearance{Animation: "lying_on_back"}},
		{qbsp.Entity{{"classname", "monster_human_grunt_ally_dead"}, {"pose", "6"}}, world.Appearance{Animation: "dead_canyon"}},
		{qbsp.Entity{{"classname", "monster_sitting_scientist"}}, world.Appearance{Animation: "sitlookleft", Plays: world.Repeated}},
	} {
		w := decode(t, with(append(c.keys, [2]string{"model", "a.mdl"})).Write(qbsp.HalfLife))
		if len(w.Props) != 1 || !reflect.DeepEqual(w.Props[0].Appearance, c.want) {
			t.Errorf("%v: %+v, want %+v", c.keys, w.Props, c.want)
		}
	}
}

// A turret with orientation 1 hangs from the ceiling: it is turned over its front, and closed.
func TestTurrets(t *testing.T) {
	for _, c := range []struct {
		class, orientation string
		want               vec3
	}{
		{"monster_turret", "0", vec3{0, 90, 0}},
		{"monster_turret", "1", vec3{-180, 270, 0}},
		{"Monster_MiniTurret", "1", vec3{-180, 270, 0}},
		{"monster_sentry", "1", vec3{-180, 270, 0}},
		{"monster_barney", "1", vec3{0, 90, 0}},
	} {
		for _, flags := range []string{"0", "32", "96"} { // started by itself it stays closed until it sees somebody
			w := decode(t, with(qbsp.Entity{{"classname", c.class}, {"angles", "0 90 0"}, {"orientation", c.orientation},
				{"spawnflags", flags}, {"sequence", "3"}}).Write(qbsp.HalfLife))
			if len(w.Props) != 1 || w.Props[0].Angles != c.want {
				t.Fatalf("%s, orientation %s: %+v, want angles %v", c.class, c.orientation, w.Props, c.want)
			}
			if above := w.Props[0].Light.Above; above != (c.want[0] != 0) {
				t.Errorf("%s, orientation %s: light from above is %v", c.class, c.orientation, above)
			}
			if look := w.Props[0].Appearance; c.class != "monster_barney" && !reflect.DeepEqual(look, world.Appearance{}) {
				t.Errorf("%s, flags %s: %+v", c.class, flags, look)
			}
		}
	}
}

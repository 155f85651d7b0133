package quake3_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// withEntities returns a map of a triangle, two brush models and a text.
func withEntities(text string) []byte {
	m := mapOf(triangle())
	m.Models = append(m.Models, ibsp.Model{}, ibsp.Model{})
	m.RawEntities = text
	return m.Write(ibsp.Quake3)
}

func TestEntities(t *testing.T) {
	w := decode(t, withEntities(`{ "classname" "worldspawn" "message" "a \ b" } { "classname" "info" "k" "1" "K" "2" }`))
	want := []world.Entity{
		{Pairs: []world.Pair{{Key: "classname", Value: "worldspawn"}, {Key: "message", Value: `a \ b`}}, Model: 0, AngleRule: world.AngleReplaces},
		{Pairs: []world.Pair{{Key: "classname", Value: "info"}, {Key: "k", Value: "1"}, {Key: "K", Value: "2"}},
			Model: world.NoModel, AngleRule: world.AngleReplaces},
	}
	if !reflect.DeepEqual(w.Entities, want) {
		t.Errorf("%+v", w.Entities)
	}
	wantIssues(t, w)
}

// Each string that is not UTF-8 is Latin-1.
func TestEntityTextIsUTF8(t *testing.T) {
	w := decode(t, withEntities("{\"classname\" \"worldspawn\" \"a\xe4\" \"\xdcber\" \"b\" \"Über\"}"))
	if p := w.Entities[0].Pairs; p[1] != (world.Pair{Key: "aä", Value: "Über"}) || p[2].Value != "Über" {
		t.Errorf("%q", p)
	}
}

func TestBrushModelsOfEntities(t *testing.T) {
	w := decode(t,
		withEntities(`{"classname" "worldspawn" "model" "*2"}{"model" "*1"}{"model" "*2"}{"model" "*2"}{"model" "*0"}{"model" "*3"}
		{"classname" "x" "model" "*-1"}{"model" "*"}{"model" "*99999999999999999999"}{"model" "* 1"}`))
	want := []int{0, 1, 2, 2, -1, -1, -1, -1, -1, -1}
	for i, e := range w.Entities {
		if e.Model != want[i] {
			t.Errorf("entity %d has model %d, want %d", i, e.Model, want[i])
		}
	}
	wantIssues(t, w,
		`entity-model: entity 4: "" has model "*0", the map has *1 to *2`,
		`entity-model: entity 5: "" has model "*3", the map has *1 to *2`,
		`entity-model: entity 6: "x" has model "*-1", the map has *1 to *2`,
		`entity-model: entity 7: "" has model "*", the map has *1 to *2`,
		`entity-model: entity 8: "" has model "*99999999999999999999", the map has *1 to *2`,
		`entity-model: entity 9: "" has model "* 1", the map has *1 to *2`)
}

func TestOddEntityText(t *testing.T) {
	for _, c := range []struct {
		text     string
		entities int
		want     []string
	}{
		{"\x00", 0, []string{"entity-worldspawn: entity 0: the first entity is not worldspawn"}},
		{`{"classname" "light"}`, 1, []string{"entity-worldspawn: entity 0: the first entity is not worldspawn"}},
		{`{"CLASSNAME" "WorldSpawn"}`, 1, nil},
		{`{"classname" "worldspawn"`, 1, []string{"entity-text: entity 0: the last entity has no closing brace"}},
		{`{"classname" "worldspawn" {"a" "b"}`, 2, []string{"entity-text: entity 0: the entity has no closing brace"}},
		{`{"classname" "worldspawn"} x`, 1, []string{`entity-text: entity 1: "x" stands between entities`}},
	} {
		w := decode(t, withEntities(c.text))
		if got := issues(w); len(w.Entities) != c.entities || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %d entities, %q", c.text, len(w.Entities), got)
		}
	}
}

func TestEntityLimits(t *testing.T) {
	for want, c := range map[string]struct {
		text string
		l    limit.Limits
	}{
		"lump 0 (entities): 3 is over the limit of 2 (raise it with --limit MaxEntities=N)": {"{}{}{}", limit.Limits{MaxEntities: 2}},
		"lump 0 (entities): 9 is over the limit of 8 (raise it with --limit MaxToken=N)": {`{"123456789" ""}`,
			limit.Limits{MaxToken: 8}},
		"entity 2: 2 is over the limit of 1 (raise it with --limit MaxProps=N)": {`{}{"model" "a.md3"}{"model2" "b.md3"}`,
			limit.Limits{MaxProps: 1}},
	} {
		_, err := decodeWith(withEntities(c.text), limit.NewBudget(c.l), quake3.Options{})
		if !errors.Is(err, limit.ErrLimit) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestProps(t *testing.T) {
	w := decode(t, withEntities(`{"classname" "worldspawn"}
		{"classname" "misc_gamemodel" "model" "Models\Lamp.MD3" "origin" "1 2 3" "angle" "90"}
		{"classname" "func_door" "model" "*1" "model2" "models/door.md3" "angles" "1 2 3" "modelscale" "2"}
		{"classname" "x" "model" "models/a.ase" "modelscale_vec" "1 2 3" "modelscale" "9"}
		{"classname" "misc_model" "model" "models/baked.md3"}
		{"classname" "y" "model" "models/none"}
		{"classname" "z" "model" "models/b.md3" "modelscale" "0" "origin" "1 2"}`))
	one := [3]float32{1, 1, 1}
	want := []world.Prop{
		{Model: "models/lamp.md3", Index: -1, Entity: 1, Origin: vec3{1, 2, 3}, Angles: vec3{0, 90, 0}, Scale: one},
		{Model: "models/door.md3", Index: -1, Entity: 2, Angles: vec3{1, 2, 3}, Scale: vec3{2, 2, 2}},
		{Model: "models/a.ase", Index: -1, Entity: 3, Scale: vec3{1, 2, 3}},
		{Model: "models/b.md3", Index: -1, Entity: 6, Scale: one},
	}
	if !reflect.DeepEqual(w.Props, want) {
		t.Errorf("%+v", w.Props)
	}
	wantIssues(t, w)
}

func TestFixtureOfOddEntities(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/features/maps/entities.bsp")
	if err != nil {
		t.Fatal(err)
	}
	w := decode(t, data)
	if len(w.Entities) != 15 {
		t.Errorf("%d entities", len(w.Entities))
	}
	wantIssues(t, w, "entity-text: entity 14: the last entity has no closing brace")
	long := 0
	for _, e := range w.Entities {
		for _, p := range e.Pairs {
			long = max(long, len(p.Value))
			if strings.ContainsRune(p.Value, '\uFFFD') {
				t.Errorf("%q is not UTF-8", p.Value)
			}
		}
	}
	if long < 5000 {
		t.Errorf("the longest value has %d bytes", long)
	}
}

// The class and its spawnflags in the family decide which brush models and model files are drawn, whatever the shader.
func TestWhatEntitiesDraw(t *testing.T) {
	for _, c := range []struct {
		kind   ibsp.Variant
		keys   string
		hidden world.Flags
		props  int
	}{
		{ibsp.Quake3, `"classname" "func_static"`, 0, 0},
		{ibsp.Quake3, `"classname" "func_static" "spawnflags" "1"`, 0, 0},
		{ibsp.RTCW, `"classname" "func_static" "spawnflags" "1"`, world.NoDraw, 0},
		{ibsp.RTCW, `"classname" "func_constructible" "model2" "a.md3"`, world.NoDraw, 0},
		{ibsp.RTCW, `"classname" "func_constructible" "spawnflags" "1" "model2" "a.md3"`, 0, 1},
		{ibsp.Quake3, `"classname" "Trigger_Hurt"`, world.Trigger, 0},
		{ibsp.Quake3, `"classname" "func_rain"`, world.Trigger, 0},
		{ibsp.Quake3, `"classname" "func_door" "model2" "a.md3"`, 0, 1},
		{ibsp.Quake3, `"classname" "info_player_deathmatch" "model2" "a.md3"`, 0, 0},
	} {
		m := mapOf(triangle())
		m.Models = append(m.Models, ibsp.Model{Surfaces: m.Models[0].Surfaces})
		m.Models[0].Surfaces = nil
		m.RawEntities = `{"classname" "worldspawn"}{"model" "*1" ` + c.keys + `}`
		w := decode(t, m.Write(c.kind))
		if s := w.Models[1].Surfaces; len(s) != 1 || s[0].Flags != c.hidden || len(w.Props) != c.props {
			t.Errorf("%s: %+v, %d props", c.keys, s, len(w.Props))
		}
	}
}

// The game's code names the models of items; the game is recognised by classes that it alone has.
func TestItemsAreProps(t *testing.T) {
	text := `{"classname" "worldspawn"} {"classname" "weapon_rocketlauncher" "origin" "1 2 3" "angle" "90"}`
	item := func(model string, scale float32) world.Prop {
		return world.Prop{Model: model, Index: world.NoModel, Entity: 1, Origin: [3]float32{1, 2, 3},
			Scale:   [3]float32{scale, scale, scale},
			Assumed: true}
	}
	for more, want := range map[string][]world.Prop{
		"":                                    {item("models/weapons2/rocketl/rocketl.md3", 1.5)},
		`{"classname" "weapon_crylink"}`:      {item("models/weapons/g_rl.md3", 1), {Model: "models/weapons/g_crylink.md3"}},
		`{"classname" "weapon_electrobolt"}`:  nil, // Warsow
		`{"classname" "pos_player_spawn"}`:    nil, // Unvanquished
		`{"classname" "x" "model" "map.md3"}`: {{Model: "map.md3"}, item("models/weapons2/rocketl/rocketl.md3", 1.5)},
	} {
		w := decode(t, withEntities(text+more))
		if len(w.Props) != len(want) {
			t.Errorf("with %s there are %d props, want %d", more, len(w.Props), len(want))
			continue
		}
		for i, p := range w.Props {
			if p.Entity == 1 {
				if p.Appearance.Hover == nil {
					t.Errorf("%s does not turn", p.Model)
				}
				p.Appearance = world.Appearance{}
				if !reflect.DeepEqual(p, want[i]) {
					t.Errorf("with %s: %+v, want %+v", more, p, want[i])
				}
			} else if p.Model != want[i].Model {
				t.Errorf("with %s: %s, want %s", more, p.Model, want[i].Model)
			}
		}
	}
	if _, err := decodeWith(withEntities(text), limit.NewBudget(limit.Limits{MaxProps: 1}), quake3.Options{}); err != nil {
		t.Error(err)
	}
	double := withEntities(`{"classname" "worldspawn"} {"classname" "item_health"}`)
	if _, err := decodeWith(double, limit.NewBudget(limit.Limits{MaxProps: 1}), quake3.Options{}); !errors.Is(err, limit.ErrLimit) {
		t.Errorf("two props are within a limit of one: %v", err)
	}
}

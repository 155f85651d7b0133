package models

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/floortest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// describe returns a prop's materials with what is embedded in them.
func describe(w *world.World, p *world.Prop) string {
	if p.Index == world.NoModel {
		return "none"
	}
	var list []string
	for _, s := range w.Models[p.Index].Surfaces {
		m := &w.Materials[s.Material]
		text := m.Name + " " + m.Lighting.String()
		if m.Blend != world.BlendNone {
			text += fmt.Sprintf(" blend %d %.2f", m.Blend, m.Opacity)
		}
		if m.Tint != [3]float32{} {
			text += fmt.Sprintf(" tint %.2f", m.Tint)
		}
		if m.Texture == nil {
			text += " bare"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// ours is our folder of a GoldSrc game.
var ours = os.DirFS("../testdata/goldsrc")

func TestFormatsOfGoldSrc(t *testing.T) {
	white := [4]uint8{255, 255, 255, 255}
	const wood, sign = "/wood vertex", "/board vertex blend 2 1.00"
	post, apart := "models/signpost.mdl", "models/outside.mdl"
	for _, test := range []struct {
		name string
		prop world.Prop
		want string
	}{
		{"a studio model", world.Prop{Model: post}, post + wood + ", " + post + sign},
		{"another skin", world.Prop{Model: post, Appearance: world.Appearance{Skin: 1}}, post + wood + ", " + post + "/board2 fullbright blend 2 1.00"},
		{"another body", world.Prop{Model: post, Appearance: world.Appearance{Body: 1}},
			post + wood + ", " + post + sign + ", " + post + "/chrome vertex, " + post + "/glow vertex blend 3 1.00"},
		{"files beside it", world.Prop{Model: apart, Appearance: world.Appearance{Sequence: 1}}, apart + wood + ", " + apart + sign},
		{"half of it", world.Prop{Model: post, Draw: world.PropDraw{Blend: world.BlendAlpha, Tint: [4]uint8{255, 255, 255, 51}}},
			post + "/wood vertex blend 1 0.20, " + post + "/board vertex blend 1 0.20"},
		{"a sprite", world.Prop{Model: "sprites/normal.spr"}, "sprites/normal fullbright"},
		{"one that is added", world.Prop{Model: "sprites/additive.spr"}, "sprites/additive fullbright blend 3 1.00"},
		{"one with alpha", world.Prop{Model: "sprites/alpha.spr", Appearance: world.Appearance{Frame: 1}}, "sprites/alpha/1 fullbright blend 1 1.00"},
		{"one of Quake", world.Prop{Model: "sprites/quake.spr"}, "sprites/quake fullbright blend 2 1.00"},
		{"one that is added in a colour", world.Prop{Model: "sprites/normal.spr",
			Draw: world.PropDraw{Blend: world.BlendAdd, Tint: [4]uint8{255, 188, 0, 255}}},
			"sprites/normal fullbright blend 3 1.00 tint [1.00 0.50 0.00]"},
	} {
		w := newWorld(entity("classname", "x"))
		p := test.prop
		p.Entity, p.Scale, p.Index = 1, [3]float32{1, 1, 1}, world.NoModel
		if p.Draw.Tint == [4]uint8{} {
			p.Draw.Tint = white
		}
		w.Props = []world.Prop{p}
		if err := Gather(t.Context(), ours, w, Options{}); err != nil {
			t.Fatal(err)
		}
		if got := describe(w, &w.Props[0]); got != test.want || len(w.Issues) > 0 {
			t.Errorf("%s: %s, want %s; %v", test.name, got, test.want, w.Issues)
		}
	}
}

func TestLooksShareMaterials(t *testing.T) {
	w := newWorld(entity(), entity(), entity(), entity())
	for i := range w.Props {
		w.Props[i].Model, w.Props[i].Appearance.Sequence = "models/signpost.mdl", i%3
	}
	if err := Gather(t.Context(), ours, w, Options{}); err != nil {
		t.Fatal(err)
	}
	if len(w.Models) != 1+3 || len(w.Materials) != 2 || w.Props[0].Index != w.Props[3].Index {
		t.Error(len(w.Models), len(w.Materials), w.Props)
	}
}

// A sprite has no light to take, and keeps its one model where the map has a floor.
func TestSpritesAreNotLit(t *testing.T) {
	w := newWorld(entity("model", "sprites/normal.spr"), entity("model", "sprites/normal.spr"))
	w.Models[0].Surfaces, w.Baked.Charts = []world.Surface{floortest.Slab(0, 0)}, []world.Chart{floortest.Chart(1)}
	if err := Gather(t.Context(), ours, w, Options{}); err != nil {
		t.Fatal(err)
	}
	if len(w.Models) != 2 || len(w.Issues) != 0 {
		t.Error(len(w.Models), w.Issues)
	}
}

func TestFormatsByTheirFirstBytes(t *testing.T) {
	post, err := os.ReadFile("../testdata/goldsrc/models/signpost.mdl")
	if err != nil {
		t.Fatal(err)
	}
	outside, err := os.ReadFile("../testdata/goldsrc/models/outside.mdl")
	if err != nil {
		t.Fatal(err)
	}
	source := slices.Clone(post)
	source[4] = 53
	files := fstest.MapFS{
		"source.mdl": {Data: source}, "alone.mdl": {Data: outside}, "short.mdl": {Data: post[:400]}, "empty.mdl": {},
		"wrong.mdl": {Data: []byte("IDP3")},
		"quake.mdl": {Data: []byte("IDPO\x03\x00\x00\x00")}, "a.md2": {Data: []byte("IDP2")},
		"b.spr": {Data: []byte("IDSP\x20\x00\x00\x00")},
	}
	w := newWorld()
	w.Entities = append(w.Entities, entity("classname", "e"))
	for _, name := range []string{"source.mdl", "alone.mdl", "short.mdl", "empty.mdl", "wrong.mdl", "none.mdl", "quake.mdl",
		"a.md2", "b.spr"} {
		w.Props = append(w.Props, world.Prop{Model: name, Entity: 1})
	}
	if err := Gather(t.Context(), files, w, Options{}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"model-format: source.mdl: mdl: the model: version 53, of Titanfall 2: unsupported operation",
		"model-part: alone.mdl: its textures: file does not exist",
		"model-broken: short.mdl: incomplete: the last 13297 of 13697 bytes are missing: download it again",
		`model-broken: empty.mdl: studio model: the model: it starts with "", not "IDST"`,
		"model-broken: wrong.mdl: md3: header: at byte 4: 4 bytes wanted, 0 left: the file is incomplete or damaged, download it again",
		"model-missing: none.mdl",
		"model-broken: quake.mdl: mdl: header: at byte 8: 4 bytes wanted, 0 left: the file is incomplete or damaged, download it again",
		"model-broken: a.md2: md2: header: at byte 4: 4 bytes wanted, 0 left: the file is incomplete or damaged, download it again",
		"model-format: b.spr: sprite: version 32: unsupported operation",
	}
	var got []string
	for _, i := range w.Issues {
		got = append(got, i.Code+": "+i.Detail)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A file of another format than its extension says is read as what it is.
func TestFormatsAreKnownByTheirFirstBytes(t *testing.T) {
	for _, test := range []struct{ ext, data, want string }{
		{".mdl", "IDP3\x0f\x00\x00\x00", "Quake III"}, {".mdl", "IDST\x0a\x00\x00\x00", "GoldSrc"}, {".mdl", "IDST\x30\x00\x00\x00", "Source"},
		{".md3", "IDPO\x06\x00\x00\x00", "Quake"}, {".md3", "nothing", "Quake III"}, {".mdl", "", "GoldSrc"},
	} {
		if got := formatOf(test.ext, []byte(test.data)); got.engine != test.want {
			t.Errorf("%s %q is of %s", test.ext, test.data, got.engine)
		}
	}
}

// The iris of an eye has the material of its white, but as a material of its own, which a prop may tint.
func TestIrisesAreMaterialsOfTheirOwn(t *testing.T) {
	w := &world.World{}
	g := &materialBinder{w: w, materials: newRegistry(w, Options{})}
	d := &decoded{shaders: []string{"eye", "eye"}, irises: []bool{false, true}, hardware: &hardware{}}
	grey := &world.Prop{Draw: world.PropDraw{Tint: [4]uint8{128, 128, 128, 255}}}
	for i, want := range []world.Material{
		{Name: "eye", Lighting: world.PerVertex}, {Name: "eye", Lighting: world.PerVertex, Iris: true},
	} {
		if got := w.Materials[g.material(d, i, &world.Prop{}, nil, nil)]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := w.Materials[g.material(d, i, grey, nil, nil)]; got.Iris != want.Iris || got.Tint == want.Tint {
			t.Errorf("tinted: %+v", got)
		}
	}
}

func TestEveryModelFormatIsKnownByName(t *testing.T) {
	var want []string
	for _, f := range formats {
		if !slices.Contains(want, f.ext) {
			want = append(want, f.ext)
		}
	}
	if got := inputfile.ModelExtensions(); got != strings.Join(want, ", ") {
		t.Errorf("package inputfile knows %s, the table has %s", got, want)
	}
}

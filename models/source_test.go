package models

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// gathered returns a map of props that stand in it, after Gather.
func gathered(t *testing.T, o Options, props ...world.Prop) *world.World {
	t.Helper()
	w := &world.World{Models: []world.Model{{Name: "*0"}}, Entities: []world.Entity{entity("classname", "worldspawn")}}
	for i, p := range props {
		p.Kind, p.Entity, p.Record, p.Scale = world.StaticProp, world.NoEntity, i, [3]float32{1, 1, 1}
		w.Props = append(w.Props, p)
	}
	if err := Gather(t.Context(), os.DirFS("../testdata/source"), w, o); err != nil {
		t.Fatal(err)
	}
	return w
}

// told returns the text that a test compares: by prop the index of its model, its materials with those of its other
// skins, and the number of its vertices.
func told(w *world.World) (lines []string) {
	for _, p := range w.Props {
		line := fmt.Sprint(p.Index)
		if p.Index == world.NoModel {
			lines = append(lines, line)
			continue
		}
		vertices := 0
		for _, s := range w.Models[p.Index].Surfaces {
			m := &w.Materials[s.Material]
			line += " " + strings.TrimPrefix(m.Name, "models/ours/") + "/" + m.Lighting.String()
			for _, k := range s.Skins {
				line += "," + strings.TrimPrefix(w.Materials[k].Name, "models/ours/")
			}
			vertices += len(s.Shape.(*world.Triangles).Vertices)
		}
		lines = append(lines, fmt.Sprintf("%s %d", line, vertices))
	}
	for _, i := range w.Issues {
		lines = append(lines, i.Code+": "+i.Where+": "+i.Detail)
	}
	return lines
}

// A table has seven boxes of 24 vertices; two of them are not in the second level of detail.
func TestSourceModels(t *testing.T) {
	const table = "models/ours/table.mdl"
	for _, test := range []struct {
		name    string
		options Options
		props   []world.Prop
		want    []string
	}{
		{"props of one look share a model", Options{},
			[]world.Prop{{Model: table}, {Model: table, Appearance: world.Appearance{Skin: 1}}, {Model: `Models\Ours\Table.mdl`}},
			[]string{"1 table/vertex 168", "2 table_metal/vertex 168", "1 table/vertex 168"}},
		{"the lamp is a second variant of its part", Options{},
			[]world.Prop{{Model: table, Appearance: world.Appearance{Body: 1}}, {Model: table, Appearance: world.Appearance{Body: 2}}},
			[]string{"1 table/vertex lamp/vertex 192", "2 table/vertex 168"}},
		{"a skin that is not there", Options{}, []world.Prop{{Model: table}, {Model: table, Appearance: world.Appearance{Skin: 2}},
			{Model: table, Appearance: world.Appearance{Skin: 3}}},
			[]string{"1 table/vertex 168", "1 table/vertex 168", "1 table/vertex 168",
				"model-skin: static prop 0: models/ours/table.mdl: it has no skin 2: the first is used"}},
		{"the second level of detail", Options{LOD: 5}, []world.Prop{{Model: table}}, []string{"1 table/vertex 120"}},
		{"all skins", Options{Skins: "variants"}, []world.Prop{{Model: table, Appearance: world.Appearance{Skin: 1, Body: 1}}},
			[]string{"1 table_metal/vertex,table,table_metal lamp/vertex,lamp,lamp 192"}},
		{"for a viewer's lamps", Options{Light: "none"}, []world.Prop{{Model: table}}, []string{"1 table/lightmap 168"}},
		{"sequences by name and number", Options{},
			[]world.Prop{{Model: "models/ours/gate.mdl"}, {Model: "models/ours/gate.mdl", Appearance: world.Appearance{Animation: "open"}},
				{Model: "models/ours/gate.mdl", Appearance: world.Appearance{Sequence: 1}}},
			[]string{"1 table/vertex table_metal/vertex 48", "2 table/vertex table_metal/vertex 48",
				"2 table/vertex table_metal/vertex 48"}},
		{"one that is not there", Options{}, []world.Prop{{Model: "models/ours/gone.mdl"}},
			[]string{"-1", "model-missing: static prop 0: models/ours/gone.mdl"}},
	} {
		if diff := cmp.Diff(test.want, told(gathered(t, test.options, test.props...))); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// The gate's leaf hangs 42 units to the left of its post, and opens to the front.
func TestSourceModelsArePosed(t *testing.T) {
	w := gathered(t, Options{}, world.Prop{Model: "models/ours/gate.mdl"},
		world.Prop{Model: "models/ours/gate.mdl", Appearance: world.Appearance{Animation: "open"}})
	for i, want := range [][3]float32{{2, 42, 64}, {42, 2, 64}} {
		got := w.Models[w.Props[i].Index].Maxs
		for k := range got {
			if d := got[k] - want[k]; d < -0.001 || d > 0.001 {
				t.Errorf("prop %d ends at %v, want %v", i, got, want)
				break
			}
		}
	}
}

// A half transparent prop has materials of its own; its model stays that of the others.
func TestSourceModelsThatBlend(t *testing.T) {
	table := world.Prop{Model: "models/ours/table.mdl"}
	glass := table
	glass.Draw.Blend, glass.Draw.Tint = world.BlendAlpha, [4]uint8{255, 0, 255, 51}
	w := gathered(t, Options{}, table, glass)
	a, b := &w.Models[w.Props[0].Index].Surfaces[0], &w.Models[w.Props[1].Index].Surfaces[0]
	if a.Shape != b.Shape {
		t.Error("the shape is not shared")
	}
	black := gamma.Linear8()[1] // as dark as a tint can be
	want := world.Material{Name: "models/ours/table", Lighting: world.PerVertex, Blend: world.BlendAlpha, Opacity: 0.2,
		Tint: [3]float32{1, black, 1}}
	if diff := cmp.Diff(want, w.Materials[b.Material]); diff != "" || w.Materials[a.Material].Blend != world.BlendNone {
		t.Error(diff, w.Materials[a.Material])
	}
}

// A prop's colour is its materials', whether it blends or not and whatever lights it; white and none are no colour.
func TestSourceModelsThatAreTinted(t *testing.T) {
	for _, light := range []Light{LightBaked, LightNone} {
		table := world.Prop{Model: "models/ours/table.mdl"}
		white, blue := table, table
		white.Draw.Tint, blue.Draw.Tint = [4]uint8{255, 255, 255, 255}, [4]uint8{128, 0, 255, 255}
		w := gathered(t, Options{Light: light}, table, white, blue)
		a, b := &w.Models[w.Props[0].Index].Surfaces[0], &w.Models[w.Props[2].Index].Surfaces[0]
		if w.Props[1].Index != w.Props[0].Index || a.Shape != b.Shape || w.Materials[a.Material].Tint != [3]float32{} {
			t.Error(w.Props, w.Materials)
		}
		want := w.Materials[a.Material]
		want.Tint = [3]float32{0.2158605, 1 / 255.0 / 12.92, 1} // of 128 ((128/255 + 0.055)/1.055)^2.4
		if diff := cmp.Diff(want, w.Materials[b.Material]); diff != "" {
			t.Error(diff)
		}
	}
}

// A material is looked for in the model's folders in their order, then without one; where it is in none it has the name
// of the first.
func TestMaterialsOfSourceModels(t *testing.T) {
	m := &build.Model{
		Bones: []build.Bone{{Name: "static_prop", Parent: -1}}, Flags: build.StaticProp, Textures: []string{"a"},
		Folders: []string{"models/x/", "models/y/"},
		Parts: []build.Part{{Base: 1, Variants: []build.Variant{{Meshes: []build.Mesh{{
			Vertices: make([]build.Vertex, 3),
			Levels:   [][]build.Group{{{Vertices: []uint16{0, 1, 2}, Strips: []build.Strip{{Indices: []uint16{0, 1, 2}}}}}},
		}}}}}},
	}
	for _, test := range []struct {
		there []string
		want  string
	}{
		{[]string{"models/x/a", "models/y/a", "a"}, "models/x/a"},
		{[]string{"models/y/a", "a"}, "models/y/a"},
		{[]string{"a"}, "a"},
		{nil, "models/x/a"},
	} {
		files := fstest.MapFS{}
		for ext, data := range m.Files() {
			files["models/a"+ext] = &fstest.MapFile{Data: data}
		}
		for _, name := range test.there {
			files["materials/"+name+".vmt"] = &fstest.MapFile{}
		}
		w := newWorld(entity("model", "models/a.mdl"))
		if err := Gather(t.Context(), files, w, Options{}); err != nil {
			t.Fatal(err)
		}
		if got := w.Materials[w.Models[w.Props[0].Index].Surfaces[0].Material].Name; got != test.want {
			t.Errorf("%q: %s, want %s", test.there, got, test.want)
		}
	}
}

// A model without the files beside it says which is missing.
func TestPartsOfSourceModelsThatAreMissing(t *testing.T) {
	all := build.Model{Parts: []build.Part{{Base: 1,
		Variants: []build.Variant{{Meshes: []build.Mesh{{Vertices: make([]build.Vertex, 1)}}}}}}}
	files := fstest.MapFS{}
	for ext, data := range all.Files() {
		files["models/a"+ext] = &fstest.MapFile{Data: data}
	}
	for _, test := range []struct{ ext, want string }{
		{".dx90.vtx", "model-missing: models/a.mdl: mdl: its triangles, models/a.dx90.vtx: file does not exist"},
		{".vvd", "model-missing: models/a.mdl: mdl: its vertices, models/a.vvd: file does not exist"},
		{".mdl", "model-missing: models/a.mdl"},
	} {
		delete(files, "models/a"+test.ext)
		w := newWorld(entity("model", "models/a.mdl"))
		if err := Gather(t.Context(), files, w, Options{}); err != nil {
			t.Fatal(err)
		}
		if len(w.Issues) != 1 || w.Issues[0].Code+": "+w.Issues[0].Detail != test.want || w.Props[0].Index != world.NoModel {
			t.Errorf("%s: %+v", test.ext, w.Issues)
		}
	}
}

// The model carries the facts by which the light of props is found: its checksum, its strip groups, and the place of its light.
func TestHardwareOfSourceModels(t *testing.T) {
	l := &library{ctx: t.Context(), files: os.DirFS("../testdata/source"), budget: limit.NewBudget(limit.Limits{})}
	for _, test := range []struct {
		name   string
		look   skeleton.Appearance
		lod    int
		center [3]float32
		want   hardware
	}{
		{"table", skeleton.Appearance{Body: 1}, 0, [3]float32{0, 0, 16},
			hardware{checksum: 0x7ab1e, groups: [][]sourcemdl.Group{{{Mesh: 0, Vertices: 168}}, {{Mesh: 2, Vertices: 24}}}}},
		{"table", skeleton.Appearance{Body: 1}, 1, [3]float32{0, 0, 16},
			hardware{checksum: 0x7ab1e, lod: 1, groups: [][]sourcemdl.Group{{{Mesh: 1, Vertices: 120}}, {{Mesh: 3, Vertices: 24}}}}},
		{"gate", skeleton.Appearance{Animation: "open"}, 0, [3]float32{0, 16, 32},
			hardware{checksum: 0x9a7e, posed: true, groups: [][]sourcemdl.Group{{{Mesh: 0, Vertices: 24}}, {{Mesh: 1, Vertices: 24}}}}},
	} {
		l.lod = test.lod
		s := &source{name: "models/ours/" + test.name + ".mdl", appearances: []skeleton.Appearance{test.look}}
		if err := l.load(s); err != nil || s.fault != nil {
			t.Fatal(err, s.fault)
		}
		d := s.models[0]
		if diff := cmp.Diff(test.want, *d.hardware, cmp.AllowUnexported(hardware{})); diff != "" || d.center != test.center {
			t.Error(test.name, diff, d.center)
		}
	}
}

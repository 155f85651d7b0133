package models

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/md3test"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// box returns a model of two surfaces.
func box() []byte {
	return md3test.Model{Frames: 1, Surfaces: []md3test.Surface{
		md3test.Triangle("Lid", "textures/lid.tga"), md3test.Triangle("Body_1", ""),
	}}.Bytes()
}

// entity is one of a map, with its keys and values.
func entity(pairs ...string) world.Entity {
	e := world.Entity{Model: world.NoModel}
	for i := 0; i < len(pairs); i += 2 {
		e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	return e
}

// newWorld returns a map of an empty world and a prop for each entity.
func newWorld(entities ...world.Entity) *world.World {
	w := &world.World{Models: []world.Model{{Name: "*0"}}, Entities: []world.Entity{entity("classname", "worldspawn")}}
	for i, e := range entities {
		w.Entities = append(w.Entities, e)
		w.Props = append(w.Props, world.Prop{
			Model: strings.ToLower(e.Value("model")), Index: world.NoModel, Entity: i + 1, Angles: e.Angles(), Scale: [3]float32{1, 1, 1},
		})
	}
	return w
}

// show returns the text that a test compares: the props' models, the models with their materials, and the issues.
func show(w *world.World) (lines []string) {
	for i, p := range w.Props {
		lines = append(lines, fmt.Sprintf("prop %d: %d", i, p.Index))
	}
	for i, m := range w.Models[1:] {
		s := fmt.Sprintf("model %d %s:", i+1, m.Name)
		for _, f := range m.Surfaces {
			s += " " + w.Materials[f.Material].Name
		}
		lines = append(lines, s)
	}
	for _, i := range w.Issues {
		lines = append(lines, fmt.Sprintf("%s, %s: %s", i.Code, i.Where, i.Detail))
	}
	return lines
}

func TestGather(t *testing.T) {
	old := box()
	old[4] = 14
	files := fstest.MapFS{
		"models/box.md3":      {Data: box()},
		"models/cut.md3":      {Data: box()[:200]},
		"models/old.md3":      {Data: old},
		"models/red.skin":     {Data: []byte("lid,textures/Red.tga\nbody,textures/redbody.tga\ntag_top,\n")},
		"models/partial.skin": {Data: []byte("body,textures/partial.tga\n")},
	}
	for _, test := range []struct {
		name     string
		entities []world.Entity
		want     []string
	}{
		{"nothing", nil, nil},
		{"two of a file", []world.Entity{entity("model", "models/box.md3"), entity("model", "models/box.md3")}, []string{
			"prop 0: 1", "prop 1: 1", "model 1 models/box.md3: textures/lid noshader"}},
		{"other spellings", []world.Entity{entity("model", "models/box.md3"), entity("model", `/models\Box.MD3`)}, []string{
			"prop 0: 1", "prop 1: 1", "model 1 models/box.md3: textures/lid noshader"}},
		{"skins", []world.Entity{
			entity("model", "models/box.md3", "skin", "models/Red.skin"),
			entity("model", "models/box.md3", "skin", "models/partial.skin"),
			entity("model", "models/box.md3", "skin", "/models/red.skin"),
			entity("model", "models/box.md3", "skin", "2"),
		}, []string{
			"prop 0: 1", "prop 1: 2", "prop 2: 1", "prop 3: 3",
			"model 1 models/box.md3: textures/red textures/redbody",
			"model 2 models/box.md3: textures/lid textures/partial",
			"model 3 models/box.md3: textures/lid noshader"}},
		{"a skin that is not there", []world.Entity{
			entity("classname", "a", "model", "models/box.md3", "skin", "no.skin"), entity("model", "models/box.md3", "skin", "no.skin"),
		}, []string{"prop 0: 1", "prop 1: 1", "model 1 models/box.md3: textures/lid noshader",
			"skin-missing, entity 1 (a): no.skin: file does not exist"}},
		{"remaps", []world.Entity{
			entity("classname", "misc_gamemodel", "model", "models/box.md3", "_remap", "*;all", "_remap2", "Textures/Lid.jpg;one"),
			entity("classname", "func_door", "model", "models/box.md3", "_remap", "*;all"),
			entity("classname", "misc_x", "model", "models/box.md3", "skin", "models/red.skin", "_remap", "textures/red;one",
				"_remap", "bad"),
		}, []string{
			"prop 0: 1", "prop 1: 2", "prop 2: 3",
			"model 1 models/box.md3: one all", "model 2 models/box.md3: textures/lid noshader",
			"model 3 models/box.md3: one textures/redbody"}},
		{"what can't be read", []world.Entity{
			entity("classname", "a", "model", "models/none.md3"), entity("model", "models/none.md3"),
			entity("classname", "b", "model", "models/box.ase"),
			entity("classname", "c", "model", "models/cut.md3"), entity("model", "models/box.md3"),
			entity("classname", "d", "model", "models/old.md3"), entity("classname", "e", "model", "../box.md3"),
		}, []string{
			"prop 0: -1", "prop 1: -1", "prop 2: -1", "prop 3: -1", "prop 4: 1", "prop 5: -1", "prop 6: -1",
			"model 1 models/box.md3: textures/lid noshader",
			"model-missing, entity 1 (a): models/none.md3",
			"model-format, entity 3 (b): models/box.ase: models of this format can't be read",
			"model-broken, entity 4 (c): models/cut.md3: incomplete: the last 436 of 636 bytes are missing: download it again",
			"model-format, entity 6 (d): models/old.md3: md3: version 14: unsupported operation",
			"model-missing, entity 7 (e): ../box.md3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(test.entities...)
			if err := Gather(t.Context(), files, w, Options{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, show(w)); diff != "" {
				t.Error(diff)
			}
			for _, m := range w.Models[1:] {
				for _, s := range m.Surfaces {
					if w.Materials[s.Material].Lighting != world.PerVertex {
						t.Error(w.Materials[s.Material])
					}
				}
			}
		})
	}
}

func TestMaterialsOfTheMap(t *testing.T) {
	w := newWorld(entity("model", "box.md3"))
	w.Materials = []world.Material{
		{Name: "textures/lid", Lighting: world.Lightmap, Flags: world.NoDraw, Contents: 7, Surface: 8},
		{Name: "noshader", Lighting: world.PerVertex, Flags: world.Liquid},
	}
	if err := Gather(t.Context(), fstest.MapFS{"box.md3": {Data: box()}}, w, Options{}); err != nil {
		t.Fatal(err)
	}
	want := world.Material{Name: "textures/lid", Lighting: world.PerVertex, Flags: world.NoDraw, Contents: 7, Surface: 8}
	s := w.Models[1].Surfaces
	if len(w.Materials) != 3 || w.Materials[2] != want || s[0].Material != 2 || s[0].Flags != world.NoDraw || s[1].Material != 1 ||
		s[1].Flags != world.Liquid {
		t.Error(w.Materials, s[0].Material, s[1].Material)
	}
}

// opens counts how often a file is opened.
type opens struct {
	fs.FS
	n int
}

func (o *opens) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	if err == nil {
		o.n++
	}
	return f, err
}

func TestReadsAFileOnce(t *testing.T) {
	s := md3test.Triangle("a", "b")
	s.Vertices = append(s.Vertices, []md3test.Vertex{{}, {}, {Z: 64}})
	files := &opens{FS: fstest.MapFS{"a.md3": {Data: md3test.Model{Frames: 2, Surfaces: []md3test.Surface{s}}.Bytes()}}}
	w := newWorld(entity("model", "a.md3"), entity("model", "a.md3"), entity("model", "a.md3"))
	w.Props[1].Appearance.Frame = 1
	if err := Gather(t.Context(), files, w, Options{}); err != nil {
		t.Fatal(err)
	}
	if files.n != 1 || len(w.Models) != 3 || w.Props[0].Index != 1 || w.Props[1].Index != 2 || w.Props[2].Index != 1 ||
		w.Models[2].Maxs[2] != 1 {
		t.Error(files.n, len(w.Models), w.Props)
	}
}

func TestLimitsAndContextEndGather(t *testing.T) {
	files := fstest.MapFS{"box.md3": {Data: box()}}
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 10}))
	if err := Gather(ctx, files, newWorld(entity("model", "box.md3")), Options{}); !errors.Is(err, limit.ErrLimit) ||
		!strings.HasPrefix(err.Error(), "box.md3: md3: surface 0:") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Gather(ctx, files, newWorld(entity("model", "box.md3")), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	w := newWorld(entity("model", "box.md3"))
	if err := Gather(t.Context(), nil, w, Options{}); err != nil || len(w.Issues) != 1 ||
		w.Issues[0].Code != "model-missing" {
		t.Error(err, w.Issues)
	}
}

func TestParseSkin(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       skin
	}{
		{"empty", "", skin{}},
		{"plain", "h_head,models/A.tga\r\nu_torso,b.jpg", skin{"h_head": "models/a", "u_torso": "b"}},
		{"blanks and comments", "// all\n /* x,y\n */ A , b.tga // c\n\tc\td//e.tga", skin{"a": "b", "c": "d//e"}},
		{"quotes", `"a b","c, d.tga"`, skin{"a b": "c, d"}},
		{"tags and lone names", "tag_head,\ntag_x,y\nalone\na,b", skin{"a": "b"}},
		{"the first counts", "a,b\nA,c", skin{"a": "b"}},
		{"open ends", "a,\"b", skin{"a": "b"}},
		{"open comment", "a,b\n/* c", skin{"a": "b"}},
		{"open comment of two", "a,b\n/*", skin{"a": "b"}},
	} {
		if diff := cmp.Diff(test.want, parseSkin(test.text)); diff != "" {
			t.Error(test.name, diff)
		}
	}
}

// The samples of grid as linear light: ((170/255 + 0.055) / 1.055)^2.4 and so on.
const strong, bright, dim = 0.4019778, 0.2015563, 0.0998987

// grid has two samples along X, 64 units apart: light from +Z at 0, half as much from +X at 64.
func grid() *world.Grid {
	return &world.Grid{
		Cell: [3]float32{64, 64, 128}, Size: [3]int{2, 1, 1},
		Ambient:  [][3]uint8{{124, 124, 124}, {89, 89, 89}}, // bright and dim
		Directed: [][3]uint8{{170, 124, 0}, {124, 89, 0}},   // strong, bright; bright, dim
		Toward:   [][3]int8{{0, 0, 127}, {127, 0, 0}},
	}
}

func TestSample(t *testing.T) {
	wall := grid()
	wall.Ambient[0] = [3]uint8{}
	scaled := grid()
	scaled.Scale = 4
	dark := grid()
	dark.Ambient = make([][3]uint8, 2)
	const d = math.Sqrt2 / 2
	at0 := light{[3]float32{bright, bright, bright}, [3]float32{strong, bright, 0}, [3]float32{0, 0, 1}, false, nil, false}
	at64 := light{[3]float32{dim, dim, dim}, [3]float32{bright, dim, 0}, [3]float32{1, 0, 0}, false, nil, false}
	for _, test := range []struct {
		name string
		grid *world.Grid
		x    float32
		want light
		ok   bool
	}{
		{"on the first", grid(), 0, at0, true},
		{"on the last", grid(), 64, at64, true},
		{"with a scale", scaled, 0, light{[3]float32{4 * bright, 4 * bright, 4 * bright}, [3]float32{4 * strong, 4 * bright, 0}, at0.toward,
			false, nil, false}, true},
		{"half way", grid(), 32, light{
			[3]float32{(bright + dim) / 2, (bright + dim) / 2, (bright + dim) / 2},
			[3]float32{(strong + bright) / 2, (bright + dim) / 2, 0}, [3]float32{d, 0, d}, false, nil, false,
		}, true},
		{"before the first", grid(), -1000, at0, true},
		{"behind the last", grid(), 1e30, at64, true},
		{"beside a wall", wall, 10, at64, true},
		{"in a wall", wall, 0, light{}, false},
		{"dark", dark, 32, light{}, false},
	} {
		got, ok := sample(test.grid, nil, [3]float32{test.x, 20, -20})
		if ok != test.ok || !near(got.ambient, test.want.ambient) || !near(got.directed, test.want.directed) ||
			!near(got.toward, test.want.toward) {
			t.Errorf("%s: %v %v, want %v %v", test.name, got, ok, test.want, test.ok)
		}
	}
}

func near(a, b [3]float32) bool {
	for k := range a {
		if !(math.Abs(float64(a[k]-b[k])) < 1e-5) {
			return false
		}
	}
	return true
}

// TestTurnBack takes +X, +Y and +Z as an entity has them after a turn, in the map's axes: they have to come back.
func TestTurnBack(t *testing.T) {
	for _, test := range []struct{ angles, x, y, z [3]float32 }{
		{[3]float32{0, 90, 0}, [3]float32{0, 1, 0}, [3]float32{-1, 0, 0}, [3]float32{0, 0, 1}}, // yaw: to the left
		{[3]float32{90, 0, 0}, [3]float32{0, 0, -1}, [3]float32{0, 1, 0}, [3]float32{1, 0, 0}}, // pitch: nose down
		{[3]float32{0, 0, 90}, [3]float32{1, 0, 0}, [3]float32{0, 0, 1}, [3]float32{0, -1, 0}}, // roll: right side down
		{[3]float32{90, 90, 0}, [3]float32{0, 0, -1}, [3]float32{-1, 0, 0}, [3]float32{0, 1, 0}},
		{[3]float32{0, 90, 90}, [3]float32{0, 1, 0}, [3]float32{0, 0, 1}, [3]float32{1, 0, 0}},
	} {
		for k, axis := range [3][3]float32{test.x, test.y, test.z} {
			var want [3]float32
			want[k] = 1
			if got := turnBack(test.angles, axis); !near(got, want) {
				t.Errorf("%v: axis %d comes back as %v", test.angles, k, got)
			}
		}
	}
}

func TestPropsAreLitByTheGrid(t *testing.T) {
	w := newWorld(
		entity("model", "box.md3"), entity("model", "box.md3", "angles", "90 0 0"),
		entity("model", "box.md3", "angles", "180 0 0"), entity("model", "box.md3"))
	w.Ambient.Grid = grid()
	w.Props[3].Scale = [3]float32{-1, -1, -1} // turns the model inside out, and its normals with it
	if err := Gather(t.Context(), fstest.MapFS{"box.md3": {Data: box()}}, w, Options{}); err != nil {
		t.Fatal(err)
	}
	// The normals are +Z, and so is the light: lit in full, across, from behind, from behind.
	shade := [3]float32{bright, bright, bright}
	want := [][3]float32{{bright + strong, bright + bright, bright}, shade, shade, shade}
	for i, p := range w.Props {
		if p.Index != i+1 {
			t.Fatal(p.Index)
		}
		for _, s := range w.Models[p.Index].Surfaces {
			for _, v := range s.Shape.(*world.Triangles).Vertices {
				if !near([3]float32(v.Color[:3]), want[i]) || v.Color[3] != 1 {
					t.Errorf("prop %d: %v, want %v", i, v.Color, want[i])
				}
			}
		}
	}

	// Light over 1 is cut, and the dark leaves props white and shared.
	w = newWorld(entity("model", "box.md3"), entity("model", "box.md3"), entity("model", "box.md3"))
	w.Ambient.Grid = grid()
	w.Ambient.Grid.Ambient[0], w.Ambient.Grid.Ambient[1] = [3]uint8{}, [3]uint8{243, 243, 243} // 0.8962693
	w.Props[1].Origin[0], w.Props[1].Angles = 64, [3]float32{90, 0, 0}
	if err := Gather(t.Context(), fstest.MapFS{"box.md3": {Data: box()}}, w, Options{}); err != nil {
		t.Fatal(err)
	}
	if w.Props[0].Index != 1 || w.Props[1].Index != 2 || w.Props[2].Index != 1 || len(w.Issues) != 2 || w.Issues[0].Code != "prop-light" {
		t.Error(w.Props, w.Issues)
	}
	if c := w.Models[2].Surfaces[0].Shape.(*world.Triangles).Vertices[0].Color; !near([3]float32(c[:3]),
		[3]float32{1, 0.8962693 + dim, 0.8962693}) {
		t.Error(c)
	}
}

// Props that hover share their model; each has its light in a list. The normals are +Z; a turn about Z does not change their light.
func TestHoveringPropsShareTheirModel(t *testing.T) {
	w := newWorld(entity("model", "box.md3"), entity("model", "box.md3"), entity("model", "box.md3"))
	w.Ambient.Grid = grid()
	w.Props[1].Origin[0] = 64
	for i := range 2 {
		w.Props[i].Appearance.Hover = &world.Hover{TurnPeriod: 2 * float32(i)}
	}
	if err := Gather(t.Context(), fstest.MapFS{"box.md3": {Data: box()}}, w, Options{}); err != nil {
		t.Fatal(err)
	}
	if w.Props[0].Index != 1 || w.Props[1].Index != 1 || w.Props[2].Index != 2 || w.Props[2].Light.Colors != nil {
		t.Fatalf("models %d, %d and %d", w.Props[0].Index, w.Props[1].Index, w.Props[2].Index)
	}
	for i, want := range [][3]float32{{bright + strong, bright + bright, bright}, {dim, dim, dim}} {
		list := w.Props[i].Light.Colors
		if len(list) != 2 || len(list[1]) != 3 {
			t.Fatalf("prop %d: %v", i, list)
		}
		got := list[1][2].Float32()
		for k := range want {
			if math.Abs(float64(got[k]-min(want[k], 1))) > 0.01 {
				t.Errorf("prop %d: %v, want %v", i, got, want)
			}
		}
	}
}

// Light from +X falls on a surface that faces +X in full, or on the mean of eight directions of a turn with (1 + 2 · √½) / 8 = 0.3018.
func TestLightOfATurnIsItsMean(t *testing.T) {
	v := &boundModel{model: world.Model{Surfaces: []world.Surface{{Shape: &world.Triangles{
		Vertices: []world.Vertex{{Normal: [3]float32{1, 0, 0}}, {Normal: [3]float32{0, 0, 1}}}}}, {Material: 1}}}}
	from := light{directed: [3]float32{1, 0.5, 0}, toward: [3]float32{1, 0, 0}, ambient: [3]float32{0, 0, 0.25}}
	materials := []world.Material{{Lighting: world.PerVertex}, {Lighting: world.Fullbright}}
	for turn, want := range map[float32][3]float32{0: {1, 0.5, 0.25}, 2: {0.3018, 0.1509, 0.25}} {
		got := apartLight(materials, placed{&world.Prop{Appearance: world.Appearance{Hover: &world.Hover{TurnPeriod: turn}}}, v}, from)
		if got[1] != nil || got[0][1] != world.NewRGB(0, 0, 0.25) {
			t.Errorf("a turn of %g: %v", turn, got)
		}
		for k, c := range got[0][0].Float32() {
			if math.Abs(float64(c-want[k])) > 1e-3 {
				t.Errorf("a turn of %g: %v, want %v", turn, got[0][0].Float32(), want)
			}
		}
	}
}

func TestLightEndsWhereItsEngineEndsIt(t *testing.T) {
	up := world.Surface{Shape: &world.Triangles{Vertices: []world.Vertex{{Normal: [3]float32{0, 0, 1}}}}}
	materials, p := []world.Material{{Lighting: world.PerVertex}}, &world.Prop{Scale: [3]float32{1, 1, 1}}
	for endless, want := range map[bool]float32{false: 1, true: 2} {
		l := light{ambient: [3]float32{0.5, 0, 0}, directed: [3]float32{1.5, 0, 0}, toward: [3]float32{0, 0, 1}, endless: endless}
		m := world.Model{Surfaces: []world.Surface{up}}
		if got := lightByGrid(materials, m, nil, p, l).Surfaces[0].Shape.(*world.Triangles).Vertices[0].Color[0]; got != want {
			t.Errorf("endless %v: %g, want %g", endless, got, want)
		}
		if got := apartLight(materials, placed{p, &boundModel{model: m}}, l)[0][0].Float32()[0]; got != want {
			t.Errorf("endless %v, apart: %g, want %g", endless, got, want)
		}
	}
}

func TestManyPropsShareTheirModel(t *testing.T) {
	for n, models := range map[int]int{maxLit: maxLit, maxLit + 1: 1} {
		var entities []world.Entity
		for range n {
			entities = append(entities, entity("classname", "x", "model", "box.md3"))
		}
		w := newWorld(entities...)
		w.Ambient.Grid = grid()
		if err := Gather(t.Context(), fstest.MapFS{"box.md3": {Data: box()}}, w, Options{}); err != nil {
			t.Fatal(err)
		}
		if len(w.Models) != 1+models || (len(w.Issues) == 0) != (models > 1) {
			t.Error(n, len(w.Models), w.Issues)
		}
	}
}

// TestCorpus gathers the models of an archive as one prop each. Names in it mind no case.
func TestCorpus(t *testing.T) {
	dir := testkit.Corpus(t)
	check := func(files fs.FS, names []string) {
		var entities []world.Entity
		for _, n := range names {
			entities = append(entities, entity("model", n))
		}
		w := newWorld(entities...)
		for i, p := range w.Props {
			w.Props[i].Model = names[i]
			if p.Entity != i+1 {
				t.Fatal(p.Entity)
			}
		}
		w.Ambient.Grid = grid()
		if err := Gather(t.Context(), files, w, Options{}); err != nil {
			t.Fatal(err)
		}
		if len(w.Issues) > 0 {
			t.Error(w.Issues)
		}
		t.Logf("%d models, %d materials", len(w.Models)-1, len(w.Materials))
	}
	loose, _ := fs.Glob(os.DirFS(filepath.Join(dir, "assets", "md3", "S")), "*.md3")
	if len(loose) == 0 {
		t.Skip("no .md3 files: set BSP2GLTF_CORPUS to the corpus folder, which has assets/md3")
	}
	check(os.DirFS(filepath.Join(dir, "assets", "md3", "S")), loose)
	z, err := zip.OpenReader("/usr/share/games/openarena/baseoa/pak0.pk3")
	if err != nil {
		t.Log("OpenArena is not installed")
		return
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".md3") && strings.ToLower(f.Name) == f.Name {
			names = append(names, f.Name)
		}
	}
	check(z, names)
}

// BenchmarkGather lights 500 props of one model with 2 x 1000 vertices.
func BenchmarkGather(b *testing.B) {
	s := md3test.Triangle("a", "b")
	for len(s.UV) < 1000 {
		s.UV, s.Vertices[0], s.Triangles = append(s.UV, s.UV[0]), append(s.Vertices[0], s.Vertices[0][0]),
			append(s.Triangles, s.Triangles[0])
	}
	data := md3test.Model{Frames: 1, Surfaces: []md3test.Surface{s, s}}.Bytes()
	var entities []world.Entity
	for range 500 {
		entities = append(entities, entity("model", "a.md3"))
	}
	b.SetBytes(500 * 2000 * vertexSize)
	for b.Loop() {
		w := newWorld(entities...)
		w.Ambient.Grid = grid()
		if err := Gather(b.Context(), fstest.MapFS{"a.md3": {Data: data}}, w, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

package respawn_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/respawn"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/rbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const respawnMaps = "../../../testdata/respawn/maps/"

// respawnFixture decodes a map of testdata/respawn with the files beside it.
func respawnFixture(t testing.TB, name string) *decoding.Map {
	t.Helper()
	data, err := os.ReadFile(respawnMaps + name + ".bsp")
	if err != nil {
		t.Fatal(err)
	}
	return decodeOptions(t, data, respawn.Options{Name: name, Files: os.DirFS(respawnMaps)})
}

func TestRespawnFormats(t *testing.T) {
	for _, c := range []struct{ name, ident, game, why string }{
		{"titanfall", "rBSP 29", "Titanfall", "the file starts with rBSP and version 29"},
		{"titanfall_xbox", "PSBr 29", "Titanfall", "the file starts with PSBr and version 29, its numbers big-endian as on consoles"},
		{"techtest", "rBSP 36", "Titanfall 2's technical test", "the file starts with rBSP and version 36"},
		{"titanfall2", "rBSP 37", "Titanfall 2", "the file starts with rBSP and version 37"},
		{"beside", "rBSP 37", "Titanfall 2", "the file starts with rBSP and version 37, with 6 lumps in files beside it"},
	} {
		w := respawnFixture(t, c.name)
		if f := w.Format; f.Family != "Titanfall" || f.String() != c.ident || f.Game != c.game || f.Why != c.why {
			t.Errorf("%s: %+v", c.name, f)
		}
		if w.Name != c.name || w.Faces != 9 || w.Unit != 0.0254 {
			t.Errorf("%s: %q, %d faces, %g metres", c.name, w.Name, w.Faces, w.Unit)
		}
		for _, l := range w.Lumps {
			if l.Index == rbsp.LumpVertices && (l.Name != "vertices" || l.Size != 240 || l.Records != 20 ||
				(l.Offset == 0) != (c.name == "beside")) {
				t.Errorf("%s: %+v", c.name, l)
			}
		}
		wantIssues(t, w,
			"light-meaning: lump 98 (light of the sky): what its pages mean is not known: of the 8 bytes of a luxel, the first three are taken for its colour")
	}
}

// The worlds of all formats are the same, except that only Titanfall's static props have fade distances.
func TestRespawnWorldsAreTheSame(t *testing.T) {
	of := func(name string) *decoding.Map {
		w := respawnFixture(t, name)
		for i := range w.Props {
			if long := strings.HasPrefix(name, "titanfall") &&
				name != "titanfall2"; long != (w.Props[i].Draw.Fade != [2]float32{}) && i == 0 {
				t.Errorf("%s: prop %d fades at %g", name, i, w.Props[i].Draw.Fade)
			}
			w.Props[i].Draw.Fade = [2]float32{}
		}
		if !w.Files.Described || w.Files.Pak == nil || w.Files.Pak.Size() != 148 {
			t.Errorf("%s: the archive is %v", name, w.Files.Pak)
		}
		w.Format, w.Name, w.Lumps, w.ReadLump, w.Files.Pak = world.Format{}, "", nil, nil, nil
		return w
	}
	want := of("titanfall")
	for _, name := range []string{"titanfall_xbox", "techtest", "titanfall2", "beside"} {
		if got := of(name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%+v\nand not\n%+v", name, got, want)
		}
	}
}

// The floor has the left half of a page of 32 x 16: its right side is at luxel 16. Its corners are clockwise in the file.
func TestRespawnMeshWorkedOut(t *testing.T) {
	w := respawnFixture(t, "titanfall2")
	up, white := vec3{0, 0, 1}, [4]float32{1, 1, 1, 1}
	floor := w.Models[0].Surfaces[0]
	want := &world.Triangles{
		Vertices: []world.Vertex{
			{Position: vec3{-256, 256, 0}, Normal: up, Color: white},
			{Position: vec3{256, 256, 0}, Normal: up, UV: vec2{2, 0}, Luxel: vec2{16, 0}, Color: white},
			{Position: vec3{256, -256, 0}, Normal: up, UV: vec2{2, 2}, Luxel: vec2{16, 16}, Color: white},
			{Position: vec3{-256, -256, 0}, Normal: up, UV: vec2{0, 2}, Luxel: vec2{0, 16}, Color: white},
		},
		Indices: []uint32{0, 2, 1, 0, 3, 2},
	}
	if !reflect.DeepEqual(floor.Shape, want) || floor.Fog != -1 || floor.Record != 0 {
		t.Errorf("%+v", floor.Shape)
	}
	if m := w.Materials[floor.Material]; m.Name != "ours/brick" || m.Lighting != world.Lightmap || m.Width != 64 ||
		m.Color != (vec3{0.25, 0.125, 0.125}) ||
		m.Surface != uint32(rbsp.LitBump) {
		t.Errorf("%+v", m)
	}
	// 255 x 8 / 32 = 63 and 255 x 4 / 16 = 63: ((63/255 + 0.055)/1.055)^2.4 = 0.0497; 128 is 0.2159.
	c := w.Baked.Charts[floor.Chart]
	if c.Width != 32 || c.Height != 16 || len(c.Layers) != 1 {
		t.Fatalf("%d x %d, %d layers", c.Width, c.Height, len(c.Layers))
	}
	got := c.Layers[0].Luxels[4*32+8].Float32()
	for k, x := range []float64{0.0497, 0.0497, 0.2159} {
		if math.Abs(float64(got[k])-x) > 2e-4 {
			t.Errorf("luxel 8 4 is %g", got)
		}
	}
	if len(w.Baked.Charts) != 2 || w.Baked.Charts[w.Models[1].Surfaces[0].Chart].Width != 8 {
		t.Errorf("%d charts", len(w.Baked.Charts))
	}
}

func TestRespawnFlags(t *testing.T) {
	w := respawnFixture(t, "titanfall2")
	for i, c := range []struct {
		name     string
		flags    world.Flags
		lighting world.Lighting
	}{
		{"ours/brick", 0, world.Lightmap}, {"ours/plaster", 0, world.Lightmap}, {"ours/plaster", 0, world.Lightmap},
		{"ours/plaster", 0, world.Lightmap},
		{"ours/plaster", 0, world.Lightmap}, {"tools/toolsskybox", world.Sky, world.Fullbright}, {"ours/glass", 0, world.Fullbright},
		{"tools/toolstrigger", world.Trigger, world.Fullbright},
	} {
		s := w.Models[0].Surfaces[i]
		if m := w.Materials[s.Material]; m.Name != c.name || s.Flags != c.flags || m.Flags != c.flags || m.Lighting != c.lighting ||
			(s.Chart != world.NoChart) != (c.lighting == world.Lightmap) {
			t.Errorf("mesh %d: flags %x of %+v, chart %d", i, s.Flags, m, s.Chart)
		}
	}
	if m := w.Models[0]; m.Mins != (vec3{-256, -256, 0}) || m.Maxs != (vec3{256, 256, 256}) || m.Name != "*0" {
		t.Errorf("%s from %g to %g", m.Name, m.Mins, m.Maxs)
	}
}

// Entities of the map come first, then those of the files that it lists. The sun is not a lamp of the map: it shines as the
// map says, as bright as its entity.
func TestRespawnEntitiesAndLamps(t *testing.T) {
	w := respawnFixture(t, "titanfall")
	var classes []string
	for i := range w.Entities {
		classes = append(classes, w.Entities[i].Class())
	}
	if want := []string{"worldspawn", "func_door", "light_environment", "info_player_start"}; !reflect.DeepEqual(classes, want) {
		t.Errorf("%q", classes)
	}
	if w.Entities[1].Model != 1 || w.Sky.Name != "skybox/ours_" {
		t.Errorf("model %d, sky %q", w.Entities[1].Model, w.Sky.Name)
	}
	// The quadratic lamp has 40000 at a unit. 255 x 40000 = range², 3193.74.
	point := world.Light{Kind: world.PointLight, Entity: world.NoEntity, Origin: vec3{0, 0, 200}, Color: vec3{1, 0.75, 0.5},
		Intensity: 40000, Range: 3193.74}
	spot := world.Light{Kind: world.SpotLight, Entity: world.NoEntity, Origin: vec3{128, 0, 200}, Direction: vec3{0, 0, -1},
		Color: vec3{0, 1, 0}, Intensity: 10000,
		Range: 1596.87, Outer: 1.047198}
	sun := world.Light{Kind: world.SunLight, Entity: 2, Direction: vec3{0.6, 0, -0.8}, Color: vec3{1, 1, 1}, Intensity: 2}
	for i := range w.Lights {
		w.Lights[i].Range = math.Round(w.Lights[i].Range*100) / 100
	}
	if want := []world.Light{point, spot, sun}; !reflect.DeepEqual(w.Lights, want) {
		t.Errorf("%+v, want\n%+v", w.Lights, want)
	}
	if want := []world.Cubemap{{Origin: vec3{0, 0, 128}}}; !reflect.DeepEqual(w.Cubemaps, want) {
		t.Errorf("%+v", w.Cubemaps)
	}
}

func TestRespawnStaticProps(t *testing.T) {
	w := respawnFixture(t, "titanfall")
	at := vec3{64, 64, 32}
	want := []world.Prop{
		{Model: "models/ours/crate.mdl", Index: world.NoModel, Kind: world.StaticProp, Entity: world.NoEntity, Origin: vec3{64, 64, 0},
			Angles: vec3{0, 90, 0},
			Scale:  vec3{1.5, 1.5, 1.5}, Appearance: world.Appearance{Skin: 1},
			Draw: world.PropDraw{Tint: [4]uint8{255, 128, 64, 255}, Fade: vec2{100, 200}}, Stored: world.Stored{Flags: 2, Solid: 6},
			Light: world.PropLight{At: &at}},
		{Model: "models/ours/post.mdl", Index: world.NoModel, Kind: world.StaticProp, Entity: world.NoEntity, Record: 1,
			Origin: vec3{-64, 64, 0}, Scale: vec3{1, 1, 1},
			Draw: world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}}},
	}
	if !reflect.DeepEqual(w.Props, want) {
		t.Errorf("%+v", w.Props)
	}
}

// small returns a floor of 64 units with a page of two luxels.
func small() *rbsp.Map {
	return &rbsp.Map{
		Entities:  []ibsp.Entity{{{"classname", "worldspawn"}}},
		Materials: []rbsp.Material{{Name: "a", Width: 8, Height: 8}},
		Models: []rbsp.Model{{Meshes: []rbsp.Mesh{
			rbsp.Quad(rbsp.LitFlat, 0, 0, [4][3]float32{{0, 64, 0}, {64, 64, 0}, {64, 0, 0}, {0, 0, 0}}, [4]float32{0, 0, 1, 1})}}},
		Pages: []rbsp.Page{{Width: 2, Height: 1, A: []byte{255, 0, 0, 9, 0, 255, 0, 9}}},
	}
}

func smallFile() []byte { return small().Write("x", rbsp.Titanfall2)["x.bsp"] }

// The size of either lump is that of A; of A and B; or of A, B and C. With another size there is no light. Black is
// no light.
func TestRespawnLightByItsSize(t *testing.T) {
	base := smallFile()
	red := func(n int) []byte { return append([]byte{255, 0, 0, 0}, make([]byte, n-4)...) }
	for _, c := range []struct {
		name          string
		sky, lamp     []byte
		lit           bool
		issue, detail string
	}{
		{"one page", red(8), nil, true, "light-meaning", "of the 4 bytes"},
		{"two", red(16), nil, true, "light-meaning", "of the 8 bytes"},
		{"three", red(18), nil, true, "light-meaning", "of the 9 bytes"},
		{"of lamps", nil, red(8), true, "light-meaning", "of the 4 bytes"},
		{"another size", red(20), nil, false, "light-size", "20 bytes are not 4, 8 or 9 for each of 2 luxels"},
		{"another size, but of lamps", red(20), red(18), true, "light-size", "20 bytes"},
		{"none", nil, nil, false, "", ""},
		{"black", []byte{0, 0, 0, 255, 0, 0, 0, 255}, nil, false, "light-missing", "its pages are black"},
	} {
		w := decode(t, rbsp.Replace(rbsp.Replace(base, rbsp.LumpSkyLight, c.sky), rbsp.LumpLampLight, c.lamp))
		s := w.Models[0].Surfaces[0]
		if (s.Chart != world.NoChart) != c.lit || (w.Materials[s.Material].Lighting == world.Lightmap) != c.lit {
			t.Errorf("%s: chart %d", c.name, s.Chart)
		}
		if c.lit && w.Baked.Charts[0].Layers[0].Luxels[0] != world.NewRGB(1, 0, 0) {
			t.Errorf("%s: %v", c.name, w.Baked.Charts[0].Layers[0].Luxels)
		}
		if got := strings.Join(issues(w), "\n"); !strings.HasPrefix(got, c.issue) || !strings.Contains(got, c.detail) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// A mesh with indices out of range is left out, or has no light.
func TestRespawnMeshesThatAreBroken(t *testing.T) {
	m := small()
	m.Models[0].Meshes = append(m.Models[0].Meshes, m.Models[0].Meshes[0])
	base := m.Write("x", rbsp.Titanfall2)["x.bsp"]
	for _, c := range []struct {
		name     string
		lump, at int
		bytes    []byte
		issue    string
	}{
		{"first index", rbsp.LumpMeshes, 0, []byte{255, 255, 255, 255}, "face-indices: face 0: 6 indices from 2147483647 of 12"},
		{"too many triangles", rbsp.LumpMeshes, 4, []byte{5, 0}, "face-indices: face 0: 15 indices from 0 of 12"},
		{"no triangles", rbsp.LumpMeshes, 4, []byte{0, 0}, "face-empty: face 0: it has no triangles"},
		{"material sort", rbsp.LumpMeshes, 22, []byte{2, 0}, "face-material: face 0: material sort 2 of 2"},
		{"kind without vertices", rbsp.LumpMeshes, 25, []byte{4}, "face-vertices: face 0: index 0 is of vertex 0 of 0"},
		{"index", rbsp.LumpMeshIndices, 2, []byte{8, 0}, "face-vertices: face 0: index 1 is of vertex 8 of 8"},
		{"vertex offset", rbsp.LumpMaterialSorts, 8, []byte{255, 255, 255, 255}, "face-vertices: face 0: index 0 is of vertex -1 of 8"},
		{"place", rbsp.LumpLitFlat, 0, []byte{4, 0, 0, 0}, "face-vertices: face 0: vertex 0 is at place 4 of 4"},
		{"texture coordinate", rbsp.LumpLitFlat, 8, rbsp.Float32(float32(math.NaN())),
			"face-number: face 0: vertex 0 is at [0 64 0] with texture coordinates [NaN 0]"},
		{"page", rbsp.LumpMaterialSorts, 2, []byte{1, 0}, "light-range: face 0: page 1 of 1: it has no light"},
	} {
		data := bytes.Clone(base)
		at, _ := rbsp.Lump(data, c.lump)
		copy(data[at+c.at:], c.bytes)
		w := decode(t, data)
		if got := issues(w); len(got) != 2 || got[0] != c.issue && got[1] != c.issue {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// A lump is broken by its bytes, by its place, and by not being there.
func TestEachRespawnLumpBroken(t *testing.T) {
	files := map[string][]byte{}
	for _, name := range []string{"titanfall", "titanfall2"} {
		data, err := os.ReadFile(respawnMaps + name + ".bsp")
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	for name, data := range files {
		for lump := range 128 {
			offset, length := rbsp.Lump(data, lump)
			is := data[offset:][:length]
			for what, to := range map[string][]byte{
				"cut": is[:len(is)/2], "a byte short": is[:max(0, len(is)-1)], "empty": nil, "zero": make([]byte, len(is)),
				"ones": bytes.Repeat([]byte{0xff}, len(is)),
				"most": bytes.Repeat([]byte{0xff, 0xff, 0xff, 0x7f}, len(is)/4), "least": bytes.Repeat([]byte{0, 0, 0, 0x80}, len(is)/4),
			} {
				survive(t, fmt.Sprintf("%s, lump %d %s", name, lump, what), rbsp.Replace(data, lump, to), respawn.Options{Name: "x"})
			}
			for _, place := range [][2]int{{len(data), 1}, {len(data) - 3, 4}, {0, len(data)}, {-1, 8}, {8, -1},
				{math.MaxInt32, math.MaxInt32}, {math.MinInt32, math.MinInt32}} {
				moved := bytes.Clone(data)
				rbsp.SetLump(moved, lump, place[0], place[1])
				survive(t, fmt.Sprintf("%s, lump %d at %v", name, lump, place), moved, respawn.Options{Name: "x"})
			}
		}
		for size := 0; size < len(data); size += 37 {
			survive(t, fmt.Sprintf("%s of %d bytes", name, size), data[:size], respawn.Options{})
		}
	}
}

// A missing lump is an error if the map can't be drawn without it, else an issue.
func TestRespawnLumpsThatAreMissing(t *testing.T) {
	base := smallFile()
	for _, c := range []struct {
		lump int
		to   []byte
		want string
	}{
		{rbsp.LumpModels, nil, "lump 14 (models): the map has no models, nor are they in a file beside it"},
		{rbsp.LumpMeshes, nil, "lump 80 (meshes): the map has no meshes, nor are they in a file beside it"},
		{rbsp.LumpMeshes, make([]byte, 29), "lump 80 (meshes): 29 bytes is not a multiple of the 28-byte record"},
		{rbsp.LumpVertices, make([]byte, 13), "lump 3 (vertices): 13 bytes is not a multiple of the 12-byte record"},
		{rbsp.LumpVertices, nil, "none of the 1 faces can be read"},
	} {
		_, err := decodeWith(rbsp.Replace(base, c.lump, c.to), limit.NewBudget(limit.Limits{}), respawn.Options{})
		if !errors.Is(err, limit.ErrCorrupt) || err.Error() != c.want {
			t.Errorf("lump %d: %v", c.lump, err)
		}
	}
	moved := bytes.Clone(base)
	rbsp.SetLump(moved, rbsp.LumpSkyLight, -8, 1)
	rbsp.SetLump(moved, rbsp.LumpGame, -16, 1<<30)
	wantIssues(t, decode(t, moved),
		fmt.Sprintf("lump-broken: lump 35 (game lump): is left out: lump 35 (game lump): 1073741824 bytes at offset -16 are outside the file of %d bytes", len(moved)),
		fmt.Sprintf("lump-broken: lump 98 (light of the sky): is left out: lump 98 (light of the sky): 1 bytes at offset -8 are outside the file of %d bytes", len(moved)),
		"light-meaning: lump 105 (light of real-time lights): what its pages mean is not known: of the 9 bytes of a luxel, the first three are taken for its colour")
}

// Files beside the map may be below maps or not, and belong to another map or to none. The listed parts of entities are
// read, or all.
func TestRespawnFilesBeside(t *testing.T) {
	base := smallFile()
	up := rbsp.Replace(base, rbsp.LumpVertices, nil)
	at, length := rbsp.Lump(base, rbsp.LumpVertices)
	places := base[at:][:length]
	entity := []byte("ENTITIES01\n{\n\"classname\" \"a\"\n}\n\x00")
	for _, c := range []struct {
		name   string
		files  fstest.MapFS
		beside string
		count  int
	}{
		{"below maps", fstest.MapFS{"maps/x.bsp.0003.bsp_lump": {Data: places}, "maps/x_fx.ent": {Data: entity}}, "with 1 lumps", 2},
		{"not below maps", fstest.MapFS{"x.bsp.0003.bsp_lump": {Data: places}, "x_env.ent": {Data: entity}, "x_snd.ent": {Data: entity}},
			"with 1 lumps", 3},
		{"not of the parts that are known", fstest.MapFS{"x.bsp.0003.bsp_lump": {Data: places}, "x_other.ent": {Data: entity}},
			"with 1 lumps", 1},
	} {
		w := decodeOptions(t, up, respawn.Options{Name: "x", Files: c.files})
		if !strings.Contains(w.Format.Why, c.beside) || len(w.Entities) != c.count {
			t.Errorf("%s: %s, %d entities", c.name, w.Format.Why, len(w.Entities))
		}
	}
	listed := rbsp.Replace(up, rbsp.LumpEntityParts, []byte("01* other other ../x\x00"))
	w := decodeOptions(t, listed, respawn.Options{Name: "x", Files: fstest.MapFS{
		"x.bsp.0003.bsp_lump": {Data: places}, "x_other.ent": {Data: entity}, "x_env.ent": {Data: entity}}})
	if len(w.Entities) != 2 || w.Entities[1].Class() != "a" {
		t.Errorf("%d entities", len(w.Entities))
	}
	if _, err := decodeWith(up, limit.NewBudget(limit.Limits{MaxLump: 200}), respawn.Options{Name: "x", Files: fstest.MapFS{
		"x.bsp.0003.bsp_lump": {Data: make([]byte, 204)}}}); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
}

// The static props have wrong counts or unknown versions.
func TestRespawnPropsThatAreBroken(t *testing.T) {
	m := small()
	m.PropFiles, m.Props = []string{"a.mdl"}, []rbsp.Prop{{Scale: 1}, {Model: 1, Scale: 1}, {Scale: 0}}
	for _, c := range []struct {
		name  string
		v     rbsp.Variant
		at    int // in the game lump, whose props start at 20
		bytes []byte
		props int
		issue string
	}{
		{"as written", rbsp.Titanfall, 0, nil, 2, "prop: static prop 1: model 1 of 1"},
		{"too many names", rbsp.Titanfall, 20, []byte{255, 255, 255, 255}, 0,
			"lump-broken: lump 35 (game lump): is left out: game lump sprp: 2147483647 records of 128 bytes in "},
		{"too many leafs", rbsp.Titanfall, 20 + 132, []byte{255, 255}, 0,
			"lump-broken: lump 35 (game lump): is left out: game lump sprp: 65535 records of 2 bytes in "},
		{"too many props", rbsp.Titanfall, 20 + 132 + 10, []byte{9},
			0, "lump-broken: lump 35 (game lump): is left out: game lump sprp: 9 records of 84 bytes in 252"},
		{"two numbers before the count", rbsp.Titanfall, 20 + 132 + 10, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3}, 2,
			"prop: static prop 1: model 1 of 1"},
		{"too many of Titanfall 2", rbsp.Titanfall2, 20 + 132, []byte{9}, 0,
			"lump-broken: lump 35 (game lump): is left out: game lump sprp: 9 records of 64 bytes in "},
		{"another version", rbsp.Titanfall2, 4 + 6, []byte{14}, 0, "props-layout: game lump sprp: static props of version 14 are unknown"},
		{"too many entries", rbsp.Titanfall2, 0, []byte{0, 1}, 0,
			"lump-broken: lump 35 (game lump): is left out: lump 35 (game lump): 256 entries in "},
		{"beyond the lump", rbsp.Titanfall2, 4 + 12, []byte{255, 255, 255, 127},
			0, "lump-broken: lump 35 (game lump): is left out: lump 35 (game lump): record 0: 2147483647 bytes at "},
	} {
		data := m.Write("x", c.v)["x.bsp"]
		at, _ := rbsp.Lump(data, rbsp.LumpGame)
		copy(data[at+c.at:], c.bytes)
		w := decode(t, data)
		if got := strings.Join(issues(w), "\n"); len(w.Props) != c.props || !strings.Contains(got, c.issue) {
			t.Errorf("%s: %d props: %s", c.name, len(w.Props), got)
		}
	}
}

// Every mesh uses all indices of the map.
func TestManyMeshesOfTheSameIndices(t *testing.T) {
	base := smallFile()
	const n, triangles = 50_000, 65535
	at, _ := rbsp.Lump(base, rbsp.LumpMeshes)
	one := bytes.Clone(base[at:][:28])
	binary.LittleEndian.PutUint16(one[4:], triangles)
	data := rbsp.Replace(rbsp.Replace(base, rbsp.LumpMeshes, bytes.Repeat(one, n)), rbsp.LumpMeshIndices, make([]byte, 6*triangles))
	model, _ := rbsp.Lump(data, rbsp.LumpModels)
	put(data, model+28, n)
	hostile(t, data, limit.Limits{MaxMemory: 256 << 20}, respawn.Options{}, limit.ErrLimit)
	// The last index is out of range, so that all meshes are left out.
	indices := make([]byte, 6*triangles)
	indices[len(indices)-1] = 255
	hostile(t, rbsp.Replace(data, rbsp.LumpMeshIndices, indices), limit.Limits{MaxMemory: 256 << 20}, respawn.Options{}, limit.ErrLimit)
}

// Any bytes in a lump of Titanfall or Titanfall 2, little- or big-endian.
func FuzzRespawn(f *testing.F) {
	m := small()
	m.PropFiles, m.Props = []string{"a.mdl"}, []rbsp.Prop{{Scale: 1}}
	m.Lamps, m.Cubemaps = []rbsp.Lamp{{Type: 1}}, [][3]int32{{1, 2, 3}}
	var bases [][]byte
	for _, v := range []rbsp.Variant{rbsp.Titanfall, rbsp.Titanfall2, rbsp.TitanfallXbox} {
		data := m.Write("x", v)["x.bsp"]
		bases = append(bases, data)
		if v.BigEndian {
			continue
		}
		for lump := range 128 {
			if at, length := rbsp.Lump(data, lump); length > 0 {
				f.Add(uint8(len(bases)-1), uint8(lump), data[at:][:length])
			}
		}
	}
	f.Fuzz(func(t *testing.T, which, lump uint8, content []byte) {
		data := bytes.Clone(bases[int(which)%len(bases)])
		order := binary.ByteOrder(binary.LittleEndian)
		if string(data[:4]) == "PSBr" {
			order = binary.BigEndian
		}
		order.PutUint32(data[16+16*int(lump%128):], uint32(len(data)))
		order.PutUint32(data[20+16*int(lump%128):], uint32(len(content)))
		if lump%128 == rbsp.LumpGame && len(content) >= 16 { // its entries count from the start of the file
			order.PutUint32(content[12:], order.Uint32(content[12:])%256+uint32(len(data)))
		}
		data = append(data, content...)
		const most = 16 << 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b := limit.NewBudget(limit.Limits{MaxMemory: most, MaxWarnings: 100})
		w, err := decodeWith(data, b, respawn.Options{Name: "x"})
		runtime.ReadMemStats(&after)
		if total := after.TotalAlloc - before.TotalAlloc; total > 3*most {
			t.Errorf("%d MB allocated for %d bytes", total>>20, len(data))
		}
		if err == nil {
			decodingtest.Promise(t, w.World, b)
			decodingtest.Extras(t, w.World)
		}
	})
}

// 2,000 meshes of 200 triangles and a page of 1024 x 1024: 25 MB.
func BenchmarkRespawn(b *testing.B) {
	m := small()
	mesh := rbsp.Mesh{Kind: rbsp.LitBump, Page: 0}
	for i := range 202 {
		mesh.Vertices = append(mesh.Vertices, rbsp.Vertex{Position: vec3{float32(i), float32(i % 2), 0}, Normal: vec3{0, 0, 1}})
		if i >= 2 {
			mesh.Indices = append(mesh.Indices, uint16(i-2), uint16(i-1), uint16(i))
		}
	}
	for range 2000 {
		m.Models[0].Meshes = append(m.Models[0].Meshes, mesh)
	}
	m.Pages[0] = rbsp.Page{Width: 1024, Height: 1024, A: bytes.Repeat([]byte{1, 2, 3, 4}, 1<<20)}
	data := m.Write("x", rbsp.Titanfall)["x.bsp"]
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		decode(b, data)
	}
}

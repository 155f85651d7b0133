package quake3_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

type (
	vec2 = [2]float32
	vec3 = [3]float32
)

func decodeWith(data []byte, b *limit.Budget, o quake3.Options) (*decoding.Map, error) {
	return decodingtest.Decode(data, b, o, quake3.Decode)
}

func decode(t *testing.T, data []byte) *decoding.Map {
	t.Helper()
	return decodeOptions(t, data, quake3.Options{Name: "x"})
}

func decodeOptions(t *testing.T, data []byte, o quake3.Options) *decoding.Map {
	t.Helper()
	w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// mapOf returns a map whose world has the surfaces, and one shader.
func mapOf(surfaces ...ibsp.Surface) *ibsp.Map {
	return &ibsp.Map{
		Entities: []ibsp.Entity{{{"classname", "worldspawn"}}},
		Shaders:  []ibsp.Shader{{Name: "textures/a"}},
		Models:   []ibsp.Model{{Mins: vec3{-128, -128, -128}, Maxs: vec3{128, 128, 128}, Surfaces: surfaces}},
	}
}

// triangle returns a face in the plane z = 0 that is clockwise seen from above.
func triangle() ibsp.Surface {
	v := make([]ibsp.Vertex, 3)
	v[1].XYZ, v[2].XYZ = vec3{0, 64, 0}, vec3{64, 0, 0}
	for i := range v {
		v[i].Normal = vec3{0, 0, 1}
	}
	return ibsp.NewPolygon(0, v)
}

// litBy returns a triangle on a page.
func litBy(page int32) ibsp.Surface {
	s := triangle()
	s.Page[0] = page
	return s
}

func triangles(t *testing.T, w *decoding.Map, surface int) *world.Triangles {
	t.Helper()
	s, ok := w.Models[0].Surfaces[surface].Shape.(*world.Triangles)
	if !ok {
		t.Fatalf("surface %d is a %T", surface, w.Models[0].Surfaces[surface].Shape)
	}
	return s
}

var issues, wantIssues = decodingtest.Issues, decodingtest.WantIssues

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		v    ibsp.Variant
		game string
	}{
		{ibsp.Quake3, "Quake III Arena"},
		{ibsp.RTCW, "Return to Castle Wolfenstein, Enemy Territory or Quake Live"},
		{ibsp.Raven, "Jedi Outcast, Jedi Academy or Soldier of Fortune II"},
		{ibsp.QFusion, "Warsow or another QFusion game"},
	} {
		w := decode(t, mapOf(triangle()).Write(c.v))
		want := world.Format{Family: "Quake III", Ident: c.v.Ident, Version: int(c.v.Version), Game: c.game,
			Why: fmt.Sprintf("the file starts with %s and version %d", c.v.Ident, c.v.Version)}
		if w.Format != want || w.Name != "x" || w.Unit != 1.0/32 || w.Faces != 1 || len(w.Lumps) != c.v.Lumps {
			t.Errorf("%+v %q %g, %d faces, %d lumps", w.Format, w.Name, w.Unit, w.Faces, len(w.Lumps))
		}
		if l := w.Lumps[ibsp.LumpVertices]; l.Name != "vertices" || l.Index != 10 || l.Records != 3 || l.Offset == 0 {
			t.Errorf("%+v", l)
		}
		wantIssues(t, w)
	}
}

func TestUnknownVariant(t *testing.T) {
	data := mapOf(triangle()).Write(ibsp.Variant{Ident: "IBSP", Version: 48, Lumps: 17, PageSize: 128})
	if _, err := decodeWith(data, limit.NewBudget(limit.Limits{}), quake3.Options{}); !errors.Is(err, errors.ErrUnsupported) ||
		err.Error() != "IBSP version 48: unsupported operation" {
		t.Error(err)
	}
}

// For every essential lump the error names the lump and the numbers.
func TestBrokenEssentialLumps(t *testing.T) {
	type change func([]byte)
	cut := func(lump, by int) change {
		return func(b []byte) {
			o, n := ibsp.Lump(b, lump)
			ibsp.SetLump(b, lump, o, n-by)
		}
	}
	move := func(lump, offset, length int) change {
		return func(b []byte) { ibsp.SetLump(b, lump, offset, length) }
	}
	none := func(lump int) change { return move(lump, 0, 0) }
	m := mapOf(triangle())
	m.Pages = [][]byte{make([]byte, 128*128*3)}
	narrow, wide := m.Write(ibsp.Quake3), m.Write(ibsp.Raven)
	size := len(narrow)
	behind := func(lump, length, offset int) string {
		names := map[int]string{0: "entities", 1: "shaders", 11: "indices", 14: "lightmaps"}
		return fmt.Sprintf("the last %d of %d bytes are missing, with lump %d (%s)", offset+length-size, offset+length, lump, names[lump])
	}
	outside := func(lump, length, offset int) string {
		names := map[int]string{7: "models", 10: "vertices", 13: "surfaces"}
		return fmt.Sprintf("lump %d (%s): %d bytes at offset %d are outside the file of %d bytes", lump, names[lump], length, offset, size)
	}
	for _, c := range []struct {
		name   string
		file   []byte
		change change
		want   string
	}{
		{"shaders cut", narrow, cut(ibsp.LumpShaders, 1), "lump 1 (shaders): 71 bytes is not a multiple of the 72-byte record"},
		{"models cut", narrow, cut(ibsp.LumpModels, 39), "lump 7 (models): 1 bytes is not a multiple of the 40-byte record"},
		{"vertices cut", narrow, cut(ibsp.LumpVertices, 4), "lump 10 (vertices): 128 bytes is not a multiple of the 44-byte record"},
		{"wide vertices cut", wide, cut(ibsp.LumpVertices, 4), "lump 10 (vertices): 236 bytes is not a multiple of the 80-byte record"},
		{"indices cut", narrow, cut(ibsp.LumpIndices, 2), "lump 11 (indices): 10 bytes is not a multiple of the 4-byte record"},
		{"surfaces cut", narrow, cut(ibsp.LumpSurfaces, 100), "lump 13 (surfaces): 4 bytes is not a multiple of the 104-byte record"},
		{"wide surfaces cut", wide, cut(ibsp.LumpSurfaces, 1), "lump 13 (surfaces): 147 bytes is not a multiple of the 148-byte record"},
		{"no shaders", narrow, none(ibsp.LumpShaders), "none of the 1 surfaces can be read"},
		{"no models", narrow, none(ibsp.LumpModels), "lump 7 (models): the map has no models"},
		{"no vertices", narrow, none(ibsp.LumpVertices), "none of the 1 surfaces can be read"},
		{"no indices", narrow, none(ibsp.LumpIndices), "none of the 1 surfaces can be read"},
		{"no surfaces", narrow, none(ibsp.LumpSurfaces), "lump 13 (surfaces): the map has no surfaces"},
		{"entities outside", narrow, move(0, size-3, 4), behind(0, 4, size-3)},
		{"shaders outside", narrow, move(1, size+1, 72), behind(1, 72, size+1)},
		{"models at a negative offset", narrow, move(7, -40, 40), outside(7, 40, -40)},
		{"vertices of negative length", narrow, move(10, 200, -44), outside(10, -44, 200)},
		{"indices overflow", narrow, move(11, math.MaxInt32, math.MaxInt32), behind(11, math.MaxInt32, math.MaxInt32)},
		{"surfaces of the least length", narrow, move(13, 0, math.MinInt32), outside(13, math.MinInt32, 0)},
		{"lightmaps outside", narrow, move(14, 8, size), behind(14, size, 8)},
	} {
		data := bytes.Clone(c.file)
		c.change(data)
		w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), quake3.Options{})
		if w != nil && len(w.Models) > 0 || !errors.Is(err, limit.ErrCorrupt) || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

// A map is drawn without the other lumps, and an issue names each one that is missing.
func TestBrokenOtherLumps(t *testing.T) {
	names := map[int]string{2: "planes", 3: "nodes", 4: "leafs", 5: "leaf surfaces", 6: "leaf brushes", 8: "brushes",
		9: "brush sides", 12: "fogs", 15: "light grid", 16: "visibility", 17: "light array"}
	m := mapOf(triangle())
	m.Grid = make([]ibsp.GridPoint, 5*5*3)
	for lump, name := range names {
		data := m.Write(ibsp.Raven)
		at := -100
		if slices.Contains([]string{"nodes", "leafs", "leaf surfaces", "leaf brushes", "visibility"}, name) {
			at = 100 // nonsense in a lump that is never used does no harm
		}
		ibsp.SetLump(data, lump, at, len(data))
		w := decode(t, data)
		want := []string{fmt.Sprintf("lump-bounds: lump %d (%s): %d bytes at offset %d are outside the file of %d bytes", lump, name,
			len(data), at, len(data))}
		switch lump {
		case 15:
			if w.Ambient.Grid != nil {
				t.Error("a grid of nothing")
			}
		case 17:
			want = append(want, "light-grid: lump 15 (light grid): 1 samples, the world's box takes 5 x 5 x 3")
		default:
			if w.Ambient.Grid == nil || w.Lumps[lump].Size != int64(len(data)) {
				t.Errorf("%s: the rest is not there", name)
			}
		}
		wantIssues(t, w, want...)
	}
}

// The file may end anywhere: there is an error, and no panic.
func TestTruncatedFile(t *testing.T) {
	m := mapOf(triangle())
	m.Pages = [][]byte{make([]byte, 128*128*3)}
	data := m.Write(ibsp.Quake3)
	for n := 8; n < len(data); n += max(1, n/40) {
		w, err := decodeWith(data[:n], limit.NewBudget(limit.Limits{}), quake3.Options{})
		if w != nil && len(w.Models) > 0 || !errors.Is(err, limit.ErrCorrupt) {
			t.Errorf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

func TestModels(t *testing.T) {
	m := mapOf(triangle(), triangle())
	m.Models = append(m.Models, ibsp.Model{Mins: vec3{1, 2, 3}, Maxs: vec3{4, 5, 6}, Surfaces: []ibsp.Surface{triangle()}}, ibsp.Model{})
	w := decode(t, m.Write(ibsp.Quake3))
	if len(w.Models) != 3 || len(w.Models[0].Surfaces) != 2 || len(w.Models[1].Surfaces) != 1 || len(w.Models[2].Surfaces) != 0 {
		t.Fatalf("%+v", w.Models)
	}
	if one := w.Models[1]; one.Name != "*1" || one.Mins != (vec3{1, 2, 3}) || one.Maxs != (vec3{4, 5, 6}) || one.Surfaces[0].Record != 2 {
		t.Errorf("%+v", one)
	}
	wantIssues(t, w)
}

// setModel changes the surfaces of a model in a written map.
func setModel(data []byte, model int, first, n int32) {
	at := ibsp.Record(data, ibsp.LumpModels, 40, model)
	brushmap.SetInt32(data, at+24, first)
	brushmap.SetInt32(data, at+28, n)
}

func TestModelRanges(t *testing.T) {
	m := mapOf(triangle(), triangle(), triangle(), triangle())
	m.Models = append(m.Models, ibsp.Model{}, ibsp.Model{})
	for _, c := range []struct {
		name   string
		ranges [3][2]int32
		want   [3]string // records
		issues []string
	}{
		{"apart", [3][2]int32{{0, 2}, {2, 1}, {3, 1}}, [3]string{"[0 1]", "[2]", "[3]"}, nil},
		{"nobody's", [3][2]int32{{0, 2}, {3, 1}, {0, 0}}, [3]string{"[0 1]", "[3]", "[]"},
			[]string{"face-unused: face 2: no model has it"}},
		{"overlap", [3][2]int32{{0, 3}, {1, 3}, {0, 4}}, [3]string{"[0 1 2]", "[3]", "[]"},
			[]string{"model-overlap: model *1: models before it have 2 of its 3 surfaces",
				"model-overlap: model *2: models before it have 4 of its 4 surfaces"}},
		{"one inside", [3][2]int32{{1, 2}, {0, 4}, {0, 0}}, [3]string{"[1 2]", "[0 3]", "[]"},
			[]string{"model-overlap: model *1: models before it have 2 of its 4 surfaces"}},
		{"past the end", [3][2]int32{{0, 1}, {1, 9}, {4, 1}}, [3]string{"[0]", "[1 2 3]", "[]"},
			[]string{"model-range: model *1: 9 surfaces from 1 are outside the 4 of the map",
				"model-range: model *2: 1 surfaces from 4 are outside the 4 of the map"}},
		{"wild", [3][2]int32{{0, 4}, {math.MaxInt32, math.MaxInt32}, {math.MinInt32, -1}}, [3]string{"[0 1 2 3]", "[]", "[]"},
			[]string{"model-range: model *1: 2147483647 surfaces from 2147483647 are outside the 4 of the map",
				"model-range: model *2: -1 surfaces from -2147483648 are outside the 4 of the map"}},
		{"negative", [3][2]int32{{0, 4}, {-1, 2}, {2, -2}}, [3]string{"[0 1 2 3]", "[]", "[]"},
			[]string{"model-range: model *1: 2 surfaces from -1 are outside the 4 of the map",
				"model-range: model *2: -2 surfaces from 2 are outside the 4 of the map"}},
	} {
		data := m.Write(ibsp.Quake3)
		for i, r := range c.ranges {
			setModel(data, i, r[0], r[1])
		}
		w := decode(t, data)
		for i := range w.Models {
			records := []int{}
			for _, s := range w.Models[i].Surfaces {
				records = append(records, s.Record)
			}
			if fmt.Sprint(records) != c.want[i] {
				t.Errorf("%s: model %d has %v, want %s", c.name, i, records, c.want[i])
			}
		}
		if got := issues(w); !reflect.DeepEqual(got, c.issues) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestModelBoxMustBeNumbers(t *testing.T) {
	data := mapOf(triangle()).Write(ibsp.Quake3)
	brushmap.SetFloat32(data, ibsp.Record(data, ibsp.LumpModels, 40, 0), float32(math.NaN()))
	w := decode(t, data)
	if w.Models[0].Mins != (vec3{}) || w.Models[0].Maxs != (vec3{}) {
		t.Error(w.Models[0].Mins, w.Models[0].Maxs)
	}
	wantIssues(t, w, "model-box: model *0: the box from [NaN -128 -128] to [128 128 128] was left out")
}

func TestMaterials(t *testing.T) {
	m := mapOf(litBy(0), litBy(-3), litBy(0), litBy(-2), triangle())
	m.Pages = [][]byte{make([]byte, 128*128*3)}
	m.Shaders[0] = ibsp.Shader{Name: `Textures\Base\Wall.tga`, Flags: 0x80 | 0x4, Contents: 0x20}
	m.Shader("textures/b", 0x100, 0x40000000|0x10000)
	m.Models[0].Surfaces[4].Shader = 1
	w := decode(t, m.Write(ibsp.Quake3))
	want := []world.Material{
		{Name: "textures/base/wall", Lighting: world.Lightmap, Flags: world.NoDraw | world.Sky | world.Liquid, Contents: 0x20,
			Surface: 0x84},
		{Name: "textures/base/wall", Lighting: world.PerVertex, Flags: world.NoDraw | world.Sky | world.Liquid, Contents: 0x20,
			Surface: 0x84},
		{Name: "textures/base/wall", Lighting: world.Fullbright, Flags: world.NoDraw | world.Sky | world.Liquid, Contents: 0x20,
			Surface: 0x84},
		{Name: "textures/b", Lighting: world.PerVertex, Flags: world.Hint | world.Trigger | world.Clip, Contents: 0x40010000,
			Surface: 0x100},
	}
	if !reflect.DeepEqual(w.Materials, want) {
		t.Errorf("%+v", w.Materials)
	}
	for i, material := range []int{0, 1, 0, 2, 3} {
		if s := w.Models[0].Surfaces[i]; s.Material != material || s.Flags != want[material].Flags {
			t.Errorf("surface %d: material %d, flags %x", i, s.Material, s.Flags)
		}
	}
}

// Raven's games number their flags in another way; a name may fill its field.
func TestRavenMaterials(t *testing.T) {
	m := mapOf(triangle())
	m.Shaders[0] = ibsp.Shader{Flags: 0x2000 | 0x200000, Contents: 0x400 | 0x2 | 0x80}
	data := m.Write(ibsp.Raven)
	o, _ := ibsp.Lump(data, ibsp.LumpShaders)
	copy(data[o:o+64], strings.Repeat("N", 64))
	w := decode(t, data)
	if got := w.Materials[0]; got.Flags != world.Sky|world.NoDraw|world.Trigger|world.Liquid|world.Clip ||
		got.Name != strings.Repeat("n", 64) {
		t.Errorf("%+v", got)
	}
}

// Beyond MaxWarnings of a code issues are only counted.
func TestIssuesAreBounded(t *testing.T) {
	surfaces := make([]ibsp.Surface, 50)
	for i := range surfaces {
		surfaces[i] = triangle()
		if i > 0 {
			surfaces[i].Shader = 7
		}
		if i > 45 {
			surfaces[i].Shader, surfaces[i].Type = 0, 9
		}
	}
	w, err := decodeWith(mapOf(surfaces...).Write(ibsp.Quake3), limit.NewBudget(limit.Limits{MaxWarnings: 5}), quake3.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Issues) != 10 || w.Issues[9] != (world.Issue{Code: "face-material", Where: "others", Detail: "40 more", Count: 40}) {
		t.Errorf("%d issues: %q", len(w.Issues), issues(w))
	}
}

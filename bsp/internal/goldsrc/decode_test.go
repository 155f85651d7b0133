package goldsrc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

type (
	vec2 = [2]float32
	vec3 = [3]float32
)

func decodeWith(data []byte, b *limit.Budget, o goldsrc.Options) (*decoding.Map, error) {
	return decodingtest.Decode(data, b, o, goldsrc.Decode)
}

func decode(t testing.TB, data []byte) *decoding.Map {
	t.Helper()
	return decodeOptions(t, data, goldsrc.Options{Name: "x"})
}

func decodeOptions(t testing.TB, data []byte, o goldsrc.Options) *decoding.Map {
	t.Helper()
	w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// bricks are 32 x 64 pixels.
var bricks = qbsp.Texture{Name: "Brick01", Width: 32, Height: 64}

// square returns the corners of a square of 64 units, clockwise seen from above.
func square(x, y, z float32) [][3]float32 {
	return [][3]float32{{x, y, z}, {x, y + 64, z}, {x + 64, y + 64, z}, {x + 64, y, z}}
}

// floor returns a map with the square at the origin for its only face.
func floor(t qbsp.Texture) *qbsp.Map {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Polygon(m.Project(t, vec3{0, 0, 1}, 0), square(0, 0, 0)...)
	return m
}

// even returns the same light in all luxels.
func even(light uint8) func(qbsp.Luxel) qbsp.RGB {
	return func(qbsp.Luxel) qbsp.RGB { return qbsp.RGB{light, light, light} }
}

var issues, wantIssues = decodingtest.Issues, decodingtest.WantIssues

// all are the variants by name.
var all = []struct {
	name string
	qbsp.Variant
}{
	{"29", qbsp.Quake}, {"BSP2", qbsp.BSP2}, {"2PSB", qbsp.PSB2}, {"30", qbsp.HalfLife}, {"Blue Shift", qbsp.BlueShift},
	{"30 of Xash3D", qbsp.Xash30}, {"31", qbsp.Xash31}, {"IBSP 38", qbsp.Quake2},
}

func TestFormat(t *testing.T) {
	for i, want := range []world.Format{
		{Family: "Quake", Version: 29, Game: "Quake", Why: "the file starts with version 29"},
		{Family: "Quake", Ident: "BSP2", Game: "Quake, with large limits", Why: "the file starts with BSP2"},
		{Family: "Quake", Ident: "2PSB", Game: "Quake, with large limits (RMQ)", Why: "the file starts with 2PSB"},
		{Family: "GoldSrc", Version: 30, Game: "Half-Life, Counter-Strike or another GoldSrc game", Why: "the file starts with version 30"},
		{Family: "GoldSrc", Version: 30, Game: "Half-Life: Blue Shift",
			Why: "the file starts with version 30, with entities and planes in each other's place"},
		{Family: "GoldSrc", Version: 30, Game: "Xash3D", Why: "the file starts with version 30, and Xash3D's extra header"},
		{Family: "GoldSrc", Version: 31, Game: "Xash3D", Why: "the file starts with version 31, and Xash3D's extra header"},
		{Family: "Quake II", Ident: "IBSP", Version: 38, Game: "Quake II", Why: "the file starts with IBSP and version 38"},
	} {
		w := decode(t, floor(bricks).Write(all[i].Variant))
		unit := 1.0 / 32
		if want.Family == "GoldSrc" {
			unit = 0.0254
		}
		if w.Format != want || w.Name != "x" || w.Unit != unit || w.Faces != 1 {
			t.Errorf("%s: %+v %q %g, %d faces", all[i].name, w.Format, w.Name, w.Unit, w.Faces)
		}
		wantIssues(t, w)
	}
}

// The report lists the lumps of all variants with their numbers of records.
func TestLumpsAreListed(t *testing.T) {
	for _, v := range all {
		w := decode(t, floor(bricks).Write(v.Variant))
		records := map[string]int{}
		for i, l := range w.Lumps {
			records[l.Name] = l.Records
			if l.Index != i {
				t.Errorf("%s: lump %d has index %d", v.name, i, l.Index)
			}
		}
		leafs, clip := 2, 1
		if v.Quake2 {
			clip = 0
		}
		for name, want := range map[string]int{"planes": 1, "vertices": 4, "nodes": 1, "texinfo": 1, "faces": 1, "leafs": leafs,
			"clipnodes": clip,
			"edges":     5, "surfedges": 4, "models": 1} {
			if records[name] != want {
				t.Errorf("%s: %d %s, want %d", v.name, records[name], name, want)
			}
		}
	}
}

// A square of 64 units is 64 texels, which are 2 of a width of 32 and 1 of a height of 64; V grows along -Y. It is 4 luxels in
// each direction, of which there are 5. All variants say the same.
func TestFaceWorkedOut(t *testing.T) {
	for _, v := range all {
		m := floor(bricks)
		m.Light(0, []uint8{0}, even(128))
		w := decodeOptions(t, m.Write(v.Variant), goldsrc.Options{ImageSize: func(string) (int, int) { return 32, 64 }})
		wantIssues(t, w)
		up, white := vec3{0, 0, 1}, [4]float32{1, 1, 1, 1}
		want := []world.Model{{Name: "*0", Maxs: vec3{64, 64, 0}, Surfaces: []world.Surface{{
			Shape: &world.Polygon{Corners: []world.Vertex{
				{Position: vec3{0, 0, 0}, Normal: up, UV: vec2{0, 0}, Luxel: vec2{0.5, 4.5}, Color: white},
				{Position: vec3{64, 0, 0}, Normal: up, UV: vec2{2, 0}, Luxel: vec2{4.5, 4.5}, Color: white},
				{Position: vec3{64, 64, 0}, Normal: up, UV: vec2{2, -1}, Luxel: vec2{4.5, 0.5}, Color: white},
				{Position: vec3{0, 64, 0}, Normal: up, UV: vec2{0, -1}, Luxel: vec2{0.5, 0.5}, Color: white},
			}},
			Fog: -1,
		}}}}
		if !reflect.DeepEqual(w.Models, want) {
			t.Errorf("%s: %+v\nwant %+v", v.name, w.Models[0].Surfaces[0].Shape, want[0].Surfaces[0].Shape)
		}
		if !reflect.DeepEqual(w.Materials, []world.Material{{Name: "brick01", Width: 32, Height: 64}}) {
			t.Errorf("%s: %+v", v.name, w.Materials)
		}
		if len(w.Baked.Charts) != 1 || w.Baked.Charts[0].Width != 5 || w.Baked.Charts[0].Height != 5 ||
			len(w.Baked.Charts[0].Layers) != 1 || len(w.Baked.Charts[0].Layers[0].Luxels) != 25 {
			t.Errorf("%s: %+v", v.name, w.Baked.Charts)
		}
	}
}

func TestShortFilesAreCorrupt(t *testing.T) {
	for _, v := range all {
		data := floor(bricks).Write(v.Variant)
		_, err := decodeWith(data[:100], limit.NewBudget(limit.Limits{}), goldsrc.Options{})
		if !errors.Is(err, limit.ErrCorrupt) || !strings.HasSuffix(err.Error(), "bytes of header, the file has 100") {
			t.Errorf("%s: %v", v.name, err)
		}
	}
	for _, data := range []string{"", "\x1e\x00\x00\x00", "IBSP\x2e\x00\x00\x00", "VBSP\x14\x00\x00\x00"} {
		if _, err := decodeWith([]byte(data), limit.NewBudget(limit.Limits{}), goldsrc.Options{}); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// A lump before the file is an error if the map needs it, else an issue. One behind it is an error: the file is incomplete.
func TestBrokenLumps(t *testing.T) {
	v := qbsp.HalfLife
	for _, c := range []struct {
		lump  int
		issue string
	}{
		{qbsp.LumpEntities,
			"lump-broken: lump 0 (entities): is left out: lump 0 (entities): 999 bytes at offset -5 are outside the file of %d bytes"},
		{qbsp.LumpTextures,
			"lump-broken: lump 2 (textures): is left out: lump 2 (textures): 999 bytes at offset -5 are outside the file of %d bytes"},
		{qbsp.LumpLighting,
			"lump-broken: lump 8 (lighting): is left out: lump 8 (lighting): 999 bytes at offset -5 are outside the file of %d bytes"},
		{qbsp.LumpPlanes, ""}, {qbsp.LumpVertices, ""}, {qbsp.LumpTexInfo, ""}, {qbsp.LumpFaces, ""}, {qbsp.LumpEdges, ""},
		{qbsp.LumpSurfedges, ""}, {qbsp.LumpModels, ""},
	} {
		m := floor(bricks)
		m.Light(0, []uint8{0}, even(1))
		data := m.Write(v)
		v.SetLump(data, c.lump, 1000000, 999)
		if _, err := decodeWith(data, limit.NewBudget(limit.Limits{}), goldsrc.Options{}); !errors.Is(err, limit.ErrCorrupt) ||
			!strings.HasPrefix(err.Error(), fmt.Sprintf("the last %d of 1000999 bytes are missing", 1000999-len(data))) {
			t.Errorf("lump %d behind the file: %v", c.lump, err)
		}
		v.SetLump(data, c.lump, -5, 999)
		w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), goldsrc.Options{})
		switch {
		case c.issue == "" && !errors.Is(err, limit.ErrCorrupt):
			t.Errorf("lump %d: %v", c.lump, err)
		case c.issue != "" && (err != nil || issues(w)[0] != fmt.Sprintf(c.issue, len(data))):
			t.Errorf("lump %d: %v, %q", c.lump, err, issues(w))
		}
	}
}

// Truncated records are corrupt, and so is a map without models. A map without faces is empty but valid.
func TestEmptyMaps(t *testing.T) {
	v := qbsp.HalfLife
	whole := floor(bricks).Write(v)
	for _, c := range []struct {
		lump    int
		content []byte
		want    string
	}{
		{qbsp.LumpModels, nil, "lump 14 (models): the map has no models"},
		{qbsp.LumpFaces, make([]byte, 19), "lump 7 (faces): 19 bytes is not a multiple of the 20-byte record"},
		{qbsp.LumpVertices, make([]byte, 13), "lump 3 (vertices): 13 bytes is not a multiple of the 12-byte record"},
		{qbsp.LumpEdges, make([]byte, 2), "lump 12 (edges): 2 bytes is not a multiple of the 4-byte record"},
		{qbsp.LumpVertices, nil, "none of the 1 faces can be read"},
	} {
		_, err := decodeWith(v.Replace(whole, c.lump, c.content), limit.NewBudget(limit.Limits{}), goldsrc.Options{})
		if !errors.Is(err, limit.ErrCorrupt) || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	m.StartModel()
	w := decode(t, m.Write(v))
	wantIssues(t, w, "no-faces: map: it has no faces")
	if len(w.Models) != 1 || len(w.Entities) != 1 {
		t.Errorf("%+v", w)
	}
}

// Only the content identifies Blue Shift: where neither lump is text nothing is swapped.
func TestSwapIsToldByContent(t *testing.T) {
	m := floor(bricks)
	m.RawEntities = " \n\t// a comment\n{ \"classname\" \"worldspawn\" }"
	if w := decode(t, m.Write(qbsp.BlueShift)); w.Format.Game != "Half-Life: Blue Shift" || len(w.Entities) != 1 ||
		w.Lumps[0].Name != "planes" || w.Lumps[0].Records != 1 {
		t.Errorf("%+v", w.Format)
	}
	m.RawEntities = "no entities"
	for _, v := range []qbsp.Variant{qbsp.HalfLife, qbsp.BlueShift} {
		data := m.Write(v)
		w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), goldsrc.Options{})
		if v.Swapped != (err != nil) || !v.Swapped && w.Format.Game == "Half-Life: Blue Shift" {
			t.Errorf("%+v, %v", w, err)
		}
	}
}

// Only the memory that the world keeps stays reserved. Exceeding the limit is an error.
func TestBudget(t *testing.T) {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Room(bricks, vec3{-512, -512, 0}, vec3{512, 512, 512})
	m.LightAll(qbsp.RGB{1, 2, 3})
	data := m.Write(qbsp.HalfLife)
	b := limit.NewBudget(limit.Limits{})
	if _, err := decodeWith(data, b, goldsrc.Options{}); err != nil || b.Reserved() > 12*int64(len(data))+100<<10 {
		t.Errorf("%d bytes for %d: %v", b.Reserved(), len(data), err)
	}
	for _, l := range []limit.Limits{{MaxMemory: 1000}, {MaxMemory: 20000}, {MaxMemory: 60000}, {MaxLump: 100}, {MaxFile: 10}} {
		if _, err := decodeWith(data, limit.NewBudget(l), goldsrc.Options{}); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%+v: %v", l, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f, _ := le.Open(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{}))
	if _, err := goldsrc.Decode(ctx, f, goldsrc.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Hexen II's maps start as Quake's: their models are longer. One whose faces do not follow each other in either way is taken for Quake's.
func TestMapsOfHexen2(t *testing.T) {
	m := with(qbsp.Entity{{"classname", "monster_archer"}, {"origin", "0 0 8"}})
	quake, data := decode(t, m.Write(qbsp.Quake)), m.Write(qbsp.Hexen2)
	w := decode(t, data)
	if w.Format.Family != "Hexen II" || w.Format.Version != 29 || quake.Format.Family != "Quake" || len(quake.Props) != 0 {
		t.Errorf("%+v, %+v", w.Format, quake.Format)
	}
	if len(w.Props) != 1 || w.Props[0].Model != "models/archer.mdl" || w.Props[0].Appearance.Frame != 159 {
		t.Errorf("%+v", w.Props)
	}
	if len(w.Models) != len(quake.Models) || !reflect.DeepEqual(w.Models[0].Surfaces, quake.Models[0].Surfaces) {
		t.Error("other surfaces than Quake's")
	}
	at := int(le.Int32(data[4+8*qbsp.LumpModels:]))
	data[at+72]++ // the first face
	if w, _ := decodeWith(data, limit.NewBudget(limit.Limits{}), goldsrc.Options{}); w != nil && w.Format.Family == "Hexen II" {
		t.Errorf("%+v", w.Format)
	}
}

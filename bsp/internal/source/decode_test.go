package source_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

type (
	vec2 = [2]float32
	vec3 = [3]float32
)

func decodeWith(data []byte, b *limit.Budget, o source.Options) (*decoding.Map, error) {
	return decodingtest.Decode(data, b, o, source.Decode)
}

func decode(t testing.TB, data []byte) *decoding.Map {
	t.Helper()
	return decodeOptions(t, data, source.Options{Name: "x"})
}

func decodeOptions(t testing.TB, data []byte, o source.Options) *decoding.Map {
	t.Helper()
	w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// bricks are 128 x 64 texels of a quarter of a unit, and a luxel is 16 units.
var bricks = vbsp.Material{Name: "Brick\\Wall01", Width: 128, Height: 64, Reflectivity: vec3{0.25, 0.5, 1.5}}

// square returns the corners of a square of 64 units in the plane z, clockwise seen from above.
func square(x, y, z float32) [][3]float32 {
	return [][3]float32{{x, y, z}, {x, y + 64, z}, {x + 64, y + 64, z}, {x + 64, y, z}}
}

// floor returns a map with the square at the origin for its only face.
func floor(m vbsp.Material) *vbsp.Map {
	b := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}}, Revision: 7}
	b.Polygon(b.Project(m, vec3{0, 0, 1}), square(0, 0, 0)...)
	return b
}

// even returns the same light in all luxels.
func even(light float64) func(vbsp.Luxel) [3]float64 {
	return func(vbsp.Luxel) [3]float64 { return [3]float64{light, light, light} }
}

var issues, wantIssues = decodingtest.Issues, decodingtest.WantIssues

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		v         vbsp.Variant
		game, why string
		app       int // the likeliest
	}{
		{vbsp.Source2004, "Half-Life 2 or Counter-Strike: Source, as released", "offsets first", 220},
		{vbsp.Source2007, "Half-Life 2, its episodes, Counter-Strike: Source, Team Fortress 2, Portal, Left 4 Dead or Garry's Mod",
			"offsets first", 420},
		{vbsp.Source2010, "Portal 2, Counter-Strike: Global Offensive or Alien Swarm", "offsets first", 620},
		{vbsp.Left4Dead2, "Left 4 Dead 2", "versions first", 550},
	} {
		w := decode(t, floor(bricks).Write(c.v))
		want := world.Format{Family: "Source", Ident: "VBSP", Version: int(c.v.Version), Game: c.game,
			Why: fmt.Sprintf("the file starts with VBSP and version %d, with %s in the directory", c.v.Version, c.why)}
		if w.Format != want || w.Name != "x" || w.Unit != 0.0254 || w.Faces != 1 || len(w.Lumps) != 64 {
			t.Errorf("%+v %q %g, %d faces, %d lumps", w.Format, w.Name, w.Unit, w.Faces, len(w.Lumps))
		}
		if len(w.Apps) == 0 || w.Apps[0] != c.app {
			t.Errorf("%s: games %v, want %d first", c.game, w.Apps, c.app)
		}
		if l := w.Lumps[vbsp.LumpVertices]; l.Name != "vertices" || l.Index != 3 || l.Records != 4 || l.Size != 48 || l.Offset == 0 {
			t.Errorf("%+v", l)
		}
		wantIssues(t, w)
	}
}

// A square of 64 units is 256 texels, which are 2 of a width of 128 and 4 of a height of 64; V grows along -Y. It is 4
// luxels in each direction, of which there are 5.
func TestFaceWorkedOut(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(0.5))
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	up, white := vec3{0, 0, 1}, [4]float32{1, 1, 1, 0}
	want := []world.Model{{Name: "*0", Maxs: vec3{64, 64, 0}, Surfaces: []world.Surface{{
		Shape: &world.Polygon{Corners: []world.Vertex{
			{Position: vec3{0, 0, 0}, Normal: up, UV: vec2{0, 0}, Luxel: vec2{0.5, 4.5}, Color: white},
			{Position: vec3{64, 0, 0}, Normal: up, UV: vec2{2, 0}, Luxel: vec2{4.5, 4.5}, Color: white},
			{Position: vec3{64, 64, 0}, Normal: up, UV: vec2{2, -4}, Luxel: vec2{4.5, 0.5}, Color: white},
			{Position: vec3{0, 64, 0}, Normal: up, UV: vec2{0, -4}, Luxel: vec2{0.5, 0.5}, Color: white},
		}},
		Fog: -1,
	}}}}
	if !reflect.DeepEqual(w.Models, want) {
		t.Errorf("%+v\nwant %+v", w.Models[0].Surfaces[0].Shape, want[0].Surfaces[0].Shape)
	}
	material := world.Material{Name: "brick/wall01", Width: 128, Height: 64, Color: vec3{0.25, 0.5, 1}}
	if !reflect.DeepEqual(w.Materials, []world.Material{material}) {
		t.Errorf("%+v", w.Materials)
	}
	if len(w.Baked.Charts) != 1 || w.Baked.Charts[0].Width != 5 || w.Baked.Charts[0].Height != 5 ||
		w.Baked.Charts[0].Layers[0].Luxels[24].Float32() != (vec3{0.5, 0.5, 0.5}) {
		t.Errorf("%+v", w.Baked.Charts)
	}
}

func TestShortFilesAreCorrupt(t *testing.T) {
	data := floor(bricks).Write(vbsp.Source2007)
	for _, n := range []int{0, 8, 1035} {
		_, err := decodeWith(data[:n], limit.NewBudget(limit.Limits{}), source.Options{})
		if want := fmt.Sprintf("a VBSP map starts with 1036 bytes of header, the file has %d", n); !errors.Is(err, limit.ErrCorrupt) ||
			err.Error() != want {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	_, err := decodeWith(data[:1036], limit.NewBudget(limit.Limits{}), source.Options{})
	if !errors.Is(err, limit.ErrCorrupt) || !strings.HasPrefix(err.Error(), fmt.Sprintf("the last %d of %d bytes are missing, with lump 0 (entities) and ",
		len(data)-1036, len(data))) {
		t.Error(err)
	}
}

// Left 4 Dead 2 has the same records with another layout of the directory.
func TestDirectoryWithVersionsFirst(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(0.5))
	plain, other := decode(t, m.Write(vbsp.Source2010)), decode(t, m.Write(vbsp.Left4Dead2))
	other.Format, other.Apps = plain.Format, plain.Apps
	plain.Files.Pak, other.Files.Pak, plain.ReadLump, other.ReadLump = nil, nil, nil, nil // of two files
	if !reflect.DeepEqual(plain, other) {
		t.Errorf("%+v\nwant %+v", other, plain)
	}
	// The evidence for variants of version 21 does not count in other versions.
	data := m.Write(vbsp.Left4Dead2)
	brushmap.SetInt32(data, 4, 20)
	if _, err := decodeWith(data, limit.NewBudget(limit.Limits{}), source.Options{}); !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
}

func TestLumpsPackedByLZMA(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(0.5))
	m.Displace(0, 0, 2, flat)
	plain, packed := decode(t, m.Write(vbsp.Source2007)), decode(t, m.Write(vbsp.Packed2013))
	for i := range packed.Lumps {
		if p := packed.Lumps[i]; p.Records != 0 && i != vbsp.LumpPak {
			t.Errorf("%+v", p)
		}
	}
	plain.Lumps, packed.Lumps = nil, nil
	if !plain.Files.Described || packed.Files.Pak == nil || packed.Files.Pak.Size() != plain.Files.Pak.Size() {
		t.Error("the archives differ")
	}
	plain.Files.Pak, packed.Files.Pak, plain.ReadLump, packed.ReadLump = nil, nil, nil, nil
	if !reflect.DeepEqual(plain, packed) {
		t.Errorf("%+v\nwant %+v", packed, plain)
	}
}

// Packed data identifies itself: the directory need not give the size, nor the game lump's directory set the flag.
func TestPackedWithoutASign(t *testing.T) {
	m := varied([2]int{10, 72})
	data := m.Write(vbsp.Packed2013)
	want := decode(t, data)
	for lump := range 64 {
		brushmap.SetInt32(data, 8+16*lump+12, 0)
	}
	game, _ := vbsp.Lump(data, vbsp.LumpGame)
	for entry := range brushmap.Int32(data, game) {
		brushmap.SetInt16(data, game+4+16*int(entry)+4, 0)
	}
	w := decode(t, data)
	if len(want.Props) == 0 || len(w.Props) != len(want.Props) || len(w.Lights) != len(want.Lights) {
		t.Errorf("%d props, want %d", len(w.Props), len(want.Props))
	}
	sameWorld(t, bare(w), bare(want))
}

// Offsets of a big-endian game lump count from the start of the file where that gives a place in the lump, else
// from the lump.
func TestConsolesGameLump(t *testing.T) {
	for _, from := range []bool{false, true} {
		v := vbsp.Console
		b := *v.Branch
		b.FromGameLump = from
		v.Branch = &b
		w := decode(t, barrels(9, 72, barrel()).Write(v))
		wantIssues(t, w)
		if len(w.Props) != 1 || w.Props[0].Origin != (vec3{1, 2, 3}) {
			t.Errorf("from the lump's start %v: %+v", from, w.Props)
		}
	}
}

// A broken packed lump makes the map corrupt if the map needs it; else it is left out.
func TestBrokenLZMA(t *testing.T) {
	whole := floor(bricks).Write(vbsp.Packed2013)
	broken := func(lump int, set func(content []byte)) []byte {
		data := bytes.Clone(whole)
		offset, length := vbsp.Lump(data, lump)
		set(data[offset : offset+length])
		return data
	}
	size := func(n uint32) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint32(b[4:], n) }
	}
	for _, c := range []struct {
		what string
		data []byte
		kind error
		want string
	}{
		{"a byte too many", broken(vbsp.LumpVertices, size(49)), limit.ErrCorrupt,
			"lump 3 (vertices): lzma: 0 bytes come out of 49: unexpected EOF: corrupt"},
		{"far too many", broken(vbsp.LumpVertices, size(1<<31)), limit.ErrCorrupt, ""},
		{"another ident", broken(vbsp.LumpVertices, func(b []byte) { b[0] = 'X' }), limit.ErrCorrupt, ""},
		{"other properties", broken(vbsp.LumpPlanes, func(b []byte) { b[12] = 255 }), limit.ErrCorrupt,
			"lump 1 (planes): lzma: the properties are ff 00 10 00 00: corrupt"},
		{"a byte too few", broken(vbsp.LumpPlanes, size(199)), limit.ErrCorrupt,
			"lump 1 (planes): lzma: 0 bytes come out of 199: wrong uncompressed data size: corrupt"},
	} {
		_, err := decodeWith(c.data, limit.NewBudget(limit.Limits{}), source.Options{})
		if !errors.Is(err, c.kind) || c.want != "" && err.Error() != c.want {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	w := decode(t, broken(vbsp.LumpNodes, func(b []byte) { b[12] = 255 }))
	if len(w.Issues) != 1 || w.Issues[0].Code != "lump-broken" || w.Issues[0].Where != "lump 5 (nodes)" {
		t.Errorf("%q", issues(w))
	}
}

// Lump files beside the map replace the map's lumps: their numbers are consecutive, and their headers name the lump.
func TestLumpPatches(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(1))
	data := m.Write(vbsp.Source2007)
	patch := func(lump int32, content string) *fstest.MapFile {
		return &fstest.MapFile{Data: vbsp.LumpPatch(lump, 0, 1234, []byte(content))} // the revision is not compared
	}
	entities := func(n int) string {
		return `{"classname" "worldspawn"}` + strings.Repeat(`{"classname" "patched"}`, n-1)
	}
	right := patch(vbsp.LumpEntities, entities(2))
	set := func(at int, n int32) *fstest.MapFile {
		b := bytes.Clone(right.Data)
		brushmap.SetInt32(b, at, n)
		return &fstest.MapFile{Data: b}
	}
	dark := patch(vbsp.LumpLighting, string(make([]byte, 4*26)))
	entry := data[8+16*vbsp.LumpVertices:]
	vertices := data[binary.LittleEndian.Uint32(entry):][:binary.LittleEndian.Uint32(entry[4:])]
	from := func(file string) string { return "lump-patch: lump 0 (entities): is taken from " + file }
	for _, c := range []struct {
		what     string
		patches  string
		files    fstest.MapFS
		entities int
		want     []string
	}{
		{"right", "", fstest.MapFS{"maps/x_l_0.lmp": right}, 2, []string{from("maps/x_l_0.lmp")}},
		{"not in a folder", "", fstest.MapFS{"x_l_0.lmp": right}, 2, []string{from("x_l_0.lmp")}},
		{"of another map", "", fstest.MapFS{"maps/y_l_0.lmp": right}, 1, nil},
		{"the first is of light", "", fstest.MapFS{"maps/x_l_0.lmp": dark, "maps/x_l_1.lmp": right}, 2,
			[]string{"lump-patch: lump 8 (lighting): is taken from maps/x_l_0.lmp", from("maps/x_l_1.lmp")}},
		{"the later one counts", "", fstest.MapFS{"maps/x_l_0.lmp": right, "maps/x_l_1.lmp": patch(vbsp.LumpEntities, entities(4))}, 4,
			[]string{from("maps/x_l_0.lmp"), from("maps/x_l_1.lmp")}},
		{"a gap ends them", "", fstest.MapFS{"maps/x_l_0.lmp": right, "maps/x_l_2.lmp": patch(vbsp.LumpEntities, entities(4))}, 2,
			[]string{from("maps/x_l_0.lmp")}},
		{"the first is missing", "", fstest.MapFS{"maps/x_l_1.lmp": right}, 1, nil},
		{"of a mode", "", fstest.MapFS{"maps/x_h_0.lmp": right}, 1, nil},
		{"of the mode asked for", "h", fstest.MapFS{"maps/x_h_0.lmp": right, "maps/x_l_0.lmp": patch(vbsp.LumpEntities, entities(4))}, 2,
			[]string{from("maps/x_h_0.lmp")}},
		{"the second is right", "", fstest.MapFS{"maps/x_l_0.lmp": set(4, 64), "x_l_0.lmp": right}, 2,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: it is of lump 64, a map has 0 to 63", from("x_l_0.lmp")}},
		{"a broken one is no gap", "", fstest.MapFS{"maps/x_l_0.lmp": {Data: right.Data[:19]}, "maps/x_l_1.lmp": right}, 2,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: its header has 20 bytes, and it has 19", from("maps/x_l_1.lmp")}},
		{"in its own header", "", fstest.MapFS{"maps/x_l_0.lmp": set(0, 4)}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: 49 bytes at offset 4 are not behind its header in its 69 bytes"}},
		{"longer than the file", "", fstest.MapFS{"maps/x_l_0.lmp": set(12, 50)}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: 50 bytes at offset 20 are not behind its header in its 69 bytes"}},
		{"as long as can be", "", fstest.MapFS{"maps/x_l_0.lmp": set(12, math.MaxInt32)}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: 2147483647 bytes at offset 20 are not behind its header in its 69 bytes"}},
		{"shorter than nothing", "", fstest.MapFS{"maps/x_l_0.lmp": set(12, -1)}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: -1 bytes at offset 20 are not behind its header in its 69 bytes"}},
		{"read from the map alone", "", fstest.MapFS{"maps/x_l_0.lmp": patch(vbsp.LumpGame, "")}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: it is of lump 35 (game lump), which is read from the map alone"}},
		{"a folder", "", fstest.MapFS{"maps/x_l_0.lmp/a": {}}, 1, nil},
		{"no whole number of records", "", fstest.MapFS{"maps/x_l_0.lmp": patch(vbsp.LumpVertices, "ten bytes.")}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: 10 bytes of lump 3 (vertices) are not a multiple of its 12-byte records"}},
		{"of faces", "", fstest.MapFS{"maps/x_l_0.lmp": patch(vbsp.LumpFaces, string(make([]byte, 57)))}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: 57 bytes of lump 7 (faces) are not a multiple of its 56-byte records"}},
		{"of records that need not be there", "", fstest.MapFS{"maps/x_l_0.lmp": patch(vbsp.LumpNodes, "ten bytes.")}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: 10 bytes of lump 5 (nodes) are not a multiple of its 32-byte records"}},
		{"nothing in place of what a map needs", "", fstest.MapFS{"maps/x_l_0.lmp": patch(vbsp.LumpModels, "")}, 1,
			[]string{"lump-patch: maps/x_l_0.lmp: is left out: it leaves nothing of lump 14 (models), which a map needs"}},
		{"the earlier one counts if the later is broken", "",
			fstest.MapFS{"maps/x_l_0.lmp": patch(vbsp.LumpVertices, string(vertices)),
				"maps/x_l_1.lmp": patch(vbsp.LumpVertices, "ten bytes."), "maps/x_l_2.lmp": right}, 2,
			[]string{"lump-patch: maps/x_l_1.lmp: is left out: 10 bytes of lump 3 (vertices) are not a multiple of its 12-byte records",
				"lump-patch: lump 3 (vertices): is taken from maps/x_l_0.lmp", from("maps/x_l_2.lmp")}},
	} {
		b := limit.NewBudget(limit.Limits{})
		w, err := decodeWith(data, b, source.Options{Name: "x", Files: c.files, Patches: c.patches})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if len(w.Entities) != c.entities {
			t.Errorf("%s: %d entities", c.what, len(w.Entities))
		}
		if got := issues(w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%s\nwant:\n%s", c.what, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		plain := limit.NewBudget(limit.Limits{})
		if _, err := decodeWith(data, plain, source.Options{Name: "x"}); err != nil || c.entities == 1 && b.Reserved() != plain.Reserved() {
			t.Errorf("%s: %d bytes are reserved, without patches %d", c.what, b.Reserved(), plain.Reserved())
		}
	}
	// A name that is not a path has no patches.
	files := fstest.MapFS{"maps/x_l_0.lmp": right}
	wantIssues(t, decodeOptions(t, data, source.Options{Name: "../x", Files: files}))
	// Its bytes are counted before they are read.
	files["maps/x_l_0.lmp"] = patch(0, string(make([]byte, 1<<20)))
	if _, err := decodeWith(data, limit.NewBudget(limit.Limits{MaxMemory: 1 << 20}),
		source.Options{Name: "x", Files: files}); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
}

// The decoder takes the requested light, LDR or HDR, if the map has it, with the faces that belong to it.
func TestLightIsChosen(t *testing.T) {
	const low, high = 0.5, 4
	build := func(ldr, hdr bool) *vbsp.Map {
		m := floor(bricks)
		if ldr {
			m.Light(0, []uint8{0}, even(low))
		}
		if hdr {
			m.LightHDR(0, []uint8{0}, even(high))
		}
		return m
	}
	only := build(false, true) // HDR light for the faces of LDR, as many maps of 2006 have it
	only.Faces, only.FacesHDR = only.FacesHDR, nil
	crossed := build(false, true) // light in HDR only, but both kinds of faces
	dark := build(false, true)    // two kinds of faces, and no light
	dark.LightingHDR = nil
	for _, c := range []struct {
		what  string
		ldr   bool
		m     *vbsp.Map
		light float32 // 0 is none
		hdr   bool
		issue string
	}{
		{"both", false, build(true, true), high, true, ""},
		{"both", true, build(true, true), low, false, ""},
		{"only ldr", false, build(true, false), low, false, ""},
		{"only hdr", false, crossed, high, true, ""},
		{"only hdr", true, crossed, high, true, "light-missing: map: has only light of high dynamic range"},
		{"hdr without faces of its own", false, only, high, true, ""},
		{"none", false, build(false, false), 0, false, ""},
		{"none, with both faces", false, dark, 0, false, ""},
	} {
		w := decodeOptions(t, c.m.Write(vbsp.Source2007), source.Options{LDR: c.ldr})
		if c.issue == "" {
			wantIssues(t, w)
		} else {
			wantIssues(t, w, c.issue)
		}
		s := w.Models[0].Surfaces[0]
		switch m := w.Materials[s.Material]; {
		case w.Baked.HDR != c.hdr:
			t.Errorf("%s, LDR %t: HDR is %v", c.what, c.ldr, w.Baked.HDR)
		case c.light == 0:
			if s.Chart != world.NoChart || len(w.Baked.Charts) != 0 || m.Lighting != world.Fullbright {
				t.Errorf("%s, LDR %t: chart %d, %s", c.what, c.ldr, s.Chart, m.Lighting)
			}
		case s.Chart != 0 || m.Lighting != world.Lightmap ||
			w.Baked.Charts[0].Layers[0].Luxels[0].Float32() != vec3{c.light, c.light, c.light}:
			t.Errorf("%s, LDR %t: chart %d, %s, %+v", c.what, c.ldr, s.Chart, m.Lighting, w.Baked.Charts)
		}
	}
	// A map of 2013 may have faces of HDR alone.
	m := build(false, true)
	data := vbsp.Replace(m.Write(vbsp.Source2007), vbsp.LumpFaces, nil)
	if w := decode(t, data); len(w.Models[0].Surfaces) != 1 || len(w.Baked.Charts) != 1 {
		t.Errorf("%+v", w.Models)
	}
}

func TestEssentialLumps(t *testing.T) {
	data := floor(bricks).Write(vbsp.Source2007)
	for _, c := range []struct {
		lump, size int
		name       string
	}{
		{vbsp.LumpPlanes, 20, "planes"}, {vbsp.LumpTexData, 32, "texdata"}, {vbsp.LumpVertices, 12, "vertices"},
		{vbsp.LumpTexInfo, 72, "texinfo"}, {vbsp.LumpFaces, 56, "faces"}, {vbsp.LumpEdges, 4, "edges"},
		{vbsp.LumpSurfedges, 4, "surfedges"}, {vbsp.LumpModels, 48, "models"},
	} {
		name := fmt.Sprintf("lump %d (%s): ", c.lump, c.name)
		_, err := decodeWith(vbsp.Replace(data, c.lump, make([]byte, c.size+1)), limit.NewBudget(limit.Limits{}), source.Options{})
		if want := name + fmt.Sprintf("%d bytes is not a multiple of the %d-byte record", c.size+1, c.size); !errors.Is(err,
			limit.ErrCorrupt) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		outside := bytes.Clone(data)
		vbsp.SetLump(outside, c.lump, len(data)-c.size+1, c.size)
		_, err = decodeWith(outside, limit.NewBudget(limit.Limits{}), source.Options{})
		if !errors.Is(err, limit.ErrCorrupt) || !strings.Contains(err.Error(), "bytes are missing, with "+name[:len(name)-2]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for lump, want := range map[int]string{
		vbsp.LumpModels:  "lump 14 (models): the map has no models",
		vbsp.LumpTexInfo: "none of the 1 faces can be read", vbsp.LumpVertices: "none of the 1 faces can be read",
		vbsp.LumpSurfedges: "none of the 1 faces can be read", vbsp.LumpEdges: "none of the 1 faces can be read",
	} {
		_, err := decodeWith(vbsp.Replace(data, lump, nil), limit.NewBudget(limit.Limits{}), source.Options{})
		if !errors.Is(err, limit.ErrCorrupt) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The map can be drawn without most lumps: a broken one is left out.
func TestOptionalLumps(t *testing.T) {
	data := floor(bricks).Write(vbsp.Source2007)
	for _, c := range []struct {
		lump int
		name string
	}{
		{vbsp.LumpDispInfo, "dispinfo"}, {vbsp.LumpPrimitives, "primitives"}, {vbsp.LumpNodes, "nodes"}, {vbsp.LumpLeaves, "leafs"},
	} {
		name := fmt.Sprintf("lump %d (%s)", c.lump, c.name)
		w := decode(t, vbsp.Replace(data, c.lump, make([]byte, 5)))
		if len(w.Issues) != 1 || w.Issues[0].Code != "lump-broken" || w.Issues[0].Where != name {
			t.Errorf("%s: %q", name, issues(w))
		}
		outside := bytes.Clone(data)
		vbsp.SetLump(outside, c.lump, -8, 8)
		wantIssues(t, decode(t, outside), "lump-broken: "+name+": is left out: "+name+
			fmt.Sprintf(": 8 bytes at offset -8 are outside the file of %d bytes", len(data)))
	}
	outside := bytes.Clone(data)
	vbsp.SetLump(outside, vbsp.LumpPak, -1, 1)
	w := decode(t, outside)
	if len(w.Issues) != 1 || w.Issues[0].Where != "lump 40 (pakfile)" || w.Files.Pak != nil {
		t.Errorf("%q", issues(w))
	}
	vbsp.SetLump(outside, vbsp.LumpPak, 0, 0)
	if w := decode(t, outside); w.Files.Pak != nil {
		t.Error("an archive of nothing")
	}
}

// Optional lumps count towards the memory limit, too.
func TestOptionalLumpsMeetTheBudget(t *testing.T) {
	data := vbsp.Replace(floor(bricks).Write(vbsp.Source2007), vbsp.LumpPrimitives, make([]byte, 10_000_000))
	_, err := decodeWith(data, limit.NewBudget(limit.Limits{MaxMemory: 20 << 20}), source.Options{}) // 10 MB, and 40 of records
	if !errors.Is(err, limit.ErrLimit) || !strings.HasPrefix(err.Error(), "lump 37 (primitives): ") {
		t.Error(err)
	}
}

// Decode releases all memory that it reserved except what the world keeps, and after an error all of it.
func TestBudgetIsReleased(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(0.5))
	for _, v := range []vbsp.Variant{vbsp.Source2007, vbsp.Packed2013} {
		data := m.Write(v)
		b := limit.NewBudget(limit.Limits{})
		if _, err := decodeWith(data, b, source.Options{}); err != nil {
			t.Fatal(err)
		}
		// 25 luxels of 6 bytes and 1024 vertices of 56 are in it.
		if b.Reserved() < 25*6+1024*56 || b.Reserved() > 1<<18 {
			t.Errorf("%d bytes are reserved", b.Reserved())
		}
		before := b.Reserved()
		b = limit.NewBudget(limit.Limits{MaxMemory: before})
		if _, err := decodeWith(data, b, source.Options{}); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("a map that takes %d and more was read within that: %v", before, err)
		}
	}
}

func TestDecodeStopsWhenCanceled(t *testing.T) {
	data := floor(bricks).Write(vbsp.Source2007)
	f, err := le.Open(bytes.NewReader(data), int64(len(data)), limit.NewBudget(limit.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source.Decode(ctx, f, source.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

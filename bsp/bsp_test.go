package bsp_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func decode(data []byte, l limit.Limits, o bsp.Options) (*bsp.Map, *limit.Budget, error) {
	b := limit.NewBudget(l)
	w, err := bsp.Decode(limit.With(context.Background(), b), bytes.NewReader(data), int64(len(data)), o)
	return w, b, err
}

// lookalikeOf returns a map with Quake II's lumps behind another ident and version.
func lookalikeOf(ident string, version uint32) []byte {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Room(qbsp.Texture{Name: "a"}, [3]float32{}, [3]float32{64, 64, 64})
	data := m.Write(qbsp.Quake2)
	copy(data, ident)
	binary.LittleEndian.PutUint32(data[4:], version)
	return data
}

func TestUnsupportedFilesAreNamed(t *testing.T) {
	head := func(ident string, version uint32) string {
		return string(binary.LittleEndian.AppendUint32([]byte(ident), version)) + strings.Repeat("\x00", 200)
	}
	for _, c := range []struct{ data, want string }{
		{head("IBSP", 41), "this is a Daikatana or early SiN map, IBSP version 41"},
		{head("\x1c\x00\x00\x00", 0), "this is a map of an early Quake, version 28"},
		{head("\x2a\x00\x00\x00", 0), "this is a James Bond 007: Nightfire map, version 42"},
		{"\x00\x00\x00\x00\x1c\x00\x00\x00\x01\x00\x00\x00GBSP\x00\x00\x00\x00\x0f" + strings.Repeat("\x00", 40), "this is a Genesis3D map, GBSP version 15"},
		{string(lookalikeOf("IBSP", 46)), "this is a Soldier of Fortune map, IBSP version 46"},
		{string(lookalikeOf("RBSP", 1)), "this is a SiN map, RBSP version 1"},
		{head("IBSP", 44), "this is a map of the id Tech family, IBSP version 44"},
		{head("IBSP", 4), "this is a Call of Duty 2 map, IBSP version 4"},
		{head("IBSP", 22), "this is a Call of Duty 4: Modern Warfare map, IBSP version 22"},
		{head("IBSP", 59), "this is a Call of Duty map, IBSP version 59"},
		{head("IBSP", 78), "this is a UFO: Alien Invasion map, IBSP version 78"},
		{head("IBSP", 0), "this is a map of the id Tech family, IBSP version 0"},
		{head("RBSP", 2), "this is a map of the Raven family, RBSP version 2"},
		{head("FBSP", 46), "this is a map of the QFusion family, FBSP version 46"},
		{head("VBSP", 16), "this is a Source engine map, VBSP version 16"},
		{head("VBSP", 24), "this is a Source engine map, VBSP version 24"},
		{head("VBSP", 5<<16|20), "this is a Source engine map, VBSP version 20.5"},
		{head("VBSP", 100), "this is a map of Counter-Strike Online 2, VBSP version 100"},
		{head("FART", 43), "this is a Desolation map of its newer engine, FART version 43"},
		{head("rBSP", 38), "this is a map of the engine of Titanfall, rBSP version 38"},
		{head("rBSP", 47), "this is a map of Apex Legends, rBSP version 47"},
		{head("rBSP", 49|1<<16), "this is a map of Apex Legends, rBSP version 49.1"},
		{head("PSBr", 30<<24), "this is a map of the engine of Titanfall for a big-endian console, PSBr version 30"},
		{head("PSBV", 24<<24), "this is a Source engine map for a big-endian console, PSBV version 24"},
		{head("EF2!", 19), "this is a Star Trek: Elite Force II map, EF2! version 19"},
		{head("FAKK", 13), "this is a Heavy Metal: F.A.K.K. 2 or Alice map, FAKK version 13"},
		{head("FAKK", 19), "this is a map of the demo of Star Trek: Elite Force II, FAKK version 19"},
		{head("2015", 19), "this is a Medal of Honor map, 2015 version 19"},
		{head("EALA", 21), "this is a Medal of Honor map, EALA version 21"},
		{"versatile", `not a map: the ident "vers" is unknown`},
		{"mapProcFi", `not a map: the ident "mapP" is unknown`},
		{head("BSP3", 0), `not a map: the ident "BSP3" with version 0 is unknown`},
		{head("GBSP", 15), "this is a Genesis3D map, GBSP version 15"},
		{head("\x3f\x00\x00\x00", 4740), `not a map: the ident "?\x00\x00\x00" with version 4740 is unknown`},
		{head("ibsp", 46), `not a map: the ident "ibsp" with version 46 is unknown`},
		{strings.Repeat("\xff", 8), `not a map: the ident "\xff\xff\xff\xff" with version 4294967295 is unknown`},
	} {
		w, _, err := decode([]byte(c.data), limit.Limits{}, bsp.Options{})
		if isMap := strings.Contains(c.want, "version") && !strings.HasPrefix(c.want, "not"); (w != nil) != isMap || drawn(w) {
			t.Errorf("%.8q: %+v", c.data, w)
		}
		want := c.want + ": unsupported operation"
		if w != nil {
			want += ", which is not read"
		}
		if !errors.Is(err, errors.ErrUnsupported) || err.Error() != want {
			t.Errorf("%.8q: %v", c.data, err)
		}
	}
}

// The idents of Respawn's and Raven's maps differ in the case of a letter. The version of a Ritual map gives the game.
func TestFormatsWithNearlyTheSameIdent(t *testing.T) {
	for name, want := range map[string]string{
		"respawn/maps/titanfall.bsp": "rBSP 29 Titanfall", "respawn/maps/titanfall_xbox.bsp": "PSBr 29 Titanfall",
		"respawn/maps/titanfall2.bsp":   "rBSP 37 Titanfall 2",
		"features/maps/raven.bsp":       "RBSP 1 Jedi Outcast, Jedi Academy or Soldier of Fortune II",
		"features/maps/fakk2.bsp":       "FAKK 12 Heavy Metal: F.A.K.K. 2",
		"features/maps/eliteforce2.bsp": "EF2! 20 Star Trek: Elite Force II",
	} {
		data := fixture(t, name)
		w, _, err := decode(data, limit.Limits{}, bsp.Options{})
		if err != nil || w.Format.String()+" "+w.Format.Game != want {
			t.Errorf("%s: %v", name, err)
		}
		for _, other := range []string{"rBSP", "PSBr", "RBSP", "FBSP", "FAKK", "EF2!", "VBSP", "PSBV", "IBSP", "BSP2"} {
			if other != string(data[:4]) && !(other == "FBSP" && string(data[:4]) == "RBSP") { // they have the same records
				if _, _, err := decode(append([]byte(other), data[4:]...), limit.Limits{}, bsp.Options{}); err == nil {
					t.Errorf("%s is read as %s, too", name, other)
				}
			}
		}
	}
}

func TestShortFilesAreCorrupt(t *testing.T) {
	m := &ibsp.Map{}
	whole := m.Write(ibsp.QFusion)
	for _, c := range []struct {
		size int
		want string
	}{
		{0, "the file is empty"},
		{7, "a map starts with 8 bytes of ident and version, the file has 7"},
		{8, "a map of this format starts with 152 bytes of header, the file has 8"},
		{151, "a map of this format starts with 152 bytes of header, the file has 151"},
	} {
		_, _, err := decode(whole[:c.size], limit.Limits{}, bsp.Options{})
		if !errors.Is(err, limit.ErrCorrupt) || err.Error() != "incomplete: "+c.want+": download it again" {
			t.Errorf("%d bytes: %v", c.size, err)
		}
	}
}

func TestFileSize(t *testing.T) {
	data := fixture(t, "features/maps/vertexlit.bsp")
	if _, _, err := decode(data, limit.Limits{MaxFile: 100}, bsp.Options{}); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
	if _, err := bsp.Decode(t.Context(), bytes.NewReader(data), -1, bsp.Options{}); !errors.Is(err, limit.ErrInput) {
		t.Error(err)
	}
	// A size that the file does not have.
	if _, err := bsp.Decode(t.Context(), bytes.NewReader(data), int64(len(data))+4096, bsp.Options{}); err != nil {
		t.Error(err)
	}
}

func TestDecodeStopsWhenCanceled(t *testing.T) {
	data := fixture(t, "demo/maps/demo.bsp")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bsp.Decode(ctx, bytes.NewReader(data), int64(len(data)), bsp.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Decode releases all memory that it reserved, except what the world keeps.
func TestBudgetIsReleased(t *testing.T) {
	data := fixture(t, "demo/maps/demo.bsp")
	_, b, err := decode(data, limit.Limits{}, bsp.Options{})
	if err != nil || b.Reserved() == 0 || b.Reserved() > int64(5*len(data)) {
		t.Errorf("%d bytes of a map of %d are reserved, %v", b.Reserved(), len(data), err)
	}
	before := b.Reserved()
	_, _, err = decode(data, limit.Limits{MaxMemory: before}, bsp.Options{})
	if !errors.Is(err, limit.ErrLimit) {
		t.Errorf("a map that takes %d and more was read within that: %v", before, err)
	}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// gameMap is a map with the files around it.
type gameMap struct {
	name  string
	data  []byte
	files fs.FS
}

func (m *gameMap) options() bsp.Options {
	return bsp.Options{Name: strings.TrimSuffix(filepath.Base(m.name), ".bsp"), Files: m.files, Overbright: new(2)}
}

func fixtures(t testing.TB) []gameMap {
	var maps []gameMap
	for _, game := range []string{"features", "demo", "source", "respawn"} {
		root := filepath.Join("../testdata", game)
		names, err := filepath.Glob(filepath.Join(root, "maps/*.bsp"))
		if err != nil || len(names) == 0 {
			t.Fatal("no fixtures", err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			maps = append(maps, gameMap{name, data, os.DirFS(root)})
		}
	}
	return maps
}

// sameMap compares what maps hold; what reads their lumps can't be compared.
func sameMap(a, b *bsp.Map) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Faces == b.Faces && reflect.DeepEqual(a.World, b.World) && reflect.DeepEqual(a.Apps, b.Apps) &&
		reflect.DeepEqual(a.Lumps, b.Lumps)
}

func TestDecodeIsTheSameOnOneCoreAndOnMany(t *testing.T) {
	for _, m := range fixtures(t) {
		for _, max := range []int64{0, int64(len(m.data)) * 2} { // the second fails
			procs := runtime.GOMAXPROCS(1)
			one, b1, err1 := decode(m.data, limit.Limits{MaxMemory: max}, m.options())
			runtime.GOMAXPROCS(8)
			many, b2, err2 := decode(m.data, limit.Limits{MaxMemory: max}, m.options())
			runtime.GOMAXPROCS(procs)
			if !sameMap(one, many) || !reflect.DeepEqual(err1, err2) || b1.Reserved() != b2.Reserved() {
				t.Errorf("%s: the worlds differ (%v, %v)", m.name, err1, err2)
			}
		}
	}
}

// check checks a world against the guarantees of the world package: every face is in one place, every index is in
// range, every number is finite and small enough to calculate with.
func check(t testing.TB, name string, w *bsp.Map) {
	t.Helper()
	seen := make([]int, w.Faces)
	at := func(face int) {
		if face < 0 || face >= len(seen) {
			t.Fatalf("%s: face %d of %d", name, face, w.Faces)
		}
		seen[face]++
	}
	chart := make([]bool, len(w.Baked.Charts))
	for i := range w.Models {
		m := &w.Models[i]
		number(t, name, m.Mins[:], 1<<24)
		number(t, name, m.Maxs[:], 1<<24)
		for k := range m.Surfaces {
			s := &m.Surfaces[k]
			if o, ok := s.Shape.(*world.Overlay); ok {
				checkOverlay(t, name, w, m, o)
				continue
			}
			at(s.Record)
			if s.Material < 0 || s.Material >= len(w.Materials) || s.Fog < -1 || s.Fog >= len(w.Volumes.Fogs) || s.Chart < -1 ||
				s.Chart >= len(w.Baked.Charts) {
				t.Fatalf("%s: face %d: material %d, fog %d, chart %d", name, s.Record, s.Material, s.Fog, s.Chart)
			}
			if (w.Materials[s.Material].Lighting == world.Lightmap) != (s.Chart != world.NoChart) {
				t.Fatalf("%s: face %d: lit by %s, chart %d", name, s.Record, w.Materials[s.Material].Lighting, s.Chart)
			}
			size := [2]float32{}
			if s.Chart != world.NoChart {
				chart[s.Chart] = true
				size = [2]float32{float32(w.Baked.Charts[s.Chart].Width), float32(w.Baked.Charts[s.Chart].Height)}
			}
			var vertices []world.Vertex
			switch shape := s.Shape.(type) {
			case *world.Polygon:
				if vertices = shape.Corners; len(vertices) < 3 {
					t.Fatalf("%s: face %d: %d corners", name, s.Record, len(vertices))
				}
			case *world.Displacement:
				vertices = shape.Corners[:]
				side := 1<<shape.Power + 1
				if n := side * side; shape.Power < 2 || shape.Power > 4 || len(shape.Offsets) != n || len(shape.Alpha) != n ||
					shape.Removed != nil && len(shape.Removed) != 2*(side-1)*(side-1) || shape.Blends != nil && len(shape.Blends) != n {
					t.Fatalf("%s: face %d: power %d, %d offsets, %d alphas, %d marks, %d blends", name, s.Record, shape.Power,
						len(shape.Offsets), len(shape.Alpha), len(shape.Removed), len(shape.Blends))
				}
				for j := range shape.Offsets {
					number(t, name, shape.Offsets[j][:], 1<<24)
				}
				number(t, name, shape.Alpha, 1)
				for j := range shape.Blends {
					number(t, name, shape.Blends[j][:], 1)
				}
			case *world.Triangles:
				vertices = shape.Vertices
				if len(shape.Indices)%3 != 0 || len(shape.Indices) == 0 {
					t.Fatalf("%s: face %d: %d indices", name, s.Record, len(shape.Indices))
				}
				for _, x := range shape.Indices {
					if int(x) >= len(vertices) {
						t.Fatalf("%s: face %d: index %d of %d vertices", name, s.Record, x, len(vertices))
					}
				}
			case *world.Patch:
				vertices = shape.Control
				if shape.Width < 3 || shape.Height < 3 || shape.Width*shape.Height != len(vertices) {
					t.Fatalf("%s: face %d: %d x %d", name, s.Record, shape.Width, shape.Height)
				}
			default:
				t.Fatalf("%s: face %d is a %T", name, s.Record, shape)
			}
			for j := range vertices {
				v := &vertices[j]
				number(t, name, v.Position[:], 1<<24)
				number(t, name, v.UV[:], 1<<24)
				number(t, name, v.Color[:], 2)
				if n := v.Normal; n != [3]float32{} {
					if l := n[0]*n[0] + n[1]*n[1] + n[2]*n[2]; !(l > 0.99 && l < 1.01) {
						t.Fatalf("%s: face %d: normal %v", name, s.Record, n)
					}
				}
				if s.Chart != world.NoChart && !(v.Luxel[0] >= 0 && v.Luxel[0] <= size[0] && v.Luxel[1] >= 0 && v.Luxel[1] <= size[1]) {
					t.Fatalf("%s: face %d: luxel %v of %v", name, s.Record, v.Luxel, size)
				}
			}
		}
	}
	for _, b := range w.Billboards {
		at(b.Record)
		number(t, name, b.Position[:], 1<<24)
		number(t, name, b.Normal[:], 2)
		number(t, name, b.Color[:], 1.0001)
		if b.Model >= len(w.Models) || b.Material >= len(w.Materials) {
			t.Fatalf("%s: billboard %+v", name, b)
		}
	}
	more := 0
	for _, i := range w.Issues {
		switch {
		case i.Code == "" || i.Where == "" || i.Detail == "":
			t.Fatalf("%s: %+v", name, i)
		case !strings.HasPrefix(i.Code, "face-"):
		case i.Count > 0:
			more += i.Count
		default:
			n, err := strconv.Atoi(strings.TrimPrefix(i.Where, "face "))
			if err != nil {
				t.Fatalf("%s: %+v", name, i)
			}
			at(n)
		}
	}
	for face, n := range seen {
		if n > 1 {
			t.Fatalf("%s: face %d is in %d places", name, face, n)
		}
		more -= 1 - n
	}
	if more != 0 {
		t.Fatalf("%s: %d faces are nowhere", name, -more)
	}
	for i, c := range w.Baked.Charts {
		if !chart[i] && len(w.Issues) == 0 {
			t.Errorf("%s: nothing shows chart %d", name, i)
		}
		if c.Width < 1 || c.Height < 1 || len(c.Layers) < 1 || c.Layers[0].Basis != world.Flat {
			t.Fatalf("%s: chart %d: %d x %d, %d layers", name, i, c.Width, c.Height, len(c.Layers))
		}
		for _, l := range c.Layers {
			if len(l.Luxels) != c.Width*c.Height {
				t.Fatalf("%s: chart %d: %d x %d, %d luxels", name, i, c.Width, c.Height, len(l.Luxels))
			}
		}
	}
	if b := w.Sky.Skybox3D; b != nil && (b.Model < 1 || b.Model >= len(w.Models) || b.Entity >= len(w.Entities) || !(b.Scale >= 1)) {
		t.Fatalf("%s: %+v", name, b)
	}
	for _, d := range w.Decals {
		number(t, name, d.Position[:], 1<<24)
		if d.Material >= len(w.Materials) || d.Entity >= len(w.Entities) {
			t.Fatalf("%s: decal %+v", name, d)
		}
	}
	for _, l := range w.Lights {
		number(t, name, append(l.Origin[:], l.Color[:]...), 1<<24)
		if l.Entity < world.NoEntity || l.Entity >= len(w.Entities) || !(l.Intensity >= 0) || math.IsInf(l.Intensity, 0) {
			t.Fatalf("%s: light %+v", name, l)
		}
	}
	for _, p := range w.Ambient.Probes {
		number(t, name, p.Position[:], 1<<24)
	}
	for _, b := range w.Volumes.Brushes {
		if b.Model < 0 || b.Model >= len(w.Models) {
			t.Fatalf("%s: brush %+v", name, b)
		}
		for j := range b.Planes {
			number(t, name, b.Planes[j][:], 1<<26)
		}
	}
	for _, x := range w.Volumes.Waters {
		if x.Material < -1 || x.Material >= len(w.Materials) {
			t.Fatalf("%s: water %+v", name, x)
		}
	}
	for i, e := range w.Entities {
		if e.Model < -1 || e.Model >= len(w.Models) || i == 0 && e.Model != 0 {
			t.Fatalf("%s: entity %d has model %d", name, i, e.Model)
		}
	}
	for _, f := range w.Volumes.Fogs {
		number(t, name, append(f.Mins[:], f.Maxs[:]...), 1<<24)
		if f.Material < 0 || f.Material >= len(w.Materials) || f.Mins[0] > f.Maxs[0] || f.Mins[1] > f.Maxs[1] || f.Mins[2] > f.Maxs[2] {
			t.Fatalf("%s: fog %+v", name, f)
		}
	}
	for _, p := range w.Props {
		number(t, name, append(p.Origin[:], p.Angles[:]...), math.MaxFloat32)
		if p.Kind == world.EntityProp && p.Entity < 0 || p.Entity < world.NoEntity || p.Entity >= len(w.Entities) ||
			p.Index != world.NoModel {
			t.Fatalf("%s: prop %+v", name, p)
		}
	}
	if g := w.Ambient.Grid; g != nil {
		if n := g.Size[0] * g.Size[1] * g.Size[2]; n < 1 || len(g.Ambient) != n || len(g.Directed) != n || len(g.Toward) != n {
			t.Fatalf("%s: grid of %v with %d samples", name, g.Size, len(g.Ambient))
		}
		number(t, name, append(g.Origin[:], g.Cell[:]...), 1<<25)
	}
}

// checkOverlay checks an overlay against the guarantees of the world package.
func checkOverlay(t testing.TB, name string, w *bsp.Map, m *world.Model, o *world.Overlay) {
	if o.Host < 0 || o.Host >= len(m.Surfaces) || o.Order < 0 || o.Order > 255 {
		t.Fatalf("%s: overlay %+v", name, o)
	}
	if _, ok := m.Surfaces[o.Host].Shape.(*world.Overlay); ok {
		t.Fatalf("%s: an overlay on an overlay: %+v", name, o)
	}
	number(t, name, append(o.Normal[:], o.Fade[:]...), math.MaxFloat32)
	for _, c := range o.Corners {
		number(t, name, append(c.Position[:], c.UV[:]...), 1<<24)
	}
}

func number(t testing.TB, name string, v []float32, most float32) {
	for _, x := range v {
		if !(x >= -most && x <= most) {
			t.Fatalf("%s: %g is over %g", name, v, most)
		}
	}
}

func TestFixturesHoldWhatAWorldPromises(t *testing.T) {
	for _, m := range fixtures(t) {
		w, _, err := decode(m.data, limit.Limits{}, m.options())
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		check(t, m.name, w)
	}
}

func FuzzDecode(f *testing.F) {
	testkit.Unminimized(f)
	for _, m := range fixtures(f) {
		if len(m.data) < 120_000 {
			f.Add(m.data)
		}
	}
	for _, v := range []ibsp.Variant{ibsp.Quake3, ibsp.Raven, ibsp.QFusion} {
		f.Add(tiny().Write(v))
	}
	for _, v := range []vbsp.Variant{vbsp.Source2004, vbsp.Packed2013, vbsp.Left4Dead2} {
		f.Add(room().Write(v))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// Reading costs a small multiple of the bytes, and never more than the limit, whatever their content.
		w, b, err := decode(data, limit.Limits{MaxMemory: 64 << 20, MaxWarnings: 10},
			bsp.Options{Name: "x", Overbright: new(2),
				LightImage: func(name string) string { return "lm/" + name + ".tga" }})
		if w != nil {
			readLumps(t, w, b)
		}
		if err == nil {
			check(t, "x", w)
			return
		}
		if drawn(w) {
			t.Fatal("surfaces with an error")
		}
		for _, kind := range []error{limit.ErrCorrupt, limit.ErrLimit, errors.ErrUnsupported} {
			if errors.Is(err, kind) {
				if b.Reserved() > 64<<20 {
					t.Fatal("over the limit")
				}
				return
			}
		}
		t.Fatal(err)
	})
}

// readLumps checks that any lump can be asked for, and that none stays reserved.
func readLumps(t *testing.T, m *bsp.Map, b *limit.Budget) {
	before := b.Reserved()
	for _, l := range m.Lumps {
		if _, err := m.Lump(l.Index); err != nil && !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) {
			t.Fatalf("lump %d: %v", l.Index, err)
		}
	}
	if after := b.Reserved(); after != before {
		t.Fatalf("%d bytes stay reserved", after-before)
	}
}

// tiny has a surface of each shape, a fog and a grid, in a file of few bytes beyond its records.
func tiny() *ibsp.Map {
	m := &ibsp.Map{RawEntities: `{"classname" "worldspawn"}{"classname" "func_door" "model" "*1" "origin" "1 2 3"}{"classname" "x" "model" "a.md3"}`}
	m.Shader("textures/a", 0, 1)
	corners := make([]ibsp.Vertex, 9)
	for i := range corners {
		corners[i].XYZ, corners[i].Normal = [3]float32{float32(i % 3), float32(i / 3), 0}, [3]float32{0, 0, 1}
	}
	polygon, patch := ibsp.NewPolygon(0, corners[:3]), ibsp.NewPatch(0, 3, 3, corners)
	foliage := ibsp.NewPolygon(0, corners[:4])
	foliage.Type, foliage.PatchW, foliage.PatchH = 5, 1, 3
	polygon.Fog = 0
	m.Models = []ibsp.Model{
		{Maxs: [3]float32{3, 3, 3}, Surfaces: []ibsp.Surface{polygon, patch, foliage,
			ibsp.NewFlare(0, [3]float32{1, 1, 1}, [3]float32{1, 0, 0}, [3]float32{0, 0, 1})},
			Brushes: []ibsp.Brush{m.Box(0, [3]float32{0, 0, 0}, [3]float32{1, 1, 1})}},
		{Surfaces: []ibsp.Surface{ibsp.NewPolygon(0, corners[:3])}},
	}
	m.Fogs = []ibsp.Fog{{Shader: "fog", Brush: 0, Side: -1}}
	m.Grid = make([]ibsp.GridPoint, 1)
	return m
}

// room returns a map of Source with a displacement, an overlay and a brush model, in a file of few bytes beyond its
// records.
func room() *vbsp.Map {
	m := &vbsp.Map{Entities: []vbsp.Entity{{{"classname", "worldspawn"}}, {{"classname", "func_brush"}, {"model", "*1"}}}}
	brick := vbsp.Material{Name: "brick", Width: 64, Height: 64}
	m.Hollow(1, [3]float32{}, [3]float32{64, 64, 64}, brick)
	m.Displace(m.Polygon(0, [3]float32{0, 0, 8}, [3]float32{0, 64, 8}, [3]float32{64, 64, 8}, [3]float32{64, 0, 8}), 0, 2,
		func(int, int) ([3]float32, float32) { return [3]float32{0, 0, 4}, 99 })
	m.Overlays = []vbsp.Overlay{{TexInfo: 0, Faces: []int32{0}, U: [2]float32{0, 1}, V: [2]float32{0, 1},
		Corners: [4][2]float32{{-8, -8}, {-8, 8}, {8, 8}, {8, -8}}, Origin: [3]float32{0, 32, 32}, Normal: [3]float32{1, 0, 0},
		Basis: [3]float32{0, 1, 0}}}
	m.StartModel()
	m.Box(vbsp.Solid, [3]float32{8, 8, 8}, [3]float32{16, 16, 16}, brick)
	m.LightAll([3]float64{1, 1, 1})
	return m
}

// realMaps calls f with every real map that is present.
func realMaps(t *testing.T, f func(m gameMap)) {
	n := 0
	call := func(m gameMap) { n++; f(m) }
	packed := func(pattern string, which *regexp.Regexp) {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			z, err := zip.OpenReader(name)
			if err != nil {
				t.Error(err)
				continue
			}
			for _, e := range z.File {
				if !strings.HasSuffix(e.Name, ".bsp") || !which.MatchString(strings.TrimSuffix(path.Base(e.Name), ".bsp")) {
					continue
				}
				r, err := e.Open()
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				call(gameMap{filepath.Base(name) + ":" + e.Name, data, nil})
			}
			z.Close()
		}
	}
	packed(filepath.Join(openArena(), "*.pk3"), testkit.OpenArena())
	packed(filepath.Join(testkit.Corpus(t), "quake3*/*.pk3"), regexp.MustCompile(""))
	loose, _ := filepath.Glob(filepath.Join(testkit.Corpus(t), "quake3*/*.bsp"))
	for _, name := range sourceMaps(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		call(gameMap{name, data, nil})
	}
	shared, _ := filepath.Glob(filepath.Join(testkit.Corpus(t), "quake3*/*/maps/*.bsp"))
	for _, name := range append(loose, shared...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var files fs.FS
		if dir := filepath.Dir(name); filepath.Base(dir) == "maps" {
			view, err := assets.Open(t.Context(), []string{filepath.Dir(dir)})
			if err != nil {
				t.Fatal(err)
			}
			defer view.Close()
			files = view
		}
		call(gameMap{name, data, files})
	}
	if n == 0 {
		t.Skipf("no maps of games: neither in %s (BSP2GLTF_OPENARENA) nor in %s (BSP2GLTF_CORPUS)", openArena(), testkit.Corpus(t))
	}
	t.Logf("%d maps", n)
}

// sourceMaps returns the corpus's maps of Source that can be read.
func sourceMaps(t testing.TB) (list []string) {
	for _, version := range []string{"19", "20", "20be", "21", "23", "25"} {
		names, _ := filepath.Glob(filepath.Join(testkit.Corpus(t), "source/v"+version+"_*.bsp"))
		list = append(list, names...)
	}
	return list
}

func openArena() string {
	if dir := os.Getenv("BSP2GLTF_OPENARENA"); dir != "" {
		return dir
	}
	return "/usr/share/games/openarena/baseoa"
}

func TestRealMaps(t *testing.T) {
	if testing.Short() {
		t.Skip("real maps: not with -short")
	}
	// These are all the issues of the maps, but for what the game draws by code (entity-effect), which many have.
	expected := map[string]string{
		"wfda3.bsp light-style":         "left out of the vertex colours of 16 faces",
		"v20_minigolf_test.bsp overlay": "none of its 0 faces is drawn",
	}
	realMaps(t, func(m gameMap) {
		w, b, err := decode(m.data, limit.Limits{}, m.options())
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			return
		}
		check(t, m.name, w)
		for _, i := range w.Issues {
			if i.Code != "entity-effect" && expected[filepath.Base(m.name)+" "+i.Code] != i.Detail {
				t.Errorf("%s: %+v", m.name, i)
			}
		}
		if deluxe := strings.Contains(w.Entities[0].Value("_q3map2_cmdline"), "-deluxe"); deluxe {
			for _, c := range w.Baked.Charts {
				if len(c.Layers)%2 != 0 || c.Layers[1].Basis != world.Direction {
					t.Errorf("%s: no directions", m.name)
					break
				}
			}
		}
		if light := int64(len(m.data)); b.Reserved() > 8*light+16<<20 {
			t.Errorf("%s: %d MB reserved for %d", m.name, b.Reserved()>>20, light>>20)
		}
	})
}

// These are the magics of real files of other engines, and of files that are not maps.
func TestOtherGamesMapsAreUnsupported(t *testing.T) {
	var names []string
	for _, dir := range []string{"othersibsp", "source", "malformed"} {
		found, _ := filepath.Glob(filepath.Join(testkit.Corpus(t), dir, "*.bsp"))
		names = append(names, found...)
	}
	if len(names) == 0 {
		t.Skipf("no maps of other games in %s (BSP2GLTF_CORPUS)", testkit.Corpus(t))
	}
	read := sourceMaps(t)
	for _, name := range names {
		if slices.Contains(read, name) {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := f.Seek(0, io.SeekEnd)
		_, err = bsp.Decode(t.Context(), f, size, bsp.Options{})
		f.Close()
		known := strings.HasPrefix(err.Error(), "this is ") || strings.HasPrefix(err.Error(), "not a map, but ") || filepath.Base(name) == "goldsrc_invalid_version.bsp"
		if broken := filepath.Base(name) == "lfs_pointer.bsp"; !known || !broken && !errors.Is(err, errors.ErrUnsupported) ||
			broken && !errors.Is(err, limit.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// testdata/demo: 678 KB, 7 pages.
func BenchmarkDecode(b *testing.B) { benchmark(b, fixture(b, "demo/maps/demo.bsp")) }

// v20_css_hns_floppytown_fix: 2.0 MB, 1196 faces. Most is the archive, which is not read.
func BenchmarkDecodeSource(b *testing.B) { benchmarkCorpus(b, "source/v20_css_hns_floppytown_fix.bsp") }

// v21_csgo_aim_aztec_1v1: 3.7 MB, 193 faces. Most is the archive, too.
func BenchmarkDecodeSourceHDR(b *testing.B) { benchmarkCorpus(b, "source/v21_csgo_aim_aztec_1v1.bsp") }

func benchmarkCorpus(b *testing.B, name string) {
	data, err := os.ReadFile(filepath.Join(testkit.Corpus(b), name))
	if err != nil {
		b.Skip("no large map: ", err)
	}
	benchmark(b, data)
}

// oacmpctf3 of OpenArena's community maps: 10.6 MB, the largest.
func BenchmarkDecodeLarge(b *testing.B) {
	z, err := zip.OpenReader(filepath.Join(openArena(), "z_oacmp-volume1-v3.pk3"))
	if err != nil {
		b.Skip("no large map: ", err)
	}
	defer z.Close()
	data, err := fs.ReadFile(z, "maps/oacmpctf3.bsp")
	if err != nil {
		b.Skip("no large map: ", err)
	}
	benchmark(b, data)
}

func benchmark(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := decode(data, limit.Limits{}, bsp.Options{Overbright: new(2)}); err != nil {
			b.Fatal(err)
		}
	}
}

// drawn reports whether a world has anything besides its format, lumps and entities.
func drawn(w *bsp.Map) bool {
	return w != nil && len(w.Models)+len(w.Materials)+len(w.Baked.Charts)+len(w.Props)+len(w.Issues) > 0
}

// A name of a game that selects nothing is told.
func TestUnknownGamesAreTold(t *testing.T) {
	for _, c := range []struct{ file, game, want string }{
		{"../testdata/demo/maps/demo.bsp", "quake4", "selects nothing in a map of this format"},
		{"../testdata/source/maps/sky3d.bsp", "Team Fotress 2", `did you mean "Team Fortress 2"?`},
		{"../testdata/source/maps/sky3d.bsp", "quake4", "no game of this name is known"},
		{"../testdata/source/maps/sky3d.bsp", "team fortress 2", ""},
		{"../testdata/source/maps/sky3d.bsp", "", ""},
	} {
		data, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := bsp.Decode(t.Context(), bytes.NewReader(data), int64(len(data)), bsp.Options{Game: c.game})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, i := range m.World.Issues {
			if i.Code == "game-unknown" {
				got = i.Detail
			}
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, %q: %q, want %q", c.file, c.game, got, c.want)
		}
	}
}

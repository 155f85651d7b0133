package quake3_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// hostile decodes a map that is made to cost, and returns the bytes it allocated in all. The error is of a kind, or nil.
func hostile(t *testing.T, data []byte, l limit.Limits, o quake3.Options, kind error) int64 {
	t.Helper()
	if testing.Short() {
		t.Skip("hostile maps: not with -short")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := testkit.CPU()
	b := limit.NewBudget(l)
	w, err := decodeWith(data, b, o)
	took := testkit.CPU() - start
	runtime.ReadMemStats(&after)
	total := int64(after.TotalAlloc - before.TotalAlloc)
	if kind == nil && err != nil || kind != nil && !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
	}
	if w != nil && len(w.Issues) > 20_000 {
		t.Errorf("%d issues", len(w.Issues))
	}
	if took > 20*time.Second {
		t.Errorf("it took %v on processors", took)
	}
	t.Logf("%.1f MB: %d MB allocated, %d MB reserved, %v, %v", float64(len(data))/1e6, total>>20, b.Reserved()>>20, took, err)
	return total
}

// records writes n records of size bytes, whose int32 fields set fills.
func records(n, size int, set func(i int, field func(at int, v int))) []byte {
	out := make([]byte, n*size)
	for i := range n {
		set(i, func(at, v int) { binary.LittleEndian.PutUint32(out[i*size+at:], uint32(int32(v))) })
	}
	return out
}

// Every model says it has all surfaces: models times surfaces is 10^10.
func TestManyModelsOfTheSameSurfaces(t *testing.T) {
	base := mapOf(triangle()).Write(ibsp.Quake3)
	const n = 100_000
	surface := base[ibsp.Record(base, ibsp.LumpSurfaces, 104, 0):][:104]
	data := ibsp.Replace(base, ibsp.LumpSurfaces, bytes.Repeat(surface, n))
	for name, first := range map[string]func(i int) (int, int){
		"all":            func(int) (int, int) { return 0, n },
		"from the end":   func(i int) (int, int) { return n - 1 - i, i + 1 },
		"from the start": func(i int) (int, int) { return 0, i + 1 },
	} {
		models := records(n, 40, func(i int, field func(at, v int)) {
			f, c := first(i)
			field(24, f)
			field(28, c)
		})
		t.Run(name, func(t *testing.T) {
			total := hostile(t, ibsp.Replace(data, ibsp.LumpModels, models), limit.Limits{}, quake3.Options{}, nil)
			if total > 300<<20 {
				t.Errorf("%d MB", total>>20)
			}
		})
	}
}

// Every surface, fog, entity and model causes an issue.
func TestManyIssues(t *testing.T) {
	const n = 100_000
	m := mapOf(triangle())
	m.RawEntities = `{"classname" "worldspawn"}` + strings.Repeat(`{"model" "*9"}}`, 60_000)
	data := m.Write(ibsp.Quake3)
	surface := data[ibsp.Record(data, ibsp.LumpSurfaces, 104, 0):][:104]
	bad := bytes.Repeat(surface, n)
	for i := 1; i < n; i++ {
		binary.LittleEndian.PutUint32(bad[i*104+4*(i%7):], 0x7ffffff0)
	}
	data = ibsp.Replace(data, ibsp.LumpSurfaces, bad)
	data = ibsp.Replace(data, ibsp.LumpFogs, records(n, 72, func(i int, field func(at, v int)) {
		field(0, i|0x01010101)
		field(64, 5)
	}))
	setModel(data, 0, 0, n/2)
	if total := hostile(t, data, limit.Limits{}, quake3.Options{}, nil); total > 500<<20 {
		t.Errorf("%d MB", total>>20)
	}
}

// A shader of its own for every surface.
func TestManyMaterials(t *testing.T) {
	const n = 100_000
	data := mapOf(triangle()).Write(ibsp.Quake3)
	surface := data[ibsp.Record(data, ibsp.LumpSurfaces, 104, 0):][:104]
	all := bytes.Repeat(surface, n)
	for i := range n {
		binary.LittleEndian.PutUint32(all[i*104:], uint32(i))
	}
	data = ibsp.Replace(data, ibsp.LumpSurfaces, all)
	data = ibsp.Replace(data, ibsp.LumpShaders, records(n, 72, func(i int, field func(at, v int)) { field(0, i) }))
	setModel(data, 0, 0, n)
	o := quake3.Options{LightImage: func(string) string { return "lm" }, Files: fstest.MapFS{}}
	if total := hostile(t, data, limit.Limits{}, o, nil); total > 300<<20 {
		t.Errorf("%d MB", total>>20)
	}
}

// counter counts the files that are asked for.
type counter struct {
	fs.FS
	n int
}

func (c *counter) Open(name string) (fs.File, error) {
	c.n++
	return c.FS.Open(name)
}

// A page number near the largest opens at most 4096 images, and stops at the first missing one.
func TestDemandForManyPages(t *testing.T) {
	for _, c := range []struct {
		pages []int32
		want  string
		most  int
	}{
		{[]int32{0x7fffffff}, "", 0},
		{[]int32{4095},
			"lightmap-missing: lightmaps: surfaces show 1 pages that are neither among the 0 of the map nor beside it as maps/x/lm_NNNN",
			10},
		{[]int32{-0x80000000, -4, 4096}, "", 0},
	} {
		var surfaces []ibsp.Surface
		for _, p := range c.pages {
			surfaces = append(surfaces, litBy(p))
		}
		files := &counter{fstest.MapFS{}, 0}
		w := decodeOptions(t, mapOf(surfaces...).Write(ibsp.Quake3), quake3.Options{Name: "x", Files: files})
		if c.want == "" {
			wantIssues(t, w)
		} else {
			wantIssues(t, w, c.want)
		}
		if files.n -= 6; files.n > c.most || len(w.Baked.Charts) != 0 { // six that tell the engine
			t.Errorf("%v: %d files, %d charts", c.pages, files.n, len(w.Baked.Charts))
		}
	}
	var all []ibsp.Surface
	for i := range 4096 {
		all = append(all, litBy(int32(i)))
	}
	files := &counter{fstest.MapFS{}, 0}
	w := decodeOptions(t, mapOf(all...).Write(ibsp.Quake3), quake3.Options{Name: "x", Files: files})
	if files.n > 86 || len(w.Issues) != 1 {
		t.Errorf("%d files, %q", files.n, issues(w))
	}
}

// Pages inside and beside the map count towards the budget, as do images that scripts name.
func TestLightMeetsTheBudget(t *testing.T) {
	s := litBy(0)
	m := mapOf()
	for i := range 200 {
		s.Page[0] = int32(i)
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, s)
		m.Pages = append(m.Pages, make([]byte, 128*128*3))
	}
	inside := m.Write(ibsp.Quake3) // 200 * 49152 bytes, and 200 * 16384 * 12
	hostile(t, inside, limit.Limits{MaxMemory: 30 << 20}, quake3.Options{}, limit.ErrLimit)
	hostile(t, inside, limit.Limits{MaxMemory: 120 << 20}, quake3.Options{}, nil)

	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 2048, 2048))); err != nil {
		t.Fatal(err)
	}
	m.Pages = nil
	files := fstest.MapFS{}
	for i := range 20 {
		files[fmt.Sprintf("maps/x/lm_%04d.png", i)] = &fstest.MapFile{Data: file.Bytes()}
		files[fmt.Sprintf("lm/%d.png", i)] = &fstest.MapFile{Data: file.Bytes()}
	}
	if total := hostile(t, m.Write(ibsp.Quake3), limit.Limits{MaxMemory: 100 << 20}, quake3.Options{Name: "x", Files: files},
		limit.ErrLimit); total > 400<<20 {
		t.Errorf("%d MB", total>>20)
	}
	hostile(t, m.Write(ibsp.Quake3), limit.Limits{MaxTextureTotal: 3 * 2048 * 2048}, quake3.Options{Name: "x", Files: files},
		limit.ErrLimit)
	m = mapOf()
	for i := range 20 {
		s.Page[0], s.Shader = -3, m.Shader(fmt.Sprint(i), 0, 0)
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, s)
	}
	named := quake3.Options{Files: files, LightImage: func(m string) string { return "lm/" + m + ".png" }}
	hostile(t, m.Write(ibsp.Quake3), limit.Limits{MaxMemory: 100 << 20}, named, limit.ErrLimit)
}

// Each surface has a rectangle of its own in four styles.
func TestStyledRectanglesMeetTheBudget(t *testing.T) {
	s := styledTriangle(0, 1, 2, 3)
	for i := range s.Page {
		s.Page[i] = 0
	}
	m := mapOf()
	for i := range 2000 {
		for k := range 4 {
			for c := range s.Vertices {
				s.Vertices[c].Light[k] = vec2{float32(c%2) * (0.5 + float32(i%64)/128), float32(c/2) * (0.5 + float32(i/64)/128)}
			}
		}
		t := s
		t.Vertices = append([]ibsp.Vertex{}, s.Vertices...)
		m.Models[0].Surfaces = append(m.Models[0].Surfaces, t)
	}
	m.Pages = [][]byte{make([]byte, 128*128*3)}
	if total := hostile(t, m.Write(ibsp.Raven), limit.Limits{MaxMemory: 64 << 20}, quake3.Options{}, limit.ErrLimit); total > 100<<20 {
		t.Errorf("%d MB", total>>20)
	}
}

// A mesh of 1,000 vertices at 100,000 points.
func TestFoliageMeetsTheBudget(t *testing.T) {
	s := triangle()
	s.Type, s.PatchH, s.PatchW = 5, 1000, 100_000
	s.Vertices = append(s.Vertices, make([]ibsp.Vertex, 101_000-3)...)
	if total := hostile(t, mapOf(s).Write(ibsp.RTCW), limit.Limits{}, quake3.Options{}, limit.ErrLimit); total > 100<<20 {
		t.Errorf("%d MB", total>>20)
	}
}

// Indices that a thousand surfaces share.
func TestSharedIndicesMeetTheBudget(t *testing.T) {
	s := triangle()
	s.Indices = make([]int32, 30_000)
	base := mapOf(s).Write(ibsp.Quake3)
	surface := base[ibsp.Record(base, ibsp.LumpSurfaces, 104, 0):][:104]
	data := ibsp.Replace(base, ibsp.LumpSurfaces, bytes.Repeat(surface, 10_000))
	setModel(data, 0, 0, 10_000)
	if total := hostile(t, data, limit.Limits{MaxMemory: 64 << 20}, quake3.Options{}, limit.ErrLimit); total > 100<<20 {
		t.Errorf("%d MB", total>>20)
	}
}

// A grid of as many samples as a box can ask for, and one that has them.
func TestGridMeetsTheBudget(t *testing.T) {
	m := mapOf(triangle())
	m.Models[0].Mins, m.Models[0].Maxs = vec3{-8e6, -8e6, -8e6}, vec3{8e6, 8e6, 8e6}
	m.Grid = make([]ibsp.GridPoint, 10)
	w := decode(t, m.Write(ibsp.Quake3))
	wantIssues(t, w, "light-grid: lump 15 (light grid): the world's box from [-8e+06 -8e+06 -8e+06] to [8e+06 8e+06 8e+06] holds no grid")
	m.Models[0].Mins, m.Models[0].Maxs = vec3{-5e5, -5e5, -5e5}, vec3{5e5, 5e5, 5e5}
	w = decode(t, m.Write(ibsp.Quake3))
	wantIssues(t, w, "light-grid: lump 15 (light grid): 10 samples, the world's box takes 15625 x 15625 x 7813")
	m.Models[0].Mins, m.Models[0].Maxs = vec3{0, 0, 0}, vec3{99 * 64, 99 * 64, 99 * 128}
	m.Grid = make([]ibsp.GridPoint, 1_000_000)
	data := m.Write(ibsp.Raven)                                                          // one sample, and two bytes for each place
	hostile(t, data, limit.Limits{MaxMemory: 8 << 20}, quake3.Options{}, limit.ErrLimit) // 9 bytes a sample
}

// All lumps are the same bytes, a multiple of every record: each is counted.
func TestLumpsOverEachOther(t *testing.T) {
	data := append(mapOf(triangle()).Write(ibsp.Quake3), make([]byte, 102960)...)
	for i := range 17 {
		ibsp.SetLump(data, i, 144, 102960)
	}
	hostile(t, data, limit.Limits{MaxMemory: 1 << 20}, quake3.Options{}, limit.ErrLimit)
}

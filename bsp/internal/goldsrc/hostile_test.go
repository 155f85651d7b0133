package goldsrc_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// everything returns a map with records of every kind.
func everything() *qbsp.Map {
	m := &qbsp.Map{Entities: []qbsp.Entity{
		{{"classname", "worldspawn"}, {"wad", "a.wad"}, {"skyname", "s"}},
		{{"classname", "light"}, {"_light", "1 2 3 200"}, {"target", "x"}},
		{{"classname", "func_wall"}, {"model", "*1"}, {"rendermode", "2"}, {"renderamt", "9"}},
		{{"classname", "cycler"}, {"model", "a.mdl"}, {"targetname", "x"}},
		{{"classname", "info_texlights"}, {"wall", "1 2 3 4"}},
	}}
	m.Room(painted("wall", 16, 16), vec3{-64, -64, 0}, vec3{64, 64, 64})
	water := painted("!water", 16, 16)
	m.Polygon(m.Project(water, vec3{0, 0, 1}, 0), square(0, 0, 8)...)
	m.Polygon(m.Project(water, vec3{0, 0, -1}, 0), [][3]float32{{0, 0, 8}, {64, 0, 8}, {64, 64, 8}, {0, 64, 8}}...)
	m.StartModel()
	m.Polygon(m.Project(painted("{grate", 16, 16), vec3{0, 0, 1}, 0), square(0, 0, 32)...)
	for i := range 5 {
		m.Light(i, []uint8{0, 3}, told)
	}
	m.Directions = make([]qbsp.RGB, len(m.Lighting))
	m.FaceInfo = []qbsp.FaceInfo{{Step: 16}}
	m.Blocks = []qbsp.Block{{Name: "RGBLIGHTING", Content: qbsp.Bytes(m.Lighting)},
		{Name: "LIGHTINGDIR", Content: qbsp.Bytes(m.Directions)}, {Name: "LMSHIFT", Content: bytes.Repeat([]byte{4}, len(m.Faces))}}
	return m
}

// sound checks what every stage may assume about a world.
func sound(t *testing.T, w *decoding.Map) {
	t.Helper()
	finite := func(v ...float32) {
		for _, x := range v {
			if !(x >= -1<<24 && x <= 1<<24) {
				t.Fatalf("%g", x)
			}
		}
	}
	surfaces, dropped := 0, 0
	for _, m := range w.Models {
		finite(m.Mins[:]...)
		finite(m.Maxs[:]...)
		for _, s := range m.Surfaces {
			surfaces++
			if s.Material < 0 || s.Material >= len(w.Materials) || s.Chart < world.NoChart || s.Chart >= len(w.Baked.Charts) {
				t.Fatalf("%+v", s)
			}
			if lit := w.Materials[s.Material].Lighting == world.Lightmap; lit != (s.Chart != world.NoChart) {
				t.Fatalf("%+v of %+v", s, w.Materials[s.Material])
			}
			for _, v := range s.Shape.(*world.Polygon).Corners {
				finite(v.Position[:]...)
				finite(v.Normal[:]...)
				finite(v.UV[:]...)
				finite(v.Luxel[:]...)
				if s.Chart != world.NoChart && (v.Luxel[0] < 0 || v.Luxel[1] < 0 || v.Luxel[0] > float32(w.Baked.Charts[s.Chart].Width) ||
					v.Luxel[1] > float32(w.Baked.Charts[s.Chart].Height)) {
					t.Fatalf("%+v of %d x %d", v, w.Baked.Charts[s.Chart].Width, w.Baked.Charts[s.Chart].Height)
				}
			}
		}
	}
	for _, i := range w.Issues {
		if len(i.Code) > 5 && i.Code[:5] == "face-" {
			dropped += max(i.Count, 1)
		}
	}
	if surfaces+dropped != w.Faces {
		t.Fatalf("%d surfaces and %d dropped of %d faces", surfaces, dropped, w.Faces)
	}
	for _, c := range w.Baked.Charts {
		for _, l := range c.Layers {
			if len(l.Luxels) != c.Width*c.Height {
				t.Fatalf("%d luxels of %d x %d", len(l.Luxels), c.Width, c.Height)
			}
		}
	}
	for _, l := range w.Lights {
		if !(l.Intensity >= 0 && l.Intensity < math.Inf(1)) || !(l.Outer >= l.Inner && l.Outer <= math.Pi/2) {
			t.Fatalf("%+v", l)
		}
		finite(l.Origin[:]...)
		finite(l.Direction[:]...)
		finite(l.Color[:]...)
	}
}

// The maps of testdata are read without an issue.
func TestFixtures(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "goldsrc", "maps", "*.bsp"))
	if len(names) < 16 {
		t.Fatalf("%d maps", len(names))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)
		w := decodeOptions(t, data, goldsrc.Options{Name: base[:len(base)-len(".bsp")],
			Files: os.DirFS(filepath.Join("..", "..", "..", "testdata", "goldsrc"))})
		wantIssues(t, w)
		sound(t, w)
		c := w.Baked.Charts[0].Layers[0].Luxels
		if coloured := c[0][0] != c[0][1]; coloured != (base == "lit.bsp" || base == "bspx.bsp") {
			t.Errorf("%s: its light is %v", base, c[0].Float32())
		}
	}
}

// Random changes of bytes never crash the decoder, and the resulting world is valid.
func TestChangedBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, v := range all {
		whole := everything().Write(v.Variant)
		w := decode(t, whole)
		sound(t, w)
		for range 600 / testkit.Step(2, 20) { // FuzzDecode tries more
			data := bytes.Clone(whole)
			for range 1 + r.IntN(6) {
				at := r.IntN(len(data))
				if r.IntN(2) == 0 {
					at = r.IntN(min(300, len(data)))
				}
				data[at] = byte([]int{0, 1, 0x7f, 0x80, 0xff, r.IntN(256)}[r.IntN(6)])
			}
			if r.IntN(10) == 0 {
				data = data[:r.IntN(len(data))]
			}
			hold(t, data)
		}
	}
}

// hold decodes bytes within a small budget.
func hold(t *testing.T, data []byte) {
	t.Helper()
	b := limit.NewBudget(limit.Limits{MaxMemory: 64 << 20})
	files := fstest.MapFS{"x.lit": {Data: data}}
	w, err := decodeWith(data, b, goldsrc.Options{Name: "x", Files: files, Albedo: 0.35})
	if err == nil {
		sound(t, w)
		return
	}
	if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) && !errors.Is(err, errors.ErrUnsupported) {
		t.Fatal(err)
	}
	if b.Reserved() > 64<<20 {
		t.Fatalf("%d bytes are reserved", b.Reserved())
	}
}

// A small hostile map can't use much memory: all faces use all edges, every face all light, and all models all faces.
func TestSmallFilesStaySmall(t *testing.T) {
	for _, v := range []qbsp.Variant{qbsp.BSP2, qbsp.HalfLife} {
		m := floor(bricks)
		for len(m.Surfedges) < 60000 {
			m.Surfedges = append(m.Surfedges, m.Surfedges[:4]...)
		}
		m.Light(0, []uint8{0, 0, 0, 0}, told)
		m.Faces[0].NumEdges = 60000
		for range 12 {
			m.Faces = append(m.Faces, m.Faces...)
		}
		for range 6 {
			m.Models = append(m.Models, qbsp.Model{NumFaces: int32(len(m.Faces))})
		}
		_, err := decodeWith(m.Write(v), limit.NewBudget(limit.Limits{MaxMemory: 64 << 20}), goldsrc.Options{})
		if !errors.Is(err, limit.ErrLimit) {
			t.Error(err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	testkit.Unminimized(f)
	for _, v := range all {
		f.Add(everything().Write(v.Variant))
	}
	small, _ := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "goldsrc", "maps", "*.bsp"))
	for _, name := range small {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { hold(t, data) })
}

// A floor of 64 x 64 faces of 5 x 5 luxels.
func BenchmarkFaces(b *testing.B) {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	info := m.Project(bricks, vec3{0, 0, 1}, 0)
	for y := range 64 {
		for x := range 64 {
			m.Polygon(info, square(64*float32(x), 64*float32(y), 0)...)
		}
	}
	m.LightAll(qbsp.RGB{1, 2, 3})
	data := m.Write(qbsp.HalfLife)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		decode(b, data)
	}
}

package md3

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/md3test"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// twoFrames returns a triangle that rises by 1 unit from frame to frame.
func twoFrames() md3test.Model {
	s := md3test.Triangle("H_Head_1", `Models\Players\Glass.tga.TGA`)
	second := append([]md3test.Vertex(nil), s.Vertices[0]...)
	for i := range second {
		second[i].Z += 64
	}
	s.Vertices = append(s.Vertices, second)
	return md3test.Model{Frames: 2, Surfaces: []md3test.Surface{s}}
}

func budget() *limit.Budget { return limit.NewBudget(limit.Limits{}) }

func TestDecodesTriangle(t *testing.T) {
	m, shaders, names, err := Decode("models/a.md3", twoFrames().Bytes(), 0, budget())
	if err != nil {
		t.Fatal(err)
	}
	up, white := [3]float32{0, 0, 1}, [4]float32{1, 1, 1, 1}
	want := &world.Model{
		Name: "models/a.md3", Maxs: [3]float32{64, 32, 0},
		Surfaces: []world.Surface{{
			Chart: world.NoChart, Fog: -1,
			Shape: &world.Triangles{
				Vertices: []world.Vertex{
					{Normal: up, UV: [2]float32{0, 1}, Color: white},
					{Position: [3]float32{64, 0, 0}, Normal: up, UV: [2]float32{1, 1}, Color: white},
					{Position: [3]float32{0, 32, 0}, Normal: up, UV: [2]float32{0, 0}, Color: white},
				},
				Indices: []uint32{0, 1, 2}, // stored 0 2 1; (64 0 0) x (0 32 0) is +Z, as the normals
			},
		}},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"models/players/glass.tga"}, shaders); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"h_head"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestFrameIsClamped(t *testing.T) {
	for frame, z := range map[int]float32{-5: 0, 0: 0, 1: 1, 2: 1, math.MaxInt: 1} {
		m, _, _, err := Decode("", twoFrames().Bytes(), frame, budget())
		if err != nil {
			t.Fatal(err)
		}
		if m.Mins[2] != z {
			t.Errorf("frame %d is at %g, want %g", frame, m.Mins[2], z)
		}
	}
}

func TestBlocksInAnyOrder(t *testing.T) {
	var want *world.Model
	for _, order := range []string{"tsuv", "stuv", "vust", "uvts"} {
		f := twoFrames()
		f.Surfaces = append(f.Surfaces, f.Surfaces[0])
		f.Surfaces[1].Order = order
		m, _, _, err := Decode("", f.Bytes(), 1, budget())
		if err != nil {
			t.Fatal(order, err)
		}
		if want == nil {
			want = m
		}
		if diff := cmp.Diff(want, m); diff != "" {
			t.Error(order, diff)
		}
	}
}

func TestNormals(t *testing.T) {
	for _, test := range []struct {
		polar, azimuth uint8
		want           [3]float64
	}{
		{0, 0, [3]float64{0, 0, 1}},
		{0, 99, [3]float64{0, 0, 1}},
		{51, 0, [3]float64{0.951057, 0, 0.309017}}, // 51/255 of a turn is 72 degrees
		{51, 51, [3]float64{0.293893, 0.904508, 0.309017}},
		{128, 0, [3]float64{0, 0, -1}}, // the special case of q3data for straight down
	} {
		f := twoFrames()
		f.Surfaces[0].Vertices[0][0].Polar, f.Surfaces[0].Vertices[0][0].Azimuth = test.polar, test.azimuth
		m, _, _, err := Decode("", f.Bytes(), 0, budget())
		if err != nil {
			t.Fatal(err)
		}
		n := m.Surfaces[0].Shape.(*world.Triangles).Vertices[0].Normal
		for k := range n {
			if math.Abs(float64(n[k])-test.want[k]) > 0.013 { // the last case is off by 0.7 degrees
				t.Errorf("%d %d: %v, want %v", test.polar, test.azimuth, n, test.want)
				break
			}
		}
	}
}

// Offsets of fields in the file of twoFrames.
const (
	surface    = 108 + 2*56
	triangles0 = surface + 108
)

func TestOddFiles(t *testing.T) {
	set := func(offset int, v int32) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[offset:], uint32(v))
			return b
		}
	}
	for _, test := range []struct {
		name string
		edit func([]byte) []byte
		err  error // nil: decodes
		text string
	}{
		{"whole", set(surface, 0), nil, ""}, // the surface's ident
		{"empty", func(b []byte) []byte { return nil }, limit.ErrCorrupt, "md3: header: at byte 0: 4 bytes wanted, 0 left"},
		{"half a header", func(b []byte) []byte { return b[:100] }, limit.ErrCorrupt, "header"},
		{"other ident", set(0, 0x32504449), limit.ErrCorrupt, `it starts with "IDP2"`},
		{"version 14", set(4, 14), errors.ErrUnsupported, "md3: version 14: unsupported operation"},
		{"no frames", set(76, 0), limit.ErrCorrupt, "0 frames"},
		{"one frame more than the surface", set(76, 3), nil, ""},
		{"-1 surfaces", set(84, -1), limit.ErrCorrupt, "-1 surfaces"},
		{"no surfaces", set(84, 0), nil, ""},
		{"a surface too many", set(84, 2), limit.ErrCorrupt, "surface 1: at byte 0: 4 bytes wanted, 0 left"},
		{"surfaces before the file", set(100, -108), limit.ErrCorrupt, "surface 0: its offset -108"},
		{"surfaces behind the file", set(100, 1<<30), limit.ErrCorrupt, "surface 0: its offset 1073741824 is outside"},
		{"ofsEnd of the file is wrong", set(104, 7), nil, ""},
		{"surface without frames", set(surface+72, 0), limit.ErrCorrupt, "0 frames, 1 shaders"},
		{"no shader", set(surface+76, 0), nil, ""},
		{"-1 shaders", set(surface+76, -1), limit.ErrCorrupt, "-1 shaders"},
		{"-1 vertices", set(surface+80, -1), limit.ErrCorrupt, "-1 texture coordinates"},
		{"no vertices", set(surface+80, 0), limit.ErrCorrupt, "triangle 0: vertex 2 is outside its 0"},
		{"2^31-1 vertices", set(surface+80, math.MaxInt32), limit.ErrCorrupt, "2147483647 texture coordinates"},
		{"no triangles", set(surface+84, 0), nil, ""},
		{"2^31-1 triangles", set(surface+84, math.MaxInt32), limit.ErrCorrupt, "2147483647 triangles"},
		{"triangles in the header", set(surface+88, 4), limit.ErrCorrupt, "1 triangles at 4"},
		{"shaders outside", set(surface+92, 1<<20), limit.ErrCorrupt, "1 shaders at 1048576"},
		{"UVs outside", set(surface+96, -1), limit.ErrCorrupt, "3 texture coordinates"},
		{"vertices outside", set(surface+100, 300), limit.ErrCorrupt, "3 vertices"},
		{"next surface at this one", set(surface+104, 0), limit.ErrCorrupt, "it ends at 0"},
		{"vertex 3 of 3", set(triangles0, 3), limit.ErrCorrupt, "triangle 0: vertex 3 is outside its 3"},
		{"vertex -1", set(triangles0, -1), limit.ErrCorrupt, "vertex -1"},
		{"UV is NaN", set(triangles0+12+68, 0x7fc00000), nil, ""},
		{"last byte is missing", func(b []byte) []byte { return b[:len(b)-1] }, nil, ""}, // in frame 1
		{"half", func(b []byte) []byte { return b[:len(b)-30] }, limit.ErrCorrupt, "surface 0: 3 vertices at"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := budget()
			_, shaders, _, err := Decode("", test.edit(twoFrames().Bytes()), 0, b)
			if !errors.Is(err, test.err) || test.err == nil && err != nil {
				t.Fatalf("got %v, want %v", err, test.err)
			}
			if err != nil && !strings.Contains(err.Error(), test.text) {
				t.Errorf("%q has no %q", err, test.text)
			}
			if test.name == "no shader" && shaders[0] != "" {
				t.Errorf("shader %q", shaders[0])
			}
			if err != nil {
				if err := b.Reserve(b.Limits.MaxMemory); err != nil {
					t.Error("not all that was reserved was released")
				}
			}
		})
	}
}

func TestSharedBlocksAreRefused(t *testing.T) {
	// 50 surface headers whose blocks are all the same 1000 triangles.
	s := md3test.Triangle("a", "b")
	for range 999 {
		s.Triangles = append(s.Triangles, s.Triangles[0])
	}
	s.Order = "suvt"
	one := md3test.Model{Frames: 1, Surfaces: []md3test.Surface{s}}.Bytes()
	head, first := one[:108+56], one[108+56:]
	data := bytes.Clone(head)
	binary.LittleEndian.PutUint32(data[84:], 50)
	for i := range 50 {
		h := bytes.Clone(first[:108])
		for _, field := range []int{88, 92, 96, 100} {
			v := binary.LittleEndian.Uint32(h[field:])
			binary.LittleEndian.PutUint32(h[field:], v+uint32(49-i)*108)
		}
		binary.LittleEndian.PutUint32(h[104:], 108)
		data = append(data, h...)
	}
	data = append(data, first[108:]...)
	_, _, _, err := Decode("", data, 0, budget())
	if !errors.Is(err, limit.ErrCorrupt) || !strings.Contains(err.Error(), "shares its bytes") {
		t.Error(err)
	}
}

func TestBudget(t *testing.T) {
	_, _, _, err := Decode("", twoFrames().Bytes(), 0, limit.NewBudget(limit.Limits{MaxMemory: 100}))
	if !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
}

func TestShaderName(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "A": "a", `textures\Sfx/Glass.TGA`: "textures/sfx/glass", "a.b/c": "a.b/c", "x.tga.tga": "x.tga", "caf\xe9": "café",
	} {
		if got := ShaderName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(twoFrames().Bytes(), 1)
	f.Add(md3test.Model{Frames: 1, Surfaces: []md3test.Surface{md3test.Triangle("a", "b"), md3test.Triangle("c", "")}}.Bytes(), 0)
	f.Fuzz(func(t *testing.T, data []byte, frame int) {
		m, shaders, names, err := Decode("x", data, frame, budget())
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		check(t, m, shaders, names, len(data))
	})
}

// check tests what Decode promises of a model of size bytes.
func check(t *testing.T, m *world.Model, shaders, names []string, size int) {
	t.Helper()
	bytes := 0
	for i, s := range m.Surfaces {
		shape := s.Shape.(*world.Triangles)
		bytes += 16*len(shape.Vertices) + 4*len(shape.Indices)
		if s.Material != i || s.Chart != world.NoChart || s.Fog != -1 || len(shape.Indices)%3 != 0 || len(shape.Indices) == 0 {
			t.Fatal("surface", i, s)
		}
		for _, x := range shape.Indices {
			if int(x) >= len(shape.Vertices) {
				t.Fatal("index", x, "of", len(shape.Vertices))
			}
		}
		for _, v := range shape.Vertices {
			n := v.Normal
			if l := n[0]*n[0] + n[1]*n[1] + n[2]*n[2]; !(l > 0.999 && l < 1.001) || v.UV[0]-v.UV[0] != 0 || v.UV[1]-v.UV[1] != 0 {
				t.Fatal(v)
			}
			for k, x := range v.Position {
				if x < m.Mins[k] || x > m.Maxs[k] {
					t.Fatal(v.Position, "is outside the box")
				}
			}
		}
	}
	if len(shaders) != len(m.Surfaces) || len(names) != len(m.Surfaces) || bytes > size {
		t.Fatal(len(shaders), len(names), len(m.Surfaces), bytes, size)
	}
}

// BenchmarkDecode reads 32 surfaces of 1000 vertices and 1000 triangles: 0.9 MB, one frame.
func BenchmarkDecode(b *testing.B) {
	s := md3test.Triangle("a", "b")
	for len(s.UV) < 1000 {
		s.UV, s.Vertices[0], s.Triangles = append(s.UV, s.UV[0]), append(s.Vertices[0], s.Vertices[0][0]),
			append(s.Triangles, s.Triangles[0])
	}
	f := md3test.Model{Frames: 1}
	for range 32 {
		f.Surfaces = append(f.Surfaces, s)
	}
	data := f.Bytes()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, _, err := Decode("", data, 0, budget()); err != nil {
			b.Fatal(err)
		}
	}
}

package spr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/spr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func budget() *limit.Budget { return limit.NewBudget(limit.Limits{}) }

// two returns a sprite of two colours with two frames: 2 x 1 pixels, and a group of 1 x 1 and 1 x 2.
func two(version, format int32) *build.Sprite {
	return &build.Sprite{Version: version, Format: format, Palette: [][3]byte{{1, 2, 3}, {4, 5, 6}}, Frames: []build.Frame{
		{{X: -3, Y: 5, Width: 2, Height: 1, Pixels: []byte{1, 255}}},
		{{X: 0, Y: 0, Width: 1, Height: 1, Pixels: []byte{7}}, {Width: 1, Height: 2, Pixels: []byte{8, 9}}},
	}}
}

// The upper left corner is 3 left of the place, where +Y is, and 5 above it; the lower right one 1 left and 4 above.
func TestDecodesCard(t *testing.T) {
	m, material, err := Decode("sprites/a.spr", two(2, build.Normal).Bytes(), 0, 0, budget())
	if err != nil {
		t.Fatal(err)
	}
	back, white := [3]float32{-1, 0, 0}, [4]float32{1, 1, 1, 1}
	want := &world.Model{
		Name: "sprites/a.spr", Mins: [3]float32{0, 1, 4}, Maxs: [3]float32{0, 3, 5},
		Surfaces: []world.Surface{{Chart: world.NoChart, Fog: -1, Shape: &world.Triangles{
			Vertices: []world.Vertex{
				{Position: [3]float32{0, 3, 4}, Normal: back, UV: [2]float32{0, 1}, Color: white},
				{Position: [3]float32{0, 1, 4}, Normal: back, UV: [2]float32{1, 1}, Color: white},
				{Position: [3]float32{0, 1, 5}, Normal: back, UV: [2]float32{1, 0}, Color: white},
				{Position: [3]float32{0, 3, 5}, Normal: back, UV: [2]float32{0, 0}, Color: white},
			},
			Indices: []uint32{0, 1, 2, 0, 2, 3}, // (0 -2 0) x (0 -2 1) is -X
		}}},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
	palette := make([][3]uint8, 256)
	palette[0], palette[1] = [3]uint8{1, 2, 3}, [3]uint8{4, 5, 6}
	wantMaterial := world.Material{
		Name: "sprites/a", Lighting: world.Fullbright, TwoSided: true, Width: 2, Height: 1, Opacity: 1,
		Texture: &world.Texture{Width: 2, Height: 1, Pixels: []byte{1, 255}, Palette: palette},
	}
	if diff := cmp.Diff(wantMaterial, material); diff != "" {
		t.Error(diff)
	}
}

func TestFormats(t *testing.T) {
	for _, test := range []struct {
		version, format        int32
		blend                  world.Blend
		hole, alpha, ownColors bool
	}{
		{1, 0, world.BlendMask, true, false, false},
		{2, build.Normal, world.BlendNone, false, false, true},
		{2, build.Additive, world.BlendAdd, false, false, true},
		{2, build.IndexAlpha, world.BlendAlpha, false, true, true},
		{2, build.AlphaTest, world.BlendMask, true, false, true},
	} {
		_, m, err := Decode("a.spr", two(test.version, test.format).Bytes(), 0, 0, budget())
		if err != nil {
			t.Fatal(err)
		}
		if m.Blend != test.blend || m.Texture.Hole != test.hole || m.Texture.AlphaIndex != test.alpha ||
			(m.Texture.Palette != nil) != test.ownColors {
			t.Errorf("%+v: %+v %+v", test, m, m.Texture)
		}
	}
}

func TestFrameIsClamped(t *testing.T) {
	for frame, want := range map[int]string{-1: "a", 0: "a", 1: "a/1", 2: "a/1", math.MaxInt: "a/1"} {
		_, m, err := Decode("a.spr", two(1, 0).Bytes(), frame, 0, budget())
		if err != nil || m.Name != want || m.Width != 2 && m.Texture.Pixels[0] != 7 {
			t.Errorf("frame %d: %+v %v", frame, m, err)
		}
	}
}

// The pictures that follow a frame are all the others in turn, if they cover the same place and none is broken.
func TestFramesTakeTurns(t *testing.T) {
	frame := func(x int32, pixel byte) build.Frame {
		return build.Frame{{X: x, Y: 1, Width: 1, Height: 1, Pixels: []byte{pixel}}}
	}
	three := &build.Sprite{Version: 1, Frames: []build.Frame{frame(2, 10), frame(2, 11), frame(2, 12)}}
	moved := &build.Sprite{Version: 1, Frames: []build.Frame{frame(2, 10), frame(3, 11), frame(2, 12)}}
	long := &build.Sprite{Version: 1, Frames: slices.Repeat([]build.Frame{frame(2, 10)}, maxFrames+1)}
	for _, c := range []struct {
		name  string
		data  []byte
		frame int
		fps   float64
		want  []byte
	}{
		{"from the first", three.Bytes(), 0, 5, []byte{10, 11, 12}},
		{"from the second", three.Bytes(), 1, 5, []byte{11, 12, 10}},
		{"standing", three.Bytes(), 1, 0, []byte{11}},
		{"one that is elsewhere", moved.Bytes(), 0, 5, []byte{10}},
		{"too many", long.Bytes(), 0, 5, []byte{10}},
		{"broken behind the first", three.Bytes()[:len(three.Bytes())-1], 0, 5, []byte{10}},
	} {
		_, m, err := Decode("a.spr", c.data, c.frame, c.fps, budget())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := m.Texture.Pixels
		for _, next := range m.Texture.Next {
			got = append(got, next.Pixels...)
		}
		if !bytes.Equal(got, c.want) || (m.FPS == 5) != (len(c.want) > 1) {
			t.Errorf("%s: %v at %g a second, want %v", c.name, got, m.FPS, c.want)
		}
	}
}

func TestOddFiles(t *testing.T) {
	set := func(offset int, v int32) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[offset:], uint32(v))
			return b
		}
	}
	const first = 42 + 6 // the first frame, behind two colours
	for _, test := range []struct {
		name string
		edit func([]byte) []byte
		err  error // nil: decodes
		text string
	}{
		{"whole", set(16, 0), nil, ""},
		{"empty", func([]byte) []byte { return nil }, limit.ErrCorrupt, "header"},
		{"other ident", set(0, 1), limit.ErrCorrupt, "IDSP"},
		{"version 32", set(4, 32), errors.ErrUnsupported, "version 32"},
		{"way 4", set(12, 4), limit.ErrCorrupt, "way 4"},
		{"no frames", set(28, 0), limit.ErrCorrupt, "0 frames"},
		{"2^31-1 frames", set(28, math.MaxInt32), nil, ""}, // the one that is wanted is there
		{"no colours", func(b []byte) []byte { b[40] = 0; return b }, limit.ErrCorrupt, "0 colours"},
		{"512 colours", func(b []byte) []byte { b[41] = 2; return b }, limit.ErrCorrupt, "514 colours"},
		{"no width", set(first+12, 0), limit.ErrCorrupt, "0 x 1 pixels"},
		{"2^31-1 pixels high", set(first+16, math.MaxInt32), limit.ErrCorrupt, "pixels"},
		{"pixels past the end", set(first+16, 1<<14), limit.ErrCorrupt, "wanted"},
		{"a corner far away", set(first+4, math.MinInt32), limit.ErrCorrupt, "pixels at"},
		{"a group of 0", set(first+26, 0), limit.ErrCorrupt, "a group of 0"},
		{"a group of 2^31-1", set(first+26, math.MaxInt32), limit.ErrCorrupt, "a group of"},
		{"half", func(b []byte) []byte { return b[:first+20] }, limit.ErrCorrupt, "wanted"},
	} {
		b := budget()
		_, _, err := Decode("a.spr", test.edit(two(2, 0).Bytes()), 1, 0, b)
		if !errors.Is(err, test.err) || test.err == nil && err != nil || err != nil && !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v, want %v %q", test.name, err, test.err, test.text)
		}
		if err != nil && b.Reserved() != 0 {
			t.Error(test.name, b.Reserved())
		}
	}
	if _, _, err := Decode("a.spr", two(1, 0).Bytes(), 0, 0, limit.NewBudget(limit.Limits{MaxMemory: 100})); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
}

// ours returns our own sprites by name.
func ours(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	names, _ := filepath.Glob("../../../testdata/goldsrc/sprites/*.spr")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = data
	}
	return files
}

func TestOurSprites(t *testing.T) {
	files := ours(t)
	if len(files) != 5 {
		t.Fatal(len(files), "sprites")
	}
	for name, data := range files {
		for frame, size := range []float32{32, 16} {
			m, material, err := Decode(name, data, frame, 0, budget())
			if err != nil || m.Maxs[1] != size/2 || material.Width != int(size) {
				t.Error(name, frame, m, err)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, data := range ours(f) {
		f.Add(data, 1)
	}
	f.Add(two(2, build.Additive).Bytes(), 0)
	f.Add(two(1, 0).Bytes(), 1)
	f.Fuzz(func(t *testing.T, data []byte, frame int) {
		m, material, err := Decode("x.spr", data, frame, 10, budget())
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		x := material.Texture
		for _, next := range x.Next {
			if len(next.Pixels) != len(x.Pixels) || len(x.Pixels)*(1+len(x.Next)) > len(data) || material.FPS != 10 {
				t.Fatal(len(x.Next), len(next.Pixels), material.FPS)
			}
		}
		if len(x.Pixels) != x.Width*x.Height || len(x.Pixels) > len(data) || x.Palette != nil && len(x.Palette) != 256 {
			t.Fatal(x.Width, x.Height, len(x.Pixels), len(x.Palette))
		}
		for k := range 3 {
			if !(m.Mins[k] >= -1<<15 && m.Maxs[k] <= 1<<15 && m.Mins[k] <= m.Maxs[k]) {
				t.Fatal(m.Mins, m.Maxs)
			}
		}
	})
}

// BenchmarkDecode reads the last of 16 frames of 256 x 256 pixels: 1 MB.
func BenchmarkDecode(b *testing.B) {
	s := two(2, build.Normal)
	s.Frames = nil
	for range 16 {
		s.Frames = append(s.Frames, build.Frame{{Width: 256, Height: 256, Pixels: make([]byte, 65536)}})
	}
	data := s.Bytes()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Decode("a.spr", data, 15, 0, budget()); err != nil {
			b.Fatal(err)
		}
	}
}

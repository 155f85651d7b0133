package quakemdl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func budget() *limit.Budget { return limit.NewBudget(limit.Limits{}) }

func file(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// mdl returns a triangle of 1 x 2 units in the plane z = 5 that looks up, twice: as front and as back, with the third vertex
// on the seam. It has a skin and a group of two, and a frame and a group of one, which is 10 higher.
func mdl() []byte {
	points := func(z byte) []byte { return []byte{0, 0, z, 0, 2, 0, z, 0, 0, 2, z, 0} }
	return file([]byte("IDPO"), int32(6), [3]float32{0.5, 1, 1}, [3]float32{0, 0, 5}, [4]float32{},
		[]int32{2, 8, 4, 3, 2, 2, 0, 0}, float32(0),
		int32(0), make([]byte, 32), int32(1), int32(2), [2]float32{}, bytes.Repeat([]byte{9}, 32), make([]byte, 32),
		[3][3]int32{{0, 0, 0}, {0, 3, 0}, {1, 1, 2}}, [2][4]int32{{1, 0, 2, 1}, {0, 0, 2, 1}},
		int32(0), make([]byte, 24), points(0), int32(1), int32(1), make([]byte, 8), float32(0), make([]byte, 24), points(10))
}

// The skin is 8 x 4 pixels: vertex 0 is at 0.5/8 and 0.5/4, vertex 1 at 3.5/8, vertex 2 at 1.5/8 and 2.5/4, and on the
// back half a skin further to the right.
func TestDecodesMDL(t *testing.T) {
	m, material, err := DecodeMDL("progs/a.mdl", mdl(), FrameMember{Frame: 0}, 1, budget())
	if err != nil {
		t.Fatal(err)
	}
	up, white := [3]float32{0, 0, 1}, [4]float32{1, 1, 1, 1}
	vertex := func(x, y, u, v float32) world.Vertex {
		return world.Vertex{Position: [3]float32{x, y, 5}, Normal: up, UV: [2]float32{u, v}, Color: white}
	}
	want := &world.Model{
		Name: "progs/a.mdl", Mins: [3]float32{0, 0, 5}, Maxs: [3]float32{1, 2, 5},
		Surfaces: []world.Surface{{Chart: world.NoChart, Fog: -1, Shape: &world.Triangles{
			Vertices: []world.Vertex{vertex(0, 0, 0.0625, 0.125), vertex(1, 0, 0.4375, 0.125), vertex(0, 2, 0.1875, 0.625),
				vertex(0, 2, 0.6875, 0.625)},
			Indices: []uint32{0, 1, 2, 0, 1, 3},
		}}},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
	wantMaterial := world.Material{Name: "progs/a.mdl/1", Lighting: world.PerVertex, Width: 8, Height: 4,
		Texture: &world.Texture{Width: 8, Height: 4, Pixels: bytes.Repeat([]byte{9}, 32)}}
	if diff := cmp.Diff(wantMaterial, material); diff != "" {
		t.Error(diff)
	}
}

// rapo returns the same in the format of Hexen II's mission pack: the triangles name texture coordinates, of which there are four.
func rapo() []byte {
	points := []byte{0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0}
	return file([]byte("RAPO"), int32(50), [3]float32{0.5, 1, 1}, [3]float32{0, 0, 5}, [4]float32{},
		[]int32{1, 8, 4, 3, 2, 1, 0, 0}, float32(0), int32(4), int32(0), make([]byte, 32),
		[4][3]int32{{0, 0, 0}, {0, 3, 0}, {1, 1, 2}, {0, 6, 1}}, int32(1), [6]uint16{0, 2, 1, 0, 2, 1}, int32(0),
		[6]uint16{0, 2, 1, 3, 2, 1},
		int32(0), make([]byte, 24), points)
}

// A corner has the position of its vertex and the place that its triangle names: 6.5/8 and 1.5/4 for vertex 0 of the back.
func TestDecodesHexenMissionPack(t *testing.T) {
	m, _, err := DecodeMDL("models/a.mdl", rapo(), FrameMember{Frame: 0}, 0, budget())
	if err != nil {
		t.Fatal(err)
	}
	v := m.Surfaces[0].Shape.(*world.Triangles).Vertices
	if len(v) != 5 || v[0].UV != [2]float32{0.0625, 0.125} || v[3].UV != [2]float32{0.8125, 0.375} || v[0].Position != v[3].Position ||
		v[4].UV != [2]float32{0.6875, 0.625} {
		t.Errorf("%+v", v)
	}
	list, more, err := FrameMembers(rapo(), 9)
	if len(list) != 1 || more || err != nil {
		t.Error(list, more, err)
	}
}

func TestFramesAndSkinsAreClamped(t *testing.T) {
	for n, want := range map[int]float32{-1: 5, 0: 5, 1: 15, math.MaxInt: 15} {
		m, material, err := DecodeMDL("a", mdl(), FrameMember{Frame: n}, n, budget())
		if err != nil || m.Mins[2] != want || (material.Texture.Pixels[0] == 9) != (want == 15) {
			t.Errorf("%d: %v %v %v", n, m, material, err)
		}
		m, picture, err := DecodeMD2("a", md2(), n, n, budget())
		if err != nil || m.Mins[2] != want || picture != map[float32]string{5: `A\one.pcx`, 15: "two.pcx"}[want] {
			t.Errorf("%d: %v %v %v", n, m, picture, err)
		}
	}
}

func TestHolesOfHexen(t *testing.T) {
	data := mdl()
	data[77] = 0x40
	_, material, err := DecodeMDL("a", data, FrameMember{Frame: 0}, 0, budget())
	if err != nil || !material.Texture.Hole || material.Blend != world.BlendMask {
		t.Error(material, err)
	}
}

// md2 returns the same triangle, once, with two frames and two skins of 8 x 4 pixels.
func md2() []byte {
	name := func(s string) (b [64]byte) { copy(b[:], s); return b }
	frame := func(z float32) []byte {
		return file([3]float32{0.5, 1, 1}, [3]float32{0, 0, z}, make([]byte, 16), []byte{0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0})
	}
	const skins = 68
	return file([]byte("IDP2"), []int32{8, 8, 4, 52, 2, 3, 3, 1, 0, 2, skins, skins + 128, skins + 140, skins + 152, 0, skins + 256},
		name(`A\one.pcx`), name("two.pcx"), [3][2]int16{{0, 0}, {8, 0}, {0, 4}}, [6]uint16{0, 2, 1, 0, 2, 1}, frame(5), frame(15))
}

func TestDecodesMD2(t *testing.T) {
	m, _, err := DecodeMD2("a.md2", md2(), 0, 0, budget())
	if err != nil {
		t.Fatal(err)
	}
	up, white := [3]float32{0, 0, 1}, [4]float32{1, 1, 1, 1}
	want := []world.Vertex{
		{Position: [3]float32{0, 0, 5}, Normal: up, Color: white},
		{Position: [3]float32{1, 0, 5}, Normal: up, UV: [2]float32{1, 0}, Color: white},
		{Position: [3]float32{0, 2, 5}, Normal: up, UV: [2]float32{0, 1}, Color: white},
	}
	if diff := cmp.Diff(want, m.Surfaces[0].Shape.(*world.Triangles).Vertices); diff != "" {
		t.Error(diff)
	}
}

func TestOddFiles(t *testing.T) {
	decodeMDL := func(data []byte) error {
		_, _, err := DecodeMDL("a", data, FrameMember{Frame: 1}, 1, budget())
		return err
	}
	decodeMD2 := func(data []byte) error {
		_, _, err := DecodeMD2("a", data, 1, 1, budget())
		return err
	}
	const triangles = 84 + 36 + 16 + 64 + 36
	for _, test := range []struct {
		name   string
		data   []byte
		decode func([]byte) error
		offset int
		value  int32
		err    error // nil: decodes
		text   string
	}{
		{"whole", mdl(), decodeMDL, 80, 0, nil, ""},
		{"other ident", mdl(), decodeMDL, 0, 0, limit.ErrCorrupt, "IDPO"},
		{"version 3", mdl(), decodeMDL, 4, 3, errors.ErrUnsupported, "version 3"},
		{"scale is NaN", mdl(), decodeMDL, 8, 0x7fc00000, limit.ErrCorrupt, "scale"},
		{"offset is infinite", mdl(), decodeMDL, 20, 0x7f800000, limit.ErrCorrupt, "offset"},
		{"-1 skins", mdl(), decodeMDL, 48, -1, limit.ErrCorrupt, "-1 skins"},
		{"2^31-1 wide", mdl(), decodeMDL, 52, math.MaxInt32, limit.ErrCorrupt, "pixels"},
		{"-1 vertices", mdl(), decodeMDL, 60, -1, limit.ErrCorrupt, "-1 vertices"},
		{"2^24 vertices", mdl(), decodeMDL, 60, 1 << 24, limit.ErrCorrupt, "wanted"},
		{"2^24 triangles", mdl(), decodeMDL, 64, 1 << 24, limit.ErrCorrupt, "wanted"},
		{"no frames", mdl(), decodeMDL, 68, 0, limit.ErrCorrupt, "0 frames"},
		{"2^24 frames", mdl(), decodeMDL, 68, 1 << 24, nil, ""}, // those wanted are there
		{"a group of -1 skins", mdl(), decodeMDL, 84 + 40, -1, limit.ErrCorrupt, "a group of -1"},
		{"vertex 3", mdl(), decodeMDL, triangles + 4, 3, limit.ErrCorrupt, "vertex 3"},
		{"version 6 of the mission pack", rapo(), decodeMDL, 4, 6, errors.ErrUnsupported, "version 6"},
		{"-1 texture coordinates", rapo(), decodeMDL, 84, -1, limit.ErrCorrupt, "-1 texture coordinates"},
		{"3 places", rapo(), decodeMDL, 84, 3, limit.ErrCorrupt, "texture coordinates"},
		{"vertex 3 of the mission pack", rapo(), decodeMDL, 88 + 36 + 48 + 4, 3, limit.ErrCorrupt, "vertex 3"},
		{"whole md2", md2(), decodeMD2, 64, 0, nil, ""},
		{"other ident of md2", md2(), decodeMD2, 0, 0, limit.ErrCorrupt, "IDP2"},
		{"version 9 of md2", md2(), decodeMD2, 4, 9, errors.ErrUnsupported, "version 9"},
		{"no height", md2(), decodeMD2, 12, 0, limit.ErrCorrupt, "8 x 0"},
		{"small frames", md2(), decodeMD2, 16, 51, limit.ErrCorrupt, "51 bytes"},
		{"2^31-1 skins", md2(), decodeMD2, 20, math.MaxInt32, limit.ErrCorrupt, "skins"},
		{"2^31-1 vertices", md2(), decodeMD2, 24, math.MaxInt32, limit.ErrCorrupt, "vertices"},
		{"2^31-1 triangles", md2(), decodeMD2, 32, math.MaxInt32, limit.ErrCorrupt, "triangles"},
		{"1 place", md2(), decodeMD2, 28, 1, limit.ErrCorrupt, "texture coordinates 2 of 1"},
		{"frames outside", md2(), decodeMD2, 56, -1, limit.ErrCorrupt, "frames"},
	} {
		data := test.data
		binary.LittleEndian.PutUint32(data[test.offset:], uint32(test.value))
		err := test.decode(data)
		if !errors.Is(err, test.err) || test.err == nil && err != nil || err != nil && !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v, want %v %q", test.name, err, test.err, test.text)
		}
	}
	for _, data := range [][]byte{nil, mdl()[:200], md2()[:200]} {
		if a, b := decodeMDL(data), decodeMD2(data); !errors.Is(a, limit.ErrCorrupt) || !errors.Is(b, limit.ErrCorrupt) {
			t.Error(a, b)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(mdl(), 1, 1)
	f.Add(rapo(), 0, 0)
	f.Add(md2(), 1, 0)
	f.Fuzz(func(t *testing.T, data []byte, frame, skin int) {
		b := budget()
		m, _, err := DecodeMDL("x", data, FrameMember{Frame: frame}, skin, b)
		sound(t, m, err, b)
		b = budget()
		m, _, err = DecodeMD2("x", data, frame, skin, b)
		sound(t, m, err, b)
	})
}

// sound tests what a decoder promises.
func sound(t *testing.T, m *world.Model, err error, b *limit.Budget) {
	t.Helper()
	if err != nil {
		if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) || b.Reserved() != 0 {
			t.Fatal(err, b.Reserved())
		}
		return
	}
	for _, s := range m.Surfaces {
		shape := s.Shape.(*world.Triangles)
		for _, i := range shape.Indices {
			if int(i) >= len(shape.Vertices) {
				t.Fatal(i)
			}
		}
		for _, v := range shape.Vertices {
			for k, x := range v.Position {
				if !(x >= m.Mins[k] && x <= m.Maxs[k] && math.Abs(float64(x)) < 1<<24) || v.Normal[k]-v.Normal[k] != 0 {
					t.Fatal(v)
				}
			}
		}
	}
}

// BenchmarkMDL reads a model of 2000 triangles with a skin of 256 x 256 pixels: 0.1 MB.
func BenchmarkMDL(b *testing.B) {
	data := file([]byte("IDPO"), int32(6), [3]float32{1, 1, 1}, [3]float32{}, [4]float32{}, []int32{1, 256, 256, 1002, 2000, 1, 0, 0},
		float32(0),
		int32(0), make([]byte, 65536))
	for i := range int32(1002) {
		data = append(data, file(int32(0), i%256, i/4)...)
	}
	for i := range int32(2000) {
		data = append(data, file(int32(1), i/2, i/2+1, i/2+2)...)
	}
	data = append(data, make([]byte, 28)...)
	for i := range 1002 {
		data = append(data, byte(i), byte(i/4), byte(i*i), 0)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := DecodeMDL("a", data, FrameMember{Frame: 0}, 0, budget()); err != nil {
			b.Fatal(err)
		}
	}
}

package source_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sign returns an overlay of 32 x 16 units in the middle of the square at the origin, on these faces.
func sign(m *vbsp.Map, faces ...int32) vbsp.Overlay {
	return vbsp.Overlay{
		TexInfo: int16(m.Project(vbsp.Material{Name: "decals/sign", Width: 64, Height: 32}, vec3{0, 0, 1})),
		Faces:   faces, U: vec2{0, 1}, V: vec2{1, 0}, Corners: [4]vec2{{-16, -8}, {-16, 8}, {16, 8}, {16, -8}},
		Origin: vec3{32, 32, 0}, Normal: vec3{0, 0, 1}, Basis: vec3{1, 0, 0},
	}
}

// overlays returns the surfaces of the world that are overlays.
func overlays(w *decoding.Map) (list []world.Surface) {
	for _, s := range w.Models[0].Surfaces {
		if _, ok := s.Shape.(*world.Overlay); ok {
			list = append(list, s)
		}
	}
	return list
}

// Seen from above, the file's corners are lower left, upper left, upper right and lower right; the picture's lower left
// is (0, 1), because V grows downwards.
func TestOverlayWorkedOut(t *testing.T) {
	want := [4]world.Corner{
		{Position: vec3{16, 24, 0}, UV: vec2{0, 1}}, {Position: vec3{48, 24, 0}, UV: vec2{1, 1}},
		{Position: vec3{48, 40, 0}, UV: vec2{1, 0}}, {Position: vec3{16, 40, 0}, UV: vec2{0, 0}},
	}
	for _, c := range []struct {
		what string
		set  func(o *vbsp.Overlay)
		want [4]world.Corner
	}{
		{"as it is", func(*vbsp.Overlay) {}, want},
		{"no basis", func(o *vbsp.Overlay) { o.Basis = vec3{} }, want},
		{"a long basis and a long normal", func(o *vbsp.Overlay) { o.Basis, o.Normal = vec3{4, 0, 0}, vec3{0, 0, 2} }, want},
		{"a basis that leans out", func(o *vbsp.Overlay) { o.Basis = vec3{1, 0, 0.5} }, want},
		{"V flipped: the corners are counter-clockwise, and the picture is mirrored", func(o *vbsp.Overlay) { o.FlipV = true },
			[4]world.Corner{
				{Position: vec3{16, 40, 0}, UV: vec2{0, 1}}, {Position: vec3{16, 24, 0}, UV: vec2{0, 0}},
				{Position: vec3{48, 24, 0}, UV: vec2{1, 0}}, {Position: vec3{48, 40, 0}, UV: vec2{1, 1}},
			}},
		{"turned by 90 degrees", func(o *vbsp.Overlay) { o.Basis = vec3{0, 1, 0} }, [4]world.Corner{
			{Position: vec3{40, 16, 0}, UV: vec2{0, 1}}, {Position: vec3{40, 48, 0}, UV: vec2{1, 1}},
			{Position: vec3{24, 48, 0}, UV: vec2{1, 0}}, {Position: vec3{24, 16, 0}, UV: vec2{0, 0}},
		}},
	} {
		m := floor(bricks)
		m.Light(0, []uint8{0}, even(0.5))
		o := sign(m, 0)
		c.set(&o)
		m.Overlays = []vbsp.Overlay{o}
		w := decode(t, m.Write(vbsp.Source2007))
		wantIssues(t, w)
		list := overlays(w)
		if len(list) != 1 {
			t.Fatalf("%s: %d overlays", c.what, len(list))
		}
		s := list[0]
		if got := s.Shape.(*world.Overlay); *got != (world.Overlay{Corners: c.want, Normal: vec3{0, 0, 1}}) {
			t.Errorf("%s: %+v", c.what, *got)
		}
		if m := w.Materials[s.Material]; m.Name != "decals/sign" || m.Lighting != world.Lightmap || s.Chart != 0 || s.Fog != -1 ||
			s.Record != 0 {
			t.Errorf("%s: %+v, %+v", c.what, s, m)
		}
	}
}

// An overlay is on each of its faces once, in the model of the face. It is lit and hidden as its host is.
func TestOverlayHosts(t *testing.T) {
	m := row(3)
	m.Light(1, []uint8{0}, even(0.5))
	m.StartModel()
	hidden := bricks
	hidden.Flags = vbsp.NoDraw
	m.Polygon(m.Project(hidden, vec3{0, 0, 1}), square(0, 0, 64)...)
	m.Overlays = []vbsp.Overlay{sign(m, 1, 3, 1, -1, 99, 0)}
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	list := append(w.Models[0].Surfaces[3:], w.Models[1].Surfaces[1:]...)
	if len(list) != 3 {
		t.Fatalf("%d overlays", len(list))
	}
	for i, want := range []struct {
		host, chart int
		flags       world.Flags
		lighting    world.Lighting
	}{
		{1, 0, 0, world.Lightmap}, {0, world.NoChart, 0, world.Fullbright}, {0, world.NoChart, world.NoDraw, world.Fullbright},
	} {
		s := list[i]
		if h := s.Shape.(*world.Overlay).Host; h != want.host || s.Chart != want.chart || s.Flags != want.flags ||
			w.Materials[s.Material].Lighting != want.lighting {
			t.Errorf("%d: host %d, %+v, %v", i, h, s, w.Materials[s.Material].Lighting)
		}
	}
}

// A render order spans 64 layers. Within one, overlays on the same host increase by one in file order.
func TestOverlayOrder(t *testing.T) {
	m := row(3)
	add := func(order uint16, faces ...int32) {
		o := sign(m, faces...)
		o.Order = order
		m.Overlays = append(m.Overlays, o)
	}
	add(0, 0)    // 0
	add(0, 0, 1) // above that, on both faces
	add(3, 0)    // 3·64
	add(0, 2)    // alone
	add(0, 1)    // above the second
	o := sign(m, 1)
	m.WaterOverlays = []vbsp.Overlay{o} // above those of the other lump
	w := decode(t, m.Write(vbsp.Source2007))
	wantIssues(t, w)
	var got []int
	for _, s := range overlays(w) {
		got = append(got, s.Shape.(*world.Overlay).Order)
	}
	if want := []int{0, 1, 1, 192, 0, 2, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
	m.Overlays = nil
	for range 100 {
		add(3, 0)
	}
	w = decode(t, m.Write(vbsp.Source2007))
	if list := overlays(w); list[98].Shape.(*world.Overlay).Order != 255 || list[62].Shape.(*world.Overlay).Order != 192+62 {
		t.Errorf("%+v", list)
	}
}

// The map has the squares of the distances.
func TestOverlayFades(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct{ stored, want vec2 }{
		{vec2{90000, 360000}, vec2{300, 600}},
		{vec2{0, 360000}, vec2{0, 600}},
		{vec2{-1, 360000}, vec2{600, 600}},
		{vec2{810000, 360000}, vec2{600, 600}},
		{vec2{-1, 0}, vec2{}}, // as the compiler writes it for those that never do
		{vec2{90000, -1}, vec2{}},
		{vec2{0, 1e30}, vec2{}},
		{vec2{0, inf}, vec2{}},
		{vec2{nan, 360000}, vec2{}},
		{vec2{0, nan}, vec2{}},
	} {
		m := floor(bricks)
		m.Overlays = []vbsp.Overlay{sign(m, 0)}
		b, _ := binary.Append(nil, binary.LittleEndian, c.stored)
		w := decode(t, vbsp.Replace(m.Write(vbsp.Source2007), vbsp.LumpOverlayFades, b))
		if got := overlays(w)[0].Shape.(*world.Overlay).Fade; got != c.want {
			t.Errorf("%g: %g, want %g", c.stored, got, c.want)
		}
	}
}

func TestBrokenOverlays(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		what string
		set  func(o *vbsp.Overlay)
		want string // "" is none
	}{
		{"whole", func(*vbsp.Overlay) {}, ""},
		{"no texinfo", func(o *vbsp.Overlay) { o.TexInfo = -1 }, "texinfo -1 of 2"},
		{"texinfo too high", func(o *vbsp.Overlay) { o.TexInfo = 2 }, "texinfo 2 of 2"},
		{"no faces", func(o *vbsp.Overlay) { o.Faces = nil }, "none of its 0 faces is drawn"},
		{"faces that are not there", func(o *vbsp.Overlay) { o.Faces = []int32{1, -1, math.MaxInt32, math.MinInt32} },
			"none of its 4 faces is drawn"},
		{"no normal", func(o *vbsp.Overlay) { o.Normal = vec3{} }, "its corners don't form"},
		{"a normal that is no number", func(o *vbsp.Overlay) { o.Normal[1] = nan }, "its corners don't form"},
		{"nowhere", func(o *vbsp.Overlay) { o.Origin[0] = nan }, "its corners don't form"},
		{"far out", func(o *vbsp.Overlay) { o.Origin[0] = 1e30 }, "its corners don't form"},
		{"a corner that is no number", func(o *vbsp.Overlay) { o.Corners[2][1] = nan }, "its corners don't form"},
		{"corners too far out together", func(o *vbsp.Overlay) { o.Origin[0], o.Corners[2][0] = 1<<24-1, 1<<24-1 },
			"its corners don't form"},
		{"a picture that is no number", func(o *vbsp.Overlay) { o.U[1] = nan }, "its corners don't form"},
		{"a basis that is no number", func(o *vbsp.Overlay) { o.Basis[1] = nan }, ""},
		{"a basis along the normal", func(o *vbsp.Overlay) { o.Basis = o.Normal }, ""},
		{"a bow", func(o *vbsp.Overlay) { o.Corners[0], o.Corners[1] = o.Corners[1], o.Corners[0] }, "its corners don't form"},
		{"a dart", func(o *vbsp.Overlay) { o.Corners[0] = vec2{8, 4} }, "its corners don't form"},
		{"a triangle", func(o *vbsp.Overlay) { o.Corners[0] = vec2{0, 0} }, ""},
		{"a line", func(o *vbsp.Overlay) { o.Corners = [4]vec2{{0, 0}, {1, 1}, {2, 2}, {3, 3}} }, "its corners don't form"},
	} {
		m := floor(bricks)
		o := sign(m, 0)
		c.set(&o)
		m.Overlays = []vbsp.Overlay{o, sign(m, 0)}
		w := decode(t, m.Write(vbsp.Source2007))
		list := overlays(w)
		if c.want == "" {
			wantIssues(t, w)
			if len(list) != 2 {
				t.Errorf("%s: %d overlays", c.what, len(list))
			}
			continue
		}
		if len(list) != 1 || list[0].Record != 1 {
			t.Errorf("%s: %d overlays", c.what, len(list))
		}
		if got := issues(w); len(got) != 1 || !strings.HasPrefix(got[0], "overlay: lump 45 (overlays), overlay 0: "+c.want) {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}

// Water overlays have room for 256 faces, others for 64; a higher count is cut to that.
func TestOverlayCountIsBounded(t *testing.T) {
	m := row(70)
	all := make([]int32, 70)
	for i := range all {
		all[i] = int32(i)
	}
	m.Overlays, m.WaterOverlays = []vbsp.Overlay{sign(m, all[:64]...)}, []vbsp.Overlay{sign(m, all...)}
	data := m.Write(vbsp.Source2007)
	brushmap.SetInt16(data, vbsp.Record(data, vbsp.LumpOverlays, 352, 0)+6, 0x3fff)
	w := decode(t, data)
	wantIssues(t, w)
	if n := len(overlays(w)); n != 64+70 {
		t.Errorf("%d overlays", n)
	}
}

// All overlays of a large lump are on one face: a decoder that compares them with each other takes minutes.
func TestManyOverlays(t *testing.T) {
	if testing.Short() {
		t.Skip("a large map: not with -short")
	}
	m := floor(bricks)
	m.Overlays = []vbsp.Overlay{sign(m, make([]int32, 64)...)}
	data := m.Write(vbsp.Source2007)
	data = vbsp.Replace(data, vbsp.LumpOverlays, bytes.Repeat(stored(data, vbsp.LumpOverlays), 100_000))
	w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(overlays(w)); n != 100_000 {
		t.Errorf("%d overlays", n)
	}
}

func BenchmarkOverlays(b *testing.B) {
	m := row(64)
	var faces []int32
	for i := range 64 {
		faces = append(faces, int32(i))
	}
	for i := range 512 {
		m.Overlays = append(m.Overlays, sign(m, faces[i%60:i%60+4]...))
	}
	benchmark(b, m.Write(vbsp.Source2007), vbsp.LumpOverlays)
}

// benchmark decodes a map; the bytes are those of a lump.
func benchmark(b *testing.B, data []byte, lump int) {
	_, length := vbsp.Lump(data, lump)
	b.SetBytes(int64(length))
	b.ReportAllocs()
	for b.Loop() {
		decode(b, data)
	}
}

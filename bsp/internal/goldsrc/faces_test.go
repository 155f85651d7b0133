package goldsrc_test

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// two returns a map with the square at the origin and one beside it, so that one of them may be dropped.
func two(t qbsp.Texture) *qbsp.Map {
	m := floor(t)
	m.Polygon(m.Project(t, vec3{0, 0, 1}, 0), square(64, 0, 0)...)
	return m
}

func polygon(t *testing.T, w *decoding.Map, surface int) []world.Vertex {
	t.Helper()
	p, ok := w.Models[0].Surfaces[surface].Shape.(*world.Polygon)
	if !ok {
		t.Fatalf("surface %d is a %T", surface, w.Models[0].Surfaces[surface].Shape)
	}
	return p.Corners
}

// Neighbours share an edge, which one of them runs backwards.
func TestSharedEdge(t *testing.T) {
	m := two(bricks)
	back := 0
	for _, e := range m.Surfedges {
		if e < 0 {
			back++
		}
	}
	if back != 1 {
		t.Fatalf("%d edges run backwards", back)
	}
	for _, v := range all {
		w := decode(t, m.Write(v.Variant))
		for k, want := range []vec3{{64, 0, 0}, {128, 0, 0}, {128, 64, 0}, {64, 64, 0}} {
			if p := polygon(t, w, 1)[k].Position; p != want {
				t.Errorf("%s: corner %d is at %v, want %v", v.name, k, p, want)
			}
		}
	}
}

// A face that looks against its plane has the opposite normal.
func TestNormals(t *testing.T) {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Room(bricks, vec3{-64, -64, 0}, vec3{64, 64, 64})
	w := decode(t, m.Write(qbsp.HalfLife))
	for i, want := range []vec3{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}} {
		c := polygon(t, w, i)
		if c[0].Normal != want || math.Signbit(float64(c[0].Normal[(i/2+1)%3])) {
			t.Errorf("face %d: %v, want %v", i, c[0].Normal, want)
		}
		// Counter-clockwise: the cross product of the first two sides is along the normal.
		a, b := sub(c[1].Position, c[0].Position), sub(c[2].Position, c[1].Position)
		n := space.Cross(a, b)
		if n[0]*want[0]+n[1]*want[1]+n[2]*want[2] <= 0 {
			t.Errorf("face %d is clockwise: %v", i, c)
		}
	}
	m.Faces[0].Plane = 99
	if n := polygon(t, decode(t, m.Write(qbsp.HalfLife)), 0)[0].Normal; n != (vec3{}) {
		t.Errorf("a face without a plane has the normal %v", n)
	}
}

func sub(a, b vec3) vec3 { return vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// A broken face is dropped alone, with an issue that says why.
func TestBrokenFacesAreDropped(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		what string
		set  func(m *qbsp.Map, f *qbsp.Face)
		want string
	}{
		{"texinfo", func(_ *qbsp.Map, f *qbsp.Face) { f.TexInfo = 1 }, "face-texinfo: face 1: texinfo 1 of 1"},
		{"few edges", func(_ *qbsp.Map, f *qbsp.Face) { f.NumEdges = 2 }, "face-edges: face 1: 2 edges from 4 of 8"},
		{"many edges", func(_ *qbsp.Map, f *qbsp.Face) { f.NumEdges = 5 }, "face-edges: face 1: 5 edges from 4 of 8"},
		{"edges before the first", func(_ *qbsp.Map, f *qbsp.Face) { f.FirstEdge = -1 }, "face-edges: face 1: 4 edges from -1 of 8"},
		{"edges after the last", func(_ *qbsp.Map, f *qbsp.Face) { f.FirstEdge = math.MaxInt32 },
			"face-edges: face 1: 4 edges from 2147483647 of 8"},
		{"edge", func(m *qbsp.Map, _ *qbsp.Face) { m.Surfedges[6] = math.MinInt32 }, "face-edges: face 1: surfedge 6 leads to no vertex"},
		{"vertex", func(m *qbsp.Map, _ *qbsp.Face) { m.Edges[m.Surfedges[6]][0] = 6 }, "face-edges: face 1: surfedge 6 leads to no vertex"},
		{"no number", func(m *qbsp.Map, _ *qbsp.Face) { m.Vertices[4][1] = nan },
			"face-number: face 1: corner 2 is at [128 NaN 0] with texture coordinates [NaN NaN]"},
		{"far away", func(m *qbsp.Map, _ *qbsp.Face) { m.Vertices[4][0] = 1 << 24 },
			"face-number: face 1: corner 2 is at [1.6777216e+07 64 0] with texture coordinates [524288 -1]"},
	} {
		for _, v := range []qbsp.Variant{qbsp.Quake, qbsp.BSP2} {
			m := two(bricks)
			c.set(m, &m.Faces[1])
			w := decode(t, m.Write(v))
			got := issues(w)
			if len(got) != 1 || got[0] != c.want || len(w.Models[0].Surfaces) != 1 || w.Faces != 2 {
				t.Errorf("%s: %q, %d surfaces of %d faces", c.what, got, len(w.Models[0].Surfaces), w.Faces)
			}
		}
	}
	// BSP2 stores numbers that Quake's records can't.
	m := two(bricks)
	m.Faces[1].TexInfo, m.Faces[1].Plane = 1<<31, 1<<31
	wantIssues(t, decode(t, m.Write(qbsp.BSP2)), "face-texinfo: face 1: texinfo 2147483648 of 1")
	m = two(bricks)
	m.Faces[1].NumEdges = math.MaxUint32
	wantIssues(t, decode(t, m.Write(qbsp.BSP2)), "face-edges: face 1: 4294967295 edges from 4 of 8")
}

// A face belongs to the first model that claims it, and each is accounted for.
func TestFacesOfModels(t *testing.T) {
	m := two(bricks)
	m.Models[0].NumFaces = 1
	m.Models = append(m.Models, qbsp.Model{NumFaces: 1}, qbsp.Model{FirstFace: 1, NumFaces: 2}, qbsp.Model{FirstFace: -1, NumFaces: 1})
	m.Models[1].Mins[0] = float32(math.NaN())
	w := decode(t, m.Write(qbsp.HalfLife))
	wantIssues(t, w,
		"model-box: model *1: the box from [NaN 0 0] to [0 0 0] is left out",
		"model-faces: model *1: 1 of its faces belong to another model",
		"model-faces: model *2: 2 faces from 1 are outside the 2 of the map",
		"model-faces: model *3: 1 faces from -1 are outside the 2 of the map")
	if len(w.Models) != 4 || len(w.Models[0].Surfaces) != 1 || len(w.Models[1].Surfaces) != 0 ||
		len(w.Models[2].Surfaces) != 1 {
		t.Errorf("%+v", w.Models)
	}
}

// A projection that is far away is moved nearer, one that is not finite drops the face.
func TestTextureCoordinatesAreBounded(t *testing.T) {
	m := two(bricks)
	m.TexInfo = append(m.TexInfo, m.TexInfo[0])
	m.Faces[1].TexInfo = 1
	m.TexInfo[1].Vecs[0][3] = float32(math.Inf(1))
	wantIssues(t, decode(t, m.Write(qbsp.HalfLife)),
		"face-number: face 1: corner 0 is at [64 0 0] with texture coordinates [1.6777216e+07 0]")
	m.TexInfo[1].Vecs[0][3] = 1e30
	m.Light(0, []uint8{0}, even(1))
	m.LightSize(1, 5, 5, []uint8{0}, even(1))
	w := decode(t, m.Write(qbsp.HalfLife))
	wantIssues(t, w, "light-range: face 1: 0 x 0 luxels in 1 styles at byte 75 are outside the light of 150 bytes: it is bright")
	for _, v := range polygon(t, w, 1) {
		if v.UV[0] != 1<<24 {
			t.Errorf("%+v", v)
		}
	}
}

// The underside of a liquid is the face at the same place that looks down.
func TestUndersides(t *testing.T) {
	water := qbsp.Texture{Name: "!WATER", Width: 64, Height: 64}
	down := [][3]float32{{0, 0, 8}, {64, 0, 8}, {64, 64, 8}, {0, 64, 8}}
	m := floor(bricks)
	m.Polygon(m.Project(water, vec3{0, 0, 1}, 0), square(0, 0, 8)...)
	m.Polygon(m.Project(water, vec3{0, 0, -1}, 0), down...)
	m.Polygon(m.Project(bricks, vec3{0, 0, -1}, 0), down...)
	m.Polygon(m.Project(water, vec3{0, 0, -1}, 0), [][3]float32{{0, 0, 16}, {64, 0, 16}, {64, 64, 16}, {0, 64, 16}}...)
	w := decode(t, m.Write(qbsp.HalfLife))
	for i, want := range []world.Flags{0, world.Liquid, world.Liquid | world.Underside, 0, world.Liquid} {
		s := w.Models[0].Surfaces[i]
		if s.Flags != want {
			t.Errorf("surface %d: %b, want %b", i, s.Flags, want)
		}
		if got := w.Materials[s.Material].TwoSided; got != (i == 1) {
			t.Errorf("surface %d is visible from both sides: %v", i, got)
		}
	}
}

// GoldSrc draws the surface of water that an entity places, from both sides, but neither its sides, unless its effects ask for them, nor
// its bottom. Of the sides it draws those at a greater distance than the bottom's height. Quake draws all, each from its front.
func TestWaterOfBrushModels(t *testing.T) {
	water := qbsp.Texture{Name: "*water", Width: 64, Height: 64}
	for _, c := range []struct {
		variant  qbsp.Variant
		effects  string
		drawn    [4]bool
		twoSided bool
	}{
		{qbsp.HalfLife, "", [4]bool{true, false, false, false}, true},
		{qbsp.HalfLife, "67108863", [4]bool{true, false, false, false}, true},
		{qbsp.HalfLife, "67108864", [4]bool{true, true, false, false}, true},
		{qbsp.HalfLife, "67108865", [4]bool{true, true, false, false}, true},
		{qbsp.HalfLife, "1e99", [4]bool{true, false, false, false}, true},
		{qbsp.HalfLife, "-67108864", [4]bool{true, false, false, false}, true},
		{qbsp.Quake, "", [4]bool{true, true, true, true}, false},
		{qbsp.Quake, "67108864", [4]bool{true, true, true, true}, false},
	} {
		m := with(qbsp.Entity{{"classname", "func_water"}, {"model", "*1"}, {"effects", c.effects}})
		m.StartModel()
		m.Polygon(m.Project(water, vec3{0, 0, 1}, 0), square(0, 0, 32)...)
		for _, y := range []float32{64, -64} {
			side := [][3]float32{{64, y, 0}, {0, y, 0}, {0, y, 32}, {64, y, 32}}
			m.Polygon(m.Project(water, vec3{0, 1, 0}, 0), side...)
		}
		m.Polygon(m.Project(water, vec3{0, 0, 1}, 0), square(0, 0, 0)...)
		w := decode(t, m.Write(c.variant))
		for i, s := range w.Models[1].Surfaces {
			if got := s.Flags&world.NoDraw == 0; got != c.drawn[i] || w.Materials[s.Material].TwoSided != c.twoSided {
				t.Errorf("%v, %q: surface %d is drawn: %v, from both sides: %v", c.variant, c.effects, i, got,
					w.Materials[s.Material].TwoSided)
			}
		}
	}
}

// Of translucent water that an entity places both faces at one place are drawn, one through the other.
func TestTranslucentWaterIsDrawnTwice(t *testing.T) {
	water := qbsp.Texture{Name: "!WATER", Width: 64, Height: 64}
	for mode, want := range map[string]world.Flags{"0": world.Underside, "2": 0} {
		m := with(qbsp.Entity{{"classname", "func_water"}, {"model", "*1"}, {"rendermode", mode}, {"renderamt", "128"}})
		m.StartModel()
		m.Polygon(m.Project(water, vec3{0, 0, 1}, 0), square(0, 0, 8)...)
		m.Polygon(m.Project(water, vec3{0, 0, -1}, 0), [][3]float32{{0, 0, 8}, {64, 0, 8}, {64, 64, 8}, {0, 64, 8}}...)
		w := decode(t, m.Write(qbsp.HalfLife))
		if got := w.Models[1].Surfaces[1].Flags & world.Underside; got != want {
			t.Errorf("rendermode %s: %b, want %b", mode, got, want)
		}
	}
}

package quake3_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestVerticesOfAllVariants(t *testing.T) {
	s := triangle()
	for i := range s.Vertices {
		v := &s.Vertices[i]
		v.ST = vec2{float32(i), -2}
		v.Light = [4]vec2{{0.25, 0.5}, {9, 9}, {9, 9}, {9, 9}}
		v.Color = [4][4]uint8{{255, 0, 0, 51}, {1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}}
	}
	s.Page[0] = 0
	for _, v := range []ibsp.Variant{ibsp.Quake3, ibsp.RTCW, ibsp.Raven, ibsp.QFusion} {
		m := mapOf(s)
		m.Pages = [][]byte{make([]byte, v.PageSize*v.PageSize*3)}
		w := decode(t, m.Write(v))
		side := float32(v.PageSize)
		for i, got := range triangles(t, w, 0).Vertices {
			want := world.Vertex{Position: s.Vertices[i].XYZ, Normal: vec3{0, 0, 1}, UV: vec2{float32(i), -2},
				Luxel: vec2{side / 4, side / 2}, Color: [4]float32{1, 0, 0, 0.2}}
			if got != want {
				t.Errorf("%s %d: %+v, want %+v", v.Ident, v.Version, got, want)
			}
		}
	}
}

// Clockwise in the file, counter-clockwise in the world: the triangle's own normal is the vertices'.
func TestWindingIsTurned(t *testing.T) {
	for _, kind := range []ibsp.SurfaceType{ibsp.Polygon, ibsp.Mesh} {
		s := triangle()
		s.Type = kind
		got := triangles(t, decode(t, mapOf(s).Write(ibsp.Quake3)), 0)
		if !reflect.DeepEqual(got.Indices, []uint32{0, 2, 1}) {
			t.Fatal(got.Indices)
		}
		a, b, c := got.Vertices[0].Position, got.Vertices[2].Position, got.Vertices[1].Position
		if z := (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]); z <= 0 {
			t.Errorf("%v %v %v turn clockwise", a, b, c)
		}
	}
}

// Indices that make no whole triangle are left out.
func TestIndicesAreWholeTriangles(t *testing.T) {
	s := triangle()
	s.Indices = []int32{0, 1, 2, 2, 1}
	if got := triangles(t, decode(t, mapOf(s).Write(ibsp.Quake3)), 0).Indices; len(got) != 3 {
		t.Error(got)
	}
}

func grid(width, height int) []ibsp.Vertex {
	v := make([]ibsp.Vertex, width*height)
	for i := range v {
		v[i].XYZ = vec3{float32(i % width), float32(i / width), 0}
	}
	return v
}

func TestPatch(t *testing.T) {
	w := decode(t, mapOf(ibsp.NewPatch(0, 5, 3, grid(5, 3))).Write(ibsp.Quake3))
	p, ok := w.Models[0].Surfaces[0].Shape.(*world.Patch)
	if !ok || p.Width != 5 || p.Height != 3 || len(p.Control) != 15 || p.Control[7].Position != (vec3{2, 1, 0}) {
		t.Fatalf("%+v", w.Models[0].Surfaces[0].Shape)
	}
}

func TestFlare(t *testing.T) {
	m := mapOf(ibsp.NewFlare(0, vec3{1, 2, 3}, vec3{1, 0.5, 7}, vec3{0, 0, 2}), triangle())
	m.Models[0].Surfaces[0].LightVecs[0][1] = 0
	w := decode(t, m.Write(ibsp.Quake3))
	want := []world.Billboard{{Position: vec3{1, 2, 3}, Normal: vec3{0, 0, 1}, Color: vec3{1, 0, 1}, Material: 0, Model: 0, Record: 0}}
	if !reflect.DeepEqual(w.Billboards, want) || w.Materials[0].Lighting != world.Fullbright || len(w.Baked.Charts) != 0 {
		t.Errorf("%+v", w.Billboards)
	}
	wantIssues(t, w) // its lightmap 0 is none
}

func TestFlareOfNoNumbers(t *testing.T) {
	nan := float32(math.NaN())
	m := mapOf(ibsp.NewFlare(0, vec3{nan, 2, 3}, vec3{}, vec3{}), ibsp.NewFlare(0, vec3{}, vec3{nan, 0, 0}, vec3{0, nan, 0}))
	w := decode(t, m.Write(ibsp.Quake3))
	if len(w.Billboards) != 1 || w.Billboards[0].Color != (vec3{1, 1, 1}) || w.Billboards[0].Normal != (vec3{}) {
		t.Errorf("%+v", w.Billboards)
	}
	wantIssues(t, w, "face-number: face 0: a flare at [NaN 2 3]")
}

// Enemy Territory: the patch's height is the vertices of the mesh, its width the points that follow them.
func TestFoliage(t *testing.T) {
	s := triangle()
	s.Type, s.PatchH, s.PatchW, s.Page[0] = 5, 3, 2, 0
	s.Vertices = append(s.Vertices, ibsp.Vertex{XYZ: vec3{1000, 0, 10}}, ibsp.Vertex{XYZ: vec3{2000, 0, 20}})
	s.Vertices[3].Color[0], s.Vertices[4].Color[0] = [4]uint8{255, 0, 0, 255}, [4]uint8{0, 255, 0, 255}
	m := mapOf(s)
	m.Pages = [][]byte{make([]byte, 128*128*3)}
	data := m.Write(ibsp.RTCW)
	// The number of vertices does not matter.
	brushmap.SetInt32(data, ibsp.Record(data, ibsp.LumpSurfaces, 104, 0)+16, 0)
	w := decode(t, data)
	got := triangles(t, w, 0)
	if !reflect.DeepEqual(got.Indices, []uint32{0, 2, 1, 3, 5, 4}) || len(got.Vertices) != 6 {
		t.Fatalf("%d vertices, %v", len(got.Vertices), got.Indices)
	}
	for i, want := range []vec3{{1000, 0, 10}, {1000, 64, 10}, {1064, 0, 10}, {2000, 0, 20}, {2000, 64, 20}, {2064, 0, 20}} {
		color := [4]float32{1, 0, 0, 1}
		if i > 2 {
			color = [4]float32{0, 1, 0, 1}
		}
		if v := got.Vertices[i]; v.Position != want || v.Color != color || v.Normal != (vec3{0, 0, 1}) {
			t.Errorf("vertex %d: %+v, want %v %v", i, v, want, color)
		}
	}
	if s := w.Models[0].Surfaces[0]; s.Chart != world.NoChart || w.Materials[s.Material].Lighting != world.PerVertex ||
		len(w.Baked.Charts) != 0 {
		t.Error("foliage is lit by its points")
	}
}

// Bad surfaces are left out one by one; a good one keeps the map alive.
func TestBadSurfaces(t *testing.T) {
	const (
		shader = iota * 4
		fog
		kind
		firstVertex
		vertices
		firstIndex
		indices
	)
	const patchWidth, patchHeight = 96, 100
	type set map[int]int32
	for _, c := range []struct {
		name string
		set  set
		want string
	}{
		{"shader", set{shader: 1}, "face-material: face 0: shader 1 is outside the 1 of the map"},
		{"negative shader", set{shader: -1}, "face-material: face 0: shader -1 is outside the 1 of the map"},
		{"shape 0", set{kind: 0}, "face-shape: face 0: shape 0 is unknown"},
		{"shape", set{kind: math.MinInt32}, "face-shape: face 0: shape -2147483648 is unknown"},
		{"vertices", set{vertices: 5}, "face-vertices: face 0: 5 vertices from 2 are outside the 6 of the map"},
		{"most vertices", set{vertices: math.MaxInt32, firstVertex: math.MaxInt32},
			"face-vertices: face 0: 2147483647 vertices from 2147483647 are outside the 6 of the map"},
		{"negative vertices", set{vertices: -1}, "face-vertices: face 0: -1 vertices from 2 are outside the 6 of the map"},
		{"negative first vertex", set{firstVertex: -1}, "face-vertices: face 0: 3 vertices from -1 are outside the 6 of the map"},
		{"indices", set{indices: 7}, "face-indices: face 0: 7 indices from 0 are outside the 6 of the map"},
		{"most indices", set{indices: math.MaxInt32, firstIndex: math.MaxInt32},
			"face-indices: face 0: 2147483647 indices from 2147483647 are outside the 6 of the map"},
		{"negative indices", set{indices: -3}, "face-indices: face 0: -3 indices from 0 are outside the 6 of the map"},
		{"negative first index", set{firstIndex: -1}, "face-indices: face 0: 3 indices from -1 are outside the 6 of the map"},
		{"no indices", set{indices: 0}, "face-empty: face 0: it has 0 indices"},
		{"an index of a vertex it has not", set{vertices: 2}, "face-indices: face 0: one of the indices 0 1 2 is outside its 2 vertices"},
		{"even patch", set{kind: 2, patchWidth: 2, patchHeight: 3}, "face-patch: face 0: a patch of 2 x 3 with 3 control points"},
		{"small patch", set{kind: 2, patchWidth: 1, patchHeight: 3}, "face-patch: face 0: a patch of 1 x 3 with 3 control points"},
		{"patch without points", set{kind: 2, patchWidth: 3, patchHeight: 3}, "face-patch: face 0: a patch of 3 x 3 with 3 control points"},
		{"vast patch", set{kind: 2, patchWidth: math.MaxInt32, patchHeight: math.MaxInt32},
			"face-patch: face 0: a patch of 2147483647 x 2147483647 with 3 control points"},
		{"negative patch", set{kind: 2, patchWidth: -3, patchHeight: -3}, "face-patch: face 0: a patch of -3 x -3 with 3 control points"},
		{"foliage without points", set{kind: 5, patchHeight: 3}, "face-empty: face 0: foliage at no point"},
		{"foliage at points it has not", set{kind: 5, patchHeight: 3, patchWidth: 2},
			"face-vertices: face 0: 2 vertices from 5 are outside the 6 of the map"},
		{"vast foliage", set{kind: 5, patchHeight: 3, patchWidth: math.MaxInt32},
			"face-vertices: face 0: 2147483647 vertices from 5 are outside the 6 of the map"},
		{"vast mesh of foliage", set{kind: 5, patchHeight: math.MaxInt32, patchWidth: 1},
			"face-vertices: face 0: 2147483647 vertices from 2 are outside the 6 of the map"},
		{"negative foliage", set{kind: 5, patchHeight: 3, patchWidth: -1},
			"face-vertices: face 0: -1 vertices from 5 are outside the 6 of the map"},
	} {
		data := mapOf(triangle(), triangle()).Write(ibsp.Quake3)
		at := ibsp.Record(data, ibsp.LumpSurfaces, 104, 0)
		brushmap.SetInt32(data, at+firstVertex, 2)
		for field, n := range c.set {
			brushmap.SetInt32(data, at+field, n)
		}
		w := decode(t, data)
		if len(w.Models[0].Surfaces) != 1 || len(w.Materials) != 1 {
			t.Errorf("%s: %d surfaces, %d materials", c.name, len(w.Models[0].Surfaces), len(w.Materials))
		}
		if got := issues(w); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestIndexMustBeOfTheSurface(t *testing.T) {
	for _, x := range []int32{3, -1, math.MaxInt32} {
		s := triangle()
		s.Indices[2] = x
		w := decode(t, mapOf(s, triangle()).Write(ibsp.Quake3))
		if len(w.Models[0].Surfaces) != 1 || len(w.Issues) != 1 || w.Issues[0].Code != "face-indices" {
			t.Errorf("%d: %q", x, issues(w))
		}
	}
}

// NaN, infinities and numbers far outside any world do not reach the stages.
func TestNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name   string
		change func(*ibsp.Vertex)
		want   string
	}{
		{"position", func(v *ibsp.Vertex) { v.XYZ[1] = nan },
			"face-number: face 0: vertex 1 is at [0 NaN 0] with texture coordinates [0 0]"},
		{"infinite", func(v *ibsp.Vertex) { v.XYZ[1] = -inf },
			"face-number: face 0: vertex 1 is at [0 -Inf 0] with texture coordinates [0 0]"},
		{"far", func(v *ibsp.Vertex) { v.XYZ[1] = 1 << 24 },
			"face-number: face 0: vertex 1 is at [0 1.6777216e+07 0] with texture coordinates [0 0]"},
		{"texture", func(v *ibsp.Vertex) { v.ST[0] = inf },
			"face-number: face 0: vertex 1 is at [0 64 0] with texture coordinates [+Inf 0]"},
		{"lightmap", func(v *ibsp.Vertex) { v.Light[0][1] = nan }, "face-number: face 0: vertex 1 has lightmap coordinates [0 NaN]"},
	} {
		s := litBy(0)
		c.change(&s.Vertices[1])
		m := mapOf(s, triangle())
		m.Pages = [][]byte{make([]byte, 128*128*3)}
		w := decode(t, m.Write(ibsp.Quake3))
		if got := issues(w); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	// Survived: a normal, lightmap coordinates that are not used, far ones, far texture coordinates.
	s := litBy(0)
	s.Vertices[0].Normal, s.Vertices[0].ST, s.Vertices[0].Light[0] = vec3{nan, 0, 0}, vec2{-3e9, 1e38}, vec2{-1e30, 3e38}
	by := triangle()
	by.Vertices[0].Light[0] = vec2{nan, nan}
	m := mapOf(s, by)
	m.Pages = [][]byte{make([]byte, 128*128*3)}
	w := decode(t, m.Write(ibsp.Quake3))
	wantIssues(t, w)
	if v := triangles(t, w, 0).Vertices[0]; v.Normal != (vec3{}) || v.UV != (vec2{-1 << 24, 1 << 24}) || v.Luxel != (vec2{0, 128}) {
		t.Errorf("%+v", v)
	}
	if v := triangles(t, w, 1).Vertices[0]; v.Luxel != (vec2{}) {
		t.Errorf("%+v", v)
	}
}

func TestFoliageMayNotLeaveTheWorld(t *testing.T) {
	s := triangle()
	s.Type, s.PatchH, s.PatchW = 5, 3, 1
	s.Vertices = append(s.Vertices, ibsp.Vertex{XYZ: vec3{1<<24 - 32, 0, 0}})
	w := decode(t, mapOf(s, triangle()).Write(ibsp.RTCW))
	wantIssues(t, w, "face-number: face 0: foliage at [1.6777184e+07 0 0]")
}

func TestSurfacesMayShareVertices(t *testing.T) {
	m := mapOf(triangle(), triangle(), triangle())
	data := m.Write(ibsp.Quake3)
	for i := range 3 {
		brushmap.SetInt32(data, ibsp.Record(data, ibsp.LumpSurfaces, 104, i)+12, 0)
	}
	at := ibsp.Record(data, ibsp.LumpSurfaces, 104, 2)
	brushmap.SetInt32(data, at+16, 9) // all vertices: more than there are, in sum
	w := decode(t, data)
	wantIssues(t, w)
	if n := len(triangles(t, w, 2).Vertices); n != 9 {
		t.Error(n)
	}
}

// Memory grows with what surfaces ask for, not with the file: 100,000 surfaces of the same 3,000 vertices.
func TestSharedVerticesMeetTheBudget(t *testing.T) {
	s := triangle()
	s.Vertices = append(s.Vertices, make([]ibsp.Vertex, 3000)...)
	data := mapOf(s).Write(ibsp.Quake3)
	at := ibsp.Record(data, ibsp.LumpSurfaces, 104, 0)
	many := make([]byte, 0, 100_000*104)
	for range 100_000 {
		many = append(many, data[at:at+104]...)
	}
	data = ibsp.Replace(data, ibsp.LumpSurfaces, many)
	setModel(data, 0, 0, 100_000)
	live := hostile(t, data, limit.Limits{MaxMemory: 256 << 20}, quake3.Options{}, limit.ErrLimit)
	if live > 280<<20 {
		t.Errorf("%d MB", live>>20)
	}
}

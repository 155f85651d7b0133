package geometry_test

import (
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sheetOf returns what bodies meet of a shape.
func sheetOf(t testing.TB, s world.Shape) geometry.Mesh {
	t.Helper()
	w := &world.World{
		Models:  []world.Model{{Surfaces: []world.Surface{{}, {Shape: s, Record: 7}}}},
		Volumes: world.Volumes{CollisionSurfaces: []world.CollisionSurface{{Surface: 1, Contents: 1, Names: "solid"}}},
	}
	out, err := geometry.CollisionSurfaces(t.Context(), w)
	if err != nil || len(out) != 1 {
		t.Fatal(out, err)
	}
	checkMeshes(t, out)
	return out[0]
}

// facetsOf returns the corners of each facet: the vertices in a row that have the same normal.
func facetsOf(m geometry.Mesh) (out [][][3]float32) {
	for i, v := range m.Vertices {
		if i == 0 || v.Normal != m.Vertices[i-1].Normal {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], v.Position)
	}
	return out
}

func TestFlatPatchIsOneFacet(t *testing.T) {
	flat := grid(5, 3, func(x, y int) world.Vertex { return at(float32(x)*32, float32(y)*32, 8) })
	m := sheetOf(t, flat)
	// The spans of three points in line are one step each; both cells have the same plane, but are two.
	facets := facetsOf(m)
	if triangles(m) != 4 || len(m.Vertices) != 8 || len(facets) != 1 || m.Vertices[0].Normal != [3]float32{0, 0, 1} {
		t.Errorf("%d triangles: %v", triangles(m), facets)
	}
}

// A quarter of a pipe of 64 units is 22.6 units off its line in the middle, so it is halved. The halves are 5.7 units off theirs, and stay.
func TestPipeHasTheEnginesFacets(t *testing.T) {
	facets := facetsOf(sheetOf(t, quarter()))
	want := [][][3]float32{
		{{0, 64, 0}, {48, 48, 0}, {48, 48, 128}, {0, 64, 128}},
		{{48, 48, 0}, {64, 0, 0}, {64, 0, 128}, {48, 48, 128}},
	}
	for _, list := range [][][][3]float32{facets, want} {
		for _, corners := range list {
			slices.SortFunc(corners, func(a, b [3]float32) int { return slices.Compare(a[:], b[:]) })
		}
		slices.SortFunc(list, func(a, b [][3]float32) int { return slices.Compare(a[0][:], b[0][:]) })
	}
	if !slices.EqualFunc(facets, want, func(a, b [][3]float32) bool { return slices.Equal(a, b) }) {
		t.Errorf("%v", facets)
	}
	// Round the whole pipe each facet ends where its neighbours do, also where the first column meets the last.
	m := sheetOf(t, pipe())
	if facets := facetsOf(m); len(facets) != 8 || triangles(m) != 16 {
		t.Errorf("%d facets, %d triangles", len(facets), triangles(m))
	}
	if open := edges(m); len(open) != 16 { // 8 at each end
		t.Errorf("%d open edges: %v", len(open), open)
	}
}

// The tip of a cone is a column of one point, whose cells have one triangle each.
func TestConeHasTriangles(t *testing.T) {
	cone := grid(3, 3, func(x, y int) world.Vertex {
		c := [3][2]float32{{64, 0}, {64, 64}, {0, 64}}[x]
		k := 1 - float32(y)/2
		return at(c[0]*k, c[1]*k, float32(y)*64)
	})
	m := sheetOf(t, cone)
	if facets := facetsOf(m); len(facets) != 2 || triangles(m) != 2 {
		t.Errorf("%v", facets)
	}
}

func TestColumnsThatAreTheSameAreLeftOut(t *testing.T) {
	p := grid(5, 3, func(x, y int) world.Vertex { return at([]float32{0, 0, 0, 32, 64}[x], float32(y)*32, 0) })
	if m := sheetOf(t, p); triangles(m) != 2 {
		t.Errorf("%d triangles", triangles(m))
	}
}

func TestSheetsBeyondTheEngineAreIssues(t *testing.T) {
	far := grid(5, 3, func(x, y int) world.Vertex { return at(float32(x%2)*1e7, float32(x)*32, float32(y)*32) })
	wide := grid(131, 3, func(x, y int) world.Vertex { return at(float32(x), 0, float32(y)) })
	for name, p := range map[string]*world.Patch{"far": far, "wide": wide} {
		if m := sheetOf(t, p); len(m.Issues) != 1 || m.Issues[0].Code != "brush-limit" ||
			m.Issues[0].Where != "face 7" || len(m.Vertices) > 0 {
			t.Errorf("%s: %v, %d vertices", name, m.Issues, len(m.Vertices))
		}
	}
	// Build reports these.
	small := grid(3, 3, func(x, y int) world.Vertex { return at(0, 0, 0) })
	short := &world.Patch{Width: 5, Height: 3, Control: small.Control}
	for _, s := range []world.Shape{short, small, &world.Displacement{Power: 9}, &world.Polygon{}, nil} {
		if m := sheetOf(t, s); len(m.Issues)+len(m.Vertices) > 0 {
			t.Errorf("%T: %v, %d vertices", s, m.Issues, len(m.Vertices))
		}
	}
}

func TestSheetOfADisplacementIsItsTriangles(t *testing.T) {
	d := land(0, 0, 64, 64, 2, 0, level)
	d.Offsets[12] = [3]float32{0, 0, 16} // the middle
	d.Removed = make([]bool, 32)
	d.Removed[0] = true
	m := sheetOf(t, d)
	if high := func(v world.Vertex) bool { return v.Position[2] == 16 }; triangles(m) != 31 || !slices.ContainsFunc(m.Vertices, high) {
		t.Errorf("%d triangles", triangles(m))
	}
}

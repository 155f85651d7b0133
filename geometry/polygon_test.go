package geometry_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

func corners(points ...[2]float32) (out []world.Vertex) {
	for _, p := range points {
		v := at(p[0], p[1], 0)
		v.Normal = [3]float32{0, 0, 1}
		v.Luxel = p
		out = append(out, v)
	}
	return out
}

func TestPolygonBecomesAFan(t *testing.T) {
	p := &world.Polygon{Corners: corners([2]float32{0, 0}, [2]float32{2, 0}, [2]float32{3, 2}, [2]float32{1, 3}, [2]float32{-1, 2})}
	m := build(t, byError, p)[0]
	if &m.Vertices[0] != &p.Corners[0] || len(m.Vertices) != 5 {
		t.Error("the corners were copied")
	}
	if want := []uint32{0, 1, 2, 0, 2, 3, 0, 3, 4}; !reflect.DeepEqual(m.Indices, want) {
		t.Errorf("got %v, want %v", m.Indices, want)
	}
}

func TestPolygonKeepsCornersThatLieOnALine(t *testing.T) {
	for name, p := range map[string][][2]float32{
		"at the start":        {{2, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}},
		"after it":            {{0, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}},
		"two on one edge":     {{0, 0}, {1, 0}, {3, 0}, {4, 0}, {4, 4}, {0, 4}},
		"on each edge":        {{0, 0}, {2, 0}, {4, 0}, {4, 2}, {4, 4}, {2, 4}, {0, 4}, {0, 2}},
		"triangle, each edge": {{0, 0}, {4, 0}, {8, 0}, {4, 4}, {0, 8}, {0, 4}},
		"a fan of one edge":   {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {4, 8}},
	} {
		m := build(t, byError, &world.Polygon{Corners: corners(p...)})[0]
		used := map[uint32]bool{}
		sum, want := 0.0, 0.0
		for i := 0; i < len(m.Indices); i += 3 {
			sum += front(m, i)[2]
			for _, v := range m.Indices[i : i+3] {
				used[v] = true
			}
		}
		for i := range p {
			a, b := p[i], p[(i+1)%len(p)]
			want += float64(a[0]*b[1] - a[1]*b[0])
		}
		if len(used) != len(p) || triangles(m) != len(p)-2 || sum != want {
			t.Errorf("%s: %v has %d of %d corners and the area %g of %g", name, m.Indices, len(used), len(p), sum/2, want/2)
		}
	}
}

func TestPolygonWithACornerTwice(t *testing.T) {
	for first := range 5 {
		p := [][2]float32{{0, 0}, {4, 0}, {4, 0}, {4, 4}, {0, 4}}
		p = append(p[first:], p[:first]...)
		m := build(t, byError, &world.Polygon{Corners: corners(p...)})[0]
		sum := 0.0
		for i := 0; i < len(m.Indices); i += 3 {
			sum += front(m, i)[2] / 2
		}
		if len(m.Vertices) != 5 || triangles(m) != 2 || sum != 16 {
			t.Errorf("from %d: %v, area %g", first, m.Indices, sum)
		}
	}
}

func TestPolygonGetsItsPlanesNormal(t *testing.T) {
	p := &world.Polygon{Corners: []world.Vertex{at(0, 0, 0), at(0, 3, 0), at(0, 3, 3)}} // y x z = x
	p.Corners[1].Normal = [3]float32{0, 3, 4}                                           // not unit: 5 long
	m := build(t, byError, p)[0]
	for i, want := range [][3]float32{{1, 0, 0}, {0, 0.6, 0.8}, {1, 0, 0}} {
		if n := m.Vertices[i].Normal; distance(wide(n), wide(want)) > 1e-6 {
			t.Errorf("corner %d has %v, want %v", i, n, want)
		}
	}
	if p.Corners[0].Normal != [3]float32{} {
		t.Error("the world was written to")
	}
}

func TestPolygonsThatCantBeDrawn(t *testing.T) {
	nan := corners([2]float32{0, 0}, [2]float32{2, 0}, [2]float32{3, 2})
	nan[2].Color[3] = float32(math.NaN())
	for _, c := range []struct {
		corners []world.Vertex
		want    string
	}{
		{nil, "face-degenerate"},
		{corners([2]float32{0, 0}, [2]float32{2, 0}), "face-degenerate"},
		{corners([2]float32{0, 0}, [2]float32{2, 0}, [2]float32{3, 0}), "face-degenerate"},
		{corners([2]float32{1, 1}, [2]float32{1, 1}, [2]float32{1, 1}, [2]float32{1, 1}), "face-degenerate"},
		{nan, "face-number"},
	} {
		m := build(t, byError, &world.Polygon{Corners: c.corners})[0]
		if len(m.Vertices) != 0 || !reflect.DeepEqual(codes(m), []string{c.want}) || m.Issues[0].Where != "face 100" {
			t.Errorf("%v: %v, want %s", c.corners, m, c.want)
		}
	}
}

func TestTrianglesPassThrough(t *testing.T) {
	s := &world.Triangles{Vertices: corners([2]float32{0, 0}, [2]float32{2, 0}, [2]float32{3, 2}, [2]float32{1, 3}),
		Indices: []uint32{0, 1, 2, 0, 2, 3}}
	m := build(t, byError, s)[0]
	if &m.Vertices[0] != &s.Vertices[0] || &m.Indices[0] != &s.Indices[0] || len(m.Indices) != 6 || len(m.Issues) != 0 {
		t.Error("the triangles were copied")
	}
}

func TestTrianglesWithoutAreaAreDropped(t *testing.T) {
	v := corners([2]float32{0, 0}, [2]float32{2, 0}, [2]float32{3, 2}, [2]float32{4, 0})
	for _, c := range []struct {
		indices, want []uint32
		issue         world.Issue
	}{
		{[]uint32{0, 1, 2, 0, 1, 1, 0, 1, 3}, []uint32{0, 1, 2}, // the same twice; three on a line
			world.Issue{Code: "face-degenerate", Where: "face 100", Detail: "2 of 3 triangles have no area"}},
		{[]uint32{0, 1, 4, 1, 3, 2, 3}, []uint32{1, 3, 2}, // outside; one left over
			world.Issue{Code: "face-indices", Where: "face 100",
				Detail: "1 of 2 triangles have indices outside the 4 vertices, 0 have no area, 1 indices are left over"}},
		{[]uint32{0, 1, 3}, nil, world.Issue{Code: "face-degenerate", Where: "face 100", Detail: "1 of 1 triangles have no area"}},
		{nil, nil, world.Issue{Code: "face-degenerate", Where: "face 100", Detail: "it has no triangles"}},
	} {
		m := build(t, byError, &world.Triangles{Vertices: v, Indices: c.indices})[0]
		if !reflect.DeepEqual(m.Indices, c.want) || !reflect.DeepEqual(m.Issues, []world.Issue{c.issue}) {
			t.Errorf("%v: got %v and %v, want %v and %v", c.indices, m.Indices, m.Issues, c.want, c.issue)
		}
		if (len(m.Vertices) == 0) != (c.want == nil) {
			t.Errorf("%v: %d vertices", c.indices, len(m.Vertices))
		}
	}
}

func TestTrianglesGetTheMeanNormal(t *testing.T) {
	// Two equal squares at a right angle: at their edge the mean, elsewhere their own.
	s := &world.Triangles{
		Vertices: []world.Vertex{at(0, 0, 1), at(0, 1, 1), at(0, 0, 0), at(0, 1, 0), at(1, 0, 0), at(1, 1, 0), at(9, 9, 9)},
		Indices:  []uint32{0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5},
	}
	m := build(t, byError, s)[0]
	// 0 has one triangle along x. 2 has both of the wall (1 each) and one of the floor: (2, 0, 1)/sqrt(5).
	for i, want := range map[int][3]float32{0: {1, 0, 0}, 2: {0.894427, 0, 0.447214}, 5: {0, 0, 1}, 6: {0, 0, 1}} {
		if n := m.Vertices[i].Normal; distance(wide(n), wide(want)) > 1e-5 {
			t.Errorf("vertex %d has %v, want %v", i, n, want)
		}
	}
}

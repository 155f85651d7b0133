package geometry_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sheet returns a square of n luxels a side that are 4 units each, as two triangles.
func sheet(n float32) geometry.Mesh {
	var m geometry.Mesh
	for _, c := range [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		m.Vertices = append(m.Vertices, world.Vertex{
			Position: [3]float32{c[0] * n * 4, c[1] * n * 4, 7}, Normal: [3]float32{0, 0, 1},
			UV: [2]float32{c[0], 1 - c[1]}, Luxel: [2]float32{c[0] * n, c[1] * n}, Color: [4]float32{c[0], c[1], 0, 1},
		})
	}
	m.Indices = []uint32{0, 1, 2, 0, 2, 3}
	return m
}

// checkCut fails if a triangle is in more than one cell, if the area is not that of m, or if edges do not match.
func checkCut(t *testing.T, m, c geometry.Mesh, step float64) {
	t.Helper()
	checkMeshes(t, []geometry.Mesh{c})
	whole := func(m geometry.Mesh) (sum float64) {
		for i := 0; i < len(m.Indices); i += 3 {
			sum += math.Sqrt(dot(front(m, i), front(m, i))) / 2
		}
		return sum
	}
	if a, b := whole(m), whole(c); math.Abs(a-b) > 1e-4*a {
		t.Errorf("the area went from %g to %g", a, b)
	}
	for i := 0; i < len(c.Indices); i += 3 {
		for axis := range 2 {
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range c.Indices[i : i+3] {
				q := float64(c.Vertices[v].Luxel[axis]) / step
				low, high = min(low, q), max(high, q)
			}
			if math.Floor(low+0.001) < math.Ceil(high-0.001)-1 {
				t.Fatalf("triangle %d is from %g to %g steps on axis %d", i/3, low, high, axis)
			}
		}
	}
	// Without T-junctions, the border of the cut mesh is as long as that of the whole.
	length := func(m geometry.Mesh) (sum float64) {
		for _, e := range edges(m) {
			sum += distance(wide(e[0]), wide(e[1]))
		}
		return sum
	}
	if a, b := length(m), length(c); math.Abs(a-b) > 1e-4*a {
		t.Errorf("the border went from %g to %g", a, b)
	}
}

func TestCutAlongTheGrid(t *testing.T) {
	// 4 x 4 luxels in steps of 2 are four cells. The diagonal goes through the middle of two; the vertices are the
	// 3 x 3 points of the grid. The triangles: two cells of 2 triangles, two that the diagonal halves.
	m := sheet(4)
	c := geometry.Cut(m, 2, 1000)
	if len(c.Vertices) != 9 || triangles(c) != 8 {
		t.Fatalf("%d vertices, %d triangles", len(c.Vertices), triangles(c))
	}
	checkCut(t, m, c, 2)
	for _, v := range c.Vertices {
		x, y := v.Luxel[0], v.Luxel[1]
		want := world.Vertex{
			Position: [3]float32{x * 4, y * 4, 7}, Normal: [3]float32{0, 0, 1}, UV: [2]float32{x / 4, 1 - y/4},
			Luxel: v.Luxel, Color: [4]float32{x / 4, y / 4, 0, 1},
		}
		if v != want {
			t.Errorf("got %v, want %v", v, want)
		}
	}
	if len(m.Vertices) != 4 {
		t.Error("m was written to")
	}
}

func TestCutLeavesWhatFits(t *testing.T) {
	for name, c := range map[string]geometry.Mesh{
		"one cell":     geometry.Cut(sheet(4), 4, 1000),
		"no step":      geometry.Cut(sheet(4), 0, 1000),
		"NaN step":     geometry.Cut(sheet(4), math.NaN(), 1000),
		"limit of all": geometry.Cut(sheet(4), 1, 4),
		"empty":        geometry.Cut(geometry.Mesh{}, 1, 4),
	} {
		want := sheet(4)
		if name == "empty" {
			want = geometry.Mesh{}
		}
		if !reflect.DeepEqual(c, want) {
			t.Errorf("%s: %v", name, c)
		}
	}
}

func TestCutDoublesTheStepUntilItFits(t *testing.T) {
	// A sheet of 64 luxels has (64/step+1)² points and the crossings of the diagonal, which are among them.
	for _, c := range []struct{ limit, want int }{{100_000, 65 * 65}, {65*65 - 1, 33 * 33}, {33*33 - 1, 17 * 17}, {9, 9}, {8, 4}} {
		m := geometry.Cut(sheet(64), 1, c.limit)
		if len(m.Vertices) != c.want {
			t.Errorf("limit %d: %d vertices, want %d", c.limit, len(m.Vertices), c.want)
		}
	}
	if m := geometry.Cut(sheet(64), 1e-300, 5000); len(m.Vertices) <= 1000 || len(m.Vertices) > 5000 {
		t.Errorf("%d vertices", len(m.Vertices))
	}
}

func TestCutSharesNewVertices(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		// A bumpy grid of 5 x 4 quads whose luxels are turned and stretched.
		var m geometry.Mesh
		turn, size := r.Float64()*7, 1+9*r.Float64()
		for y := range 5 {
			for x := range 6 {
				v := at(float32(x)*16+r.Float32()*4, float32(y)*16+r.Float32()*4, r.Float32()*8)
				v.Normal = [3]float32{0, 0, 1}
				s, c := math.Sincos(turn)
				fx, fy := float64(v.Position[0])/size, float64(v.Position[1])/size
				v.Luxel = [2]float32{float32(fx*c - fy*s), float32(fx*s + fy*c)}
				m.Vertices = append(m.Vertices, v)
			}
		}
		for y := range uint32(4) {
			for x := range uint32(5) {
				a := y*6 + x
				m.Indices = append(m.Indices, a, a+1, a+7, a, a+7, a+6)
			}
		}
		c := geometry.Cut(m, 2, 1_000_000)
		checkCut(t, m, c, 2)

		// The same triangles without shared vertices: the new ones are bit-identical, so borders still match.
		var soup geometry.Mesh
		for i, v := range m.Indices {
			soup.Vertices = append(soup.Vertices, m.Vertices[v])
			soup.Indices = append(soup.Indices, uint32(i))
		}
		checkCut(t, soup, geometry.Cut(soup, 2, 1_000_000), 2)
	}
}

func TestCutMapsOntoItself(t *testing.T) {
	c := geometry.Cut(sheet(16), 2, 1000)
	if again := geometry.Cut(c, 2, 1000); !reflect.DeepEqual(c, again) {
		t.Error("a cut mesh was cut again")
	}
}

// A sheet of 128 x 128 luxels in steps of 2: 4,225 vertices, 8,192 triangles.
func BenchmarkCut(b *testing.B) {
	m := sheet(128)
	c := geometry.Cut(m, 2, 1_000_000)
	b.SetBytes(int64(len(c.Vertices)) * 56)
	b.ReportAllocs()
	for b.Loop() {
		geometry.Cut(m, 2, 1_000_000)
	}
	b.ReportMetric(float64(len(c.Vertices)), "vertices")
}

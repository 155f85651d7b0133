package geometry_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cube returns the planes of a cube of 32 units at (x, y, z).
func cube(x, y, z float32) [][4]float32 {
	return [][4]float32{{1, 0, 0, x + 32}, {-1, 0, 0, -x}, {0, 1, 0, y + 32}, {0, -1, 0, -y}, {0, 0, 1, z + 32}, {0, 0, -1, -z}}
}

// hullOf returns the hull of some planes, closed and looking outwards if there is one, and its volume.
func hullOf(t testing.TB, planes ...[4]float32) (m geometry.Mesh, volume float64) {
	t.Helper()
	hulls, err := geometry.Hulls(t.Context(), []world.Brush{{Planes: planes, Record: 12}})
	if err != nil || len(hulls) != 1 {
		t.Fatal(hulls, err)
	}
	m = hulls[0]
	checkMeshes(t, hulls)
	for i := 0; i < len(m.Indices); i += 3 {
		volume += dot(front(m, i), position(m.Vertices[m.Indices[i]])) / 6
		for _, v := range m.Indices[i : i+3] {
			if n := m.Vertices[v].Normal; dot(front(m, i), wide(n)) <= 0 {
				t.Errorf("triangle %d looks against its normal %v", i/3, n)
			}
		}
	}
	return m, volume
}

func TestHullOfACube(t *testing.T) {
	m, volume := hullOf(t, cube(-8, 100, 0)...)
	if len(m.Vertices) != 24 || triangles(m) != 12 || len(m.Issues) != 0 || math.Abs(volume-32*32*32) > 1e-3 {
		t.Errorf("%d vertices, %d triangles, volume %g, %v", len(m.Vertices), triangles(m), volume, m.Issues)
	}
	if e := edges(m); len(e) > 0 {
		t.Errorf("it is open at %v", e)
	}
}

func TestHullsOfOtherSolids(t *testing.T) {
	h := float32(math.Sqrt(0.5))
	third := float32(math.Sqrt(1.0 / 3))
	var octahedron [][4]float32 // at a distance of 32/√3: corners at 32 on each axis
	for i := range 8 {
		s := func(bit int) float32 { return third * float32(1-2*(i>>bit&1)) }
		octahedron = append(octahedron, [4]float32{s(0), s(1), s(2), 32 * third})
	}
	for name, c := range map[string]struct {
		planes   [][4]float32
		vertices int
		volume   float64
	}{
		"wedge": {append(cube(0, 0, 0)[1:], [4]float32{h, 0, h, 32 * h}), 18, 32 * 32 * 32 / 2}, // two of 3 corners, three of 4
		"tetrahedron": {[][4]float32{{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {third, third, third, 30 * third}}, 12,
			30 * 30 * 30 / 6.0},
		"octahedron": {octahedron, 24, 4.0 / 3 * 32 * 32 * 32},
		// Planes that touch it at an edge and at a corner, as compilers add for collision, and one beyond it.
		"bevels": {append(cube(0, 0, 0), [4]float32{h, h, 0, 64 * h}, [4]float32{third, third, third, 96 * third},
			[4]float32{h, 0, h, 90}), 24, 32 * 32 * 32},
		"planes twice": {append(cube(0, 0, 0), cube(0, 0, 0)...), 24, 32 * 32 * 32},
		"two tops":     {append(cube(0, 0, 0), [4]float32{0, 0, 1, 8}), 24, 32 * 32 * 8},
	} {
		m, volume := hullOf(t, c.planes...)
		if len(m.Vertices) != c.vertices || math.Abs(volume-c.volume) > 1e-2 || len(edges(m)) > 0 || len(m.Issues) > 0 {
			t.Errorf("%s: %d vertices, volume %g of %g, %d open edges, %v", name, len(m.Vertices), volume, c.volume,
				len(edges(m)), m.Issues)
		}
	}
}

// roundBrush is n planes around a ball at a place.
func roundBrush(r *rand.Rand, n int, radius, at float64) (planes [][4]float32) {
	for range n {
		v := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		l := math.Sqrt(dot(v, v))
		v = [3]float64{v[0] / l, v[1] / l, v[2] / l}
		planes = append(planes, [4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(radius + at*(v[0]+v[1]+v[2]))})
	}
	return planes
}

func TestHullsOfManyPlanesAreClosed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 200 {
		n := 16 + i/2
		m, volume := hullOf(t, roundBrush(r, n, 200, 1000)...)
		ball := 4.0 / 3 * math.Pi * 200 * 200 * 200
		if len(edges(m)) > 0 || volume < ball || volume > 8*ball || len(m.Issues) > 0 {
			t.Errorf("%d planes: %d open edges, %g balls, %v", n, len(edges(m)), volume/ball, m.Issues)
		}
	}
}

func TestBrushesWithoutAHull(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, planes := range map[string][][4]float32{
		"no planes":    nil,
		"one plane":    {{0, 0, 1, 5}},
		"open":         cube(0, 0, 0)[1:],
		"a slab":       {{0, 0, 1, 5}, {0, 0, -1, 5}},
		"too large":    {{1, 0, 0, 1 << 18}, {-1, 0, 0, 0}, {0, 1, 0, 5}, {0, -1, 0, 5}, {0, 0, 1, 5}, {0, 0, -1, 5}},
		"empty":        append(cube(0, 0, 0), [4]float32{0, 0, 1, -8}),
		"flat":         append(cube(0, 0, 0), [4]float32{0, 0, 1, 0}),
		"not a number": append(cube(0, 0, 0), [4]float32{0, 0, 1, nan}),
		"not finite":   append(cube(0, 0, 0), [4]float32{0, inf, 1, 7}),
		"no normal":    append(cube(0, 0, 0), [4]float32{0, 0, 0, 7}),
		"not unit":     append(cube(0, 0, 0), [4]float32{0, 0, 2, 7}),
	} {
		m, _ := hullOf(t, planes...)
		if len(m.Vertices) != 0 || !reflect.DeepEqual(codes(m), []string{"brush-degenerate"}) || m.Issues[0].Where != "brush 12" {
			t.Errorf("%s: %v", name, m)
		}
	}
}

func TestHullUsesSomePlanesOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	m, _ := hullOf(t, roundBrush(r, 100_000, 200, 0)...)
	if !reflect.DeepEqual(codes(m), []string{"brush-planes"}) || len(m.Vertices) == 0 || len(edges(m)) > 0 {
		t.Errorf("%d vertices, %v", len(m.Vertices), m.Issues)
	}
}

func TestHullsStopAtTheirLimits(t *testing.T) {
	brushes := []world.Brush{{Planes: cube(0, 0, 0)}, {Planes: cube(0, 0, 0), Record: 1}}
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxVertices: 24}))
	if _, err := geometry.Hulls(ctx, brushes); !errors.Is(err, limit.ErrLimit) || !strings.HasPrefix(err.Error(), "brush 1: 48 is over") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := geometry.Hulls(ctx, brushes); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if hulls, err := geometry.Hulls(t.Context(), nil); err != nil || len(hulls) != 0 {
		t.Error(hulls, err)
	}
	// 10,000 brushes of 256 planes are more pairs than are tried; all are one plane, so that this takes no time.
	brushes = make([]world.Brush, 10_000)
	for i := range brushes {
		brushes[i].Planes = make([][4]float32, 256)
		for j := range brushes[i].Planes {
			brushes[i].Planes[j] = [4]float32{0, 0, 1, 0}
		}
	}
	hulls, err := geometry.Hulls(t.Context(), brushes)
	if err != nil {
		t.Fatal(err)
	}
	first, last := codes(hulls[0]), codes(hulls[9999])
	if !reflect.DeepEqual(first, []string{"brush-degenerate"}) || !reflect.DeepEqual(last, []string{"brush-limit"}) {
		t.Error(first, last)
	}
}

func TestHullsAreTheSameOnOneCoreAndOnMany(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	brushes := make([]world.Brush, 1000)
	for i := range brushes {
		brushes[i].Planes = roundBrush(r, 6+i%20, 64, float64(i))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, err := geometry.Hulls(t.Context(), brushes)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(8)
	many, err := geometry.Hulls(t.Context(), brushes)
	if err != nil || !reflect.DeepEqual(one, many) {
		t.Error("the hulls differ", err)
	}
}

// 10,000 brushes, as many as a large map has: half cubes with the planes that compilers add, half cut by eight more.
func BenchmarkHulls(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	brushes := make([]world.Brush, 10_000)
	for i := range brushes {
		brushes[i].Planes = cube(float32(i%100)*64, float32(i/100)*64, 0)
		if i%2 == 0 {
			brushes[i].Planes = append(roundBrush(r, 8, 16, 0), cube(-16, -16, -16)...)
		}
	}
	hulls, err := geometry.Hulls(b.Context(), brushes)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, m := range hulls {
		n += len(m.Vertices)
	}
	b.SetBytes(int64(n) * 56)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := geometry.Hulls(b.Context(), brushes); err != nil {
			b.Fatal(err)
		}
	}
}

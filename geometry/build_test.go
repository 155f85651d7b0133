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
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var byError = geometry.Options{PatchError: 4}

// at returns a white vertex without a normal.
func at(x, y, z float32) world.Vertex {
	return world.Vertex{Position: [3]float32{x, y, z}, Color: [4]float32{1, 1, 1, 1}}
}

// worldOf returns a world of one model.
func worldOf(shapes ...world.Shape) *world.World {
	m := world.Model{}
	for i, s := range shapes {
		m.Surfaces = append(m.Surfaces, world.Surface{Shape: s, Chart: world.NoChart, Fog: -1, Record: 100 + i})
	}
	return &world.World{Models: []world.Model{m}}
}

// build returns the meshes of the shapes.
func build(t testing.TB, o geometry.Options, shapes ...world.Shape) []geometry.Mesh {
	t.Helper()
	meshes, err := geometry.Build(t.Context(), worldOf(shapes...), o)
	if err != nil {
		t.Fatal(err)
	}
	checkMeshes(t, meshes[0])
	return meshes[0]
}

// checkMeshes fails on what no mesh may have.
func checkMeshes(t testing.TB, meshes []geometry.Mesh) {
	t.Helper()
	for i, m := range meshes {
		if len(m.Indices)%3 != 0 {
			t.Fatalf("mesh %d: %d indices", i, len(m.Indices))
		}
		for _, v := range m.Indices {
			if int(v) >= len(m.Vertices) {
				t.Fatalf("mesh %d: index %d of %d vertices", i, v, len(m.Vertices))
			}
		}
		for j := 0; j < len(m.Indices); j += 3 {
			if n := front(m, j); n == [3]float64{} {
				t.Fatalf("mesh %d: triangle %d has no area", i, j/3)
			}
		}
		for j, v := range m.Vertices {
			var sum float64
			for _, f := range [][]float32{v.Position[:], v.Normal[:], v.UV[:], v.Luxel[:], v.Color[:]} {
				for _, f := range f {
					sum += float64(f) * 0
				}
			}
			if sum != 0 {
				t.Fatalf("mesh %d: vertex %d is not finite: %v", i, j, v)
			}
			if l := dot(wide(v.Normal), wide(v.Normal)); math.Abs(l-1) > 0.002 {
				t.Fatalf("mesh %d: the normal of vertex %d is %v", i, j, v.Normal)
			}
		}
	}
}

func wide(f [3]float32) [3]float64       { return [3]float64{float64(f[0]), float64(f[1]), float64(f[2])} }
func dot(a, b [3]float64) float64        { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func minus(a, b [3]float64) [3]float64   { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func distance(a, b [3]float64) float64   { return math.Sqrt(dot(minus(a, b), minus(a, b))) }
func position(v world.Vertex) [3]float64 { return wide(v.Position) }
func triangles(m geometry.Mesh) int      { return len(m.Indices) / 3 }
func codes(m geometry.Mesh) (out []string) {
	for _, i := range m.Issues {
		out = append(out, i.Code)
	}
	return out
}

// front returns the normal of a triangle, as long as twice its area.
func front(m geometry.Mesh, i int) [3]float64 {
	p := position(m.Vertices[m.Indices[i]])
	a, b := minus(position(m.Vertices[m.Indices[i+1]]), p), minus(position(m.Vertices[m.Indices[i+2]]), p)
	return space.Cross(a, b)
}

func TestBuildKeepsModelsAndSurfacesInOrder(t *testing.T) {
	w := &world.World{Models: []world.Model{{}, {}, {}}}
	for i := range 600 { // more than two blocks
		p := &world.Polygon{Corners: []world.Vertex{at(float32(i), 0, 0), at(float32(i)+1, 0, 0), at(float32(i), 1, 0)}}
		m := &w.Models[i%2*2]
		m.Surfaces = append(m.Surfaces, world.Surface{Shape: p})
	}
	meshes, err := geometry.Build(t.Context(), w, byError)
	if err != nil {
		t.Fatal(err)
	}
	if len(meshes) != 3 || len(meshes[0]) != 300 || len(meshes[1]) != 0 || len(meshes[2]) != 300 {
		t.Fatalf("%d models", len(meshes))
	}
	for i := range 600 {
		if x := meshes[i%2*2][i/2].Vertices[0].Position[0]; x != float32(i) {
			t.Errorf("surface %d starts at %g", i, x)
		}
	}
}

func TestBuildStopsAtTheVertexLimit(t *testing.T) {
	ctx := limit.With(context.Background(), limit.NewBudget(limit.Limits{MaxVertices: 17}))
	_, err := geometry.Build(ctx, worldOf(quarter()), byError) // 9 columns x 2 rows
	if !errors.Is(err, limit.ErrLimit) || err.Error() != "face 100: 18 is over the limit of 17 (raise it with --limit MaxVertices=N)" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := geometry.Build(ctx, worldOf(quarter()), byError); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBuildCountsPatchesBeforeItMakesThem counts what is allocated on the way to the error: the meshes that fit the budget would take
// 512 MiB, all of them 1.6 GiB.
func TestBuildCountsPatchesBeforeItMakesThem(t *testing.T) {
	dome := grid(3, 3, func(x, y int) world.Vertex { return at(float32(20000*x), float32(20000*y), float32(40000*(x%2)*(y%2))) })
	var list []world.Shape
	for range 4000 {
		list = append(list, dome) // 65 x 65 vertices
	}
	w := worldOf(list...)
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 512 << 20}))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := geometry.Build(ctx, w, byError)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, limit.ErrLimit) || !strings.Contains(err.Error(), "MaxMemory") {
		t.Error(err)
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 256<<20 {
		t.Errorf("%d MB were allocated", made>>20)
	}
}

func TestBuildOfNothing(t *testing.T) {
	if meshes, err := geometry.Build(t.Context(), &world.World{}, byError); err != nil || len(meshes) != 0 {
		t.Error(meshes, err)
	}
	m := build(t, byError, nil)[0]
	if len(m.Vertices) != 0 || !reflect.DeepEqual(codes(m), []string{"face-shape"}) {
		t.Error(m)
	}
}

func TestBuildIsTheSameOnOneCoreAndOnMany(t *testing.T) {
	w := generated(900, 100)
	for i, s := range fieldOf(8, 3).Models[0].Surfaces { // and an overlay on each
		o := sticker(float32(i%8*256), float32(i/8*256), float32(i%8*256+100), float32(i/8*256+100))
		o.Host, o.Order = len(w.Models[0].Surfaces), i
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, s, world.Surface{Shape: o})
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, err := geometry.Build(t.Context(), w, bent)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(8)
	for range 3 {
		many, err := geometry.Build(t.Context(), w, bent)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(one, many) {
			t.Fatal("the meshes differ")
		}
	}
}

// generated returns a world of flat surfaces, half polygons and half triangles, of four corners, and patches: rows of
// arches of 3x3 and pipes of 9x3, each with a neighbour.
func generated(flats, patches int) *world.World {
	r := rand.New(rand.NewPCG(1, 2))
	var shapes []world.Shape
	for i := range flats {
		x, y := float32(i%100)*64, float32(i/100)*64
		corners := []world.Vertex{at(x, y, 0), at(x+64, y, 0), at(x+64, y+64, 0), at(x, y+64, 0)}
		for j := range corners {
			corners[j].Normal = [3]float32{0, 0, 1}
		}
		if i%2 == 0 {
			shapes = append(shapes, &world.Polygon{Corners: corners})
		} else {
			shapes = append(shapes, &world.Triangles{Vertices: corners, Indices: []uint32{0, 1, 2, 0, 2, 3}})
		}
	}
	for i := range patches {
		// Eight in a row along y, so that the arches of neighbours share their ends.
		p := quarter()
		if i/8%2 == 1 {
			p = pipe()
		}
		size := 0.5 + 2*r.Float32()
		if i%8 != 0 {
			size = 1
		}
		for j := range p.Control {
			c := &p.Control[j].Position
			c[0], c[1], c[2] = c[0]*size+float32(i/8)*512, c[1]*size, c[2]+float32(i%8)*128+1024
		}
		shapes = append(shapes, p)
	}
	return worldOf(shapes...)
}

// 10,000 quads (half polygons, half triangles) and 500 patches (half 3x3, half 9x3): 40,000 + 20,648 vertices.
func BenchmarkBuild(b *testing.B) {
	w := generated(10_000, 500)
	meshes, err := geometry.Build(b.Context(), w, byError)
	if err != nil {
		b.Fatal(err)
	}
	vertices := 0
	for _, m := range meshes[0] {
		vertices += len(m.Vertices)
	}
	b.ReportMetric(float64(vertices), "vertices")
	b.SetBytes(int64(vertices) * 56)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := geometry.Build(b.Context(), w, byError); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(vertices), "vertices")
}

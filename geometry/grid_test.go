package geometry_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A square from -10 to 132 is cut at 64 first, which is nearest to its middle (61), and then at 0: 132 is 4 from 128, too near.
func TestGridCutsAsTheEngineDoes(t *testing.T) {
	p := &world.Polygon{Corners: corners([2]float32{-10, -10}, [2]float32{132, -10}, [2]float32{132, 132}, [2]float32{-10, 132}), Grid: 64}
	m := build(t, byError, p)[0]
	var got [][2]float32
	for _, v := range m.Vertices {
		if v.Luxel != [2]float32(v.Position[:2]) || v.Normal != [3]float32{0, 0, 1} {
			t.Errorf("%+v", v)
		}
		got = append(got, v.Luxel)
	}
	slices.SortFunc(got, func(a, b [2]float32) int { return slices.Compare(a[:], b[:]) })
	var want [][2]float32
	for _, x := range []float32{-10, 0, 64, 132} {
		for _, y := range []float32{-10, 0, 64, 132} {
			want = append(want, [2]float32{x, y})
		}
	}
	if !reflect.DeepEqual(got, want) || len(m.Indices) != 6*9 {
		t.Errorf("%d indices of %v", len(m.Indices), got)
	}
	area := float32(0)
	for i := 0; i < len(m.Indices); i += 3 {
		area += float32(front(m, i)[2])
	}
	if want := float32(142 * 142); area != want && area != want*2 { // front is twice the area
		t.Errorf("area %g", area)
	}
}

// Two pieces with a common edge cut it at the same places, to the bit, from whichever end they see it.
func TestGridOfNeighbours(t *testing.T) {
	a := &world.Polygon{Corners: corners([2]float32{0, 0}, [2]float32{300, 100}, [2]float32{40, 300}), Grid: 64}
	b := &world.Polygon{Corners: corners([2]float32{300, 100}, [2]float32{0, 0}, [2]float32{260, -200}), Grid: 64}
	list := build(t, byError, a, b)
	onEdge := func(m geometry.Mesh) (out [][3]float32) {
		for _, v := range m.Vertices {
			if d := v.Position[0] - 3*v.Position[1]; d*d < 1e-4 {
				out = append(out, v.Position)
			}
		}
		slices.SortFunc(out, func(a, b [3]float32) int { return slices.Compare(a[:], b[:]) })
		return out
	}
	if p, q := onEdge(list[0]), onEdge(list[1]); len(p) < 5 || !reflect.DeepEqual(p, q) {
		t.Errorf("%v and %v", p, q)
	}
}

// What is smaller than the grid, or has none, stays as it is; a huge polygon has a coarser grid.
func TestGridsThatAreNotCut(t *testing.T) {
	square := corners([2]float32{0, 0}, [2]float32{60, 0}, [2]float32{60, 60}, [2]float32{0, 60})
	for name, p := range map[string]*world.Polygon{"small": {Corners: square, Grid: 64}, "none": {Corners: square}} {
		if m := build(t, byError, p)[0]; &m.Vertices[0] != &square[0] || len(m.Indices) != 6 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	const far = 1 << 23
	huge := corners([2]float32{-far, -far}, [2]float32{far, -far}, [2]float32{far, far}, [2]float32{-far, far})
	p := &world.Polygon{Corners: huge, Grid: 64}
	if n := len(build(t, byError, p)[0].Vertices); n < 1<<12 || n > 1<<14+1<<9 {
		t.Errorf("%d vertices", n)
	}
}

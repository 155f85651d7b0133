package assemble

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// Positions are within a 64th of a map unit wherever nodes magnify them, and coarse ones don't become finer by nodes that shrink them.
func TestStepsOfMagnifiedPositions(t *testing.T) {
	mesh := func() scene.Mesh {
		return scene.Mesh{Primitives: []scene.Primitive{{Positions: make([][3]float32, 3)}}}
	}
	node := func(parent, mesh int, scale float64, levels ...int) scene.Node {
		n := scene.NewNode("n", parent)
		n.Mesh, n.Scale, n.Levels = mesh, [3]float64{scale, scale, -scale}, levels
		return n
	}
	s := &scene.Scene{
		Unit: 1, Packing: scene.Packing{Quantize: true, Meshopt: true, Step: stepOf(1, 1)},
		Meshes: []scene.Mesh{mesh(), mesh(), mesh(), mesh(), mesh()},
		Nodes: []scene.Node{
			scene.NewNode("root", scene.None), node(0, scene.None, 16), node(1, 0, 1), node(1, 1, 2, 5), node(0, 2, 0.5),
			node(scene.None, 3, 1), node(0, 4, 1), node(1, 4, 1),
		},
	}
	s.Meshes = append(s.Meshes, scene.Mesh{Primitives: []scene.Primitive{{Positions: s.Meshes[2].Primitives[0].Positions}}})
	s.Packing.Finer = finer(s)
	for i, want := range []int{-10, -11, -6, -11, -10, -6} { // 64 is 2^6, 16 2^4
		if got := s.Packing.StepOf(s.Meshes[i].Primitives[0].Positions); got != want {
			t.Errorf("mesh %d: step %d, want %d", i, got, want)
		}
	}
}

// Targets that move some vertices follow them into another order, in which they ascend again.
func TestReorderKeepsTargets(t *testing.T) {
	p := scene.Primitive{
		Positions: [][3]float32{{0}, {1}, {2}, {3}},
		Targets: []scene.Target{{
			Vertices: []uint32{1, 3}, Positions: [][3]float32{{10}, {30}}, Normals: [][3]float32{{0, 10}, {0, 30}},
		}, {}},
	}
	(&vertexOrder{old: []uint32{3, 2, 1, 0}, made: map[any]any{}}).apply(&p)
	want := []scene.Target{{
		Vertices: []uint32{0, 2}, Positions: [][3]float32{{30}, {10}}, Normals: [][3]float32{{0, 30}, {0, 10}},
	}, {}}
	if !reflect.DeepEqual(p.Targets, want) {
		t.Errorf("%+v", p.Targets)
	}
}

// Primitives that share their targets share those in the other order, too.
func TestReorderKeepsSharedTargets(t *testing.T) {
	p := scene.Primitive{
		Positions: [][3]float32{{0}, {1}, {2}, {3}}, Indices: []uint32{3, 2, 1, 3, 1, 0},
		Targets: []scene.Target{
			{Positions: [][3]float32{{0}, {1}, {2}, {3}}},
			{Vertices: []uint32{1, 2}, Positions: [][3]float32{{1}, {2}}},
		},
	}
	s := &scene.Scene{Meshes: []scene.Mesh{{Primitives: []scene.Primitive{p}}, {Primitives: []scene.Primitive{p}}}}
	if err := reorder(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	a, b := s.Meshes[0].Primitives[0], s.Meshes[1].Primitives[0]
	if &a.Targets[0] != &b.Targets[0] || !reflect.DeepEqual(a.Targets[0].Positions, a.Positions) {
		t.Errorf("%v and %v of %v", a.Targets, b.Targets, a.Positions)
	}
	for i, v := range a.Targets[1].Vertices {
		if a.Positions[v] != a.Targets[1].Positions[i] {
			t.Errorf("%+v of %v", a.Targets[1], a.Positions)
		}
	}
	if reflect.DeepEqual(a.Positions, p.Positions) {
		t.Error("the order is the same")
	}
}

package write

import (
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// A target is sparse if few vertices differ, has no data if none does, and all data otherwise.
func TestTargetsAreSparse(t *testing.T) {
	few, all := make([][3]float32, 20), make([][3]float32, 20)
	few[3], few[7] = [3]float32{0, 1, 0}, [3]float32{0, 0, -2}
	for i := range all {
		all[i] = [3]float32{1, float32(i), 0}
	}
	s := &scene.Scene{
		Nodes: []scene.Node{scene.NewNode("root", scene.None)}, Materials: []scene.Material{{Material: pbr.New("a"), Lightmap: scene.None}},
		Meshes: []scene.Mesh{{Primitives: []scene.Primitive{{
			Positions: all, Normals: all, Indices: []uint32{0, 1, 2},
			Targets: []scene.Target{{Positions: few, Normals: make([][3]float32, 20)}, {Positions: all, Normals: all}},
		}}}},
		Animations: []scene.Animation{{Name: "a", Channels: []scene.Channel{{Node: 0, Times: []float32{0, 1, 2},
			Targets: []int{scene.None, 1, 0}}}}},
	}
	s.Nodes[0].Mesh = 0
	w := newGLTF(s, sidecarNames{}, nil)
	targets := w.doc.Meshes[0].Primitives[0].Targets
	at := func(target int, name string) *gltf.Accessor { return w.doc.Accessors[targets[target][name]] }
	if a := at(0, gltf.POSITION); a.Sparse == nil || a.Sparse.Count != 2 || a.BufferView != nil || a.Count != 20 || a.Min[2] != -2 ||
		a.Max[1] != 1 {
		t.Errorf("few: %+v", a)
	}
	if a := at(0, gltf.NORMAL); a.Sparse != nil || a.BufferView != nil || a.Count != 20 {
		t.Errorf("none: %+v", a)
	}
	if a := at(1, gltf.POSITION); a.Sparse != nil || a.BufferView == nil {
		t.Errorf("all: %+v", a)
	}
	// By key: no target, the second, the first.
	if got := w.weights(&s.Animations[0].Channels[0]); len(got) != 6 || got[3] != 1 || got[4] != 1 || got[0]+got[1]+got[2]+got[5] != 0 {
		t.Errorf("weights %v", got)
	}
	if c := w.doc.Animations[0].Channels[0]; c.Target.Path != gltf.TRSWeights {
		t.Errorf("the path is %v", c.Target.Path)
	}
}

// Primitives with the same targets share their accessors. Targets without normals have none.
func TestTargetsAreShared(t *testing.T) {
	p := scene.Primitive{Positions: make([][3]float32, 3), Normals: make([][3]float32, 3), Indices: []uint32{0, 1, 2},
		Targets: []scene.Target{{Positions: [][3]float32{{1}, {2}, {3}}}}}
	s := &scene.Scene{Materials: []scene.Material{{Material: pbr.New("a"), Lightmap: scene.None}},
		Meshes: []scene.Mesh{{Primitives: []scene.Primitive{p}}, {Primitives: []scene.Primitive{p}}}}
	w := newGLTF(s, sidecarNames{}, nil)
	a, b := w.doc.Meshes[0].Primitives[0].Targets[0], w.doc.Meshes[1].Primitives[0].Targets[0]
	if at, ok := a[gltf.POSITION]; len(a) != 1 || !ok || b[gltf.POSITION] != at {
		t.Errorf("%v and %v", a, b)
	}
}

package source

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/solid"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func newContext() *decoding.Context { return decoding.NewContext(limit.NewBudget(limit.Limits{})) }

// bytesOf returns numbers as little-endian bytes.
func bytesOf(t *testing.T, numbers ...any) (data []byte) {
	t.Helper()
	for _, n := range numbers {
		var err error
		if data, err = binary.Append(data, binary.LittleEndian, n); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func TestNormalsFollowEachOther(t *testing.T) {
	indices := record.List[int]{Layout: indexV1, Lump: le.Lump{Data: bytesOf(t, [7]uint16{0, 0, 0, 1, 1, 9, 1})}}
	up, side := [3]float32{0, 0, 1}, [3]float32{1, 0, 0}
	n, err := findNormals(newContext(), []face{{edges: 3}, {edges: 4}}, indices, bytesOf(t, up, side))
	if err != nil || n.at(0, 2) != up || n.at(1, 0) != side || n.at(1, 2) != [3]float32{} { // index 9 is of no normal
		t.Errorf("%+v %v", n, err)
	}
	dc := newContext()
	if n, err := findNormals(dc, []face{{edges: 8}}, indices, nil); n != nil || err != nil || len(dc.Issues.List()) != 1 {
		t.Errorf("%+v %v", n, err)
	}
	if (*normals)(nil).at(0, 0) != [3]float32{} {
		t.Error("a map without normals has one")
	}
}

func TestMappingOfAPoint(t *testing.T) {
	m := &mapping{
		texinfo: &texinfo{texture: [2][4]float32{{2, 0, 0, 8}, {0, -1, 0, 0}}, luxel: [2][4]float32{{0.5, 0, 0, 1}, {0, 0.25, 0, 0}}},
		texels:  [2]float64{64, 32}, mins: [2]int32{3, -2}, size: [2]int32{4, 5},
	}
	v := world.Vertex{Position: [3]float32{12, -8, 5}}
	// (2*12+8)/64 and 8/32; 0.5*12+1-3+0.5 and 0.25*-8+2+0.5.
	if !m.set(&v) || v.UV != [2]float32{0.5, 0.25} || v.Luxel != [2]float32{4.5, 0.5} {
		t.Errorf("%+v", v)
	}
	v.Position[0] = 1000 // luxels end with the chart: one more than its size
	if !m.set(&v) || v.Luxel[0] != 5 {
		t.Errorf("%+v", v)
	}
	if v.Position[1] = float32(math.Inf(1)); m.set(&v) {
		t.Errorf("%+v", v)
	}
}

func TestTaggedTrianglesAreRemoved(t *testing.T) {
	tags := bytesOf(t, [4]uint16{0, 1, triRemoved | 1, 0})
	if list, n := removed(tags, 1, 3); n != 1 || !reflect.DeepEqual(list, []bool{false, true, false}) {
		t.Errorf("%v %d", list, n)
	}
	for _, first := range []int{-1, 2, math.MaxInt} {
		if list, n := removed(tags, first, 3); list != nil || n != 0 {
			t.Errorf("from %d: %v %d", first, list, n)
		}
	}
}

func TestWeightsOfFlaggedDisplacements(t *testing.T) {
	flagged := dispinfo{power: 2, minTess: tessFlags | tessMultiblend}
	record := bytesOf(t, [20]float32{2, -1, 0.5, 0})
	d := &displacements{dc: newContext(), list: []dispinfo{{power: 2}, flagged}, weights: weights{data: record}}
	if b, err := d.blends(0, 1); b != nil || err != nil {
		t.Errorf("no flag: %v %v", b, err)
	}
	if b, err := d.blends(1, 1); err != nil || b[0] != [4]float32{1, 0, 0.5, 0} { // weights are from 0 to 1
		t.Errorf("%v %v", b, err)
	}
	d.weights = weights{data: make([]byte, blendSize), all: true}
	if b, err := d.blends(0, 1); b != nil || err != nil {
		t.Errorf("weights of 0: %v %v", b, err)
	}
}

func TestBrushesOfALeafAreOfItsModel(t *testing.T) {
	r := &records{nodes: []node{{children: [2]int{-1, -2}}},
		leafs: []leaf{{brushes: 1}, {firstBrush: 1, brushes: 2}, {firstBrush: 3, brushes: 1}}}
	r.models = append(r.models, modelV1.Decode(make([]byte, 48)), modelV1.Decode(make([]byte, 48)))
	r.models[1].Head = -3
	leafBrushes := record.List[int]{Layout: indexV1, Lump: le.Lump{Data: bytesOf(t, [4]uint16{0, 1, 0, 2})}}
	owners, err := brushOwners(t.Context(), newContext(), r, &leafBrushes, 4)
	if want := []int{0, 0, 1, solid.NoOwner}; err != nil || !reflect.DeepEqual(owners, want) {
		t.Errorf("%v %v, want %v", owners, err, want)
	}
	r.leafs = nil // without a tree all are the world's
	if owners, err = brushOwners(t.Context(), newContext(), r, &leafBrushes, 2); err != nil || !reflect.DeepEqual(owners, []int{0, 0}) {
		t.Errorf("without leafs: %v %v", owners, err)
	}
}

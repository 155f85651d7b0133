package world

import "testing"

func TestLeafsOfPoints(t *testing.T) {
	l := &Leafs{
		Nodes: []LeafNode{
			{Normal: [3]float32{1, 0, 0}, Distance: 10, Children: [2]int{-1, 1}},
			{Normal: [3]float32{0, 0, 1}, Distance: -5, Children: [2]int{-2, 0}}, // back to the root
		},
		Probes: [][2]int{{0, 3}, {3, 1}},
	}
	for _, c := range []struct {
		at           [3]float32
		first, count int
	}{{[3]float32{10, 0, 0}, 0, 3}, {[3]float32{9, 0, -5}, 3, 1}, {[3]float32{9, 0, -6}, 0, 0}} {
		if first, count := l.At(c.at); first != c.first || count != c.count {
			t.Errorf("%v has %d probes from %d, want %d from %d", c.at, count, first, c.count, c.first)
		}
	}
	if _, count := (&Leafs{}).At([3]float32{}); count != 0 {
		t.Error("nothing has probes")
	}
}

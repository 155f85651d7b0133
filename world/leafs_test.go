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

// hall returns a map that is solid below 0, with a wall from 10 to 12 and a board from 20 to 21 that is a brush.
func hall() *World {
	return &World{
		Ambient: Ambient{Leafs: &Leafs{
			Nodes: []LeafNode{
				{Normal: [3]float32{0, 0, 1}, Children: [2]int{1, -1}},
				{Normal: [3]float32{1, 0, 0}, Distance: 10, Children: [2]int{2, -2}},
				{Normal: [3]float32{1, 0, 0}, Distance: 12, Children: [2]int{-3, -1}},
			},
			Solid: []bool{true, false, false}, Brushes: [][]int{nil, nil, {0}},
		}},
		Volumes: Volumes{Brushes: []Brush{{Planes: [][4]float32{{1, 0, 0, 21}, {-1, 0, 0, -20}, {0, 0, 1, 8}, {0, 0, -1, 0}}}}},
	}
}

func TestFreeWay(t *testing.T) {
	for _, c := range []struct {
		what   string
		a, b   [3]float32
		inside float64
		want   float64
	}{
		{"nothing", [3]float32{0, 0, 1}, [3]float32{9, 5, 1}, 0, 1},
		{"back from the wall", [3]float32{9, 5, 1}, [3]float32{0, 0, 1}, 0, 1},
		{"the wall", [3]float32{0, 0, 1}, [3]float32{40, 0, 1}, 0, 0.25},
		{"the wall from behind", [3]float32{20, 0, 9}, [3]float32{0, 0, 9}, 0, 0.4},
		{"the board", [3]float32{16, 0, 1}, [3]float32{24, 0, 1}, 0, 0.5},
		{"over the board", [3]float32{16, 0, 9}, [3]float32{24, 0, 9}, 0, 1},
		{"within the board", [3]float32{20.5, 0, 1}, [3]float32{24, 0, 1}, 0, 1},
		{"to the board", [3]float32{16, 0, 1}, [3]float32{20, 0, 1}, 0, 1},
		{"the floor", [3]float32{0, 0, 3}, [3]float32{0, 0, -1}, 0, 0.75},
		{"along the floor", [3]float32{0, 0, 0}, [3]float32{9, 0, 0}, 0, 1},
		{"off the floor", [3]float32{0, 0, 0}, [3]float32{0, 0, 9}, 0, 1},
		{"out of the floor", [3]float32{0, 0, -1}, [3]float32{0, 0, 9}, 0, 0},
		{"out of the floor, as far as it may", [3]float32{0, 0, -1}, [3]float32{0, 0, 9}, 0.1, 1},
		{"out of the floor into the wall", [3]float32{9, 0, -1}, [3]float32{11, 0, 1}, 0.5, 0.5},
		{"no way", [3]float32{0, 0, 1}, [3]float32{0, 0, 1}, 0, 1},
	} {
		left := 100
		if got := hall().TraceFraction(c.a, c.b, c.inside, &left); got != c.want {
			t.Errorf("%s: %g, want %g", c.what, got, c.want)
		}
	}
}

// Three nodes, a leaf and its brush of four planes are eight steps.
func TestFreeWayEnds(t *testing.T) {
	w := hall()
	for left, want := range map[int]float64{8: 1, 7: 0, 3: 0} {
		if got := w.TraceFraction([3]float32{16, 0, 9}, [3]float32{24, 0, 9}, 0, &left); got != want || want == 0 && left >= 0 {
			t.Errorf("%g with %d left, want %g", got, left, want)
		}
	}
	w.Ambient.Leafs.Nodes[1].Children = [2]int{0, 1} // circles
	w.Ambient.Leafs.Nodes[2].Children = [2]int{7, -9}
	left := 100
	if got := w.TraceFraction([3]float32{0, 0, 1}, [3]float32{40, 0, 1}, 0, &left); got != 1 {
		t.Error(got)
	}
	if got := (&World{}).TraceFraction([3]float32{}, [3]float32{1, 1, 1}, 0, &left); got != 1 {
		t.Error(got)
	}
}

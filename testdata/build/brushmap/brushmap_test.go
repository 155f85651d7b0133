package brushmap

import (
	"slices"
	"testing"
)

// Planes come in pairs; a plane or its opposite asked for again is found again.
func TestPlanesArePaired(t *testing.T) {
	var planes []Plane
	a := AddPlane(&planes, [3]float32{0, 0, -1}, 16)
	if a != 1 || planes[0] != (Plane{[3]float32{0, 0, 1}, -16, 2}) {
		t.Errorf("plane %d of %v, want 1, after its positive", a, planes)
	}
	if b := AddPlane(&planes, [3]float32{0, 0, 1}, -16); b != 0 || len(planes) != 2 {
		t.Errorf("plane %d of %d, want 0 of 2", b, len(planes))
	}
	if c := AddPlane(&planes, [3]float32{0, 0.8, 0.6}, 1); planes[c].Type != 4 {
		t.Errorf("type %d of a plane that leans from Y, want 4", planes[c].Type)
	}
}

// Two squares of 1 side by side share two corners and the edge between them, which the second goes the other way.
func TestNeighboursShareAnEdge(t *testing.T) {
	var l Loops[uint16]
	left := [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}
	right := [][3]float32{{1, 0, 0}, {1, 1, 0}, {2, 1, 0}, {2, 0, 0}}
	a, b := l.AddLoop(left), l.AddLoop(right)
	if a != 0 || b != 4 || !slices.Equal(l.Surfedges, []int32{1, 2, 3, 4, -3, 5, 6, 7}) || len(l.Vertices) != 6 {
		t.Errorf("%d, %d: %v of %v", a, b, l.Surfedges, l.Vertices)
	}
	if got := l.LoopAt(b, 4); !slices.Equal(got, right) {
		t.Errorf("%v, want %v", got, right)
	}
	if n, area := LoopNormal(right); n != [3]float32{0, 0, 1} || area != 1 {
		t.Errorf("%v, %v", n, area)
	}
}

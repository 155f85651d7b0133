package vbsp

import "testing"

// Squares of 64: a at 0 0 of power 3, b right of it of power 2, which starts at another corner; c, of 128, below both; d beside b
// and above nobody, at 64 64, which meets a at a corner.
func TestNeighboursAreFound(t *testing.T) {
	m := &Map{}
	info := m.Project(Material{Name: "ours/grass"}, [3]float32{0, 0, 1})
	add := func(x, y, size float32, start, power int) {
		f := m.Polygon(info, [3]float32{x, y, 0}, [3]float32{x, y + size, 0}, [3]float32{x + size, y + size, 0}, [3]float32{x + size, y, 0})
		m.Displace(f, start, power, func(_, _ int) ([3]float32, float32) { return [3]float32{}, 0 })
	}
	add(0, 0, 64, 0, 3)
	add(64, 0, 64, 1, 2)
	add(0, -128, 128, 0, 2)
	add(64, 64, 64, 0, 3)
	m.Neighbours()
	none := Neighbour{DispInfo: NoNeighbour}
	// b's left edge is its fourth, since it starts one corner later; a's right edge is its third.
	want := map[[2]int][2]Neighbour{
		{0, 2}: {{DispInfo: 1, Orientation: 3}, none},
		{1, 3}: {{DispInfo: 0, Orientation: 1}, none},
		{0, 3}: {{DispInfo: 2, TheirSpan: 1}, none},
		{2, 1}: {{DispInfo: 0, Span: 1}, {DispInfo: 1, Orientation: 3, Span: 2}},
		{0, 0}: {none, none},
		{0, 1}: {none, none},
	}
	for at, w := range want {
		if got := m.DispInfo[at[0]].EdgeNeighbours[at[1]]; got != w {
			t.Errorf("displacement %d, edge %d: %+v, want %+v", at[0], at[1], got, w)
		}
	}
	if c := m.DispInfo[0].CornerNeighbours[2]; c.Count != 1 || c.DispInfo[0] != 3 {
		t.Errorf("a's far corner has %+v", c)
	}
	// Every second point of a's right edge goes, because b has half as many: point 1 of it is 17 of the grid.
	// On the lower edge the points between those of half of c, which has 2 steps there, go: 1, 2, 3 and so on.
	for at, want := range map[int]bool{8: true, 17: false, 26: true, 1: false, 2: false, 4: true, 9: true} {
		if got := m.DispInfo[0].AllowedVerts[at/32]>>(at%32)&1 == 1; got != want {
			t.Errorf("point %d is allowed: %v", at, got)
		}
	}
}

package vbsp

// The edges of a displacement: left, top, right and bottom, of which each goes from one corner to another. The halves of an edge
// count in the direction in which rows and columns grow. Proved on 318 whole and 6 half edges of real maps.
var edgeCorners = [4][2]int{{0, 1}, {1, 2}, {3, 2}, {0, 3}}

// Neighbours finds which displacements share edges, whole or by halves, and corners, and says it in their records.
func (m *Map) Neighbours() {
	corners := make([][4][3]float32, len(m.DispInfo))
	for i := range m.DispInfo {
		corners[i] = m.Corners(i)
	}
	m.DispInfo = append([]DispInfo(nil), m.DispInfo...)
	for i := range m.DispInfo {
		d := &m.DispInfo[i]
		beside := map[int]bool{i: true}
		for e := range 4 {
			for o := range m.DispInfo {
				for f := range 4 {
					n := Neighbour{DispInfo: uint16(o), Orientation: uint8((f - e + 2) & 3)}
					if o == i || !meet(corners[i], e, corners[o], f, &n) {
						continue
					}
					half := 0
					if n.Span == 2 {
						half = 1
					}
					d.EdgeNeighbours[e][half] = n
					beside[o] = true
					d.allow(e, n, m.DispInfo[o].Power)
				}
			}
		}
		for c := range 4 {
			at := &d.CornerNeighbours[c]
			at.Count = 0
			for o := range m.DispInfo {
				for _, p := range corners[o] {
					if p == corners[i][c] && !beside[o] && int(at.Count) < len(at.DispInfo) {
						at.DispInfo[at.Count] = uint16(o)
						at.Count++
					}
				}
			}
		}
	}
}

// meet reports whether edge e of a is edge f of b, or the one is a half of the other, and sets which. Both are clockwise, so that the
// edges go opposite ways.
func meet(a [4][3]float32, e int, b [4][3]float32, f int, n *Neighbour) bool {
	from, to := a[e], a[(e+1)%4]
	begin, end := b[(f+1)%4], b[f]
	if from == begin && to == end {
		return true
	}
	mine, theirs := middle(from, to), middle(begin, end)
	switch {
	case from == begin && mine == end:
		n.Span = halfOf(a, e, from)
	case mine == begin && to == end:
		n.Span = halfOf(a, e, to)
	case from == begin && to == theirs:
		n.TheirSpan = halfOf(b, f, begin)
	case from == theirs && to == end:
		n.TheirSpan = halfOf(b, f, end)
	default:
		return false
	}
	return true
}

// halfOf returns which half of an edge has this corner: 1 the first, 2 the second.
func halfOf(corners [4][3]float32, edge int, corner [3]float32) uint8 {
	if corners[edgeCorners[edge][0]] == corner {
		return 1
	}
	return 2
}

func middle(a, b [3]float32) [3]float32 {
	return [3]float32{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}
}

// allow clears the points of an edge that the neighbour there does not have: the engine leaves them out, so that no cracks show.
func (d *DispInfo) allow(edge int, n Neighbour, power int32) {
	mine, theirs := 1<<d.Power, 1<<power
	first, last := 0, mine
	switch {
	case n.Span > 0:
		first = mine / 2 * int(n.Span-1)
		last = first + mine/2
	case n.TheirSpan > 0:
		theirs /= 2
	}
	step := (last - first) / theirs
	for i := first; i <= last; i++ {
		if step < 2 || (i-first)%step == 0 {
			continue
		}
		row, column := [4]int{i, mine, i, 0}[edge], [4]int{0, i, mine, i}[edge]
		at := row*(mine+1) + column
		d.AllowedVerts[at/32] &^= 1 << (at % 32)
	}
}

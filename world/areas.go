package world

// Areas are the parts of a map between its area portals: doors and windows that can hide what is behind them.
type Areas struct {
	Nodes []LeafNode // Nodes[0] is the root; children come after their parents
	Of    []int      // by leaf: the leaf's area, or NoArea
	Seen  bool       // the parts come from the visibility data, not from area portals
}

// NoArea is the area of points in no area, such as the inside of a wall.
const NoArea = -1

// At returns the area of a point, or NoArea.
func (a *Areas) At(p [3]float32) int {
	if leaf := leafAt(a.Nodes, p); leaf >= 0 && leaf < len(a.Of) {
		return a.Of[leaf]
	}
	return NoArea
}

// Several reports whether splitting by areas is useful: there is more than one, and no area has nearly all leafs.
func (a *Areas) Several() bool {
	if a == nil || len(a.Nodes) == 0 {
		return false
	}
	counts := map[int]int{}
	all, most := 0, 0
	for _, area := range a.Of {
		if area != NoArea {
			all++
			counts[area]++
			most = max(most, counts[area])
		}
	}
	return len(counts) > 1 && 10*most < 9*all
}

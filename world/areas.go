package world

// Areas are the parts into which a map's makers have cut it with doors and windows that can hide what is behind them: its areas,
// between area portals.
type Areas struct {
	Nodes []LeafNode // Nodes[0] is the root; children come after their parents
	Of    []int      // by leaf: its area, or NoArea
	Seen  bool       // they are no areas, but parts of the map that are seen from nearly the same places
}

// NoArea is the area of what is in none, as the inside of a wall.
const NoArea = -1

// At returns the area of a point, or NoArea.
func (a *Areas) At(p [3]float32) int {
	if leaf := leafAt(a.Nodes, p); leaf >= 0 && leaf < len(a.Of) {
		return a.Of[leaf]
	}
	return NoArea
}

// Several reports whether something is gained by keeping the areas apart: whether there is more than one, and the largest has not
// nearly all of the leafs.
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

package world

// Areas are the parts into which a map's makers have cut it with doors and windows that can hide what is behind them: its areas,
// between area portals.
type Areas struct {
	Nodes []LeafNode // Nodes[0] is the root; children come after their parents
	Of    []int      // by leaf: its area, or NoArea
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

// Several reports whether there is more than one area, so that something is gained by keeping them apart.
func (a *Areas) Several() bool {
	if a == nil || len(a.Nodes) == 0 {
		return false
	}
	first := NoArea
	for _, area := range a.Of {
		switch {
		case area == NoArea || area == first:
		case first == NoArea:
			first = area
		default:
			return true
		}
	}
	return false
}

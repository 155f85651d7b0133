package world

// Leafs cut the map into convex rooms, of which each has its probes.
type Leafs struct {
	Nodes  []LeafNode // Nodes[0] is the root; children come after their parents
	Probes [][2]int   // by leaf: the first of its probes in World.Probes, and how many
}

// LeafNode is a plane that has a node or a leaf on either side.
type LeafNode struct {
	Normal   [3]float32
	Distance float32
	Children [2]int // where Normal·p >= Distance, and where not: a node, or -1-leaf
}

// At returns the first and the number of the probes in the leaf of a point; the number is 0 where it has none.
func (l *Leafs) At(p [3]float32) (first, count int) {
	at := 0
	for at >= 0 && at < len(l.Nodes) {
		n := &l.Nodes[at]
		side, distance := 0, float64(0)
		for k := range p {
			distance += float64(float64(n.Normal[k]) * float64(p[k]))
		}
		if distance < float64(n.Distance) {
			side = 1
		}
		if next := n.Children[side]; next >= 0 && next <= at {
			return 0, 0 // a circle
		}
		at = n.Children[side]
	}
	if leaf := -1 - at; at < 0 && leaf < len(l.Probes) {
		return l.Probes[leaf][0], l.Probes[leaf][1]
	}
	return 0, 0
}

package world

// Leafs divide the map into convex rooms, each with its probes.
type Leafs struct {
	Nodes   []LeafNode // Nodes[0] is the root; children come after their parents
	Probes  [][2]int   // by leaf: index of its first probe in World.Ambient.Probes, and their number
	Solid   []bool     // by leaf: it blocks light
	Brushes [][]int    // by leaf: brushes in it that block light, as indices into World.Volumes.Brushes
}

// LeafNode is a plane with a node or a leaf on each side.
type LeafNode struct {
	Normal   [3]float32
	Distance float32
	Children [2]int // in front (Normal·p >= Distance) and behind: a node, or -1-leaf
}

// deepest bounds the depth of the tree; real maps stay below a hundred.
const deepest = 4096

// At returns the index of the first probe in the leaf of a point, and their number.
func (l *Leafs) At(p [3]float32) (first, count int) {
	if leaf := leafAt(l.Nodes, p); leaf >= 0 && leaf < len(l.Probes) {
		return l.Probes[leaf][0], l.Probes[leaf][1]
	}
	return 0, 0
}

// leafAt returns the leaf of a point, or -1 if the tree leads to none.
func leafAt(nodes []LeafNode, p [3]float32) int {
	at := 0
	for depth := 0; at >= 0 && at < len(nodes); depth++ {
		if depth == deepest {
			return -1
		}
		n, side := &nodes[at], 0
		if height(n.Normal, n.Distance, p) < 0 {
			side = 1
		}
		next := n.Children[side]
		if next >= 0 && next <= at {
			return -1 // the tree has a cycle
		}
		at = next
	}
	return -1 - at
}

// height returns the distance of a point in front of a plane.
func height(normal [3]float32, distance float32, p [3]float32) float64 {
	sum := -float64(distance)
	for k := range p {
		sum += float64(float64(normal[k]) * float64(p[k]))
	}
	return sum
}

// child returns the child on a side of a node; ok is false if that would form a cycle.
func (l *Leafs) child(at, side int) (next int, ok bool) {
	next = l.Nodes[at].Children[side]
	return next, next < 0 || next > at
}

// TraceFraction returns the fraction of the segment from a to b, 0 to 1, that light passes before it enters something solid. It is 1 if
// nothing blocks it, or if there are no leafs. A brush that contains a does not block; a solid leaf does, beyond the fraction
// inside of the segment. Each node and plane examined takes one of left; when none is left, the segment ends.
func (w *World) TraceFraction(a, b [3]float32, inside float64, left *int) float64 {
	l := w.Ambient.Leafs
	if l == nil || len(l.Nodes) == 0 {
		return 1
	}
	type piece struct {
		at       int // as LeafNode.Children
		from, to float64
	}
	var room [64]piece
	pieces := append(room[:0], piece{0, 0, 1}) // of the segment, the nearest last
	out := false                               // the segment has left the solid that contains a
	for len(pieces) > 0 {
		p := pieces[len(pieces)-1]
		pieces = pieces[:len(pieces)-1]
		if *left--; *left < 0 {
			return p.from
		}
		if p.at < 0 || p.at >= len(l.Nodes) {
			leaf := -1 - p.at
			solid := p.at < 0 && leaf < len(l.Solid) && l.Solid[leaf]
			if solid && (out || p.to > inside) {
				return p.from
			}
			if out = out || !solid; p.at < 0 && leaf < len(l.Brushes) {
				if entered := w.enter(l.Brushes[leaf], a, b, left); entered < 1 {
					return entered
				}
			}
			continue
		}
		n := &l.Nodes[p.at]
		first, last := height(n.Normal, n.Distance, a), height(n.Normal, n.Distance, b)
		slope := last - first
		from, to := first+float64(slope*p.from), first+float64(slope*p.to)
		near := 0
		if from < 0 || from == 0 && to < 0 {
			near = 1
		}
		if near == 0 && to < 0 || near == 1 && to > 0 {
			cut := min(max(first/(first-last), p.from), p.to)
			if next, ok := l.child(p.at, 1-near); ok {
				pieces = append(pieces, piece{next, cut, p.to})
			}
			p.to = cut
		}
		if next, ok := l.child(p.at, near); ok {
			pieces = append(pieces, piece{next, p.from, p.to})
		}
	}
	return 1
}

// enter returns the fraction at which the segment from a to b enters the first of some brushes, or 1 if it enters
// none.
func (w *World) enter(brushes []int, a, b [3]float32, left *int) float64 {
	first := 1.0
	for _, i := range brushes {
		planes := w.Volumes.Brushes[i].Planes
		if *left -= len(planes); *left < 0 {
			return 0
		}
		in, out := 0.0, 1.0
		for _, p := range planes {
			normal := [3]float32{p[0], p[1], p[2]}
			from, to := height(normal, p[3], a), height(normal, p[3], b)
			switch {
			case from >= 0 && to >= 0:
				out = 0
			case from > 0:
				in = max(in, from/(from-to))
			case to > 0:
				out = min(out, from/(from-to))
			}
		}
		if in > 0 && in < out {
			first = min(first, in)
		}
	}
	return first
}

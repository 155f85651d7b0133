package world

// Leafs cut the map into convex rooms, of which each has its probes.
type Leafs struct {
	Nodes   []LeafNode // Nodes[0] is the root; children come after their parents
	Probes  [][2]int   // by leaf: the first of its probes in World.Ambient.Probes, and how many
	Solid   []bool     // by leaf: no light goes through it
	Brushes [][]int    // by leaf: what else in it stops light, in World.Volumes.Brushes
}

// LeafNode is a plane that has a node or a leaf on either side.
type LeafNode struct {
	Normal   [3]float32
	Distance float32
	Children [2]int // where Normal·p >= Distance, and where not: a node, or -1-leaf
}

// deepest is how many nodes lie on the way to a leaf at most; in real maps it is less than a hundred.
const deepest = 4096

// At returns the first and the number of the probes in the leaf of a point; the number is 0 where it has none.
func (l *Leafs) At(p [3]float32) (first, count int) {
	if leaf := leafAt(l.Nodes, p); leaf >= 0 && leaf < len(l.Probes) {
		return l.Probes[leaf][0], l.Probes[leaf][1]
	}
	return 0, 0
}

// leafAt returns the leaf of a point, or -1 where the tree leads to none.
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
			return -1 // that would go in a circle
		}
		at = next
	}
	return -1 - at
}

// height is how far a point is in front of a plane.
func height(normal [3]float32, distance float32, p [3]float32) float64 {
	sum := -float64(distance)
	for k := range p {
		sum += float64(float64(normal[k]) * float64(p[k]))
	}
	return sum
}

// child is what lies on a side of a node; ok is false where that would go in a circle.
func (l *Leafs) child(at, side int) (next int, ok bool) {
	next = l.Nodes[at].Children[side]
	return next, next < 0 || next > at
}

// Free returns how far the way from a to b is free for light, from 0 to 1: where it comes into something solid. It is 1 where
// nothing is in the way, or there are no leafs. What a lies in is not in the way; a solid leaf is, from the part inside on. Each
// node and plane looked at takes one of left; where nothing is left, the way ends.
func (w *World) Free(a, b [3]float32, inside float64, left *int) float64 {
	l := w.Ambient.Leafs
	if l == nil || len(l.Nodes) == 0 {
		return 1
	}
	type piece struct {
		at       int // as LeafNode.Children
		from, to float64
	}
	var room [64]piece
	pieces := append(room[:0], piece{0, 0, 1}) // of the way, the nearest last
	out := false                               // of the solid that a lies in
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

// enter returns where the way from a to b comes into the first of some brushes, or 1 where it comes into none.
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

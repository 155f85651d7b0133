package lift

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Sight is what a map says of what can be seen from where: its leafs are in clusters, and each cluster has a row of bits, one for
// each cluster that can be seen from it.
type Sight struct {
	Cluster []int  // by leaf: its cluster, or -1 for what is solid
	Starts  []int  // by cluster: where its row begins in Rows; below 0 there is none, and it sees nothing that others don't
	Rows    []byte // the rows
	Packed  bool   // in a row a zero byte is followed by how many of them there are
}

// SightOf reads what Quake II and Source say of what can be seen: how many clusters there are, for each where its row begins and
// where that of what can be heard, and the rows.
func SightOf(clusters []int, lump []byte, order binary.ByteOrder) Sight {
	if len(lump) < 4 {
		return Sight{}
	}
	n := int64(order.Uint32(lump))
	if n > int64(len(lump)-4)/8 {
		return Sight{}
	}
	s := Sight{Cluster: clusters, Starts: make([]int, n), Rows: lump, Packed: true}
	for i := range s.Starts {
		s.Starts[i] = int(int32(order.Uint32(lump[4+8*i:])))
	}
	return s
}

// mostSeen is into how many parts a map is cut at most.
const mostSeen = 64

// When a part stays whole, and when the map does: when so little of the map, drawn as a whole from everywhere, is drawn in vain
// because of it.
const (
	seenEnough = 0.01
	seenWhole  = 0.1
)

// look adds what can be seen from a cluster to the bits of seen.
func (s *Sight) look(cluster int, seen []byte) {
	start := s.Starts[cluster]
	if start < 0 || start >= len(s.Rows) {
		return
	}
	row := s.Rows[start:]
	if !s.Packed {
		for i := range min(len(seen), len(row)) {
			seen[i] |= row[i]
		}
		return
	}
	for i := 0; i < len(seen) && len(row) > 0; {
		if row[0] != 0 {
			seen[i] |= row[0]
			i, row = i+1, row[1:]
			continue
		}
		if len(row) < 2 || row[1] == 0 {
			return
		}
		i, row = i+int(row[1]), row[2:]
	}
}

// Group sets the parts of a map by what can be seen from where, instead of its areas: subtrees, the more the more is gained by not
// drawing what can't be seen. A map that says nothing of it, or where all is seen from everywhere, stays as it is.
func (j *Job) Group(a *world.Areas, s Sight) error {
	if a == nil || len(a.Nodes) == 0 || len(s.Rows) == 0 {
		return nil
	}
	if err := j.Borrow(limit.Bytes[int](2*len(a.Nodes)+2*len(a.Of)) + int64(len(a.Nodes)+len(a.Of)+len(s.Starts)/8)); err != nil {
		return err
	}
	g := grouping{nodes: a.Nodes, sight: &s, bits: make([]byte, (len(s.Starts)+7)/8), spans: make([][2]int, len(a.Nodes)),
		reached: make([]bool, len(a.Nodes)), taken: make([]bool, len(a.Of))}
	g.walk(0, 0)
	for i := range g.leafs {
		g.sees = append(g.sees, g.seen(i, i+1))
	}
	parts := g.parts()
	if len(parts) < 2 {
		return nil
	}
	a.Seen = true
	for i := range a.Of {
		a.Of[i] = world.NoArea
	}
	for n, p := range parts {
		for _, leaf := range g.leafs[p.from:p.to] {
			a.Of[leaf] = n
		}
	}
	return nil
}

// grouping cuts the tree of a map into parts that are seen from nearly the same places.
type grouping struct {
	nodes   []world.LeafNode
	sight   *Sight
	leafs   []int    // with a cluster, in the order of the tree
	sees    []int    // for each of leafs: how many clusters it sees
	spans   [][2]int // by node: which of leafs are below it
	reached []bool   // by node
	taken   []bool   // by leaf
	bits    []byte   // a row
}

// deepest is how far the tree of a real map goes down at most.
const deepest = 4096

// walk lays out the leafs below a place of the tree. What the tree leads to twice counts once.
func (g *grouping) walk(at, depth int) {
	if leaf := -1 - at; leaf >= 0 {
		if leaf < len(g.taken) && !g.taken[leaf] && g.sight.Cluster[leaf] >= 0 && g.sight.Cluster[leaf] < len(g.sight.Starts) {
			g.taken[leaf] = true
			g.leafs = append(g.leafs, leaf)
		}
		return
	}
	if at >= len(g.nodes) || g.reached[at] || depth == deepest {
		return
	}
	g.reached[at] = true
	g.spans[at][0] = len(g.leafs)
	for _, child := range g.nodes[at].Children {
		if child < 0 || child > at {
			g.walk(child, depth+1)
		}
	}
	g.spans[at][1] = len(g.leafs)
}

// seen counts the clusters that some of the leafs can see.
func (g *grouping) seen(from, to int) (n int) {
	clear(g.bits)
	for _, leaf := range g.leafs[from:to] {
		g.sight.look(g.sight.Cluster[leaf], g.bits)
	}
	for _, b := range g.bits {
		n += bits.OnesCount8(b)
	}
	return n
}

// seenPart is all that is below one place of the tree.
type seenPart struct {
	at       int // as LeafNode.Children
	from, to int // which of the leafs
	waste    int // for how many clusters a leaf is drawn in vain, summed up over the leafs, if the part is drawn as a whole
}

// part returns the part below a place of the tree, whose leafs begin at from.
func (g *grouping) part(at, from, end int) seenPart {
	p := seenPart{at: at, from: from, to: from}
	switch {
	case at >= 0 && at < len(g.nodes) && g.spans[at][0] == from && g.spans[at][1] <= end:
		p.to = g.spans[at][1]
	case at < 0 && from < end && g.leafs[from] == -1-at:
		p.to = from + 1
	}
	all := g.seen(p.from, p.to)
	for i := p.from; i < p.to; i++ {
		p.waste += all - g.sees[i]
	}
	return p
}

// parts cuts the part whose leafs are most often drawn in vain, again and again, until little is gained.
func (g *grouping) parts() []seenPart {
	list := []seenPart{g.part(0, 0, len(g.leafs))}
	everything := float64(len(g.leafs)) * float64(len(g.sight.Starts))
	if float64(list[0].waste) < seenWhole*everything {
		return list
	}
	for len(list) < mostSeen {
		worst := 0
		for i := range list {
			if list[i].waste > list[worst].waste {
				worst = i
			}
		}
		p := list[worst]
		if float64(p.waste) < seenEnough*everything || p.at < 0 {
			break
		}
		children := g.nodes[p.at].Children
		first := g.part(children[0], p.from, p.to)
		second := g.part(children[1], first.to, p.to)
		if first.to == first.from {
			first, second = second, first
		}
		if first.to == first.from {
			break // a place that the tree leads to twice
		}
		list[worst] = first
		if second.to > second.from {
			list = append(list, second)
		}
	}
	slices.SortFunc(list, func(a, b seenPart) int { return cmp.Compare(a.from, b.from) })
	return list
}

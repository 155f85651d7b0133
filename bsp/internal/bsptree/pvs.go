package bsptree

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// PVS is a map's visibility data: leafs belong to clusters, and each cluster has a row with a bit for each cluster that is
// visible from it.
type PVS struct {
	Cluster []int  // by leaf: its cluster, or -1 if solid
	Starts  []int  // by cluster: start of its row in Rows; below 0 if it has none
	Rows    []byte // the rows
	Packed  bool   // in a row, a zero byte is followed by the number of zero bytes
}

// ReadPVS reads the visibility lump of Quake II and Source: the number of clusters, for each the offsets of its visible and its
// audible row, and the rows.
func ReadPVS(clusters []int, lump []byte, order binary.ByteOrder) PVS {
	if len(lump) < 4 {
		return PVS{}
	}
	n := int64(order.Uint32(lump))
	if n > int64(len(lump)-4)/8 {
		return PVS{}
	}
	s := PVS{Cluster: clusters, Starts: make([]int, n), Rows: lump, Packed: true}
	for i := range s.Starts {
		s.Starts[i] = int(int32(order.Uint32(lump[4+8*i:])))
	}
	return s
}

// maxSeen is the most parts that a map is cut into.
const maxSeen = 64

// Thresholds for not cutting a part, or the map: the share of the map that is drawn needlessly, on average over all positions,
// because it is not cut.
const (
	seenEnough = 0.01
	seenWhole  = 0.1
)

// look adds the clusters visible from a cluster to the bits of seen.
func (s *PVS) look(cluster int, seen []byte) {
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

// AreasFromPVS replaces the areas of a map by parts according to its visibility: subtrees of the leafs, more of them if more can be
// culled. A map without visibility data, or where everything is visible from everywhere, is not changed.
func AreasFromPVS(dc *decoding.Context, a *world.Areas, s PVS) error {
	if a == nil || len(a.Nodes) == 0 || len(s.Rows) == 0 {
		return nil
	}
	if err := dc.Borrow(limit.Bytes[int](2*len(a.Nodes)+2*len(a.Of)) + int64(len(a.Nodes)+len(a.Of)+len(s.Starts)/8)); err != nil {
		return err
	}
	g := grouping{nodes: a.Nodes, pvs: &s, bits: make([]byte, (len(s.Starts)+7)/8), spans: make([][2]int, len(a.Nodes)),
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

// grouping cuts the tree of a map into parts that are visible from nearly the same positions.
type grouping struct {
	nodes   []world.LeafNode
	pvs     *PVS
	leafs   []int    // leafs with a cluster, in tree order
	sees    []int    // by index in leafs: number of visible clusters
	spans   [][2]int // by node: the range of leafs below it
	reached []bool   // by node
	taken   []bool   // by leaf
	bits    []byte   // a row of visibility bits
}

// deepest bounds the depth of the tree, far above that of real maps.
const deepest = 4096

// walk lists the leafs below a node of the tree. Leafs that are reached twice count once.
func (g *grouping) walk(at, depth int) {
	if leaf := -1 - at; leaf >= 0 {
		if leaf < len(g.taken) && !g.taken[leaf] && g.pvs.Cluster[leaf] >= 0 && g.pvs.Cluster[leaf] < len(g.pvs.Starts) {
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

// seen counts the clusters that are visible from any of the leafs.
func (g *grouping) seen(from, to int) (n int) {
	clear(g.bits)
	for _, leaf := range g.leafs[from:to] {
		g.pvs.look(g.pvs.Cluster[leaf], g.bits)
	}
	for _, b := range g.bits {
		n += bits.OnesCount8(b)
	}
	return n
}

// seenPart is the part of the map below one node of the tree.
type seenPart struct {
	at       int // as LeafNode.Children
	from, to int // range of leafs
	waste    int // number of clusters from which a leaf is drawn needlessly if the part is drawn as a whole, summed over its leafs
}

// part returns the part below a node of the tree, whose leafs start at from.
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

// parts repeatedly cuts the part with the most waste, until little is gained.
func (g *grouping) parts() []seenPart {
	list := []seenPart{g.part(0, 0, len(g.leafs))}
	everything := float64(len(g.leafs)) * float64(len(g.pvs.Starts))
	if float64(list[0].waste) < seenWhole*everything {
		return list
	}
	for len(list) < maxSeen {
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
			break // a node that is reached twice
		}
		list[worst] = first
		if second.to > second.from {
			list = append(list, second)
		}
	}
	slices.SortFunc(list, func(a, b seenPart) int { return cmp.Compare(a.from, b.from) })
	return list
}

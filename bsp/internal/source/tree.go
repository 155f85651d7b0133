package source

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/bsptree"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxDepth ends a walk down a tree that has a cycle in a hostile map.
const maxDepth = 4096

// tree is the tree of the world's leafs.
type tree struct {
	planes []plane
	nodes  []node
	leafs  []leaf
	head   int // root node
}

// tree returns the tree of the world, which is the first model.
func (r *records) tree() *tree {
	return &tree{r.planes, r.nodes, r.leafs, r.models[0].Head}
}

// leafAt returns the leaf at a point, or -1 if the tree leads to none.
func (t *tree) leafAt(p [3]float32) int {
	if len(t.nodes) == 0 {
		return -1
	}
	at := t.head
	for range maxDepth {
		if at < 0 {
			if leaf := -1 - at; leaf < len(t.leafs) {
				return leaf
			}
			return -1
		}
		if at >= len(t.nodes) {
			return -1
		}
		n := &t.nodes[at]
		if n.plane < 0 || n.plane >= len(t.planes) {
			return -1
		}
		pl := &t.planes[n.plane]
		side := 0
		if space.Dot(pl.normal, p) < float64(pl.distance) {
			side = 1
		}
		at = n.children[side]
	}
	return -1
}

// areaAt returns the area at a point, or 0 if it is in none.
func (t *tree) areaAt(p [3]float32) int {
	if leaf := t.leafAt(p); leaf >= 0 {
		return t.leafs[leaf].area
	}
	return 0
}

// decodeAreas returns the areas of a map's leafs, given its tree in the world, and where there are none what is seen together. Area 0 is
// what is solid or outside.
func decodeAreas(m *file, leafs []leaf, l *world.Leafs) (*world.Areas, error) {
	if l == nil {
		return nil, nil
	}
	if err := m.dc.Reserve(limit.Bytes[int](len(leafs))); err != nil {
		return nil, err
	}
	a := &world.Areas{Nodes: l.Nodes, Of: make([]int, len(leafs))}
	for i := range leafs {
		a.Of[i] = world.NoArea
		if area := leafs[i].area; area > 0 {
			a.Of[i] = area
		}
	}
	if a.Several() {
		return a, nil
	}
	visibility, err := m.stored(lumpVisibility)
	if errors.Is(err, limit.ErrCorrupt) {
		m.dc.Issue("lump-broken", lumpName(lumpVisibility), "is left out: %v", err)
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	m.dc.Adopt(int64(len(visibility.Data)))
	var order binary.ByteOrder = binary.LittleEndian
	if m.big {
		order = binary.BigEndian
	}
	clusters := make([]int, len(leafs))
	for i := range leafs {
		clusters[i] = leafs[i].cluster
	}
	return a, bsptree.AreasFromPVS(m.dc, a, bsptree.ReadPVS(clusters, visibility.Data, order))
}

// world converts the tree to world.Leafs, for finding probes and tracing light. It has each node reachable from the root once;
// an invalid child becomes a leaf without probes.
func (t *tree) world(ctx context.Context, dc *decoding.Context) (*world.Leafs, error) {
	if len(t.leafs) == 0 || len(t.nodes) == 0 {
		return nil, nil
	}
	if err := dc.Reserve(limit.Bytes[world.LeafNode](len(t.nodes)) + limit.Bytes[[2]int](len(t.leafs)) + int64(len(t.leafs))); err != nil {
		return nil, err
	}
	// Overhead of growing lists.
	if err := dc.Borrow(limit.Bytes[world.LeafNode](len(t.nodes)) + limit.Bytes[int](2*len(t.nodes))); err != nil {
		return nil, err
	}
	l := &world.Leafs{Probes: make([][2]int, len(t.leafs)), Solid: make([]bool, len(t.leafs))}
	for i := range t.leafs {
		l.Solid[i] = t.leafs[i].contents&contentsSolid != 0
	}
	none := -1 - len(t.leafs)
	found := make([]bool, len(t.nodes))
	var list []int // indices of the file's nodes, in the world's order
	child := func(at int) int {
		switch {
		case at < 0 && -1-at < len(t.leafs):
			return at
		case at < 0 || at >= len(t.nodes) || found[at]:
			return none
		}
		found[at] = true
		list = append(list, at)
		return len(list) - 1
	}
	if child(t.head) != 0 {
		return nil, nil // the world is one leaf, or none
	}
	for len(l.Nodes) < len(list) {
		i := len(l.Nodes)
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := &t.nodes[list[i]]
		out := world.LeafNode{Children: [2]int{none, none}}
		if n.plane >= 0 && n.plane < len(t.planes) {
			p := &t.planes[n.plane]
			out = world.LeafNode{Normal: p.normal, Distance: p.distance, Children: [2]int{child(n.children[0]), child(n.children[1])}}
		}
		l.Nodes = append(l.Nodes, out)
	}
	return l, nil
}

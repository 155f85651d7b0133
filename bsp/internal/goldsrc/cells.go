package goldsrc

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/bsptree"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cellMargin is the thickness in map units of the solid around a map's box. In the map's tree that solid is infinite.
const cellMargin = 16

// maxCellPlanes is the most planes of a leaf that count.
const maxCellPlanes = 256

// cells decodes the leafs of the models' trees that are not empty. A leaf is the space between the planes of the nodes above it, so the
// solids are exactly what the engine finds at a point (its hull 0). The hulls that it uses for bodies are the same, grown by the body's
// size, with brushes for clipping: those are in no leaf.
func (s *solids) cells(ctx context.Context) error {
	tree := treeOf(s.file, s.records)
	nodes, leafs, err := bsptree.ReadNodes(s.dc, s.file.f, tree)
	if err != nil || nodes == nil {
		return err
	}
	c := &cells{solids: s, nodes: nodes, seen: make([]bool, len(nodes)), layout: s.file.v.layout.leaf, leafs: leafs}
	for i := range s.records.models {
		m := &s.records.models[i]
		if !record.Sane(m.mins[:]...) || !record.Sane(m.maxs[:]...) {
			continue // already reported
		}
		c.model = i
		if err := c.walk(ctx, m.head, box(m.mins, m.maxs, cellMargin)); err != nil {
			return err
		}
	}
	return nil
}

// cells walks trees.
type cells struct {
	solids *solids
	nodes  []world.LeafNode
	seen   []bool // nodes: a hostile map may use one twice
	layout record.Layout[leaf]
	leafs  []byte
	model  int
}

// place is a node or a leaf, and the planes around it.
type cellPlace struct {
	at     int
	planes [][4]float32
}

// walk adds the leafs below a node.
func (c *cells) walk(ctx context.Context, head int, around [][4]float32) error {
	stack := []cellPlace{{head, around}}
	for steps := 0; len(stack) > 0; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.at < 0 {
			if err := c.leaf(-1-p.at, p.planes); err != nil {
				return err
			}
			continue
		}
		if p.at >= len(c.nodes) || c.seen[p.at] {
			continue
		}
		c.seen[p.at] = true
		n := &c.nodes[p.at]
		unit := record.UnitOrZero(n.Normal)
		if unit == [3]float32{} || len(p.planes) >= maxCellPlanes {
			continue
		}
		for side, sign := range [2]float32{-1, 1} { // the first child is in front
			plane := [4]float32{sign * unit[0], sign * unit[1], sign * unit[2], sign * n.Distance}
			stack = append(stack, cellPlace{n.Children[side], closer(p.planes, plane)})
		}
	}
	return nil
}

// closer returns planes with another one, in place of one of the same direction that is farther.
func closer(planes [][4]float32, p [4]float32) [][4]float32 {
	out := make([][4]float32, 0, len(planes)+1)
	for _, q := range planes {
		if q[0] == p[0] && q[1] == p[1] && q[2] == p[2] {
			p[3] = min(p[3], q[3])
			continue
		}
		out = append(out, q)
	}
	return append(out, p)
}

// leaf adds a leaf, if it is not empty.
func (c *cells) leaf(i int, planes [][4]float32) error {
	if i*c.layout.Size >= len(c.leafs) {
		return nil
	}
	l := c.layout.Decode(c.leafs[i*c.layout.Size:])
	bits := leafContents[l.contents]
	if bits == 0 {
		return nil
	}
	return c.solids.add(world.Brush{Model: c.model, Contents: bits, Planes: planes, Record: len(c.solids.out), Cell: true})
}

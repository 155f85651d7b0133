package movers

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// boxTree finds the boxes of models that touch a given box. It returns each box only once.
type boxTree struct {
	boxes []entityBox // in the order of the leaves
	nodes []boxNode   // node i has the children 2i+1 and 2i+2
	steps int         // nodes visited so far
}

// entityBox is the box of an entity's model.
type entityBox struct {
	entity     int
	mins, maxs [3]float32
}

// boxNode is the bounds of the boxes below it that have not been returned yet.
type boxNode struct {
	from, to   int // its range of boxes; one box makes a leaf
	left       int // how many have not been returned
	mins, maxs [3]float32
}

// newBoxTree returns the tree of the boxes of entities.
func newBoxTree(w *world.World, entities []int) *boxTree {
	t := &boxTree{}
	for _, i := range entities {
		m := &w.Models[w.Entities[i].Model]
		t.boxes = append(t.boxes, entityBox{i, m.Mins, m.Maxs})
	}
	if len(t.boxes) > 0 {
		t.build(0, 0, len(t.boxes))
	}
	return t
}

// build makes a node of a range of boxes. It halves the range along the axis on which the boxes' centres are farthest
// apart.
func (t *boxTree) build(node, from, to int) {
	for len(t.nodes) <= node {
		t.nodes = append(t.nodes, boxNode{})
	}
	n := &t.nodes[node]
	*n = boxNode{from: from, to: to, left: to - from}
	if to-from > 1 {
		part := t.boxes[from:to]
		axis := longest(part)
		slices.SortStableFunc(part, func(a, b entityBox) int { return compare(a.mins[axis]+a.maxs[axis], b.mins[axis]+b.maxs[axis]) })
		middle := (from + to + 1) / 2
		t.build(2*node+1, from, middle)
		t.build(2*node+2, middle, to)
	}
	t.bound(node)
}

// longest returns the axis on which the centres of boxes are farthest apart.
func longest(boxes []entityBox) (axis int) {
	best := float32(-1)
	for k := range 3 {
		low, high := boxes[0].mins[k]+boxes[0].maxs[k], boxes[0].mins[k]+boxes[0].maxs[k]
		for i := range boxes {
			low, high = min(low, boxes[i].mins[k]+boxes[i].maxs[k]), max(high, boxes[i].mins[k]+boxes[i].maxs[k])
		}
		if high-low > best {
			best, axis = high-low, k
		}
	}
	return axis
}

func compare(a, b float32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// bound computes the bounds and the count of a node from its children.
func (t *boxTree) bound(node int) {
	n := &t.nodes[node]
	if n.to-n.from == 1 {
		n.mins, n.maxs = t.boxes[n.from].mins, t.boxes[n.from].maxs
		return
	}
	a, b := &t.nodes[2*node+1], &t.nodes[2*node+2]
	n.left = a.left + b.left
	switch {
	case a.left == 0:
		n.mins, n.maxs = b.mins, b.maxs
	case b.left == 0:
		n.mins, n.maxs = a.mins, a.maxs
	default:
		n.mins, n.maxs = a.mins, a.maxs
		space.Extend(&n.mins, &n.maxs, b.mins)
		space.Extend(&n.mins, &n.maxs, b.maxs)
	}
}

// take returns the entities of all boxes within units of a box, ascending, and removes them.
func (t *boxTree) take(mins, maxs *[3]float32, units float32) (found []int) {
	if len(t.nodes) > 0 {
		t.visit(0, mins, maxs, units, &found)
	}
	slices.Sort(found)
	return found
}

func (t *boxTree) visit(node int, mins, maxs *[3]float32, units float32, found *[]int) {
	t.steps++
	n := &t.nodes[node]
	if n.left == 0 || !near(&n.mins, &n.maxs, mins, maxs, units) {
		return
	}
	if n.to-n.from == 1 {
		n.left = 0
		*found = append(*found, t.boxes[n.from].entity)
		return
	}
	t.visit(2*node+1, mins, maxs, units, found)
	t.visit(2*node+2, mins, maxs, units, found)
	t.bound(node)
}

// near reports whether two boxes are within units of each other.
func near(amins, amaxs, bmins, bmaxs *[3]float32, units float32) bool {
	for k := range amins {
		if amins[k]-bmaxs[k] > units || bmins[k]-amaxs[k] > units {
			return false
		}
	}
	return true
}

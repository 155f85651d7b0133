package lift

import (
	"encoding/binary"
	"errors"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// AreaTree locates the tree of leafs in a file: nodes start with a plane and two children; a negative child c is the leaf -1-c.
// Compilers write a node before its children.
type AreaTree struct {
	Nodes, Leafs       Lump
	NodeSize, LeafSize int
	Short              bool // children have 16 bits
	Plane              func(i int) (normal [3]float32, distance float32, ok bool)
	Area               func(leaf []byte) int // or world.NoArea
	Visibility         Lump                  // the visibility data
	Sight              func(leafs, visibility []byte) Sight
}

// Areas lifts the areas of a map, or, if there are fewer than two, its parts by visibility. Broken data is an issue, and the
// result is nil.
func (j *Job) Areas(f *le.File, t AreaTree) (*world.Areas, error) {
	nodes, leafs, err := j.Tree(f, t)
	if err != nil || nodes == nil {
		return nil, err
	}
	if err := j.Reserve(limit.Bytes[int](len(leafs) / t.LeafSize)); err != nil {
		return nil, err
	}
	a := &world.Areas{Nodes: nodes, Of: make([]int, len(leafs)/t.LeafSize)}
	for i := range a.Of {
		a.Of[i] = t.Area(leafs[i*t.LeafSize:][:t.LeafSize])
	}
	if a.Several() {
		return a, nil
	}
	visibility, err := j.Records(f, t.Visibility, 1)
	if err != nil || visibility == nil {
		return a, err
	}
	return a, j.Group(a, t.Sight(leafs, visibility))
}

// Tree lifts the nodes of a tree, and returns them with the bytes of the leafs. The children of a node with a broken plane are leafs that
// are not there. Broken data is an issue, and the result is nil.
func (j *Job) Tree(f *le.File, t AreaTree) (nodes []world.LeafNode, leafs []byte, err error) {
	var data [2][]byte
	for i, info := range []Lump{t.Nodes, t.Leafs} {
		if data[i], err = j.Records(f, info, [2]int{t.NodeSize, t.LeafSize}[i]); err != nil || data[i] == nil {
			return nil, nil, err
		}
	}
	n := len(data[0]) / t.NodeSize
	if err := j.Reserve(limit.Bytes[world.LeafNode](n)); err != nil {
		return nil, nil, err
	}
	nodes = make([]world.LeafNode, n)
	none := -1 - len(data[1])/t.LeafSize
	for i := range nodes {
		b := data[0][i*t.NodeSize:]
		nodes[i].Children = [2]int{none, none}
		if normal, distance, ok := t.Plane(I32(b)); ok && Sane(normal[:]...) && Sane(distance) {
			nodes[i] = world.LeafNode{Normal: normal, Distance: distance, Children: t.children(b[4:], n)}
		}
	}
	return nodes, data[1], nil
}

// Records reads a lump of records of a size that few maps need; it returns nil if the lump is missing or broken, which is an issue.
func (j *Job) Records(f *le.File, info Lump, size int) ([]byte, error) {
	if info.Size == 0 {
		return nil, nil
	}
	l, err := f.Lump(info.Name, info.Offset, info.Size)
	if err == nil {
		_, err = l.Count(size)
	}
	var broken *le.FormatError
	if errors.As(err, &broken) {
		j.Issue("lump-broken", info.Name, "is left out: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j.Owe(info.Size)
	return l.Data, nil
}

// children reads the children of a node. A 16-bit child that is not a node is a leaf: maps have up to 65535 of both together.
func (t *AreaTree) children(b []byte, nodes int) (c [2]int) {
	for side := range c {
		if !t.Short {
			c[side] = I32(b[4*side:])
		} else if c[side] = int(binary.LittleEndian.Uint16(b[2*side:])); c[side] >= nodes {
			c[side] -= 1 << 16
		}
	}
	return c
}

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
	var data [2][]byte
	for i, info := range []Lump{t.Nodes, t.Leafs} {
		var err error
		if data[i], err = j.areaLump(f, info, [2]int{t.NodeSize, t.LeafSize}[i]); err != nil || data[i] == nil {
			return nil, err
		}
	}
	nodes, leafs := len(data[0])/t.NodeSize, len(data[1])/t.LeafSize
	if err := j.Reserve(limit.Bytes[world.LeafNode](nodes) + limit.Bytes[int](leafs)); err != nil {
		return nil, err
	}
	a := &world.Areas{Nodes: make([]world.LeafNode, nodes), Of: make([]int, leafs)}
	none := -1 - leafs
	for i := range a.Nodes {
		b, n := data[0][i*t.NodeSize:], &a.Nodes[i]
		n.Children = [2]int{none, none}
		if normal, distance, ok := t.Plane(I32(b)); ok && Sane(normal[:]...) && Sane(distance) {
			*n = world.LeafNode{Normal: normal, Distance: distance, Children: t.children(b[4:], nodes)}
		}
	}
	for i := range a.Of {
		a.Of[i] = t.Area(data[1][i*t.LeafSize:][:t.LeafSize])
	}
	if a.Several() {
		return a, nil
	}
	visibility, err := j.areaLump(f, t.Visibility, 1)
	if err != nil || visibility == nil {
		return a, err
	}
	return a, j.Group(a, t.Sight(data[1], visibility))
}

// areaLump reads a lump of records of a size; it returns nil if the lump is missing or broken.
func (j *Job) areaLump(f *le.File, info Lump, size int) ([]byte, error) {
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

// Package bsptree reads the tree of planes that divides a map into leafs, and cuts the map into parts: the areas between area portals,
// or parts by the visibility data.
package bsptree

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Tree locates the tree of leafs in a file: nodes start with a plane and two children; a negative child c is the leaf -1-c.
// Compilers write a node before its children.
type Tree struct {
	Nodes, Leafs       decoding.Lump
	NodeSize, LeafSize int
	Short              bool // children have 16 bits
	Plane              func(i int) (normal [3]float32, distance float32, ok bool)
	Area               func(leaf []byte) int // or world.NoArea
	Visibility         decoding.Lump         // the visibility data
	PVS                func(leafs, visibility []byte) PVS
}

// ReadAreas decodes the areas of a map, or, if there are fewer than two, its parts by visibility. Broken data is an issue, and the
// result is nil.
func ReadAreas(dc *decoding.Context, f *le.File, t Tree) (*world.Areas, error) {
	nodes, leafs, err := ReadNodes(dc, f, t)
	if err != nil || nodes == nil {
		return nil, err
	}
	if err := dc.Reserve(limit.Bytes[int](len(leafs) / t.LeafSize)); err != nil {
		return nil, err
	}
	a := &world.Areas{Nodes: nodes, Of: make([]int, len(leafs)/t.LeafSize)}
	for i := range a.Of {
		a.Of[i] = t.Area(leafs[i*t.LeafSize:][:t.LeafSize])
	}
	if a.Several() {
		return a, nil
	}
	visibility, err := dc.Optional(f, t.Visibility, 1)
	if err != nil || visibility == nil {
		return a, err
	}
	return a, AreasFromPVS(dc, a, t.PVS(leafs, visibility))
}

// ReadNodes decodes the nodes of a tree, and returns them with the bytes of the leafs. The children of a node with a broken plane are
// leafs that are not there. Broken data is an issue, and the result is nil.
func ReadNodes(dc *decoding.Context, f *le.File, t Tree) (nodes []world.LeafNode, leafs []byte, err error) {
	var data [2][]byte
	for i, info := range []decoding.Lump{t.Nodes, t.Leafs} {
		if data[i], err = dc.Optional(f, info, [2]int{t.NodeSize, t.LeafSize}[i]); err != nil || data[i] == nil {
			return nil, nil, err
		}
	}
	n := len(data[0]) / t.NodeSize
	if err := dc.Reserve(limit.Bytes[world.LeafNode](n)); err != nil {
		return nil, nil, err
	}
	nodes = make([]world.LeafNode, n)
	none := -1 - len(data[1])/t.LeafSize
	for i := range nodes {
		b := data[0][i*t.NodeSize:]
		nodes[i].Children = [2]int{none, none}
		if normal, distance, ok := t.Plane(record.I32(b)); ok && record.Sane(normal[:]...) && record.Sane(distance) {
			nodes[i] = world.LeafNode{Normal: normal, Distance: distance, Children: t.children(b[4:], n)}
		}
	}
	return nodes, data[1], nil
}

// children reads the children of a node. A 16-bit child that is not a node is a leaf: maps have up to 65535 of both together.
func (t *Tree) children(b []byte, nodes int) (c [2]int) {
	for side := range c {
		if !t.Short {
			c[side] = record.I32(b[4*side:])
		} else if c[side] = int(binary.LittleEndian.Uint16(b[2*side:])); c[side] >= nodes {
			c[side] -= 1 << 16
		}
	}
	return c
}

package bsptree_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/bsptree"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// rows packs the rows of a table of clusters: in it each sees those that its text marks with an x.
func rows(packed bool, table ...string) bsptree.PVS {
	s := bsptree.PVS{Packed: packed}
	for i, line := range table {
		row := make([]byte, (len(table)+7)/8)
		for k := range line {
			if line[k] == 'x' {
				row[k/8] |= 1 << (k % 8)
			}
		}
		s.Cluster = append(s.Cluster, i)
		s.Starts = append(s.Starts, len(s.Rows))
		for _, b := range row {
			s.Rows = append(s.Rows, b)
			if b == 0 && packed {
				s.Rows = append(s.Rows, 1)
			}
		}
	}
	return s
}

// tree has the leafs in pairs below node 1 and node 2.
func tree() *world.Areas {
	return &world.Areas{Nodes: []world.LeafNode{{Children: [2]int{1, 2}}, {Children: [2]int{-1, -2}}, {Children: [2]int{-3, -4}}},
		Of: make([]int, 4)}
}

func group(t *testing.T, a *world.Areas, s bsptree.PVS) *world.Areas {
	t.Helper()
	b := limit.NewBudget(limit.Limits{})
	dc := decoding.NewContext(b)
	if err := bsptree.AreasFromPVS(dc, a, s); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPartsBySight(t *testing.T) {
	for _, c := range []struct {
		name  string
		table []string
		want  []int // nil: not cut
	}{
		{"two rooms", []string{"xx  ", "xx  ", "  xx", "  xx"}, []int{0, 0, 1, 1}},
		{"one room", []string{"xxxx", "xxxx", "xxxx", "xxxx"}, nil},
		{"a room and two closets", []string{"xx  ", "xx  ", "  x ", "   x"}, []int{0, 0, 1, 2}},
		{"a door between", []string{"xx  ", "xxx ", " xxx", "  xx"}, []int{0, 1, 2, 3}},
	} {
		for _, packed := range []bool{false, true} {
			a := group(t, tree(), rows(packed, c.table...))
			if a.Seen != (c.want != nil) || c.want != nil && !slices.Equal(a.Of, c.want) {
				t.Errorf("%s, packed %v: %v %v", c.name, packed, a.Seen, a.Of)
			}
		}
	}
	// Solid leafs are in no part, and a leaf without a row is seen like the others of its part.
	s := rows(true, "xx  ", "xx  ", "  xx", "  xx")
	s.Cluster[1], s.Starts[3] = -1, -1
	if a := group(t, tree(), s); !slices.Equal(a.Of, []int{0, world.NoArea, 1, 1}) && !slices.Equal(a.Of, []int{0, world.NoArea, 1, 2}) {
		t.Error(a.Of)
	}
}

// Two rooms of twenty clusters each, whose rows have runs of zeros.
func TestSightOfQuake2(t *testing.T) {
	const n = 40
	lump := binary.LittleEndian.AppendUint32(nil, n)
	var packed []byte
	for i := range n {
		lump = binary.LittleEndian.AppendUint32(lump, uint32(4+8*n+len(packed)))
		lump = binary.LittleEndian.AppendUint32(lump, 0)
		if i < 20 {
			packed = append(packed, 0xff, 0xff, 0x0f, 0, 2)
		} else {
			packed = append(packed, 0, 2, 0xf0, 0xff, 0xff)
		}
	}
	lump = append(lump, packed...)
	a := &world.Areas{Of: make([]int, n)}
	clusters := make([]int, n)
	for i := range n {
		clusters[i] = i
		if i < n-1 {
			a.Nodes = append(a.Nodes, world.LeafNode{Children: [2]int{-1 - i, i + 1}})
		}
	}
	a.Nodes[n-2].Children[1] = -n
	// A tree that is a list: the first room comes off leaf by leaf.
	group(t, a, bsptree.ReadPVS(clusters, lump, binary.LittleEndian))
	if !a.Seen || a.Of[19] == a.Of[20] || a.Of[20] != a.Of[39] {
		t.Error(a.Seen, a.Of)
	}
	for _, bad := range [][]byte{nil, lump[:3], lump[:40], {0xff, 0xff, 0xff, 0xff}} {
		if s := bsptree.ReadPVS(clusters, bad, binary.LittleEndian); len(s.Starts) != 0 {
			t.Errorf("%d clusters of %d bytes", len(s.Starts), len(bad))
		}
	}
}

// Whatever trees and rows say, each leaf is in one part or none.
func TestSightOfNonsense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a := &world.Areas{Nodes: make([]world.LeafNode, 1+r.IntN(12)), Of: make([]int, r.IntN(16))}
		for i := range a.Nodes {
			a.Nodes[i].Children = [2]int{r.IntN(30) - 17, r.IntN(30) - 17}
		}
		s := bsptree.PVS{Cluster: make([]int, len(a.Of)), Starts: make([]int, r.IntN(20)), Rows: make([]byte, r.IntN(40)),
			Packed: r.IntN(2) == 0}
		for i := range s.Cluster {
			s.Cluster[i] = r.IntN(24) - 2
		}
		for i := range s.Starts {
			s.Starts[i] = r.IntN(50) - 5
		}
		for i := range s.Rows {
			s.Rows[i] = byte(r.IntN(4) * r.IntN(80))
		}
		group(t, a, s)
		for leaf, part := range a.Of {
			if part < world.NoArea || part >= len(a.Of) {
				t.Fatalf("leaf %d in part %d", leaf, part)
			}
		}
	}
}

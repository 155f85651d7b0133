package quake3

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// areas lifts the areas of the map, or what is seen together, where they are asked for. dnode_t and dleaf_t have 36 and 48 bytes in all branches; a leaf has
// its area behind its cluster, -1 outside.
func (d *decoder) areas(context.Context) (err error) {
	if !d.o.Areas {
		return nil
	}
	t := lift.AreaTree{NodeSize: lumps[lumpNodes].narrow, LeafSize: lumps[lumpLeafs].narrow}
	for _, l := range d.w.Lumps {
		switch l.Name {
		case lumps[lumpNodes].name:
			t.Nodes = l
		case lumps[lumpLeafs].name:
			t.Leafs = l
		case lumps[lumpVisibility].name:
			t.Visibility = l
		}
	}
	t.Plane = func(i int) (normal [3]float32, distance float32, ok bool) {
		p := record(d.lumps[lumpPlanes].Data, int64(i), 16)
		if p == nil {
			return normal, 0, false
		}
		return floats3(p), le.Float32(p[12:]), true
	}
	t.Area = func(leaf []byte) int {
		if area := lift.I32(leaf[4:]); area >= 0 {
			return area
		}
		return world.NoArea
	}
	t.Sight = func(leafs, visibility []byte) lift.Sight { return sight(leafs, t.LeafSize, visibility) }
	d.w.Volumes.Areas, err = d.Areas(d.f, t)
	return err
}

// sight reads what can be seen from the clusters of the leafs, of which each begins with its own: the number of the clusters, the bytes
// of a row, and the rows (qfiles.h, tr_bsp.c).
func sight(leafs []byte, leafSize int, lump []byte) lift.Sight {
	if len(lump) < 8 {
		return lift.Sight{}
	}
	n, size, rows := int64(lift.I32(lump)), int64(lift.I32(lump[4:])), lump[8:]
	if n <= 0 || size <= 0 || n > 8*size || n > int64(len(rows))/size {
		return lift.Sight{}
	}
	s := lift.Sight{Cluster: make([]int, len(leafs)/leafSize), Starts: make([]int, n), Rows: rows}
	for i := range s.Cluster {
		s.Cluster[i] = lift.I32(leafs[i*leafSize:])
	}
	for i := range s.Starts {
		s.Starts[i] = i * int(size)
	}
	return s
}

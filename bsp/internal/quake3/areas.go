package quake3

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// areas lifts the areas of the map, or what is seen together, where they are asked for. dnode_t and dleaf_t are the same in all branches.
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
		p, ok := stored(planeV46, d.lumps[lumpPlanes], int64(i))
		return p.normal, p.distance, ok
	}
	t.Area = func(b []byte) int {
		if l := leafV46.Lift(b); l.area >= 0 {
			return l.area
		}
		return world.NoArea
	}
	t.Sight = sight
	d.w.Volumes.Areas, err = d.Areas(d.f, t)
	return err
}

// sight reads what can be seen from the clusters of the leafs, of which each begins with its own: the number of the clusters, the bytes
// of a row, and the rows (qfiles.h, tr_bsp.c).
func sight(leafs, lump []byte) lift.Sight {
	if len(lump) < 8 {
		return lift.Sight{}
	}
	n, size, rows := int64(lift.I32(lump)), int64(lift.I32(lump[4:])), lump[8:]
	if n <= 0 || size <= 0 || n > 8*size || n > int64(len(rows))/size {
		return lift.Sight{}
	}
	s := lift.Sight{Cluster: make([]int, len(leafs)/leafV46.Size), Starts: make([]int, n), Rows: rows}
	for i := range s.Cluster {
		s.Cluster[i] = leafV46.Lift(leafs[i*leafV46.Size:]).cluster
	}
	for i := range s.Starts {
		s.Starts[i] = i * int(size)
	}
	return s
}

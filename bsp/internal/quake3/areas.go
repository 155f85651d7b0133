package quake3

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// liftAreas lifts the areas of the map, or the parts of it that are seen together. dnode_t and dleaf_t are the same in all branches.
func liftAreas(job *lift.Job, m *file, planes *lift.List[plane]) (*world.Areas, error) {
	t := lift.AreaTree{NodeSize: lumps[lumpNodes].narrow, LeafSize: lumps[lumpLeafs].narrow, Sight: sight}
	for _, l := range m.table {
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
		p, ok := stored(planes, int64(i))
		return p.normal, p.distance, ok
	}
	t.Area = func(b []byte) int {
		if l := leafV46.Lift(b); l.area >= 0 {
			return l.area
		}
		return world.NoArea
	}
	return job.Areas(m.f, t)
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

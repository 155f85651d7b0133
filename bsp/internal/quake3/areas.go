package quake3

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/bsptree"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decodeAreas decodes the areas of the map, or the parts of it that are seen together. dnode_t and dleaf_t are the same in all branches.
func decodeAreas(dc *decoding.Context, m *file, planes *record.List[plane]) (*world.Areas, error) {
	t := bsptree.Tree{NodeSize: lumps[lumpNodes].narrow, LeafSize: lumps[lumpLeafs].narrow, PVS: sight}
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
		if l := leafV46.Decode(b); l.area >= 0 {
			return l.area
		}
		return world.NoArea
	}
	return bsptree.ReadAreas(dc, m.f, t)
}

// sight reads what can be seen from the clusters of the leafs, of which each begins with its own: the number of the clusters, the bytes
// of a row, and the rows (qfiles.h, tr_bsp.c).
func sight(leafs, lump []byte) bsptree.PVS {
	if len(lump) < 8 {
		return bsptree.PVS{}
	}
	n, size, rows := int64(record.I32(lump)), int64(record.I32(lump[4:])), lump[8:]
	if n <= 0 || size <= 0 || n > 8*size || n > int64(len(rows))/size {
		return bsptree.PVS{}
	}
	s := bsptree.PVS{Cluster: make([]int, len(leafs)/leafV46.Size), Starts: make([]int, n), Rows: rows}
	for i := range s.Cluster {
		s.Cluster[i] = leafV46.Decode(leafs[i*leafV46.Size:]).cluster
	}
	for i := range s.Starts {
		s.Starts[i] = i * int(size)
	}
	return s
}

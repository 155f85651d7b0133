package goldsrc

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// liftAreas lifts the areas of a map, or, without areas, its parts by visibility. In Quake II area 0 is solid
// (qfiles.h). Quake and GoldSrc have no areas: each leaf except the first, which is solid, is a cluster (bspfile.h).
func liftAreas(m *file, r *records) (*world.Areas, error) {
	v, t := m.v, treeOf(m, r)
	t.Area = func(b []byte) int {
		if l := v.layout.leaf.Lift(b); l.area > 0 {
			return l.area
		}
		return world.NoArea
	}
	t.Sight = func(leafs, visibility []byte) lift.Sight {
		list := make([]leaf, len(leafs)/v.layout.leaf.Size)
		for i := range list {
			list[i] = v.layout.leaf.Lift(leafs[i*v.layout.leaf.Size:])
		}
		if v.family == familyQuake2 {
			return sightOfClusters(list, visibility)
		}
		return sightOfLeafs(list, r.models[0].leafs, visibility)
	}
	return m.job.Areas(m.f, t)
}

// treeOf locates the tree of the map's leafs.
func treeOf(m *file, r *records) lift.AreaTree {
	v := m.v
	sizes := map[string]int{}
	for _, e := range v.layout.lumps {
		sizes[e.name] = e.size
	}
	t := lift.AreaTree{NodeSize: sizes["nodes"], LeafSize: v.layout.leaf.Size, Short: v.family != familyQuake2 && !v.layout.wide}
	for _, l := range m.table {
		switch l.Name {
		case "nodes":
			t.Nodes = l
		case "leafs":
			t.Leafs = l
		case "visibility":
			t.Visibility = l
		}
	}
	t.Plane = func(i int) (normal [3]float32, distance float32, ok bool) {
		if i < 0 || i >= len(r.planes) {
			return normal, 0, false
		}
		return r.planes[i].normal, r.planes[i].distance, true
	}
	return t
}

// sightOfClusters reads the visibility data of Quake II.
func sightOfClusters(leafs []leaf, visibility []byte) lift.Sight {
	clusters := make([]int, len(leafs))
	for i := range clusters {
		clusters[i] = leafs[i].cluster
	}
	return lift.SightOf(clusters, visibility, binary.LittleEndian)
}

// sightOfLeafs reads the visibility data of Quake and GoldSrc. A row covers the leafs of the world, whose number is in its model;
// later leafs belong to brush models. The offset of a row is -1 for a leaf without visibility data.
func sightOfLeafs(leafs []leaf, inWorld int, visibility []byte) lift.Sight {
	s := lift.Sight{Cluster: make([]int, len(leafs)), Rows: visibility, Packed: true}
	seen := min(inWorld, len(s.Cluster)-1)
	for i := range s.Cluster {
		s.Cluster[i] = i - 1
		if i > 0 && i <= seen {
			s.Starts = append(s.Starts, leafs[i].row)
		}
	}
	return s
}

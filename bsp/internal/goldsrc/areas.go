package goldsrc

import (
	"context"
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// areas lifts the areas of a map if they are wanted, or, without areas, its parts by visibility. In Quake II area 0 is solid
// (qfiles.h). Quake and GoldSrc have no areas: each leaf except the first, which is solid, is a cluster (bspfile.h).
func (j *joiner) areas(context.Context) (err error) {
	if !j.file.o.Areas {
		return nil
	}
	v := j.file.v
	sizes := map[string]int{}
	for _, e := range v.lumps {
		sizes[e.name] = e.size
	}
	t := lift.AreaTree{NodeSize: sizes["nodes"], LeafSize: v.leaf.Size, Short: v.family != familyQuake2 && !v.wide}
	for _, l := range j.w.Lumps {
		switch l.Name {
		case "nodes":
			t.Nodes = l
		case "leafs":
			t.Leafs = l
		case "visibility":
			t.Visibility = l
		}
	}
	planes := j.file.lumps[lumpPlanes].Data
	t.Plane = func(i int) (normal [3]float32, distance float32, ok bool) {
		if i < 0 || i >= len(planes)/planeV29.Size {
			return normal, 0, false
		}
		p := planeV29.Lift(planes[i*planeV29.Size:])
		return p.normal, p.distance, true
	}
	t.Area = func(b []byte) int {
		if l := v.leaf.Lift(b); l.area > 0 {
			return l.area
		}
		return world.NoArea
	}
	t.Sight = func(leafs, visibility []byte) lift.Sight {
		list := make([]leaf, len(leafs)/v.leaf.Size)
		for i := range list {
			list[i] = v.leaf.Lift(leafs[i*v.leaf.Size:])
		}
		if v.family == familyQuake2 {
			return sightOfClusters(list, visibility)
		}
		return j.sightOfLeafs(list, visibility)
	}
	j.w.Volumes.Areas, err = j.Areas(j.file.f, t)
	return err
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
func (j *joiner) sightOfLeafs(leafs []leaf, visibility []byte) lift.Sight {
	models := j.file.lumps[lumpModels].Data
	if len(models) < modelV29.Size {
		return lift.Sight{}
	}
	s := lift.Sight{Cluster: make([]int, len(leafs)), Rows: visibility, Packed: true}
	seen := min(modelV29.Lift(models).leafs, len(s.Cluster)-1)
	for i := range s.Cluster {
		s.Cluster[i] = i - 1
		if i > 0 && i <= seen {
			s.Starts = append(s.Starts, leafs[i].row)
		}
	}
	return s
}

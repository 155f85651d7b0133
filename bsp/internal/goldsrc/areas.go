package goldsrc

import (
	"context"
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// areas lifts the areas of a map, where they are asked for, and where there are none what is seen together. In Quake II's dleaf_t the
// cluster and the area are behind the contents, and area 0 is what is solid (qfiles.h). Quake and GoldSrc have no areas: each leaf but
// the first, which is all that is solid, is a cluster, and behind the contents is where its row begins (bspfile.h).
func (j *joiner) areas(context.Context) (err error) {
	if !j.file.o.Areas {
		return nil
	}
	v := j.file.v
	sizes := map[string]int{}
	for _, e := range v.lumps {
		sizes[e.name] = e.size
	}
	t := lift.AreaTree{NodeSize: sizes["nodes"], LeafSize: sizes["leafs"], Short: v.family != familyQuake2 && !v.wide}
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
		p := planes[i*planeV29.Size:]
		return lift.V3(p), le.Float32(p[12:]), true
	}
	t.Area = func(leaf []byte) int {
		if area := lift.I16(leaf[6:]); area > 0 && v.family == familyQuake2 {
			return area
		}
		return world.NoArea
	}
	t.Sight = func(leafs, visibility []byte) lift.Sight {
		if v.family == familyQuake2 {
			return sightOfClusters(leafs, t.LeafSize, visibility)
		}
		return j.sightOfLeafs(leafs, t.LeafSize, visibility)
	}
	j.w.Volumes.Areas, err = j.Areas(j.file.f, t)
	return err
}

// sightOfClusters reads what can be seen in Quake II.
func sightOfClusters(leafs []byte, size int, visibility []byte) lift.Sight {
	clusters := make([]int, len(leafs)/size)
	for i := range clusters {
		clusters[i] = lift.I16(leafs[i*size+4:])
	}
	return lift.SightOf(clusters, visibility, binary.LittleEndian)
}

// sightOfLeafs reads what can be seen in Quake and GoldSrc. A row is for the leafs of the world, which its model counts; those behind
// are of brush models. Where they begin is -1 in a leaf that nobody has looked from.
func (j *joiner) sightOfLeafs(leafs []byte, size int, visibility []byte) lift.Sight {
	model := j.file.lumps[lumpModels].Data
	if len(model) < modelV29.Size {
		return lift.Sight{}
	}
	s := lift.Sight{Cluster: make([]int, len(leafs)/size), Rows: visibility, Packed: true}
	seen := min(lift.I32(model[visLeafs:]), len(s.Cluster)-1)
	for i := range s.Cluster {
		s.Cluster[i] = i - 1
		if i > 0 && i <= seen {
			s.Starts = append(s.Starts, lift.I32(leafs[i*size+4:]))
		}
	}
	return s
}

// visLeafs is where dmodel_t of Quake and GoldSrc counts the leafs of the model.
const visLeafs = 52

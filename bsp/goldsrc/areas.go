package goldsrc

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// areas lifts the areas of a map of Quake II, where they are asked for. Its dnode_t and dleaf_t have 28 bytes; a leaf has its area
// behind its contents and its cluster, and area 0 is what is solid (qfiles.h). Quake and GoldSrc have none.
func (j *joiner) areas(context.Context) (err error) {
	if !j.file.o.Areas || j.file.v.family != familyQuake2 {
		return nil
	}
	t := lift.AreaTree{NodeSize: 28, LeafSize: 28}
	for _, l := range j.w.Lumps {
		switch l.Name {
		case "nodes":
			t.Nodes = l
		case "leafs":
			t.Leafs = l
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
		if area := lift.I16(leaf[6:]); area > 0 {
			return area
		}
		return world.NoArea
	}
	j.w.Volumes.Areas, err = j.Areas(j.file.f, t)
	return err
}

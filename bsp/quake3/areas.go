package quake3

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// areas lifts the areas of the map, where they are asked for. dnode_t and dleaf_t have 36 and 48 bytes in all branches; a leaf has
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
	d.w.Volumes.Areas, err = d.Areas(d.f, t)
	return err
}

package goldsrc

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// surfedgeCount returns how many surfedges the map has.
func (r *records) surfedgeCount() int { return len(r.lumps[lumpSurfedges].Data) / 4 }

// corner is the position at which a surfedge starts. A negative one runs its edge backwards.
func (r *records) corner(surfedge int) (p [3]float32, ok bool) {
	edge, end := int64(le.Int32(r.lumps[lumpSurfedges].Data[4*surfedge:])), int64(0)
	if edge < 0 {
		edge, end = -edge, 1
	}
	edges, vertices := r.lumps[lumpEdges].Data, r.lumps[lumpVertices].Data
	at, size := 2*edge+end, int64(2)
	if r.wide {
		size = 4
	}
	if at >= int64(len(edges))/size {
		return p, false
	}
	var v int64
	if r.wide {
		v = int64(binary.LittleEndian.Uint32(edges[4*at:]))
	} else {
		v = int64(binary.LittleEndian.Uint16(edges[2*at:]))
	}
	if v >= int64(len(vertices)/12) {
		return p, false
	}
	return lift.V3(vertices[12*v:]), true
}

// faceNormal is the normal of a face's plane, to its front, or zero where it has no plane.
func (r *records) faceNormal(f *face) (n [3]float32) {
	if f.plane >= len(r.planes) || f.plane < 0 {
		return n
	}
	n = lift.UnitOrZero(r.planes[f.plane].normal)
	if f.back {
		for k := range n {
			n[k] = 0 - n[k] // not -0
		}
	}
	return n
}

package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// surfedgeCount returns the number of surfedges.
func (r *records) surfedgeCount() int { return len(r.lumps[lumpSurfedges].Data) / 4 }

// corner returns the position where a surfedge starts. A negative surfedge runs its edge backwards.
func (r *records) corner(surfedge int) (p [3]float32, ok bool) {
	if surfedge < 0 || surfedge >= r.surfedgeCount() {
		return p, false
	}
	edge, end := int64(le.Int32(r.lumps[lumpSurfedges].Data[4*surfedge:])), 0
	if edge < 0 {
		edge, end = -edge, 1
	}
	edges := &r.edges
	if edge >= int64(edges.Count()) {
		return p, false
	}
	v := edges.At(int(edge))[end]
	vertices := r.lumps[lumpVertices].Data
	if v >= len(vertices)/12 {
		return p, false
	}
	return lift.V3(vertices[12*v:]), true
}

// faceNormal returns the front normal of a face's plane, or zero if it has no plane. Planes come in pairs and a face
// names the one that points to its front: side only repeats the index's lowest bit (18,420 faces of real maps, versions
// 19 to 21).
func (r *records) faceNormal(f *face) [3]float32 {
	if f.plane >= len(r.planes) {
		return [3]float32{}
	}
	return lift.UnitOrZero(r.planes[f.plane].normal)
}

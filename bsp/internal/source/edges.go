package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// edges holds the lumps that lead to the corners of faces: a face has consecutive surfedges, a surfedge is an edge in a direction, and
// an edge joins two vertices.
type edges struct {
	surfedges []byte
	list      lift.List[edge]
	vertices  []byte
}

// count returns the number of surfedges.
func (e *edges) count() int { return len(e.surfedges) / 4 }

// corner returns the position where a surfedge starts. A negative surfedge runs its edge backwards.
func (e *edges) corner(surfedge int) (p [3]float32, ok bool) {
	if surfedge < 0 || surfedge >= e.count() {
		return p, false
	}
	index, end := int64(le.Int32(e.surfedges[4*surfedge:])), 0
	if index < 0 {
		index, end = -index, 1
	}
	if index >= int64(e.list.Count()) {
		return p, false
	}
	v := e.list.At(int(index))[end]
	if v >= len(e.vertices)/12 {
		return p, false
	}
	return lift.V3(e.vertices[12*v:]), true
}

// faceNormal returns the front normal of a face's plane, or zero if it has no plane. Planes come in pairs and a face
// names the one that points to its front: side only repeats the index's lowest bit (18,420 faces of real maps, versions
// 19 to 21).
func faceNormal(planes []plane, f *face) [3]float32 {
	if f.plane >= len(planes) {
		return [3]float32{}
	}
	return lift.UnitOrZero(planes[f.plane].normal)
}

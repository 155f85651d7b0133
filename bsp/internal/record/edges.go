package record

import "github.com/bsp2gltf/bsp2gltf/internal/le"

// Edge is dedge_t: the indices of its two vertices.
type Edge [2]int

// EdgeV1 and EdgeWide are the layouts with numbers of 16 and of 32 bits.
var (
	EdgeV1   = Layout[Edge]{Size: 4, Fields: "2*2", Decode: func(b []byte) Edge { return Edge{U16(b), U16(b[2:])} }}
	EdgeWide = Layout[Edge]{Size: 8, Fields: "4*2", Decode: func(b []byte) Edge { return Edge{U32(b), U32(b[4:])} }, Version: 1}
)

// Edges holds the lumps that lead to the corners of faces: a face has consecutive surfedges, a surfedge is an edge in a direction, and
// an edge joins two vertices.
type Edges struct {
	Surfedges []byte // numbers of 32 bits
	List      List[Edge]
	Vertices  []byte // positions of three floats
}

// Count returns the number of surfedges.
func (e *Edges) Count() int { return len(e.Surfedges) / 4 }

// Corner returns the position where a surfedge starts. A negative surfedge runs its edge backwards. ok is false if the surfedge leads to
// no vertex.
func (e *Edges) Corner(surfedge int) (p [3]float32, ok bool) {
	v, ok := e.Vertex(surfedge)
	if !ok {
		return p, false
	}
	return V3(e.Vertices[12*v:]), true
}

// Vertex returns the index of the vertex where a surfedge starts; ok is false if it leads to none.
func (e *Edges) Vertex(surfedge int) (v int, ok bool) {
	if surfedge < 0 || surfedge >= e.Count() {
		return 0, false
	}
	index, end := int64(le.Int32(e.Surfedges[4*surfedge:])), 0
	if index < 0 {
		index, end = -index, 1
	}
	if index >= int64(e.List.Count()) {
		return 0, false
	}
	v = e.List.At(int(index))[end]
	return v, v < len(e.Vertices)/12
}

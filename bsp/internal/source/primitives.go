package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The kinds of primitives.
const (
	primList  = 0
	primStrip = 1
	primFan   = 2
)

// primitives decodes the faces that the compiler has cut into triangles, so that their edges have the corners of their neighbours.
type primitives struct {
	dc       *decoding.Context
	list     []primitive
	indices  record.List[int]
	vertices []byte // positions of three numbers
}

// triangles decodes a face with primitives. Their indices refer to the face's corners, or to separate vertices, as early water has.
func (d *primitives) triangles(f *face, corners []world.Vertex, m *mapping) (world.Shape, *decoding.Dropped, error) {
	if f.firstPrim > len(d.list)-f.primCount {
		return nil, decoding.Drop("face-primitives", "%d primitives from %d of %d", f.primCount, f.firstPrim, len(d.list)), nil
	}
	if err := d.dc.Borrow(int64(f.primCount) * 16); err != nil { // in a hostile map all faces could share the primitives
		return nil, nil, err
	}
	out := &world.Triangles{Vertices: corners}
	shared := true // all indices refer to the corners
	for _, p := range d.list[f.firstPrim : f.firstPrim+f.primCount] {
		base := 0
		most := len(corners)
		if p.vertices > 0 {
			if shared { // keep the corners for primitives without separate vertices
				out.Vertices = append([]world.Vertex{}, corners...)
				shared = false
			}
			base, most = len(out.Vertices), p.vertices
			if bad, err := d.addVertices(p, out, corners[0].Normal, m); bad != nil || err != nil {
				return nil, bad, err
			}
		}
		if bad, err := d.addIndices(p, out, base, most); bad != nil || err != nil {
			return nil, bad, err
		}
	}
	if len(out.Indices) == 0 {
		p, err := polygon(d.dc, corners)
		return p, nil, err
	}
	return out, nil, nil
}

// addVertices adds the vertices of a primitive.
func (d *primitives) addVertices(p primitive, out *world.Triangles, normal [3]float32, m *mapping) (*decoding.Dropped, error) {
	if p.firstVertex > len(d.vertices)/12-p.vertices {
		return decoding.Drop("face-primitives", "%d primitive vertices from %d of %d", p.vertices, p.firstVertex, len(d.vertices)/12), nil
	}
	if err := d.dc.Reserve(2 * limit.Bytes[world.Vertex](p.vertices)); err != nil {
		return nil, err
	}
	for i := range p.vertices {
		v := world.Vertex{Position: record.V3(d.vertices[12*(p.firstVertex+i):]), Normal: normal, Color: [4]float32{1, 1, 1, 0}}
		if !record.Sane(v.Position[:]...) || !m.set(&v) {
			return decoding.Drop("face-number", "primitive vertex %d is at %g", p.firstVertex+i, v.Position), nil
		}
		out.Vertices = append(out.Vertices, v)
	}
	return nil, nil
}

// addIndices adds the triangles of a primitive, with reversed winding.
func (d *primitives) addIndices(p primitive, out *world.Triangles, base, most int) (*decoding.Dropped, error) {
	if p.firstIndex > d.indices.Count()-p.indices {
		return decoding.Drop("face-primitives", "%d primitive indices from %d of %d", p.indices, p.firstIndex, d.indices.Count()), nil
	}
	if err := d.dc.Reserve(2 * limit.Bytes[uint32](3*p.indices)); err != nil {
		return nil, err
	}
	at := func(i int) uint32 { return uint32(d.indices.At(p.firstIndex + i)) }
	for i := range p.indices {
		if at(i) >= uint32(most) {
			return decoding.Drop("face-primitives", "index %d of %d vertices", at(i), most), nil
		}
	}
	add := func(a, b, c int) {
		out.Indices = append(out.Indices, uint32(base)+at(a), uint32(base)+at(c), uint32(base)+at(b))
	}
	switch p.kind {
	case primList:
		for i := 0; i+2 < p.indices; i += 3 {
			add(i, i+1, i+2)
		}
	case primStrip:
		for i := 0; i+2 < p.indices; i++ {
			add(i, i+1+i%2, i+2-i%2)
		}
	case primFan:
		for i := 1; i+1 < p.indices; i++ {
			add(0, i, i+1)
		}
	default:
		return decoding.Drop("face-primitives", "a primitive of kind %d", p.kind), nil
	}
	return nil, nil
}

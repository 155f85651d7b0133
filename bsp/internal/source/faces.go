package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// faces lifts faces.
type faces struct {
	*lift.Job
	*records
	variant   *variant
	version   int
	original  bool // faces are the originals, before the compiler split them
	materials *valve.Materials
	light     *lightmaps
	below     map[int]bool             // faces of liquids that are visible from below
	normalAt  []int32                  // by face: start of its corners in the lump of normal indices
	corners   lift.Arena[world.Vertex] // of all faces
}

// face lifts a face with its material and the chart of its light.
func (d *faces) face(index int) (s world.Surface, bad *lift.Dropped, err error) {
	f := &d.faces[index]
	if f.texinfo < 0 || f.texinfo >= len(d.texinfos) {
		return s, lift.Drop("face-texinfo", "texinfo %d of %d", f.texinfo, len(d.texinfos)), nil
	}
	if f.edges < 3 || f.firstEdge < 0 || f.firstEdge > d.surfedgeCount()-f.edges {
		return s, lift.Drop("face-edges", "%d edges from %d of %d", f.edges, f.firstEdge, d.surfedgeCount()), nil
	}
	s = world.Surface{Chart: world.NoChart, Fog: -1, Record: index}
	var light block
	lit, lighting := false, world.Fullbright
	if d.flags(d.materials, f.texinfo)&(world.Sky|world.NoDraw|world.Hint|world.Trigger) == 0 {
		light, lit = d.light.find(index, f, d.texinfos[f.texinfo].flags&valve.SurfBumpLight != 0)
	}
	if lit {
		lighting = world.Lightmap
	}
	if !lit || light.mean { // its corners have no luxel, or share one
		f.size = [2]int32{}
	}
	var corners []world.Vertex
	if corners, bad, err = d.cornersOf(index); bad != nil || err != nil {
		return s, bad, err
	}
	if s.Material, s.Flags, err = d.material(d.materials, f.texinfo, lighting); err != nil {
		return s, nil, err
	}
	if d.below[index] {
		s.Flags |= world.Underside
	}
	switch {
	case f.disp >= 0:
		s.Shape, bad, err = d.displacement(f, index, corners)
	case f.primCount > 0 && len(d.primitives) > 0 && !d.original:
		s.Shape, bad, err = d.triangles(f, corners)
	default:
		s.Shape, err = d.polygon(corners)
	}
	if bad != nil || err != nil {
		return s, bad, err
	}
	if lit {
		s.Chart, err = d.light.add(light, s.Material, corners)
	}
	return s, nil, err
}

// cornersOf lifts the corners of a face, clockwise seen from the front, except their alpha.
func (d *faces) cornersOf(index int) ([]world.Vertex, *lift.Dropped, error) {
	f := &d.faces[index]
	out, err := d.corners.Take(d.Job, f.edges) // also for dropped faces, so that the work is bounded like the result
	if err != nil {
		return nil, nil, err
	}
	t := &d.texinfos[f.texinfo]
	flat := d.faceNormal(f)
	for k := range out {
		p, ok := d.corner(f.firstEdge + k)
		if !ok {
			return nil, lift.Drop("face-edges", "surfedge %d leads to no vertex", f.firstEdge+k), nil
		}
		v := &out[k]
		*v = world.Vertex{Position: p, Normal: flat, Color: [4]float32{1, 1, 1, 0}}
		if !lift.Sane(p[:]...) || !d.mapped(v, t, f) {
			return nil, lift.Drop("face-number", "corner %d is at %g with texture coordinates %g", k, p, v.UV), nil
		}
		if smooth := d.smoothNormal(index, k); smooth != [3]float32{} {
			v.Normal = smooth
		}
	}
	return out, nil, nil
}

// mapped sets a vertex's texture and luxel coordinates; it reports whether they are finite.
func (d *faces) mapped(v *world.Vertex, t *texinfo, f *face) bool {
	size := d.materials.Size(t.texdata)
	for k := range 2 {
		uv := project(t.texture[k], v.Position) / size[k]
		luxel := project(t.luxel[k], v.Position) - float64(f.mins[k]) + 0.5
		if uv-uv != 0 || luxel-luxel != 0 {
			v.UV[k] = float32(uv)
			return false
		}
		v.UV[k] = float32(min(max(uv, -lift.Farthest), lift.Farthest))
		v.Luxel[k] = float32(min(max(luxel, 0), float64(f.size[k])+1))
	}
	return true
}

// smoothNormal returns the compiled normal of a corner, or zero if there is none.
func (d *faces) smoothNormal(face, corner int) [3]float32 {
	if d.normalAt == nil {
		return [3]float32{}
	}
	n := d.normalIndices.At(int(d.normalAt[face]) + corner)
	normals := d.lumps[lumpNormals].Data
	if n >= len(normals)/12 {
		return [3]float32{}
	}
	return lift.UnitOrZero(lift.V3(normals[12*n:]))
}

// polygon reverses corners: the engine's are clockwise seen from the front.
func (d *faces) polygon(corners []world.Vertex) (*world.Polygon, error) {
	for i, k := 1, len(corners)-1; i < k; i, k = i+1, k-1 {
		corners[i], corners[k] = corners[k], corners[i]
	}
	return &world.Polygon{Corners: corners}, d.Reserve(limit.Bytes[world.Polygon](1))
}

// The kinds of primitives.
const (
	primList  = 0
	primStrip = 1
	primFan   = 2
)

// triangles lifts a face that the compiler has cut into triangles, so that its edges have the corners of its
// neighbours. Their indices refer to the face's corners, or to separate vertices, as early water has.
func (d *faces) triangles(f *face, corners []world.Vertex) (world.Shape, *lift.Dropped, error) {
	if f.firstPrim > len(d.primitives)-f.primCount {
		return nil, lift.Drop("face-primitives", "%d primitives from %d of %d", f.primCount, f.firstPrim, len(d.primitives)), nil
	}
	if err := d.Borrow(int64(f.primCount) * 16); err != nil { // in a hostile map all faces could share the primitives
		return nil, nil, err
	}
	out := &world.Triangles{Vertices: corners}
	shared := true // all indices refer to the corners
	for _, p := range d.primitives[f.firstPrim : f.firstPrim+f.primCount] {
		base := 0
		most := len(corners)
		if p.vertices > 0 {
			if shared { // keep the corners for primitives without separate vertices
				out.Vertices = append([]world.Vertex{}, corners...)
				shared = false
			}
			base, most = len(out.Vertices), p.vertices
			if bad, err := d.addVertices(f, p, out, corners[0].Normal); bad != nil || err != nil {
				return nil, bad, err
			}
		}
		if bad, err := d.addIndices(p, out, base, most); bad != nil || err != nil {
			return nil, bad, err
		}
	}
	if len(out.Indices) == 0 {
		p, err := d.polygon(corners)
		return p, nil, err
	}
	return out, nil, nil
}

// addVertices adds the vertices of a primitive.
func (d *faces) addVertices(f *face, p primitive, out *world.Triangles, normal [3]float32) (*lift.Dropped, error) {
	data := d.lumps[lumpPrimVertices].Data
	if p.firstVertex > len(data)/12-p.vertices {
		return lift.Drop("face-primitives", "%d primitive vertices from %d of %d", p.vertices, p.firstVertex, len(data)/12), nil
	}
	if err := d.Reserve(2 * limit.Bytes[world.Vertex](p.vertices)); err != nil {
		return nil, err
	}
	for i := range p.vertices {
		v := world.Vertex{Position: lift.V3(data[12*(p.firstVertex+i):]), Normal: normal, Color: [4]float32{1, 1, 1, 0}}
		if !lift.Sane(v.Position[:]...) || !d.mapped(&v, &d.texinfos[f.texinfo], f) {
			return lift.Drop("face-number", "primitive vertex %d is at %g", p.firstVertex+i, v.Position), nil
		}
		out.Vertices = append(out.Vertices, v)
	}
	return nil, nil
}

// addIndices adds the triangles of a primitive, with reversed winding.
func (d *faces) addIndices(p primitive, out *world.Triangles, base, most int) (*lift.Dropped, error) {
	data := &d.primIndices
	if p.firstIndex > data.Count()-p.indices {
		return lift.Drop("face-primitives", "%d primitive indices from %d of %d", p.indices, p.firstIndex, data.Count()), nil
	}
	if err := d.Reserve(2 * limit.Bytes[uint32](3*p.indices)); err != nil {
		return nil, err
	}
	at := func(i int) uint32 { return uint32(data.At(p.firstIndex + i)) }
	for i := range p.indices {
		if at(i) >= uint32(most) {
			return lift.Drop("face-primitives", "index %d of %d vertices", at(i), most), nil
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
		return lift.Drop("face-primitives", "a primitive of kind %d", p.kind), nil
	}
	return nil, nil
}

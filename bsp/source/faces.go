package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// face lifts a face with its material and the chart of its light.
func (d *decoder) face(index int) (s world.Surface, bad *dropped, err error) {
	f := &d.faces[index]
	if f.texinfo < 0 || f.texinfo >= len(d.texinfos) {
		return s, drop("face-texinfo", "texinfo %d of %d", f.texinfo, len(d.texinfos)), nil
	}
	if f.edges < 3 || f.firstEdge < 0 || f.firstEdge > d.surfedges()-f.edges {
		return s, drop("face-edges", "%d edges from %d of %d", f.edges, f.firstEdge, d.surfedges()), nil
	}
	s = world.Surface{Chart: world.NoChart, Fog: -1, Record: index}
	var light block
	lit, lighting := false, world.Fullbright
	if d.flags(f.texinfo)&(world.Sky|world.NoDraw|world.Hint|world.Trigger) == 0 {
		light, lit = d.lit(index)
	}
	if lit {
		lighting = world.Lightmap
	}
	if !lit || light.mean { // its corners lie on no luxel, or all on one
		f.size = [2]int32{}
	}
	var corners []world.Vertex
	if corners, bad, err = d.corners(index); bad != nil || err != nil {
		return s, bad, err
	}
	if s.Material, s.Flags, err = d.material(f.texinfo, lighting); err != nil {
		return s, nil, err
	}
	if d.below[index] {
		s.Flags |= world.Underside
	}
	switch {
	case f.disp >= 0:
		s.Shape, bad, err = d.displacement(f, index, corners)
	case f.primCount > 0 && len(d.primitives) > 0 && !d.o.Original:
		s.Shape, bad, err = d.triangles(f, corners)
	default:
		s.Shape, err = polygon(corners), d.Reserve(24)
	}
	if bad != nil || err != nil {
		return s, bad, err
	}
	if lit {
		s.Chart, err = d.chart(light, s.Material, corners)
	}
	return s, nil, err
}

// surfedges is how many the map has.
func (d *decoder) surfedges() int { return len(d.lumps[lumpSurfedges].Data) / 4 }

// corner is the position at which a surfedge starts. A negative one runs its edge backwards.
func (d *decoder) corner(surfedge int) (p [3]float32, ok bool) {
	if surfedge < 0 || surfedge >= d.surfedges() {
		return p, false
	}
	edge, end := int64(le.Int32(d.lumps[lumpSurfedges].Data[4*surfedge:])), 0
	if edge < 0 {
		edge, end = -edge, 1
	}
	edges := &d.lists.edges
	if edge >= int64(edges.Count()) {
		return p, false
	}
	v := edges.At(int(edge))[end]
	vertices := d.lumps[lumpVertices].Data
	if v >= len(vertices)/12 {
		return p, false
	}
	return lift.V3(vertices[12*v:]), true
}

// faceNormal is the normal of a face's plane, to its front, or zero where it has no plane. Planes are in pairs and a face
// has the one that points to its front: its side only repeats the lowest bit (18,420 faces of real maps, of 19 to 21).
func (d *decoder) faceNormal(f *face) [3]float32 {
	if f.plane >= len(d.planes) {
		return [3]float32{}
	}
	return lift.UnitOrZero(d.planes[f.plane].normal)
}

// corners lifts the corners of a face, clockwise seen from the front, with all but their colours' alpha.
func (d *decoder) corners(index int) ([]world.Vertex, *dropped, error) {
	f := &d.faces[index]
	n := f.edges
	if n > len(d.arena) {
		size := max(n, 1024)
		if err := d.Reserve(int64(size) * vertexSize); err != nil {
			return nil, nil, err
		}
		d.arena = make([]world.Vertex, size)
	}
	out := d.arena[:n:n]
	d.arena = d.arena[n:] // also where the face is dropped, so that what is looked at is bounded as what is kept
	t := &d.texinfos[f.texinfo]
	flat := d.faceNormal(f)
	for k := range out {
		p, ok := d.corner(f.firstEdge + k)
		if !ok {
			return nil, drop("face-edges", "surfedge %d leads to no vertex", f.firstEdge+k), nil
		}
		v := &out[k]
		*v = world.Vertex{Position: p, Normal: flat, Color: [4]float32{1, 1, 1, 0}}
		if !lift.Sane(p[:]...) || !d.mapped(v, t, f) {
			return nil, drop("face-number", "corner %d is at %g with texture coordinates %g", k, p, v.UV), nil
		}
		if smooth := d.smoothNormal(index, k); smooth != [3]float32{} {
			v.Normal = smooth
		}
	}
	return out, nil, nil
}

// mapped gives a vertex its coordinates on the texture and on the chart; it tells whether they are numbers.
func (d *decoder) mapped(v *world.Vertex, t *texinfo, f *face) bool {
	width, height := d.textureSize(t)
	size := [2]float64{width, height}
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

// textureSize is the size in pixels for which a texture was laid out. It need not be the image's.
func (d *decoder) textureSize(t *texinfo) (width, height float64) {
	width, height = 64, 64
	if t.texdata >= 0 && t.texdata < len(d.texdatas) {
		td := &d.texdatas[t.texdata]
		if td.width > 0 {
			width = float64(td.width)
		}
		if td.height > 0 {
			height = float64(td.height)
		}
	}
	return width, height
}

// findNormals finds where the compiled normals of each face start: they follow the faces, corner by corner.
func (d *decoder) findNormals() error {
	indices := d.lists.normalIndices.Count()
	if indices == 0 || d.o.Original {
		return nil
	}
	if err := d.Borrow(int64(len(d.faces)) * 4); err != nil {
		return err
	}
	at := 0
	starts := make([]int32, len(d.faces))
	for i := range d.faces {
		starts[i] = int32(at)
		n := max(0, d.faces[i].edges)
		if n > indices-at {
			d.Issue("normals", lumpName(lumpNormalIndices), "%d indices are too few for all corners: faces are flat", indices)
			return nil
		}
		at += n
	}
	d.normalAt = starts
	return nil
}

// smoothNormal is the compiled normal of a corner, or zero where there is none.
func (d *decoder) smoothNormal(face, corner int) [3]float32 {
	if d.normalAt == nil {
		return [3]float32{}
	}
	n := d.lists.normalIndices.At(int(d.normalAt[face]) + corner)
	normals := d.lumps[lumpNormals].Data
	if n >= len(normals)/12 {
		return [3]float32{}
	}
	return lift.UnitOrZero(lift.V3(normals[12*n:]))
}

// polygon turns corners around: the engine's are clockwise seen from the front.
func polygon(corners []world.Vertex) *world.Polygon {
	for i, k := 1, len(corners)-1; i < k; i, k = i+1, k-1 {
		corners[i], corners[k] = corners[k], corners[i]
	}
	return &world.Polygon{Corners: corners}
}

// The kinds of primitives.
const (
	primList  = 0
	primStrip = 1
	primFan   = 2
)

// triangles lifts a face that the compiler has cut into triangles, so that its edges have the corners of its
// neighbours. Their indices are of the face's corners, or of vertices of their own, as water once had.
func (d *decoder) triangles(f *face, corners []world.Vertex) (world.Shape, *dropped, error) {
	if f.firstPrim > len(d.primitives)-f.primCount {
		return nil, drop("face-primitives", "%d primitives from %d of %d", f.primCount, f.firstPrim, len(d.primitives)), nil
	}
	if err := d.Borrow(int64(f.primCount) * 16); err != nil { // a hostile map could have the same for all faces
		return nil, nil, err
	}
	out := &world.Triangles{Vertices: corners}
	shared := true // all indices are of the corners
	for _, p := range d.primitives[f.firstPrim : f.firstPrim+f.primCount] {
		base := 0
		most := len(corners)
		if p.vertices > 0 {
			if shared { // the corners stay for primitives without vertices of their own
				out.Vertices = append([]world.Vertex{}, corners...)
				shared = false
			}
			base, most = len(out.Vertices), p.vertices
			if bad, err := d.primVertices(f, p, out, corners[0].Normal); bad != nil || err != nil {
				return nil, bad, err
			}
		}
		if bad, err := d.primIndices(p, out, base, most); bad != nil || err != nil {
			return nil, bad, err
		}
	}
	if len(out.Indices) == 0 {
		return polygon(corners), nil, d.Reserve(24)
	}
	return out, nil, nil
}

// primVertices adds the vertices of a primitive.
func (d *decoder) primVertices(f *face, p primitive, out *world.Triangles, normal [3]float32) (*dropped, error) {
	data := d.lumps[lumpPrimVertices].Data
	if p.firstVertex > len(data)/12-p.vertices {
		return drop("face-primitives", "%d primitive vertices from %d of %d", p.vertices, p.firstVertex, len(data)/12), nil
	}
	if err := d.Reserve(int64(p.vertices) * vertexSize * 2); err != nil {
		return nil, err
	}
	for i := range p.vertices {
		v := world.Vertex{Position: lift.V3(data[12*(p.firstVertex+i):]), Normal: normal, Color: [4]float32{1, 1, 1, 0}}
		if !lift.Sane(v.Position[:]...) || !d.mapped(&v, &d.texinfos[f.texinfo], f) {
			return drop("face-number", "primitive vertex %d is at %g", p.firstVertex+i, v.Position), nil
		}
		out.Vertices = append(out.Vertices, v)
	}
	return nil, nil
}

// primIndices adds the triangles of a primitive, turned around.
func (d *decoder) primIndices(p primitive, out *world.Triangles, base, most int) (*dropped, error) {
	data := &d.lists.primIndices
	if p.firstIndex > data.Count()-p.indices {
		return drop("face-primitives", "%d primitive indices from %d of %d", p.indices, p.firstIndex, data.Count()), nil
	}
	if err := d.Reserve(int64(p.indices) * 3 * 4 * 2); err != nil {
		return nil, err
	}
	at := func(i int) uint32 { return uint32(data.At(p.firstIndex + i)) }
	for i := range p.indices {
		if at(i) >= uint32(most) {
			return drop("face-primitives", "index %d of %d vertices", at(i), most), nil
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
		return drop("face-primitives", "a primitive of kind %d", p.kind), nil
	}
	return nil, nil
}

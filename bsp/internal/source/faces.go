package source

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/liquid"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// faces decodes faces.
type faces struct {
	dc         *decoding.Context
	list       []face
	texinfos   []texinfo
	planes     []plane
	edges      *record.Edges
	normals    *normals
	disps      *displacements
	primitives *primitives
	materials  *valve.Materials
	light      *lightmaps
	waters     liquid.Sides                 // faces of liquids that coincide
	corners    decoding.Arena[world.Vertex] // of all faces
}

// decode decodes a face with its material and the chart of its light.
func (d *faces) decode(index int) (s world.Surface, bad *decoding.Dropped, err error) {
	f := &d.list[index]
	if f.texinfo < 0 || f.texinfo >= len(d.texinfos) {
		return s, decoding.Drop("face-texinfo", "texinfo %d of %d", f.texinfo, len(d.texinfos)), nil
	}
	if f.edges < 3 || f.firstEdge < 0 || f.firstEdge > d.edges.Count()-f.edges {
		return s, decoding.Drop("face-edges", "%d edges from %d of %d", f.edges, f.firstEdge, d.edges.Count()), nil
	}
	s = world.Surface{Chart: world.NoChart, Fog: -1, Record: index}
	t := &d.texinfos[f.texinfo]
	var light block
	lit, lighting := false, world.Fullbright
	if t.surfaceFlags(d.materials.Name(t.texdata))&(world.Sky|world.NoDraw|world.Hint|world.Trigger) == 0 {
		light, lit = d.light.find(index, f, t.flags&valve.SurfBumpLight != 0)
	}
	if lit {
		lighting = world.Lightmap
	}
	if !lit || light.mean { // its corners have no luxel, or share one
		f.size = [2]int32{}
	}
	m := &mapping{texinfo: t, texels: d.materials.Size(t.texdata), mins: f.mins, size: f.size}
	var corners []world.Vertex
	if corners, bad, err = d.cornersOf(index, m); bad != nil || err != nil {
		return s, bad, err
	}
	if s.Material, s.Flags, err = t.material(d.materials, lighting); err != nil {
		return s, nil, err
	}
	if d.waters.Below[index] {
		s.Flags |= world.Underside
	}
	switch {
	case f.disp >= 0:
		s.Shape, bad, err = d.disps.decode(f, index, corners)
	case f.primCount > 0 && len(d.primitives.list) > 0:
		s.Shape, bad, err = d.primitives.triangles(f, corners, m)
	default:
		s.Shape, err = polygon(d.dc, corners)
	}
	if bad != nil || err != nil {
		return s, bad, err
	}
	if lit {
		s.Chart, err = d.light.add(light, s.Material, corners)
	}
	return s, nil, err
}

// cornersOf decodes the corners of a face, clockwise seen from the front, except their alpha.
func (d *faces) cornersOf(index int, m *mapping) ([]world.Vertex, *decoding.Dropped, error) {
	f := &d.list[index]
	out, err := d.corners.Take(d.dc, f.edges) // also for dropped faces, so that the work is bounded like the result
	if err != nil {
		return nil, nil, err
	}
	flat := faceNormal(d.planes, f)
	for k := range out {
		p, ok := d.edges.Corner(f.firstEdge + k)
		if !ok {
			return nil, decoding.Drop("face-edges", "surfedge %d leads to no vertex", f.firstEdge+k), nil
		}
		v := &out[k]
		*v = world.Vertex{Position: p, Normal: flat, Color: [4]float32{1, 1, 1, 0}}
		if !record.Sane(p[:]...) || !m.set(v) {
			return nil, decoding.Drop("face-number", "corner %d is at %g with texture coordinates %g", k, p, v.UV), nil
		}
		if smooth := d.normals.at(index, k); smooth != [3]float32{} {
			v.Normal = smooth
		}
	}
	return out, nil, nil
}

// polygon reverses corners: the engine's are clockwise seen from the front.
func polygon(dc *decoding.Context, corners []world.Vertex) (*world.Polygon, error) {
	for i, k := 1, len(corners)-1; i < k; i, k = i+1, k-1 {
		corners[i], corners[k] = corners[k], corners[i]
	}
	return &world.Polygon{Corners: corners}, dc.Reserve(limit.Bytes[world.Polygon](1))
}

// faceNormal returns the front normal of a face's plane, or zero if it has no plane. Planes come in pairs and a face
// names the one that points to its front: side only repeats the index's lowest bit (18,420 faces of real maps, versions
// 19 to 21).
func faceNormal(planes []plane, f *face) [3]float32 {
	if f.plane >= len(planes) {
		return [3]float32{}
	}
	return record.UnitOrZero(planes[f.plane].normal)
}

// normals holds the compiled normals of the corners of all faces. Nil means that there are none.
type normals struct {
	starts  []int32 // by face: start of its corners in indices
	indices record.List[int]
	data    []byte // three numbers for each normal
}

// findNormals returns the normals of faces. Their indices are stored in face order, corner by corner.
func findNormals(dc *decoding.Context, faces []face, indices record.List[int], data []byte) (*normals, error) {
	n := indices.Count()
	if n == 0 {
		return nil, nil
	}
	if err := dc.Borrow(limit.Bytes[int32](len(faces))); err != nil {
		return nil, err
	}
	at := 0
	starts := make([]int32, len(faces))
	for i := range faces {
		starts[i] = int32(at)
		edges := max(0, faces[i].edges)
		if edges > n-at {
			dc.Issue("normals", lumpName(lumpNormalIndices), "%d indices are too few for all corners: faces are shaded flat", n)
			return nil, nil
		}
		at += edges
	}
	return &normals{starts, indices, data}, nil
}

// at returns the normal of a face's corner, or zero if there is none.
func (n *normals) at(face, corner int) [3]float32 {
	if n == nil {
		return [3]float32{}
	}
	i := n.indices.At(int(n.starts[face]) + corner)
	if i >= len(n.data)/12 {
		return [3]float32{}
	}
	return record.UnitOrZero(record.V3(n.data[12*i:]))
}

// newFaces returns what decodes the faces of a map: the lumps that lead to their corners, displacements, triangles and normals.
func newFaces(ctx context.Context, m *file, v *variant, l *lists, r *records, materials *valve.Materials, light *lightmaps) (
	*faces, error) {
	f := &faces{
		dc: m.dc, list: r.faces, texinfos: r.texinfos, planes: r.planes, materials: materials, light: light,
		edges:      &record.Edges{Surfedges: m.lumps[lumpSurfedges].Data, List: l.edges, Vertices: m.lumps[lumpVertices].Data},
		disps:      newDisplacements(m.dc, m, v, r.disps),
		primitives: &primitives{dc: m.dc, list: r.primitives, indices: l.primIndices, vertices: m.lumps[lumpPrimVertices].Data},
	}
	var err error
	if f.normals, err = findNormals(m.dc, r.faces, l.normalIndices, m.lumps[lumpNormals].Data); err != nil {
		return nil, err
	}
	f.waters, err = undersides(ctx, r, f.edges)
	return f, err
}

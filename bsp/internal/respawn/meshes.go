package respawn

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// meshFlags lists the bits of a mesh's flags that affect how it is drawn (bsp_tool).
var meshFlags = []struct {
	bit  uint32
	flag world.Flags
}{
	{valve.SurfSky2D | valve.SurfSky, world.Sky}, {valve.SurfWarp, world.Liquid}, {0x20000, world.Hint}, {0x40000, world.Trigger},
}

// seenVertex is the index of a vertex in the mesh that used it last. Mesh is that mesh's index plus one.
type seenVertex struct{ mesh, at int32 }

// meshes decodes meshes. It holds buffers that they share.
type meshes struct {
	dc        *decoding.Context
	records   *records
	lumps     *lumps
	materials *valve.Materials
	light     *pages
	seen      []seenVertex // by vertex; as long as the largest of the four lists
	used      []int        // the vertices of a mesh, in the order of first use
}

// newMeshes returns a decoder for the meshes of a map.
func newMeshes(dc *decoding.Context, r *records, lumps *lumps, materials *valve.Materials, light *pages) (*meshes, error) {
	most := 0
	for _, k := range meshKinds {
		most = max(most, len(lumps[k.lump].Data)/k.row.Size)
	}
	if err := dc.Borrow(limit.Bytes[seenVertex](most)); err != nil {
		return nil, err
	}
	return &meshes{dc: dc, records: r, lumps: lumps, materials: materials, light: light, seen: make([]seenVertex, most)}, nil
}

// mesh decodes a mesh with its material and its chart.
func (r *meshes) mesh(index int) (s world.Surface, bad *decoding.Dropped, err error) {
	m := &r.records.meshes[index]
	if m.sort >= len(r.records.sorts) {
		return s, decoding.Drop("face-material", "material sort %d of %d", m.sort, len(r.records.sorts)), nil
	}
	sort := &r.records.sorts[m.sort]
	kind := m.flags >> meshKindShift & 3
	s = world.Surface{Chart: world.NoChart, Fog: -1, Record: index}
	s.Flags = r.flags(m, sort)
	if meshKinds[kind].lit && s.Flags&(world.Sky|world.NoDraw|world.Hint|world.Trigger) == 0 {
		if s.Chart, err = r.light.chart(sort.light, index); err != nil {
			return s, nil, err
		}
	}
	lighting := world.Fullbright
	var size [2]float32
	if s.Chart != world.NoChart {
		lighting = world.Lightmap
		c := &r.light.charts[s.Chart]
		size = [2]float32{float32(c.Width), float32(c.Height)}
	}
	if s.Shape, bad, err = r.triangles(index, sort.vertex, int(kind), size); bad != nil || err != nil {
		return s, bad, err
	}
	s.Material, err = r.materials.AddOf(sort.texdata, world.Material{Lighting: lighting, Flags: s.Flags, Surface: m.flags})
	return s, nil, err
}

// flags returns how a mesh is drawn, from its flags and the name of its material.
func (r *meshes) flags(m *mesh, sort *materialSort) (flags world.Flags) {
	for _, f := range meshFlags {
		if m.flags&f.bit != 0 {
			flags |= f.flag
		}
	}
	return flags | valve.Tools()[r.materials.Name(sort.texdata)]
}

// triangles decodes the triangles of a mesh, which are clockwise seen from the front. Indices are relative to the first
// vertex of the material sort, according to bsp_tool. MRVN-Radiant takes them as relative to the mesh's first vertex;
// in the available map both are 0.
func (r *meshes) triangles(index, first, kind int, size [2]float32) (*world.Triangles, *decoding.Dropped, error) {
	m := &r.records.meshes[index]
	n, data := 3*m.triangles, r.lumps[lumpMeshIndices].Data
	if m.firstIndex > len(data)/2-n {
		return nil, decoding.Drop("face-indices", "%d indices from %d of %d", n, m.firstIndex, len(data)/2), nil
	}
	if n == 0 {
		return nil, decoding.Drop("face-empty", "it has no triangles"), nil
	}
	// Reserve even if the mesh is dropped later, so that the work is bounded like the result.
	if err := r.dc.Reserve(limit.Bytes[uint32](n) + limit.Bytes[world.Triangles](1)); err != nil {
		return nil, nil, err
	}
	vertices := record.List[meshVertex]{Layout: meshKinds[kind].row, Lump: r.lumps[meshKinds[kind].lump]}
	count := vertices.Count()
	r.used = r.used[:0]
	indices := make([]uint32, n)
	for i := range indices {
		v := first + int(binary.LittleEndian.Uint16(data[2*(m.firstIndex+i):]))
		if v < 0 || v >= count {
			return nil, decoding.Drop("face-vertices", "index %d is of vertex %d of %d", m.firstIndex+i, v, count), nil
		}
		seen := &r.seen[v]
		if seen.mesh != int32(index)+1 {
			*seen = seenVertex{int32(index) + 1, int32(len(r.used))}
			r.used = append(r.used, v)
		}
		indices[i] = uint32(seen.at)
	}
	for i := 0; i < n; i += 3 {
		indices[i+1], indices[i+2] = indices[i+2], indices[i+1]
	}
	if err := r.dc.Reserve(limit.Bytes[world.Vertex](len(r.used))); err != nil {
		return nil, nil, err
	}
	out := &world.Triangles{Vertices: make([]world.Vertex, len(r.used)), Indices: indices}
	for i, v := range r.used {
		if bad := r.vertex(&out.Vertices[i], vertices.At(v), v, size); bad != nil {
			return nil, bad, nil
		}
	}
	return out, nil, nil
}

// vertex decodes a vertex. Size is the size of its chart in luxels.
func (r *meshes) vertex(to *world.Vertex, v meshVertex, index int, size [2]float32) *decoding.Dropped {
	positions, normals := r.lumps[lumpVertices].Data, r.lumps[lumpNormals].Data
	if v.position >= len(positions)/12 {
		return decoding.Drop("face-vertices", "vertex %d is at place %d of %d", index, v.position, len(positions)/12)
	}
	to.Position = record.V3(positions[12*v.position:])
	if v.normal < len(normals)/12 { // otherwise package geometry computes it
		to.Normal = record.UnitOrZero(record.V3(normals[12*v.normal:]))
	}
	if !record.Sane(to.Position[:]...) || v.uv[0]-v.uv[0] != 0 || v.uv[1]-v.uv[1] != 0 {
		return decoding.Drop("face-number", "vertex %d is at %g with texture coordinates %g", index, to.Position, v.uv)
	}
	for k := range v.uv {
		to.UV[k] = min(max(v.uv[k], -record.Farthest), record.Farthest)
		if luxel := float32(v.luxel[k] * size[k]); luxel > 0 { // false for NaN
			to.Luxel[k] = min(luxel, size[k])
		}
	}
	light := gamma.Linear8()
	to.Color = [4]float32{light[v.color[0]], light[v.color[1]], light[v.color[2]], float32(v.color[3]) / 255}
	return nil
}

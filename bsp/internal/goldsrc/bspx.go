package goldsrc

import (
	"encoding/binary"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// bspxBlocks are the blocks of BSPX that are read, and their use. ericw-tools, docs, bspx.
var bspxBlocks = []struct{ name, use string }{
	{"RGBLIGHTING", "coloured light in place of grey"},
	{"LIGHTING_E5BGR9", "light of high dynamic range in place of grey"},
	{"LIGHTINGDIR", "directions of light"},
	{"LMOFFSET", "where a face's light is"},
	{"LMSHIFT", "how many texels a luxel has"},
	{"LMSTYLE", "the styles of a face, more than four"},
	{"LMSTYLE16", "the styles of a face in 16 bits; those above 254 are left out"},
	{"DECOUPLED_LM", "light laid out without the texture"},
	{"VERTEXNORMALS", "normals of vertices: smooth shading"},
	{"FACENORMALS", "normals of faces' corners: smooth shading"},
	{"LIGHTGRID_OCTREE", "light of models, and the extra `bsp2gltf_light_grid`"},
	{"LIGHTGRIDS", "the same with directions, if there is no LIGHTGRID_OCTREE; the largest of its grids"},
	{"BRUSHLIST", "solids, with `geometry.collision`"},
}

// Blocks returns the blocks of BSPX that are read, and what for.
func Blocks() (rows [][2]string) {
	for _, b := range bspxBlocks {
		rows = append(rows, [2]string{b.name, b.use})
	}
	return rows
}

// isRead reports whether a block of BSPX is read.
func isRead(name string) bool {
	return slices.ContainsFunc(bspxBlocks, func(b struct{ name, use string }) bool { return b.name == name })
}

// readStyles reads the block with the styles of faces; each face has the same number of them.
func (l *light) readStyles(m *file, faces int) error {
	for _, b := range []struct {
		name string
		size int
	}{{"LMSTYLE16", 2}, {"LMSTYLE", 1}} {
		data, err := m.block(b.name, anySize)
		if err != nil {
			return err
		}
		if len(data) == 0 || faces == 0 {
			continue
		}
		if len(data)%(b.size*faces) != 0 {
			m.dc.Issue("lump-broken", "BSPX "+b.name, "is left out: %d bytes are not as many for each of %d faces", len(data), faces)
			continue
		}
		l.faceStyles, l.styleSize, l.stylesPer = data, b.size, len(data)/b.size/faces
		return nil
	}
	return nil
}

// blockStyles returns the styles that a block of BSPX gives a face. Styles of 16 bits that a chart can't have end the list.
func (l *light) blockStyles(index int) (styles []uint8) {
	from := l.faceStyles[index*l.stylesPer*l.styleSize:][:l.stylesPer*l.styleSize]
	if l.styleSize == 1 {
		if end := slices.Index(from, noStyle); end >= 0 {
			from = from[:end]
		}
		return from
	}
	for ; len(from) > 0; from = from[2:] {
		style := binary.LittleEndian.Uint16(from)
		if style >= noStyle {
			break
		}
		styles = append(styles, uint8(style))
	}
	return styles
}

// cornerNormals are the normals that blocks of BSPX give corners, for smooth shading.
type cornerNormals struct {
	unique  []byte // vectors of three floats
	corners []byte // by corner: the indices of its normal, tangent and bitangent (FACENORMALS); or nil
	first   []int  // by face: its first corner
	byPoint []byte // by vertex: its normal (VERTEXNORMALS); or nil
}

// readNormals reads the blocks with the normals of corners: those of faces' corners, else those of vertices.
func readNormals(m *file, r *records) (n *cornerNormals, err error) {
	n = &cornerNormals{}
	data, err := m.block("FACENORMALS", anySize)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 {
		corners := 0
		for i := range r.faces {
			corners += max(r.faces[i].edges, 0)
		}
		count := int64(record.U32(data[:min(4, len(data))]))
		if len(data) >= 4 && int64(len(data)) == 4+12*count+12*int64(corners) {
			if err := m.dc.Borrow(8 * int64(len(r.faces))); err != nil {
				return nil, err
			}
			n.unique, n.corners, n.first = data[4:][:12*count], data[4+12*count:], make([]int, len(r.faces))
			at := 0
			for i := range r.faces {
				n.first[i] = at
				at += max(r.faces[i].edges, 0)
			}
			return n, nil
		}
		m.dc.Issue("lump-broken", "BSPX FACENORMALS", "is left out: %d bytes are not those of %d corners", len(data), corners)
	}
	n.byPoint, err = m.block("VERTEXNORMALS", len(r.edges.Vertices))
	return n, err
}

// smooth gives corners of a face, in the file's order, their normals. Those that are none, or look against the face, stay the face's.
func (n *cornerNormals) smooth(r *records, f *face, index int, corners []world.Vertex) {
	for k := range corners {
		var v [3]float32
		switch {
		case n.corners != nil:
			at := record.U32(n.corners[12*(n.first[index]+k):])
			if at >= len(n.unique)/12 {
				continue
			}
			v = record.V3(n.unique[12*at:])
		case len(n.byPoint) > 0:
			vertex, ok := r.edges.Vertex(f.firstEdge + k)
			if !ok {
				continue
			}
			v = record.V3(n.byPoint[12*vertex:])
		default:
			return
		}
		if v = record.UnitOrZero(v); space.Dot(v, corners[k].Normal) > 0 {
			corners[k].Normal = v
		}
	}
}

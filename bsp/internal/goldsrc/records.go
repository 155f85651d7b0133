package goldsrc

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// u32 reads a whole number of four bytes.
func u32(b []byte) int { return int(binary.LittleEndian.Uint32(b)) }

// plane is dplane_t.
type plane struct {
	normal   [3]float32
	distance float32
}

var planeV29 = record.Layout[plane]{Size: 20, Fields: "4*5", Decode: func(b []byte) plane {
	return plane{record.V3(b), le.Float32(b[12:])}
}}

// face is dface_t.
type face struct {
	plane            int
	back             bool // the face looks against its plane
	firstEdge, edges int
	texinfo          int
	styles           [4]uint8
	lightOfs         int // bytes into the light, or -1
}

// noStyle ends the styles of a face.
const noStyle = 255

// faceV29 is dface_t of Quake, Half-Life and Quake II.
var faceV29 = record.Layout[face]{Size: 20, Fields: "2*2 4 2*2 1*4 4", Decode: func(b []byte) face {
	return face{
		record.U16(b), record.U16(b[2:]) != 0, record.I32(b[4:]), record.U16(b[8:]), record.U16(b[10:]), [4]uint8(b[12:16]),
		record.I32(b[16:]),
	}
}}

// faceBSP2 is dface_t of BSP2 and 2PSB.
var faceBSP2 = record.Layout[face]{Size: 28, Fields: "4*5 1*4 4", Decode: func(b []byte) face {
	return face{u32(b), u32(b[4:]) != 0, record.I32(b[8:]), u32(b[12:]), u32(b[16:]), [4]uint8(b[20:24]), record.I32(b[24:])}
}}

// texinfo is texinfo_t.
type texinfo struct {
	texture  [2][4]float32 // axis and shift, of u and v, in texels
	flags    uint32
	miptex   int
	faceinfo int    // of Xash3D's maps, or -1
	name     string // Quake II's, which has no miptex
}

// texinfoV29 is texinfo_t of Quake and Half-Life. Xash3D has only 16 bits of flags, and then a faceinfo.
var texinfoV29 = record.Layout[texinfo]{Size: 40, Fields: "4*8 4 2*2", Decode: func(b []byte) texinfo {
	return texinfo{texture: readAxes(b), miptex: record.I32(b[32:]), flags: uint32(u32(b[36:])), faceinfo: record.I16(b[38:])}
}}

// texinfoV38 is texinfo_t of Quake II: flags, a value, the texture's name and the next of its animation.
var texinfoV38 = record.Layout[texinfo]{Size: 76, Fields: "4*8 4*2 1*32 4", Decode: func(b []byte) texinfo {
	return texinfo{texture: readAxes(b), flags: uint32(u32(b[32:])), faceinfo: -1, name: le.String(b[40:72])}
}}

func readAxes(b []byte) (t [2][4]float32) {
	for k := range t {
		for i := range t[k] {
			t[k][i] = le.Float32(b[16*k+4*i:])
		}
	}
	return t
}

// model is dmodel_t.
type model struct {
	mins, maxs       [3]float32
	head             int // root node of its tree
	firstFace, faces int
	leafs            int // that can be looked from; not of Quake II
}

// modelV29 has four head nodes and the number of its leafs behind its origin.
var modelV29 = record.Layout[model]{Size: 64, Fields: "4*9 4*4 4 4*2", Decode: func(b []byte) model {
	return model{record.V3(b), record.V3(b[12:]), record.I32(b[36:]), record.I32(b[56:]), record.I32(b[60:]), record.I32(b[52:])}
}}

// modelHexen2 has eight head nodes: its bodies have more sizes (MAX_MAP_HULLS).
var modelHexen2 = record.Layout[model]{Size: 80, Fields: "4*9 4*8 4 4*2", Decode: func(b []byte) model {
	return model{record.V3(b), record.V3(b[12:]), record.I32(b[36:]), record.I32(b[72:]), record.I32(b[76:]), record.I32(b[68:])}
}}

// modelV38 has one head node.
var modelV38 = record.Layout[model]{Size: 48, Fields: "4*9 4 4*2", Decode: func(b []byte) model {
	return model{
		mins: record.V3(b), maxs: record.V3(b[12:]), head: record.I32(b[36:]), firstFace: record.I32(b[40:]), faces: record.I32(b[44:]),
	}
}}

// leaf is dleaf_t: its contents, and the offset of its row of visibility, or -1, or Quake II's cluster and area.
type leaf struct {
	contents           int
	row, cluster, area int
	firstBrush         int // into the leafs' brushes (Quake II)
	brushes            int
	mins, maxs         [3]float32
}

// The leafs of Quake, of BSP2, of 2PSB, whose box has 16 bits a number, of QBSP and of Quake II.
var (
	leafV29  = record.Layout[leaf]{Size: 28, Fields: "4*2 2*6 2*2 1*4", Decode: decodeLeaf}
	leafBSP2 = record.Layout[leaf]{Size: 44, Fields: "4*2 4*6 4*2 1*4", Decode: func(b []byte) leaf {
		l := decodeLeaf(b)
		l.mins, l.maxs = record.V3(b[8:]), record.V3(b[20:])
		return l
	}}
	leaf2PSB = record.Layout[leaf]{Size: 32, Fields: "4*2 2*6 4*2 1*4", Decode: decodeLeaf}
	leafQBSP = record.Layout[leaf]{Size: 52, Fields: "4*3 4*6 4*4", Decode: func(b []byte) leaf {
		return leaf{
			contents: record.I32(b), row: -1, cluster: record.I32(b[4:]), area: record.I32(b[8:]), mins: record.V3(b[12:]),
			maxs: record.V3(b[24:]), firstBrush: record.U32(b[44:]), brushes: record.U32(b[48:]),
		}
	}}
	leafV38 = record.Layout[leaf]{Size: 28, Fields: "4 2*2 2*6 2*4", Decode: func(b []byte) leaf {
		l := decodeLeaf(b)
		l.row, l.cluster, l.area, l.firstBrush, l.brushes = -1, record.I16(b[4:]), record.I16(b[6:]), record.U16(b[24:]), record.U16(b[26:])
		return l
	}}
)

func decodeLeaf(b []byte) leaf {
	l := leaf{contents: record.I32(b), row: record.I32(b[4:])}
	for k := range 3 {
		l.mins[k], l.maxs[k] = float32(record.I16(b[8+2*k:])), float32(record.I16(b[14+2*k:]))
	}
	return l
}

// decoupledLightmap is a record of BSPX's DECOUPLED_LM: the layout of a face's light, independent of its texture. FTE, ericw-tools.
type decoupledLightmap struct {
	width, height int
	lightOfs      int
	axes          [2][4]float32 // in luxels
}

var decoupledV1 = record.Layout[decoupledLightmap]{Size: 40, Fields: "2*2 4 4*8", Decode: func(b []byte) decoupledLightmap {
	return decoupledLightmap{record.U16(b), record.U16(b[2:]), record.I32(b[4:]), readAxes(b[8:])}
}}

// faceinfo is dfaceinfo_t of Xash3D: texels per luxel. The name of a landscape precedes it.
type faceinfo struct{ step int }

var faceinfoV4 = record.Layout[faceinfo]{Size: 22, Fields: "1*16 2 1*4", Decode: func(b []byte) faceinfo {
	return faceinfo{record.U16(b[16:])}
}}

// records holds the decoded lumps that surfaces are made of.
type records struct {
	planes    []plane
	texinfos  []texinfo
	faces     []face
	models    []model
	faceinfos []faceinfo // Xash3D
	edges     *record.Edges
}

// readRecords decodes the lumps that surfaces are made of. It fails if an essential one is broken, or if a limit is exceeded.
func readRecords(m *file) (r *records, err error) {
	r = &records{}
	if r.planes, err = planeV29.Records(m.dc, m.lumps[lumpPlanes]); err != nil {
		return nil, err
	}
	if r.texinfos, err = m.v.layout.texinfo.Records(m.dc, m.lumps[lumpTexinfo]); err != nil {
		return nil, err
	}
	for i := range r.texinfos {
		if t := &r.texinfos[i]; m.xash { // whose flags have only 16 bits
			t.flags &= 0xffff
		} else {
			t.faceinfo = -1
		}
	}
	if r.faces, err = m.v.layout.face.Records(m.dc, m.lumps[lumpFaces]); err != nil {
		return nil, err
	}
	if r.models, err = m.v.layout.model.Records(m.dc, m.lumps[lumpModels]); err != nil {
		return nil, err
	}
	if len(r.models) == 0 {
		return nil, m.lumps[lumpModels].Fault("empty", -1, "the map has no models")
	}
	for _, e := range m.v.layout.lumps {
		if e.lump == lumpVertices || e.lump == lumpEdges || e.lump == lumpSurfedges {
			if _, err := m.lumps[e.lump].Count(e.size); err != nil {
				return nil, err
			}
		}
	}
	r.edges = &record.Edges{
		Surfedges: m.lumps[lumpSurfedges].Data, Vertices: m.lumps[lumpVertices].Data,
		List: record.List[record.Edge]{Layout: m.v.layout.edges(), Lump: m.lumps[lumpEdges]},
	}
	faceinfos := record.List[faceinfo]{Layout: faceinfoV4, Lump: m.lumps[lumpFaceinfo]}
	r.faceinfos, err = faceinfos.Optional(m.dc)
	return r, err
}

package source

import (
	"encoding/binary"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// face is dface_t.
type face struct {
	plane                int
	firstEdge, edges     int
	texinfo, disp        int      // disp is -1 for none
	styles               [8]uint8 // ended by noStyle
	night                uint8    // a bit for each style that shines only at night
	lightOfs             int      // bytes into the light, or -1
	averaged             bool     // its mean light is in the record instead of before its luxels
	mins, size           [2]int32 // luxels; the chart has one more than size
	firstPrim, primCount int
}

// noStyle ends the styles of a face.
const noStyle = 255

// fourStyles returns the styles of a face with room for four.
func fourStyles(b []byte) [8]uint8 {
	return [8]uint8{b[0], b[1], b[2], b[3], noStyle, noStyle, noStyle, noStyle}
}

// pair reads two numbers.
func pair(b []byte) [2]int32 { return [2]int32{le.Int32(b), le.Int32(b[4:])} }

// faceV1 is dface_t of versions 19 to 21. Source SDK 2013, public/bspfile.h. Bit 15 of the number of primitives
// means that the face receives no dynamic shadows.
var faceV1 = record.Layout[face]{Size: 56, Fields: "2 1*2 4 2*4 1*4 4 4 4*2 4*2 4 2*2 4", Decode: func(b []byte) face {
	return face{
		plane: record.U16(b), firstEdge: record.I32(b[4:]), edges: record.I16(b[8:]), texinfo: record.I16(b[10:]), disp: record.I16(b[12:]),
		styles: fourStyles(b[16:]), lightOfs: record.I32(b[20:]), mins: pair(b[28:]), size: pair(b[36:]),
		primCount: record.U16(b[48:]) & 0x7fff, firstPrim: record.U16(b[50:]),
	}
}}

// Faces from before the release start with their mean light in each style (BSPSource, DFaceBSP17, DFaceBSP18 and
// DFaceVTMB). Vampire: The Masquerade – Bloodlines has eight styles, and lists which of them shine by day and by
// night.
var (
	faceBeta17 = record.Layout[face]{Size: 68, Fields: "1*16 2 1*2 4 2*4 1*4 4 4 4*2 4*2 4 4", Decode: func(b []byte) face {
		return averagedFace(b[16:], b[36:], fourStyles(b[32:]))
	}}
	faceBeta18 = record.Layout[face]{Size: 72, Fields: "1*16 2 1*2 4 2*4 1*4 4 4 4*2 4*2 4 2*2 4", Decode: func(b []byte) face {
		f := averagedFace(b[16:], b[36:], fourStyles(b[32:]))
		f.firstPrim, f.primCount = record.U16(b[64:]), record.U16(b[66:])&0x7fff
		return f
	}}
	faceVampire = record.Layout[face]{Size: 104, Fields: "1*32 2 1*2 4 2*4 1*8 1*8 1*8 4 4 4*2 4*2 4 4", Decode: func(b []byte) face {
		f := averagedFace(b[32:], b[72:], [8]uint8(b[48:56]))
		f.night = listed(b[64:72]) &^ listed(b[56:64])
		return f
	}}
)

// averagedFace decodes a face from its plane on and from its light offset.
func averagedFace(b, rest []byte, styles [8]uint8) face {
	return face{
		plane: record.U16(b), firstEdge: record.I32(b[4:]), edges: record.I16(b[8:]), texinfo: record.I16(b[10:]), disp: record.I16(b[12:]),
		styles: styles, lightOfs: record.I32(rest), averaged: true, mins: pair(rest[8:]), size: pair(rest[16:]),
	}
}

// listed returns a bit for each number below 8 in a list that noStyle ends.
func listed(b []byte) (bits uint8) {
	for _, x := range b {
		if x == noStyle {
			break
		}
		if x < 8 {
			bits |= 1 << x
		}
	}
	return bits
}

// wideFace returns the layout of a face with 32-bit numbers, given the offsets of its styles and of its light, after
// which the rest follows, and how its two primitive numbers are read.
func wideFace(size, styles, light int, fields string, primitives func(a, b []byte) (first, count int)) record.Layout[face] {
	return record.Layout[face]{Size: size, Fields: fields, Decode: func(b []byte) face {
		f := face{
			plane: record.U32(b), firstEdge: record.I32(b[8:]), edges: record.I32(b[12:]),
			texinfo: record.I32(b[16:]), disp: record.I32(b[20:]),
			styles: fourStyles(b[styles:]), lightOfs: record.I32(b[light:]), mins: pair(b[light+8:]), size: pair(b[light+16:]),
		}
		f.firstPrim, f.primCount = primitives(b[light+28:], b[light+32:])
		return f
	}}
}

// countFirst reads the number of primitives, whose lowest bit means that the face receives dynamic shadows, and the
// first. firstCount reads them in reverse order.
func countFirst(a, b []byte) (first, count int) { return record.U32(b), record.U32(a) >> 1 }
func firstCount(a, b []byte) (first, count int) { return record.U32(a), record.U32(b) }

const (
	fields72 = "4 1*2 2 4*5 1*4 4*10"
	fields76 = "4 1*2 2 4*5 1*8 4*10"
)

// faceStrata is the record of Strata Source (its wiki; v25_strata_momentum_mp_lobby). The others are Vindictus's, on
// which BSPSource and bsp_tool disagree: the one that fits is used.
var (
	faceStrata = wideFace(72, 28, 32, fields72, countFirst).WithVersion(2)

	facesVindictus = []record.Layout[face]{wideFace(72, 28, 32, fields72, firstCount), wideFace(72, 28, 32, fields72, countFirst)}

	facesVindictusLong = []record.Layout[face]{
		wideFace(76, 28, 36, fields76, firstCount), wideFace(76, 32, 36, fields76, firstCount),
		wideFace(76, 28, 36, fields76, countFirst), wideFace(76, 32, 36, fields76, countFirst),
	}
)

// texinfo is texinfo_t.
type texinfo struct {
	texture, luxel [2][4]float32 // axis and shift, of u or x and v or y
	flags          uint32
	texdata        int // -1 where there is none
}

var texinfoV1 = record.Layout[texinfo]{Size: 72, Fields: "4*18", Decode: func(b []byte) texinfo { return decodeTexinfo(b, b[64:]) }}

// texinfoMessiah is Dark Messiah's (single player), with 24 unknown bytes before the flags.
var texinfoMessiah = record.Layout[texinfo]{Size: 96, Fields: "4*16 1*24 4*2", Decode: func(b []byte) texinfo {
	return decodeTexinfo(b, b[88:])
}}

// decodeTexinfo decodes a texinfo from its start and from its flags.
func decodeTexinfo(b, flags []byte) (t texinfo) {
	for k := range 2 {
		for i := range 4 {
			t.texture[k][i] = le.Float32(b[16*k+4*i:])
			t.luxel[k][i] = le.Float32(b[32+16*k+4*i:])
		}
	}
	t.flags, t.texdata = binary.LittleEndian.Uint32(flags), record.I32(flags[4:])
	return t
}

// modelV1 is dmodel_t.
var modelV1 = record.Layout[valve.Model]{Size: 48, Fields: "4*9 4*3", Decode: func(b []byte) valve.Model {
	return valve.Model{Mins: record.V3(b), Maxs: record.V3(b[12:]), Head: record.I32(b[36:]), FirstFace: record.I32(b[40:]),
		Faces: record.I32(b[44:])}
}}

// modelMessiah is Dark Messiah's (single player), with an unknown number after the origin.
var modelMessiah = record.Layout[valve.Model]{Size: 52, Fields: "4*9 4*4", Decode: func(b []byte) valve.Model {
	return valve.Model{Mins: record.V3(b), Maxs: record.V3(b[12:]), Head: record.I32(b[40:]), FirstFace: record.I32(b[44:]),
		Faces: record.I32(b[48:])}
}}

// plane is dplane_t.
type plane struct {
	normal   [3]float32
	distance float32
}

var planeV1 = record.Layout[plane]{Size: 20, Fields: "4*4 4", Decode: func(b []byte) plane {
	return plane{record.V3(b), le.Float32(b[12:])}
}}

// node is dnode_t. A negative child c is the leaf -1-c.
type node struct {
	plane    int
	children [2]int
}

// nodeWide has its box in integers (Vindictus) or floats (Strata).
var (
	nodeV1   = record.Layout[node]{Size: 32, Fields: "4*3 2*6 2*4", Decode: decodeNode}
	nodeWide = record.Layout[node]{Size: 48, Fields: "4*3 4*6 4*3", Decode: decodeNode, Version: 1}
)

func decodeNode(b []byte) node {
	return node{record.I32(b), [2]int{record.I32(b[4:]), record.I32(b[8:])}}
}

// leaf is dleaf_t.
type leaf struct {
	contents            uint32
	cluster, area       int // the cluster is -1 outside
	mins, maxs          [3]float32
	firstFace, faces    int // in the lump of leaf faces
	firstBrush, brushes int
	water               int    // index into the bodies of water, or -1
	ambient             []byte // an ambient cube, in version 0
}

// leafV1 is dleaf_t of lump version 1.
var leafV1 = record.Layout[leaf]{Size: 32, Fields: "4 2*2 2*6 2*4 2*2", Decode: decodeLeaf, Version: 1}

// leafBeta is dleaf_t from before the release, also with version 0 in the directory.
var leafBeta = leafV1.WithVersion(0)

// leafV0 is dleaf_t of lump version 0, with an ambient cube.
var leafV0 = record.Layout[leaf]{Size: 56, Fields: "4 2*2 2*6 2*4 2 1*24 2", Decode: func(b []byte) leaf {
	l := decodeLeaf(b)
	l.ambient = b[30:54]
	return l
}}

func decodeLeaf(b []byte) leaf {
	l := leaf{
		contents: binary.LittleEndian.Uint32(b), cluster: record.I16(b[4:]), area: record.U16(b[6:]) & 0x1ff,
		firstFace: record.U16(b[20:]), faces: record.U16(b[22:]), firstBrush: record.U16(b[24:]), brushes: record.U16(b[26:]),
		water: record.I16(b[28:]),
	}
	for k := range 3 {
		l.mins[k], l.maxs[k] = float32(record.I16(b[8+2*k:])), float32(record.I16(b[14+2*k:]))
	}
	return l
}

// leafVindictus has its box in integers, leafStrata in floats and with 17-bit areas.
var (
	leafVindictus = record.Layout[leaf]{Size: 56, Fields: "4*14", Decode: func(b []byte) leaf {
		l := wideLeaf(b, 0x1ff)
		for k := range 3 {
			l.mins[k], l.maxs[k] = float32(record.I32(b[12+4*k:])), float32(record.I32(b[24+4*k:]))
		}
		return l
	}}
	leafStrata = record.Layout[leaf]{Size: 56, Fields: "4*14", Version: 2, Decode: func(b []byte) leaf {
		l := wideLeaf(b, 0x1ffff)
		l.mins, l.maxs = record.V3(b[12:]), record.V3(b[24:])
		return l
	}}
)

// wideLeaf decodes a leaf without its box.
func wideLeaf(b []byte, areas uint32) leaf {
	return leaf{
		contents: binary.LittleEndian.Uint32(b), cluster: record.I32(b[4:]), area: int(binary.LittleEndian.Uint32(b[8:]) & areas),
		firstFace: record.U32(b[36:]), faces: record.U32(b[40:]), firstBrush: record.U32(b[44:]), brushes: record.U32(b[48:]),
		water: record.I32(b[52:]),
	}
}

// Indices of records in other lumps: faces and brushes in leafs, normals, corners in primitives.
var (
	indexV1   = record.Layout[int]{Size: 2, Fields: "2", Decode: record.U16}
	indexWide = record.Layout[int]{Size: 4, Fields: "4", Decode: record.U32, Version: 1}
)

// dispinfo is ddispinfo_t.
type dispinfo struct {
	start     [3]float32
	firstVert int
	firstTri  int // -1 if no triangle has tags
	power     int
	minTess   uint32 // bit 31 means that the other bits are flags
	contents  uint32
	face      int
}

// The neighbours of a displacement and its allowed vertices. The geometry stage finds neighbours by itself.
var (
	dispRest     = strings.Repeat(" 2 1*4", 8) + strings.Repeat(" 2*4 1*2", 4) + " 4*10"
	dispWideRest = strings.Repeat(" 4 1*4", 8) + strings.Repeat(" 4*4 1*4", 4) + " 4*10"
)

var dispinfoV1 = record.Layout[dispinfo]{Size: 176, Fields: "4*3 4*3 4 4*2 2*2 4*2" + dispRest, Decode: decodeDispinfo}

func decodeDispinfo(b []byte) dispinfo {
	return dispinfo{record.V3(b), record.I32(b[12:]), record.I32(b[16:]), record.I32(b[20:]), binary.LittleEndian.Uint32(b[24:]),
		binary.LittleEndian.Uint32(b[32:]), record.U16(b[36:])}
}

// The displacements of branches. Half-Life 2's beta of version 17 has no triangle tags; Dota 2's betas have unknown
// numbers (BSPSource; v23_dota2beta_test); Vindictus and Strata have 32-bit faces.
var (
	dispinfoBeta = record.Layout[dispinfo]{Size: 172, Fields: "4*3 4*2 4 4*2 2*2 4*2" + dispRest, Decode: func(b []byte) dispinfo {
		return dispinfo{record.V3(b), record.I32(b[12:]), -1, record.I32(b[16:]), binary.LittleEndian.Uint32(b[20:]),
			binary.LittleEndian.Uint32(b[28:]), record.U16(b[32:])}
	}}
	dispinfoDota22 = record.Layout[dispinfo]{Size: 180, Fields: "4*3 4*3 4 4*2 2*2 4*2 4" + dispRest, Decode: decodeDispinfo}
	dispinfoDota23 = record.Layout[dispinfo]{Size: 184, Fields: "4*3 4*3 4 4*2 4 2*2 4*2 4" + dispRest, Decode: func(b []byte) dispinfo {
		r := decodeDispinfo(b)
		r.face = record.U16(b[40:])
		return r
	}}
	dispinfoVindictus = record.Layout[dispinfo]{Size: 232, Fields: "4*3 4*3 4 4*2 4 4*2" + dispWideRest, Decode: func(b []byte) dispinfo {
		return dispinfo{start: record.V3(b), firstVert: record.I32(b[12:]), firstTri: record.I32(b[16:]), power: record.I32(b[20:]),
			contents: binary.LittleEndian.Uint32(b[32:]), face: record.U32(b[36:])}
	}}
	dispinfoStrata = record.Layout[dispinfo]{Size: 232, Fields: "4*3 4*3 4 4*2 4 4*2" + dispWideRest, Version: 1,
		Decode: func(b []byte) dispinfo {
			r := decodeDispinfo(b)
			r.face = record.U32(b[36:])
			return r
		}}
)

// primitive is dprimitive_t.
type primitive struct {
	kind                  uint8 // 0 list, 1 strip, 2 fan
	firstIndex, indices   int
	firstVertex, vertices int
}

var primitiveV1 = record.Layout[primitive]{Size: 10, Fields: "1*2 2*4", Decode: func(b []byte) primitive {
	return primitive{b[0], record.U16(b[2:]), record.U16(b[4:]), record.U16(b[6:]), record.U16(b[8:])}
}}

// primitiveInfra has 32-bit indices (srctools), primitiveStrata also 32-bit vertices.
var (
	primitiveInfra = record.Layout[primitive]{Size: 16, Fields: "1*4 4*2 2*2", Decode: func(b []byte) primitive {
		return primitive{b[0], record.U32(b[4:]), record.U32(b[8:]), record.U16(b[12:]), record.U16(b[14:])}
	}}
	primitiveStrata = record.Layout[primitive]{Size: 20, Fields: "1*4 4*4", Version: 1, Decode: func(b []byte) primitive {
		return primitive{b[0], record.U32(b[4:]), record.U32(b[8:]), record.U32(b[12:]), record.U32(b[16:])}
	}}
)

package source

import (
	"encoding/binary"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// face is dface_t.
type face struct {
	plane                int
	firstEdge, edges     int
	texinfo, disp        int      // disp is -1 where there is none
	styles               [8]uint8 // ended by noStyle
	night                uint8    // a bit for each of the styles that shines at night only
	lightOfs             int      // bytes into the light, or -1
	averaged             bool     // its mean light is in the record, and not before its luxels
	mins, size           [2]int32 // luxels; the chart has one more than size
	firstPrim, primCount int
	original             int
}

// noStyle ends the styles of a face.
const noStyle = 255

// fourStyles are the styles of a face with room for four.
func fourStyles(b []byte) [8]uint8 {
	return [8]uint8{b[0], b[1], b[2], b[3], noStyle, noStyle, noStyle, noStyle}
}

// pair reads two numbers.
func pair(b []byte) [2]int32 { return [2]int32{le.Int32(b), le.Int32(b[4:])} }

// faceV1 is dface_t of versions 19 to 21. Source SDK 2013, public/bspfile.h. Bit 15 of the number of primitives says
// that the face takes no dynamic shadows.
var faceV1 = row[face]{size: 56, fields: "2 1*2 4 2*4 1*4 4 4 4*2 4*2 4 2*2 4", lift: func(b []byte) face {
	return face{
		plane: u16(b), firstEdge: i32(b[4:]), edges: i16(b[8:]), texinfo: i16(b[10:]), disp: i16(b[12:]),
		styles: fourStyles(b[16:]), lightOfs: i32(b[20:]), mins: pair(b[28:]), size: pair(b[36:]),
		primCount: u16(b[48:]) & 0x7fff, firstPrim: u16(b[50:]), original: i32(b[44:]),
	}
}}

// Faces from before the release start with their mean light in each style (BSPSource, DFaceBSP17, DFaceBSP18 and
// DFaceVTMB). Vampire: The Masquerade – Bloodlines has eight styles, and which of them shine by day and by night.
var (
	faceBeta17 = row[face]{size: 68, fields: "1*16 2 1*2 4 2*4 1*4 4 4 4*2 4*2 4 4", lift: func(b []byte) face {
		return averagedFace(b[16:], b[36:], fourStyles(b[32:]))
	}}
	faceBeta18 = row[face]{size: 72, fields: "1*16 2 1*2 4 2*4 1*4 4 4 4*2 4*2 4 2*2 4", lift: func(b []byte) face {
		f := averagedFace(b[16:], b[36:], fourStyles(b[32:]))
		f.firstPrim, f.primCount = u16(b[64:]), u16(b[66:])&0x7fff
		return f
	}}
	faceVampire = row[face]{size: 104, fields: "1*32 2 1*2 4 2*4 1*8 1*8 1*8 4 4 4*2 4*2 4 4", lift: func(b []byte) face {
		f := averagedFace(b[32:], b[72:], [8]uint8(b[48:56]))
		f.night = listed(b[64:72]) &^ listed(b[56:64])
		return f
	}}
)

// averagedFace lifts a face from its plane on, and from the place of its light.
func averagedFace(b, rest []byte, styles [8]uint8) face {
	return face{
		plane: u16(b), firstEdge: i32(b[4:]), edges: i16(b[8:]), texinfo: i16(b[10:]), disp: i16(b[12:]),
		styles: styles, lightOfs: i32(rest), averaged: true, mins: pair(rest[8:]), size: pair(rest[16:]), original: i32(rest[24:]),
	}
}

// listed has a bit for each number below 8 in a list that noStyle ends.
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

// wideFace is a face with numbers of 32 bits, given where its styles are, where its light is, which the rest follows, and
// how the two numbers of its primitives are read.
func wideFace(size, styles, light int, fields string, primitives func(a, b []byte) (first, count int)) row[face] {
	return row[face]{size: size, fields: fields, lift: func(b []byte) face {
		f := face{
			plane: u32(b), firstEdge: i32(b[8:]), edges: i32(b[12:]), texinfo: i32(b[16:]), disp: i32(b[20:]),
			styles: fourStyles(b[styles:]), lightOfs: i32(b[light:]), mins: pair(b[light+8:]), size: pair(b[light+16:]),
			original: i32(b[light+24:]),
		}
		f.firstPrim, f.primCount = primitives(b[light+28:], b[light+32:])
		return f
	}}
}

// countFirst reads the number of primitives, of which the lowest bit says that the face takes dynamic shadows, and the
// first. firstCount reads them the other way round.
func countFirst(a, b []byte) (first, count int) { return u32(b), u32(a) >> 1 }
func firstCount(a, b []byte) (first, count int) { return u32(a), u32(b) }

const (
	fields72 = "4 1*2 2 4*5 1*4 4*10"
	fields76 = "4 1*2 2 4*5 1*8 4*10"
)

// faceStrata is that of Strata Source (its wiki; v25_strata_momentum_mp_lobby). The others are Vindictus's, of which
// BSPSource and bsp_tool tell different things: what fits is taken.
var (
	faceStrata = withVersion(wideFace(72, 28, 32, fields72, countFirst), 2)

	facesVindictus = []row[face]{wideFace(72, 28, 32, fields72, firstCount), wideFace(72, 28, 32, fields72, countFirst)}

	facesVindictusLong = []row[face]{
		wideFace(76, 28, 36, fields76, firstCount), wideFace(76, 32, 36, fields76, firstCount),
		wideFace(76, 28, 36, fields76, countFirst), wideFace(76, 32, 36, fields76, countFirst),
	}
)

// withVersion is a row with the version that the directory has for it.
func withVersion[T any](r row[T], version int32) row[T] {
	r.version = version
	return r
}

// texinfo is texinfo_t.
type texinfo struct {
	texture, luxel [2][4]float32 // axis and shift, of u or x and v or y
	flags          uint32
	texdata        int // -1 where there is none
}

var texinfoV1 = row[texinfo]{size: 72, fields: "4*18", lift: func(b []byte) texinfo { return liftTexinfo(b, b[64:]) }}

// texinfoMessiah is that of Dark Messiah's single player, with 24 bytes before the flags that nobody knows.
var texinfoMessiah = row[texinfo]{size: 96, fields: "4*16 1*24 4*2", lift: func(b []byte) texinfo { return liftTexinfo(b, b[88:]) }}

// liftTexinfo lifts a texinfo from its start and from its flags.
func liftTexinfo(b, flags []byte) (t texinfo) {
	for k := range 2 {
		for i := range 4 {
			t.texture[k][i] = le.Float32(b[16*k+4*i:])
			t.luxel[k][i] = le.Float32(b[32+16*k+4*i:])
		}
	}
	t.flags, t.texdata = binary.LittleEndian.Uint32(flags), i32(flags[4:])
	return t
}

// texdata is dtexdata_t.
type texdata struct {
	reflectivity  [3]float32
	name          int
	width, height int
}

var texdataV1 = row[texdata]{size: 32, fields: "4*3 4*5", lift: func(b []byte) texdata {
	return texdata{v3(b), i32(b[12:]), i32(b[16:]), i32(b[20:])}
}}

// model is dmodel_t.
type model struct {
	mins, maxs, origin [3]float32
	head               int
	firstFace, faces   int
}

var modelV1 = row[model]{size: 48, fields: "4*9 4*3", lift: func(b []byte) model {
	return model{v3(b), v3(b[12:]), v3(b[24:]), i32(b[36:]), i32(b[40:]), i32(b[44:])}
}}

// modelMessiah is that of Dark Messiah's single player, with a number behind the origin that nobody knows.
var modelMessiah = row[model]{size: 52, fields: "4*9 4*4", lift: func(b []byte) model {
	return model{v3(b), v3(b[12:]), v3(b[24:]), i32(b[40:]), i32(b[44:]), i32(b[48:])}
}}

// plane is dplane_t.
type plane struct {
	normal   [3]float32
	distance float32
}

var planeV1 = row[plane]{size: 20, fields: "4*4 4", lift: func(b []byte) plane { return plane{v3(b), le.Float32(b[12:])} }}

// node is dnode_t. A negative child c is the leaf -1-c.
type node struct {
	plane    int
	children [2]int
}

// nodeWide has its box in integers (Vindictus) or floats (Strata).
var (
	nodeV1   = row[node]{size: 32, fields: "4*3 2*6 2*4", lift: liftNode}
	nodeWide = row[node]{size: 48, fields: "4*3 4*6 4*3", lift: liftNode, version: 1}
)

func liftNode(b []byte) node { return node{i32(b), [2]int{i32(b[4:]), i32(b[8:])}} }

// leaf is dleaf_t.
type leaf struct {
	contents            uint32
	area                int
	mins, maxs          [3]float32
	firstFace, faces    int // in the lump of leaf faces
	firstBrush, brushes int
	ambient             []byte // an ambient cube, in version 0
}

// leafV1 is dleaf_t of lump version 1.
var leafV1 = row[leaf]{size: 32, fields: "4 2*2 2*6 2*4 2*2", lift: liftLeaf, version: 1}

// leafBeta is dleaf_t of before the release, which the directory gives no version either.
var leafBeta = withVersion(leafV1, 0)

// leafV0 is dleaf_t of lump version 0, with an ambient cube.
var leafV0 = row[leaf]{size: 56, fields: "4 2*2 2*6 2*4 2 1*24 2", lift: func(b []byte) leaf {
	l := liftLeaf(b)
	l.ambient = b[30:54]
	return l
}}

func liftLeaf(b []byte) leaf {
	l := leaf{
		contents: binary.LittleEndian.Uint32(b), area: u16(b[6:]) & 0x1ff,
		firstFace: u16(b[20:]), faces: u16(b[22:]), firstBrush: u16(b[24:]), brushes: u16(b[26:]),
	}
	for k := range 3 {
		l.mins[k], l.maxs[k] = float32(i16(b[8+2*k:])), float32(i16(b[14+2*k:]))
	}
	return l
}

// leafVindictus has its box in integers, leafStrata in floats, and areas of 17 bits.
var (
	leafVindictus = row[leaf]{size: 56, fields: "4*14", lift: func(b []byte) leaf {
		l := wideLeaf(b, 0x1ff)
		for k := range 3 {
			l.mins[k], l.maxs[k] = float32(i32(b[12+4*k:])), float32(i32(b[24+4*k:]))
		}
		return l
	}}
	leafStrata = row[leaf]{size: 56, fields: "4*14", version: 2, lift: func(b []byte) leaf {
		l := wideLeaf(b, 0x1ffff)
		l.mins, l.maxs = v3(b[12:]), v3(b[24:])
		return l
	}}
)

// wideLeaf lifts a leaf without its box.
func wideLeaf(b []byte, areas uint32) leaf {
	return leaf{
		contents: binary.LittleEndian.Uint32(b), area: int(binary.LittleEndian.Uint32(b[8:]) & areas),
		firstFace: u32(b[36:]), faces: u32(b[40:]), firstBrush: u32(b[44:]), brushes: u32(b[48:]),
	}
}

// Numbers of records in other lumps: of faces and brushes in leafs, of normals, of corners in primitives.
var (
	indexV1   = row[int]{size: 2, fields: "2", lift: u16}
	indexWide = row[int]{size: 4, fields: "4", lift: u32, version: 1}
)

// edge is dedge_t: its two vertices.
type edge [2]int

var (
	edgeV1   = row[edge]{size: 4, fields: "2*2", lift: func(b []byte) edge { return edge{u16(b), u16(b[2:])} }}
	edgeWide = row[edge]{size: 8, fields: "4*2", lift: func(b []byte) edge { return edge{u32(b), u32(b[4:])} }, version: 1}
)

// dispinfo is ddispinfo_t.
type dispinfo struct {
	start     [3]float32
	firstVert int
	firstTri  int // -1 where no triangle has tags
	power     int
	minTess   uint32 // of which bit 31 says that the others are flags
	face      int
}

// The neighbours of a displacement, and which of its vertices may be drawn. Geometry finds neighbours by itself.
var (
	dispRest     = strings.Repeat(" 2 1*4", 8) + strings.Repeat(" 2*4 1*2", 4) + " 4*10"
	dispWideRest = strings.Repeat(" 4 1*4", 8) + strings.Repeat(" 4*4 1*4", 4) + " 4*10"
)

var dispinfoV1 = row[dispinfo]{size: 176, fields: "4*3 4*3 4 4*2 2*2 4*2" + dispRest, lift: liftDispinfo}

func liftDispinfo(b []byte) dispinfo {
	return dispinfo{v3(b), i32(b[12:]), i32(b[16:]), i32(b[20:]), binary.LittleEndian.Uint32(b[24:]), u16(b[36:])}
}

// The displacements of others. Half-Life 2's beta of version 17 has no tags of triangles; Dota 2's betas have numbers that
// nobody knows (BSPSource; v23_dota2beta_test); Vindictus and Strata have faces of 32 bits.
var (
	dispinfoBeta = row[dispinfo]{size: 172, fields: "4*3 4*2 4 4*2 2*2 4*2" + dispRest, lift: func(b []byte) dispinfo {
		return dispinfo{v3(b), i32(b[12:]), -1, i32(b[16:]), binary.LittleEndian.Uint32(b[20:]), u16(b[32:])}
	}}
	dispinfoDota22 = row[dispinfo]{size: 180, fields: "4*3 4*3 4 4*2 2*2 4*2 4" + dispRest, lift: liftDispinfo}
	dispinfoDota23 = row[dispinfo]{size: 184, fields: "4*3 4*3 4 4*2 4 2*2 4*2 4" + dispRest, lift: func(b []byte) dispinfo {
		r := liftDispinfo(b)
		r.face = u16(b[40:])
		return r
	}}
	dispinfoVindictus = row[dispinfo]{size: 232, fields: "4*3 4*3 4 4*2 4 4*2" + dispWideRest, lift: func(b []byte) dispinfo {
		return dispinfo{start: v3(b), firstVert: i32(b[12:]), firstTri: i32(b[16:]), power: i32(b[20:]), face: u32(b[36:])}
	}}
	dispinfoStrata = row[dispinfo]{size: 232, fields: "4*3 4*3 4 4*2 4 4*2" + dispWideRest, version: 1, lift: func(b []byte) dispinfo {
		r := liftDispinfo(b)
		r.face = u32(b[36:])
		return r
	}}
)

// primitive is dprimitive_t.
type primitive struct {
	kind                  uint8 // 0 list, 1 strip, 2 fan
	firstIndex, indices   int
	firstVertex, vertices int
}

var primitiveV1 = row[primitive]{size: 10, fields: "1*2 2*4", lift: func(b []byte) primitive {
	return primitive{b[0], u16(b[2:]), u16(b[4:]), u16(b[6:]), u16(b[8:])}
}}

// primitiveInfra has indices of 32 bits (srctools), primitiveStrata vertices too.
var (
	primitiveInfra = row[primitive]{size: 16, fields: "1*4 4*2 2*2", lift: func(b []byte) primitive {
		return primitive{b[0], u32(b[4:]), u32(b[8:]), u16(b[12:]), u16(b[14:])}
	}}
	primitiveStrata = row[primitive]{size: 20, fields: "1*4 4*4", version: 1, lift: func(b []byte) primitive {
		return primitive{b[0], u32(b[4:]), u32(b[8:]), u32(b[12:]), u32(b[16:])}
	}}
)

package source

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// face is dface_t.
type face struct {
	plane                int
	firstEdge, edges     int
	texinfo, disp        int // disp is -1 where there is none
	styles               [4]uint8
	lightOfs             int      // bytes into the light, or -1
	mins, size           [2]int32 // luxels; the chart has one more than size
	firstPrim, primCount int
	original             int
}

// noStyle ends the styles of a face.
const noStyle = 255

// row is a layout of a record: how long it is and how it is lifted.
type row[T any] struct {
	size int
	lift func([]byte) T
}

// records lifts a lump.
func (r row[T]) records(d *decoder, l le.Lump, cost int64) ([]T, error) {
	n, err := l.Count(r.size)
	if err != nil {
		return nil, err
	}
	if err := d.borrow(int64(n) * cost); err != nil {
		return nil, err
	}
	out := make([]T, n)
	for i := range out {
		out[i] = r.lift(l.Data[i*r.size:])
	}
	return out, nil
}

// u16 and i32 read whole numbers as ints.
func u16(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }
func i16(b []byte) int { return int(int16(binary.LittleEndian.Uint16(b))) }
func i32(b []byte) int { return int(le.Int32(b)) }

// v3 reads a vector.
func v3(b []byte) [3]float32 {
	return [3]float32{le.Float32(b), le.Float32(b[4:]), le.Float32(b[8:])}
}

// faceV1 is dface_t of versions 19 to 21. Source SDK 2013, public/bspfile.h. Bit 15 of the number of primitives says
// that the face takes no dynamic shadows.
var faceV1 = row[face]{56, func(b []byte) face {
	return face{
		plane: u16(b), firstEdge: i32(b[4:]), edges: i16(b[8:]), texinfo: i16(b[10:]), disp: i16(b[12:]),
		styles: [4]uint8(b[16:20]), lightOfs: i32(b[20:]),
		mins: [2]int32{le.Int32(b[28:]), le.Int32(b[32:])}, size: [2]int32{le.Int32(b[36:]), le.Int32(b[40:])},
		primCount: u16(b[48:]) & 0x7fff, firstPrim: u16(b[50:]), original: i32(b[44:]),
	}
}}

// texinfo is texinfo_t.
type texinfo struct {
	texture, luxel [2][4]float32 // axis and shift, of u or x and v or y
	flags          uint32
	texdata        int // -1 where there is none
}

var texinfoV1 = row[texinfo]{72, func(b []byte) (t texinfo) {
	for k := range 2 {
		for i := range 4 {
			t.texture[k][i] = le.Float32(b[16*k+4*i:])
			t.luxel[k][i] = le.Float32(b[32+16*k+4*i:])
		}
	}
	t.flags, t.texdata = binary.LittleEndian.Uint32(b[64:]), i32(b[68:])
	return t
}}

// texdata is dtexdata_t.
type texdata struct {
	reflectivity  [3]float32
	name          int // index into the table of strings
	width, height int
}

var texdataV1 = row[texdata]{32, func(b []byte) texdata {
	return texdata{v3(b), i32(b[12:]), i32(b[16:]), i32(b[20:])}
}}

// model is dmodel_t.
type model struct {
	mins, maxs, origin [3]float32
	head               int
	firstFace, faces   int
}

var modelV1 = row[model]{48, func(b []byte) model {
	return model{v3(b), v3(b[12:]), v3(b[24:]), i32(b[36:]), i32(b[40:]), i32(b[44:])}
}}

// plane is dplane_t.
type plane struct {
	normal   [3]float32
	distance float32
}

var planeV1 = row[plane]{20, func(b []byte) plane { return plane{v3(b), le.Float32(b[12:])} }}

// node is dnode_t. A negative child c is the leaf -1-c.
type node struct {
	plane    int
	children [2]int
}

var nodeV1 = row[node]{32, func(b []byte) node { return node{i32(b), [2]int{i32(b[4:]), i32(b[8:])}} }}

// leaf is dleaf_t.
type leaf struct {
	contents            uint32
	area                int
	mins, maxs          [3]int16
	firstFace, faces    int // in the lump of leaf faces
	firstBrush, brushes int
	ambient             []byte // an ambient cube, in version 0
}

// leafV1 is dleaf_t of lump version 1.
var leafV1 = row[leaf]{32, liftLeaf}

// leafV0 is dleaf_t of lump version 0, with an ambient cube.
var leafV0 = row[leaf]{56, func(b []byte) leaf {
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
		l.mins[k], l.maxs[k] = int16(u16(b[8+2*k:])), int16(u16(b[14+2*k:]))
	}
	return l
}

// dispinfo is ddispinfo_t.
type dispinfo struct {
	start     [3]float32
	firstVert int
	firstTri  int
	power     int
	minTess   uint32 // of which bit 31 says that the others are flags
	face      int
}

var dispinfoV1 = row[dispinfo]{176, func(b []byte) dispinfo {
	return dispinfo{v3(b), i32(b[12:]), i32(b[16:]), i32(b[20:]), binary.LittleEndian.Uint32(b[24:]), u16(b[36:])}
}}

// primitive is dprimitive_t.
type primitive struct {
	kind                  uint8 // 0 list, 1 strip, 2 fan
	firstIndex, indices   int
	firstVertex, vertices int
}

var primitiveV1 = row[primitive]{10, func(b []byte) primitive {
	return primitive{b[0], u16(b[2:]), u16(b[4:]), u16(b[6:]), u16(b[8:])}
}}

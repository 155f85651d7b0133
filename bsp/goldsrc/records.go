package goldsrc

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// row is a layout of a record: how long it is and how it is lifted.
type row[T any] struct {
	size int
	lift func([]byte) T
}

// records lifts a lump; cost is what a lifted record takes.
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

// u16, i16, i32 and u32 read whole numbers as ints.
func u16(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }
func i16(b []byte) int { return int(int16(binary.LittleEndian.Uint16(b))) }
func i32(b []byte) int { return int(le.Int32(b)) }
func u32(b []byte) int { return int(binary.LittleEndian.Uint32(b)) }

// v3 reads a vector.
func v3(b []byte) [3]float32 {
	return [3]float32{le.Float32(b), le.Float32(b[4:]), le.Float32(b[8:])}
}

// plane is dplane_t.
type plane struct{ normal [3]float32 }

var planeV29 = row[plane]{20, func(b []byte) plane { return plane{v3(b)} }}

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
var faceV29 = row[face]{20, func(b []byte) face {
	return face{u16(b), u16(b[2:]) != 0, i32(b[4:]), u16(b[8:]), u16(b[10:]), [4]uint8(b[12:16]), i32(b[16:])}
}}

// faceBSP2 is dface_t of BSP2 and 2PSB.
var faceBSP2 = row[face]{28, func(b []byte) face {
	return face{u32(b), u32(b[4:]) != 0, i32(b[8:]), u32(b[12:]), u32(b[16:]), [4]uint8(b[20:24]), i32(b[24:])}
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
var texinfoV29 = row[texinfo]{40, func(b []byte) texinfo {
	return texinfo{texture: readAxes(b), miptex: i32(b[32:]), flags: uint32(u32(b[36:])), faceinfo: i16(b[38:])}
}}

// texinfoV38 is texinfo_t of Quake II: flags, a value, the texture's name and the next of its animation.
var texinfoV38 = row[texinfo]{76, func(b []byte) texinfo {
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
	firstFace, faces int
}

// modelV29 has four head nodes and a number of leafs behind its origin.
var modelV29 = row[model]{64, func(b []byte) model { return model{v3(b), v3(b[12:]), i32(b[56:]), i32(b[60:])} }}

// modelV38 has one head node.
var modelV38 = row[model]{48, func(b []byte) model { return model{v3(b), v3(b[12:]), i32(b[40:]), i32(b[44:])} }}

// faceinfo is dfaceinfo_t of Xash3D: how many texels a luxel has. The name of a landscape stands before.
type faceinfo struct{ step int }

var faceinfoV4 = row[faceinfo]{22, func(b []byte) faceinfo { return faceinfo{u16(b[16:])} }}

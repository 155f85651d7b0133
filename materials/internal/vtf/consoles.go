package vtf

import (
	"encoding/binary"
	"math/bits"
)

// Files of the Xbox 360 are big-endian. Its tools swap the bytes of the 16-bit words of blocks, and of the 32-bit
// words of four formats. In its 16-bit format for skies the highest four bits of a channel are at the lower end. The
// other formats are as on a PC. (sourcepp, src/vtfpp/VTF.cpp and ImageConversion.cpp.)

// swapUnit returns the size in bytes of the words of a format that the Xbox 360 stores in reverse: 2, 4, or 0 for
// none.
func swapUnit(number int32) int {
	switch number {
	case 13, 14, 15, oneBit, 22: // DXT, UV88
		return 2
	case 12, 16, 23, 26: // BGRA8888, BGRX8888, UVWQ8888, UVLX8888
		return 4
	}
	return 0
}

// swapped reports whether the file stores its pixels in another byte order than a PC.
func (f *File) swapped() bool {
	return f.stored.variant.swapped && (swapUnit(f.stored.format.number) > 0 || f.stored.format.number == integers)
}

// swap copies stored bytes into the byte order of a PC.
func (f *File) swap(dst, src []byte) {
	switch n := swapUnit(f.stored.format.number); n {
	case 4:
		for i := 0; i+4 <= len(src); i += 4 {
			binary.BigEndian.PutUint32(dst[i:], binary.LittleEndian.Uint32(src[i:]))
		}
	case 2:
		for i := 0; i+2 <= len(src); i += 2 {
			dst[i], dst[i+1] = src[i+1], src[i]
		}
	default:
		for i := 0; i+2 <= len(src); i += 2 {
			binary.LittleEndian.PutUint16(dst[i:], bits.RotateLeft16(binary.LittleEndian.Uint16(src[i:]), -4))
		}
	}
}

// wholePixels and words32 return the size in bytes of the units that a console stores in Morton order. The first Xbox
// stores pixels so; the PlayStation 3 stores 32-bit words so, but only if a pixel has one, two or four of them. 0
// means no Morton order.
func wholePixels(size int) int { return size }

func words32(size int) int {
	if size == 4 || size == 8 || size == 16 {
		return 4
	}
	return 0
}

// unswizzle copies one slice out of Morton order: the index of a unit interleaves the bits of its x, y and z, lowest
// first, as many of each as its side needs. Units outside the stored range, which occur if a side is not a power of
// two, become zero.
func unswizzle(dst, src []byte, side [3]int, slice, unit int) {
	var places [3][]int64 // by axis and coordinate: the bits that the coordinate adds to the index
	for k := range places {
		places[k] = make([]int64, side[k])
	}
	at := 0
	for bit := range 16 {
		for k := range places {
			if 1<<bit >= side[k] {
				continue
			}
			for v := range places[k] {
				places[k][v] |= int64(v) >> bit & 1 << at
			}
			at++
		}
	}
	for y := range side[1] {
		for x := range side[0] {
			from := (places[0][x] | places[1][y] | places[2][slice]) * int64(unit)
			if from+int64(unit) <= int64(len(src)) {
				copy(dst[:unit], src[from:])
			}
			dst = dst[unit:]
		}
	}
}

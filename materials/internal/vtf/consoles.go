package vtf

import (
	"encoding/binary"
	"math/bits"
)

// The Xbox 360 is big-endian. Its tools swap the bytes of the 16-bit words that blocks consist of, and of the 32-bit
// words of four formats; in the sky's format of 16 bits a channel the highest four bits are at the lower end. The other
// formats are as on a PC. (sourcepp, src/vtfpp/VTF.cpp and ImageConversion.cpp.)

// words returns the size in bytes of the words of a format that are swapped.
func words(number int32) int {
	switch number {
	case 13, 14, 15, oneBit, 22: // DXT, UV88
		return 2
	case 12, 16, 23, 26: // BGRA8888, BGRX8888, UVWQ8888, UVLX8888
		return 4
	}
	return 0
}

// turns reports whether the numbers of a format are stored in another byte order than on a PC.
func (f *File) turns() bool {
	return f.stored.variant.turned && (words(f.stored.format.number) > 0 || f.stored.format.number == integers)
}

// turn copies stored bytes into the byte order of a PC.
func (f *File) turn(dst, src []byte) {
	switch n := words(f.stored.format.number); n {
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

// wholePixels returns the size in bytes of the units that the first Xbox stores in Morton order: pixels. words32 returns
// that of the PlayStation 3: 32-bit words, if pixels have one, two or four of them, or else 0.
func wholePixels(size int) int { return size }

func words32(size int) int {
	if size == 4 || size == 8 || size == 16 {
		return 4
	}
	return 0
}

// unswizzle copies one slice out of Morton order: the index of a unit interleaves the bits of its x, y and z from the
// lowest, as many of each as its side needs. Units beyond the end, which occur if a side is not a power of two, become
// zero.
func unswizzle(dst, src []byte, side [3]int, slice, unit int) {
	var places [3][]int64 // by axis and coordinate
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

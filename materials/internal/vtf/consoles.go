package vtf

import (
	"encoding/binary"
	"math/bits"
)

// The Xbox 360 is big-endian. Its tools turn round the words of 16 bits that blocks consist of, and those of 32 bits of
// four formats; of the sky's 16 bits a channel the highest four are at the lower end. The other formats are as on a PC.
// (sourcepp, src/vtfpp/VTF.cpp and ImageConversion.cpp.)

// words is how many bytes of a format are turned round.
func words(number int32) int {
	switch number {
	case 13, 14, 15, oneBit, 22: // DXT, UV88
		return 2
	case 12, 16, 23, 26: // BGRA8888, BGRX8888, UVWQ8888, UVLX8888
		return 4
	}
	return 0
}

// turns reports whether the numbers of a format are stored otherwise than on a PC.
func (f *File) turns() bool {
	return f.stored.variant.turned && (words(f.stored.format.number) > 0 || f.stored.format.number == integers)
}

// turn copies stored bytes in the order of a PC.
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

// wholePixels are what the first Xbox has in Morton's order, words32 what the PlayStation 3 has: the words of pixels of
// one, two or four.
func wholePixels(size int) int { return size }

func words32(size int) int {
	if size == 4 || size == 8 || size == 16 {
		return 4
	}
	return 0
}

// unswizzle copies one slice out of Morton's order: the place of a unit is the bits of its x, y and z in turn, from the
// lowest, each as long as its side has bits. What would be beyond the end, because no side is a power of two, is zero.
func unswizzle(dst, src []byte, side [3]int, slice, unit int) {
	var places [3][]int64 // of a coordinate, by it
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

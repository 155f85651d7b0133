package brushmap

import (
	"encoding/binary"
	"math"
)

// Order is a file's order of bytes.
type Order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// OrderOf returns the order of bytes of PCs, or that of the consoles that are big-endian.
func OrderOf(bigEndian bool) Order {
	if bigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Put appends records, or slices of them.
func Put(to []byte, order Order, records ...any) []byte {
	for _, r := range records {
		var err error
		if to, err = binary.Append(to, order, r); err != nil {
			panic(err) // a record without a fixed size
		}
	}
	return to
}

// Align appends zeros up to a multiple of four bytes.
func Align(file []byte) []byte {
	for len(file)%4 != 0 {
		file = append(file, 0)
	}
	return file
}

// Place appends content to a file, aligned, and writes its offset and its length at an entry of a directory.
func Place(file []byte, entry int, content []byte) []byte {
	file = Align(file)
	SetEntry(file, entry, len(file), len(content))
	return append(file, content...)
}

// Entry returns the offset and the length that an entry of a directory states, in bytes.
func Entry(file []byte, entry int) (offset, length int) {
	return int(Int32(file, entry)), int(Int32(file, entry+4))
}

// SetEntry changes an entry of a directory.
func SetEntry(file []byte, entry, offset, length int) {
	SetInt32(file, entry, int32(offset))
	SetInt32(file, entry+4, int32(length))
}

// Int32 returns the number at an offset of the file.
func Int32(file []byte, at int) int32 { return int32(binary.LittleEndian.Uint32(file[at:])) }

// SetInt32 changes the number at an offset of the file.
func SetInt32(file []byte, at int, n int32) { binary.LittleEndian.PutUint32(file[at:], uint32(n)) }

// SetInt16 changes the number at an offset of the file.
func SetInt16(file []byte, at int, n int16) { binary.LittleEndian.PutUint16(file[at:], uint16(n)) }

// SetFloat32 changes the number at an offset of the file.
func SetFloat32(file []byte, at int, f float32) {
	binary.LittleEndian.PutUint32(file[at:], math.Float32bits(f))
}

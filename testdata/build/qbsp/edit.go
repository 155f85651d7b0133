package qbsp

import (
	"bytes"
	"encoding/binary"
)

// Lump returns the offset and the length of a lump of a written file, in bytes.
func (v Variant) Lump(file []byte, lump int) (offset, length int) {
	at := v.entry(lump)
	return int(Int32(file, at)), int(Int32(file, at+4))
}

// SetLump changes where the directory says that a lump is.
func (v Variant) SetLump(file []byte, lump, offset, length int) {
	at := v.entry(lump)
	SetInt32(file, at, int32(offset))
	SetInt32(file, at+4, int32(length))
}

// entry returns where the offset and the length of a lump stand.
func (v Variant) entry(lump int) int {
	if v.Quake2 {
		lump = quake2Lumps[lump]
	}
	if v.Swapped && lump < 2 {
		lump = 1 - lump
	}
	return v.start() + 8*lump
}

// Record returns the offset in the file of a record of a lump, whose records are size bytes long.
func (v Variant) Record(file []byte, lump, size, record int) int {
	offset, _ := v.Lump(file, lump)
	return offset + size*record
}

// Replace returns a copy of the file in which the lump's content is another, at the end of the file.
func (v Variant) Replace(file []byte, lump int, content []byte) []byte {
	return place(bytes.Clone(file), v.entry(lump), content)
}

// Int32 returns the number at an offset of the file.
func Int32(file []byte, at int) int32 { return int32(binary.LittleEndian.Uint32(file[at:])) }

// SetInt32 changes the number at an offset of the file.
func SetInt32(file []byte, at int, n int32) { binary.LittleEndian.PutUint32(file[at:], uint32(n)) }

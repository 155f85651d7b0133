package qbsp

import (
	"bytes"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Lump returns the offset and the length of a lump of a written file, in bytes.
func (v Variant) Lump(file []byte, lump int) (offset, length int) {
	return brushmap.Entry(file, v.entry(lump))
}

// SetLump changes where the directory says that a lump is.
func (v Variant) SetLump(file []byte, lump, offset, length int) {
	brushmap.SetEntry(file, v.entry(lump), offset, length)
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
	return brushmap.Place(bytes.Clone(file), v.entry(lump), content)
}

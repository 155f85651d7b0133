package vbsp

import (
	"bytes"
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Lump returns the offset and the length of a lump of a written file, in bytes.
func Lump(file []byte, lump int) (offset, length int) {
	at := entry(file, lump)
	if string(file[:4]) == "PSBV" {
		return int(binary.BigEndian.Uint32(file[at:])), int(binary.BigEndian.Uint32(file[at+4:]))
	}
	return brushmap.Entry(file, at)
}

// SetLump changes where the directory says that a lump is.
func SetLump(file []byte, lump, offset, length int) {
	at := entry(file, lump)
	if string(file[:4]) == "PSBV" {
		binary.BigEndian.PutUint32(file[at:], uint32(offset))
		binary.BigEndian.PutUint32(file[at+4:], uint32(length))
		return
	}
	brushmap.SetEntry(file, at, offset, length)
}

// entry returns where the offset and the length of a lump stand. A map always has entities, so its first number is their
// version, 0, where entries start with the version.
func entry(file []byte, lump int) int {
	if brushmap.Int32(file, 8) == 0 {
		return 8 + 16*lump + 4
	}
	return 8 + 16*lump
}

// Record returns the offset in the file of a record of a lump, whose records are size bytes long.
func Record(file []byte, lump, size, record int) int {
	offset, _ := Lump(file, lump)
	return offset + size*record
}

// Replace returns a copy of the file in which the lump's content is another, at the end of the file.
func Replace(file []byte, lump int, content []byte) []byte {
	b := brushmap.Align(bytes.Clone(file))
	SetLump(b, lump, len(b), len(content))
	return append(b, content...)
}

// LumpPatch returns a file that replaces a lump of a map: NAME_l_0.lmp beside NAME.bsp. Source SDK 2013, lumpfileheader_t.
func LumpPatch(lump, version, revision int32, content []byte) []byte {
	b := Variant{}.put(nil, [5]int32{20, lump, version, int32(len(content)), revision})
	return append(b, content...)
}

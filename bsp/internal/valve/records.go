package valve

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// Texdata is dtexdata_t.
type Texdata struct {
	Reflectivity  [3]float32
	Name          int
	Width, Height int
}

// TexdataV1 is dtexdata_t of all versions of Source.
var TexdataV1 = record.Layout[Texdata]{Size: 32, Fields: "4*3 4*5", Decode: func(b []byte) Texdata {
	return Texdata{record.V3(b), record.I32(b[12:]), record.I32(b[16:]), record.I32(b[20:])}
}}

// Model is dmodel_t.
type Model struct {
	Mins, Maxs       [3]float32
	Head             int // node
	FirstFace, Faces int
}

// GameEntry is an entry of the game lump's directory, dgamelump_t.
type GameEntry struct {
	ID             string
	Flags, Version int
	Offset, Length int64
}

// GameEntryV1 stores the four letters of the id in reverse order.
var GameEntryV1 = record.Layout[GameEntry]{Size: 16, Fields: "4 2*2 4*2", Decode: func(b []byte) GameEntry {
	id := string([]byte{b[3], b[2], b[1], b[0]})
	return GameEntry{id, record.U16(b[4:]), record.U16(b[6:]), int64(le.Int32(b[8:])), int64(le.Int32(b[12:]))}
}}

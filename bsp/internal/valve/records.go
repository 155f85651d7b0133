package valve

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// Texdata is dtexdata_t.
type Texdata struct {
	Reflectivity  [3]float32
	Name          int
	Width, Height int
}

// TexdataV1 is dtexdata_t of all versions of Source.
var TexdataV1 = lift.Row[Texdata]{Size: 32, Fields: "4*3 4*5", Lift: func(b []byte) Texdata {
	return Texdata{lift.V3(b), lift.I32(b[12:]), lift.I32(b[16:]), lift.I32(b[20:])}
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
var GameEntryV1 = lift.Row[GameEntry]{Size: 16, Fields: "4 2*2 4*2", Lift: func(b []byte) GameEntry {
	id := string([]byte{b[3], b[2], b[1], b[0]})
	return GameEntry{id, lift.U16(b[4:]), lift.U16(b[6:]), int64(le.Int32(b[8:])), int64(le.Int32(b[12:]))}
}}

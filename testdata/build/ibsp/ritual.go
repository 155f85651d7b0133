package ibsp

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Ritual is one of the formats that Ritual has made of the family's.
type Ritual struct {
	Ident   string
	Version uint32
	Order   []int // of the directory: lumps, or -1 for those of light that changes
	Elite   bool  // Elite Force II's records
}

// The formats that can be written.
var (
	FAKK2 = Ritual{"FAKK", 12, []int{LumpShaders, LumpPlanes, LumpPages, LumpSurfaces, LumpVertices, LumpIndices, LumpLeafBrushes,
		LumpLeafSurfaces,
		LumpLeaves, LumpNodes, LumpBrushSides, LumpBrushes, LumpFogs, LumpModels, LumpEntities, LumpVisibility, LumpGrid, -1, -1, -1},
		false}
	Alice       = Ritual{"FAKK", 42, FAKK2.Order, false}
	EliteForce2 = Ritual{"EF2!", 20, []int{LumpShaders, LumpPlanes, LumpPages, -1, -1, LumpSurfaces, LumpVertices, LumpIndices,
		LumpLeafBrushes,
		LumpLeafSurfaces, LumpLeaves, LumpNodes, LumpBrushSides, LumpBrushes, LumpFogs, LumpModels, LumpEntities, LumpVisibility, LumpGrid,
		-1, -1, -1, -1,
		-1, -1, -1, -1, -1, -1, -1}, true}
)

// WriteRitual returns the file of the map in a format of Ritual's. Bytes that nobody reads are 0xcd.
func (m *Map) WriteRitual(r Ritual) []byte {
	tree := *m
	if len(m.Nodes) == 0 {
		tree.plant()
	}
	lumps := tree.lumps(Quake3)
	more := [4]byte{0xcd, 0xcd, 0xcd, 0xcd}
	// each writes all records of a lump anew.
	each := func(lump, size int, record func(b []byte) [][]byte) {
		var to []byte
		for b := lumps[lump]; len(b) >= size; b = b[size:] {
			for _, part := range record(b[:size]) {
				to = append(to, part...)
			}
		}
		lumps[lump] = to
	}
	each(LumpShaders, 72, func(b []byte) [][]byte { return [][]byte{b, more[:]} })
	each(LumpSurfaces, 104, func(b []byte) [][]byte {
		if !r.Elite {
			return [][]byte{b, more[:]}
		}
		return [][]byte{b, more[:], more[:], more[:], more[:], more[:], more[:], more[:]}
	})
	if r.Elite {
		each(LumpVertices, 44, func(b []byte) [][]byte { return [][]byte{b[:20], b[28:40], b[40:44], more[:], b[20:28]} })
		each(LumpBrushSides, 8, func(b []byte) [][]byte { return [][]byte{b[4:], b[:4]} })
		each(LumpBrushes, 12, func(b []byte) [][]byte { return [][]byte{b[4:8], b[:4], b[8:]} })
	}
	file := make([]byte, 12+8*len(r.Order))
	copy(file, r.Ident)
	binary.LittleEndian.PutUint32(file[4:], r.Version)
	copy(file[8:], more[:])
	for place, lump := range r.Order {
		if lump < 0 {
			continue
		}
		file = brushmap.Place(file, 12+8*place, lumps[lump])
	}
	return brushmap.Align(file)
}

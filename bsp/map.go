package bsp

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Map is what Decode makes of a file: the world that can be drawn, and what is known of the file besides.
type Map struct {
	*world.World
	Faces int    // in the file, whether they could be read or not
	Lumps []Lump // the file's directory, in its order
	Apps  []int  // games on Steam that the map may be of, by their numbers, the likeliest first; nil where none is known
}

// Lump is an entry of the file's directory.
type Lump struct {
	Index   int    `json:"index"`
	Name    string `json:"name"`
	Offset  int64  `json:"offset"`  // in bytes from the file's start
	Size    int64  `json:"size"`    // in bytes, as stored
	Records int    `json:"records"` // 0 where the lump is not of records
}

// told returns a decoder's results as Decode does.
func told(m *lift.Map, err error) (*Map, error) {
	if m == nil {
		return nil, err
	}
	out := &Map{World: m.World, Faces: m.Faces, Apps: m.Apps}
	for _, l := range m.Lumps {
		out.Lumps = append(out.Lumps, Lump(l))
	}
	return out, err
}

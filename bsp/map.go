package bsp

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Map is a decoded file: the world that can be drawn, and facts about the file.
type Map struct {
	*world.World
	Faces int    // faces in the file, whether readable or not
	Lumps []Lump // the file's directory, in its order
	Apps  []int  // Steam app numbers of the games that the map may belong to, the likeliest first; nil if unknown
	// Pictures are the textures in the file itself, in its order, also those that no surface has (Quake, GoldSrc). A file's
	// archive, World.Files.Pak, may have more.
	Pictures []Picture
}

// Picture is a texture in a map's file.
type Picture struct {
	Name    string
	Texture *world.Texture
}

// Lump is an entry of the file's directory.
type Lump struct {
	Index   int    `json:"index"`
	Name    string `json:"name"`
	Offset  int64  `json:"offset"`  // in bytes from the file's start
	Size    int64  `json:"size"`    // in bytes, as stored
	Records int    `json:"records"` // 0 if the lump does not consist of records
}

// asMap converts a decoder's results to those of Decode.
func asMap(m *decoding.Map, err error) (*Map, error) {
	if m == nil {
		return nil, err
	}
	out := &Map{World: m.World, Faces: m.Faces, Apps: m.Apps}
	for _, l := range m.Lumps {
		out.Lumps = append(out.Lumps, Lump(l))
	}
	for _, p := range m.Pictures {
		out.Pictures = append(out.Pictures, Picture(p))
	}
	return out, err
}

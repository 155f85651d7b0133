package bsp

import (
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Map is a decoded file: the world that can be drawn, and facts about the file.
type Map struct {
	*world.World
	Faces int    // faces in the file, whether readable or not
	Lumps []Lump // the file's directory, in its order
	Apps  []int  // Steam app numbers of the games that the map may belong to, the likeliest first; nil if unknown
	// Pictures are the textures in the file itself, in its order, including unused ones (Quake, GoldSrc). The file's archive,
	// World.Files.Pak, may have more.
	Pictures []Picture

	readLump func(decoding.Lump) ([]byte, error)
}

// Lump returns the content of a lump, by its index in the file's directory, for data that this module does not decode. A packed lump is
// unpacked and an encrypted one decrypted; if a file beside the map replaces the lump, Lump returns that file's content. Numbers are
// as stored: big-endian in maps for consoles (PSBV). The file that was given to Decode must still be open, and the limits of Decode's
// context apply. Lump fails if the map has no lump with this index (limits.ErrUsage), and if the lump is outside the file or can't be
// unpacked (limits.ErrCorrupt).
func (m *Map) Lump(index int) ([]byte, error) {
	i := slices.IndexFunc(m.Lumps, func(l Lump) bool { return l.Index == index })
	switch {
	case m.readLump == nil || len(m.Lumps) == 0:
		return nil, fmt.Errorf("the map has no lumps: its directory was not read: %w", limit.ErrUsage)
	case i < 0:
		return nil, fmt.Errorf("the map has no lump %d: Lumps lists those that it has: %w", index, limit.ErrUsage)
	}
	var data []byte
	err := par.Guard(func() (err error) { data, err = m.readLump(decoding.Lump(m.Lumps[i])); return err })()
	return data, err
}

// Picture is a texture in a map's file.
type Picture struct {
	Name    string
	Texture *world.Texture
}

// Lump is an entry of the file's directory.
type Lump struct {
	Index   int    `json:"index"`
	Name    string `json:"name"`    // "entities" in all formats, else the name in the format's description
	Offset  int64  `json:"offset"`  // in bytes from the file's start
	Size    int64  `json:"size"`    // in bytes, as stored
	Records int    `json:"records"` // 0 if the lump does not consist of records
}

// asMap converts a decoder's results to those of Decode.
func asMap(m *decoding.Map, err error) (*Map, error) {
	if m == nil {
		return nil, err
	}
	out := &Map{World: m.World, Faces: m.Faces, Apps: m.Apps, readLump: m.ReadLump}
	for _, l := range m.Lumps {
		out.Lumps = append(out.Lumps, Lump(l))
	}
	for _, p := range m.Pictures {
		out.Pictures = append(out.Pictures, Picture(p))
	}
	return out, err
}

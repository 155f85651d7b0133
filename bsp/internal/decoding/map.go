package decoding

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Map is the result of a decoder: the world, and facts about the file. Package bsp documents the fields.
type Map struct {
	*world.World
	Faces int
	Lumps []Lump
	Apps  []int
	// Pictures are the textures in the file, in its order.
	Pictures []Picture
	// ReadLump returns a copy of the content of one of Lumps, unpacked.
	ReadLump func(Lump) ([]byte, error)
}

// Stored returns the function that reads the lumps of a file that stores them as they are.
func Stored(f *le.File) func(Lump) ([]byte, error) {
	return func(l Lump) ([]byte, error) {
		return f.Copy(fmt.Sprintf("lump %d (%s)", l.Index, l.Name), l.Offset, l.Size)
	}
}

// Picture is a texture in the file.
type Picture struct {
	Name    string
	Texture *world.Texture
}

// Lump is an entry of the file's directory.
type Lump struct {
	Index   int
	Name    string
	Offset  int64
	Size    int64
	Records int
}

// Refused returns the part of a map that could be read before decoding failed: its format, lumps and entities, or nil if the
// directory could not be read.
func (m *Map) Refused() *Map {
	if m == nil {
		return nil
	}
	w := &world.World{Name: m.Name, Unit: m.Unit, Format: m.Format, Entities: m.Entities}
	return &Map{World: w, Faces: m.Faces, Lumps: m.Lumps, ReadLump: m.ReadLump}
}

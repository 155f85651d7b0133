package lift

import "github.com/bsp2gltf/bsp2gltf/world"

// Map is what a decoder returns: the world, and what is known of the file besides. Package bsp documents the fields.
type Map struct {
	*world.World
	Faces int
	Lumps []Lump
	Apps  []int
}

// Lump is an entry of the file's directory.
type Lump struct {
	Index   int
	Name    string
	Offset  int64
	Size    int64
	Records int
}

// Refused returns what can be told of a map that could not be decoded: its format, lumps and entities as far as they were read,
// or nil where not even the directory was.
func (m *Map) Refused() *Map {
	if m == nil {
		return nil
	}
	w := &world.World{Name: m.Name, Unit: m.Unit, Format: m.Format, Entities: m.Entities}
	return &Map{World: w, Faces: m.Faces, Lumps: m.Lumps}
}

package lift

import "github.com/bsp2gltf/bsp2gltf/world"

// Refused returns what can be told of a map that could not be decoded: its format, lumps and entities as far as they were read,
// or nil where not even the directory was.
func Refused(w *world.World) *world.World {
	if w == nil {
		return nil
	}
	return &world.World{Name: w.Name, Unit: w.Unit, Format: w.Format, Lumps: w.Lumps, Entities: w.Entities, Faces: w.Faces}
}

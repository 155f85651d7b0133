package materials

import "github.com/bsp2gltf/bsp2gltf/materials/internal/indexed"

// Palette returns the palette of a file, as Options have it: the last bytes of a .pcx, or the first of any other. It fails
// with limit.ErrCorrupt where they are too few.
func Palette(data []byte) (string, error) { return indexed.Palette(data) }

package materials

import "github.com/bsp2gltf/bsp2gltf/materials/internal/indexed"

// Palette returns the palette in a file, for Input.Palette: the last bytes of a .pcx, or the first bytes of any other
// file. It fails with limits.ErrCorrupt if there are too few.
func Palette(data []byte) (string, error) { return indexed.Palette(data) }

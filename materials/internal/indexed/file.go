package indexed

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// paletteBytes is the size of a palette: 256 colours of three bytes.
const paletteBytes = 768

// Palette returns the palette in a file, in the form that Options takes: the last bytes of a .pcx, or the first of any
// other file. It fails with limit.ErrCorrupt if the file is too short.
func Palette(data []byte) (string, error) {
	if n := len(data); n > paletteBytes && data[0] == 10 && data[n-paletteBytes-1] == 12 { // ZSoft's mark, and a palette's
		return string(data[n-paletteBytes:]), nil
	}
	if len(data) < paletteBytes {
		return "", fmt.Errorf("palette: %d bytes are less than %d: %w", len(data), paletteBytes, limit.ErrCorrupt)
	}
	return string(data[:paletteBytes]), nil
}

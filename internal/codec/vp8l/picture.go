package vp8l

// picture holds pixels of alpha, red, green and blue, from the highest byte.
type picture struct {
	px            []uint32
	width, height int
}

// subtract returns the differences of the channels of two pixels.
func subtract(a, b uint32) uint32 {
	high := 0x00ff00ff + (a & 0xff00ff00) - (b & 0xff00ff00) // the bits between channels absorb their borrows
	low := 0xff00ff00 + (a & 0x00ff00ff) - (b & 0x00ff00ff)
	return high&0xff00ff00 | low&0x00ff00ff
}

// The transforms, by number in the file.
const (
	predictorTransform = 0
	greenTransform     = 2
	paletteTransform   = 3
)

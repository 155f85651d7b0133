package vp8l

// picture is a picture in pixels of alpha, red, green and blue, from the highest byte.
type picture struct {
	px            []uint32
	width, height int
}

// subtract returns the differences of the channels of two pixels.
func subtract(a, b uint32) uint32 {
	high := 0x00ff00ff + (a & 0xff00ff00) - (b & 0xff00ff00) // what a channel borrows comes from the bits between
	low := 0xff00ff00 + (a & 0x00ff00ff) - (b & 0x00ff00ff)
	return high&0xff00ff00 | low&0x00ff00ff
}

// The transforms, by their numbers in the file.
const (
	predictorTransform = 0
	greenTransform     = 2
	paletteTransform   = 3
)

package vtf

import (
	"sync"

	"github.com/woozymasta/bcn"
)

// format describes how pixels are stored: as rows of 8-bit pixels, rows of linear light, or blocks.
type format struct {
	number int32
	name   string
	coding
	palette bool // pixels are indices into BGRA8888
}

// coding has exactly one of row, light and bcn.
type coding struct {
	block int                             // pixels per side of a block: 4, or 1 for pixels in rows
	size  int                             // bytes of a block or pixel
	row   func(pix, src []byte)           // pixels to R, G, B, A
	light func(row []float32, src []byte) // pixels to linear R, G, B, where 1 is white, and alpha
	bcn   bcn.Format                      // format of blocks
	after func(pix []byte)                // corrects decoded blocks, or nil
}

// Format numbers with rules of their own.
const (
	oneBit   = 20
	integers = 25
)

// formats holds the formats by number. Byte orders are as in real files, first byte first; bits count from the lowest
// of a little-endian word. srctools' samples hold the same picture in all formats, and show that the names of formats
// 4 and 11 are misleading. 42 to 53 are the Xbox 360's, 66 and 67 Titanfall's, 69 to 71 Strata Source's; none of
// these was tested on real files.
var formats = sync.OnceValue(func() []format {
	return []format{
		{number: 0, name: "RGBA8888", coding: rows(4, order{0, 1, 2, 3}.four)},
		{number: 1, name: "ABGR8888", coding: rows(4, order{3, 2, 1, 0}.four)},
		{number: 2, name: "RGB888", coding: rows(3, order{0, 1, 2, none}.three)},
		{number: 3, name: "BGR888", coding: rows(3, order{2, 1, 0, none}.three)},
		{number: 4, name: "RGB565", coding: rows(2, words16(channel16{0, 5}, channel16{5, 6}, channel16{11, 5}, channel16{}))},
		{number: 5, name: "I8", coding: rows(1, grey)},
		{number: 6, name: "IA88", coding: rows(2, words16(channel16{0, 8}, channel16{0, 8}, channel16{0, 8}, channel16{8, 8}))},
		{number: 7, name: "P8", coding: rows(1, nil), palette: true},
		{number: 8, name: "A8", coding: rows(1, alphaOnly)},
		{number: 9, name: "RGB888_BLUESCREEN", coding: rows(3, blueScreen(order{0, 1, 2, none}))},
		{number: 10, name: "BGR888_BLUESCREEN", coding: rows(3, blueScreen(order{2, 1, 0, none}))},
		{number: 11, name: "ARGB8888", coding: rows(4, order{3, 0, 1, 2}.four)},
		{number: 12, name: "BGRA8888", coding: rows(4, order{2, 1, 0, 3}.four)},
		{number: 13, name: "DXT1", coding: blocks(8, bcn.FormatBC1, opaque)},
		{number: 14, name: "DXT3", coding: blocks(16, bcn.FormatBC2, nil)},
		{number: 15, name: "DXT5", coding: blocks(16, bcn.FormatBC3, nil)},
		{number: 16, name: "BGRX8888", coding: rows(4, order{2, 1, 0, none}.four)},
		{number: 17, name: "BGR565", coding: rows(2, words16(channel16{11, 5}, channel16{5, 6}, channel16{0, 5}, channel16{}))},
		{number: 18, name: "BGRX5551", coding: rows(2, words16(channel16{10, 5}, channel16{5, 5}, channel16{0, 5}, channel16{}))},
		{number: 19, name: "BGRA4444", coding: rows(2, words16(channel16{8, 4}, channel16{4, 4}, channel16{0, 4}, channel16{12, 4}))},
		{number: oneBit, name: "DXT1_ONEBITALPHA", coding: blocks(8, bcn.FormatBC1, nil)},
		{number: 21, name: "BGRA5551", coding: rows(2, words16(channel16{10, 5}, channel16{5, 5}, channel16{0, 5}, channel16{15, 1}))},
		{number: 22, name: "UV88", coding: rows(2, words16(channel16{0, 8}, channel16{8, 8}, channel16{}, channel16{}))},
		{number: 23, name: "UVWQ8888", coding: rows(4, order{0, 1, 2, 3}.four)},
		{number: 24, name: "RGBA16161616F", coding: lights(8, halfs(4))},
		{number: integers, name: "RGBA16161616", coding: lights(8, integers16)},
		{number: 26, name: "UVLX8888", coding: rows(4, order{0, 1, 2, none}.four)},
		{number: 27, name: "R32F", coding: lights(4, floats(1))},
		{number: 28, name: "RGB323232F", coding: lights(12, floats(3))},
		{number: 29, name: "RGBA32323232F", coding: lights(16, floats(4))},
		{number: 30, name: "RG1616F", coding: lights(4, halfs(2))},
		{number: 31, name: "RG3232F", coding: lights(8, floats(2))},
		{number: 32, name: "RGBX8888", coding: rows(4, order{0, 1, 2, none}.four)},
		{number: 34, name: "ATI2N", coding: blocks(16, bcn.FormatBC5, normals)},
		{number: 35, name: "ATI1N", coding: blocks(8, bcn.FormatBC4, nil)},
		{number: 36, name: "RGBA1010102", coding: rows(4, tens(0, 20))},
		{number: 37, name: "BGRA1010102", coding: rows(4, tens(20, 0))},
		{number: 38, name: "R16F", coding: lights(2, halfs(1))},
		{number: 42, name: "LINEAR_BGRX8888", coding: rows(4, order{2, 1, 0, none}.four)},
		{number: 43, name: "LINEAR_RGBA8888", coding: rows(4, order{0, 1, 2, 3}.four)},
		{number: 44, name: "LINEAR_ABGR8888", coding: rows(4, order{3, 2, 1, 0}.four)},
		{number: 45, name: "LINEAR_ARGB8888", coding: rows(4, order{3, 0, 1, 2}.four)},
		{number: 46, name: "LINEAR_BGRA8888", coding: rows(4, order{2, 1, 0, 3}.four)},
		{number: 47, name: "LINEAR_RGB888", coding: rows(3, order{0, 1, 2, none}.three)},
		{number: 48, name: "LINEAR_BGR888", coding: rows(3, order{2, 1, 0, none}.three)},
		{number: 49, name: "LINEAR_BGRX5551", coding: rows(2, words16(channel16{10, 5}, channel16{5, 5}, channel16{0, 5}, channel16{}))},
		{number: 50, name: "LINEAR_I8", coding: rows(1, grey)},
		{number: 51, name: "LINEAR_RGBA16161616", coding: lights(8, integers16)},
		{number: 52, name: "LE_BGRX8888", coding: rows(4, order{2, 1, 0, none}.four)},
		{number: 53, name: "LE_BGRA8888", coding: rows(4, order{2, 1, 0, 3}.four)},
		{number: 66, name: "BC6H", coding: blocks(16, bcn.FormatBC6HU, nil)},
		{number: 67, name: "BC7", coding: blocks(16, bcn.FormatBC7, nil)},
		{number: 69, name: "R8", coding: rows(1, redOnly)},
		{number: 70, name: "BC7", coding: blocks(16, bcn.FormatBC7, nil)},
		{number: 71, name: "BC6H", coding: blocks(16, bcn.FormatBC6HS, nil)},
	}
})

func rows(size int, row func(pix, src []byte)) coding { return coding{block: 1, size: size, row: row} }

func lights(size int, light func(row []float32, src []byte)) coding {
	return coding{block: 1, size: size, light: light}
}

func blocks(size int, kind bcn.Format, after func(pix []byte)) coding {
	return coding{block: 4, size: size, bcn: kind, after: after}
}

// unreadFormat returns what is known of a format that is not read, to follow its number in a message, or "". -1 and since 7.5 33 mark a
// texture without a picture, like a font's.
func unreadFormat(number int32, minor int) string {
	switch {
	case number == -1, number == 33 && minor >= 5:
		return ", which means that there is no picture"
	case number == 7:
		return " (P8), whose palette only an Xbox stores"
	case 33 <= number && number < 36 && minor < 5, 39 <= number && number <= 41:
		return ", which holds depths"
	}
	return ""
}

// formatOf returns a format by its number, or nil. Before 7.5, 33 to 35 were depth formats, and the numbers of ATI's
// formats were three higher.
func formatOf(number int32, minor int) *format {
	switch {
	case minor < 5 && 33 <= number && number < 36:
		return nil
	case minor < 5 && 36 <= number && number < 39:
		number -= 3
	}
	all := formats()
	for i := range all {
		if all[i].number == number {
			return &all[i]
		}
	}
	return nil
}

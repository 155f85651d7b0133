package vtf

// format is how a picture's pixels are stored.
type format struct {
	number int32
	name   string
	block  int // pixels per side of a block: 4, or 1 for rows of pixels
	size   int // bytes of a block or pixel
	unpack unpack
}

// unpack turns a row of stored pixels, or a row of blocks, into RGBA. dst holds whole rows of width pixels: one, or
// four and fewer at the lower edge.
type unpack func(dst, src []byte, width int)

// The formats. Byte orders are those of real files, the first byte first; bits count from the lowest of a
// little-endian word. Where all formats hold the same picture (srctools's samples) the names mislead for 4 and 11.
var formats = []format{
	{0, "RGBA8888", 1, 4, order{0, 1, 2, 3}.four},
	{1, "ABGR8888", 1, 4, order{3, 2, 1, 0}.four},
	{2, "RGB888", 1, 3, order{0, 1, 2, none}.three},
	{3, "BGR888", 1, 3, order{2, 1, 0, none}.three},
	{4, "RGB565", 1, 2, words(channel16{0, 5}, channel16{5, 6}, channel16{11, 5}, channel16{})},
	{5, "I8", 1, 1, grey},
	{6, "IA88", 1, 2, words(channel16{0, 8}, channel16{0, 8}, channel16{0, 8}, channel16{8, 8})},
	{8, "A8", 1, 1, alphaOnly},
	{9, "RGB888_BLUESCREEN", 1, 3, blueScreen(order{0, 1, 2, none})},
	{10, "BGR888_BLUESCREEN", 1, 3, blueScreen(order{2, 1, 0, none})},
	{11, "ARGB8888", 1, 4, order{3, 0, 1, 2}.four},
	{12, "BGRA8888", 1, 4, order{2, 1, 0, 3}.four},
	{13, "DXT1", 4, 8, blocks(8, dxt1)},
	{14, "DXT3", 4, 16, blocks(16, dxt3)},
	{15, "DXT5", 4, 16, blocks(16, dxt5)},
	{16, "BGRX8888", 1, 4, order{2, 1, 0, none}.four},
	{17, "BGR565", 1, 2, words(channel16{11, 5}, channel16{5, 6}, channel16{0, 5}, channel16{})},
	{18, "BGRX5551", 1, 2, words(channel16{10, 5}, channel16{5, 5}, channel16{0, 5}, channel16{})},
	{19, "BGRA4444", 1, 2, words(channel16{8, 4}, channel16{4, 4}, channel16{0, 4}, channel16{12, 4})},
	{20, "DXT1_ONEBITALPHA", 4, 8, blocks(8, dxt1Alpha)},
	{21, "BGRA5551", 1, 2, words(channel16{10, 5}, channel16{5, 5}, channel16{0, 5}, channel16{15, 1})},
	{22, "UV88", 1, 2, words(channel16{0, 8}, channel16{8, 8}, channel16{}, channel16{})},
	{23, "UVWQ8888", 1, 4, order{0, 1, 2, 3}.four},
	{24, "RGBA16161616F", 1, 8, toSRGB(halfFloats)},
	{25, "RGBA16161616", 1, 8, toSRGB(integers16)},
	{26, "UVLX8888", 1, 4, order{0, 1, 2, none}.four},
	{32, "RGBX8888", 1, 4, order{0, 1, 2, none}.four},
	{34, "ATI2N", 4, 16, blocks(16, ati2n)},
	{35, "ATI1N", 4, 8, blocks(8, ati1n)},
}

// formatOf returns a format by its number, or nil. Before 7.5 three formats of depth came between, and moved these.
func formatOf(number int32, minor int) *format {
	if minor < 5 && number >= 33 {
		number -= 3
		if number < 33 {
			return nil
		}
	}
	for i := range formats {
		if formats[i].number == number {
			return &formats[i]
		}
	}
	return nil
}

// bytes is the size of a picture.
func (f *format) bytes(width, height int) int64 {
	across, down := (width+f.block-1)/f.block, (height+f.block-1)/f.block
	return int64(across) * int64(down) * int64(f.size)
}

package picture

import "image"

// ZSoft PCX, used for Quake II's skies and skins. After a header of 128 bytes come rows of bytesPerLine for each
// plane; a byte of 0xc0 or more is 0xc0 + the length of a run of the next byte. Runs may cross rows. With one plane
// of 8 bits the last 768 bytes of the file are the palette, after a 0x0c; with three planes each row is red, green,
// blue.

const (
	pcxHeaderLen  = 128
	pcxPaletteLen = 769
)

// pcxHeader is struct pcx_t. Quake II, qfiles.h.
type pcxHeader struct {
	width, height int
	planes        int // 1 or 3
	line          int // bytes per row of a plane
	packed        bool
}

func isPCX(data []byte) bool {
	return len(data) >= 4 && data[0] == 10 && data[1] <= 5 && data[1] != 1 && data[2] <= 1 &&
		(data[3] == 1 || data[3] == 2 || data[3] == 4 || data[3] == 8)
}

func readPCXHeader(data []byte) (pcxHeader, error) {
	if len(data) < pcxHeaderLen {
		return pcxHeader{}, corrupt("pcx", "%d bytes are no header", len(data))
	}
	x0, y0 := int(le.Uint16(data[4:])), int(le.Uint16(data[6:]))
	h := pcxHeader{
		width:  int(le.Uint16(data[8:])) - x0 + 1,
		height: int(le.Uint16(data[10:])) - y0 + 1,
		planes: int(data[65]),
		line:   int(le.Uint16(data[66:])),
		packed: data[2] == 1,
	}
	if h.width < 1 || h.height < 1 {
		return h, corrupt("pcx", "%d x %d pixels", h.width, h.height)
	}
	if data[3] != 8 || h.planes != 1 && h.planes != 3 {
		return h, unsupported("pcx", "%d planes of %d bits", h.planes, data[3])
	}
	if h.line < h.width {
		return h, corrupt("pcx", "rows of %d bytes for %d pixels", h.line, h.width)
	}
	return h, nil
}

// least returns the size in bytes of the smallest file with this header.
func (h *pcxHeader) least() int64 {
	n := int64(h.line) * int64(h.planes) * int64(h.height)
	if h.packed {
		n = (n + 62) / 63 * 2
	}
	if h.planes == 1 {
		n += pcxPaletteLen
	}
	return pcxHeaderLen + n
}

func sniffPCX(data []byte) (header, error) {
	h, err := readPCXHeader(data)
	return header{Info: Info{Format: PCX, Width: h.width, Height: h.height}, least: h.least(), cost: 4}, err
}

func decodePCX(data []byte) (*image.NRGBA, error) {
	h, err := readPCXHeader(data)
	if err != nil {
		return nil, err
	}
	src := data[pcxHeaderLen:]
	var table [256]uint32
	if h.planes == 1 {
		if len(src) < pcxPaletteLen || src[len(src)-pcxPaletteLen] != 12 {
			return nil, corrupt("pcx", "incomplete: there is no palette at its end: download it again")
		}
		for i := range table {
			c := src[len(src)-768+i*3:]
			table[i] = uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16 | 0xff000000
		}
		src = src[:len(src)-pcxPaletteLen]
	}
	im := image.NewNRGBA(image.Rect(0, 0, h.width, h.height))
	row := make([]byte, h.line*h.planes)
	run, value := 0, byte(0)
	for y := range h.height {
		for i := 0; i < len(row); {
			if run > 0 {
				n := min(run, len(row)-i)
				for k := range row[i : i+n] {
					row[i+k] = value
				}
				run, i = run-n, i+n
				continue
			}
			if len(src) == 0 {
				return nil, corrupt("pcx", "the data ends in row %d of %d", y, h.height)
			}
			v := src[0]
			src = src[1:]
			if !h.packed || v < 0xc0 {
				row[i] = v
				i++
				continue
			}
			if len(src) == 0 {
				return nil, corrupt("pcx", "the data ends in row %d of %d", y, h.height)
			}
			run, value, src = int(v&63), src[0], src[1:]
		}
		d := im.Pix[y*im.Stride : y*im.Stride+h.width*4]
		if h.planes == 1 {
			for x, v := range row[:h.width] {
				le.PutUint32(d[x*4:], table[v])
			}
			continue
		}
		r, g, b := row[:h.width], row[h.line:h.line+h.width], row[2*h.line:2*h.line+h.width]
		for x := range r {
			le.PutUint32(d[x*4:], uint32(r[x])|uint32(g[x])<<8|uint32(b[x])<<16|0xff000000)
		}
	}
	return im, nil
}

package picture

import (
	"encoding/binary"
	"image"
	"math/bits"
	"slices"
)

// Truevision TGA: a header of 18 bytes, an id of any content, a colour map, then the pixels, usually from the
// bottom row up. Pixels are raw or in packets: a byte n below 128 is followed by n+1 pixels; otherwise by one pixel
// that is repeated n-127 times. Packets may cross rows. Truevision TGA file format specification, version 2.0.

var le = binary.LittleEndian

const (
	tgaHeaderLen = 18
	tgaTopDown   = 0x20 // bits of the descriptor
	tgaMirrored  = 0x10
	tgaAlphaBits = 0x0f
)

// tgaHeader is a checked header: its fields are consistent, and the file is long enough for its colour map.
type tgaHeader struct {
	kind          int // 1 mapped, 2 colour, 3 grey
	packed        bool
	bits          int // per pixel: 8, 15, 16, 24 or 32
	width, height int
	descriptor    byte
	mapFirst      int
	mapLen        int
	mapBits       int // 15, 16, 24 or 32; 0 without a map
	mapAt, pixels int // offsets in the file
}

// readTGAHeader returns the header. It fails if data is no plausible TGA, but does not check whether the pixels are
// complete.
func readTGAHeader(data []byte) (tgaHeader, error) {
	var t tgaHeader
	if len(data) < tgaHeaderLen {
		return t, corrupt("tga", "%d bytes are no header", len(data))
	}
	hasMap, kind := data[1], int(data[2])
	t = tgaHeader{
		kind:       kind &^ 8,
		packed:     kind&8 != 0,
		bits:       int(data[16]),
		width:      int(le.Uint16(data[12:])),
		height:     int(le.Uint16(data[14:])),
		descriptor: data[17],
		mapAt:      tgaHeaderLen + int(data[0]),
	}
	t.pixels = t.mapAt
	switch {
	case hasMap > 1 || t.kind < 1 || t.kind > 3 || kind > 11:
		return t, corrupt("tga", "neither a TGA (type %d, map %d) nor any other known picture", kind, hasMap)
	case t.width == 0 || t.height == 0:
		return t, corrupt("tga", "%d x %d pixels", t.width, t.height)
	case t.descriptor&0xc0 != 0:
		return t, unsupported("tga", "interleaved rows")
	}
	// A file may have a colour map that it does not use.
	if hasMap == 1 {
		t.mapFirst, t.mapLen, t.mapBits = int(le.Uint16(data[3:])), int(le.Uint16(data[5:])), int(data[7])
		if t.mapLen > 0 && t.mapBits != 15 && t.mapBits != 16 && t.mapBits != 24 && t.mapBits != 32 {
			return t, corrupt("tga", "colour map of %d bits", t.mapBits)
		}
		t.pixels += t.mapLen * ((t.mapBits + 7) / 8)
	}
	ok := false
	switch t.kind {
	case 1:
		ok = hasMap == 1 && t.mapLen > 0 && (t.bits == 8 || t.bits == 16)
	case 2:
		ok = t.bits == 15 || t.bits == 16 || t.bits == 24 || t.bits == 32
	case 3:
		ok = t.bits == 8 || t.bits == 16
	}
	if !ok {
		return t, corrupt("tga", "type %d with %d bits, map %d of %d colours", kind, t.bits, hasMap, t.mapLen)
	}
	if t.pixels > len(data) {
		return t, corrupt("tga", "id and colour map end at %d of %d bytes", t.pixels, len(data))
	}
	return t, nil
}

// size returns the bytes per pixel in the file.
func (t *tgaHeader) size() int { return (t.bits + 7) / 8 }

// least returns the size in bytes of the smallest file with this header.
func (t *tgaHeader) least() int64 {
	n := int64(t.width) * int64(t.height)
	if t.packed {
		return int64(t.pixels) + (n+127)/128*int64(1+t.size())
	}
	return int64(t.pixels) + n*int64(t.size())
}

// exact reports whether data is a TGA beyond doubt: even under another format's extension.
func (t *tgaHeader) exact(data []byte) bool {
	if len(data) >= 26 && string(data[len(data)-18:]) == "TRUEVISION-XFILE.\x00" {
		return true
	}
	return !t.packed && t.least() == int64(len(data))
}

func (t *tgaHeader) header() header {
	alpha := false
	switch {
	case t.kind == 1:
		alpha = t.mapBits == 32 || t.mapBits == 16 && t.descriptor&tgaAlphaBits != 0
	case t.bits == 32, t.kind == 3 && t.bits == 16:
		alpha = true
	case t.bits == 16:
		alpha = t.descriptor&tgaAlphaBits != 0
	}
	return header{Info: Info{Format: TGA, Width: t.width, Height: t.height, Alpha: alpha}, least: t.least(), cost: 4}
}

// decodeTGA decodes a TGA. The types that Quake III reads (2, 3 and 10) are bottom-up and left to right whatever the
// header says, as in the engine (ioquake3, tr_image_tga.c: "top-down, ignoring"), although DarkPlaces honours the
// top-down bit. For types that no engine reads, the header's two order bits apply. The alpha of 32-bit pixels counts
// even if the header says that there is none, as in the engine.
func decodeTGA(data []byte) (*image.NRGBA, error) {
	t, err := readTGAHeader(data)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) < t.least() {
		return nil, corrupt("tga", "%d bytes, at least %d are needed", len(data), t.least())
	}
	topDown, mirrored := t.descriptor&tgaTopDown != 0, t.descriptor&tgaMirrored != 0
	if t.kind == 2 || t.kind == 3 && !t.packed {
		topDown, mirrored = false, false
	}
	p := t.pixelReader(data)
	im := image.NewNRGBA(image.Rect(0, 0, t.width, t.height))
	if t.packed {
		if err := p.unpack(im.Pix, data[t.pixels:]); err != nil {
			return nil, err
		}
		if !topDown {
			flip(im)
		}
	} else {
		n := t.width * p.size
		for y := range t.height {
			src := data[t.pixels+y*n : t.pixels+(y+1)*n]
			if !topDown {
				y = t.height - 1 - y
			}
			p.read(im.Pix[y*im.Stride:(y+1)*im.Stride], src)
		}
	}
	if p.beyond {
		return nil, corrupt("tga", "an index is outside the colour map of %d to %d", t.mapFirst, t.mapFirst+t.mapLen-1)
	}
	if mirrored {
		mirror(im)
	}
	return im, nil
}

// tgaPixels converts the file's pixels to RGBA.
type tgaPixels struct {
	size   int    // bytes of a pixel in the file
	kind   byte   // 'm' mapped, 'g' grey, 'a' grey and alpha, 's' 5 bits a channel, 'c' BGR, 'd' BGRA
	opaque uint32 // 0xff000000 if bit 15 of 5-bit pixels is not alpha
	table  []uint32
	first  int  // index of table[0]
	beyond bool // set when an index was outside the table
}

func (t *tgaHeader) pixelReader(data []byte) *tgaPixels {
	p := &tgaPixels{size: t.size()}
	if t.bits == 15 || t.mapBits == 15 || t.descriptor&tgaAlphaBits == 0 {
		p.opaque = 0xff000000
	}
	switch {
	case t.kind == 1:
		p.kind, p.first = 'm', t.mapFirst
		// The colours of the map are stored like pixels.
		c := tgaPixels{size: (t.mapBits + 7) / 8, kind: " scd"[(t.mapBits+7)/8-1], opaque: p.opaque}
		colours := make([]byte, t.mapLen*4)
		c.read(colours, data[t.mapAt:t.pixels])
		p.table = make([]uint32, t.mapLen)
		for i := range p.table {
			p.table[i] = le.Uint32(colours[i*4:])
		}
	case t.kind == 3:
		p.kind = "ga"[p.size-1]
	default:
		p.kind = " scd"[p.size-1]
	}
	return p
}

// read converts pixels from src to RGBA until dst, of 4 bytes per pixel, is full.
func (p *tgaPixels) read(dst, src []byte) {
	switch p.kind {
	case 'd':
		for len(dst) >= 16 && len(src) >= 16 {
			v, w := le.Uint64(src), le.Uint64(src[8:])
			le.PutUint64(dst, v&0xff00ff00ff00ff00|v>>16&0x000000ff000000ff|v&0x000000ff000000ff<<16)
			le.PutUint64(dst[8:], w&0xff00ff00ff00ff00|w>>16&0x000000ff000000ff|w&0x000000ff000000ff<<16)
			dst, src = dst[16:], src[16:]
		}
		for len(dst) >= 4 && len(src) >= 4 {
			dst[0], dst[1], dst[2], dst[3] = src[2], src[1], src[0], src[3]
			dst, src = dst[4:], src[4:]
		}
	case 'c':
		const opaque = 0xff000000
		for len(dst) >= 16 && len(src) >= 12 {
			// Read three bytes and one of the next pixel, and reverse them; the last pixel is read one byte early
			// instead.
			a, b := bits.ReverseBytes32(le.Uint32(src))>>8, bits.ReverseBytes32(le.Uint32(src[3:]))>>8
			c, d := bits.ReverseBytes32(le.Uint32(src[6:]))>>8, bits.ReverseBytes32(le.Uint32(src[8:]))
			le.PutUint64(dst, uint64(a|opaque)|uint64(b|opaque)<<32)
			le.PutUint64(dst[8:], uint64(c|opaque)|uint64(d|opaque)<<32)
			dst, src = dst[16:], src[12:]
		}
		for len(dst) >= 4 && len(src) >= 3 {
			dst[0], dst[1], dst[2], dst[3] = src[2], src[1], src[0], 255
			dst, src = dst[4:], src[3:]
		}
	case 's':
		for len(dst) >= 4 && len(src) >= 2 {
			v := uint32(le.Uint16(src))
			a := p.opaque | -(v>>15)<<24
			le.PutUint32(dst, uint32(five[v>>10&31])|uint32(five[v>>5&31])<<8|uint32(five[v&31])<<16|a)
			dst, src = dst[4:], src[2:]
		}
	case 'g':
		for i := 0; i < len(src) && len(dst) >= 4; i++ {
			le.PutUint32(dst, uint32(src[i])*0x010101|0xff000000)
			dst = dst[4:]
		}
	case 'a':
		for len(dst) >= 4 && len(src) >= 2 {
			le.PutUint32(dst, uint32(src[0])*0x010101|uint32(src[1])<<24)
			dst, src = dst[4:], src[2:]
		}
	case 'm':
		for len(dst) >= 4 && len(src) >= p.size {
			i := int(src[0])
			if p.size == 2 {
				i |= int(src[1]) << 8
			}
			if i -= p.first; i >= 0 && i < len(p.table) {
				le.PutUint32(dst, p.table[i])
			} else {
				p.beyond = true
			}
			dst, src = dst[4:], src[p.size:]
		}
	}
}

// five holds the 8-bit value of each 5-bit channel value, rounded.
var five = func() (t [32]uint8) {
	for i := range t {
		t[i] = uint8((i*255 + 15) / 31)
	}
	return t
}()

// unpack fills dst with the pixels of the packets in src. It fails if the packets end early; the last packet may be
// too long.
func (p *tgaPixels) unpack(dst, src []byte) error {
	all := len(dst)
	for len(dst) > 0 {
		if len(src) < 1+p.size {
			return corrupt("tga", "packets end after %d of %d pixels", (all-len(dst))/4, all/4)
		}
		n := min((int(src[0]&127)+1)*4, len(dst))
		if src[0] < 128 {
			if len(src) < 1+n/4*p.size {
				return corrupt("tga", "packets end after %d of %d pixels", (all-len(dst))/4, all/4)
			}
			p.read(dst[:n], src[1:1+n/4*p.size])
			src = src[1+n/4*p.size:]
		} else {
			p.read(dst[:4], src[1:1+p.size])
			fill(dst[:n])
			src = src[1+p.size:]
		}
		dst = dst[n:]
	}
	return nil
}

// fill repeats the first pixel of d throughout d.
func fill(d []byte) {
	v := le.Uint32(d)
	vv := uint64(v) | uint64(v)<<32
	for len(d) >= 8 {
		le.PutUint64(d, vv)
		d = d[8:]
	}
	if len(d) >= 4 {
		le.PutUint32(d, v)
	}
}

// flip turns im upside down.
func flip(im *image.NRGBA) {
	spare := make([]byte, im.Stride)
	for i, j := 0, (im.Rect.Dy()-1)*im.Stride; i < j; i, j = i+im.Stride, j-im.Stride {
		a, b := im.Pix[i:i+im.Stride], im.Pix[j:j+im.Stride]
		copy(spare, a)
		copy(a, b)
		copy(b, spare)
	}
}

// mirror swaps left and right in im.
func mirror(im *image.NRGBA) {
	row := make([]uint32, im.Rect.Dx())
	for y := range im.Rect.Dy() {
		d := im.Pix[y*im.Stride:]
		for x := range row {
			row[x] = le.Uint32(d[x*4:])
		}
		slices.Reverse(row)
		for x, v := range row {
			le.PutUint32(d[x*4:], v)
		}
	}
}

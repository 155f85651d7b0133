package picture

import (
	"fmt"
	"image"
	"math/bits"

	"github.com/woozymasta/bcn"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Microsoft's DDS: "DDS ", a header of 124 bytes that describes the pixels, for newer formats a second header of 20
// bytes, then the images, largest first. Only the first image of a cube map or volume is read. Microsoft, Programming
// Guide for DDS.

const (
	ddsHeaderLen = 4 + 124
	dx10Len      = 20 // size of the second header, for a name of "DX10"

	ddsFourCC    = 0x4     // pixel format flags: the format is a name of four letters
	ddsRGB       = 0x40    // a mask for each of three channels
	ddsLuminance = 0x20000 // one mask, for grey
	ddsAlphaOnly = 0x2
	ddsHasAlpha  = 0x1
)

// stored describes how a file stores its pixels: in compressed blocks of 4 x 4, or pixel by pixel with a bit mask for
// each channel.
type stored struct {
	width, height int
	at            int // offset of the largest image
	blocks        bcn.Format
	opaque        bool // ignore the transparency of BC1 blocks
	normal        bool // x and y of a normal; z is computed
	bytes         int  // per block or pixel
	masks         [4]uint32
	grey          bool // the first mask applies to red, green and blue
	stride        int  // row sizes are rounded up to a multiple of this many bytes
}

// fourCCs holds the block formats by their four-letter names. Newer formats have a DXGI number in the second header
// instead.
var fourCCs = map[string]stored{
	"DXT1": {blocks: bcn.FormatBC1, bytes: 8}, "DXT2": {blocks: bcn.FormatBC2, bytes: 16}, "DXT3": {blocks: bcn.FormatBC2, bytes: 16},
	"DXT4": {blocks: bcn.FormatBC3, bytes: 16}, "DXT5": {blocks: bcn.FormatBC3, bytes: 16},
	"ATI1": {blocks: bcn.FormatBC4, bytes: 8}, "BC4U": {blocks: bcn.FormatBC4, bytes: 8},
	"ATI2": {blocks: bcn.FormatBC5, bytes: 16, normal: true}, "BC5U": {blocks: bcn.FormatBC5, bytes: 16, normal: true},
}

// dxgiFormats holds the pixel formats by the number in the second header (DXGI_FORMAT).
var dxgiFormats = map[uint32]stored{
	28: {bytes: 4, masks: rgba8}, 29: {bytes: 4, masks: rgba8}, 87: {bytes: 4, masks: bgra8}, 91: {bytes: 4, masks: bgra8},
	88: {bytes: 4, masks: bgrx8}, 93: {bytes: 4, masks: bgrx8}, 61: {bytes: 1, masks: [4]uint32{0xff}, grey: true},
	71: fourCCs["DXT1"], 72: fourCCs["DXT1"], 74: fourCCs["DXT3"], 75: fourCCs["DXT3"], 77: fourCCs["DXT5"], 78: fourCCs["DXT5"],
	80: fourCCs["ATI1"], 83: fourCCs["ATI2"],
	98: {blocks: bcn.FormatBC7, bytes: 16}, 99: {blocks: bcn.FormatBC7, bytes: 16},
}

var (
	rgba8 = [4]uint32{0xff, 0xff00, 0xff0000, 0xff000000}
	bgra8 = [4]uint32{0xff0000, 0xff00, 0xff, 0xff000000}
	bgrx8 = [4]uint32{0xff0000, 0xff00, 0xff, 0}
)

// readDDS reads the headers and checks the size they state, but not the length of data.
func readDDS(data []byte) (stored, error) {
	if len(data) < ddsHeaderLen {
		return stored{}, corrupt(DDS, "%d bytes are no header", len(data))
	}
	flags, name := le.Uint32(data[80:]), string(data[84:88])
	var s stored
	var ok bool
	at := ddsHeaderLen
	switch {
	case flags&ddsFourCC != 0 && name == "DX10":
		if len(data) < ddsHeaderLen+dx10Len {
			return stored{}, corrupt(DDS, "%d bytes are no header", len(data))
		}
		at += dx10Len
		name = fmt.Sprintf("DXGI %d", le.Uint32(data[ddsHeaderLen:]))
		s, ok = dxgiFormats[le.Uint32(data[ddsHeaderLen:])]
	case flags&ddsFourCC != 0:
		s, ok = fourCCs[name]
	default:
		s = stored{bytes: int(le.Uint32(data[88:])) / 8, grey: flags&ddsLuminance != 0}
		name = fmt.Sprintf("flags %#x, %d bits", flags, le.Uint32(data[88:]))
		ok = flags&(ddsRGB|ddsLuminance|ddsAlphaOnly) != 0 && 1 <= s.bytes && s.bytes <= 4
		for k := range s.masks {
			if k < 3 || flags&(ddsHasAlpha|ddsAlphaOnly) != 0 {
				s.masks[k] = le.Uint32(data[92+4*k:])
			}
		}
		ok = ok && s.masks != [4]uint32{}
	}
	if !ok {
		return stored{}, unsupported(DDS, "pixels in the format %q", name)
	}
	s.width, s.height, s.at = int(le.Uint32(data[16:])), int(le.Uint32(data[12:])), at
	if s.width < 1 || s.height < 1 || s.width > 1<<20 || s.height > 1<<20 {
		return stored{}, corrupt(DDS, "%d x %d pixels", s.width, s.height)
	}
	return s, nil
}

func sniffDDS(data []byte) (header, error) {
	s, err := readDDS(data)
	return s.header(DDS), err
}

func decodeDDS(data []byte) (*image.NRGBA, error) {
	s, err := readDDS(data)
	if err != nil {
		return nil, err
	}
	return s.decode(DDS, data)
}

// header returns the sniffed header of the largest image.
func (s *stored) header(f Format) header {
	alpha := s.blocks != bcn.FormatBC4 && s.blocks != bcn.FormatBC5 && !s.opaque
	if s.masks != [4]uint32{} {
		alpha = s.masks[3] != 0
	}
	return header{Info: Info{Format: f, Width: s.width, Height: s.height, Alpha: alpha}, least: int64(s.at) + s.size(), cost: 4}
}

// size returns the bytes that the largest image takes in the file.
func (s *stored) size() int64 {
	if s.masks == [4]uint32{} {
		return int64((s.width+3)/4) * int64((s.height+3)/4) * int64(s.bytes)
	}
	return int64(s.row()) * int64(s.height)
}

// row returns the bytes of a row of pixels that are not in blocks, padding included.
func (s *stored) row() int {
	n := s.width * s.bytes
	if s.stride > 1 {
		n = (n + s.stride - 1) / s.stride * s.stride
	}
	return n
}

// decode returns the largest image.
func (s *stored) decode(f Format, data []byte) (*image.NRGBA, error) {
	src := data[s.at:]
	if int64(len(src)) < s.size() {
		return nil, corrupt(f, "incomplete: %d of %d bytes", len(src), s.size())
	}
	im := image.NewNRGBA(image.Rect(0, 0, s.width, s.height))
	if s.masks != [4]uint32{} {
		s.unpack(im, src)
		return im, nil
	}
	if _, err := bcn.DecodeImageInto(im, src[:s.size()], s.width, s.height, s.blocks, &bcn.DecodeOptions{Workers: 1}); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", f, limit.ErrInternal, err)
	}
	for p := im.Pix; len(p) >= 4; p = p[4:] {
		switch {
		case s.normal:
			p[2], p[3] = normalZ(p[0], p[1]), 255
		case s.blocks == bcn.FormatBC4:
			p[1], p[2], p[3] = p[0], p[0], 255
		case s.opaque:
			p[3] = 255
		}
	}
	return im, nil
}

// unpack converts pixels with masks to RGBA. A colour channel without a mask becomes 0, alpha without one 255.
func (s *stored) unpack(im *image.NRGBA, src []byte) {
	var shift [4]int
	var most [4]uint32
	for k, m := range s.masks {
		shift[k] = bits.TrailingZeros32(m)
		most[k] = m >> shift[k]
	}
	for y := range s.height {
		row, d := src[y*s.row():], im.Pix[y*im.Stride:]
		for x := range s.width {
			v := uint32(0)
			for k := range s.bytes {
				v |= uint32(row[x*s.bytes+k]) << (8 * k)
			}
			for k, m := range s.masks {
				switch {
				case m != 0:
					d[4*x+k] = uint8((uint64(v&m>>shift[k])*255 + uint64(most[k])/2) / uint64(most[k]))
				case k == 3:
					d[4*x+k] = 255
				}
			}
			if s.grey {
				d[4*x+1], d[4*x+2] = d[4*x], d[4*x]
			}
		}
	}
}

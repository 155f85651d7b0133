package picture

import (
	"encoding/binary"
	"image"
	"math"

	"github.com/woozymasta/bcn"
)

// Khronos KTX, version 1: an identifier, 13 numbers in the byte order of the machine that wrote them, key-value
// texts, then for each mipmap level its size and its images. Only the first image is read. Daemon reads such files
// (tr_image_ktx.cpp). Khronos, KTX File Format Specification.

const (
	ktxMagic     = "\xabKTX 11\xbb\r\n\x1a\n"
	ktx2Magic    = "\xabKTX 20\xbb\r\n\x1a\n"
	ktxHeaderLen = 64
)

// ktxBlocks holds the compressed formats by glInternalFormat. Those of sRGB store the same pixels.
var ktxBlocks = map[uint32]stored{
	0x83f0: {blocks: bcn.FormatBC1, bytes: 8, opaque: true}, 0x8c4c: {blocks: bcn.FormatBC1, bytes: 8, opaque: true},
	0x83f1: fourCCs["DXT1"], 0x8c4d: fourCCs["DXT1"], 0x83f2: fourCCs["DXT3"], 0x8c4e: fourCCs["DXT3"],
	0x83f3: fourCCs["DXT5"], 0x8c4f: fourCCs["DXT5"], 0x8dbb: fourCCs["ATI1"], 0x8dbd: fourCCs["ATI2"],
	0x8e8c: {blocks: bcn.FormatBC7, bytes: 16}, 0x8e8d: {blocks: bcn.FormatBC7, bytes: 16},
}

// ktxPixels holds the uncompressed formats of one byte per channel by glFormat.
var ktxPixels = map[uint32]stored{
	0x1908: {bytes: 4, masks: rgba8}, 0x80e1: {bytes: 4, masks: bgra8},
	0x1907: {bytes: 3, masks: [4]uint32{0xff, 0xff00, 0xff0000}}, 0x80e0: {bytes: 3, masks: [4]uint32{0xff0000, 0xff00, 0xff}},
	0x1909: {bytes: 1, masks: [4]uint32{0xff}, grey: true}, 0x1903: {bytes: 1, masks: [4]uint32{0xff}, grey: true},
	0x190a: {bytes: 2, masks: [4]uint32{0xff, 0, 0, 0xff00}, grey: true}, 0x1906: {bytes: 1, masks: [4]uint32{0, 0, 0, 0xff}},
}

func isKTX(data []byte) bool { return hasPrefix(data, ktxMagic) || hasPrefix(data, ktx2Magic) }

// readKTX reads the header and checks the size it states, but not the length of data.
func readKTX(data []byte) (stored, error) {
	switch {
	case hasPrefix(data, ktx2Magic):
		return stored{}, unsupported(KTX, "KTX version 2 is not read; convert it to .png")
	case len(data) < ktxHeaderLen+4:
		return stored{}, corrupt(KTX, "%d bytes are no header", len(data))
	}
	var order binary.ByteOrder = le
	if order.Uint32(data[12:]) == 0x01020304 {
		order = binary.BigEndian
	}
	word := func(i int) uint32 { return order.Uint32(data[12+4*i:]) }
	const unsignedByte = 0x1401
	kind, format, internal := word(1), word(3), word(4)
	s, ok := ktxBlocks[internal]
	if kind != 0 {
		s, ok = ktxPixels[format]
		ok, s.stride = ok && kind == unsignedByte, 4
	}
	if !ok {
		return stored{}, unsupported(KTX, "pixels of glType %#x, glFormat %#x, glInternalFormat %#x", kind, format, internal)
	}
	texts := word(12)
	if int64(texts) > int64(len(data)-ktxHeaderLen-4) {
		return stored{}, corrupt(KTX, "%d bytes of texts in %d", texts, len(data))
	}
	s.width, s.height, s.at = int(word(6)), int(word(7)), ktxHeaderLen+int(texts)+4
	if s.width < 1 || s.height < 1 || s.width > 1<<20 || s.height > 1<<20 {
		return stored{}, corrupt(KTX, "%d x %d pixels", s.width, s.height)
	}
	return s, nil
}

func sniffKTX(data []byte) (header, error) {
	s, err := readKTX(data)
	return s.header(KTX), err
}

func decodeKTX(data []byte) (*image.NRGBA, error) {
	s, err := readKTX(data)
	if err != nil {
		return nil, err
	}
	return s.decode(KTX, data)
}

// normalZ returns the z of a unit normal from its x and y. Each is stored as 0 to 255 for -1 to 1.
func normalZ(x, y byte) byte {
	u, v := float64(x)/127.5-1, float64(y)/127.5-1
	return uint8(float64(math.Sqrt(max(1-float64(u*u)-float64(v*v), 0))*127.5) + 128)
}

// Crunch compresses DXT blocks further, with Huffman codes. Unvanquished's packages have such pictures. They are
// recognised, but not read.
func isCRN(data []byte) bool { return hasPrefix(data, "Hx") && len(data) >= 74 }

func sniffCRN([]byte) (header, error) {
	return header{}, unsupported(CRN, "Crunch's pictures are not read: convert it to .png (crunch -file NAME.crn -fileformat png)")
}

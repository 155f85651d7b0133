package picture

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// ddsOf returns a DDS of 4 x 4 pixels: a format's flags and name, the bits of a pixel and the masks, then the pixels.
func ddsOf(flags uint32, name string, bits uint32, masks [4]uint32, pixels []byte) []byte {
	head := make([]byte, ddsHeaderLen)
	copy(head, "DDS ")
	for at, v := range map[int]uint32{4: 124, 12: 4, 16: 4, 76: 32, 80: flags, 88: bits, 92: masks[0], 96: masks[1], 100: masks[2],
		104: masks[3]} {
		binary.LittleEndian.PutUint32(head[at:], v)
	}
	copy(head[84:], name)
	return slices.Concat(head, pixels)
}

// dx10 returns the second header of a DDS, with a DXGI_FORMAT.
func dx10(format byte) []byte { return append([]byte{format}, make([]byte, dx10Len-1)...) }

// ktxOf returns a KTX of 4 x 4 pixels in an order of bytes.
func ktxOf(order binary.AppendByteOrder, kind, format, internal uint32, pixels []byte) []byte {
	data := []byte(ktxMagic)
	for _, v := range []uint32{0x04030201, kind, 1, format, internal, 0, 4, 4, 0, 0, 1, 1, 4, 0, uint32(len(pixels))} {
		data = order.AppendUint32(data, v)
	}
	return append(data, pixels...)
}

// redBlock is a block of DXT1 whose pixels are all its first colour, red; redHoles has holes: its colours are in the other order.
var (
	redBlock = []byte{0x00, 0xf8, 0, 0, 0, 0, 0, 0}
	redHoles = []byte{0, 0, 0x00, 0xf8, 0xff, 0xff, 0xff, 0xff}
)

// packedSample is a DDS or KTX, and its first pixel.
type packedSample struct {
	data []byte
	want [4]byte
}

// packedSamples returns a picture of each format, by name.
func packedSamples() map[string]packedSample {
	full := []byte{255, 255, 0, 0, 0, 0, 0, 0} // alpha, or the red of a block of one channel: 255
	fill := func(pixel ...byte) []byte { return slices.Repeat(pixel, 16) }
	return map[string]packedSample{
		"dxt1.dds":    {ddsOf(4, "DXT1", 0, [4]uint32{}, redBlock), [4]byte{255, 0, 0, 255}},
		"holes.dds":   {ddsOf(4, "DXT1", 0, [4]uint32{}, redHoles), [4]byte{0, 0, 0, 0}},
		"dxt5.dds":    {ddsOf(4, "DXT5", 0, [4]uint32{}, append(slices.Clone(full), redBlock...)), [4]byte{255, 0, 0, 255}},
		"dxt3.dds":    {ddsOf(4, "DXT3", 0, [4]uint32{}, append(slices.Repeat([]byte{0x88}, 8), redBlock...)), [4]byte{255, 0, 0, 136}},
		"bc4.dds":     {ddsOf(4, "ATI1", 0, [4]uint32{}, full), [4]byte{255, 255, 255, 255}},
		"bc5.dds":     {ddsOf(4, "ATI2", 0, [4]uint32{}, append(slices.Clone(full), full...)), [4]byte{255, 255, 128, 255}},
		"bgra.dds":    {ddsOf(0x41, "", 32, bgra8, fill(3, 2, 1, 4)), [4]byte{1, 2, 3, 4}},
		"bgrx.dds":    {ddsOf(0x40, "", 32, bgra8, fill(3, 2, 1, 4)), [4]byte{1, 2, 3, 255}},
		"bgr.dds":     {ddsOf(0x40, "", 24, bgrx8, fill(3, 2, 1)), [4]byte{1, 2, 3, 255}},
		"565.dds":     {ddsOf(0x40, "", 16, [4]uint32{0xf800, 0x7e0, 0x1f}, fill(0x00, 0xf8)), [4]byte{255, 0, 0, 255}},
		"grey.dds":    {ddsOf(0x20000, "", 8, [4]uint32{0xff}, fill(7)), [4]byte{7, 7, 7, 255}},
		"alpha.dds":   {ddsOf(2, "", 8, [4]uint32{0, 0, 0, 0xff}, fill(7)), [4]byte{0, 0, 0, 7}},
		"new.dds":     {ddsOf(4, "DX10", 0, [4]uint32{}, append(dx10(71), redBlock...)), [4]byte{255, 0, 0, 255}},
		"newrgba.dds": {ddsOf(4, "DX10", 0, [4]uint32{}, append(dx10(29), fill(1, 2, 3, 4)...)), [4]byte{1, 2, 3, 4}},
		"dxt1.ktx":    {ktxOf(binary.LittleEndian, 0, 0, 0x83f1, redBlock), [4]byte{255, 0, 0, 255}},
		"opaque.ktx":  {ktxOf(binary.LittleEndian, 0, 0, 0x83f0, redHoles), [4]byte{0, 0, 0, 255}},
		"rgba.ktx":    {ktxOf(binary.BigEndian, 0x1401, 0x1908, 0x8058, fill(1, 2, 3, 4)), [4]byte{1, 2, 3, 4}},
		"rgb.ktx":     {ktxOf(binary.LittleEndian, 0x1401, 0x1907, 0x8051, fill(1, 2, 3)), [4]byte{1, 2, 3, 255}},
	}
}

// Each format shows the same colour in its first pixel.
func TestBlocksAndMasks(t *testing.T) {
	for name, c := range packedSamples() {
		im, info, err := Decode(c.data, name, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := [4]byte(im.Pix); got != c.want || info.Width != 4 || info.Height != 4 || info.Alpha != (c.want[3] < 255) {
			t.Errorf("%s: %v, %+v, want %v", name, got, info, c.want)
		}
		for n := range len(c.data) {
			if _, _, err := Decode(c.data[:n], name, nil); !errors.Is(err, limit.ErrCorrupt) {
				t.Fatalf("%s: %d bytes: %v", name, n, err)
			}
		}
	}
}

// What is not read is named.
func TestPicturesThatAreNotRead(t *testing.T) {
	for name, data := range map[string][]byte{
		"a.crn": append([]byte("Hx"), make([]byte, 100)...), "a.ktx": append([]byte(ktx2Magic), make([]byte, 100)...),
		"half.dds": ddsOf(4, "q\x00\x00\x00", 0, [4]uint32{}, nil), "none.dds": ddsOf(0x40, "", 32, [4]uint32{}, nil),
		"float.ktx": ktxOf(binary.LittleEndian, 0x1406, 0x1908, 0x8814, nil),
	} {
		if _, _, err := Decode(data, name, nil); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _, err := Decode(append([]byte(ktx2Magic), make([]byte, 100)...), "a.ktx", nil)
	if want := "ktx: KTX version 2 is not read; convert it to .png"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	huge := ddsOf(4, "DXT1", 0, [4]uint32{}, redBlock)
	binary.LittleEndian.PutUint32(huge[16:], 1<<19)
	if _, _, err := Decode(huge, "huge.dds", nil); !errors.Is(err, limit.ErrCorrupt) {
		t.Error("a header's size is believed")
	}
}

package vtf

import (
	"bytes"
	"encoding/binary"
	"image"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	unpacker "github.com/bsp2gltf/bsp2gltf/internal/lzma"
)

func painted(w, h int, f func(x, y int) [4]uint8) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := f(x, y)
			copy(m.Pix[m.PixOffset(x, y):], c[:])
		}
	}
	return m
}

// 32 × 16 pixels have mips of 32 × 16, 16 × 8, 8 × 4, 4 × 2, 2 × 1 and 1 × 1, and a thumbnail of 16 × 8.
func TestFilesHaveTheRightSize(t *testing.T) {
	m := painted(32, 16, func(x, y int) [4]uint8 { return [4]uint8{uint8(8 * x), uint8(16 * y), 64, 255} })
	for _, c := range []struct {
		format Format
		pixels int
	}{
		{BGRA8888, 4 * (512 + 128 + 32 + 8 + 2 + 1)},
		{BGR888, 3 * 683},
		{I8, 683},
		{DXT1, 8 * (8*4 + 4*2 + 2 + 1 + 1 + 1)},
		{DXT5, 16 * 45},
	} {
		for minor, header := range map[int]int{2: 80, 5: 96} {
			b := (&Texture{Minor: minor, Format: c.format, Mips: true, Images: []*image.NRGBA{m}}).Write()
			if want := header + 8*4*2 + c.pixels; len(b) != want {
				t.Errorf("7.%d, format %d: %d bytes, want %d", minor, c.format, len(b), want)
			}
			if h := binary.LittleEndian.Uint32(b[12:]); int(h) != header || b[56] != 6 {
				t.Errorf("7.%d: header of %d bytes, %d mips", minor, h, b[56])
			}
		}
	}
}

// A block of red and blue halves: the ends are pure, and each pixel chooses one of them.
func TestBlocksKeepTwoColours(t *testing.T) {
	m := painted(4, 4, func(x, _ int) [4]uint8 {
		if x < 2 {
			return [4]uint8{255, 0, 0, 255}
		}
		return [4]uint8{255, 0, 0, 0}
	})
	b := Encode(m, DXT5)
	// Alpha 255 and 0, then rows of choices 0 0 1 1: 12 bits are 0b001001000000.
	if b[0] != 255 || b[1] != 0 || b[2] != 0x40 || b[3] != 0x02 {
		t.Errorf("alpha % x", b[:8])
	}
	if c := binary.LittleEndian.Uint16(b[8:]); c != 0xf800 {
		t.Errorf("colour %04x, want f800", c)
	}
	b = Encode(m, DXT1)
	// One bit of alpha: the colours are equal, and the clear pixels have choice 3, so each row is 0b11110000.
	if b[4] != 0xf0 || binary.LittleEndian.Uint16(b) > binary.LittleEndian.Uint16(b[2:]) {
		t.Errorf("block % x", b)
	}
}

func BenchmarkDXT1(b *testing.B) {
	m := painted(256, 256, func(x, y int) [4]uint8 { return [4]uint8{uint8(x), uint8(y), uint8(x ^ y), 255} })
	b.SetBytes(int64(len(m.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		Encode(m, DXT1)
	}
}

// 8 × 4 pixels: bytes a pixel, or of two blocks.
func TestFormatsHaveTheirSizes(t *testing.T) {
	m := painted(8, 4, func(x, y int) [4]uint8 { return [4]uint8{uint8(30 * x), uint8(60 * y), 7, 255} })
	for size, formats := range map[int][]Format{
		16:      {DXT1, DXT1OneBitAlpha, ATI1N},
		32:      {DXT3, DXT5, ATI2N, BC6H, BC7, I8, A8, P8, R8},
		2 * 32:  {RGB565, BGR565, BGRX5551, BGRA5551, BGRA4444, IA88, UV88, R16F},
		3 * 32:  {RGB888, BGR888, RGB888BlueScreen, BGR888BlueScreen},
		4 * 32:  {RGBA8888, ABGR8888, ARGB8888, BGRA8888, BGRX8888, RGBX8888, UVWQ8888, UVLX8888, RGBA1010102, BGRA1010102, RG1616F, R32F},
		8 * 32:  {RGBA16161616, RGBA16161616F, RG3232F},
		12 * 32: {RGB323232F},
		16 * 32: {RGBA32323232F},
	} {
		for _, f := range formats {
			if got := len(Encode(m, f)); got != size {
				t.Errorf("format %d: %d bytes, want %d", f, got, size)
			}
		}
	}
}

func TestLZMAIsRead(t *testing.T) {
	for _, data := range [][]byte{nil, {0}, {255, 254, 253}, bytes.Repeat([]byte{0xff, 0, 0x80}, 1000)} {
		got, err := unpacker.Decode(lzma(data), limit.NewBudget(limit.Limits{}))
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d come back, %v", len(data), len(got), err)
		}
	}
}

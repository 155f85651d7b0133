package vtf

import (
	"encoding/binary"
	"strings"
	"testing"

	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

func stored16(v ...uint16) (b []byte) {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

// One pixel in each format. The words of 16 bits are 0x1234: 00010 010001 10100, 0 00100 10001 10100 and 0001 0010 0011 0100.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		format build.Format
		in     []byte
		want   [4]uint8
	}{
		{0, []byte{1, 2, 3, 4}, [4]uint8{1, 2, 3, 4}},
		{1, []byte{1, 2, 3, 4}, [4]uint8{4, 3, 2, 1}},
		{2, []byte{1, 2, 3}, [4]uint8{1, 2, 3, 255}},
		{3, []byte{1, 2, 3}, [4]uint8{3, 2, 1, 255}},
		{4, []byte{0x34, 0x12}, [4]uint8{165, 69, 16, 255}}, // 20: 160+5, 17: 68+1, 2: 16+0
		{5, []byte{7}, [4]uint8{7, 7, 7, 255}},
		{6, []byte{7, 8}, [4]uint8{7, 7, 7, 8}},
		{8, []byte{7}, [4]uint8{0, 0, 0, 7}},
		{9, []byte{1, 2, 3}, [4]uint8{1, 2, 3, 255}},
		{9, []byte{0, 0, 255}, [4]uint8{}},
		{10, []byte{255, 0, 0}, [4]uint8{}},
		{11, []byte{1, 2, 3, 4}, [4]uint8{4, 1, 2, 3}},
		{12, []byte{1, 2, 3, 4}, [4]uint8{3, 2, 1, 4}},
		{16, []byte{1, 2, 3, 4}, [4]uint8{3, 2, 1, 255}},
		{17, []byte{0x34, 0x12}, [4]uint8{16, 69, 165, 255}},
		{18, []byte{0x34, 0x12}, [4]uint8{33, 140, 165, 255}}, // 4: 32+1, 17: 136+4
		{19, []byte{0x34, 0x12}, [4]uint8{34, 51, 68, 17}},
		{21, []byte{0x34, 0x92}, [4]uint8{33, 140, 165, 255}},
		{21, []byte{0x34, 0x12}, [4]uint8{33, 140, 165, 0}},
		{22, []byte{1, 2}, [4]uint8{1, 2, 0, 255}},
		{23, []byte{1, 2, 3, 4}, [4]uint8{1, 2, 3, 4}},
		{24, stored16(0x3c00, 0x3800, 0x7bff, 0x3800), [4]uint8{255, 188, 255, 128}}, // 1, a half, 65504
		{24, stored16(0x7c00, 0x7e00, 0xbc00, 0x0001), [4]uint8{255, 0, 0, 0}},       // infinity, no number, -1, 2^-24
		{25, stored16(4096, 2048, 65535, 32768), [4]uint8{255, 188, 255, 128}},       // 1 is 4096
		{26, []byte{1, 2, 3, 4}, [4]uint8{1, 2, 3, 255}},
		{27, stored16(0, 0x3f00), [4]uint8{188, 0, 0, 255}}, // 0x3f000000 is a half
		{28, stored16(0, 0x3f00, 0, 0x3f80, 0, 0xbf80), [4]uint8{188, 255, 0, 255}},
		{29, stored16(0, 0x7fc0, 0, 0x3f80, 0, 0x7f80, 0, 0x3f00), [4]uint8{0, 255, 255, 128}}, // no number, 1, infinity
		{30, stored16(0x3800, 0x3c00), [4]uint8{188, 255, 0, 255}},
		{31, stored16(0, 0x3f00, 0, 0x3f80), [4]uint8{188, 255, 0, 255}},
		{32, []byte{1, 2, 3, 4}, [4]uint8{1, 2, 3, 255}},
		// 512, 1023, 0 and 1: 512*255/1023 = 127.6; one of three is 85. 512 is bit 9, 1023<<10 0xffc00, 1<<30 0x40000000.
		{36, stored16(0xfe00, 0x400f), [4]uint8{128, 255, 0, 85}},
		{37, stored16(0xfe00, 0x400f), [4]uint8{0, 255, 128, 85}},
		{38, stored16(0x3800), [4]uint8{188, 0, 0, 255}},
		{42, []byte{1, 2, 3, 4}, [4]uint8{3, 2, 1, 255}},
		{45, []byte{1, 2, 3, 4}, [4]uint8{4, 1, 2, 3}},
		{48, []byte{1, 2, 3}, [4]uint8{3, 2, 1, 255}},
		{50, []byte{7}, [4]uint8{7, 7, 7, 255}},
		{51, stored16(4096, 2048, 65535, 32768), [4]uint8{255, 188, 255, 128}},
		{53, []byte{1, 2, 3, 4}, [4]uint8{3, 2, 1, 4}},
		{69, []byte{7}, [4]uint8{7, 0, 0, 255}},
	} {
		if im := decode(t, of(c.format, 1, 1, c.in), At{}); [4]uint8(im.Pix) != c.want {
			t.Errorf("%d: % x: %v, want %v", c.format, c.in, im.Pix, c.want)
		}
	}
}

// The colours are 31 0 0 and 0 0 31, of 16 bits: 0xf800 and 0x001f. The pixels of a row are 0, 1, 2 and 3.
func TestBlocks(t *testing.T) {
	colors := func(a, b uint16) []byte {
		return append(stored16(a, b), 0xe4, 0xe4, 0xe4, 0xe4)
	}
	red, blue := [4]uint8{255, 0, 0, 255}, [4]uint8{0, 0, 255, 255}
	// Three bits a pixel: 0 1 2 3, 4 5 6 7 and again.
	numbers := func(a, b byte) []byte { return []byte{a, b, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa} }
	up := [4]uint8{128, 128, 255, 255}
	for _, c := range []struct {
		name   string
		format build.Format
		flags  uint32
		in     []byte
		want   [4][4]uint8 // the first row
	}{
		{"four colours", 13, 0, colors(0xf800, 0x001f), [4][4]uint8{red, blue, {170, 0, 85, 255}, {85, 0, 170, 255}}},
		{"three colours and black", 13, 0, colors(0x001f, 0xf800), [4][4]uint8{blue, red, {127, 0, 127, 255}, {0, 0, 0, 255}}},
		{"three colours and a hole", 20, 0, colors(0x001f, 0xf800), [4][4]uint8{blue, red, {127, 0, 127, 255}, {}}},
		{"a hole by its flag", 13, OneBitAlpha, colors(0x001f, 0xf800), [4][4]uint8{blue, red, {127, 0, 127, 255}, {}}},
		{"a hole by another flag", 13, EightBit, colors(0x001f, 0xf800), [4][4]uint8{blue, red, {127, 0, 127, 255}, {}}},
		{"equal colours", 20, 0, colors(0xf800, 0xf800), [4][4]uint8{red, red, red, {}}},
		{"four bits of alpha", 14, 0, append([]byte{0x10, 0xf2, 0, 0, 0, 0, 0, 0}, colors(0x001f, 0xf800)...),
			[4][4]uint8{{0, 0, 255, 0}, {255, 0, 0, 17}, {85, 0, 170, 34}, {170, 0, 85, 255}}},
		{"eight alphas", 15, 0, append(numbers(210, 70), colors(0xf800, 0x001f)...),
			[4][4]uint8{{255, 0, 0, 210}, {0, 0, 255, 70}, {170, 0, 85, 190}, {85, 0, 170, 170}}},
		{"six alphas and the ends", 15, 0, append(numbers(70, 210), colors(0xf800, 0x001f)...),
			[4][4]uint8{{255, 0, 0, 70}, {0, 0, 255, 210}, {170, 0, 85, 98}, {85, 0, 170, 126}}},
		{"one channel", 35, 0, numbers(210, 70), [4][4]uint8{{210, 210, 210, 255}, {70, 70, 70, 255}, {190, 190, 190, 255},
			{170, 170, 170, 255}}},
		// u and v are 128, 0.004 each: the normal points up.
		{"a normal", 34, 0, append(numbers(128, 128)[:8:8], numbers(128, 128)...), [4][4]uint8{up, up, up, up}},
		// v is 128 and u 204: 0.6, so the third is 0.8, 0.8*127.5 + 128 = 230.
		{"a normal to the right", 34, 0, append(numbers(128, 128)[:8:8], numbers(204, 204)...),
			[4][4]uint8{{204, 128, 229, 255}, {204, 128, 229, 255}, {204, 128, 229, 255}, {204, 128, 229, 255}}},
		// Mode 6, 0b1000000: two colours of 7 bits a channel in turn, 0 and 127; their eighth bits 0 and 1; choices 0 to
		// 15, the first with three bits, then 1, 2, 3: 4, 9 and 13 of 64 of 255.
		{"BC7", 70, 0, []byte{0x40, 0xc0, 0x1f, 0xf0, 0x07, 0xfc, 0x01, 0x7f, 0x11 & 0xfe, 0x32, 0, 0, 0, 0, 0, 0},
			[4][4]uint8{{0, 0, 0, 0}, {16, 16, 16, 16}, {36, 36, 36, 36}, {52, 52, 52, 52}}},
	} {
		x := of(c.format, 4, 4, c.in)
		x.Flags = c.flags
		im := decode(t, x, At{})
		for i, want := range c.want {
			if got := [4]uint8(im.Pix[4*i:]); got != want {
				t.Errorf("%s: pixel %d: %v, want %v", c.name, i, got, want)
			}
		}
		if c.name == "eight alphas" { // 4 to 7 in the second row
			for i, want := range []uint8{150, 130, 110, 90} {
				if got := im.Pix[16+4*i+3]; got != want {
					t.Errorf("alpha %d: %d, want %d", 4+i, got, want)
				}
			}
		}
	}
}

func TestBlocksAtTheEdges(t *testing.T) {
	block := []byte{0, 0xf8, 0x1f, 0, 0xe4, 0xe4, 0xe4, 0xe4} // rows of red, blue and two between
	for _, s := range [][2]int{{1, 1}, {2, 3}, {5, 5}, {4, 6}, {7, 4}} {
		var stored []byte
		for range (s[0] + 3) / 4 * ((s[1] + 3) / 4) {
			stored = append(stored, block...)
		}
		im := decode(t, of(13, s[0], s[1], stored), At{})
		for y := range s[1] {
			for i := range s[0] {
				want := [4][4]uint8{{255, 0, 0, 255}, {0, 0, 255, 255}, {170, 0, 85, 255}, {85, 0, 170, 255}}[i%4]
				if got := [4]uint8(im.Pix[y*im.Stride+4*i:]); got != want {
					t.Errorf("%v: %d %d: %v, want %v", s, i, y, got, want)
				}
			}
		}
	}
}

func TestFormatsMovedIn75(t *testing.T) {
	for _, c := range []struct {
		number int32
		minor  int
		want   string
	}{
		{37, 4, "ATI2N"}, {38, 2, "ATI1N"}, {34, 5, "ATI2N"}, {13, 4, "DXT1"}, {34, 4, ""}, {37, 5, "BGRA1010102"}, {38, 5, "R16F"},
		{36, 4, ""}, {33, 5, ""}, {32, 4, "RGBX8888"}, {42, 4, "LINEAR_BGRX8888"}, {71, 6, "BC6H"}, {72, 6, ""},
	} {
		got := ""
		if f := formatOf(c.number, c.minor); f != nil {
			got = f.name
		}
		if got != c.want {
			t.Errorf("%d in 7.%d: %q, want %q", c.number, c.minor, got, c.want)
		}
	}
}

// written are the formats that the builder writes, and how far from the picture they may be: the half of a step of what
// they store, and more in blocks.
var written = map[build.Format]struct {
	channels string
	within   int
}{
	build.RGBA8888: {"rgba", 0}, build.ABGR8888: {"rgba", 0}, build.RGB888: {"rgb", 0}, build.BGR888: {"rgb", 0}, build.RGB565: {"rgb", 5},
	build.A8: {"a", 0}, build.IA88: {"a", 0}, build.RGB888BlueScreen: {"rgb", 0}, build.BGR888BlueScreen: {"rgb", 0},
	build.ARGB8888: {"rgba", 0}, build.BGRA8888: {"rgba", 0}, build.BGRX8888: {"rgb", 0}, build.BGR565: {"rgb", 5},
	build.BGRX5551: {"rgb", 5},
	build.BGRA4444: {"rgba", 9}, build.BGRA5551: {"rgb", 5}, build.UV88: {"rg", 0}, build.UVWQ8888: {"rgba", 0}, build.UVLX8888: {"rgb", 0},
	build.RGBA16161616F: {"rgba", 1}, build.RGBA16161616: {"rgba", 2}, build.R32F: {"r", 1}, build.RGB323232F: {"rgb", 1},
	build.RGBA32323232F: {"rgba", 1}, build.RG1616F: {"rg", 1}, build.RG3232F: {"rg", 1}, build.RGBX8888: {"rgb", 0},
	build.RGBA1010102: {"rgb", 0}, build.BGRA1010102: {"rgb", 0}, build.R16F: {"r", 1}, build.R8: {"r", 0},
	build.DXT1: {"rgb", 60}, build.DXT3: {"rgba", 50}, build.DXT5: {"rgba", 50}, build.ATI1N: {"r", 8}, build.ATI2N: {"rg", 8},
	build.BC7: {"rgba", 50}, build.BC6H: {"rgb", 70}, build.I8: {"", 0}, build.DXT1OneBitAlpha: {"", 0},
}

func TestReadsWhatIsWritten(t *testing.T) {
	for format, c := range written {
		x := of(format, 32, 16, nil)
		x.Slice = mips(32, 16, format)
		x.Mips = 6
		im, want := decode(t, x, At{Mip: 0}), picture(32, 16)
		for i, got := range im.Pix {
			if format == build.DXT1 && want.Pix[i|3] < 128 { // a hole
				continue
			}
			d := int(got) - int(want.Pix[i])
			for k := range len(c.channels) {
				if i%4 == strings.IndexByte("rgba", c.channels[k]) && max(d, -d) > c.within {
					t.Fatalf("%d: byte %d is %d, want %d", format, i, got, want.Pix[i])
				}
			}
		}
		for m := range 6 {
			decode(t, x, At{Mip: m})
		}
	}
}

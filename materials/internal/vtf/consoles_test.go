package vtf

import (
	"bytes"
	"errors"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

var consoles = map[build.Variant]struct{ console, version string }{
	build.Xbox360:      {"Xbox 360", "VTFX 0x360.8"},
	build.PS3OrangeBox: {"PlayStation 3", "VTFX 0x333.8"},
	build.PS3Portal2:   {"PlayStation 3", "VTF3 0x334.8"},
	build.Xbox:         {"Xbox", "XTF 5.0"},
}

// All pictures of every format and variant are those of a PC.
func TestConsolesHaveTheSamePictures(t *testing.T) {
	for variant, c := range consoles {
		for format := range written {
			if variant != build.PS3Portal2 && (format == build.ATI1N || format == build.ATI2N || format >= build.RGBA1010102 &&
				format <= build.R16F) {
				continue // their numbers are others there
			}
			for _, x := range []build.File{
				{Width: 16, Height: 8, Frames: 3},
				{Width: 8, Height: 8, Faces: 6, Flags: build.EnvMap, Frames: 2},
				{Width: 8, Height: 4, Depth: 4},
				{Width: 8, Height: 32, Flags: build.NoMip},
			} {
				x.Variant, x.Format, x.Slice = variant, format, mips(x.Width, x.Height, format)
				f := open(t, &x)
				if f.Console != c.console || f.Version != c.version || f.Mips != x.Mips || f.Faces != x.Faces || f.Frames != x.Frames {
					t.Errorf("%+v", f)
				}
				onPC := x
				onPC.Variant, onPC.Minor, onPC.Resources = build.PC, 5, nil
				pc := open(t, &onPC)
				comparePictures(t, f, pc)
			}
		}
	}
}

func comparePictures(t *testing.T, got, want *File) {
	t.Helper()
	b := limit.NewBudget(limit.Limits{})
	for m := range want.Mips {
		for frame := range want.Frames {
			for face := range want.Faces {
				for slice := range want.Slices(m) {
					at := At{frame, face, slice, m}
					x, err := got.Image(at, b)
					if err != nil {
						t.Fatalf("%s %s: %v: %v", got.Version, got.Format, at, err)
					}
					y, err := want.Image(at, b)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(x.Pix, y.Pix) {
						t.Fatalf("%s %s: %v differs", got.Version, got.Format, at)
					}
					b.Release(int64(len(x.Pix) + len(y.Pix)))
				}
			}
		}
	}
	if b.Reserved() != 0 {
		t.Errorf("%d bytes stay reserved", b.Reserved())
	}
}

func TestConsolesPackAllImages(t *testing.T) {
	for _, variant := range []build.Variant{build.Xbox360, build.PS3OrangeBox, build.PS3Portal2} {
		x := build.File{Variant: variant, Packing: build.LZMA, Width: 16, Height: 8, Frames: 2, Format: build.DXT5,
			Slice: mips(16, 8, build.DXT5)}
		f := open(t, &x)
		if f.Packed != LZMA {
			t.Errorf("%+v", f)
		}
		onPC := x
		onPC.Variant, onPC.Packing, onPC.Minor = build.PC, build.Plain, 5
		comparePictures(t, f, open(t, &onPC))

		data := x.Write()
		cut, err := Open(data[:len(data)-20])
		if err != nil {
			t.Fatal(err)
		}
		b := limit.NewBudget(limit.Limits{})
		if _, err := cut.Image(At{}, b); !errors.Is(err, limit.ErrCorrupt) || b.Reserved() != 0 {
			t.Error(err, b.Reserved())
		}
	}
}

// The palette's colours are BGRA; each frame has its own. The second has blue in place of red.
func TestXboxHasPalettes(t *testing.T) {
	palette := make([]byte, 2*1024)
	for i := range 256 {
		copy(palette[4*i:], []byte{1, 2, byte(i), 4})
		copy(palette[1024+4*i:], []byte{byte(i), 2, 1, 4})
	}
	x := build.File{Variant: build.Xbox, Width: 4, Height: 4, Frames: 2, Format: build.P8, Palette: palette, Slice: mips(4, 4, build.P8),
		Thumbnail: make([]byte, 12), ThumbnailSize: [2]int{2, 2}}
	index := variation(4, 4, 0, 0, 0, 0).Pix[20] // of the second pixel of the second row
	for frame, want := range [][4]uint8{{index, 2, 1, 4}, {1, 2, index, 4}} {
		if im := decode(t, &x, At{Frame: frame}); [4]uint8(im.Pix[20:]) != want {
			t.Errorf("frame %d: %v, want %v", frame, im.Pix[20:24], want)
		}
	}
	data := x.Write()
	data[12], data[13] = 0xff, 0xff // the palettes are beyond the end
	f, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Image(At{}, limit.NewBudget(limit.Limits{})); !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
}

// x has three bits, y two: a place is the bits y1x2... from the highest: x2 y1 x1 y0 x0.
func TestMortonsOrder(t *testing.T) {
	src := make([]byte, 32)
	for i := range src {
		src[i] = byte(i)
	}
	dst := make([]byte, 32)
	unswizzle(dst, src, [3]int{8, 4, 1}, 0, 1)
	want := []byte{0, 1, 4, 5, 16, 17, 20, 21, 2, 3, 6, 7, 18, 19, 22, 23, 8, 9, 12, 13, 24, 25, 28, 29, 10, 11, 14, 15, 26, 27, 30, 31}
	if !bytes.Equal(dst, want) {
		t.Errorf("%v, want %v", dst, want)
	}
	// Sides that are no powers of two: what is not stored is zero.
	dst = make([]byte, 9)
	unswizzle(dst, src[:9], [3]int{3, 3, 1}, 0, 1)
	if want := []byte{0, 1, 4, 2, 3, 6, 8, 0, 0}; !bytes.Equal(dst, want) { // 9 and 12 are beyond
		t.Errorf("%v, want %v", dst, want)
	}
}

// The words of 16 bits are 1234 and 4096, whose highest four bits are put at the lower end: 0x2341 and 0x0001.
func TestXbox360RotatesIntegers(t *testing.T) {
	x := build.File{Variant: build.Xbox360, Width: 1, Height: 1, Format: build.RGBA16161616, Slice: func(int, int, int, int) []byte {
		return stored16(0x1234, 4096, 0, 0)
	}}
	data := x.Write()
	if got := data[len(data)-8:]; !bytes.Equal(got, stored16(0x2341, 1, 0, 0)) {
		t.Errorf("% x", got)
	}
	light, err := open(t, &x).Light(At{}, Integers, limit.NewBudget(limit.Limits{}))
	if err != nil || light[1] < 1 || light[1] > 1.0001 {
		t.Error(light, err)
	}
}

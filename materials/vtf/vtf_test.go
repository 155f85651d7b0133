package vtf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// texture is a file to build. Its images are of whole mips, the smallest first, filled by fill.
type texture struct {
	minor, width, height, frames, mips int
	flags                              uint32
	format                             int32
	fill                               func(mip, frame, face int) []byte
	faces                              int
}

func (x texture) build() []byte {
	size := map[int]int{0: 64, 1: 64, 2: 80}[x.minor]
	if x.minor >= 3 {
		size = 80 + 2*8
	}
	data := bytes.Repeat([]byte{0}, size)
	le := binary.LittleEndian
	copy(data, "VTF\x00")
	le.PutUint32(data[4:], 7)
	le.PutUint32(data[8:], uint32(x.minor))
	le.PutUint32(data[12:], uint32(size))
	le.PutUint16(data[16:], uint16(x.width))
	le.PutUint16(data[18:], uint16(x.height))
	le.PutUint32(data[20:], x.flags)
	le.PutUint16(data[24:], uint16(x.frames))
	le.PutUint32(data[32:], math.Float32bits(0.25))
	le.PutUint32(data[52:], uint32(x.format))
	data[56] = byte(x.mips)
	le.PutUint32(data[57:], 13)
	data[61], data[62] = 4, 4
	thumb := make([]byte, 8)
	if x.minor >= 3 { // the images first, the thumbnail after them
		le.PutUint32(data[68:], 2)
		le.PutUint32(data[80:], 1)
		le.PutUint32(data[88:], 0x30)
		le.PutUint32(data[92:], uint32(size))
	} else {
		data = append(data, thumb...)
	}
	for m := x.mips - 1; m >= 0; m-- {
		for f := range max(x.frames, 1) {
			for face := range max(x.faces, 1) {
				data = append(data, x.fill(m, f, face)...)
			}
		}
	}
	if x.minor >= 3 {
		le.PutUint32(data[84:], uint32(len(data)))
		data = append(data, thumb...)
	}
	return data
}

// numbered fills an I8 texture: every pixel of an image is 100 mip + 10 frame + face.
func numbered(width, height int) func(mip, frame, face int) []byte {
	return func(mip, frame, face int) []byte {
		b := make([]byte, max(width>>mip, 1)*max(height>>mip, 1))
		for i := range b {
			b[i] = byte(100*mip + 10*frame + face)
		}
		return b
	}
}

func TestFindsEveryImage(t *testing.T) {
	for _, x := range []texture{
		{minor: 0, width: 8, height: 2, mips: 2},
		{minor: 1, width: 8, height: 4, mips: 1, frames: 3},
		{minor: 2, width: 4, height: 4, mips: 2, frames: 2},
		{minor: 4, width: 4, height: 4, mips: 2, frames: 2, faces: 7, flags: EnvMap},
		{minor: 4, width: 4, height: 4, mips: 2, faces: 6, flags: EnvMap},
		{minor: 5, width: 4, height: 8, mips: 2, frames: 2, faces: 6, flags: EnvMap},
		{minor: 6, width: 1, height: 3, mips: 2},
	} {
		x.format, x.fill = 5, numbered(x.width, x.height)
		f, err := Open(x.build())
		if err != nil {
			t.Fatalf("%+v: %v", x, err)
		}
		if f.Frames != max(x.frames, 1) || f.Faces != max(x.faces, 1) || f.Mips != x.mips || f.Width != x.width || f.Reflectivity[0] != 0.25 || f.Format != "I8" {
			t.Errorf("%+v", f)
		}
		for m := range f.Mips {
			for frame := range f.Frames {
				for face := range f.Faces {
					im, err := f.Image(frame, face, m)
					if err != nil {
						t.Fatal(err)
					}
					w, h := f.Size(m)
					if im.Rect.Dx() != w || im.Rect.Dy() != h || int(im.Pix[len(im.Pix)-4]) != 100*m+10*frame+face || im.Pix[3] != 255 {
						t.Errorf("7.%d mip %d frame %d face %d: %v %v", x.minor, m, frame, face, im.Rect, im.Pix[:4])
					}
				}
			}
		}
		for _, bad := range [][3]int{{-1, 0, 0}, {f.Frames, 0, 0}, {0, f.Faces, 0}, {0, 0, -1}, {0, 0, f.Mips}} {
			if _, err := f.Image(bad[0], bad[1], bad[2]); !errors.Is(err, limit.ErrCorrupt) {
				t.Errorf("%v: %v", bad, err)
			}
		}
	}
}

// One pixel in each format. The words of 16 bits are 0x1234: 00010 010001 10100, 0 00100 10001 10100 and 0001 0010 0011 0100.
func TestFormats(t *testing.T) {
	half := func(v ...uint16) (b []byte) {
		for _, v := range v {
			b = binary.LittleEndian.AppendUint16(b, v)
		}
		return b
	}
	for _, c := range []struct {
		format int32
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
		{24, half(0x3c00, 0x3800, 0x7bff, 0x3800), [4]uint8{255, 188, 255, 128}}, // 1, a half, 65504
		{24, half(0x7c00, 0x7e00, 0xbc00, 0x0001), [4]uint8{255, 0, 0, 0}},       // infinity, no number, -1, 2^-24
		{25, half(4096, 2048, 65535, 32768), [4]uint8{255, 188, 255, 128}},       // 1 is 4096
		{26, []byte{1, 2, 3, 4}, [4]uint8{1, 2, 3, 255}},
		{32, []byte{1, 2, 3, 4}, [4]uint8{1, 2, 3, 255}},
	} {
		x := texture{minor: 5, width: 1, height: 1, mips: 1, format: c.format, fill: func(int, int, int) []byte { return c.in }}
		f, err := Open(x.build())
		if err != nil {
			t.Fatal(c.format, err)
		}
		im, err := f.Image(0, 0, 0)
		if err != nil || [4]uint8(im.Pix) != c.want {
			t.Errorf("%s: % x: %v %v, want %v", f.Format, c.in, im.Pix, err, c.want)
		}
	}
}

// The colours are 31 0 0 and 0 0 31, of 16 bits: 0xf800 and 0x001f. The pixels of a row are 0, 1, 2 and 3.
func TestBlocks(t *testing.T) {
	colors := func(a, b uint16) []byte {
		return append(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, a), b), 0xe4, 0xe4, 0xe4, 0xe4)
	}
	red, blue := [4]uint8{255, 0, 0, 255}, [4]uint8{0, 0, 255, 255}
	// Three bits a pixel: 0 1 2 3, 4 5 6 7 and again.
	numbers := func(a, b byte) []byte { return []byte{a, b, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa} }
	for _, c := range []struct {
		name   string
		format int32
		flags  uint32
		in     []byte
		want   [4][4]uint8 // the first row
	}{
		{"four colours", 13, 0, colors(0xf800, 0x001f), [4][4]uint8{red, blue, {170, 0, 85, 255}, {85, 0, 170, 255}}},
		{"three colours and black", 13, 0, colors(0x001f, 0xf800), [4][4]uint8{blue, red, {127, 0, 127, 255}, {0, 0, 0, 255}}},
		{"three colours and a hole", 20, 0, colors(0x001f, 0xf800), [4][4]uint8{blue, red, {127, 0, 127, 255}, {}}},
		{"a hole by its flag", 13, OneBitAlpha, colors(0x001f, 0xf800), [4][4]uint8{blue, red, {127, 0, 127, 255}, {}}},
		{"equal colours", 20, 0, colors(0xf800, 0xf800), [4][4]uint8{red, red, red, {}}},
		{"four bits of alpha", 14, 0, append([]byte{0x10, 0xf2, 0, 0, 0, 0, 0, 0}, colors(0x001f, 0xf800)...),
			[4][4]uint8{{0, 0, 255, 0}, {255, 0, 0, 17}, {85, 0, 170, 34}, {170, 0, 85, 255}}},
		{"eight alphas", 15, 0, append(numbers(210, 70), colors(0xf800, 0x001f)...),
			[4][4]uint8{{255, 0, 0, 210}, {0, 0, 255, 70}, {170, 0, 85, 190}, {85, 0, 170, 170}}},
		{"six alphas and the ends", 15, 0, append(numbers(70, 210), colors(0xf800, 0x001f)...),
			[4][4]uint8{{255, 0, 0, 70}, {0, 0, 255, 210}, {170, 0, 85, 98}, {85, 0, 170, 126}}},
		{"one channel", 35, 0, numbers(210, 70), [4][4]uint8{{210, 210, 210, 255}, {70, 70, 70, 255}, {190, 190, 190, 255}, {170, 170, 170, 255}}},
		// u and v are 128, 0.004 each: the normal points up.
		{"a normal", 34, 0, append(numbers(128, 128)[:8:8], numbers(128, 128)...), [4][4]uint8{{128, 128, 255, 255}, {128, 128, 255, 255}, {128, 128, 255, 255}, {128, 128, 255, 255}}},
	} {
		x := texture{minor: 5, width: 4, height: 4, mips: 1, flags: c.flags, format: c.format, fill: func(int, int, int) []byte { return c.in }}
		f, err := Open(x.build())
		if err != nil {
			t.Fatal(c.name, err)
		}
		im, err := f.Image(0, 0, 0)
		if err != nil {
			t.Fatal(c.name, err)
		}
		for i, want := range c.want {
			if got := [4]uint8(im.Pix[4*i:]); got != want {
				t.Errorf("%s: pixel %d: %v, want %v", c.name, i, got, want)
			}
		}
		if c.format == 15 && c.name == "eight alphas" { // 4 to 7 in the second row
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
		x := texture{minor: 2, width: s[0], height: s[1], mips: 1, format: 13}
		x.fill = func(int, int, int) (b []byte) {
			for range (s[0] + 3) / 4 * ((s[1] + 3) / 4) {
				b = append(b, block...)
			}
			return b
		}
		f, err := Open(x.build())
		if err != nil {
			t.Fatal(err)
		}
		im, err := f.Image(0, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
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

func TestFit(t *testing.T) {
	x := texture{minor: 2, width: 16, height: 4, mips: 3, format: 5, fill: numbered(16, 4)} // 4, 16 and 64 bytes
	data := x.build()
	for _, c := range []struct{ cut, most, want int }{
		{0, 0, 0}, {0, 16, 0}, {0, 15, 1}, {0, 8, 1}, {0, 7, 2}, {0, 1, 2}, {1, 0, 1}, {64, 100, 1}, {65, 0, 2}, {1, 4, 2},
	} {
		f, err := Open(data[:len(data)-c.cut])
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Fit(0, 0, c.most); err != nil || got != c.want {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
	}
	f, err := Open(data[:len(data)-81])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(0, 0, 0); !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
}

func TestLinear(t *testing.T) {
	x := texture{minor: 5, width: 1, height: 1, mips: 1, format: 24, fill: func(int, int, int) []byte {
		return []byte{0, 0x44, 0, 0x38, 1, 0, 0, 0x3c} // 4, a half, 2^-24, 1
	}}
	f, err := Open(x.build())
	if err != nil {
		t.Fatal(err)
	}
	light, ok, err := f.Linear(0, 0, 0)
	if want := [4]float32{4, 0.5, 1.0 / (1 << 24), 1}; err != nil || !ok || [4]float32(light) != want {
		t.Errorf("%v %t %v, want %v", light, ok, err, want)
	}
	x.format = 25
	if f, err = Open(x.build()); err != nil {
		t.Fatal(err)
	}
	// 0x4400 is 17408: 17408 * 16 / 65535 = 4.25.
	if light, ok, err := f.Linear(0, 0, 0); err != nil || !ok || math.Abs(float64(light[0])-4.25) > 1e-3 {
		t.Error(light, ok, err)
	}
	x.format = 0
	if f, err = Open(x.build()); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := f.Linear(0, 0, 0); ok {
		t.Error("bytes are no light")
	}
}

func TestRefusesWhatItCannotRead(t *testing.T) {
	whole := texture{minor: 4, width: 4, height: 4, mips: 1, format: 5, fill: numbered(4, 4)}.build()
	set := func(at int, v uint32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], v); return b }
	}
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		want   error
	}{
		{"nothing", cut(0), limit.ErrCorrupt},
		{"no mark", set(0, 1), limit.ErrCorrupt},
		{"half a header", cut(62), limit.ErrCorrupt},
		{"no depth", cut(64), limit.ErrCorrupt},
		{"no resources", cut(79), limit.ErrCorrupt},
		{"half a directory", cut(90), limit.ErrCorrupt},
		{"no width", set(16, 4<<16), limit.ErrCorrupt},
		{"many resources", set(68, 1<<31), limit.ErrCorrupt},
		{"no image among them", set(88, 0x31), limit.ErrCorrupt},
		{"version 8", set(4, 8), errors.ErrUnsupported},
		{"version 7.7", set(8, 7), errors.ErrUnsupported},
		{"a palette", set(52, 7), errors.ErrUnsupported},
		{"no format", set(52, 0xffffffff), errors.ErrUnsupported},
		{"depth", set(52, 34), errors.ErrUnsupported}, // before 7.5
		{"compressed", func(b []byte) []byte {
			return set(84, uint32(len(b)-8))(set(80, 'A'|'X'<<8|'C'<<16)(set(len(b)-4, 9)(b)))
		}, errors.ErrUnsupported},
	} {
		if _, err := Open(c.change(append([]byte(nil), whole...))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	// As large as a header can say: no number overflows and nothing is allocated.
	b := set(16, 0xffffffff)(append([]byte(nil), whole...))
	b[24], b[25], b[56], b[63], b[64] = 255, 255, 255, 255, 255
	binary.LittleEndian.PutUint32(b[20:], EnvMap)
	f, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Image(65534, 5, 0); !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
}

func TestFormatsMovedIn75(t *testing.T) {
	for _, c := range []struct {
		number int32
		minor  int
		want   string
	}{{37, 4, "ATI2N"}, {38, 2, "ATI1N"}, {34, 5, "ATI2N"}, {13, 4, "DXT1"}, {34, 4, ""}, {37, 5, ""}, {32, 4, "RGBX8888"}} {
		got := ""
		if f := formatOf(c.number, c.minor); f != nil {
			got = f.name
		}
		if got != c.want {
			t.Errorf("%d in 7.%d: %q, want %q", c.number, c.minor, got, c.want)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, format := range formats {
		for _, minor := range []int{1, 2, 4, 5} {
			n := format.number
			x := texture{minor: minor, width: 5, height: 3, mips: 2, frames: 2, format: n, flags: uint32(minor) << 12}
			x.fill = func(m, _, _ int) []byte { return make([]byte, format.bytes(max(5>>m, 1), max(3>>m, 1))) }
			f.Add(x.build())
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := Open(data)
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		for m := range min(x.Mips, 20) {
			im, err := x.Image(x.Frames-1, x.Faces-1, m)
			if err != nil {
				continue
			}
			if len(im.Pix) > 64*max(len(data), 1) { // a block of 8 bytes is 64 bytes of pixels, one of 1 x 1 too
				t.Fatalf("%d bytes of pixels for %d", len(im.Pix), len(data))
			}
			if _, _, err := x.Linear(0, 0, m); err != nil && !errors.Is(err, limit.ErrCorrupt) {
				t.Fatal(err)
			}
		}
		if m, err := x.Fit(0, 0, 16); err == nil {
			if _, err := x.Image(0, 0, m); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// 1024 x 1024 pixels; the bytes are those of the decoded picture.
func BenchmarkImage(b *testing.B) {
	for _, format := range []int32{13, 15, 12, 3, 17, 24} {
		fm := formatOf(format, 5)
		x := texture{minor: 5, width: 1024, height: 1024, mips: 1, format: format}
		x.fill = func(int, int, int) []byte {
			p := make([]byte, fm.bytes(1024, 1024))
			for i := range p {
				p[i] = byte(i*i>>3 ^ i)
			}
			return p
		}
		f, err := Open(x.build())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(fm.name), func(b *testing.B) {
			b.SetBytes(4 << 20)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Image(0, 0, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package vtf

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

func TestFindsEveryImage(t *testing.T) {
	thumbnail := make([]byte, 8)
	for _, x := range []build.File{
		{Minor: 0, Width: 8, Height: 2, Mips: 2},
		{Minor: 1, Width: 8, Height: 4, Frames: 3, Thumbnail: thumbnail, ThumbnailSize: [2]int{4, 4}},
		{Minor: 2, Width: 4, Height: 4, Mips: 2, Frames: 2, Thumbnail: thumbnail, ThumbnailSize: [2]int{4, 2}},
		{Minor: 2, Width: 4, Height: 4, Mips: 3, Depth: 4},
		{Minor: 1, Width: 4, Height: 4, Faces: 7, Flags: build.EnvMap},
		{Minor: 0, Width: 4, Height: 4, Faces: 6, Flags: build.EnvMap},
		{Minor: 4, Width: 4, Height: 4, Mips: 2, Frames: 2, Faces: 7, Flags: build.EnvMap},
		{Minor: 4, Width: 4, Height: 4, Mips: 2, Faces: 6, Flags: build.EnvMap,
			Resources: []build.Resource{{Type: [3]byte{'K', 'V', 'D'}, Data: make([]byte, 500)}}},
		{Minor: 5, Width: 4, Height: 8, Mips: 2, Frames: 2, Faces: 6, Flags: build.EnvMap},
		{Minor: 6, Width: 1, Height: 3, Mips: 2},
		{Minor: 3, Width: 64, Height: 64, Mips: 3, Flags: build.NoMip},
		{Minor: 4, Width: 8, Height: 8, Mips: 2, Resources: []build.Resource{
			{Type: [3]byte{'C', 'R', 'C'}, Value: 7}, {Type: [3]byte{0x10}, Data: []byte("sheet"), First: true},
			{Type: [3]byte{'K', 'V', 'D'}, Data: []byte("a b")}}},
	} {
		x.Format, x.Slice = build.I8, numbered(x.Width, x.Height)
		f := open(t, &x)
		if f.Frames != x.Frames || f.Faces != x.Faces || f.Mips != x.Mips || f.Width != x.Width || f.Depth != x.Depth || f.Format != "I8" ||
			f.Packed != "" {
			t.Errorf("%+v", f)
		}
		checkNumbered(t, f)
		for _, bad := range []At{{Frame: -1}, {Frame: f.Frames}, {Face: f.Faces}, {Mip: -1}, {Mip: f.Mips}, {Slice: f.Depth}, {Slice: -1}} {
			if _, err := f.Image(bad, limit.NewBudget(limit.Limits{})); !errors.Is(err, limit.ErrCorrupt) {
				t.Errorf("%v: %v", bad, err)
			}
		}
	}
}

// checkNumbered reads all pictures of a texture of numbered.
func checkNumbered(t *testing.T, f *File) {
	t.Helper()
	b := limit.NewBudget(limit.Limits{})
	for m := range f.Mips {
		for frame := range f.Frames {
			for face := range f.Faces {
				for slice := range f.Slices(m) {
					at := At{frame, face, slice, m}
					im, err := f.Image(at, b)
					if err != nil {
						t.Fatalf("%s: %v: %v", f.Version, at, err)
					}
					w, h := f.Size(m)
					want := byte(50*m + 10*frame + 3*face + slice)
					if im.Rect.Dx() != w || im.Rect.Dy() != h || im.Pix[len(im.Pix)-4] != want || im.Pix[0] != want || im.Pix[3] != 255 {
						t.Errorf("%s: %v: %v %v, want %d", f.Version, at, im.Rect, im.Pix[:4], want)
					}
				}
			}
		}
	}
}

func TestHeader(t *testing.T) {
	f := open(t, &build.File{Minor: 4, Width: 4, Height: 4, Format: build.I8, Slice: numbered(4, 4), Reflectivity: [3]float32{0.25, 0.5, 1},
		Resources: []build.Resource{{Type: [3]byte{'C', 'R', 'C'}, Value: 7}, {Type: [3]byte{0xff, 1, 2}, Data: []byte{1}}}})
	if f.Version != "7.4" || f.Reflectivity != [3]float32{0.25, 0.5, 1} || f.BumpScale != 1 {
		t.Errorf("%+v", f)
	}
	// The directory ends at 80 + 4*8 = 112; no thumbnail, 16 bytes of image, the last resource.
	want := []Resource{{"thumbnail", 112, 0}, {"image", 112, 0}, {"CRC", -1, 7}, {"ff0102", 128, 0}}
	for i, r := range f.Resources {
		if r != want[i] {
			t.Errorf("resource %d: %+v, want %+v", i, r, want[i])
		}
	}
}

func TestFit(t *testing.T) {
	x := build.File{Minor: 2, Width: 16, Height: 4, Mips: 3, Format: build.I8, Slice: numbered(16, 4)} // 4, 16 and 64 bytes
	data := x.Write()
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
	if _, err := f.Fit(1, 0, 0); !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
}

// A cubemap that was cut in its largest mip has the other mips of all seven faces, where its version has seven.
func TestCutCubemapKeepsItsSmallMips(t *testing.T) {
	for _, c := range []struct{ minor, faces int }{{0, 6}, {1, 7}, {4, 7}, {5, 6}} {
		x := build.File{Minor: c.minor, Width: 8, Height: 8, Mips: 4, Faces: c.faces, Flags: build.EnvMap, Format: build.I8,
			Slice: numbered(8, 8)}
		data := x.Write()
		f, err := Open(data[:len(data)-c.faces*64])
		if err != nil {
			t.Fatal(err)
		}
		if m, err := f.Fit(0, c.faces-1, 0); f.Faces != c.faces || m != 1 || err != nil {
			t.Errorf("7.%d: %d faces, mip %d, %v", c.minor, f.Faces, m, err)
		}
	}
}

func TestRefusesWhatItCannotRead(t *testing.T) {
	x := build.File{Minor: 4, Width: 4, Height: 4, Format: build.I8, Slice: numbered(4, 4)}
	whole := x.Write()
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
		{"the image itself", set(88, 0x02000030), limit.ErrCorrupt},
		{"version 8", set(4, 8), errors.ErrUnsupported},
		{"version 7.7", set(8, 7), errors.ErrUnsupported},
		{"a palette", set(52, 7), errors.ErrUnsupported},
		{"no format", set(52, 0xffffffff), errors.ErrUnsupported},
		{"nothing to store", set(52, 36), errors.ErrUnsupported}, // before 7.5
		{"depth", set(52, 34), errors.ErrUnsupported},            // before 7.5
		{"an unknown console", func(b []byte) []byte { return append([]byte("VTFX\x00\x00\x03\x61\x00\x00\x00\x08"), b[12:]...) },
			errors.ErrUnsupported},
	} {
		if _, err := Open(c.change(append([]byte(nil), whole...))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	// As large as a header can say: no number overflows and nothing is allocated.
	for _, magic := range []string{"VTF\x00\x07\x00\x00\x00\x04\x00\x00\x00", "XTF\x00\x05\x00\x00\x00\x00\x00\x00\x00"} {
		b := set(16, 0xffffffff)(append([]byte(nil), whole...))
		for i := 20; i < 28; i++ {
			b[i] = 255
		}
		b[56], b[63], b[64] = 255, 255, 255
		if magic[0] == 'X' {
			binary.LittleEndian.PutUint32(b[48:], 29)
		}
		copy(b, magic)
		f, err := Open(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []At{{}, {Frame: f.Frames - 1, Face: f.Faces - 1, Slice: f.Depth - 1}} {
			if _, err := f.Image(at, limit.NewBudget(limit.Limits{})); !errors.Is(err, limit.ErrCorrupt) {
				t.Error(err)
			}
		}
	}
}

func TestReserves(t *testing.T) {
	f := open(t, of(build.BGRA8888, 8, 8, make([]byte, 256)))
	for _, l := range []limit.Limits{{MaxMemory: 255}, {MaxPixels: 63}} {
		b := limit.NewBudget(l)
		if _, err := f.Image(At{}, b); !errors.Is(err, limit.ErrLimit) || b.Reserved() != 0 {
			t.Errorf("%v, %d bytes are reserved", err, b.Reserved())
		}
	}
}

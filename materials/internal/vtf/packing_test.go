package vtf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

func TestReadsPackedImages(t *testing.T) {
	for _, packing := range []build.Packing{build.Deflate, build.Zstd} {
		for _, x := range []build.File{
			{Width: 16, Height: 8, Mips: 5, Frames: 2},
			{Width: 8, Height: 8, Mips: 4, Faces: 6, Flags: build.EnvMap},
			{Width: 8, Height: 8, Depth: 8, Mips: 3},
		} {
			x.Minor, x.Format, x.Packing, x.Slice = 6, build.I8, packing, numbered(x.Width, x.Height)
			f := open(t, &x)
			if want := map[build.Packing]Packing{build.Deflate: Deflate, build.Zstd: Zstd}[packing]; f.Packed != want {
				t.Errorf("packed by %q, want %q", f.Packed, want)
			}
			checkNumbered(t, f)
		}
	}
}

// axc returns a packed texture whose resource was changed: it is the last, of two bytes of level and two of method, and of
// a size for each image.
func axc(x *build.File, change func(data, resource []byte) []byte) []byte {
	x.Minor, x.Packing = 6, build.Deflate
	data := x.Write()
	return change(data, data[binary.LittleEndian.Uint32(data[100:]):])
}

func TestPackedImagesMayBeEmptyOrBroken(t *testing.T) {
	texture := func() *build.File {
		return &build.File{Width: 16, Height: 16, Mips: 5, Format: build.I8, Slice: numbered(16, 16)}
	}
	same := func(data, _ []byte) []byte { return data }
	for _, c := range []struct {
		name   string
		change func(data, resource []byte) []byte
		fit    int
		open   error
		image  error // of the largest
	}{
		{"whole", same, 0, nil, nil},
		{"an unknown method", func(data, r []byte) []byte { r[6] = 7; return data }, 0, errors.ErrUnsupported, nil},
		{"a method below 0", func(data, r []byte) []byte { r[6], r[7] = 255, 255; return data }, 0, nil, nil},
		{"no size of the largest", func(data, r []byte) []byte { r[0] -= 4; return data }, 1, nil, limit.ErrCorrupt},
		{"sizes that are cut", func(data, _ []byte) []byte { return data[:len(data)-1] }, 1, nil, limit.ErrCorrupt},
		{"an empty one", func(data, r []byte) []byte { clear(r[len(r)-4:]); return data }, 1, nil, nil},
		{"beyond the end", func(data, r []byte) []byte { r[len(r)-2] = 255; return data }, 1, nil, limit.ErrCorrupt},
		{"too little", func(data, r []byte) []byte { r[len(r)-4] -= 8; return data }, 0, nil, limit.ErrCorrupt},
		{"no length", func(data, r []byte) []byte { clear(r[:4]); return data }, -1, nil, limit.ErrCorrupt},
		{"garbage", func(data, r []byte) []byte { clear(data[112 : len(data)-len(r)]); return data }, 0, nil, limit.ErrCorrupt},
	} {
		f, err := Open(axc(texture(), c.change))
		if !errors.Is(err, c.open) {
			t.Errorf("%s: %v, want %v", c.name, err, c.open)
		}
		if err != nil {
			continue
		}
		if m, err := f.Fit(0, 0, 0); c.fit >= 0 && (m != c.fit || err != nil) || c.fit < 0 && err == nil {
			t.Errorf("%s: mip %d fits, %v, want %d", c.name, m, err, c.fit)
		}
		b := limit.NewBudget(limit.Limits{})
		im, err := f.Image(At{}, b)
		if !errors.Is(err, c.image) {
			t.Errorf("%s: %v, want %v", c.name, err, c.image)
		}
		if err != nil && b.Reserved() != 0 || err == nil && b.Reserved() != int64(len(im.Pix)) {
			t.Errorf("%s: %d bytes are reserved", c.name, b.Reserved())
		}
	}
	// Level 0: nothing is packed, whatever the resource says of sizes.
	x := texture()
	x.Minor = 6
	x.Resources = []build.Resource{{Type: [3]byte{'A', 'X', 'C'}, Data: make([]byte, 24)}}
	checkNumbered(t, open(t, x))
}

// A frame of zstd that holds nothing, as Strata's tools write it for mips that were not made.
func TestEmptyFramesArePassedOver(t *testing.T) {
	x := build.File{Minor: 6, Packing: build.Zstd, Width: 16, Height: 16, Mips: 5, Format: build.I8}
	x.Slice = func(mip, frame, face, slice int) []byte {
		if mip > 1 {
			return nil
		}
		return numbered(16, 16)(mip, frame, face, slice)
	}
	f := open(t, &x)
	if m, err := f.Fit(0, 0, 2); m != 1 || err != nil {
		t.Error(m, err)
	}
	if im := decode(t, &x, At{Mip: 3}); !bytes.Equal(im.Pix, bytes.Repeat([]byte{0, 0, 0, 255}, 4)) {
		t.Error(im.Pix)
	}
}

// A few bytes that claim to be a picture of 16384 x 16384 cost nothing but a message.
func TestPackedImagesKeepToTheBudget(t *testing.T) {
	for _, packing := range []build.Packing{build.Deflate, build.Zstd} {
		x := build.File{Minor: 6, Packing: packing, Width: 16384, Height: 16384, Format: build.BGRA8888}
		x.Slice = func(int, int, int, int) []byte { return make([]byte, 1000) }
		f := open(t, &x)
		if _, err := f.Image(At{}, limit.NewBudget(limit.Limits{})); !errors.Is(err, limit.ErrLimit) {
			t.Error(err)
		}
		b := limit.NewBudget(limit.Limits{MaxMemory: 1 << 20})
		x.Width, x.Height = 1024, 1024
		f = open(t, &x)
		if _, err := f.Image(At{}, b); !errors.Is(err, limit.ErrLimit) || b.Reserved() != 0 {
			t.Error(err, b.Reserved())
		}
	}
}

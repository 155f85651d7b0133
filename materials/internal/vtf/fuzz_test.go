package vtf

import (
	"errors"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

func FuzzOpen(f *testing.F) {
	for format := range written {
		for _, minor := range []int{1, 2, 5} {
			x := build.File{Minor: minor, Width: 5, Height: 3, Mips: 2, Frames: 2, Format: format, Flags: uint32(minor) << 12,
				Slice: mips(5, 3, format)}
			f.Add(x.Write())
		}
	}
	x := build.File{Minor: 4, Width: 4, Height: 4, Mips: 3, Faces: 7, Depth: 2, Flags: build.EnvMap, Format: build.I8,
		Slice: numbered(4, 4)}
	f.Add(x.Write())
	f.Fuzz(fuzz)
}

func FuzzPacked(f *testing.F) {
	testkit.Unminimized(f)
	for _, packing := range []build.Packing{build.Deflate, build.Zstd} {
		x := build.File{Minor: 6, Packing: packing, Width: 8, Height: 4, Mips: 4, Frames: 2, Format: build.BGR888,
			Slice: mips(8, 4, build.BGR888)}
		f.Add(x.Write())
		x = build.File{Minor: 6, Packing: packing, Width: 8, Height: 8, Depth: 2, Mips: 1, Faces: 6, Flags: build.EnvMap,
			Format: build.DXT1, Slice: mips(8, 8, build.DXT1)}
		f.Add(x.Write())
	}
	f.Fuzz(fuzz)
}

func FuzzConsoles(f *testing.F) {
	for variant := range consoles {
		for _, format := range []build.Format{build.BGRA8888, build.DXT1, build.RGBA16161616, build.RGB888} {
			x := build.File{Variant: variant, Width: 8, Height: 4, Frames: 2, Format: format, Slice: mips(8, 4, format)}
			f.Add(x.Write())
			if variant != build.Xbox {
				x.Packing = build.LZMA
				f.Add(x.Write())
			}
		}
	}
	x := build.File{Variant: build.Xbox, Width: 4, Height: 4, Depth: 2, Format: build.P8, Palette: make([]byte, 1024),
		Slice: mips(4, 4, build.P8)}
	f.Add(x.Write())
	f.Fuzz(fuzz)
}

// fuzz opens a file and decodes its last pictures and the one that fits. Whatever it is, errors are of their kinds, and
// the budget is enough and is given back.
func fuzz(t *testing.T, data []byte) {
	x, err := Open(data)
	if err != nil {
		checkKind(t, err)
		return
	}
	b := limit.NewBudget(limit.Limits{MaxMemory: 2 << 20, MaxEntry: 1 << 18, MaxPixels: 1 << 16})
	decode := func(at At) {
		im, err := x.Image(at, b)
		if err != nil {
			checkKind(t, err)
		} else {
			b.Release(int64(len(im.Pix)))
		}
		for kind := ByFormat; kind <= Floats; kind++ {
			light, err := x.Light(at, kind, b)
			if err != nil {
				checkKind(t, err)
				continue
			}
			for _, v := range light {
				if !(v >= 0 && v <= brightest) {
					t.Fatalf("light of %v", v)
				}
			}
			b.Release(4 * int64(len(light)))
		}
		if b.Reserved() != 0 {
			t.Fatalf("%d bytes stay reserved", b.Reserved())
		}
	}
	for m := max(x.Mips-4, 0); m < x.Mips; m++ {
		decode(At{x.Frames - 1, x.Faces - 1, x.Slices(m) - 1, m})
	}
	m, err := x.Fit(0, 0, 16)
	if err != nil {
		checkKind(t, err)
		return
	}
	decode(At{Mip: m})
}

func checkKind(t *testing.T, err error) {
	if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) && !errors.Is(err, errors.ErrUnsupported) ||
		errors.Is(err, limit.ErrInternal) {
		t.Fatal(err)
	}
}

package vtf

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// side is the width and height of the benchmarks' pictures; their bytes count decoded.
const side = 1024

func stored(format build.Format) func(mip, frame, face, slice int) []byte {
	f := formatOf(int32(format), 5)
	p := noise(int(f.bytes(side, 256)))
	var all []byte
	for len(all) < int(f.bytes(side, side)) {
		all = append(all, p...)
	}
	return func(int, int, int, int) []byte { return all }
}

func BenchmarkImage(b *testing.B) {
	for _, format := range []build.Format{build.DXT1, build.DXT1OneBitAlpha, build.DXT3, build.DXT5, build.ATI1N, build.ATI2N, build.BC7,
		build.BC6H,
		build.BGRA8888, build.BGR888, build.BGR565, build.I8, build.RGBA1010102, build.RGBA16161616F, build.RGBA16161616,
		build.RGB323232F} {
		benchmarkImage(b, formatOf(int32(format), 5).name, &build.File{Minor: 5, Format: format})
	}
	benchmarkImage(b, "X360_DXT1", &build.File{Variant: build.Xbox360, Flags: build.NoMip, Format: build.DXT1})
	benchmarkImage(b, "Xbox_BGRA8888", &build.File{Variant: build.Xbox, Flags: build.NoMip, Format: build.BGRA8888})
}

// The packed picture shrinks to about a tenth.
func BenchmarkPacked(b *testing.B) {
	all := mips(side, side, build.BGRA8888)(0, 0, 0, 0)
	for name, packing := range map[string]build.Packing{"deflate": build.Deflate, "zstd": build.Zstd} {
		f := open(b, &build.File{Minor: 6, Packing: packing, Width: side, Height: side, Format: build.BGRA8888,
			Slice: func(int, int, int, int) []byte { return all }})
		b.Run(name, func(b *testing.B) { runImage(b, f) })
	}
}

func BenchmarkLight(b *testing.B) {
	for _, format := range []build.Format{build.RGBA16161616F, build.RGBA16161616, build.BC6H, build.BGRA8888} {
		f := open(b, &build.File{Minor: 5, Width: side, Height: side, Format: format, Slice: stored(format)})
		b.Run(f.Format, func(b *testing.B) {
			b.SetBytes(12 * side * side)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Light(At{}, ByFormat, limit.NewBudget(limit.Limits{})); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchmarkImage(b *testing.B, name string, x *build.File) {
	x.Width, x.Height, x.Slice = side, side, stored(x.Format)
	f := open(b, x)
	b.Run(name, func(b *testing.B) { runImage(b, f) })
}

func runImage(b *testing.B, f *File) {
	b.SetBytes(4 * side * side)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Image(At{}, limit.NewBudget(limit.Limits{})); err != nil {
			b.Fatal(err)
		}
	}
}

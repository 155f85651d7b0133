package vhv

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vhv"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lit returns the light of a model with two strip groups at detail 0 and one at 1.
func lit() *build.File {
	return &build.File{Checksum: 0xdeadbeef, Meshes: []build.Mesh{
		{Colors: [][3][4]uint8{{{0, 128, 255, 255}, {255, 255, 255, 0}, {0, 0, 0, 0}}, {{51, 0, 0, 51}}}},
		{Colors: [][3][4]uint8{{{1, 2, 3, 255}}}},
		{LOD: 1, Colors: [][3][4]uint8{{{4, 5, 6, 255}}}},
	}}
}

// 255 is 2^2.2 = 4.5948, 128 is (256/255)^2.2 = 1.0086, 51 is 0.4^2.2 = 0.1332. The mean of 0, 255 and 0 is 1.5316. All of
// the sun, which is (1, 0.5, 0), falls on the first vertex of three colours, a fifth on the second.
func TestLightOfVertices(t *testing.T) {
	cut := lit()
	cut.Cut = true
	tilted := lit()
	tilted.Tilted = true
	for _, c := range []struct {
		name string
		file *build.File
		want [2][3]float32
	}{
		{"a colour", lit(), [2][3]float32{{4.5948, 1.0086, 0}, {0, 0, 0.1332}}},
		{"without its first bytes", cut, [2][3]float32{{4.5948, 1.0086, 0}, {0, 0, 0.1332}}},
		{"three colours", tilted, [2][3]float32{{(4.5948+4.5948)/3 + 1, (1.0086+4.5948)/3 + 0.5, 1.5316}, {0.2, 0.1, 0.0444}}},
	} {
		v, err := Decode(c.file.Write())
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if v.Checksum != 0xdeadbeef || len(v.Meshes) != 3 || v.Meshes[0].Count != 2 || v.Meshes[1].LOD != 0 || v.Meshes[2].LOD != 1 {
			t.Errorf("%s: %+v", c.name, v)
		}
		got := make([]world.RGB, 3)
		v.Meshes[0].Light(got, [3]float32{1, 0.5, 0})
		for i, want := range c.want {
			for k, x := range got[i].Float32() {
				if math.Abs(float64(x-want[k])) > 0.002 {
					t.Errorf("%s: vertex %d is %v, want %v", c.name, i, got[i].Float32(), want)
				}
			}
		}
		if got[2] != (world.RGB{}) {
			t.Errorf("%s: there is no third vertex", c.name)
		}
	}
}

// word returns a file with another number at an offset.
func word(data []byte, at int, x uint32) []byte {
	data = append([]byte(nil), data...)
	binary.LittleEndian.PutUint32(data[at:], x)
	return data
}

func TestBrokenLight(t *testing.T) {
	data := lit().Write()
	for _, c := range []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"nothing", nil, limit.ErrCorrupt, "vhv: header: at byte 0: 4 bytes wanted, 0 left"},
		{"half a header", data[:30], limit.ErrCorrupt, "vhv: header: at byte 24: 16 bytes wanted, 6 left"},
		{"no table", data[:60], limit.ErrCorrupt, "vhv: 3 meshes in 20 bytes: corrupt"},
		{"no vertices", data[:512], limit.ErrCorrupt, "vhv: mesh 0: 2 vertices of 4 bytes at byte 512 of 512: corrupt"},
		{"another version", word(data, 0, 3), errors.ErrUnsupported, "vhv: version 3: unsupported operation"},
		{"other vertices", word(data, 12, 16), errors.ErrUnsupported, "vhv: vertices of 16 bytes: unsupported operation"},
		{"many meshes", word(data, 20, math.MaxInt32), limit.ErrCorrupt, "vhv: 2147483647 meshes in 984 bytes: corrupt"},
		{"fewer than none", word(data, 20, 0x80000000), limit.ErrCorrupt, "vhv: -2147483648 meshes in 984 bytes: corrupt"},
		{"far away", word(data, 48, 0xffffffff), limit.ErrCorrupt,
			"vhv: mesh 0: 2 vertices of 4 bytes at byte 4294967295 of 1024: corrupt"},
		{"many vertices", word(data, 44, 0xffffffff), limit.ErrCorrupt,
			"vhv: mesh 0: 4294967295 vertices of 4 bytes at byte 512 of 1024: corrupt"},
	} {
		if v, err := Decode(c.data); !errors.Is(err, c.want) || err.Error() != c.text || v != nil {
			t.Errorf("%s: %v, want %q", c.name, err, c.text)
		}
	}
}

// block is four rows of four pixels in DXT1: red, green, and two thirds and one third of red between them.
var block = []byte{0x00, 0xf8, 0xe0, 0x07, 0x00, 0x55, 0xaa, 0xff}

func texels() *build.Texels {
	return &build.Texels{Checksum: 7, Format: 2, Pictures: []build.Picture{
		{Width: 2, Height: 1, Data: []byte{255, 128, 0, 0, 0, 51, 9, 9, 9}}, {LOD: 1, Width: 1, Height: 1, Data: []byte{1, 2, 3}},
	}}
}

func TestLightOfTexels(t *testing.T) {
	file, err := DecodeTexels(texels().Write())
	if err != nil {
		t.Fatal(err)
	}
	p := file.Pictures[0]
	l := linear()
	want := []world.RGB{world.NewRGB(l[255], l[128], 0), world.NewRGB(0, 0, l[51])}
	if file.Checksum != 7 || p.LOD != 0 || p.Width != 2 || p.Height != 1 || !cmp.Equal(p.Light(), want) || file.Pictures[1].LOD != 1 {
		t.Errorf("%+v: %v", file, p.Light())
	}
	packed := &build.Texels{Format: 13, Pictures: []build.Picture{{Width: 3, Height: 4, Data: block}}}
	if file, err = DecodeTexels(packed.Write()); err != nil {
		t.Fatal(err)
	}
	got := file.Pictures[0].Light()
	for i, c := range [][3]uint8{{255, 0, 0}, {0, 255, 0}, {170, 85, 0}, {85, 170, 0}} { // a row each, of which three pixels are shown
		if want := world.NewRGB(l[c[0]], l[c[1]], l[c[2]]); len(got) != 12 || got[3*i] != want || got[3*i+2] != want {
			t.Errorf("row %d is %v, want %v", i, got[3*i].Float32(), want.Float32())
		}
	}
	// Where the first colour is not the greater, the third is half way and the fourth black.
	if c := blockColors([]byte{0xe0, 0x07, 0x00, 0xf8}); c != [4][3]uint8{{0, 255, 0}, {255, 0, 0}, {127, 127, 0}} {
		t.Error(c)
	}
}

func TestBrokenTexels(t *testing.T) {
	data := texels().Write()
	for _, c := range []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"nothing", nil, limit.ErrCorrupt, "ppl: header: at byte 0: 4 bytes wanted, 0 left"},
		{"another version", word(data, 0, 2), errors.ErrUnsupported, "ppl: version 2: unsupported operation"},
		{"another format", word(data, 8, 3), errors.ErrUnsupported, "ppl: pixels of format 3: unsupported operation"},
		{"no table", data[:40], limit.ErrCorrupt, "ppl: 2 meshes in 8 bytes: corrupt"},
		{"no pixels", data[:512], limit.ErrCorrupt, "ppl: mesh 0: 2 x 1 pixels in 9 bytes at byte 512 of 512: corrupt"},
		{"more than it says", word(data, 40, 5), limit.ErrCorrupt, "ppl: mesh 0: 2 x 1 pixels in 5 bytes at byte 512 of 1024: corrupt"},
		{"wide", word(data, 44, 0xffffffff), limit.ErrCorrupt, "ppl: mesh 0: 4294967295 x 1 pixels are more than 4096 a side: corrupt"},
	} {
		if v, err := DecodeTexels(c.data); !errors.Is(err, c.want) || err.Error() != c.text || v != nil {
			t.Errorf("%s: %v, want %q", c.name, err, c.text)
		}
	}
}

func FuzzDecode(f *testing.F) {
	cut := lit()
	cut.Cut = true
	for _, data := range [][]byte{lit().Write(), cut.Write(), texels().Write(), nil} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := Decode(data); err == nil {
			to := make([]world.RGB, 100)
			for i := range v.Meshes[:min(len(v.Meshes), 100)] {
				v.Meshes[i].Light(to, [3]float32{1, 1, 1})
			}
		}
		if v, err := DecodeTexels(data); err == nil {
			for i := range v.Pictures[:min(len(v.Pictures), 100)] {
				p := &v.Pictures[i]
				if n := len(p.Light()); n != p.Width*p.Height || n > 16*len(data) {
					t.Errorf("%d luxels of %d bytes", n, len(data))
				}
			}
		}
	})
}

// BenchmarkDecode reads the light of 10000 vertices.
func BenchmarkDecode(b *testing.B) {
	f := build.File{Meshes: []build.Mesh{{Colors: make([][3][4]uint8, 10000)}}}
	for i := range f.Meshes[0].Colors {
		f.Meshes[0].Colors[i][0] = [4]uint8{uint8(i), uint8(i / 2), uint8(i / 3), 255}
	}
	data := f.Write()
	to := make([]world.RGB, 10000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := Decode(data)
		if err != nil {
			b.Fatal(err)
		}
		v.Meshes[0].Light(to, [3]float32{1, 1, 1})
	}
}

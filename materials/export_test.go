package materials

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cubemap has faces of 8 x 8, face k is grey 20k; a second frame is 5 brighter, and mips are 1 brighter each.
func cubemap(format vtf.Format, faces int) []byte {
	f := vtf.File{Minor: 4, Width: 8, Height: 8, Mips: 2, Frames: 2, Faces: faces, Flags: vtf.EnvMap, Format: format}
	f.Slice = func(mip, frame, face, _ int) []byte {
		return vtf.Encode(imagetest.Filled(8>>mip, 8>>mip, imagetest.Grey(uint8(20*face+5*frame+mip))), format)
	}
	return f.Write()
}

func as(f picture.Format, quality int) Encoding {
	return Encoding{Format: string(f), Quality: quality}
}

func TestExportsAPicture(t *testing.T) {
	for _, c := range []struct {
		x    Export
		size int
		want uint8
	}{
		{Export{}, 8, 0},
		{Export{Face: 2}, 8, 40},
		{Export{Frame: 1, Face: 5, Mip: 1}, 4, 106},
		{Export{Encoding: as(picture.JPEG, 90), Face: 1}, 8, 20},
	} {
		b := limit.NewBudget(limit.Limits{})
		files, grey, err := Pictures(limit.With(t.Context(), b), "Sky.VTF", cubemap(vtf.BGR888, 7), c.x)
		if err != nil || grey || len(files) != 1 || files[0].Part != "" || b.Reserved() != 0 {
			t.Errorf("%+v: %v %v, %d files, %d bytes are reserved", c.x, grey, err, len(files), b.Reserved())
			continue
		}
		read := png.Decode
		if c.x.Format == "jpeg" {
			read = jpeg.Decode
		}
		im, err := read(bytes.NewReader(files[0].Data))
		if err != nil {
			t.Fatal(err)
		}
		if got := color.GrayModel.Convert(im.At(0, 0)).(color.Gray).Y; im.Bounds() != image.Rect(0, 0, c.size, c.size) || got != c.want {
			t.Errorf("%+v: %v, %d, want %d", c.x, im.Bounds(), got, c.want)
		}
	}
}

func TestExportsAllFaces(t *testing.T) {
	for _, c := range []struct {
		data []byte
		want []string
	}{
		{cubemap(vtf.BGR888, 6), []string{"rt", "lf", "bk", "ft", "up", "dn"}},
		{cubemap(vtf.BGR888, 7), []string{"rt", "lf", "bk", "ft", "up", "dn", "sphere"}},
		{imagetest.VTF(0, imagetest.Filled(4, 4, imagetest.Grey(9))).Data, []string{""}},
	} {
		files, _, err := Pictures(t.Context(), "a.vtf", c.data, Export{Faces: true})
		if err != nil || len(files) != len(c.want) {
			t.Fatal(err, len(files))
		}
		for k, want := range c.want {
			if files[k].Part != want {
				t.Errorf("face %d is %q, want %q", k, files[k].Part, want)
			}
		}
	}
}

// A file that ends within its largest mip, of 192 bytes, has the one of 4 x 4.
func TestExportsWhatIsLeftOfAPicture(t *testing.T) {
	f := vtf.File{Minor: 4, Width: 8, Height: 8, Mips: 2, Format: vtf.BGR888, Slice: func(mip, _, _, _ int) []byte {
		return make([]byte, 3*64>>(2*mip))
	}}
	data := f.Write()
	for cut, want := range map[int]string{0: "", 100: "incomplete: 4 x 4 is the largest that it holds of 8 x 8"} {
		files, _, err := Pictures(t.Context(), "a.vtf", data[:len(data)-cut], Export{})
		if err != nil || len(files) != 1 || files[0].Cut != want {
			t.Errorf("%d bytes less: %v, %+v", cut, err, files)
		}
	}
}

// The halfs of a file with one block that is not packed smaller are its last bytes: B, G and R of the only row.
func TestExportsLight(t *testing.T) {
	file := func(format vtf.Format, stored []byte) []byte {
		f := vtf.File{Minor: 5, Width: 1, Height: 1, Format: format, Slice: func(int, int, int, int) []byte { return stored }}
		return f.Write()
	}
	halfs := []byte{0, 0x44, 0, 0x38, 0, 0x3c, 0, 0} // 4, a half, 1
	for _, c := range []struct {
		name  string
		data  []byte
		Light VTFLight
		want  [3]float32
	}{
		{"a.vtf", file(vtf.RGBA16161616F, halfs), "", [3]float32{4, 0.5, 1}},
		{"a.vtf", file(vtf.RGBA16161616F, halfs), "half", [3]float32{4, 0.5, 1}},
		// 0x4400 is 17408: 4.25; 0x3800 is 14336: 3.5.
		{"a.vtf", file(vtf.RGBA16161616, halfs), "int16", [3]float32{4.25, 3.5, 3.75}},
		{"sky_hdrrt.vtf", file(vtf.BGRA8888, []byte{255, 0, 255, 255}), "auto", [3]float32{8, 0, 8}},
		{"sky_rt.vtf", file(vtf.BGRA8888, []byte{255, 0, 255, 255}), "auto", [3]float32{1, 0, 1}},
		{"sky_rt.vtf", file(vtf.BGRA8888, []byte{255, 0, 255, 255}), "rgbs", [3]float32{8, 0, 8}},
	} {
		b := limit.NewBudget(limit.Limits{})
		files, _, err := Pictures(limit.With(t.Context(), b), c.name, c.data, Export{Encoding: as(picture.EXR, 0), Light: c.Light})
		if err != nil || b.Reserved() != 0 {
			t.Errorf("%s %s: %v", c.name, c.Light, err)
			continue
		}
		stored := files[0].Data[len(files[0].Data)-6:]
		for k, want := range c.want {
			got := world.Half(binary.LittleEndian.Uint16(stored[4-2*k:])).Float32()
			if got < want-want/500 || got > want+want/500 {
				t.Errorf("%s %s: channel %d is %v, want %v", c.name, c.Light, k, got, want)
			}
		}
	}
}

func TestExportRefuses(t *testing.T) {
	cube, plain := cubemap(vtf.BGR888, 6), imagetest.PNG(imagetest.Filled(2, 2, imagetest.Grey(1))).Data
	for _, c := range []struct {
		name string
		data []byte
		x    Export
		want error
	}{
		{"a.vtf", cube, Export{Frame: 2}, limit.ErrUsage},
		{"a.vtf", cube, Export{Face: 6}, limit.ErrUsage},
		{"a.vtf", cube, Export{Face: -1}, limit.ErrUsage},
		{"a.vtf", cube, Export{Mip: 2}, limit.ErrUsage},
		{"a.vtf", cube, Export{Encoding: as(picture.EXR, 0), Light: VTFLightHalf}, errors.ErrUnsupported},
		{"a.vtf", cube, Export{Encoding: as(picture.TGA, 0)}, errors.ErrUnsupported},
		{"a.vtf", plain, Export{}, limit.ErrCorrupt},
		{"a.png", plain, Export{Encoding: as(picture.EXR, 0)}, limit.ErrUsage},
		{"a.png", plain, Export{Mip: 1}, limit.ErrUsage},
		{"a.png", plain, Export{Faces: true}, limit.ErrUsage},
		{"a.png", plain, Export{Light: "rgbs"}, limit.ErrUsage},
		{"a.vtf", cube, Export{Light: "rgbs"}, limit.ErrUsage},
	} {
		b := limit.NewBudget(limit.Limits{})
		if _, _, err := Pictures(limit.With(t.Context(), b), c.name, c.data, c.x); !errors.Is(err, c.want) || b.Reserved() != 0 {
			t.Errorf("%s %+v: %v, want %v", c.name, c.x, err, c.want)
		}
	}
	if files, _, err := Pictures(t.Context(), "a.png", plain, Export{Encoding: as(picture.WebP, 100)}); err != nil ||
		string(files[0].Data[:4]) != "RIFF" {
		t.Error(err)
	}
}

func TestInspectsATexture(t *testing.T) {
	data := cubemap(vtf.BGR888, 7) // without the end of its last face
	info, err := InspectTexture(data[:len(data)-100])
	if err != nil {
		t.Fatal(err)
	}
	if info.Version != "7.4" || info.Format != "BGR888" || info.Width != 8 || info.Frames != 2 || info.Faces != 7 || info.Mips != 2 ||
		info.Largest != 0 {
		t.Errorf("%+v", info)
	}
	if len(info.FlagNames) != 1 || info.FlagNames[0] != "cubemap" || len(info.Resources) != 2 || info.Resources[1].Name != "image" ||
		*info.Resources[1].Offset != 96 {
		t.Errorf("%+v", info)
	}
	if _, err := InspectTexture(nil); !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
}

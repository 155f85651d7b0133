package materials

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// pngOf is a PNG file whose header says width x height of RGB, whatever its packed data hold.
func pngOf(width, height int, pixels []byte) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(pixels)
	_ = z.Close()
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = append(binary.BigEndian.AppendUint32(head, uint32(height)), 8, 2, 0, 0, 0)
	out := []byte("\x89PNG\r\n\x1a\n")
	for _, c := range []struct {
		id   string
		data []byte
	}{{"IHDR", head}, {"IDAT", packed.Bytes()}, {"IEND", nil}} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(c.data)))
		start := len(out)
		out = append(append(out, c.id...), c.data...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
	}
	return out
}

// noisy is a picture whose bytes hardly pack, so that a file of it can be cut anywhere.
func noisy(side int) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, side, side))
	v := uint32(1)
	for i := range im.Pix {
		v = v*1664525 + 1013904223
		im.Pix[i] = byte(v >> 24)
		if i%4 == 3 {
			im.Pix[i] = 255
		}
	}
	return im
}

func TestABrokenFileIsNotPassedOn(t *testing.T) {
	whole := pngFile(noisy(64)).Data
	photo := jpegFile(noisy(64)).Data
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1 // its checksum is wrong
	cut := append(bytes.Clone(photo[:len(photo)/2]), 0xff, 0xd9)
	for _, c := range []struct {
		name, file string
		data       []byte
		broken     bool
	}{
		{"whole png", "a.png", whole, false},
		{"whole jpeg", "a.jpg", photo, false},
		{"flipped bit", "a.png", flipped, true},
		{"too few rows", "a.png", pngOf(64, 64, make([]byte, 193*60)), true},
		{"far too many rows", "a.png", pngOf(4, 4, make([]byte, 32<<20)), true},
		{"a filter that is none", "a.png", pngOf(4, 1, []byte{9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), true},
		{"half a jpeg with an end", "a.jpg", cut, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{c.file: &fstest.MapFile{Data: c.data}}
			set := load(t, files, "", plainOptions, shown(world.Material{Name: "a"}))
			if m := &set.Materials[0]; m.Placeholder != c.broken {
				t.Errorf("%s", text(set, m))
			}
			if !c.broken {
				if len(set.Images) != 1 || !bytes.Equal(set.Images[0].Data, c.data) {
					t.Errorf("%d images, which should be the file", len(set.Images))
				}
				return
			}
			if len(set.Images) != 0 || len(set.Issues) != 1 || set.Issues[0].Code != "image-broken" || set.Issues[0].Where != c.file {
				t.Errorf("%d images, issues %v", len(set.Images), set.Issues)
			}
		})
	}
}

func TestAPassedImageHasAlphaWhereItDoes(t *testing.T) {
	solid, hole := filled(8, 8, grey(9)), filled(8, 8, color.NRGBA{9, 9, 9, 100})
	files := fstest.MapFS{"hole.png": pngFile(hole)}
	// The encoder writes no alpha where there is none: add a transparent colour that the picture does not use.
	data := pngFile(solid).Data
	at := bytes.Index(data, []byte("IDAT")) - 4
	mark := append([]byte("tRNS"), 0, 1, 0, 2, 0, 3)
	chunk := append([]byte{0, 0, 0, 6}, mark...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(mark))
	files["solid.png"] = &fstest.MapFile{Data: append(append(bytes.Clone(data[:at]), chunk...), data[at:]...)}
	set := load(t, files, "", plainOptions, shown(world.Material{Name: "solid"}, world.Material{Name: "hole"}))
	if len(set.Images) != 2 || set.Images[0].Alpha || !set.Images[1].Alpha {
		t.Errorf("%+v", set.Images)
	}
}

func TestAnOversizedTextureCostsTheTexture(t *testing.T) {
	script := block("s", "big.tga") + "c\n{\n{ map big.tga }\n{ map small.jpg\nblendFunc filter\ntcMod scale 2 2 }\n}\n"
	files := textures("small.jpg")
	files["big.jpg"], files["big.tga"], files["i.png"] = jpegFile(noisy(64)), tgaFile(noisy(64)), pngFile(noisy(64))
	files["materials/v.vmt"] = &fstest.MapFile{Data: []byte(`LightmappedGeneric { $basetexture v }`)}
	files["materials/v.vtf"] = vtfFile(0, noisy(64))
	big := &world.Texture{Width: 64, Height: 64, Pixels: make([]byte, 64*64)}
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxPixels: 1000}))
	w := shown(world.Material{Name: "s"}, world.Material{Name: "c"}, world.Material{Name: "i"}, world.Material{Name: "v"},
		world.Material{Name: "m", Texture: big}, world.Material{Name: "small"})
	set, err := loadError(ctx, files, script, plainOptions, w)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Materials {
		if m := &set.Materials[i]; m.Placeholder != (m.Name != "small" && m.Name != "c") {
			t.Errorf("%s: %s", m.Name, text(set, m))
		}
	}
	places := map[string]bool{}
	for _, is := range set.Issues {
		if is.Code == "image-oversized" {
			places[is.Where] = true
		}
	}
	for _, where := range []string{"big.tga", "i.png", "materials/v.vtf", "m"} {
		if !places[where] {
			t.Errorf("no issue of %s in %v", where, set.Issues)
		}
	}
}

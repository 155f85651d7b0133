package images

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
)

// pngOf returns a PNG file whose header says width x height of RGB, whatever its packed data hold.
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

// noisy returns a picture whose bytes hardly pack, so that a file of it can be cut anywhere.
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
	whole := imagetest.PNG(noisy(64)).Data
	photo := imagetest.JPEG(noisy(64)).Data
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
		{"half a jpeg", "a.jpg", cut[:len(cut)-2], true},
		{"half a jpeg with an end, which browsers show", "a.jpg", cut, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{c.file: &fstest.MapFile{Data: c.data}}
			m := made(t, files, plain, Task{Work: File(c.file)})[0]
			if !c.broken {
				if len(m.Images) != 1 || !bytes.Equal(m.Images[0].Data, c.data) {
					t.Errorf("%d images, which should be the file", len(m.Images))
				}
				return
			}
			if len(m.Images) != 0 || len(m.Issues) != 1 || m.Issues[0].Code != "image-broken" || m.Issues[0].Where != c.file {
				t.Errorf("%d images, issues %v", len(m.Images), m.Issues)
			}
		})
	}
}

func TestAPassedImageHasAlphaWhereItDoes(t *testing.T) {
	solid, hole := imagetest.Filled(8, 8, imagetest.Grey(9)), imagetest.Filled(8, 8, color.NRGBA{9, 9, 9, 100})
	files := fstest.MapFS{"hole.png": imagetest.PNG(hole)}
	// The encoder writes no alpha where there is none: add a transparent colour that the picture does not use.
	data := imagetest.PNG(solid).Data
	at := bytes.Index(data, []byte("IDAT")) - 4
	mark := append([]byte("tRNS"), 0, 1, 0, 2, 0, 3)
	chunk := append([]byte{0, 0, 0, 6}, mark...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(mark))
	files["solid.png"] = &fstest.MapFile{Data: append(append(bytes.Clone(data[:at]), chunk...), data[at:]...)}
	for _, c := range []struct {
		file   string
		alpha  Alpha
		passes bool
		want   bool // the image has alpha
	}{
		{"solid.png", Ignored, true, false}, {"solid.png", Removed, true, false},
		{"hole.png", Ignored, true, true}, {"hole.png", Shown, true, true}, {"hole.png", Removed, false, false},
	} {
		m := made(t, files, plain, Task{Work: File(c.file), Alpha: c.alpha})[0]
		if im := &m.Images[0]; im.Alpha != c.want || bytes.Equal(im.Data, files[c.file].Data) != c.passes ||
			decoded(t, im).Opaque() == c.want {
			t.Errorf("%s, alpha %d: alpha %t, %d bytes of %d", c.file, c.alpha, im.Alpha, len(im.Data), len(files[c.file].Data))
		}
	}
}

// Package imagetest makes small pictures and picture files for the tests of materials.
package imagetest

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// Grey returns an opaque grey.
func Grey(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 255} }

// Filled returns a picture of one colour.
func Filled(w, h int, c color.NRGBA) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(im.Pix); i += 4 {
		im.Pix[i], im.Pix[i+1], im.Pix[i+2], im.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	return im
}

// Row returns a picture of one row of greys.
func Row(values ...uint8) *image.NRGBA {
	im := Filled(len(values), 1, Grey(0))
	for x, v := range values {
		im.SetNRGBA(x, 0, Grey(v))
	}
	return im
}

// Noise returns a square of random bytes, alpha included. It is always the same.
func Noise(side int) *image.NRGBA {
	rnd := rand.New(rand.NewPCG(1, 2))
	im := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range im.Pix {
		im.Pix[i] = byte(rnd.Uint32())
	}
	return im
}

// PNG returns a file of a picture.
func PNG(im image.Image) *fstest.MapFile {
	var b bytes.Buffer
	if err := png.Encode(&b, im); err != nil {
		panic(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

// JPEG returns a file of a picture.
func JPEG(im image.Image) *fstest.MapFile {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, im, nil); err != nil {
		panic(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

// TGA returns a file of type 2 with 32 bits, bottom up.
func TGA(im *image.NRGBA) *fstest.MapFile {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	data := make([]byte, 18, 18+4*w*h)
	data[2], data[16], data[17] = 2, 32, 8
	binary.LittleEndian.PutUint16(data[12:], uint16(w))
	binary.LittleEndian.PutUint16(data[14:], uint16(h))
	for y := h - 1; y >= 0; y-- {
		for x := range w {
			c := im.NRGBAAt(x, y)
			data = append(data, c.B, c.G, c.R, c.A)
		}
	}
	return &fstest.MapFile{Data: data}
}

// VTF returns a file of version 7.2 in BGRA8888, with mips down to 1 x 1. frames are the pictures of its frames.
func VTF(flags uint32, frames ...*image.NRGBA) *fstest.MapFile {
	w, h := frames[0].Rect.Dx(), frames[0].Rect.Dy()
	data, le := bytes.Repeat([]byte{0}, 80), binary.LittleEndian
	copy(data, "VTF\x00\x07\x00\x00\x00\x02\x00\x00\x00\x50")
	le.PutUint16(data[16:], uint16(w))
	le.PutUint16(data[18:], uint16(h))
	le.PutUint32(data[20:], flags)
	le.PutUint16(data[24:], uint16(len(frames)))
	le.PutUint32(data[52:], 12)
	le.PutUint32(data[57:], 0xffffffff)
	for max(w, h)>>data[56] > 0 {
		data[56]++
	}
	for m := int(data[56]) - 1; m >= 0; m-- {
		for _, im := range frames {
			im = picture.Resize(im, w>>m, h>>m)
			for i := 0; i < len(im.Pix); i += 4 {
				data = append(data, im.Pix[i+2], im.Pix[i+1], im.Pix[i], im.Pix[i+3])
			}
		}
	}
	return &fstest.MapFile{Data: data}
}

// Files returns a file system with a picture for every name, by its extension: 8 x 8 and grey 128, a .tga half transparent.
func Files(names ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, name := range names {
		switch {
		case strings.HasSuffix(name, ".tga"):
			files[name] = TGA(Filled(8, 8, color.NRGBA{128, 128, 128, 128}))
		case strings.HasSuffix(name, ".png"):
			files[name] = PNG(Filled(8, 8, Grey(128)))
		default:
			files[name] = JPEG(Filled(8, 8, Grey(128)))
		}
	}
	return files
}

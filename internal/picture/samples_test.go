package picture

import (
	"bytes"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/bmp"
)

// textured returns something like a wall texture: bricks, a gradient and noise, with alpha that varies if alpha is set.
func textured(w, h int, alpha bool) *image.NRGBA {
	random := rand.New(rand.NewPCG(1, uint64(w)<<32|uint64(h)))
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := 90 + (x*40)/w + random.IntN(18)
			if y%32 < 2 || (x+y/32*24)%64 < 2 {
				v -= 60
			}
			a := 255
			if alpha {
				a = (x*3 + y*5) % 256
			}
			im.SetNRGBA(x, y, color.NRGBA{uint8(v + 30), uint8(v + random.IntN(6)), uint8(v - 20), uint8(a)})
		}
	}
	return im
}

// tga returns a file of header fields and a body.
func tga(kind, bits, w, h int, descriptor byte, body ...byte) []byte {
	d := make([]byte, 18, 18+len(body))
	d[2], d[16], d[17] = byte(kind), byte(bits), descriptor
	le.PutUint16(d[12:], uint16(w))
	le.PutUint16(d[14:], uint16(h))
	return append(d, body...)
}

// withMap adds a colour map to a TGA without an id.
func withMap(file []byte, first, bits int, colours ...byte) []byte {
	d := bytes.Clone(file)
	d[1], d[7] = 1, byte(bits)
	le.PutUint16(d[3:], uint16(first))
	le.PutUint16(d[5:], uint16(len(colours)/((bits+7)/8)))
	return append(append(bytes.Clone(d[:18]), colours...), d[18:]...)
}

// pcx returns a file of header fields and a body.
func pcx(w, h, planes, line int, packed byte, body ...byte) []byte {
	d := make([]byte, 128, 128+len(body))
	d[0], d[1], d[2], d[3], d[65] = 10, 5, packed, 8, byte(planes)
	le.PutUint16(d[8:], uint16(w-1))
	le.PutUint16(d[10:], uint16(h-1))
	le.PutUint16(d[66:], uint16(line))
	return append(d, body...)
}

// ramp returns a PCX palette whose colour i is i, 2i, 3i.
func ramp() []byte {
	p := []byte{12}
	for i := range 256 {
		p = append(p, byte(i), byte(2*i), byte(3*i))
	}
	return p
}

// pngHead returns a signature and an IHDR with a right checksum.
func pngHead(w, h uint32, depth, kind, interlace byte) []byte {
	d := []byte(pngMagic + "\x00\x00\x00\rIHDR")
	for _, v := range []uint32{w, h} {
		d = append(d, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	d = append(d, depth, kind, 0, 0, interlace)
	c := crc32.ChecksumIEEE(d[12:])
	return append(d, byte(c>>24), byte(c>>16), byte(c>>8), byte(c))
}

// jpegHead returns a frame header of any type, with the start of a scan.
func jpegHead(marker byte, w, h int, sampling ...byte) []byte {
	n := len(sampling)
	d := []byte{0xff, 0xd8, 0xff, marker, 0, byte(8 + 3*n), 8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(n)}
	for i, s := range sampling {
		d = append(d, byte(i+1), s, 0)
	}
	d = append(d, 0xff, 0xda, 0, byte(6+2*n), byte(n))
	for i := range sampling {
		d = append(d, byte(i+1), 0)
	}
	return append(d, 0, 0, 0, 1, 2, 3, 0xff, 0xd9)
}

// webpChunk returns a WebP of one chunk that says it holds length bytes.
func webpChunk(id string, length int, body ...byte) []byte {
	d := []byte("RIFF\x00\x00\x00\x00WEBP" + id + "\x00\x00\x00\x00")
	le.PutUint32(d[4:], uint32(length+12))
	le.PutUint32(d[16:], uint32(length))
	return append(d, body...)
}

func bmpHead(w, h, bits int) []byte {
	d := make([]byte, 54)
	d[0], d[1], d[10], d[14], d[26], d[28] = 'B', 'M', 54, 40, 1, byte(bits)
	le.PutUint32(d[18:], uint32(w))
	le.PutUint32(d[22:], uint32(h))
	return d
}

// samples returns a right file of every format and kind there is an encoder for, by name.
func samples(t testing.TB) map[string][]byte {
	im := textured(19, 13, false)
	clear := textured(19, 13, true)
	files := map[string][]byte{}
	encode := func(name string, f func(b *bytes.Buffer) error) {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatal(err)
		}
		files[name] = b.Bytes()
	}
	encode("a.png", func(b *bytes.Buffer) error { return png.Encode(b, im) })
	encode("alpha.png", func(b *bytes.Buffer) error { return png.Encode(b, clear) })
	grey := image.NewGray(im.Rect)
	deep := image.NewNRGBA64(im.Rect)
	few := image.NewPaletted(im.Rect, color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{200, 100, 50, 128}})
	for i := range grey.Pix {
		grey.Pix[i] = byte(i)
		few.Pix[i] = byte(i % 2)
		deep.Pix[i*8], deep.Pix[i*8+7] = byte(i), byte(i)
	}
	encode("grey.png", func(b *bytes.Buffer) error { return png.Encode(b, grey) })
	encode("few.png", func(b *bytes.Buffer) error { return png.Encode(b, few) })
	encode("deep.png", func(b *bytes.Buffer) error { return png.Encode(b, deep) })
	encode("a.jpg", func(b *bytes.Buffer) error { return jpeg.Encode(b, im, nil) })
	encode("grey.jpg", func(b *bytes.Buffer) error { return jpeg.Encode(b, grey, nil) })
	encode("a.bmp", func(b *bytes.Buffer) error { return bmp.Encode(b, im) })
	encode("alpha.bmp", func(b *bytes.Buffer) error { return bmp.Encode(b, clear) })
	encode("grey.bmp", func(b *bytes.Buffer) error { return bmp.Encode(b, grey) })
	for name, lossless := range map[string]bool{"a.webp": false, "lossless.webp": true} {
		data, err := EncodeWebP(clear, lossless, 80)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
		if data, err = EncodeWebP(im, lossless, 80); err != nil {
			t.Fatal(err)
		}
		files["opaque_"+name] = data
	}
	files["raw24.tga"] = tga(2, 24, 2, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	files["raw32.tga"] = tga(2, 32, 1, 2, 8, 1, 2, 3, 4, 5, 6, 7, 8)
	files["raw16.tga"] = tga(2, 16, 2, 1, 1, 0, 0x80, 0xff, 0x7f)
	files["rle.tga"] = tga(10, 24, 3, 2, 0, 0x84, 1, 2, 3, 0, 4, 5, 6)
	files["grey.tga"] = tga(3, 8, 2, 1, 0, 9, 10)
	files["greyrle.tga"] = tga(11, 16, 2, 1, 8, 0x81, 9, 10)
	files["map.tga"] = withMap(tga(1, 8, 2, 1, 0, 5, 6), 5, 24, 1, 2, 3, 4, 5, 6)
	files["maprle.tga"] = withMap(tga(9, 16, 2, 1, 0, 0x81, 5, 0), 5, 32, 1, 2, 3, 4)
	files["a.pcx"] = pcx(3, 2, 1, 4, 1, append([]byte{0xc8, 7}, ramp()...)...)
	files["planes.pcx"] = pcx(2, 1, 3, 2, 0, 1, 2, 3, 4, 5, 6)
	var b bytes.Buffer
	if err := gif.Encode(&b, few, nil); err != nil {
		t.Fatal(err)
	}
	files["a.gif"] = b.Bytes()
	return files
}

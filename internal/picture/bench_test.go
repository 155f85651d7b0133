package picture

import (
	"bytes"
	"image"
	"image/png"
	"testing"
)

func BenchmarkDecodeTGA(b *testing.B) {
	for name, bits := range map[string]int{"raw24": 24, "raw32": 32} {
		im := textured(1024, 1024, true)
		body := make([]byte, 0, len(im.Pix))
		for i := 0; i < len(im.Pix); i += 4 {
			body = append(body, im.Pix[i+2], im.Pix[i+1], im.Pix[i], im.Pix[i+3])[:len(body)+bits/8]
		}
		data := tga(2, bits, 1024, 1024, 0, body...)
		b.Run(name, func(b *testing.B) { benchmarkDecode(b, data) })
	}
	b.Run("packed24", func(b *testing.B) {
		var body []byte
		for i := range 1024 * 1024 / 16 {
			body = append(body, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 0x87, byte(i), 2, 3)
		}
		benchmarkDecode(b, tga(10, 24, 1024, 1024, 0, body...))
	})
}

func BenchmarkDecodeJPEG(b *testing.B) {
	data, err := EncodeJPEG(textured(1024, 1024, false), 85)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkDecode(b, data)
}

func BenchmarkDecodePNG(b *testing.B) {
	data, err := EncodePNG(textured(1024, 1024, false), false, Default)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkDecode(b, data)
}

func benchmarkDecode(b *testing.B, data []byte) {
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, _, err := Decode(data, "a.tga", nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The bytes of the throughput are those of RGB; "bytes" is the file's length.
func BenchmarkEncodePNG(b *testing.B) {
	benchmarkEncode(b, []*image.NRGBA{textured(512, 512, false)})
}

func BenchmarkEncodePNGOfRealTGAs(b *testing.B) {
	var ims []*image.NRGBA
	for name, data := range corpusFiles(b, ".tga", 61, 12) {
		im, _, err := Decode(data, name, nil)
		if err != nil {
			b.Fatal(err)
		}
		ims = append(ims, wide(im, false))
	}
	benchmarkEncode(b, ims)
}

func benchmarkEncode(b *testing.B, ims []*image.NRGBA) {
	raw := 0
	for _, im := range ims {
		raw += im.Rect.Dx() * im.Rect.Dy() * 3
	}
	run := func(name string, encode func(im *image.NRGBA) int) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(raw))
			n := 0
			for b.Loop() {
				n = 0
				for _, im := range ims {
					n += encode(im)
				}
			}
			b.ReportMetric(float64(n), "bytes")
		})
	}
	for _, e := range efforts {
		run(string(e), func(im *image.NRGBA) int {
			data, err := EncodePNG(im, false, e)
			if err != nil {
				b.Fatal(err)
			}
			return len(data)
		})
	}
	for name, level := range map[string]png.CompressionLevel{"imagepng/default": png.DefaultCompression,
		"imagepng/bestspeed": png.BestSpeed} {
		run(name, func(im *image.NRGBA) int {
			var out bytes.Buffer
			encoder := png.Encoder{CompressionLevel: level}
			if err := encoder.Encode(&out, im); err != nil {
				b.Fatal(err)
			}
			return out.Len()
		})
	}
}

func BenchmarkResize(b *testing.B) {
	for name, alpha := range map[string]bool{"half": false, "half with alpha": true} {
		im := textured(1024, 1024, alpha)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(im.Pix)))
			for b.Loop() {
				Resize(im, 512, 512)
			}
		})
	}
}

package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"testing"
)

// grain is a picture whose blocks all differ.
func grain(w, h int) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	v := uint32(7)
	for i := range im.Pix {
		v = v*1664525 + 1013904223
		if im.Pix[i] = byte(v >> 27 << 2); i%4 == 3 {
			im.Pix[i] = 255
		}
	}
	return im
}

func TestWholeJPEGAgreesWithDecoding(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {8, 8}, {17, 33}, {64, 64}, {200, 3}} {
		im := grain(size[0], size[1])
		gray := image.NewGray(im.Rect)
		for i := range gray.Pix {
			gray.Pix[i] = im.Pix[4*i]
		}
		for _, m := range []image.Image{im, gray, image.NewUniform(color.White)} {
			if m.Bounds() != im.Rect {
				m = image.NewGray(im.Rect)
			}
			var b bytes.Buffer
			if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
				t.Fatal(err)
			}
			data := b.Bytes()
			if !wholeJPEG(data) {
				t.Errorf("%v %T: not whole", size, m)
			}
			if !wholeJPEG(append(bytes.Clone(data), "what comes after the end is not the picture's"...)) {
				t.Errorf("%v %T: not whole with more behind it", size, m)
			}
			// Cut anywhere, with an end marker put there, it is not.
			for n := len(data) - 4; n > 2; n -= 1 + n/50 {
				cut := append(bytes.Clone(data[:n]), 0xff, 0xd9)
				if _, err := jpeg.Decode(bytes.NewReader(cut)); err != nil && wholeJPEG(cut) {
					t.Errorf("%v %T: whole with %d of %d bytes, but %v", size, m, n, len(data), err)
				}
			}
		}
	}
}

// What is said to be whole must decode, whatever the bytes.
func FuzzWholeJPEG(f *testing.F) {
	for _, side := range []int{8, 17} {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, grain(side, side), nil); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	if data, err := os.ReadFile("testdata/progressive.jpg"); err == nil {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 || !hasPrefix(data, "\xff\xd8\xff") {
			return
		}
		h, err := sniffJPEG(data)
		if err != nil || h.Width*h.Height > 1<<20 || !wholeJPEG(data) {
			return
		}
		if _, err := jpeg.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("whole, but %v", err)
		}
	})
}

func BenchmarkCheckJPEG(b *testing.B) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, grain(512, 512), &jpeg.Options{Quality: 85}); err != nil {
		b.Fatal(err)
	}
	data := file.Bytes()
	for _, c := range []struct {
		name string
		f    func() error
	}{
		{"check", func() error { _, err := Check(data, "", nil); return err }},
		{"decode", func() error { _, _, err := Decode(data, "", nil); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := c.f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

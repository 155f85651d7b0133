package jpegwalk

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
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

func TestAgreesWithDecoding(t *testing.T) {
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
			if !Whole(data) {
				t.Errorf("%v %T: not whole", size, m)
			}
			if !Whole(append(bytes.Clone(data), "what comes after the end is not the picture's"...)) {
				t.Errorf("%v %T: not whole with more behind it", size, m)
			}
			// Cut anywhere, with an end marker put there, it is not.
			for n := len(data) - 4; n > 2; n -= 1 + n/50 {
				cut := append(bytes.Clone(data[:n]), 0xff, 0xd9)
				if _, err := jpeg.Decode(bytes.NewReader(cut)); err != nil && Whole(cut) {
					t.Errorf("%v %T: whole with %d of %d bytes, but %v", size, m, n, len(data), err)
				}
			}
		}
	}
}

// A file that is reported whole must decode, whatever its bytes.
func FuzzWhole(f *testing.F) {
	for _, side := range []int{8, 17} {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, grain(side, side), nil); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := jpeg.DecodeConfig(bytes.NewReader(data)); err == nil && c.Width*c.Height > 1<<20 || !Whole(data) {
			return
		}
		if _, err := jpeg.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("whole, but %v", err)
		}
	})
}

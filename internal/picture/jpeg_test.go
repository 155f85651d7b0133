package picture

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// grain returns a picture whose blocks all differ.
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

// A scan takes as long as the picture is large, and a few bytes. A picture counts once for 16 scans, also where it is only checked.
func TestScansCountAsPixels(t *testing.T) {
	const side = 1024
	for _, c := range []struct {
		marker byte
		scans  int
		counts int64
	}{{0xc2, 1, 1}, {0xc2, 16, 1}, {0xc2, 17, 2}, {0xc2, 255, 16}, {0xc0, 40, 3}} {
		data := jpegHead(c.marker, side, side, 0x11)
		for range c.scans - 1 {
			data = append(data, "\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00"...)
		}
		data = append(data, make([]byte, side*side/64/8)...) // the least that so many pixels can take
		for what, use := range map[string]func(*limit.Budget) error{
			"Decode": func(b *limit.Budget) error { _, _, err := Decode(data, "a.jpg", b); return err },
			"Check":  func(b *limit.Budget) error { _, err := Check(data, "a.jpg", b); return err },
		} {
			for _, limits := range []func(n int64) limit.Limits{
				func(n int64) limit.Limits { return limit.Limits{MaxPixels: n} },
				func(n int64) limit.Limits { return limit.Limits{MaxTextureTotal: n} },
			} {
				enough, short := limits(c.counts*side*side), limits(c.counts*side*side-1)
				if err := use(limit.NewBudget(enough)); errors.Is(err, limit.ErrLimit) {
					t.Errorf("%s of %d scans: %v", what, c.scans, err)
				}
				if err := use(limit.NewBudget(short)); !errors.Is(err, limit.ErrLimit) {
					t.Errorf("%s of %d scans within %+v: %v", what, c.scans, short, err)
				}
			}
		}
	}
}

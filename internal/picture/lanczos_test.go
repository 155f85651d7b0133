package picture

import (
	"bytes"
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"github.com/disintegration/imaging"
)

// noise returns a picture of hard edges and noise, with every kind of alpha or none.
func noise(w, h int, alpha bool) *image.NRGBA {
	r := rand.New(rand.NewPCG(uint64(w), uint64(h)))
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range im.Pix {
		switch i / 4 / w % 4 {
		case 0:
			im.Pix[i] = byte(r.Uint32())
		case 1:
			im.Pix[i] = byte(r.Uint32()&1) * 255
		case 2:
			im.Pix[i] = byte(128 + r.Uint32()%4)
		default:
			im.Pix[i] = byte(i / 4 % w)
		}
		if i%4 == 3 && !alpha {
			im.Pix[i] = 255
		}
	}
	return im
}

func TestLanczosEqualsImaging(t *testing.T) {
	sizes := []struct{ w, h, toW, toH int }{
		{64, 64, 128, 128}, {64, 64, 256, 128}, {64, 64, 128, 64}, {64, 64, 64, 128}, {128, 128, 96, 100}, {128, 128, 64, 32}, {128, 64, 32, 64},
		{1, 1, 16, 16}, {2, 3, 64, 64}, {16, 16, 1, 1}, {7, 200, 200, 7}, {300, 5, 11, 17}, {33, 1, 64, 1}, {1, 33, 1, 64}, {512, 16, 3, 16},
	}
	for _, s := range sizes {
		for _, alpha := range []bool{false, true} {
			t.Run(fmt.Sprintf("%dx%d to %dx%d alpha %t", s.w, s.h, s.toW, s.toH, alpha), func(t *testing.T) {
				im := noise(s.w, s.h, alpha)
				got, want := lanczos(im, s.toW, s.toH), imaging.Resize(im, s.toW, s.toH, imaging.Lanczos)
				for i := range want.Pix {
					if got.Pix[i] != want.Pix[i] {
						t.Fatalf("pixel %d, %d: %v, want %v", i/4%s.toW, i/4/s.toW, got.Pix[i&^3:i&^3+4], want.Pix[i&^3:i&^3+4])
					}
				}
			})
		}
	}
}

func TestLanczosScalesAPartOfAPicture(t *testing.T) {
	part := noise(40, 40, true).SubImage(image.Rect(5, 6, 25, 38)).(*image.NRGBA)
	if got, want := lanczos(part, 50, 50), imaging.Resize(part, 50, 50, imaging.Lanczos); !bytes.Equal(got.Pix, want.Pix) {
		t.Error("the pixels differ from imaging's")
	}
}

func FuzzLanczosEqualsImaging(f *testing.F) {
	f.Add(uint8(9), uint8(8), uint8(23), uint8(5), true)
	f.Add(uint8(64), uint8(64), uint8(128), uint8(128), false)
	f.Fuzz(func(t *testing.T, w, h, toW, toH uint8, alpha bool) {
		if w == 0 || h == 0 || toW == 0 || toH == 0 || w == toW && h == toH {
			return
		}
		im := noise(int(w), int(h), alpha)
		got, want := lanczos(im, int(toW), int(toH)), imaging.Resize(im, int(toW), int(toH), imaging.Lanczos)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Error("the pixels differ from imaging's")
		}
	})
}

func BenchmarkLanczos(b *testing.B) {
	for _, alpha := range []bool{false, true} {
		im := noise(256, 256, alpha)
		for name, resize := range map[string]func() *image.NRGBA{
			"ours":    func() *image.NRGBA { return lanczos(im, 512, 512) },
			"imaging": func() *image.NRGBA { return imaging.Resize(im, 512, 512, imaging.Lanczos) },
		} {
			b.Run(fmt.Sprintf("%s/alpha=%t", name, alpha), func(b *testing.B) {
				b.SetBytes(512 * 512 * 4)
				for b.Loop() {
					resize()
				}
			})
		}
	}
}

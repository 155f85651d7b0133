package paint

import (
	"bytes"
	"image"
	"math/rand/v2"
	"testing"
)

// Pictures that are drawn by pairs of bytes are those that are drawn by rows of numbers.
func TestDrawsBytesLikeNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	picture := func() *image.NRGBA {
		im := image.NewNRGBA(image.Rect(0, 0, 64, 32))
		for i := range im.Pix {
			im.Pix[i] = uint8(random.IntN(256))
		}
		return im
	}
	base, mask := picture(), picture()
	b := Brush{Width: 64, Height: 32}
	one, some := [3]float32{1, 1, 1}, [3]float32{0.25, 2, 0.25}
	for _, c := range []struct {
		name string
		s    Surface
		mask *image.NRGBA
	}{
		{"as it is", Surface{Tint: one, Light: one}, nil},
		{"glowing", Surface{Tint: one, Light: one, Glow: 1}, nil},
		{"glowing by a mask, in a colour", Surface{Tint: some, Light: [3]float32{3, 0.5, 0.1}, Glow: 0.7}, mask},
		{"tinted in places, seen through", Surface{Tint: some, Light: one, Places: true, Over: 0.4, Glow: 0.5, Shown: true}, nil},
		{"unlit, added", Surface{Tint: some, Light: one, Unlit: true, Pixels: Added, Opacity: 1}, nil},
		{"modulated", Surface{Tint: some, Light: one, Pixels: Modulated, Shown: true, Opacity: 0.5}, nil},
		{"late, multiplied", Surface{Tint: one, Light: some, Glow: 1, Last: true, Pixels: Multiplied, Opacity: 0.5}, mask},
	} {
		d := drawing{surface: &c.s, width: b.Width}
		if !d.byBytes(&b, base, nil, c.mask) {
			t.Errorf("%s: not drawn by bytes", c.name)
			continue
		}
		d.samplers(&b, base, nil, c.mask)
		by := newDirect(&d, base, c.mask)
		for y := range b.Height {
			var rows, want [2][256]byte
			d.row(y, want[0][:], want[1][:])
			by.row(y, rows[0][:], rows[1][:])
			for i := 3; i < 256; i += 4 {
				want[1][i], rows[1][i] = 255, 255
			}
			if !bytes.Equal(rows[0][:], want[0][:]) || !bytes.Equal(rows[1][:], want[1][:]) {
				t.Fatalf("%s, row %d: %v, want %v", c.name, y, rows, want)
			}
		}
	}
}

func BenchmarkSurface(b *testing.B) {
	base := image.NewNRGBA(image.Rect(0, 0, 512, 512))
	for i := range base.Pix {
		base.Pix[i] = uint8(i * i >> 5)
	}
	s := Surface{Tint: [3]float32{1, 1, 1}, Light: [3]float32{1, 1, 1}, Glow: 1}
	b.SetBytes(int64(len(base.Pix)))
	for b.Loop() {
		if _, _, err := s.Draw(b.Context(), &Brush{Width: 512, Height: 512}, base, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

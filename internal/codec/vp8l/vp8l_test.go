package vp8l

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
	"math/rand/v2"
	"testing"

	xwebp "golang.org/x/image/webp"
)

// decoded returns what golang.org/x/image reads from a chunk.
func decoded(t testing.TB, data []byte) *image.NRGBA {
	t.Helper()
	file := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8L"), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(file[16:], uint32(len(data)))
	file = append(file, data...)
	if len(data)&1 != 0 {
		file = append(file, 0)
	}
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
	m, err := xwebp.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if im, ok := m.(*image.NRGBA); ok {
		return im
	}
	im := image.NewNRGBA(m.Bounds())
	draw.Draw(im, im.Rect, m, image.Point{}, draw.Src)
	return im
}

// samples are pictures of every kind: of one colour, few colours, slopes, noise, patterns that repeat, and parts that differ.
func samples() map[string]func(x, y int, r *rand.Rand) [4]uint8 {
	grey := func(v int) [4]uint8 { return [4]uint8{uint8(v), uint8(v), uint8(v), 255} }
	return map[string]func(x, y int, r *rand.Rand) [4]uint8{
		"plain":   func(x, y int, r *rand.Rand) [4]uint8 { return [4]uint8{1, 2, 3, 255} },
		"clear":   func(x, y int, r *rand.Rand) [4]uint8 { return [4]uint8{} },
		"two":     func(x, y int, r *rand.Rand) [4]uint8 { return grey(255 * (x / 3 & 1)) },
		"four":    func(x, y int, r *rand.Rand) [4]uint8 { return grey(60 * r.IntN(4)) },
		"sixteen": func(x, y int, r *rand.Rand) [4]uint8 { return [4]uint8{uint8(16 * r.IntN(16)), 7, 200, 255} },
		"many":    func(x, y int, r *rand.Rand) [4]uint8 { return grey(r.IntN(17)) },
		"slope":   func(x, y int, r *rand.Rand) [4]uint8 { return [4]uint8{uint8(x), uint8(y), uint8(x + y), 255} },
		"noise": func(x, y int, r *rand.Rand) [4]uint8 {
			return [4]uint8{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256))}
		},
		"repeats": func(x, y int, r *rand.Rand) [4]uint8 {
			x, y = x%23, y%11
			return [4]uint8{uint8(x * x * 37), uint8(y * 91), uint8(x * y * 53), uint8(x*17 + y)}
		},
		"parts": func(x, y int, r *rand.Rand) [4]uint8 {
			switch {
			case x < 64:
				return grey(x + r.IntN(3))
			case y < 64:
				return [4]uint8{uint8(r.IntN(256)), 0, 0, 255}
			}
			return [4]uint8{9, uint8(x / 8), uint8(y / 5), 255}
		},
	}
}

// Every pixel comes back, whatever the picture and its size, also of colours that are clear.
func TestPicturesComeBack(t *testing.T) {
	for name, pixel := range samples() {
		for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 9}, {7, 5}, {16, 16}, {33, 17}, {200, 150}, {257, 70}} {
			r := rand.New(rand.NewPCG(1, 2))
			im := image.NewNRGBA(image.Rect(0, 0, size[0], size[1]))
			for i := 0; i < len(im.Pix); i += 4 {
				v := pixel(i/4%size[0], i/4/size[0], r)
				copy(im.Pix[i:], v[:])
			}
			if got := decoded(t, Encode(im.Pix, im.Stride, size[0], size[1], true)); !bytes.Equal(got.Pix, im.Pix) {
				t.Errorf("%s of %v differs", name, size)
			}
		}
	}
}

// A plane is the green of a picture; its rows may be of any width.
func TestPlanesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, values := range []int{1, 2, 3, 16, 17, 256} {
		plane := make([]byte, 65*31)
		for i := range plane {
			plane[i] = uint8(r.IntN(values))
		}
		got := decoded(t, Plane(plane, 65, 31))
		for i, v := range plane {
			if got.Pix[4*i+1] != v {
				t.Fatalf("%d values: %d at %d, want %d", values, got.Pix[4*i+1], i, v)
			}
		}
	}
}

// What repeats is copied, and parts that differ have codes of their own, so that both take far less than their pixels.
func TestPicturesGetSmall(t *testing.T) {
	most := map[string]int{"plain": 40, "two": 80, "slope": 700, "repeats": 2100, "parts": 18000}
	for name, limit := range most {
		r := rand.New(rand.NewPCG(1, 2))
		pix := make([]byte, 4*200*150)
		for i := 0; i < len(pix); i += 4 {
			v := samples()[name](i/4%200, i/4/200, r)
			copy(pix[i:], v[:])
		}
		if n := len(Encode(pix, 800, 200, 150, true)); n > limit {
			t.Errorf("%s takes %d bytes, more than %d", name, n, limit)
		}
	}
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte("a picture of noise that is long enough for several rows and for copies of copies of copies"), uint8(5))
	f.Fuzz(func(t *testing.T, data []byte, width uint8) {
		w := int(width)%64 + 1
		h := len(data) / 4 / w
		if h == 0 || h > 256 {
			t.Skip()
		}
		if got := decoded(t, Encode(data, 4*w, w, h, true)); !bytes.Equal(got.Pix, data[:4*w*h]) {
			t.Error("differs")
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	for name, pixel := range samples() {
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			pix := make([]byte, 4*512*512)
			for i := 0; i < len(pix); i += 4 {
				v := pixel(i/4%512, i/4/512, r)
				copy(pix[i:], v[:])
			}
			b.SetBytes(int64(len(pix)))
			for b.Loop() {
				Encode(pix, 4*512, 512, 512, true)
			}
		})
	}
}

// A pixel is compared with few others, also where long copies save nothing because each pixel takes next to no bits.
func TestFewPixelsAreCompared(t *testing.T) {
	rare := samples()
	rare["rare"] = func(x, y int, r *rand.Rand) [4]uint8 { return [4]uint8{0, uint8(max(0, r.IntN(2000)-1998)), 0, 255} }
	rare["rows"] = func(x, y int, r *rand.Rand) [4]uint8 { return [4]uint8{0, uint8(x * 255 / 512), 0, 255} }
	for name, pixel := range rare {
		r := rand.New(rand.NewPCG(1, 2))
		p := picture{make([]uint32, 512*512), 512, 512}
		for i := range p.px {
			v := pixel(i%512, i/512, r)
			p.px[i] = uint32(v[3])<<24 | uint32(v[0])<<16 | uint32(v[1])<<8 | uint32(v[2])
		}
		m := newMatcher(&p)
		m.match()
		if most := 20 * len(p.px); m.compared > most {
			t.Errorf("%s: %d pixels were compared, more than %d", name, m.compared, most)
		}
	}
}

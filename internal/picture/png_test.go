package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// efforts lists all efforts, the fastest first.
var efforts = []Effort{Fast, Default, Small}

// pictures are the colour types that EncodePNG can choose, at any size.
var pictures = []struct {
	name  string
	alpha bool
	kind  byte // what Default and Small choose for a large picture
	at    func(x, y int) color.NRGBA
}{
	{"colour", false, pngRGB, func(x, y int) color.NRGBA { return color.NRGBA{uint8(x * 3), uint8(y * 5), uint8(x * y), 255} }},
	{"colour and alpha to ignore", false, pngRGB, func(x,
		y int) color.NRGBA {
		return color.NRGBA{uint8(x * 3), uint8(y * 5), uint8(x * y), uint8(x)}
	}},
	{"colour and alpha", true, pngRGBA, func(x, y int) color.NRGBA {
		return color.NRGBA{uint8(x * 3), uint8(y * 5), uint8(x * y),
			uint8(x + y)}
	}},
	{"colour and alpha of 255", true, pngRGB, func(x,
		y int) color.NRGBA {
		return color.NRGBA{uint8(x * 3), uint8(y * 5), uint8(x * y), 255}
	}},
	{"grey", false, pngGrey, func(x, y int) color.NRGBA { v := uint8(x*3 + y); return color.NRGBA{v, v, v, 7} }},
	{"grey and alpha", true, pngGreyAlpha, func(x, y int) color.NRGBA { v := uint8(x*3 + y); return color.NRGBA{v, v, v, uint8(y)} }},
	{"256 colours", false, pngPalette, func(x, y int) color.NRGBA { return color.NRGBA{uint8(x * y), 9, uint8(x*y) / 2, uint8(x)} }},
	{"few colours and alpha", true, pngPalette, func(x, y int) color.NRGBA { return color.NRGBA{uint8(x % 3), 200, 9, uint8(y%2) * 255} }},
	{"one colour", true, pngPalette, func(x, y int) color.NRGBA { return color.NRGBA{10, 20, 30, 255} }},
	{"black", false, pngPalette, func(x, y int) color.NRGBA { return color.NRGBA{} }},
}

func TestEncodePNGKeepsEveryPixel(t *testing.T) {
	sizes := []image.Point{{1, 1}, {2, 1}, {1, 3}, {3, 3}, {5, 7}, {31, 2}, {43, 9}, {64, 64}, {129, 70}, {257, 130}, {1400, 3}}
	for _, p := range pictures {
		for _, size := range sizes {
			im := image.NewNRGBA(image.Rectangle{Max: size})
			for y := range size.Y {
				for x := range size.X {
					im.SetNRGBA(x, y, p.at(x, y))
				}
			}
			want := wide(im, p.alpha)
			for _, e := range efforts {
				name := fmt.Sprintf("%s, %v, %v", p.name, size, e)
				data, err := EncodePNG(im, p.alpha, e)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				m, err := png.Decode(bytes.NewReader(data))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got := toNRGBA(m); !bytes.Equal(got.Pix, want.Pix) {
					t.Fatalf("%s: the pixels changed", name)
				}
				kind := p.kind
				if e == Fast {
					kind = pngRGB
					if p.alpha {
						kind = pngRGBA
					}
				}
				if size.X == 257 && data[25] != kind {
					t.Errorf("%s: colour type %d, want %d", name, data[25], kind)
				}
				if info, err := Sniff(data, "", nil); err != nil || !info.Passable {
					t.Errorf("%s: not passable: %v", name, err)
				}
			}
		}
	}
}

func TestEncodePNGOfAPartOfAPicture(t *testing.T) {
	im := textured(40, 30, true)
	part := im.SubImage(image.Rect(7, 5, 30, 30)).(*image.NRGBA)
	for _, e := range efforts {
		data, err := EncodePNG(part, true, e)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Decode(data, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rect.Size() != part.Rect.Size() || got.NRGBAAt(3, 4) != part.NRGBAAt(10, 9) || got.NRGBAAt(22, 24) != part.NRGBAAt(29, 29) {
			t.Errorf("%v: other pixels", e)
		}
	}
}

// Writers are used again and by many at a time, and must not remember.
func TestEncodePNGGivesTheSameBytes(t *testing.T) {
	var ims []*image.NRGBA
	for i := range 12 {
		ims = append(ims, textured(20+21*i, 90-7*i, i%2 == 0))
	}
	for _, e := range efforts {
		first := make([][]byte, len(ims))
		for i, im := range ims {
			pngEfforts[e].writers = sync.Pool{}
			var err error
			if first[i], err = EncodePNG(im, true, e); err != nil {
				t.Fatal(err)
			}
		}
		var wg sync.WaitGroup
		for worker := range 3 {
			wg.Go(func() {
				for _, i := range rand.New(rand.NewPCG(0, uint64(worker))).Perm(len(ims)) {
					data, err := EncodePNG(ims[i], true, e)
					if err != nil || !bytes.Equal(data, first[i]) {
						t.Errorf("%v: picture %d differs, %v", e, i, err)
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestEncodersRejectWhatTheyCantHold(t *testing.T) {
	for _, im := range []*image.NRGBA{{}, {Rect: image.Rect(0, 0, 1<<20, 1<<20)}} {
		for _, e := range efforts {
			if _, err := EncodePNG(im, true, e); !errors.Is(err, limit.ErrUsage) {
				t.Error(err)
			}
		}
		if _, err := EncodeWebP(im, true, 5); !errors.Is(err, limit.ErrUsage) {
			t.Error(err)
		}
		if _, err := EncodeJPEG(im, 5); !errors.Is(err, limit.ErrUsage) {
			t.Error(err)
		}
	}
	if _, err := EncodePNG(textured(1, 1, false), true, "best"); !errors.Is(err, limit.ErrUsage) {
		t.Error(err)
	}
}

func TestCheckEffort(t *testing.T) {
	for _, e := range efforts {
		if err := e.Check(); err != nil {
			t.Error(err)
		}
	}
	for _, e := range []Effort{"Best", ""} {
		if err := e.Check(); !errors.Is(err, limit.ErrUsage) {
			t.Errorf("%q: %v", e, err)
		}
	}
}

// The words of eight bytes against the bytes of the standard, for all values that differ in their order.
func TestPaethAgreesWithTheStandard(t *testing.T) {
	abs := func(v int) int { return max(v, -v) }
	one := func(a, b, c int) int {
		p := a + b - c
		switch pa, pb, pc := abs(p-a), abs(p-b), abs(p-c); {
		case pa <= pb && pa <= pc:
			return a
		case pb <= pc:
			return b
		}
		return c
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 200_000 {
		a, b, c := random.Uint64(), random.Uint64(), random.Uint64()
		switch random.IntN(4) {
		case 0:
			b = a ^ b&ones8
		case 1:
			c = a ^ c&(3*ones8)
		case 2:
			a, b, c = a&high1/128*255, b&high1/128*255, c&high1/128*255
		}
		got := paeth8(a, b, c)
		for i := 0; i < 64; i += 8 {
			if want := one(int(a>>i&255), int(b>>i&255), int(c>>i&255)); int(got>>i&255) != want {
				t.Fatalf("%x %x %x: %x", a, b, c, got)
			}
		}
		diff, mean, sums, total := minus(a, b), average8(a, b), magnitude(a), 0
		for i := 0; i < 64; i += 8 {
			if byte(diff>>i) != byte(a>>i)-byte(b>>i) || byte(mean>>i) != byte((a>>i&255+b>>i&255)/2) {
				t.Fatalf("%x %x: difference %x, mean %x", a, b, diff, mean)
			}
			total += abs(int(int8(a >> i)))
		}
		if got := int(sums&0xffff + sums>>16&0xffff + sums>>32&0xffff + sums>>48); got != total {
			t.Fatalf("%x: %d, want %d", a, got, total)
		}
	}
}

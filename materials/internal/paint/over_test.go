package paint

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

func BenchmarkDrawDetail(b *testing.B) {
	base, over := imagetest.Filled(1024, 1024, color.NRGBA{90, 80, 70, 255}), imagetest.Filled(128, 128, imagetest.Grey(120))
	p := Mix{UV: [6]float64{8, 0, 0, 0, 8, 0}, Factor: 1, Tint: [3]float64{1, 1, 1}, Finer: 4}
	b.SetBytes(int64(len(base.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		c := Spread(&p, base, over)
		if _, err := c.Draw(b.Context(), &p, base, over); err != nil {
			b.Fatal(err)
		}
	}
}

func TestShrinksMixesThatRepeat(t *testing.T) {
	base, over := imagetest.Filled(16, 16, imagetest.Grey(9)), imagetest.Filled(8, 8, imagetest.Grey(9))
	for _, c := range []struct {
		name string
		uv   [6]float64
		fine float64
		want Brush
	}{
		{"as it is", pbr.Identity, 0, Brush{Width: 16, Height: 16, UV: pbr.Identity, Mean: false}},
		{"finer than the picture may be", [6]float64{4, 0, 0, 0, 4, 0}, 0,
			Brush{Width: 16, Height: 16, UV: [6]float64{4, 0, 0, 0, 4, 0}, Mean: false}},
		{"as fine as what repeats", [6]float64{4, 0, 0, 0, 4, 0}, 4,
			Brush{Width: 32, Height: 32, UV: [6]float64{4, 0, 0, 0, 4, 0}, Mean: false}},
		{"no finer than four times", [6]float64{64, 0, 0, 0, 3, 0}, 4,
			Brush{Width: 64, Height: 32, UV: [6]float64{64, 0, 0, 0, 3, 0}, Mean: false}},
		{"rounded", [6]float64{2.6, 0, 0.25, 0, 0.7, 0}, 4, Brush{Width: 32, Height: 16, UV: [6]float64{3, 0, 0.25, 0, 1, 0}, Mean: false}},
		{"turned", [6]float64{0, -2, 0, 2, 0, 0}, 4, Brush{Width: 16, Height: 16, UV: [6]float64{0, -2, 0, 2, 0, 0}, Mean: false}},
		{"too coarse", [6]float64{0.3, 0, 0, 0, 0.3, 0}, 4, Brush{Width: 16, Height: 16, UV: pbr.Identity, Mean: true}},
	} {
		p := Mix{UV: c.uv, Finer: c.fine}
		if got := Spread(&p, base, over); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestAPictureHoldsADetail(t *testing.T) {
	for _, c := range []struct {
		name   string
		scale  float64
		finer  float64
		expect bool
	}{
		{"as fine as the picture", 2, 0, true}, {"finer, and the picture grows", 4, 2, true}, {"finer than it may be", 8, 2, false},
		{"at another scale", 2.5, 8, false}, {"at the least side", 3, 4, true},
	} {
		m := Mix{UV: [6]float64{c.scale, 0, 0, 0, c.scale, 0}, Finer: c.finer}
		if got := m.Holds([2]int{16, 16}, [2]int{8, 8}); got != c.expect {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// A white base of one pixel lies under a pattern that repeats twice, of 128 (which is 1.0039 times as bright) and 64 (0.502 times,
// which is 188.2 in sRGB). Four times as fine as the base is enough for all of it.
func TestDrawsAPatternOverATexture(t *testing.T) {
	m := Mix{UV: [6]float64{2, 0, 0, 0, 1, 0}, Stored: true, Factor: 1, Tint: White, Finer: 4}
	base, over := imagetest.Filled(1, 1, imagetest.Grey(255)), imagetest.Row(128, 64)
	brush := Spread(&m, base, over)
	im, err := brush.Draw(t.Context(), &m, base, over)
	if err != nil {
		t.Fatal(err)
	}
	if got := [4]uint8{im.Pix[0], im.Pix[4], im.Pix[8], im.Pix[12]}; got != [4]uint8{255, 188, 255, 188} || im.Rect.Dy() != 1 {
		t.Errorf("%v, %v", got, im.Rect)
	}
}

// A mask's green of 51 and 204 becomes an alpha of 204 and 51; the colour below stays.
func TestDrawsAMaskIntoTheAlpha(t *testing.T) {
	m := Mix{UV: pbr.Identity, Mode: Covered, Stored: true, Factor: 1, Tint: White}
	base, over := imagetest.Filled(2, 1, color.NRGBA{200, 100, 50, 255}), imagetest.Row(51, 204)
	brush := Spread(&m, base, over)
	im, err := brush.Draw(t.Context(), &m, base, over)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(im.Pix); got != "[200 100 50 204 200 100 50 51]" {
		t.Error(got)
	}
}

// A pattern that is too coarse to repeat with the base is drawn as its mean; without one the base is only changed: here all that is
// darker than one half goes.
func TestDrawsWithoutAPattern(t *testing.T) {
	base := imagetest.Row(255, 128)
	coarse := Mix{UV: [6]float64{0.2, 0, 0, 0, 0.2, 0}, Mode: AddedMix, Factor: 1, Tint: White}
	bright := Mix{UV: pbr.Identity, Mode: ShoneAbove, Factor: 0.5, Tint: White}
	for _, c := range []struct {
		m    Mix
		over *image.NRGBA
		want [2]uint8
	}{
		{coarse, imagetest.Row(188, 188), [2]uint8{255, 220}}, // 0.216 + 0.503 is 0.719, which is 220 in sRGB
		{bright, nil, [2]uint8{255, 0}},
	} {
		brush := Spread(&c.m, base, c.over)
		im, err := brush.Draw(t.Context(), &c.m, base, c.over)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]uint8{im.Pix[0], im.Pix[4]}; got != c.want {
			t.Errorf("mode %d: %v, want %v", c.m.Mode, got, c.want)
		}
	}
}

func TestDrawingStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	base := imagetest.Row(1, 2)
	m := Mix{UV: pbr.Identity}
	brush := Spread(&m, base, base)
	if _, err := brush.Draw(ctx, &m, base, base); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r := Recipe{Stages: []Stage{over(nil, pbr.Identity)}}
	ignored := func(Part, *image.NRGBA) error { return nil }
	if err := LayOut(&r, []*image.NRGBA{base}).Draw(ctx, &r, ignored); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

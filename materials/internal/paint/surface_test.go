package paint

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// shownAs returns the 8-bit value that linear light is stored as.
func shownAs(light float64) float64 {
	if light = Clamp01(light); light <= 0.0031308 {
		return 255 * 12.92 * light
	}
	return 255 * (1.055*math.Pow(light, 1/2.4) - 0.055)
}

// The base is 200 100 50, 0.578 0.127 0.0319 in linear light, with an alpha of 0.502; the detail is 255 128 0, 1 0.216 0 in linear light,
// with an alpha of 0.2; the mask is 255 0 128.
func TestSurfaces(t *testing.T) {
	base := imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 128})
	detail := imagetest.Filled(1, 1, color.NRGBA{255, 128, 0, 51})
	mask := imagetest.Filled(1, 1, color.NRGBA{255, 0, 128, 9})
	b := [3]float64{gamma.Decode(200.0 / 255), gamma.Decode(100.0 / 255), gamma.Decode(50.0 / 255)}
	d := [3]float64{1, gamma.Decode(128.0 / 255), 0}
	const a, k = 128.0 / 255, 51.0 / 255
	one := [3]float32{1, 1, 1}
	mix := func(m BlendMode) Mix { return Mix{UV: pbr.Identity, Mode: m, Factor: 1, Tint: White} }
	each := func(f func(c, d float64) float64) (out [3]float64) {
		for i := range out {
			out[i] = f(b[i], d[i])
		}
		return out
	}
	same := func(c, _ float64) float64 { return c }
	for _, c := range []struct {
		name      string
		s         Surface
		over      *image.NRGBA
		mask      *image.NRGBA
		lit, glow [3]float64
		alpha     uint8
	}{
		{"what glows is not lit", Surface{Tint: one, Light: one, Glow: 1}, nil, nil,
			each(func(c, _ float64) float64 { return c * (1 - a) }), each(func(c, _ float64) float64 { return c * a }), 255},
		{"by a mask", Surface{Tint: one, Light: one, Glow: 1}, nil, mask, [3]float64{0, b[1], b[2] * (1 - a)},
			[3]float64{b[0], 0, b[2] * a}, 255},
		{"half of the angles", Surface{Tint: one, Light: [3]float32{0.5, 1, 1}, Glow: 0.5}, nil, nil,
			each(func(c, _ float64) float64 { return c * (1 - a/2) }), [3]float64{b[0] * a / 4, b[1] * a / 2, b[2] * a / 2}, 255},
		{"tinted in places", Surface{Tint: [3]float32{1, 0.5, 0}, Places: true}, nil, nil,
			[3]float64{b[0], b[1] * (1 - a/2), b[2] * (1 - a)}, [3]float64{}, 255},
		{"a colour in places", Surface{Tint: [3]float32{1, 0.5, 0}, Places: true, Over: 1}, nil, nil,
			[3]float64{b[0] + (1-b[0])*a, b[1] + (0.5-b[1])*a, b[2] * (1 - a)}, [3]float64{}, 255},
		{"brighter than white", Surface{Tint: [3]float32{2, 2, 2}}, nil, nil, [3]float64{1, 2 * b[1], 2 * b[2]}, [3]float64{}, 255},
		{"seen through", Surface{Tint: one, Shown: true}, nil, nil, each(same), [3]float64{}, 128},
		{"detail over it", Surface{Tint: one, Detail: mix(OverMix)}, detail, nil, each(func(c, d float64) float64 { return c + (d-c)*k }),
			[3]float64{}, 255},
		{"an alpha before the detail", Surface{Tint: one, Shown: true, Detail: mix(MaskedMix)}, detail, nil, each(same), [3]float64{}, 128},
		{"an alpha after the detail", Surface{Tint: one, Shown: true, After: true, Detail: mix(MaskedMix)}, detail, nil, each(same),
			[3]float64{}, 26},
		{"a glow after the detail", Surface{Tint: one, Light: one, Glow: 1, After: true, Detail: mix(MaskedMix)}, detail, nil,
			each(func(c, _ float64) float64 { return c * (1 - a*k) }), each(func(c, _ float64) float64 { return c * a * k }), 255},
		{"a detail that shines", Surface{Tint: one, Detail: mix(Shone)}, detail, nil, each(same), d, 255},
		{"a detail that shines where the rest does not", Surface{Tint: one, Light: one, Glow: 1, Detail: mix(Shone)}, detail, nil,
			each(func(c, _ float64) float64 { return c * (1 - a) }), each(func(c, d float64) float64 { return c*a + d*(1-a) }), 255},
		{"a detail that shines over all", Surface{Tint: one, Light: one, Glow: 1, Last: true, Detail: mix(ShoneAbove)}, detail, nil,
			each(func(c, _ float64) float64 { return c * (1 - a) }), each(func(c, d float64) float64 { return c*a + d }), 255},
		{"a detail on what has no light", Surface{Tint: one, Unlit: true, Detail: mix(Shone)}, detail, nil,
			each(func(c, d float64) float64 { return c + d }), [3]float64{}, 255},
	} {
		brush := Brush{Width: 1, Height: 1, UV: pbr.Identity}
		lit, glow, err := c.s.Draw(t.Context(), &brush, base, c.over, c.mask)
		if err != nil {
			t.Fatal(err)
		}
		if glow == nil {
			glow = blackPicture(1, 1)
		}
		for i := range 3 {
			if math.Abs(float64(lit.Pix[i])-shownAs(c.lit[i])) > 0.6 || math.Abs(float64(glow.Pix[i])-shownAs(c.glow[i])) > 0.6 {
				t.Errorf("%s: %v and %v, want linear %.3f and %.3f", c.name, lit.Pix, glow.Pix, c.lit, c.glow)
				break
			}
		}
		if lit.Pix[3] != c.alpha {
			t.Errorf("%s: alpha %d, want %d", c.name, lit.Pix[3], c.alpha)
		}
	}
}

// Half of the light of 200 100 50 is 147 72 34 as displayed: 72/147 of 255 is 125, 34/147 59.
func TestAddsASurfaceByItsOpacity(t *testing.T) {
	base := imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 128})
	for _, c := range []struct {
		s    Surface
		want [4]uint8
	}{
		{Surface{Tint: [3]float32{1, 1, 1}, Pixels: AddedByAlpha, Shown: true, Opacity: 1}, [4]uint8{255, 125, 59, 147}},
		{Surface{Tint: [3]float32{1, 1, 1}, Pixels: AddedByAlpha, Opacity: 128.0 / 255}, [4]uint8{255, 125, 59, 147}},
		{Surface{Tint: [3]float32{1, 1, 1}, Pixels: Added, Opacity: 0.1}, [4]uint8{255, 128, 64, 200}},
	} {
		im, _, err := c.s.Draw(t.Context(), &Brush{Width: 1, Height: 1, UV: pbr.Identity}, base, nil, nil)
		if err != nil || [4]uint8(im.Pix) != c.want {
			t.Errorf("%v: %v, %v", c.s.Pixels, im.Pix, err)
		}
	}
}

// A texture that has its colour where its alpha is 0 keeps it in a picture of another size, unless the alpha is shown.
func TestColourWithoutAlphaStays(t *testing.T) {
	base := imagetest.Filled(2, 1, color.NRGBA{0, 0, 255, 255})
	copy(base.Pix, []byte{200, 100, 50, 0})
	over := imagetest.Filled(4, 1, color.NRGBA{128, 128, 128, 0})
	s := Surface{Tint: [3]float32{1, 1, 1}, Detail: Mix{UV: [6]float64{2, 0, 0, 0, 1, 0}, Mode: Faded, Tint: White, Finer: 4}}
	b := Spread(&s.Detail, base, over)
	im, _, err := s.Draw(t.Context(), &b, base, over, nil)
	if err != nil || b.Width != 8 {
		t.Fatal(b, err)
	}
	if c := im.NRGBAAt(1, 0); c != (color.NRGBA{200, 100, 50, 255}) {
		t.Error(c)
	}
}

func TestDrawingASurfaceStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := Surface{}
	if _, _, err := s.Draw(ctx, &Brush{Width: 1, Height: 1, UV: pbr.Identity}, imagetest.Row(1), nil, nil); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}

// In 0 40 100 100 the second value rises by 40 on one side and by 60 on the other: it takes 40, half of which is within a quarter of
// its middle to either side. At the others the values turn, or stay.
func TestEnlargesWithoutNewValues(t *testing.T) {
	want := []uint8{0, 0, 30, 50, 100, 100, 100, 100}
	im := enlarge(imagetest.Row(0, 40, 100, 100), 2, 1)
	down := enlarge(&image.NRGBA{Pix: imagetest.Row(0, 40, 100, 100).Pix, Stride: 4, Rect: image.Rect(0, 0, 1, 4)}, 1, 2)
	for i, v := range want {
		if im.Pix[4*i] != v || down.Pix[4*i] != v || im.Pix[4*i+3] != 255 {
			t.Errorf("%d: %d and %d, want %d", i, im.Pix[4*i], down.Pix[4*i], v)
		}
	}
	if im.Rect != image.Rect(0, 0, 8, 1) || down.Rect != image.Rect(0, 0, 1, 8) {
		t.Error(im.Rect, down.Rect)
	}
}

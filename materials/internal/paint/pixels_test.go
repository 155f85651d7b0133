package paint

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
)

func TestChangesPixels(t *testing.T) {
	for _, c := range []struct {
		Pixels   Pixels
		in, want [4]uint8
	}{
		{AsStored, [4]uint8{1, 2, 3, 4}, [4]uint8{1, 2, 3, 4}},
		{Added, [4]uint8{100, 50, 0, 9}, [4]uint8{255, 128, 0, 100}}, // 50/100 of 255
		{Added, [4]uint8{0, 0, 0, 255}, [4]uint8{}},
		{AddedByAlpha, [4]uint8{200, 100, 0, 51}, [4]uint8{255, 128, 0, 40}}, // a fifth: 40 and 20
		{Modulated, [4]uint8{0, 0, 0, 255}, [4]uint8{0, 0, 0, 255}},
		{Modulated, [4]uint8{255, 255, 255, 255}, [4]uint8{255, 255, 255, 255}},
		// 64·2/255 is 0.502: a is 0.498. Red is the furthest and black; 96·2/255 is 0.753: (1 - 0.247/0.498)/2 = 0.252.
		{Modulated, [4]uint8{64, 96, 64, 255}, [4]uint8{0, 64, 0, 127}},
		{Multiplied, [4]uint8{255, 255, 255, 255}, [4]uint8{128, 128, 128, 0}},
		{Multiplied, [4]uint8{0, 255, 0, 255}, [4]uint8{0, 128, 0, 255}},
	} {
		im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(im.Pix, c.in[:])
		if Change(c.Pixels, im); [4]uint8(im.Pix) != c.want {
			t.Errorf("%v %v: %v, want %v", c.Pixels, c.in, im.Pix, c.want)
		}
	}
}

func TestNormalMapsOfDirections(t *testing.T) {
	for _, c := range []struct {
		in   [4]uint8
		bump bool
		want [4]uint8
	}{
		{[4]uint8{140, 100, 250, 7}, false, [4]uint8{140, 155, 250, 255}}, // V turned up
		{[4]uint8{100, 100, 100, 7}, true, [4]uint8{128, 127, 255, 255}},  // flat; 127.5 is 128, and 255-128 is 127
		{[4]uint8{0, 0, 0, 7}, true, [4]uint8{128, 127, 255, 255}},
		{[4]uint8{255, 0, 0, 7}, true, [4]uint8{232, 127, 201, 255}}, // (√⅔ + 1)/2 is 0.908, (√⅓ + 1)/2 0.789
		{[4]uint8{0, 255, 0, 7}, true, [4]uint8{75, 37, 201, 255}},   // (-√⅙ + 1)/2 is 0.296, (√½ + 1)/2 0.854: 218 downwards
	} {
		im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(im.Pix, c.in[:])
		if ToNormals(im, c.bump, true); [4]uint8(im.Pix) != c.want {
			t.Errorf("%v %t: %v, want %v", c.in, c.bump, im.Pix, c.want)
		}
	}
}

// The base is 200 100 50 with half an alpha: 0.578 0.127 0.0319 in linear light; half of it is 148 71 34 in sRGB.
func TestGlowIsLinear(t *testing.T) {
	im := imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 128})
	Shine(im, nil)
	for k, v := range []float64{200, 100, 50} {
		l := Linear(v/255) * 128 / 255
		want := 255 * (1.055*math.Pow(l, 1/2.4) - 0.055)
		if got := float64(im.Pix[k]); math.Abs(got-want) > 0.51 {
			t.Errorf("%g: %g, want %g", v, got, want)
		}
	}
	im = imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 0})
	if Shine(im, imagetest.Filled(1, 1, color.NRGBA{255, 0, 255, 0})); [4]uint8(im.Pix) != [4]uint8{200, 0, 50, 255} {
		t.Error(im.Pix)
	}
}

// The base is 200 100 50, 0.578 0.127 0.0319 in linear light. A tint of 1, 0.5 and 0 at half an alpha leaves 1, 0.75 and 0.5
// of it; in place of it, it is the mean of both.
func TestTintsByAlpha(t *testing.T) {
	base := [3]float64{Linear(200.0 / 255), Linear(100.0 / 255), Linear(50.0 / 255)}
	tint := [3]float32{1, 0.5, 0}
	const a = 128.0 / 255
	for _, over := range []float32{0, 1} {
		im := imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 128})
		PaintTint(im, tint, over)
		for k, c := range base {
			to := c * float64(tint[k])
			if over == 1 {
				to = float64(tint[k])
			}
			want := 255 * (1.055*math.Pow(c+(to-c)*a, 1/2.4) - 0.055)
			if got := float64(im.Pix[k]); math.Abs(got-want) > 0.51 {
				t.Errorf("over %g: channel %d: %g, want %g", over, k, got, want)
			}
		}
		if im.Pix[3] != 255 {
			t.Error(im.Pix)
		}
	}
}

// 0.578 0.127 0.0319 in linear light, an alpha of 0.4 and an opacity of a half: 0.8 of white and 0.2 of that are 0.9156, 0.8254
// and 0.8064; 0.8 goes through.
func TestPanesAreWhereLightDoesNotGoThrough(t *testing.T) {
	im := imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 102})
	PaintPane(im, 0.5)
	if want := [4]uint8{245, 234, 232, 255}; [4]uint8(im.Pix) != want {
		t.Errorf("%v, want %v", im.Pix, want)
	}
	im = imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 102})
	if PaintPassed(im, 0.5); [4]uint8(im.Pix) != [4]uint8{204, 0, 0, 255} {
		t.Error(im.Pix)
	}
}

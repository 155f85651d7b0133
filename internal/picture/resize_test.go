package picture

import (
	"image"
	"image/color"
	"testing"
)

func TestHalvingAveragesFourPixels(t *testing.T) {
	for _, c := range []struct {
		name string
		in   [4]color.NRGBA
		want color.NRGBA
	}{
		// (0 + 1 + 2 + 3 + 2) / 4 = 2, (255*4 + 2) / 4 = 255, (10 + 10 + 10 + 11 + 2) / 4 = 10
		{"opaque", [4]color.NRGBA{{0, 255, 10, 255}, {1, 255, 10, 255}, {2, 255, 10, 255}, {3, 255, 11, 255}},
			color.NRGBA{2, 255, 10, 255}},
		// 100 and 50 with alpha 255 and 51: (100*255 + 50*51) / 306 = 91.7; alpha 306 / 4 = 76.5
		{"alpha", [4]color.NRGBA{{100, 0, 0, 255}, {50, 0, 0, 51}, {9, 200, 0, 0}, {9, 0, 200, 0}}, color.NRGBA{92, 0, 0, 77}},
		{"one alpha differs at the end", [4]color.NRGBA{{100, 0, 0, 0}, {100, 0, 0, 0}, {100, 0, 0, 0}, {8, 9, 10, 255}},
			color.NRGBA{8, 9, 10, 64}},
		{"all clear", [4]color.NRGBA{{100, 0, 0, 0}, {50, 0, 0, 0}, {50, 0, 0, 0}, {0, 0, 4, 0}}, color.NRGBA{50, 0, 1, 0}},
	} {
		im := image.NewNRGBA(image.Rect(0, 0, 2, 2))
		for i, p := range c.in {
			im.SetNRGBA(i%2, i/2, p)
		}
		if got := Resize(im, 1, 1).NRGBAAt(0, 0); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestResizeGivesTheSizeAsked(t *testing.T) {
	im := textured(64, 48, true)
	for _, size := range []image.Point{{64, 48}, {32, 24}, {16, 12}, {8, 6}, {32, 48}, {100, 7}, {1, 1}, {0, -5}, {128, 96}} {
		got := Resize(im, size.X, size.Y)
		if want := image.Rect(0, 0, max(size.X, 1), max(size.Y, 1)); got.Rect != want {
			t.Errorf("%v: %v", size, got.Rect)
		}
	}
	if Resize(im, 64, 48) != im {
		t.Error("the same size made another picture")
	}
	// A part of a picture is halved from its own corner.
	part := im.SubImage(image.Rect(10, 10, 30, 20)).(*image.NRGBA)
	if got, want := Resize(part, 10, 5), Resize(wide(part, true), 10, 5); string(got.Pix) != string(want.Pix) {
		t.Error("a part of a picture was halved from elsewhere")
	}
}

func TestFitKeepsTheRatio(t *testing.T) {
	for _, c := range []struct{ w, h, most, wantW, wantH int }{
		{64, 64, 64, 64, 64},
		{64, 32, 16, 16, 8},
		{32, 64, 16, 8, 16},
		{100, 30, 50, 50, 15},
		{100, 1, 10, 10, 1},
		{7, 5, 0, 1, 1},
	} {
		got := Fit(textured(c.w, c.h, false), c.most)
		if got.Rect.Dx() != c.wantW || got.Rect.Dy() != c.wantH {
			t.Errorf("%d x %d to %d: %v", c.w, c.h, c.most, got.Rect.Size())
		}
	}
}

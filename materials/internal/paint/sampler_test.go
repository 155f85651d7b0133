package paint

import (
	"image/color"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
)

// A mean is of what is seen of an image.
func TestMeanColor(t *testing.T) {
	im := imagetest.Row(200, 100)
	im.Pix[3] = 0
	if c := MeanColor(im, true); c != [4]float32{100. / 255, 100. / 255, 100. / 255, 0.5} {
		t.Error(c)
	}
	if c := MeanColor(im, false); c != [4]float32{150. / 255, 150. / 255, 150. / 255, 0.5} {
		t.Error(c)
	}
	if c := MeanColor(imagetest.Filled(2, 2, color.NRGBA{}), true); c != [4]float32{} {
		t.Error(c)
	}
}

// Texels at their centres are read as they are, between two of them in the middle, and beyond the edge as the texture says. No image
// lies exactly on the picture, where it would be resized.
func TestSamplesBetweenTexels(t *testing.T) {
	im := imagetest.Row(0, 100)
	for _, c := range []struct {
		name  string
		uv    [6]float64
		clamp bool
		want  [4]float32 // of 255
	}{
		{"twice as wide", [6]float64{1, 0, 1e-9, 0, 1, 0}, false, [4]float32{25, 25, 75, 75}},
		{"moved by a half", [6]float64{1, 0, 0.5, 0, 1, 0}, false, [4]float32{75, 75, 25, 25}},
		{"moved by a half, clamped", [6]float64{1, 0, 0.5, 0, 1, 0}, true, [4]float32{75, 100, 100, 100}},
		{"turned to the left", [6]float64{0, 1, 0, -1, 0, 0}, false, [4]float32{50, 50, 50, 50}},
		{"mirrored", [6]float64{-1, 0, 0, 0, 1, 0}, false, [4]float32{75, 75, 25, 25}},
	} {
		l := Stage{Color: White, Alpha: 1, Clamp: c.clamp}
		s := newSampler(im, &l, c.uv, 4, 1)
		rgb, alpha := s.Row(0, make([]float32, 12), make([]float32, 4))
		for x, want := range c.want {
			if got := rgb[3*x] * 255; got < want-0.01 || got > want+0.01 || alpha[x] != 1 {
				t.Errorf("%s: pixel %d is %g, want %g", c.name, x, got, want)
			}
		}
	}
}

package paint

import (
	"image"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

func TestBend(t *testing.T) {
	for _, c := range []struct {
		m, want [6]float64
		ok      bool
	}{
		{[6]float64{2.3, 0, 0.1, 0, 3.6, 0.2}, [6]float64{2, 0, 0.1, 0, 4, 0.2}, true},
		{[6]float64{0, -3.2, 0, 3.2, 0, 0}, [6]float64{0, -3, 0, 3, 0, 0}, true},       // a quarter turn
		{[6]float64{2.2, 2.2, 0, -2.2, 2.2, 0}, [6]float64{2, 2, 0, -2, 2, 0}, true},   // an eighth
		{[6]float64{1.3, 0, 0, 0, 3, 0}, [6]float64{1, 0, 0, 0, 3, 0}, false},          // coarse
		{[6]float64{1.4, 0.6, 0, 0.6, 1.4, 0}, [6]float64{1, 1, 0, 1, 1, 0}, false},    // nothing would be left
		{[6]float64{1e27, 0, 0, 0, 1e27, 0}, [6]float64{1e27, 0, 0, 0, 1e27, 0}, true}, // hostile
	} {
		if m, ok := Bend(c.m); m != c.want || ok != c.ok {
			t.Errorf("%g: %g %v", c.m, m, ok)
		}
	}
}

func TestSpansUntilAnImageRepeats(t *testing.T) {
	for _, c := range []struct {
		m    [6]float64
		want int
	}{
		{pbr.Identity, 1}, {[6]float64{0.5, 0, 0.25, 0, 2, 0}, 2}, {[6]float64{1.5, 0, 0, 0, 1.0 / 3, 0}, 0},
		{[6]float64{0, 0.25, 0, -0.75, 0, 0}, 4},
		{[6]float64{2.0 / 3, 0, 0, 0, 1, 0}, 3}, {[6]float64{0.3, 0, 0, 0, 1, 0}, 0},
	} {
		if got := SpanOf(c.m); got != c.want {
			t.Errorf("%v: %d, want %d", c.m, got, c.want)
		}
	}
	if got := Scaled([6]float64{0.5, 0, 0.25, 0, 2, 0.75}, 2); got != [6]float64{1, 0, 0.25, 0, 4, 0.75} {
		t.Error(got)
	}
}

func TestTiledPicturesRepeat(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	copy(im.Pix, []byte{1, 2, 3, 4, 5, 6, 7, 8})
	out := Tiled(im, 2)
	if out.Rect != image.Rect(0, 0, 4, 2) {
		t.Fatal(out.Rect)
	}
	for i := range out.Pix {
		if out.Pix[i] != im.Pix[i%8] {
			t.Fatal(i, out.Pix)
		}
	}
	if Tiled(im, 1) != im || Tiled(nil, 3) != nil {
		t.Error("a picture that is shown once is copied")
	}
}

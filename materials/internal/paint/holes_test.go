package paint

import (
	"image"
	"image/color"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
)

func TestFillHoles(t *testing.T) {
	// One red pixel in an image of 5 x 3: it is on the last row, and the rows repeat, so all is a ring or two away.
	im := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	im.SetNRGBA(2, 2, color.NRGBA{200, 0, 0, 255})
	FillHoles(im)
	for i := 0; i < len(im.Pix); i += 4 {
		want := byte(0)
		if i/4 == 2*5+2 {
			want = 255
		}
		if im.Pix[i] != 200 || im.Pix[i+3] != want {
			t.Errorf("pixel %d is %v", i/4, im.Pix[i:i+4])
		}
	}
	// Without any pixel, and without holes, nothing changes.
	for _, c := range []color.NRGBA{{}, {1, 2, 3, 255}} {
		im := imagetest.Filled(3, 1, c)
		FillHoles(im)
		if im.NRGBAAt(1, 0) != c {
			t.Error(im.Pix)
		}
	}
}

// The same in an image of 5 x 5: all around the pixel is red, too, and all is opaque.
func TestCloseHoles(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 5, 5))
	im.SetNRGBA(2, 2, color.NRGBA{200, 0, 0, 255})
	CloseHoles(im)
	for y := range 5 {
		for x := range 5 {
			want := color.NRGBA{A: 255}
			if x >= 1 && x <= 3 && y >= 1 && y <= 3 {
				want.R = 200
			}
			if got := im.NRGBAAt(x, y); got != want {
				t.Errorf("%d,%d: %v", x, y, got)
			}
		}
	}
}

package paint

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
)

// Two masks of 512 x 512.
func BenchmarkGloss(b *testing.B) {
	const size = 512
	a, other := imagetest.Noise(size), imagetest.Noise(size)
	g := Gloss{Masks: []GlossMask{{Picture: a}, {Picture: other, Color: true}}}
	b.SetBytes(4 * size * size)
	b.ReportAllocs()
	for b.Loop() {
		g.Draw(size, size)
	}
}

// A mask of 255, 128, 16 and 0 of grey. Above an eighth a surface is as rough as it is: 0.25 is 64. 16 is 8·16/255 of the way to
// that: 1 - 0.75·0.502 is 159; 13 is 177. The alpha of the second mask, inverted, is 0.8.
func TestDrawsGlosses(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 4, 1))
	for x, v := range []uint8{255, 128, 16, 0} {
		im.SetNRGBA(x, 0, color.NRGBA{v, v, v, 51})
	}
	for _, c := range []struct {
		Gloss Gloss
		want  []uint8
	}{
		{Gloss{Masks: []GlossMask{{Picture: im, Color: true}}, Roughness: 0.25},
			[]uint8{0, 64, 255, 255, 0, 64, 128, 128, 0, 159, 16, 16, 0, 255, 0, 0}},
		{Gloss{Masks: []GlossMask{{Picture: im, Inverted: true}}, Roughness: 0.5},
			[]uint8{0, 128, 204, 204, 0, 128, 204, 204, 0, 128, 204, 204, 0, 128, 204, 204}},
		{Gloss{Masks: []GlossMask{{Picture: im, Color: true}, {Picture: im, Inverted: true}}, Roughness: 0.25},
			[]uint8{0, 64, 204, 204, 0, 64, 102, 102, 0, 177, 13, 13, 0, 255, 0, 0}},
	} {
		if got := c.Gloss.Draw(4, 1).Pix; !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.Gloss, got, c.want)
		}
	}
}

func TestTellsWhatIsUniform(t *testing.T) {
	im := imagetest.Filled(2, 1, color.NRGBA{10, 20, 30, 255})
	im.SetNRGBA(1, 0, color.NRGBA{14, 20, 30, 255})
	if px, ok := Uniform(im); !ok || px != [4]uint8{12, 20, 30, 255} {
		t.Error(px, ok)
	}
	im.Pix[0] = 9
	if _, ok := Uniform(im); ok {
		t.Error("14 is not 9")
	}
}

// The brightness of a colour counts: 0.299 of red, 0.587 of green and 0.114 of blue.
func TestColouredMasksCountByBrightness(t *testing.T) {
	im := imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 9})
	g := Gloss{Masks: []GlossMask{{Picture: im, Color: true}}, Roughness: 0.25}
	if px := g.Draw(1, 1).Pix; px[3] != 124 { // 59.8 + 58.7 + 5.7
		t.Error(px)
	}
}

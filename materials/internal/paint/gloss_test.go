package paint

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
)

// Two masks and an exponent of 512 x 512.
func BenchmarkGloss(b *testing.B) {
	const size = 512
	a, other := imagetest.Noise(size), imagetest.Noise(size)
	g := Gloss{Masks: []GlossMask{{Picture: a}, {Picture: other, Color: true}}, Exponent: a, Scale: 149}
	b.SetBytes(4 * size * size)
	b.ReportAllocs()
	for b.Loop() {
		g.Draw(size, size)
	}
}

// A mask of 255, 128, 16 and 0. Above an eighth a surface is as rough as it is: 0.25 is 64. 16 is 8·16/255 of the way to
// that: 1 - 0.75·0.502 is 159; 13 is 177. The alpha of the second mask, inverted, is 0.8.
func TestDrawsGlosses(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 4, 1))
	for x, v := range []uint8{255, 128, 16, 0} {
		im.SetNRGBA(x, 0, color.NRGBA{v, v / 2, 0, 51})
	}
	for _, c := range []struct {
		Gloss Gloss
		want  []uint8
	}{
		{Gloss{Masks: []GlossMask{{Picture: im, Color: true}}, Roughness: 0.25}, []uint8{0, 64, 255, 255, 0, 64, 128, 128, 0, 159, 16, 16, 0, 255, 0, 0}},
		{Gloss{Masks: []GlossMask{{Picture: im, Inverted: true}}, Roughness: 0.5}, []uint8{0, 128, 204, 204, 0, 128, 204, 204, 0, 128, 204, 204, 0, 128, 204, 204}},
		{Gloss{Masks: []GlossMask{{Picture: im, Color: true}, {Picture: im, Inverted: true}}, Roughness: 0.25}, []uint8{0, 64, 204, 204, 0, 64, 102, 102, 0, 177, 13, 13, 0, 255, 0, 0}},
		// Exponents of 150, 75.8, 10.3 and 1: 301^-¼ is 0.240, 152.6^-¼ 0.285, 21.7^-¼ 0.463, 3^-¼ 0.760.
		{Gloss{Exponent: im, Scale: 149}, []uint8{0, 61, 255, 255, 0, 73, 255, 255, 0, 118, 255, 255, 0, 194, 255, 255}},
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

// The lobe of GGX at the middle of its highlight, straight ahead, is F/(4α²) of a lamp's light, where a white surface has 1.
func TestHighlightIsAsBrightAsTheGames(t *testing.T) {
	for _, exponent := range []float64{5, 20, 150} {
		alpha := math.Pow(PhongRoughness(exponent), 2)
		gain := 4 / (2*exponent + 1)
		if got := gain / (4 * alpha * alpha); math.Abs(got-1) > 1e-12 {
			t.Errorf("%g: %g of the boost", exponent, got)
		}
	}
}

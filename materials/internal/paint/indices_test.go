package paint

import (
	"image"
	"image/color"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestPaintsIndices(t *testing.T) {
	palette := make([][3]uint8, 256)
	palette[1], palette[255] = [3]uint8{1, 2, 3}, [3]uint8{90, 80, 70}
	for _, c := range []struct {
		name           string
		palette        [][3]uint8
		hole, gradient bool
		want           [3]color.NRGBA // of the indices 1, 200 and 255
	}{
		{"colours", palette, false, false, [3]color.NRGBA{{1, 2, 3, 255}, {0, 0, 0, 255}, {90, 80, 70, 255}}},
		{"a hole", palette, true, false, [3]color.NRGBA{{1, 2, 3, 255}, {0, 0, 0, 255}, {}}},
		{"a gradient of the last colour", palette, false, true, [3]color.NRGBA{{90, 80, 70, 1}, {90, 80, 70, 200}, {90, 80, 70, 255}}},
		{"few colours", palette[:2], false, false, [3]color.NRGBA{{1, 2, 3, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}}},
		{"a gradient of no colour", nil, false, true, [3]color.NRGBA{{0, 0, 0, 1}, {0, 0, 0, 200}, {0, 0, 0, 255}}},
		// 200 is the ninth of sixteen greens: (155·7 + 10·8) / 15 = 77, (170·7 + 15·8) / 15 = 87, 125·7 / 15 = 58.
		{"Quake II's ranges", Quake2Ranges(), false, false, [3]color.NRGBA{{15, 15, 15, 255}, {77, 87, 58, 255}, {160, 90, 80, 255}}},
	} {
		colours := Table(c.palette, c.hole, c.gradient)
		im := Paint(&world.Texture{Width: 3, Height: 1, Pixels: []byte{1, 200, 255}}, &colours)
		if got := [3]color.NRGBA{im.NRGBAAt(0, 0), im.NRGBAAt(1, 0), im.NRGBAAt(2, 0)}; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The left half has two clouds, where its index is not 0. Elsewhere the right half shows, and the left has the mean of 9 and 14: 11.
func TestCloudsAreOverTheSky(t *testing.T) {
	for part, want := range map[Clouds][6]uint8{AllClouds: {9, 255, 21, 255, 14, 255}, CloudsBehind: {20, 255, 21, 255, 22, 255},
		CloudsBefore: {9, 255, 11, 0, 14, 255}} {
		im := Cloud(imagetest.Row(9, 0, 14, 20, 21, 22), []byte{9, 0, 14, 20, 21, 22}, part)
		got := [6]uint8{im.Pix[0], im.Pix[3], im.Pix[4], im.Pix[7], im.Pix[8], im.Pix[11]}
		if im.Rect != image.Rect(0, 0, 3, 1) || got != want {
			t.Errorf("%d: %v %v, want %v", part, im.Rect, got, want)
		}
	}
}

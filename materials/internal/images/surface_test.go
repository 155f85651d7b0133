package images

import (
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// t is 200 100 50 with half an alpha, its second frame is white. 0.502 of its linear light is 147 72 34, the rest 146 71 34.
func TestSurfacesOfTextures(t *testing.T) {
	files := fstest.MapFS{
		"t.vtf": imagetest.VTF(0xc, imagetest.Filled(8, 8, color.NRGBA{200, 100, 50, 128}), imagetest.Filled(8, 8, imagetest.Grey(255))),
		"m.vtf": imagetest.VTF(0, imagetest.Filled(4, 4, color.NRGBA{255, 0, 255, 255})),
		"a.vtf": imagetest.VTF(0xc, imagetest.Filled(4, 4, color.NRGBA{0, 0, 0, 128})),
		"k.vtf": imagetest.VTF(0, imagetest.Filled(4, 4, imagetest.Grey(0))),
	}
	one := [3]float32{1, 1, 1}
	mix := paint.Mix{UV: [6]float64{4, 0, 0, 0, 4, 0}, Mode: paint.Faded, Factor: 1, Tint: paint.White, Finer: 4}
	for _, c := range []struct {
		name      string
		s         Surface
		lit, glow color.NRGBA
		images    int
		side      int
	}{
		{"by its alpha", Surface{Base: Source{"t.vtf", 0}, Paint: paint.Surface{Tint: one, Light: one, Glow: 1}},
			color.NRGBA{146, 71, 34, 255}, color.NRGBA{147, 72, 34, 255}, 2, 8},
		{"by a mask", Surface{Base: Source{"t.vtf", 0}, Mask: Source{"m.vtf", 0}, Paint: paint.Surface{Tint: one, Light: one, Glow: 1}},
			color.NRGBA{0, 100, 0, 255}, color.NRGBA{200, 0, 50, 255}, 2, 8},
		{"by a mask that is black", Surface{Base: Source{"t.vtf", 0}, Mask: Source{"k.vtf", 0},
			Paint: paint.Surface{Tint: one, Light: one, Glow: 1}}, color.NRGBA{200, 100, 50, 255}, color.NRGBA{}, 1, 8},
		{"by another frame", Surface{Base: Source{"t.vtf", 0}, Mask: Source{"t.vtf", 1},
			Paint: paint.Surface{Tint: one, Light: one, Glow: 1}}, color.NRGBA{0, 0, 0, 255}, color.NRGBA{200, 100, 50, 255}, 2, 8},
		// With white in linear light: (1 + 0.578) / 2 is 230, (1 + 0.127) / 2 is 198, (1 + 0.0319) / 2 is 190 as displayed.
		{"half white", Surface{Base: Source{"t.vtf", 0}, Second: Source{"t.vtf", 1}, Pair: paint.Pair{Weight: 0.5},
			Paint: paint.Surface{Tint: one}}, color.NRGBA{230, 198, 190, 255}, color.NRGBA{}, 1, 8},
		// Red 255, green 0: smooth from 0 to 1, which at a fifth is 0.04 * 2.6.
		{"by a soft mask", Surface{Base: Source{"t.vtf", 0}, Second: Source{"t.vtf", 1}, Among: Source{"m.vtf", 0},
			Pair: paint.Pair{Weight: 0.2, Place: pbr.Identity}, Paint: paint.Surface{Tint: one}}, color.NRGBA{207, 129, 102, 255},
			color.NRGBA{}, 1, 8},
		{"by a mask alone", Surface{Base: Source{"t.vtf", 0}, Second: Source{"t.vtf", 1}, Among: Source{"k.vtf", 0},
			Pair: paint.Pair{Masked: true, Weight: 0.5, Place: pbr.Identity}, Paint: paint.Surface{Tint: one}},
			color.NRGBA{200, 100, 50, 255}, color.NRGBA{}, 1, 8},
		{"no larger than a side", Surface{Base: Source{"t.vtf", 0}, Second: Source{"t.vtf", 1}, Pair: paint.Pair{Weight: 1, Most: 4},
			Paint: paint.Surface{Tint: one}}, color.NRGBA{255, 255, 255, 255}, color.NRGBA{}, 1, 4},
		{"with a detail", Surface{Base: Source{"t.vtf", 0}, Over: Source{"m.vtf", 0}, Paint: paint.Surface{Tint: one, Detail: mix}},
			color.NRGBA{255, 0, 255, 255}, color.NRGBA{}, 1, 16},
		// The mask's alpha of 128 is 0.502, as that of the base above.
		{"by the alpha of a mask", Surface{Base: Source{"t.vtf", 0}, Mask: Source{"a.vtf", 0}, ByAlpha: true,
			Paint: paint.Surface{Tint: one, Light: one, Glow: 1}}, color.NRGBA{146, 71, 34, 255}, color.NRGBA{147, 72, 34, 255}, 2, 8},
	} {
		m := made(t, files, plain, Task{Work: c.s, Name: "x", Alpha: Shown})[0]
		if len(m.Images) != c.images || !m.Clamp || len(m.Issues) > 0 {
			t.Errorf("%s: %d images, clamped %t, %v", c.name, len(m.Images), m.Clamp, m.Issues)
			continue
		}
		lit := decoded(t, &m.Images[0])
		if got := lit.NRGBAAt(3, 3); got != c.lit || lit.Rect.Dx() != c.side {
			t.Errorf("%s: lit %v, want %v; %v", c.name, got, c.lit, lit.Rect)
		}
		if len(m.Images) > 1 {
			if got := decoded(t, &m.Images[1]).NRGBAAt(3, 3); got != c.glow || m.Images[1].Name != "x_glow" {
				t.Errorf("%s: glow %v, want %v", c.name, got, c.glow)
			}
		}
	}
}

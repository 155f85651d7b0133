package images

import (
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// t is 200 100 50 with half an alpha; sharp is a mask that shows its layer from an alpha of 51 on, soft one with a wide transition.
func TestOverpaints(t *testing.T) {
	files := fstest.MapFS{
		"t.vtf":     imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{200, 100, 50, 128})),
		"w.vtf":     imagetest.VTF(0xc, imagetest.Filled(8, 8, imagetest.Grey(255))),
		"sharp.vtf": imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{0, 51, 0, 255})),
		"soft.vtf":  imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{200, 51, 0, 255})),
	}
	mix := func(mode paint.BlendMode, factor float64) paint.Mix {
		return paint.Mix{UV: pbr.Identity, Mode: mode, Stored: mode == paint.Covered || mode == paint.Doubled, Factor: factor,
			Tint: paint.White}
	}
	for _, c := range []struct {
		name string
		p    Overpaint
		soft bool
		want color.NRGBA
	}{
		{"doubled by white", Overpaint{Base: "t.vtf", Over: "w.vtf", Mix: mix(paint.Doubled, 1)}, false, color.NRGBA{255, 138, 71, 128}},
		{"multiplied by itself", Overpaint{Base: "w.vtf", Over: "w.vtf", Mix: mix(paint.MultipliedMix, 1)}, false, imagetest.Grey(255)},
		{"masked", Overpaint{Base: "w.vtf", Over: "sharp.vtf", Mix: mix(paint.Covered, 1)}, false, color.NRGBA{255, 255, 255, 204}},
		{"masked softly", Overpaint{Base: "w.vtf", Over: "soft.vtf", Mix: mix(paint.Covered, 1)}, true, imagetest.Grey(255)},
		{"masked by nothing", Overpaint{Base: "w.vtf", Over: "none.vtf", Mix: mix(paint.Covered, 1)}, true, imagetest.Grey(255)},
		{"changed alone", Overpaint{Base: "w.vtf", Mix: mix(paint.ShoneAbove, 0.5)}, false, imagetest.Grey(255)},
		{"added to what is behind", Overpaint{Base: "t.vtf", Form: Form{Pixels: paint.Added}, Over: "w.vtf",
			Mix: mix(paint.MultipliedMix, 1)}, false, color.NRGBA{255, 128, 64, 200}},
	} {
		m := made(t, files, plain, Task{Work: c.p, Name: "x", Alpha: Shown})[0]
		if got := decoded(t, &m.Images[0]).NRGBAAt(3, 3); got != c.want || m.Soft != c.soft || m.Clamp != (c.p.Base == "w.vtf") {
			t.Errorf("%s: %v, want %v; soft %t, clamped %t", c.name, got, c.want, m.Soft, m.Clamp)
		}
	}
}

func TestPaintsOverTexturesOnly(t *testing.T) {
	p, f := Overpaint{Over: "d.vtf"}, Form{Frame: 2}
	for _, c := range []struct {
		base Work
		want Overpaint
		ok   bool
	}{
		{File("a.png"), Overpaint{Base: "a.png", Over: "d.vtf"}, true},
		{Texture{File: "t.vtf", Form: f}, Overpaint{Base: "t.vtf", Form: f, Over: "d.vtf"}, true},
		{Combined{&paint.Recipe{}}, p, false},
		{Overpaint{Base: "t.vtf", Over: "a.png"}, p, false},
	} {
		if got, ok := Painted(c.base, p); got != c.want || ok != c.ok {
			t.Errorf("%T: %+v, %t", c.base, got, ok)
		}
	}
}

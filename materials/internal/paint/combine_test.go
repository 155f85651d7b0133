package paint

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// over is a stage with an image in its own place.
func over(blend *q3shader.Blend, uv [6]float64) Stage {
	return Stage{Image: "x.tga", UV: uv, Color: [3]float64{1, 1, 1}, Alpha: 1, Blend: blend}
}

func scaled(x, y float64) [6]float64 { return [6]float64{x, 0, 0, 0, y, 0} }

func drawn(t *testing.T, r Recipe, pictures ...*image.NRGBA) *painted {
	t.Helper()
	c := LayOut(&r, pictures)
	return paintedBy(t, c, func(show func(Part, *image.NRGBA) error) error { return c.Draw(t.Context(), &r, show) })
}

// painted is a recipe with its pictures, or nil for those that there aren't.
type painted struct {
	*Combined
	Base, Glow, Share, Factor *image.NRGBA
}

// paintedBy returns copies of the pictures that draw shows.
func paintedBy(t *testing.T, c *Combined, draw func(show func(Part, *image.NRGBA) error) error) *painted {
	t.Helper()
	out := &painted{Combined: c}
	to := map[Part]**image.NRGBA{BasePart: &out.Base, GlowPart: &out.Glow, SharePart: &out.Share, BehindPart: &out.Factor}
	err := draw(func(part Part, im *image.NRGBA) error {
		im = &image.NRGBA{Pix: slices.Clone(im.Pix), Stride: im.Stride, Rect: im.Rect}
		*to[part] = im
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPlan(t *testing.T) {
	square := func(n int) *image.NRGBA { return imagetest.Filled(n, n, imagetest.Grey(100)) }
	for _, c := range []struct {
		name     string
		layers   []Stage
		sizes    []int
		size     [2]int
		uv       [6]float64
		periodic bool
	}{
		{"one size", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, pbr.Identity)}, []int{64, 64}, [2]int{64, 64},
			pbr.Identity, true},
		{"the finer one sets the size", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, pbr.Identity)}, []int{64, 128},
			[2]int{128, 128}, pbr.Identity, true},
		{"a fine pattern as well", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(4, 2))}, []int{64, 64},
			[2]int{256, 128}, pbr.Identity, true},
		{"relative to the main", []Stage{over(nil, scaled(2, 2)), over(&q3shader.BlendAdd, scaled(4, 4))}, []int{64, 64}, [2]int{128, 128},
			scaled(2, 2), true},
		{"two periods", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(0.5, 1.5))}, []int{64, 64}, [2]int{128, 192},
			scaled(0.5, 0.5), true},
		{"four periods", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(0.25, 0.75))}, []int{64, 64}, [2]int{256, 256},
			scaled(0.25, 0.25), true},
		{"no period", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(2.3, 3.3))}, []int{64, 64}, [2]int{147, 211},
			pbr.Identity, false},
		{"not over four times the main", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(100, 100))}, []int{64, 64},
			[2]int{256, 256}, pbr.Identity, true},
		{"not over 1024", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(100, 100))}, []int{512, 64}, [2]int{1024, 1024},
			pbr.Identity, true},
		{"but for the main", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(2, 2))}, []int{2048, 64}, [2]int{2048, 2048},
			pbr.Identity, true},
		{"the last that replaces is the main", []Stage{over(nil, scaled(3, 3)), over(nil, scaled(5, 5))}, []int{64, 32}, [2]int{38, 38},
			scaled(5, 5), false},
		{"or one of over four times the pixels", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(1, 1))}, []int{16, 64},
			[2]int{64, 64}, pbr.Identity, true},
		{"what can't be inverted", []Stage{over(nil, scaled(0, 1)), over(&q3shader.BlendAdd, pbr.Identity)}, []int{16, 16}, [2]int{16, 16},
			pbr.Identity, true},
	} {
		r := Recipe{Stages: c.layers, Finer: 4}
		var pictures []*image.NRGBA
		for _, n := range c.sizes {
			pictures = append(pictures, square(n))
		}
		got := LayOut(&r, pictures)
		if [2]int{got.Width, got.Height} != c.size || got.UV != c.uv || got.Periodic != c.periodic {
			t.Errorf("%s: %d x %d, uv %g, periodic %v", c.name, got.Width, got.Height, got.UV, got.Periodic)
		}
	}
	if c := LayOut(&Recipe{Stages: []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(4, 2))}},
		[]*image.NRGBA{square(64), square(64)}); c.Width != 64 || c.Height != 64 {
		t.Error("as fine as the main", c.Width, c.Height)
	}
	if c := LayOut(&Recipe{Stages: []Stage{over(nil, pbr.Identity)}}, make([]*image.NRGBA, 1)); c.Width != 4 || c.Height != 4 || c.Clamp {
		t.Error("a colour alone", c.Width, c.Height)
	}
}

// Detail that repeats less often than its image is there too: the picture covers as many periods as it takes.
func TestDetailOfAnotherTilingIsDrawn(t *testing.T) {
	doubled := &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}
	layers := []Stage{over(nil, scaled(7, 7)), over(doubled, scaled(0.5, 0.5)), over(doubled, scaled(2, 2))}
	r := Recipe{Stages: layers, Finer: 4, Detailed: true}
	c := drawn(t, r, imagetest.Filled(16, 16, imagetest.Grey(128)), checks(16, imagetest.Grey(100), imagetest.Grey(156)),
		imagetest.Filled(16, 16, imagetest.Grey(128)))
	if !c.Periodic || c.Width != 14*16 || c.Height != 14*16 {
		t.Fatalf("%d x %d pixels, periodic %t", c.Width, c.Height, c.Periodic)
	}
	if a, b := c.Base.NRGBAAt(50, 50).R, c.Base.NRGBAAt(180, 50).R; a == b {
		t.Errorf("the detail is not seen: %d and %d", a, b)
	}
	for _, r := range []Recipe{{Stages: layers}, {Stages: layers, Finer: 4}} { // as before
		if c := drawn(t, r, imagetest.Filled(16, 16, imagetest.Grey(128)), checks(16, imagetest.Grey(100), imagetest.Grey(156)),
			imagetest.Filled(16, 16, imagetest.Grey(128))); c.Periodic {
			t.Errorf("%d x %d pixels", c.Width, c.Height)
		}
	}
	r.Stages = []Stage{over(nil, scaled(7, 7)), over(doubled, scaled(0.5, 0.5))}
	if c := LayOut(&r, []*image.NRGBA{imagetest.Filled(512, 512, imagetest.Grey(1)),
		imagetest.Filled(16, 16, imagetest.Grey(1))}); c.Width > DetailMost || c.Height > DetailMost {
		t.Errorf("%d x %d pixels", c.Width, c.Height)
	}
}

// checks returns an image of four squares of two colours.
func checks(side int, a, b color.NRGBA) *image.NRGBA {
	im := imagetest.Filled(side, side, a)
	for y := range side {
		for x := range side {
			if (x < side/2) != (y < side/2) {
				im.SetNRGBA(x, y, b)
			}
		}
	}
	return im
}

func TestCombineTiles(t *testing.T) {
	// Twice 10, 20 under once 1, 2, 3, 4.
	c := drawn(t, Recipe{Stages: []Stage{over(nil, scaled(2, 1)), over(&q3shader.BlendAdd, pbr.Identity)}}, imagetest.Row(10, 20),
		imagetest.Row(1, 2, 3, 4))
	// The main has scale 2, so that two of its periods are needed.
	if c.UV != scaled(1, 0.5) || c.Width != 4 {
		t.Fatal(c.UV, c.Width)
	}
	for x, want := range []uint8{11, 22, 13, 24} {
		if got := c.Base.NRGBAAt(x, 0); got != imagetest.Grey(want) {
			t.Errorf("%d: %v, want %d", x, got, want)
		}
	}
}

// A fine image is made to fit, of a coarse one the mean is left.
func TestCombineWithoutPeriod(t *testing.T) {
	c := drawn(t, Recipe{Stages: []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(0.3, 1))}}, imagetest.Row(10, 20),
		imagetest.Row(40, 60))
	if a, b := c.Base.NRGBAAt(0, 0), c.Base.NRGBAAt(1, 0); a != imagetest.Grey(60) || b != imagetest.Grey(70) || c.Periodic {
		t.Error(a, b)
	}
	c = drawn(t, Recipe{Stages: []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(2.2, 2))}},
		imagetest.Filled(4, 4, imagetest.Grey(10)), imagetest.Row(40, 60))
	if c.Width != 4 {
		t.Fatal(c.Width)
	}
	for x, want := range []uint8{50, 70, 50, 70} {
		if got := c.Base.NRGBAAt(x, 0); got != imagetest.Grey(want) {
			t.Errorf("%d: %v, want %d", x, got, want)
		}
	}
}

// A clamped image does not repeat with the one below: beyond its edge its last pixel goes on.
func TestCombineClamps(t *testing.T) {
	top := over(&q3shader.BlendAdd, scaled(2, 1))
	top.Clamp = true
	c := drawn(t, Recipe{Stages: []Stage{over(nil, pbr.Identity), top}}, imagetest.Row(0, 0, 0, 0), imagetest.Row(40, 60))
	for x, want := range []uint8{40, 60, 60, 60} {
		if got := c.Base.NRGBAAt(x, 0); got != imagetest.Grey(want) {
			t.Errorf("%d: %v, want %d", x, got, want)
		}
	}
	if c.Clamp || !c.Periodic {
		t.Error(c.Clamp, c.Periodic)
	}
}

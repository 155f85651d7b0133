package paint

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

func TestCombineMasks(t *testing.T) {
	im := imagetest.Row(200, 200, 200, 200)
	for x, a := range []uint8{0, 127, 128, 255} {
		im.Pix[4*x+3] = a
	}
	light := Stage{UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1, Lit: true, Blend: &q3shader.BlendFilter}
	replace := Stage{UV: pbr.Identity, Color: [3]float64{0.2, 0.2, 0.2}, Alpha: 1}
	again := replace
	again.Test, again.Image = q3shader.LT128, "x.tga"
	mean := over(&q3shader.BlendAlpha, pbr.Identity)
	mean.Lit = true
	for _, c := range []struct {
		name   string
		test   q3shader.AlphaFunc
		later  []Stage
		alpha  pbr.Alpha
		cutoff float32
		want   [4]color.NRGBA
	}{
		// Alone its alpha is the mask, and its colour goes on in the holes.
		{"ge128", q3shader.GE128, []Stage{light}, pbr.Mask, 0.5,
			[4]color.NRGBA{{200, 200, 200, 0}, {200, 200, 200, 127}, {200, 200, 200, 128}, {200, 200, 200, 255}}},
		{"gt0", q3shader.GT0, []Stage{light}, pbr.Mask, 1. / 255,
			[4]color.NRGBA{{200, 200, 200, 0}, {200, 200, 200, 127}, {200, 200, 200, 128}, {200, 200, 200, 255}}},
		{"lt128", q3shader.LT128, []Stage{light}, pbr.Mask, 0.5,
			[4]color.NRGBA{{200, 200, 200, 255}, {200, 200, 200, 128}, {200, 200, 200, 127}, {200, 200, 200, 0}}},
		// Something else fills the holes.
		{"filled", q3shader.GE128, []Stage{replace}, pbr.Opaque,
			0, [4]color.NRGBA{imagetest.Grey(51), imagetest.Grey(51), imagetest.Grey(51), imagetest.Grey(51)}},
		{"filled the other way", q3shader.GE128, []Stage{again, light}, pbr.Opaque, 0,
			[4]color.NRGBA{imagetest.Grey(40), imagetest.Grey(40), imagetest.Grey(200), imagetest.Grey(200)}},
		// Two masks: what neither draws is no part of the surface, whatever is drawn over it.
		{"two of one kind", q3shader.GE192, []Stage{over(nil, pbr.Identity), light, mean}, pbr.Mask, 0.5,
			[4]color.NRGBA{{200, 200, 200, 0}, {200, 200, 200, 0}, {200, 200, 200, 255}, {200, 200, 200, 255}}},
	} {
		r := Recipe{Light: ByMap, Stages: []Stage{over(nil, pbr.Identity)}}
		r.Stages[0].Test = c.test
		pictures := []*image.NRGBA{im}
		for _, l := range c.later {
			if c.name == "two of one kind" && l.Blend == nil {
				l.Test = q3shader.GE128
			}
			if l.Image == "x.tga" {
				pictures = append(pictures, im)
			} else {
				pictures = append(pictures, nil)
			}
			r.Stages = append(r.Stages, l)
		}
		if c.name == "filled the other way" {
			r.Stages[1].Color = [3]float64{0.2, 0.2, 0.2}
		}
		got := drawn(t, r, pictures...)
		if got.Alpha != c.alpha || got.Cutoff != c.cutoff {
			t.Errorf("%s: alpha %d, cutoff %g", c.name, got.Alpha, got.Cutoff)
		}
		for x, want := range c.want {
			if p := got.Base.NRGBAAt(x, 0); p != want {
				t.Errorf("%s: pixel %d is %v, want %v", c.name, x, p, want)
			}
		}
	}
}

// A picture over an unknown background: base·alpha + behind·(1 - alpha) is what the screen shows, as near as one alpha can.
func TestCombineOpacity(t *testing.T) {
	solid := func(c color.NRGBA) *image.NRGBA { return imagetest.Filled(4, 4, c) }
	add := q3shader.BlendAdd
	for _, c := range []struct {
		name   string
		blends []*q3shader.Blend
		colors []color.NRGBA
		want   color.NRGBA
	}{
		{"added: as opaque as it is bright", []*q3shader.Blend{&add}, []color.NRGBA{{102, 51, 0, 255}}, color.NRGBA{255, 128, 0, 102}},
		{"nothing added", []*q3shader.Blend{&add}, []color.NRGBA{{0, 0, 0, 255}}, color.NRGBA{0, 0, 0, 0}},
		{"filter: darkness", []*q3shader.Blend{&q3shader.BlendFilter}, []color.NRGBA{imagetest.Grey(204)}, color.NRGBA{0, 0, 0, 51}},
		{"blend, then added", []*q3shader.Blend{&q3shader.BlendAlpha, &add}, []color.NRGBA{{255, 0, 0, 153}, {0, 51, 0, 255}},
			color.NRGBA{255, 85, 0, 153}},
		{"one, one minus source", []*q3shader.Blend{{Src: q3shader.One, Dst: q3shader.OneMinusSrcColor}},
			[]color.NRGBA{imagetest.Grey(102)}, color.NRGBA{255, 255, 255, 102}},
		{"premultiplied", []*q3shader.Blend{{Src: q3shader.One, Dst: q3shader.OneMinusSrcAlpha}}, []color.NRGBA{{51, 51, 51, 102}},
			color.NRGBA{128, 128, 128, 102}},
		{"blended twice", []*q3shader.Blend{&q3shader.BlendAlpha, &q3shader.BlendAlpha},
			[]color.NRGBA{{100, 100, 100, 0}, {200, 200, 200, 102}}, color.NRGBA{200, 200, 200, 102}},
	} {
		r := Recipe{}
		var pictures []*image.NRGBA
		for i, b := range c.blends {
			r.Stages = append(r.Stages, over(b, pbr.Identity))
			pictures = append(pictures, solid(c.colors[i]))
		}
		got := drawn(t, r, pictures...)
		if p := got.Base.NRGBAAt(1, 1); p != c.want || got.Alpha != pbr.Blend || !got.Unlit {
			t.Errorf("%s: %v, want %v", c.name, p, c.want)
		}
	}
	// Filtering must not draw black from where nothing is.
	c := drawn(t, Recipe{Stages: []Stage{over(&add, pbr.Identity)}}, imagetest.Row(0, 102, 0, 102))
	for x, want := range []color.NRGBA{{255, 255, 255, 0}, {255, 255, 255, 102}} {
		if p := c.Base.NRGBAAt(x, 0); p != want {
			t.Errorf("%v, want %v", p, want)
		}
	}
}

// A filter of a colour tints what is behind it, and leaves alone what it is white for: over a grey of a half exactly.
func TestFiltersTintWhatIsBehind(t *testing.T) {
	filter, doubled, bright := &q3shader.BlendFilter, &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor},
		&q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.One}
	for _, c := range []struct {
		name   string
		blends []*q3shader.Blend
		colors []color.NRGBA
		want   [3]float64 // over 0.5
	}{
		{"blue", []*q3shader.Blend{filter}, []color.NRGBA{{0, 102, 255, 255}}, [3]float64{0, 0.2, 0.5}},
		{"brown", []*q3shader.Blend{filter}, []color.NRGBA{{204, 153, 102, 255}}, [3]float64{0.4, 0.3, 0.2}},
		{"doubled", []*q3shader.Blend{doubled}, []color.NRGBA{{204, 51, 128, 255}}, [3]float64{0.8, 0.2, 0.5}},
		{"made brighter", []*q3shader.Blend{doubled}, []color.NRGBA{imagetest.Grey(204)}, [3]float64{0.8, 0.8, 0.8}},
		{"brighter once more", []*q3shader.Blend{filter, bright}, []color.NRGBA{{0, 102, 204, 255}, imagetest.Grey(255)},
			[3]float64{0, 0.4, 0.8}},
		{"with its own light", []*q3shader.Blend{filter, &q3shader.BlendAdd}, []color.NRGBA{{0, 102, 255, 255}, {51, 0, 0, 255}},
			[3]float64{0.2, 0.2, 0.5}},
	} {
		r := Recipe{}
		var pictures []*image.NRGBA
		for i, b := range c.blends {
			r.Stages = append(r.Stages, over(b, pbr.Identity))
			pictures = append(pictures, imagetest.Filled(4, 4, c.colors[i]))
		}
		got := drawn(t, r, pictures...)
		p := got.Base.NRGBAAt(1, 1)
		for k, v := range []uint8{p.R, p.G, p.B} {
			a := float64(p.A) / 255
			if shown := float64(v)/255*a + 0.5*(1-a); math.Abs(shown-c.want[k]) > 0.005 || got.Alpha != pbr.Blend {
				t.Errorf("%s: %v shows %.3f in channel %d, want %.3f", c.name, p, shown, k, c.want[k])
			}
		}
	}
}

// A light beyond 1 is the lightmap's, not the colour's.
func TestGain(t *testing.T) {
	double := q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}
	lightmap := func(b *q3shader.Blend) Stage {
		return Stage{UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1, Lit: true, Blend: b}
	}
	texture, mix := over(nil, pbr.Identity), over(&q3shader.BlendAlpha, pbr.Identity)
	doubled := over(&double, pbr.Identity)
	im, half := imagetest.Filled(1, 1, imagetest.Grey(200)), imagetest.Filled(1, 1, color.NRGBA{100, 100, 100, 128})
	for _, c := range []struct {
		name     string
		Light    Light
		layers   []Stage
		pictures []*image.NRGBA
		gain     float64
		want     uint8
	}{
		{"light doubled", ByMap, []Stage{texture, mix, lightmap(&double)}, []*image.NRGBA{im, half, nil}, 2, 150},
		// 200·127/255.
		{"light first, then the texture doubled", ByMap, []Stage{lightmap(nil), doubled, mix}, []*image.NRGBA{nil, im, half}, 2, 100},
		{"a pattern doubled", ByMap, []Stage{texture, doubled, lightmap(&q3shader.BlendFilter)}, []*image.NRGBA{im, half, nil}, 1, 157},
		{"replaced after", ByMap, []Stage{lightmap(nil), doubled, texture, mix}, []*image.NRGBA{nil, im, im, half}, 1, 150},
		{"light of the vertices ends at 1", ByVertex, []Stage{texture, mix, lightmap(&double)}, []*image.NRGBA{im, half, nil}, 1, 255},
	} {
		got := drawn(t, Recipe{Light: c.Light, Stages: c.layers}, c.pictures...)
		if got.Gain != c.gain || got.Base.Pix[0] != c.want {
			t.Errorf("%s: gain %g, %d", c.name, got.Gain, got.Base.Pix[0])
		}
	}
}

// A recipe may draw over one of its images, and draw a large glow last; the pixels are those of pictures drawn apart.
func TestDrawingOverAnImageGivesTheSamePixels(t *testing.T) {
	filter, add := over(&q3shader.BlendFilter, pbr.Identity), over(&q3shader.BlendAdd, pbr.Identity)
	filter.Image, filter.Lit = "", true
	for _, c := range []struct {
		name   string
		layers []Stage
		sizes  []int
		shared bool // the images are one
	}{
		{"over the only image", []Stage{over(nil, pbr.Identity)}, []int{64}, false},
		{"two layers with an image each", []Stage{over(nil, pbr.Identity), over(&q3shader.BlendAlpha, pbr.Identity)}, []int{64, 64},
			false},
		{"a finer one", []Stage{over(nil, pbr.Identity), add}, []int{16, 64}, false},
		{"a glow", []Stage{over(nil, pbr.Identity), filter, add}, []int{64, 0, 64}, false},
		{"a late glow", []Stage{over(nil, pbr.Identity), filter, add}, []int{768, 0, 768}, true},
	} {
		draw := func(drawOver bool) *painted {
			r := Recipe{Light: ByMap, Stages: c.layers}
			pictures := make([]*image.NRGBA, len(c.sizes))
			for i, n := range c.sizes {
				switch {
				case n > 0 && c.shared && i > 0:
					pictures[i] = pictures[0]
				case n > 0:
					pictures[i] = imagetest.Noise(n)
				}
			}
			got := LayOut(&r, pictures)
			got.DrawOver = drawOver
			return paintedBy(t, got, func(show func(Part, *image.NRGBA) error) error { return got.Draw(t.Context(), &r, show) })
		}
		want, got := draw(false), draw(true)
		if !bytes.Equal(got.Base.Pix, want.Base.Pix) || got.Alpha != want.Alpha || got.Glows != want.Glows {
			t.Errorf("%s: the base differs", c.name)
		}
		if (want.Glow == nil) != (got.Glow == nil) || want.Glow != nil && !bytes.Equal(got.Glow.Pix, want.Glow.Pix) {
			t.Errorf("%s: the glow differs", c.name)
		}
		if got.Samplers != nil {
			t.Errorf("%s: the images stay after Draw", c.name)
		}
	}
}

// Light that multiplies light becomes typical light, and a result that is less for more light is darkened by it. The lightmap is
// L, the picture grey 128 (g), the typical light 0.4.
func TestLightTimesLight(t *testing.T) {
	const g = 128.0 / 255
	lit := over(&q3shader.BlendFilter, pbr.Identity)
	lit.Lit = true
	minus := lightmap(&q3shader.Blend{Src: q3shader.Zero, Dst: q3shader.OneMinusSrcColor})
	after := lightmap(&q3shader.Blend{Src: q3shader.OneMinusDstColor, Dst: q3shader.Zero})
	for _, c := range []struct {
		name      string
		layers    []Stage
		lit, glow float64
	}{
		{"light by light", []Stage{lightmap(nil), lit}, TypicalLight * g, 0},
		{"light by a colour", []Stage{over(nil, pbr.Identity), lit}, g * g, 0},
		{"one minus light", []Stage{over(nil, pbr.Identity), minus}, 0, g * (1 - TypicalLight)},
		{"what light leaves", []Stage{over(nil, pbr.Identity), after}, 1 - g, 0},
	} {
		r := Recipe{Light: ByMap, Stages: c.layers}
		combined := LayOut(&r, pictures(c.layers))
		cv := NewCanvas(combined.Width)
		cv.Clear()
		rgb, alpha := make([]float32, 3*combined.Width), make([]float32, combined.Width)
		for i := range r.Stages {
			s := combined.Samplers[i]()
			rgb, alpha := s.Row(0, rgb, alpha)
			cv.Over(&r.Stages[i], rgb, alpha)
		}
		for k, want := range [2]float64{LitPlane: c.lit, GlowPlane: c.glow} {
			got := float32(0)
			if cv.Planes[k].Set {
				got = cv.Planes[k].Values[0]
			}
			if math.Abs(float64(got)-want) > 1e-3 {
				t.Errorf("%s: plane %d is %g, want %g", c.name, k, got, want)
			}
		}
	}
}

// Three stages of 512 x 512: a texture, another over it by its alpha, the lightmap.
func BenchmarkCombine(b *testing.B) {
	const size = 512
	pictures := []*image.NRGBA{imagetest.Noise(size), imagetest.Noise(size), nil}
	r := Recipe{Light: ByMap}
	for i := range pictures {
		r.Stages = append(r.Stages, Stage{Image: "x", UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1, Lit: i == 2})
	}
	r.Stages[2].Image = ""
	r.Stages[1].Blend, r.Stages[2].Blend = &q3shader.BlendAlpha, &q3shader.BlendFilter
	for _, name := range []string{"tiled", "turned", "glowing"} {
		b.Run(name, func(b *testing.B) {
			r.Stages[1].UV[0] = 1
			switch name {
			case "turned":
				r.Stages[1].UV[0] = -1
			case "glowing": // the second after the light
				r.Stages[1].Blend, r.Stages[1].Lit, r.Stages[2].Blend = &q3shader.BlendFilter, true, &q3shader.BlendAdd
				r.Stages[2].Lit = false
				r.Stages[2].Color = [3]float64{0.3, 0.2, 0.1}
			}
			b.SetBytes(4 * size * size)
			b.ReportAllocs()
			for b.Loop() {
				if err := LayOut(&r, pictures).Draw(b.Context(), &r, func(Part, *image.NRGBA) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A picture drawn by the levels of its only image is the same as one that is drawn pixel by pixel.
func TestLevelsGiveTheSamePixels(t *testing.T) {
	add, filter, blend := &q3shader.BlendAdd, &q3shader.BlendFilter, &q3shader.BlendAlpha
	twice := &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.DstAlpha}
	first, tinted, holed := over(nil, pbr.Identity), over(add, pbr.Identity), over(nil, pbr.Identity)
	tinted.Color, holed.Test = [3]float64{0.3, 0.2, 0.9}, q3shader.GE128
	lit := first
	lit.Lit = true
	for _, c := range []struct {
		name   string
		light  Light
		layers []Stage
		levels bool
	}{
		{"one image", Unlit, []Stage{first, tinted, tinted}, true},
		{"with itself by its alpha", ByMap, []Stage{first, over(blend, pbr.Identity), lightmap(filter)}, true},
		{"in a mask", ByMap, []Stage{holed, tinted, lightmap(filter)}, true},
		{"with a glow", ByMap, []Stage{first, lightmap(filter), tinted}, true},
		{"a reflection that is the base", ByVertex, []Stage{lit, surroundings(twice)}, true},
		{"a reflection below", Unlit, []Stage{surroundings(nil), over(blend, pbr.Identity)}, true},
		{"a reflection with another share", ByVertex, []Stage{lit, surroundings(twice), tinted}, true},
		{"what is behind shows", Unlit, []Stage{tinted, tinted}, false},
		{"moved", Unlit, []Stage{first, over(add, [6]float64{1, 0, 0.5, 0, 1, 0})}, false},
	} {
		lay := func() (*Recipe, *Combined) {
			r := &Recipe{Light: c.light, Stages: c.layers, Environment: true}
			pictures, im := make([]*image.NRGBA, len(c.layers)), imagetest.Noise(512)
			for i := 3; i < len(im.Pix); i += 4 {
				im.Pix[i] = im.Pix[i] / 32 * 32
			}
			for i := range pictures {
				if c.layers[i].Image != "" {
					pictures[i] = im
				}
			}
			return r, LayOut(r, pictures)
		}
		r, laid := lay()
		want := paintedBy(t, laid, func(show func(Part, *image.NRGBA) error) error {
			return laid.drawAll(t.Context(), r, r.Reflection(), laid.drawer(r), show)
		})
		for _, drawOver := range []bool{false, true} {
			r, laid := lay()
			if p := laid.drawer(r); (p.levels(laid) != nil) != c.levels {
				t.Errorf("%s: drawn by levels: %t", c.name, !c.levels)
			}
			laid.DrawOver = drawOver
			got := paintedBy(t, laid, func(show func(Part, *image.NRGBA) error) error { return laid.Draw(t.Context(), r, show) })
			if !reflect.DeepEqual(got.Base, want.Base) || !reflect.DeepEqual(got.Glow, want.Glow) ||
				!reflect.DeepEqual(got.Share, want.Share) || !reflect.DeepEqual(got.Mirror, want.Mirror) || got.Alpha != want.Alpha ||
				got.Cutoff != want.Cutoff ||
				got.Glows != want.Glows || got.Unlit != want.Unlit || got.Gain != want.Gain {
				t.Errorf("%s, drawn over the image %t: another result", c.name, drawOver)
			}
		}
	}
}

package materials

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// over is a layer with an image in its own place.
func over(blend *q3shader.Blend, uv [6]float64) paint.Layer {
	return paint.Layer{Image: "x.tga", UV: uv, Color: [3]float64{1, 1, 1}, Alpha: 1, Blend: blend}
}

func scaled(x, y float64) [6]float64 { return [6]float64{x, 0, 0, 0, y, 0} }

func drawn(t *testing.T, r paint.Recipe, pictures ...*image.NRGBA) *paint.Combined {
	t.Helper()
	c := paint.LayOut(&r, pictures)
	if err := c.Draw(limit.WithDefaults(t.Context()), &r); err != nil {
		t.Fatal(err)
	}
	return c
}

// row is an image of one row.
func row(values ...uint8) *image.NRGBA {
	im := filled(len(values), 1, grey(0))
	for x, v := range values {
		im.SetNRGBA(x, 0, grey(v))
	}
	return im
}

func TestPlan(t *testing.T) {
	square := func(n int) *image.NRGBA { return filled(n, n, grey(100)) }
	for _, c := range []struct {
		name     string
		layers   []paint.Layer
		sizes    []int
		size     [2]int
		uv       [6]float64
		periodic bool
	}{
		{"one size", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, pbr.Identity)}, []int{64, 64}, [2]int{64, 64}, pbr.Identity, true},
		{"the finer one sets the size", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, pbr.Identity)}, []int{64, 128}, [2]int{128, 128}, pbr.Identity, true},
		{"a fine pattern as well", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(4, 2))}, []int{64, 64}, [2]int{256, 128}, pbr.Identity, true},
		{"relative to the main", []paint.Layer{over(nil, scaled(2, 2)), over(&q3shader.BlendAdd, scaled(4, 4))}, []int{64, 64}, [2]int{128, 128}, scaled(2, 2), true},
		{"two periods", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(0.5, 1.5))}, []int{64, 64}, [2]int{128, 192}, scaled(0.5, 0.5), true},
		{"four periods", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(0.25, 0.75))}, []int{64, 64}, [2]int{256, 256}, scaled(0.25, 0.25), true},
		{"no period", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(2.3, 3.3))}, []int{64, 64}, [2]int{147, 211}, pbr.Identity, false},
		{"not over four times the main", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(100, 100))}, []int{64, 64}, [2]int{256, 256}, pbr.Identity, true},
		{"not over 1024", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(100, 100))}, []int{512, 64}, [2]int{1024, 1024}, pbr.Identity, true},
		{"but for the main", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(2, 2))}, []int{2048, 64}, [2]int{2048, 2048}, pbr.Identity, true},
		{"the last that replaces is the main", []paint.Layer{over(nil, scaled(3, 3)), over(nil, scaled(5, 5))}, []int{64, 32}, [2]int{38, 38}, scaled(5, 5), false},
		{"or one of over four times the pixels", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(1, 1))}, []int{16, 64}, [2]int{64, 64}, pbr.Identity, true},
		{"what can't be inverted", []paint.Layer{over(nil, scaled(0, 1)), over(&q3shader.BlendAdd, pbr.Identity)}, []int{16, 16}, [2]int{16, 16}, pbr.Identity, true},
	} {
		r := paint.Recipe{Layers: c.layers, Finer: 4}
		var pictures []*image.NRGBA
		for _, n := range c.sizes {
			pictures = append(pictures, square(n))
		}
		got := paint.LayOut(&r, pictures)
		if [2]int{got.Width, got.Height} != c.size || got.UV != c.uv || got.Periodic != c.periodic {
			t.Errorf("%s: %d x %d, uv %g, periodic %v", c.name, got.Width, got.Height, got.UV, got.Periodic)
		}
	}
	if c := paint.LayOut(&paint.Recipe{Layers: []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(4, 2))}}, []*image.NRGBA{square(64), square(64)}); c.Width != 64 || c.Height != 64 {
		t.Error("as fine as the main", c.Width, c.Height)
	}
	if c := paint.LayOut(&paint.Recipe{Layers: []paint.Layer{over(nil, pbr.Identity)}}, make([]*image.NRGBA, 1)); c.Width != 4 || c.Height != 4 || c.Clamp {
		t.Error("a colour alone", c.Width, c.Height)
	}
}

// Detail that repeats less often than its image is there too: the picture covers as many periods as it takes.
func TestDetailOfAnotherTilingIsDrawn(t *testing.T) {
	doubled := &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}
	layers := []paint.Layer{over(nil, scaled(7, 7)), over(doubled, scaled(0.5, 0.5)), over(doubled, scaled(2, 2))}
	r := paint.Recipe{Layers: layers, Finer: 4, Detailed: true}
	c := drawn(t, r, filled(16, 16, grey(128)), checks(16, grey(100), grey(156)), filled(16, 16, grey(128)))
	if !c.Periodic || c.Width != 14*16 || c.Height != 14*16 {
		t.Fatalf("%d x %d pixels, periodic %t", c.Width, c.Height, c.Periodic)
	}
	if a, b := c.Base.NRGBAAt(50, 50).R, c.Base.NRGBAAt(180, 50).R; a == b {
		t.Errorf("the detail is not seen: %d and %d", a, b)
	}
	for _, r := range []paint.Recipe{{Layers: layers}, {Layers: layers, Finer: 4}} { // as before
		if c := drawn(t, r, filled(16, 16, grey(128)), checks(16, grey(100), grey(156)), filled(16, 16, grey(128))); c.Periodic {
			t.Errorf("%d x %d pixels", c.Width, c.Height)
		}
	}
	r.Layers = []paint.Layer{over(nil, scaled(7, 7)), over(doubled, scaled(0.5, 0.5))}
	if c := paint.LayOut(&r, []*image.NRGBA{filled(512, 512, grey(1)), filled(16, 16, grey(1))}); c.Width > paint.DetailMost || c.Height > paint.DetailMost {
		t.Errorf("%d x %d pixels", c.Width, c.Height)
	}
}

// checks is an image of four squares of two colours.
func checks(side int, a, b color.NRGBA) *image.NRGBA {
	im := filled(side, side, a)
	for y := range side {
		for x := range side {
			if (x < side/2) != (y < side/2) {
				im.SetNRGBA(x, y, b)
			}
		}
	}
	return im
}

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
		if m, ok := paint.Bend(c.m); m != c.want || ok != c.ok {
			t.Errorf("%g: %g %v", c.m, m, ok)
		}
	}
}

func TestCombineTiles(t *testing.T) {
	// Twice 10, 20 under once 1, 2, 3, 4.
	c := drawn(t, paint.Recipe{Layers: []paint.Layer{over(nil, scaled(2, 1)), over(&q3shader.BlendAdd, pbr.Identity)}}, row(10, 20), row(1, 2, 3, 4))
	// The main has scale 2, so that two of its periods are needed.
	if c.UV != scaled(1, 0.5) || c.Width != 4 {
		t.Fatal(c.UV, c.Width)
	}
	for x, want := range []uint8{11, 22, 13, 24} {
		if got := c.Base.NRGBAAt(x, 0); got != grey(want) {
			t.Errorf("%d: %v, want %d", x, got, want)
		}
	}
}

// A fine image is made to fit, of a coarse one the mean is left.
func TestCombineWithoutPeriod(t *testing.T) {
	c := drawn(t, paint.Recipe{Layers: []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(0.3, 1))}}, row(10, 20), row(40, 60))
	if a, b := c.Base.NRGBAAt(0, 0), c.Base.NRGBAAt(1, 0); a != grey(60) || b != grey(70) || c.Periodic {
		t.Error(a, b)
	}
	c = drawn(t, paint.Recipe{Layers: []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, scaled(2.2, 2))}}, filled(4, 4, grey(10)), row(40, 60))
	if c.Width != 4 {
		t.Fatal(c.Width)
	}
	for x, want := range []uint8{50, 70, 50, 70} {
		if got := c.Base.NRGBAAt(x, 0); got != grey(want) {
			t.Errorf("%d: %v, want %d", x, got, want)
		}
	}
}

// A clamped image does not repeat with the one below: beyond its edge its last pixel goes on.
func TestCombineClamps(t *testing.T) {
	top := over(&q3shader.BlendAdd, scaled(2, 1))
	top.Clamp = true
	c := drawn(t, paint.Recipe{Layers: []paint.Layer{over(nil, pbr.Identity), top}}, row(0, 0, 0, 0), row(40, 60))
	for x, want := range []uint8{40, 60, 60, 60} {
		if got := c.Base.NRGBAAt(x, 0); got != grey(want) {
			t.Errorf("%d: %v, want %d", x, got, want)
		}
	}
	if c.Clamp || !c.Periodic {
		t.Error(c.Clamp, c.Periodic)
	}
}

// A mean is of what is seen of an image.
func TestMeanColor(t *testing.T) {
	im := row(200, 100)
	im.Pix[3] = 0
	if c := paint.MeanColor(im, true); c != [4]float32{100. / 255, 100. / 255, 100. / 255, 0.5} {
		t.Error(c)
	}
	if c := paint.MeanColor(im, false); c != [4]float32{150. / 255, 150. / 255, 150. / 255, 0.5} {
		t.Error(c)
	}
	if c := paint.MeanColor(filled(2, 2, color.NRGBA{}), true); c != [4]float32{} {
		t.Error(c)
	}
}

func TestCombineMasks(t *testing.T) {
	im := row(200, 200, 200, 200)
	for x, a := range []uint8{0, 127, 128, 255} {
		im.Pix[4*x+3] = a
	}
	light := paint.Layer{UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1, Lit: true, Blend: &q3shader.BlendFilter}
	replace := paint.Layer{UV: pbr.Identity, Color: [3]float64{0.2, 0.2, 0.2}, Alpha: 1}
	again := replace
	again.Test, again.Image = q3shader.LT128, "x.tga"
	mean := over(&q3shader.BlendAlpha, pbr.Identity)
	mean.Lit = true
	for _, c := range []struct {
		name   string
		test   q3shader.AlphaFunc
		later  []paint.Layer
		alpha  pbr.Alpha
		cutoff float32
		want   [4]color.NRGBA
	}{
		// Alone its alpha is the mask, and its colour goes on in the holes.
		{"ge128", q3shader.GE128, []paint.Layer{light}, pbr.Mask, 0.5, [4]color.NRGBA{{200, 200, 200, 0}, {200, 200, 200, 127}, {200, 200, 200, 128}, {200, 200, 200, 255}}},
		{"gt0", q3shader.GT0, []paint.Layer{light}, pbr.Mask, 1. / 255, [4]color.NRGBA{{200, 200, 200, 0}, {200, 200, 200, 127}, {200, 200, 200, 128}, {200, 200, 200, 255}}},
		{"lt128", q3shader.LT128, []paint.Layer{light}, pbr.Mask, 0.5, [4]color.NRGBA{{200, 200, 200, 255}, {200, 200, 200, 128}, {200, 200, 200, 127}, {200, 200, 200, 0}}},
		// Something else fills the holes.
		{"filled", q3shader.GE128, []paint.Layer{replace}, pbr.Opaque, 0, [4]color.NRGBA{grey(51), grey(51), grey(51), grey(51)}},
		{"filled the other way", q3shader.GE128, []paint.Layer{again, light}, pbr.Opaque, 0, [4]color.NRGBA{grey(40), grey(40), grey(200), grey(200)}},
		// Two masks: what neither draws is no part of the surface, whatever is drawn over it.
		{"two of one kind", q3shader.GE192, []paint.Layer{over(nil, pbr.Identity), light, mean}, pbr.Mask, 0.5, [4]color.NRGBA{{200, 200, 200, 0}, {200, 200, 200, 0}, {200, 200, 200, 255}, {200, 200, 200, 255}}},
	} {
		r := paint.Recipe{Light: paint.ByMap, Layers: []paint.Layer{over(nil, pbr.Identity)}}
		r.Layers[0].Test = c.test
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
			r.Layers = append(r.Layers, l)
		}
		if c.name == "filled the other way" {
			r.Layers[1].Color = [3]float64{0.2, 0.2, 0.2}
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

// What is drawn over the unknown: base·alpha + behind·(1 - alpha) is what the screen shows, as near as one alpha can.
func TestCombineOpacity(t *testing.T) {
	solid := func(c color.NRGBA) *image.NRGBA { return filled(4, 4, c) }
	add := q3shader.BlendAdd
	for _, c := range []struct {
		name   string
		blends []*q3shader.Blend
		colors []color.NRGBA
		want   color.NRGBA
	}{
		{"added: as opaque as it is bright", []*q3shader.Blend{&add}, []color.NRGBA{{102, 51, 0, 255}}, color.NRGBA{255, 128, 0, 102}},
		{"nothing added", []*q3shader.Blend{&add}, []color.NRGBA{{0, 0, 0, 255}}, color.NRGBA{0, 0, 0, 0}},
		{"filter: darkness", []*q3shader.Blend{&q3shader.BlendFilter}, []color.NRGBA{grey(204)}, color.NRGBA{0, 0, 0, 51}},
		{"blend, then added", []*q3shader.Blend{&q3shader.BlendAlpha, &add}, []color.NRGBA{{255, 0, 0, 153}, {0, 51, 0, 255}}, color.NRGBA{255, 85, 0, 153}},
		{"one, one minus source", []*q3shader.Blend{{Src: q3shader.One, Dst: q3shader.OneMinusSrcColor}}, []color.NRGBA{grey(102)}, color.NRGBA{255, 255, 255, 102}},
		{"premultiplied", []*q3shader.Blend{{Src: q3shader.One, Dst: q3shader.OneMinusSrcAlpha}}, []color.NRGBA{{51, 51, 51, 102}}, color.NRGBA{128, 128, 128, 102}},
		{"blended twice", []*q3shader.Blend{&q3shader.BlendAlpha, &q3shader.BlendAlpha}, []color.NRGBA{{100, 100, 100, 0}, {200, 200, 200, 102}}, color.NRGBA{200, 200, 200, 102}},
	} {
		r := paint.Recipe{}
		var pictures []*image.NRGBA
		for i, b := range c.blends {
			r.Layers = append(r.Layers, over(b, pbr.Identity))
			pictures = append(pictures, solid(c.colors[i]))
		}
		got := drawn(t, r, pictures...)
		if p := got.Base.NRGBAAt(1, 1); p != c.want || got.Alpha != pbr.Blend || !got.Unlit {
			t.Errorf("%s: %v, want %v", c.name, p, c.want)
		}
	}
	// Filtering must not draw black from where nothing is.
	c := drawn(t, paint.Recipe{Layers: []paint.Layer{over(&add, pbr.Identity)}}, row(0, 102, 0, 102))
	for x, want := range []color.NRGBA{{255, 255, 255, 0}, {255, 255, 255, 102}} {
		if p := c.Base.NRGBAAt(x, 0); p != want {
			t.Errorf("%v, want %v", p, want)
		}
	}
}

// A filter of a colour tints what is behind it, and leaves alone what it is white for: over a grey of a half exactly.
func TestFiltersTintWhatIsBehind(t *testing.T) {
	filter, doubled, bright := &q3shader.BlendFilter, &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}, &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.One}
	for _, c := range []struct {
		name   string
		blends []*q3shader.Blend
		colors []color.NRGBA
		want   [3]float64 // over 0.5
	}{
		{"blue", []*q3shader.Blend{filter}, []color.NRGBA{{0, 102, 255, 255}}, [3]float64{0, 0.2, 0.5}},
		{"brown", []*q3shader.Blend{filter}, []color.NRGBA{{204, 153, 102, 255}}, [3]float64{0.4, 0.3, 0.2}},
		{"doubled", []*q3shader.Blend{doubled}, []color.NRGBA{{204, 51, 128, 255}}, [3]float64{0.8, 0.2, 0.5}},
		{"made brighter", []*q3shader.Blend{doubled}, []color.NRGBA{grey(204)}, [3]float64{0.8, 0.8, 0.8}},
		{"brighter once more", []*q3shader.Blend{filter, bright}, []color.NRGBA{{0, 102, 204, 255}, grey(255)}, [3]float64{0, 0.4, 0.8}},
		{"with its own light", []*q3shader.Blend{filter, &q3shader.BlendAdd}, []color.NRGBA{{0, 102, 255, 255}, {51, 0, 0, 255}}, [3]float64{0.2, 0.2, 0.5}},
	} {
		r := paint.Recipe{}
		var pictures []*image.NRGBA
		for i, b := range c.blends {
			r.Layers = append(r.Layers, over(b, pbr.Identity))
			pictures = append(pictures, filled(4, 4, c.colors[i]))
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
	lightmap := func(b *q3shader.Blend) paint.Layer {
		return paint.Layer{UV: pbr.Identity, Color: [3]float64{1, 1, 1}, Alpha: 1, Lit: true, Blend: b}
	}
	texture, mix := over(nil, pbr.Identity), over(&q3shader.BlendAlpha, pbr.Identity)
	doubled := over(&double, pbr.Identity)
	im, half := filled(1, 1, grey(200)), filled(1, 1, color.NRGBA{100, 100, 100, 128})
	for _, c := range []struct {
		name     string
		Light    paint.Light
		layers   []paint.Layer
		pictures []*image.NRGBA
		gain     float64
		want     uint8
	}{
		{"light doubled", paint.ByMap, []paint.Layer{texture, mix, lightmap(&double)}, []*image.NRGBA{im, half, nil}, 2, 150},
		{"light first, then the texture doubled", paint.ByMap, []paint.Layer{lightmap(nil), doubled, mix}, []*image.NRGBA{nil, im, half}, 2, 100}, // 200·127/255
		{"a pattern doubled", paint.ByMap, []paint.Layer{texture, doubled, lightmap(&q3shader.BlendFilter)}, []*image.NRGBA{im, half, nil}, 1, 157},
		{"replaced after", paint.ByMap, []paint.Layer{lightmap(nil), doubled, texture, mix}, []*image.NRGBA{nil, im, im, half}, 1, 150},
		{"light of the vertices ends at 1", paint.ByVertex, []paint.Layer{texture, mix, lightmap(&double)}, []*image.NRGBA{im, half, nil}, 1, 255},
	} {
		got := drawn(t, paint.Recipe{Light: c.Light, Layers: c.layers}, c.pictures...)
		if got.Gain != c.gain || got.Base.Pix[0] != c.want {
			t.Errorf("%s: gain %g, %d", c.name, got.Gain, got.Base.Pix[0])
		}
	}
}

// An image that is added keeps its values; the factor makes up for adding in linear light.
func TestEmission(t *testing.T) {
	for i := range 100000 {
		v := float64(i) / 99999
		want := 12.92 * v
		if v > 0.0031308 {
			want = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		if got := float64(paint.EncodeSRGB(float32(v))); math.Abs(got-want*255) > 0.501 {
			t.Fatalf("%g: %g, want %g", v, got, want*255)
		}
	}
	var m pbr.Material
	plan.Shine(&m, [3]float64{1, 0.5, 0}) // 1.3·d(0.5) = 1.3·0.21404, of 1.3
	if f := m.Emission.Color; f[0] != 1 || m.Emission.Strength != 1.3 || f[2] != 0 || f[1] < 0.21 || f[1] > 0.22 || m.Emission.Glow != [3]float32{1, 0.5, 0} {
		t.Error(f, m.Emission.Strength, m.Emission.Glow)
	}
}

// Where the engine is DarkPlaces, a lightmap stage without blendFunc multiplies the texture below it; Quake III shows the light alone.
func TestLightmapStageOfDarkPlaces(t *testing.T) {
	const script = "textures/wall\n{\n\t{\n\t\tmap textures/wall.png\n\t}\n\t{\n\t\tmap $lightmap\n\t}\n}\n"
	for _, filtered := range []bool{false, true} {
		w := shown(world.Material{Name: "textures/wall", Lighting: world.Lightmap})
		w.Baked.Filtered = filtered
		m := load(t, textures("textures/wall.png"), script, plainOptions, w).Materials[0]
		if got := m.Base.Image != pbr.NoImage; got != filtered || m.Draw.Unlit {
			t.Errorf("DarkPlaces %v: the material has a texture: %v", filtered, got)
		}
	}
}

// A detail texture is a texture of its own, unless it is drawn into the picture or not wanted.
func TestDetailTexturesAreKept(t *testing.T) {
	const script = "textures/wall\n{\n\t{\n\t\tmap textures/wall.png\n\t}\n\t{\n\t\tmap $lightmap\n\t\tblendFunc filter\n\t}\n" +
		"\t{\n\t\tmap textures/grain.png\n\t\tblendFunc GL_DST_COLOR GL_SRC_COLOR\n\t\ttcMod scale 8 4\n\t}\n}\n"
	for _, c := range []struct {
		details bool
		combine Combine
		want    int
	}{{true, "needed", 1}, {false, "needed", 0}, {true, "all", 0}} {
		o := plainOptions
		o.Details, o.Combine = c.details, c.combine
		m := load(t, textures("textures/wall.png", "textures/grain.png"), script, o, shown(world.Material{Name: "textures/wall", Lighting: world.Lightmap})).Materials[0]
		if len(m.Details) != c.want {
			t.Fatalf("%+v: %d detail textures", c, len(m.Details))
		}
		if c.want > 0 && (m.Details[0].Image == pbr.NoImage || m.Details[0].UV != [6]float64{8, 0, 0, 0, 4, 0}) {
			t.Errorf("%+v", m.Details[0])
		}
	}
}

// A shader draws over its own image and draws a large glow last; the pixels are those of a picture of its own.
func TestDrawingOverAnImageGivesTheSamePixels(t *testing.T) {
	for _, c := range []struct {
		name   string
		layers []paint.Layer
		sizes  []int
	}{
		{"over the only image", []paint.Layer{over(nil, pbr.Identity)}, []int{64}},
		{"two layers of an image of their own", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAlpha, pbr.Identity)}, []int{64, 64}},
		{"a finer one", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendAdd, pbr.Identity)}, []int{16, 64}},
		{"a late glow", []paint.Layer{over(nil, pbr.Identity), over(&q3shader.BlendFilter, pbr.Identity), over(&q3shader.BlendAdd, scaled(4, 4))}, []int{256, 0, 256}},
	} {
		draw := func(drawOver bool) *paint.Combined {
			r := paint.Recipe{Light: paint.ByMap}
			var pictures []*image.NRGBA
			for i, l := range c.layers {
				if l.Lit = c.sizes[i] == 0; l.Lit {
					l.Image = ""
					pictures = append(pictures, nil)
				} else {
					pictures = append(pictures, noise(c.sizes[i]))
				}
				r.Layers = append(r.Layers, l)
			}
			got := paint.LayOut(&r, pictures)
			got.DrawOver = drawOver
			if err := got.Draw(limit.WithDefaults(t.Context()), &r); err != nil {
				t.Fatal(err)
			}
			if drawOver {
				base := *got.Base
				base.Pix = slices.Clone(base.Pix)
				if err := got.DrawGlow(t.Context()); err != nil {
					t.Fatal(err)
				}
				got.Base = &base
			}
			return got
		}
		want, got := draw(false), draw(true)
		if !bytes.Equal(got.Base.Pix, want.Base.Pix) || got.Alpha != want.Alpha || got.Glows != want.Glows {
			t.Errorf("%s: the base differs", c.name)
		}
		if c.name == "a late glow" && want.Glow == nil {
			t.Errorf("%s: there is none", c.name)
		}
		if (want.Glow == nil) != (got.Glow == nil) || want.Glow != nil && !bytes.Equal(got.Glow.Pix, want.Glow.Pix) {
			t.Errorf("%s: the glow differs", c.name)
		}
	}
}

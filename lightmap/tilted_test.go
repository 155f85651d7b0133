package lightmap

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// bumped is a chart of one style with flat light 14/3, the mean of its tilted lights 2, 4 and 8; a luxel is a texel of a 4 x 4 texture.
func bumped(w, h int, styles ...uint8) world.Chart {
	c := world.Chart{Width: w, Height: h, Texture: [2][3]float64{{0.25, 0, 0}, {0, 0.25, 0}}}
	for _, s := range styles {
		c.Layers = append(c.Layers, layer(s, world.Flat, w, h, plain(14.0/3)), layer(s, world.Bump1, w, h, plain(2)),
			layer(s, world.Bump2, w, h, plain(4)), layer(s, world.Bump3, w, h, plain(8)))
	}
	return c
}

// normals returns a normal map of one colour, but for the texel at 1, 2.
func normals(n, other color.NRGBA) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		im.SetNRGBA(i%4, i/4, n)
	}
	im.SetNRGBA(1, 2, other)
	return im
}

var (
	up      = color.NRGBA{127, 127, 255, 255} // -1, -1, 255: as near to up as 8 bits are
	right   = color.NRGBA{255, 127, 127, 255} // toward U
	leftUp  = color.NRGBA{0, 127, 127, 255}
	below   = color.NRGBA{127, 255, 127, 255} // toward V, downwards
	inwards = color.NRGBA{127, 127, 0, 255}
)

// bakeOne bakes a chart of material 5 and returns its first layer.
func bakeOne(t *testing.T, c world.Chart, normal *image.NRGBA) world.Chart {
	t.Helper()
	c.Material = 5
	o := options
	o.Carrier, o.Bump = "vertex", "baked"
	w := &world.World{Baked: world.BakedLight{Charts: []world.Chart{c}}}
	if _, err := Bake(t.Context(), Input{World: w, Effort: EffortFast, Normals: map[int]*image.NRGBA{5: normal}},
		o); err != nil {
		t.Fatal(err)
	}
	return w.Baked.Charts[0]
}

func TestTiltedLightWorkedOut(t *testing.T) {
	for _, test := range []struct {
		name   string
		normal color.NRGBA
		want   float64
	}{
		// All three directions are as near to up: (2 + 4 + 8) / 3.
		{"up", up, 14.0 / 3},
		// Only the first direction leans toward U.
		{"toward U", right, 2},
		// (0, 1, 0) leans √½ toward the second, and away from the third.
		{"toward V", below, 4},
		// (-1, 0, 0) leans √⅙ toward the second and the third: (4 + 8) / 2.
		{"away from U", leftUp, 6},
		{"inwards: the flat light stays", inwards, 14.0 / 3},
	} {
		c := bakeOne(t, bumped(3, 2, 0), normals(test.normal, test.normal))
		if len(c.Layers) != 1 || c.Layers[0].Basis != world.Flat {
			t.Fatalf("%s: %d layers", test.name, len(c.Layers))
		}
		for i, l := range c.Layers[0].Luxels {
			if got := float64(l[1].Float32()); math.Abs(got-test.want) > 0.03 {
				t.Errorf("%s: luxel %d has %.3f, want %.3f", test.name, i, got, test.want)
			}
		}
	}
}

// The engine scales the light of the three directions so that their mean is the flat light, channel by channel: the light of 2, 4 and 8
// has the shares 3/7, 6/7 and 12/7 of it.
func TestTiltedLightIsScaledToTheFlatLight(t *testing.T) {
	for _, flat := range []float32{0.25, 3} {
		for _, c := range []struct {
			normal color.NRGBA
			want   float32
		}{{up, flat}, {right, flat * 3 / 7}, {below, flat * 6 / 7}, {inwards, flat}} {
			chart := bumped(2, 2, 0)
			chart.Layers[0] = layer(0, world.Flat, 2, 2, plain(flat))
			// Up is up to 8 bits.
			if got := bakeOne(t, chart, normals(c.normal,
				c.normal)).Layers[0].Luxels[1][2].Float32(); math.Abs(float64(got-c.want)) > float64(flat)/150 {
				t.Errorf("flat light %g, normal %v: %g, want %g", flat, c.normal, got, c.want)
			}
		}
	}
	dark := bumped(2, 2, 0)
	for k := 1; k < 4; k++ {
		dark.Layers[k] = layer(0, world.Bump1+world.Basis(k-1), 2, 2, plain(0))
	}
	if got := bakeOne(t, dark, normals(up, up)).Layers[0].Luxels[0][0].Float32(); got != 0 {
		t.Errorf("no light from any direction: %g", got)
	}
}

// The numbers are what the pixel shader of Source SDK 2013 draws on white (lightmappedgeneric_ps2_3_x.h with BUMPMAP and DIFFUSEBUMPMAP,
// compiled for WebGL), for a normal map of one colour and three lights that are scaled so that their mean is the flat light.
func TestTiltedLightIsThatOfTheShader(t *testing.T) {
	lights := []struct {
		flat   float32
		tilted [3]float32
	}{{14.0 / 3, [3]float32{2, 4, 8}}, {0.3, [3]float32{0.5, 0.1, 0.05}}, {0.5, [3]float32{0.9, 0.9, 0.1}}, {0.25, [3]float32{0, 0.6, 0.2}}}
	for _, c := range []struct {
		normal color.NRGBA
		want   [4]float64 // by light
	}{
		{color.NRGBA{128, 128, 255, 255}, [4]float64{4.63911, 0.30240, 0.50318, 0.24981}},
		{color.NRGBA{191, 128, 238, 255}, [4]float64{2.69995, 0.58848, 0.65579, 0.06686}},
		{color.NRGBA{64, 128, 238, 255}, [4]float64{5.94921, 0.10929, 0.39998, 0.37317}},
		{color.NRGBA{128, 210, 225, 255}, [4]float64{3.60572, 0.24765, 0.71053, 0.45161}},
		{color.NRGBA{128, 46, 225, 255}, [4]float64{6.80535, 0.19329, 0.20470, 0.15017}},
		{color.NRGBA{176, 60, 222, 255}, [4]float64{4.60533, 0.42175, 0.43628, 0.08142}},
		{color.NRGBA{255, 128, 128, 255}, [4]float64{2, 0.69231, 0.71053, 0}},
		{color.NRGBA{218, 218, 180, 255}, [4]float64{2.46506, 0.56352, 0.71053, 0.13080}},
		{color.NRGBA{20, 128, 150, 255}, [4]float64{5.97514, 0.10428, 0.39866, 0.37733}},
		// It is longer than 1: the shader clamps its products with the directions.
		{color.NRGBA{255, 255, 255, 255}, [4]float64{2.86861, 0.45177, 0.71053, 0.24430}},
	} {
		for i, l := range lights {
			chart := bumped(2, 2, 0)
			chart.Layers[0] = layer(0, world.Flat, 2, 2, plain(l.flat))
			for k, x := range l.tilted {
				chart.Layers[1+k] = layer(0, world.Bump1+world.Basis(k), 2, 2, plain(x))
			}
			got := float64(bakeOne(t, chart, normals(c.normal, c.normal)).Layers[0].Luxels[3][0].Float32())
			if math.Abs(got-c.want[i]) > 0.001*c.want[i]+0.0001 { // half floats have 11 bits
				t.Errorf("normal %v, lights %v: %.5f, want %.5f", c.normal, l, got, c.want[i])
			}
		}
	}
}

func TestTiltedLightIsThatOfTheTexelsBelow(t *testing.T) {
	// Texel 1, 2 leans to U, so luxels (1, 2) and, as the texture repeats, (5, 2), (1, 6) ... have light 2.
	c := bakeOne(t, bumped(9, 9, 0), normals(below, right))
	for i, l := range c.Layers[0].Luxels {
		want := float32(4)
		if i%9%4 == 1 && i/9%4 == 2 {
			want = 2
		}
		if got := l[0].Float32(); math.Abs(float64(got-want)) > 0.03 {
			t.Errorf("luxel %d, %d has %g, want %g", i%9, i/9, got, want)
		}
	}
	// A luxel of 4 x 4 texels is their mean: (15·4 + 2) / 16. Turned and moved by a texture it stays so.
	wide := bumped(2, 2, 0)
	for _, texture := range [][2][3]float64{
		{{1, 0, 0}, {0, 1, 0}}, {{0, -1, 7}, {1, 0, -3}}, {{-1, 0, 1e6}, {0, 1, 0.25}},
	} {
		wide.Texture = texture
		c = bakeOne(t, wide, normals(below, right))
		if got := c.Layers[0].Luxels[3][0].Float32(); math.Abs(float64(got)-62.0/16) > 0.03 {
			t.Errorf("%v: %g, want %g", texture, got, 62.0/16)
		}
	}
	// 64 of 400 x 400 texels are read, each with the same chance: some lean to U.
	wide.Texture = [2][3]float64{{100.3, 0, 0}, {0, 100.3, 0}}
	c = bakeOne(t, wide, normals(below, right))
	if got := c.Layers[0].Luxels[3][0].Float32(); got < 3.5 || got > 4 {
		t.Errorf("%g, want about %g", got, 62.0/16)
	}
}

func TestTiltedLightOfEachStyle(t *testing.T) {
	c := bumped(2, 2, 32, 3)
	c.Layers = append(c.Layers, layer(7, world.Flat, 2, 2, plain(0.5)), layer(9, world.Flat, 2, 2, plain(0.25)),
		layer(9, world.Bump1, 2, 2, plain(1)))
	before := slices.Clone(c.Layers[0].Luxels)
	shared := c
	got := bakeOne(t, c, normals(right, right))
	var styles []uint8
	for _, l := range got.Layers {
		styles = append(styles, l.Style)
	}
	if !slices.Equal(styles, []uint8{32, 3, 7, 9}) {
		t.Fatalf("styles %v", styles)
	}
	for k, want := range []float32{2, 2, 0.5, 0.25} { // 7 has no tilted light, 9 not all
		if v := got.Layers[k].Luxels[0][0].Float32(); math.Abs(float64(v-want)) > 0.03 {
			t.Errorf("style %d has %g, want %g", styles[k], v, want)
		}
	}
	if !slices.Equal(shared.Layers[0].Luxels, before) || len(shared.Layers) != 11 {
		t.Error("what another chart may show has changed")
	}
}

func TestChartsThatStayFlat(t *testing.T) {
	nan := math.NaN()
	far := bumped(2, 2, 0)
	for name, test := range map[string]struct {
		texture [2][3]float64
		normal  *image.NRGBA
	}{
		"no normal map":    {far.Texture, nil},
		"an empty one":     {far.Texture, image.NewNRGBA(image.Rect(0, 0, 0, 4))},
		"no number":        {[2][3]float64{{nan, 0, 0}, {0, 1, 0}}, normals(right, right)},
		"infinite":         {[2][3]float64{{1, 0, 0}, {0, 1, math.Inf(-1)}}, normals(right, right)},
		"beyond all sense": {[2][3]float64{{1, 0, 0}, {0, 1e300, 0}}, normals(right, right)},
	} {
		c := bumped(2, 2, 0)
		c.Texture = test.texture
		got := bakeOne(t, c, test.normal)
		if light := Sample(&got, [2]float32{1, 1}); math.Abs(float64(light[0])-14.0/3) > 0.01 {
			t.Errorf("%s: %v", name, light)
		}
	}
	// A normal map may be a part of another picture.
	big := normals(below, below)
	big.SetNRGBA(3, 3, right)
	c := bumped(1, 1, 0)
	got := bakeOne(t, c, big.SubImage(image.Rect(3, 3, 4, 4)).(*image.NRGBA))
	if light := Sample(&got, [2]float32{0, 0})[0]; math.Abs(float64(light)-2) > 0.03 {
		t.Errorf("a part: %g, want 2", light)
	}
}

func TestBumpOptions(t *testing.T) {
	type key struct {
		style uint8
		basis world.Basis
	}
	flat := key{0, world.Flat}
	one := []key{flat, {0, world.Bump1}, {0, world.Bump2}, {0, world.Bump3}}
	two := []key{flat, {3, world.Flat}, {0, world.Bump1}, {3, world.Bump1}, {0, world.Bump2}, {3, world.Bump2}, {0, world.Bump3},
		{3, world.Bump3}}
	for _, test := range []struct {
		name         string
		bump         Bump
		styles       Styles
		chart        world.Chart
		want         []key
		flat, tilted float32 // the brightest
	}{
		{"flat", "flat", "layers", bumped(4, 4, 0), one[:1], 14.0 / 3, 0},
		{"pages", "pages", "layers", bumped(4, 4, 0), one, 14.0 / 3, 8},
		{"pages of two styles", "pages", "layers", bumped(4, 4, 0, 3), two, 14.0 / 3, 8},
		{"pages of the first style", "pages", "drop", bumped(4, 4, 0, 3), one, 14.0 / 3, 8},
		{"pages of styles that are merged", "pages", "merge", bumped(4, 4, 0, 3), one, 28.0 / 3, 16},
		// The page of style 0 shows the first style, whatever it is; its tilted light goes with it.
		{"pages of a chart without style 0", "pages", "layers", bumped(4, 4, 32, 3), two, 14.0 / 3, 8},
		{"baked", "baked", "layers", bumped(4, 4, 0, 3), []key{flat, {3, world.Flat}}, 14.0 / 3, 0},
		{"baked and merged", "baked", "merge", bumped(4, 4, 0, 3), one[:1], 28.0 / 3, 0},
	} {
		o := options
		o.Bump, o.Styles = test.bump, test.styles
		w := &world.World{Baked: world.BakedLight{Charts: []world.Chart{test.chart}}}
		a, err := Bake(t.Context(),
			Input{World: w, Effort: EffortFast, Normals: map[int]*image.NRGBA{0: normals(up, up)}}, o)
		if err != nil {
			t.Fatal(err)
		}
		var got []key
		for _, p := range a.Pages {
			got = append(got, key{p.Style, p.Basis})
			light := texel(page(t, p), a.Places[0].X, a.Places[0].Y)[0]
			if light == 0 {
				t.Errorf("%s: the page of style %d, %s is black", test.name, p.Style, p.Basis)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: pages %v, want %v", test.name, got, test.want)
		}
		if math.Abs(float64(a.Scale-test.flat)) > 0.01*float64(test.flat) ||
			math.Abs(float64(a.Tilted-test.tilted)) > 0.01*float64(test.tilted) {
			t.Errorf("%s: scales %g and %g, want %g and %g", test.name, a.Scale, a.Tilted, test.flat, test.tilted)
		}
	}
}

func TestTiltedLightIsWithinTheLimits(t *testing.T) {
	c := bumped(20, 20, 0)
	o := options
	o.Carrier, o.Bump = "vertex", "baked"
	w := &world.World{Baked: world.BakedLight{Charts: []world.Chart{c}}}
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 6*400 - 1}))
	if _, err := Bake(ctx, Input{World: w, Effort: EffortFast, Normals: map[int]*image.NRGBA{0: normals(up, up)}}, o); !errors.Is(err,
		limit.ErrLimit) {
		t.Errorf("got %v", err)
	}
}

func TestTiltedLightIsTheSameOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []world.RGB
	for _, n := range []int{1, 3} {
		runtime.GOMAXPROCS(n)
		var all []world.RGB
		charts, maps := rough(20)
		if err := bakeTilted(t.Context(), charts, maps); err != nil {
			t.Fatal(err)
		}
		for _, c := range charts {
			all = append(all, c.Layers[0].Luxels...)
		}
		if first == nil {
			first = all
		} else if !slices.Equal(first, all) {
			t.Errorf("%d cores make other light", n)
		}
	}
}

// rough makes n charts of 33 x 33 luxels, each 64 texels wide, with a normal map.
func rough(n int) ([]world.Chart, map[int]*image.NRGBA) {
	r := rand.New(rand.NewPCG(11, 12))
	im := image.NewNRGBA(image.Rect(0, 0, 512, 512))
	for i := range im.Pix {
		im.Pix[i] = byte(100 + r.IntN(56))
	}
	charts := make([]world.Chart, n)
	for i := range charts {
		charts[i] = bumped(33, 33, 0)
		charts[i].Texture = [2][3]float64{{64.0 / 512, 0, float64(i)}, {0, 64.0 / 512, 0.3}}
	}
	return charts, map[int]*image.NRGBA{0: im}
}

func BenchmarkTilted(b *testing.B) {
	charts, maps := rough(100)
	b.SetBytes(100 * 33 * 33 * 4 * 6)
	b.ReportAllocs()
	for b.Loop() {
		if err := bakeTilted(b.Context(), slices.Clone(charts), maps); err != nil {
			b.Fatal(err)
		}
	}
}

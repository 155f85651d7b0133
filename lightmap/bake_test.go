package lightmap

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var options = Options{Carrier: "moz", PageSize: 2048, Padding: 2, Styles: "layers", Deluxe: true, VertexStep: 2}

// chart returns a chart of one layer whose luxels f gives.
func chart(w, h int, f func(x, y int) [3]float32) world.Chart {
	return world.Chart{Width: w, Height: h, Layers: []world.Layer{layer(0, world.Flat, w, h, f)}}
}

func layer(style uint8, basis world.Basis, w, h int, f func(x, y int) [3]float32) world.Layer {
	l := world.Layer{Style: style, Basis: basis}
	for y := range h {
		for x := range w {
			c := f(x, y)
			l.Luxels = append(l.Luxels, world.NewRGB(c[0], c[1], c[2]))
		}
	}
	return l
}

func plain(v float32) func(x, y int) [3]float32 {
	return func(int, int) [3]float32 { return [3]float32{v, v, v} }
}

func bake(t testing.TB, o Options, charts ...world.Chart) *Atlas {
	t.Helper()
	a, err := Bake(t.Context(),
		Input{World: &world.World{Baked: world.BakedLight{Charts: owned(charts)}}, Effort: EffortFast}, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// owned are charts of which Bake may drop the luxels.
func owned(charts []world.Chart) []world.Chart {
	own := make([]world.Chart, len(charts))
	for i, c := range charts {
		c.Layers = slices.Clone(c.Layers)
		own[i] = c
	}
	return own
}

func page(t rapid.TB, p Page) image.Image {
	t.Helper()
	im, err := png.Decode(bytes.NewReader(p.Data))
	if err != nil {
		t.Fatal(err)
	}
	if im.Bounds().Dx() != p.Width || im.Bounds().Dy() != p.Height {
		t.Fatalf("the image is %v, the page %d x %d", im.Bounds(), p.Width, p.Height)
	}
	return im
}

// texel returns a pixel of a page as linear light, as a sampler sees it: beyond the border the border repeats.
func texel(im image.Image, x, y int) (light [3]float64) {
	x, y = min(max(x, 0), im.Bounds().Dx()-1), min(max(y, 0), im.Bounds().Dy()-1)
	r, g, b, _ := im.At(x, y).RGBA()
	for k, v := range []uint32{r, g, b} {
		light[k] = gamma.Decode(float64(v>>8) / 255)
	}
	return light
}

// sample filters a page at 0 to 1 as a GPU does.
func sample(im image.Image, uv [2]float32) (light [3]float64) {
	x := float64(uv[0])*float64(im.Bounds().Dx()) - 0.5
	y := float64(uv[1])*float64(im.Bounds().Dy()) - 0.5
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := x-x0, y-y0
	for k := range light {
		at := func(dx, dy int) float64 { return texel(im, int(x0)+dx, int(y0)+dy)[k] }
		light[k] = (at(0, 0)*(1-fx)+at(1, 0)*fx)*(1-fy) + (at(0, 1)*(1-fx)+at(1, 1)*fx)*fy
	}
	return light
}

// Sample returns the light that a viewer filters from the page at the vertex's UV, but for the rounding to 8 bits.
func TestSampleIsWhatAViewerSees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		scale := float32(1)
		if rapid.Bool().Draw(t, "bright") {
			scale = 4
		}
		var charts, kept []world.Chart
		for range rapid.IntRange(1, 30).Draw(t, "charts") {
			charts = append(charts, chart(rapid.IntRange(1, 20).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h"),
				func(x, y int) [3]float32 {
					return [3]float32{r.Float32() * scale, r.Float32() * scale, r.Float32() * scale}
				}))
		}
		kept = owned(charts)
		o := options
		o.Padding = rapid.IntRange(1, 3).Draw(t, "padding")
		o.PageSize = rapid.SampledFrom([]int{16, 64, 2048}).Draw(t, "page")
		a, err := Bake(context.Background(),
			Input{World: &world.World{Baked: world.BakedLight{Charts: charts}}, Effort: EffortFast}, o)
		if err != nil {
			t.Skip(err) // more pages than allowed
		}
		var pages []image.Image
		for _, p := range a.Pages {
			pages = append(pages, page(t, p))
		}
		for i := range kept {
			for range 20 {
				// Half a luxel beyond the chart, where it ends for the engine, is inside the padding.
				luxel := [2]float32{
					r.Float32()*float32(kept[i].Width+1) - 0.5,
					r.Float32()*float32(kept[i].Height+1) - 0.5,
				}
				want, got := Sample(&kept[i], luxel), sample(pages[a.Places[i].Page], a.UV(i, luxel))
				for k := range want {
					x, y := encodeSRGB(float64(want[k]/a.Scale)), encodeSRGB(got[k])
					if math.Abs(x-y) > 1.0/255 {
						t.Fatalf("chart %d luxel %v channel %d: Sample %.4f, the page %.4f", i, luxel, k, x, y)
					}
				}
			}
		}
	})
}

func TestSampleWorkedOut(t *testing.T) {
	// 0 1
	// 2 3, and its middle is their mean.
	c := chart(2, 2, func(x, y int) [3]float32 { v := float32(2*y + x); return [3]float32{v, v, v} })
	nan := float32(math.NaN())
	for _, test := range []struct{ x, y, want float32 }{
		{0.5, 0.5, 0}, {1.5, 0.5, 1}, {0.5, 1.5, 2}, {1.5, 1.5, 3}, {1, 1, 1.5}, {1, 0.5, 0.5}, {0.75, 0.5, 0.25},
		{-9, -9, 0}, {9, 9, 3}, {9, -9, 1}, {nan, nan, 0}, {float32(math.Inf(1)), 0, 1},
	} {
		if got := Sample(&c, [2]float32{test.x, test.y}); got != [3]float32{test.want, test.want, test.want} {
			t.Errorf("at %g, %g: %v, want %g", test.x, test.y, got, test.want)
		}
	}
	if got := Sample(&world.Chart{Width: 2, Height: 2}, [2]float32{1, 1}); got != [3]float32{1, 1, 1} {
		t.Errorf("without light: %v, want white", got)
	}
}

func TestSampledIsWhatSampleReads(t *testing.T) {
	c := chart(8, 4, func(_, _ int) [3]float32 { return [3]float32{} })
	for _, test := range []struct {
		lo, hi [2]float32
		want   image.Rectangle
	}{
		{[2]float32{2.5, 1.5}, [2]float32{2.5, 1.5}, image.Rect(2, 1, 4, 3)}, // the luxels on both sides, of which one has no weight
		{[2]float32{2, 1}, [2]float32{6, 3}, image.Rect(1, 0, 7, 4)},
		{[2]float32{-5, -5}, [2]float32{-4, -4}, image.Rect(0, 0, 1, 1)},
		{[2]float32{0, 0}, [2]float32{99, 99}, image.Rect(0, 0, 8, 4)},
	} {
		if got := Sampled(&c, test.lo, test.hi); got != test.want {
			t.Errorf("%g to %g: %v, want %v", test.lo, test.hi, got, test.want)
		}
	}
}

func TestGuttersRepeatTheEdge(t *testing.T) {
	const padding = 3
	o := options
	o.Padding = padding
	r := rand.New(rand.NewPCG(7, 8))
	light := func(int, int) [3]float32 { return [3]float32{r.Float32(), r.Float32(), r.Float32()} }
	charts := []world.Chart{chart(5, 4, light), chart(1, 1, light), chart(9, 2, light), chart(4, 4, light)}
	a := bake(t, o, slices.Clone(charts)...)
	im := page(t, a.Pages[0])
	for i, c := range charts {
		p := a.Places[i]
		for y := -padding; y < c.Height+padding; y++ {
			for x := -padding; x < c.Width+padding; x++ {
				edge := c.Layers[0].Luxels[min(max(y, 0), c.Height-1)*c.Width+min(max(x, 0), c.Width-1)]
				r, g, b, _ := im.At(p.X+x, p.Y+y).RGBA()
				for k, v := range []uint32{r, g, b} {
					if uint8(v>>8) != unscaled()[edge[k]] {
						t.Fatalf("chart %d at %d, %d: %d, want %d", i, x, y, v>>8, unscaled()[edge[k]])
					}
				}
			}
		}
	}
}

func TestScaleIsTheBrightestPaintedLuxel(t *testing.T) {
	two := chart(2, 1, plain(0.5))
	two.Layers = append(two.Layers, layer(3, world.Flat, 2, 1, plain(4)), layer(0, world.Direction, 2, 1, plain(9)))
	for _, test := range []struct {
		name   string
		styles Styles
		charts []world.Chart
		want   float32
	}{
		{"dark light is not stretched", "layers", []world.Chart{chart(2, 1, plain(0.25))}, 1},
		{"above 1", "layers", []world.Chart{chart(2, 1, plain(2.5))}, 2.5},
		{"of another style", "layers", []world.Chart{two}, 4},
		{"of a style that is left out", "drop", []world.Chart{two}, 1},
		{"of the sum", "merge", []world.Chart{two}, 4.5},
		{"below 0", "layers", []world.Chart{chart(2, 1, plain(-5))}, 1},
		{"not a number", "layers", []world.Chart{chart(1, 1, plain(float32(math.NaN())))}, 1},
		{"infinite", "layers", []world.Chart{chart(1, 1, plain(float32(math.Inf(1))))}, 65504},
	} {
		o := options
		o.Styles = test.styles
		a := bake(t, o, slices.Clone(test.charts)...)
		if a.Scale != test.want {
			t.Errorf("%s: %g, want %g", test.name, a.Scale, test.want)
		}
		if a.Clipped != 0 {
			t.Errorf("%s: %g is clipped", test.name, a.Clipped)
		}
		if test.want == 2.5 && texel(page(t, a.Pages[0]), 2, 2) != [3]float64{1, 1, 1} {
			t.Error("the brightest luxel is not white")
		}
	}
}

// lamp returns a chart of 100 x 100 luxels of light 1, the first n of which are 4 + their number.
func lamp(n int) world.Chart {
	return chart(100, 100, func(x, y int) [3]float32 {
		v := float32(1)
		if at := y*100 + x; at < n {
			v = 5 + float32(at)
		}
		return [3]float32{v, v, v}
	})
}

func TestScaleCutsOffOneValueInTwoHundred(t *testing.T) {
	dim := lamp(40)
	for i, l := range dim.Layers[0].Luxels {
		dim.Layers[0].Luxels[i] = world.NewRGB(l[0].Float32()/9, l[1].Float32()/9, l[2].Float32()/9)
	}
	for _, test := range []struct {
		name    string
		scale   float64
		charts  []world.Chart
		want    float32
		clipped float64
	}{
		{"50 luxels of 10,000", 0, []world.Chart{lamp(50)}, 4, 0.005}, // 5 to 54 are above 4
		{"51 luxels: the least stays", 0, []world.Chart{lamp(51)}, 5, 0.005},
		{"70 luxels: the 51st from above", 0, []world.Chart{lamp(70)}, 24, 0.005},
		{"in many charts", 0, slices.Concat(slices.Repeat([]world.Chart{chart(10, 10, plain(2))}, 900), []world.Chart{lamp(800)}),
			304, 0.005},
		{"not below 4", 0, []world.Chart{dim}, 4, 0.0008}, // 37/9 to 44/9 are above it, but more might be
		{"a few luxels", 0, []world.Chart{chart(3, 3, plain(20))}, 20, 0},
		{"as the options say", 2, []world.Chart{lamp(30)}, 2, 0.003},
		{"more than there is", 100, []world.Chart{lamp(30)}, 100, 0},
		{"next to nothing", 1e-300, []world.Chart{lamp(30)}, 1.0 / (1 << 24), 1},
	} {
		o := options
		o.Scale = test.scale
		a := bake(t, o, slices.Clone(test.charts)...)
		if a.Scale != test.want || a.Clipped != test.clipped {
			t.Errorf("%s: %g with %g clipped, want %g, %g", test.name, a.Scale, a.Clipped, test.want, test.clipped)
		}
	}
}

// styled returns a chart with styles 0, 3 and 7 and a direction.
func styled() world.Chart {
	c := chart(2, 2, plain(0.25))
	c.Layers = append(c.Layers, layer(3, world.Flat, 2, 2, plain(0.25)), layer(7, world.Flat, 2, 2, plain(0.125)),
		layer(0, world.Direction, 2, 2, func(int, int) [3]float32 { return [3]float32{1, 0, -1} }))
	return c
}

func TestStylesAndDirections(t *testing.T) {
	type key struct {
		style uint8
		basis world.Basis
	}
	flat, direction := key{0, world.Flat}, key{0, world.Direction}
	for _, test := range []struct {
		styles Styles
		deluxe bool
		want   []key
		issues int
		light  float64 // of the first page
	}{
		{"layers", true, []key{flat, {3, world.Flat}, {7, world.Flat}, direction}, 0, 0.25},
		{"layers", false, []key{flat, {3, world.Flat}, {7, world.Flat}}, 0, 0.25},
		{"drop", true, []key{flat, direction}, 2, 0.25},
		{"merge", true, []key{flat, direction}, 0, 0.625},
		{"merge", false, []key{flat}, 0, 0.625},
	} {
		o := options
		o.Styles, o.Deluxe = test.styles, test.deluxe
		a := bake(t, o, chart(4, 4, plain(0.5)), styled())
		var got []key
		for _, p := range a.Pages {
			got = append(got, key{p.Style, p.Basis})
			im, at := page(t, p), a.Places[1]
			light := texel(im, at.X, at.Y)
			want := map[key]float64{flat: test.light, {3, world.Flat}: 0.25, {7, world.Flat}: 0.125}[key{p.Style, p.Basis}]
			if p.Basis == world.Direction {
				r, g, b, _ := im.At(at.X, at.Y).RGBA()
				if r>>8 != 255 || g>>8 != 128 || b != 0 {
					t.Errorf("the direction is %d %d %d", r>>8, g>>8, b>>8)
				}
			} else if math.Abs(encodeSRGB(light[0])-encodeSRGB(want)) > 0.5/255 {
				t.Errorf("%s: style %d has light %g, want %g", test.styles, p.Style, light[0], want)
			}
			if other := a.Places[0]; p.Style != 0 && texel(im, other.X, other.Y) != [3]float64{} {
				t.Errorf("a chart without style %d is not black there", p.Style)
			}
		}
		if !slices.Equal(got, test.want) || len(a.Issues) != test.issues {
			t.Errorf("%s, deluxe %v: pages %v, want %v; issues %v", test.styles, test.deluxe, got, test.want, a.Issues)
		}
	}
}

func TestMergeReachesTheVertexCarrier(t *testing.T) {
	o := options
	o.Carrier, o.Styles = "vertex", "merge"
	w := &world.World{Baked: world.BakedLight{Charts: []world.Chart{styled()}}}
	shared := w.Baked.Charts[0].Layers[0].Luxels
	a, err := Bake(t.Context(), Input{World: w, Effort: EffortFast}, o)
	if err != nil || len(a.Pages) > 0 || a.Scale != 1 || a.Has(0) {
		t.Fatalf("%+v, %v", a, err)
	}
	if got := Sample(&w.Baked.Charts[0], [2]float32{1, 1}); got != [3]float32{0.625, 0.625, 0.625} {
		t.Errorf("the light is %v, want the sum", got)
	}
	if shared[0] != world.NewRGB(0.25, 0.25, 0.25) {
		t.Error("luxels that another chart may share were changed")
	}
}

func TestMergeKeepsTheNightApart(t *testing.T) {
	o := options
	o.Styles = "merge"
	c := styled()
	for i := range c.Layers {
		if c.Layers[i].Style != 0 {
			c.Layers[i].Style |= world.NightStyle
		}
	}
	o.Carrier = "vertex" // which keeps the luxels
	w := &world.World{Baked: world.BakedLight{Charts: []world.Chart{c}}}
	if _, err := Bake(t.Context(), Input{World: w, Effort: EffortFast}, o); err != nil {
		t.Fatal(err)
	}
	day, night := w.Baked.Charts[0].Layers[0], w.Baked.Charts[0].Layers[1]
	if day.Style != 0 || day.Luxels[0] != world.NewRGB(0.25, 0.25, 0.25) || night.Style != world.NightStyle ||
		night.Luxels[0] != world.NewRGB(0.375, 0.375, 0.375) {
		t.Errorf("the day %d has %v, the night %d has %v", day.Style, day.Luxels[0], night.Style, night.Luxels[0])
	}
}

func TestBakeDropsTheLuxelsThatItPainted(t *testing.T) {
	for _, styles := range []Styles{StylesLayers, StylesDrop} {
		for carrier, want := range map[Carrier]bool{CarrierMOZ: true, CarrierNone: true, CarrierVertex: false} {
			o := options
			o.Carrier, o.Styles = carrier, styles
			w := &world.World{Baked: world.BakedLight{Charts: []world.Chart{chart(2, 2, plain(1)), styled()}}}
			called := 0
			if _, err := Bake(t.Context(), Input{World: w, Effort: EffortFast, Painted: func() { called++ }},
				o); err != nil {
				t.Fatal(err)
			}
			if gone := w.Baked.Charts[0].Layers == nil; gone != want || called != 1 {
				t.Errorf("%s: gone %v, painted called %d times", carrier, gone, called)
			}
		}
	}
}

func TestChartsWithoutLuxelsOrLight(t *testing.T) {
	a := bake(t, options, world.Chart{}, world.Chart{Width: 3}, world.Chart{Height: 3}, world.Chart{Width: 2, Height: 2})
	if len(a.Pages) != 1 || a.Has(0) || a.Has(1) || a.Has(2) || !a.Has(3) || a.Has(4) || a.Has(world.NoChart) {
		t.Errorf("%+v", a)
	}
	if light := texel(page(t, a.Pages[0]), a.Places[3].X, a.Places[3].Y); light != [3]float64{1, 1, 1} {
		t.Errorf("a chart without light is %v, want white", light)
	}
	if a := bake(t, options, world.Chart{}); len(a.Pages) != 0 || len(a.Sizes) != 0 {
		t.Errorf("%+v", a)
	}
	if a := bake(t, options); len(a.Pages) != 0 || a.Scale != 1 {
		t.Errorf("%+v", a)
	}
}

func TestMaxAtlasPages(t *testing.T) {
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxAtlasPages: 2}))
	o := options
	o.PageSize = 16 // of one chart
	full := []world.Chart{chart(10, 10, plain(1)), chart(10, 10, plain(1)), chart(10, 10, plain(1))}
	_, err := Bake(ctx, Input{World: &world.World{Baked: world.BakedLight{Charts: full}}, Effort: EffortFast}, o)
	if !errors.Is(err, limit.ErrLimit) || !strings.Contains(err.Error(), "MaxAtlasPages") {
		t.Errorf("three pages of two: %v", err)
	}
	// Styles are survived: the first two are kept.
	c := chart(10, 10, plain(1))
	for style := range uint8(5) {
		c.Layers = append(c.Layers, layer(style+1, world.Flat, 10, 10, plain(1)))
	}
	a, err := Bake(ctx, Input{World: &world.World{Baked: world.BakedLight{Charts: []world.Chart{c}}}, Effort: EffortFast}, o)
	if err != nil || len(a.Pages) != 3 || a.Pages[1].Style != 1 || a.Pages[2].Style != 2 || len(a.Issues) != 1 {
		t.Errorf("%d pages, issues %v, %v", len(a.Pages), a.Issues, err)
	}
	ctx = limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 100}))
	if _, err := Bake(ctx, Input{World: &world.World{Baked: world.BakedLight{Charts: []world.Chart{chart(10, 10, plain(1))}}},
		Effort: EffortFast}, o); !errors.Is(err, limit.ErrLimit) {
		t.Errorf("a page over MaxMemory: %v", err)
	}
}

func TestBakeStopsWhenItIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Bake(ctx, Input{World: &world.World{Baked: world.BakedLight{Charts: many(3)}}, Effort: EffortFast},
		options); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// many makes n charts of 128 luxels a side with some noise, as Quake III has them; every fourth has a style.
func many(n int) []world.Chart {
	r := rand.New(rand.NewPCG(9, 10))
	charts := make([]world.Chart, n)
	noise := func(x, y int) [3]float32 {
		v := float32(x+y)/256 + r.Float32()/64
		return [3]float32{v, v * 0.9, v * 0.7}
	}
	for i := range charts {
		charts[i] = chart(128, 128, noise)
	}
	return charts
}

func TestBakeIsTheSameOnAnyNumberOfCores(t *testing.T) {
	charts := many(9)
	for i := range charts {
		charts[i].Layers = append(charts[i].Layers, layer(uint8(1+i%3), world.Flat, 128, 128, plain(0.5)))
	}
	o := options
	o.PageSize = 300
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first *Atlas
	for _, n := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(n)
		a := bake(t, o, slices.Clone(charts)...)
		if first == nil {
			first = a
			continue
		}
		if !slices.Equal(a.Places, first.Places) || !slices.EqualFunc(a.Pages, first.Pages, func(x, y Page) bool {
			return x.Style == y.Style && x.Layout == y.Layout && bytes.Equal(x.Data, y.Data)
		}) {
			t.Errorf("%d cores make another atlas", n)
		}
	}
}

func BenchmarkBake(b *testing.B) {
	charts := many(16)
	b.SetBytes(16 * 128 * 128 * 6)
	b.ReportAllocs()
	for b.Loop() {
		bake(b, options, slices.Clone(charts)...)
	}
}

// BenchmarkPaint paints a page of 4000 charts of a Source map without encoding it.
func BenchmarkPaint(b *testing.B) {
	charts, luxels := lit(faces(4000))
	a := &Atlas{}
	on, err := a.pack(charts, options, limit.NewBudget(limit.Limits{}))
	if err != nil || len(a.Sizes) != 1 {
		b.Fatal(len(a.Sizes), err)
	}
	p := &painter{a: a, charts: charts, on: on, layers: []pageLight{{}}, padding: 2, light: lightTable(4),
		b: limit.NewBudget(limit.Limits{})}
	all := make([][]world.RGB, len(charts)) // painting drops them
	for i := range charts {
		all[i] = charts[i].Layers[0].Luxels
	}
	b.SetBytes(int64(luxels) * 6)
	b.ReportAllocs()
	for b.Loop() {
		for i := range charts {
			charts[i].Layers[0].Luxels = all[i]
		}
		if _, err := p.image(0); err != nil {
			b.Fatal(err)
		}
		p.b.Release(a.Sizes[0].bytes())
	}
}

// BenchmarkScale finds the scale of 4000 charts of a Source map.
func BenchmarkScale(b *testing.B) {
	charts, luxels := lit(faces(4000))
	b.SetBytes(int64(luxels) * 6)
	b.ReportAllocs()
	for b.Loop() {
		if err := (&Atlas{}).scale(b.Context(), charts, options); err != nil {
			b.Fatal(err)
		}
	}
}

// lit makes charts of light up to 20, most of it dark, and counts their luxels.
func lit(rects []Rect) (charts []world.Chart, luxels int) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, c := range rects {
		charts = append(charts, chart(c.Width, c.Height, func(int, int) [3]float32 {
			v := r.Float32()
			v *= v * v * 20
			return [3]float32{v, v * 0.9, v * 0.7}
		}))
		luxels += c.Width * c.Height
	}
	return charts, luxels
}

// The light of styles is added as the engine has it: as displayed, and as bright as the map starts. With an albedo of 1 a stored
// half is d(0.5) = 0.2140; a half of style 4, which is on half the time, is a quarter, and together they are d(0.75) = 0.5225.
func TestStylesAreAddedAsTheMapStarts(t *testing.T) {
	half := float32(0.21404114)
	layer := func(style uint8, light float32) world.Layer {
		return world.Layer{Style: style, Luxels: []world.RGB{world.NewRGB(light, light, light)}}
	}
	for _, c := range []struct {
		what    string
		mode    Styles
		display *world.DisplayLight
		layers  []world.Layer
		want    []float32 // by layer
	}{
		{"flickering", "start", &world.DisplayLight{Albedo: 1, Exponent: 1}, []world.Layer{layer(0, half), layer(4, half)},
			[]float32{0.5225216}},
		{"one channel", "start", nil, []world.Layer{layer(35, 0.5)}, []float32{0.125}},
		{"off", "start", &world.DisplayLight{Albedo: 1, Exponent: 1}, []world.Layer{layer(33, half)}, []float32{0}},
		{"on", "start", &world.DisplayLight{Albedo: 1, Exponent: 1}, []world.Layer{layer(0, half), layer(32, half)}, []float32{1}},
		{"at its end", "start", &world.DisplayLight{Albedo: 1, Exponent: 1, Most: 0.75}, []world.Layer{layer(0, half), layer(32, half)},
			[]float32{0.5225216}},
		// A half of each channel, and of style 36 a half of red and a quarter of green, are 1, 0.75 and 0.5. Three quarters of 0.75 are
		// 0.5625.
		{"a channel at its end", "start", &world.DisplayLight{Albedo: 1, Exponent: 1, Most: 0.75},
			[]world.Layer{layer(0, half), layer(36, half)}, []float32{0.5225216}},
		{"all channels at the end of one", "start", &world.DisplayLight{Albedo: 1, Exponent: 1, Most: 0.75, Whole: true},
			[]world.Layer{layer(0, half), layer(36, half)}, []float32{0.2765176}},
		{"linear", "start", nil, []world.Layer{layer(0, 0.5), layer(4, 0.5)}, []float32{0.75}},
		{"all", "merge", nil, []world.Layer{layer(0, 0.5), layer(33, 0.5)}, []float32{1}},
		{"the night apart", "start", nil, []world.Layer{layer(0, 0.5), layer(4, 0.5), layer(world.NightStyle+4, 0.5),
			layer(world.NightStyle, 0.25)}, []float32{0.75, 0.5}},
		{"one alone", "start", nil, []world.Layer{layer(0, 0.5)}, []float32{0.5}},
		{"apart", "layers", nil, []world.Layer{layer(0, 0.5), layer(4, 0.25)}, []float32{0.5, 0.25}},
	} {
		w := &world.World{Baked: world.BakedLight{Styles: world.Levels{4: {0.5, 0.5, 0.5}, 33: {}, 35: {1, 0.25, 0}, 36: {1, 0.5, 0}},
			Display: c.display, Charts: []world.Chart{{Width: 1, Height: 1, Layers: c.layers}}}}
		if err := addStyles(context.Background(), w, c.mode, limit.NewBudget(limit.Limits{})); err != nil {
			t.Fatal(err)
		}
		got := w.Baked.Charts[0].Layers
		if len(got) != len(c.want) {
			t.Errorf("%s: %d layers", c.what, len(got))
			continue
		}
		for i, want := range c.want {
			if l := got[i].Luxels[0].Float32()[1]; math.Abs(float64(l-want)) > 1e-3 {
				t.Errorf("%s: layer %d is %g, want %g", c.what, i, l, want)
			}
		}
	}
}

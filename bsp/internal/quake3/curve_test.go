package quake3

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// colored is a vertex of a colour.
func colored(rgba ...uint8) vertex { return vertex{append(make([]byte, 40), rgba...), 1} }

func TestOverbrightKeepsTheHue(t *testing.T) {
	for _, c := range []struct {
		shift int
		in    [3]uint8
		want  [3]int // of 255, shown
	}{
		{0, [3]uint8{255, 128, 0}, [3]int{255, 128, 0}},
		{2, [3]uint8{10, 20, 63}, [3]int{40, 80, 252}},
		{2, [3]uint8{63, 63, 63}, [3]int{252, 252, 252}},
		// 128 32 16 become 512 128 64, and over the largest 255 63 31: 128*255/512 = 63.75, 64*255/512 = 31.9.
		{2, [3]uint8{128, 32, 16}, [3]int{255, 63, 31}},
		{2, [3]uint8{255, 255, 255}, [3]int{255, 255, 255}},
		{1, [3]uint8{200, 100, 0}, [3]int{255, 127, 0}}, // 400 200 0
		{8, [3]uint8{1, 0, 0}, [3]int{255, 0, 0}},       // 256
		{99, [3]uint8{1, 1, 1}, [3]int{255, 255, 255}},  // 8 at most
	} {
		curve := newCurve(quake3Engine.shifted(c.shift), 1, nil, 1)
		got := curve.color(colored(c.in[0], c.in[1], c.in[2], 255), 0)
		var luxel [3]world.Half
		level := curve.grid.scaled(1)
		luxel[0], luxel[1], luxel[2] = curve.luxel(c.in[0], c.in[1], c.in[2])
		x, y, z := curve.grid.raised(c.in[0], c.in[1], c.in[2])
		sample := [3]uint8{level[x], level[y], level[z]}
		for k, want := range c.want {
			light := float32(gamma.Decode(float64(want) / 255))
			if math.Abs(float64(got[k]-light)) > 1e-6 || math.Abs(float64(luxel[k].Float32()-got[k])) > 0x1p-11 || int(sample[k]) != want {
				t.Errorf("%v << %d: channel %d is %g, luxel %g, sample %d; want %d, %g", c.in, c.shift, k, got[k], luxel[k].Float32(),
					sample[k], want, light)
			}
		}
	}
}

// DarkPlaces doubles light and cuts off nothing: 200 100 0 is 400 200 0, and d(400/255) = ((400/255+0.055)/1.055)^2.4 = 2.8142.
func TestLightGoesBeyondWhite(t *testing.T) {
	c := newCurve(darkPlaces, 1, nil, 1)
	got := c.color(colored(200, 100, 0, 255), 0)
	want := [4]float32{2.8142, float32(gamma.Decode(200 / 255.0)), 0, 1}
	for k := range got {
		if math.Abs(float64(got[k]-want[k])) > 1e-4 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	// Divided by 2.8142: 200/255 is d = 0.57758 linear, and 0.20524 encodes to 0.49059, of 255 125.1.
	level := c.grid.scaled(c.grid.linear[200])
	if r, g, b := c.grid.raised(200, 100, 0); level[r] != 255 || level[g] != 125 || level[b] != 0 {
		t.Errorf("a sample of the grid is %d %d %d", level[r], level[g], level[b])
	}
}

// encodeSRGB applies the standard's formula (IEC 61966-2-1).
func encodeSRGB(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// A page shows the same 8-bit sRGB values as if luxels were floats, and a sample of a grid is such a value.
func TestLuxelsKeepTheir8Bits(t *testing.T) {
	for _, albedo := range []float64{0.01, 0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1} {
		c := newCurve(urbanTerror, albedo, nil, 1)
		level := c.grid.scaled(1)
		for i := range 256 {
			// 11 bits are far below a step of 8: 0.04 where a Half is the nearest, 0.08 where it is the next.
			float := encodeSRGB(float64(c.page.linear[i])) * 255
			l, _, _ := c.luxel(uint8(i), 0, 0)
			half := encodeSRGB(float64(l.Float32())) * 255
			if math.Round(half) != math.Round(float) || math.Abs(half-float) > 0.08 {
				t.Errorf("albedo %g, light %d: %g as half, %g as float", albedo, i, half, float)
			}
			if got := level[i]; got != uint8(math.Round(float)) || (got == 0) != (i == 0) {
				t.Errorf("albedo %g, light %d: the sample is %d, as float %g", albedo, i, got, float)
			}
		}
	}
}

func TestColorKeepsAlpha(t *testing.T) {
	got := newCurve(quake3Engine, 1, nil, 1).color(colored(255, 0, 0, 51), 0)
	if got != [4]float32{1, 0, 0, 0.2} {
		t.Error(got)
	}
}

func TestDirection(t *testing.T) {
	for _, c := range []struct {
		in   [3]uint8
		want [3]float32
	}{
		{[3]uint8{255, 128, 128}, [3]float32{1, 0, 0}},
		{[3]uint8{128, 0, 128}, [3]float32{0, -1, 0}},
		{[3]uint8{128, 128, 128}, [3]float32{}}, // none
		// 0.49 and 0.86 as q3map2 rounds them.
		{[3]uint8{191, 128, 237}, [3]float32{0.5, 0, 0.866}},
		{[3]uint8{255, 255, 255}, [3]float32{0.577, 0.577, 0.577}}, // not unit
	} {
		x, y, z := direction(c.in[0], c.in[1], c.in[2])
		got := world.RGB{x, y, z}.Float32()
		for k := range got {
			if math.Abs(float64(got[k]-c.want[k])) > 0.006 {
				t.Errorf("%v: %v, want %v", c.in, got, c.want)
				break
			}
		}
	}
}

func TestUnitOrZero(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range [][2][3]float32{
		{{0, 0, 1}, {0, 0, 1}},
		{{0, 0, 1.0002}, {0, 0, 1.0002}}, // as it is
		{{0, 3, 4}, {0, 0.6, 0.8}},
		{{0, 0, 0}, {}}, {{nan, 0, 1}, {}}, {{inf, 0, 0}, {}}, {{3e38, 3e38, 0}, {}}, {{1e-9, 0, 0}, {}},
	} {
		if got := unitOrZero(c[0]); got != c[1] {
			t.Errorf("%v: %v, want %v", c[0], got, c[1])
		}
	}
}

func TestLatin1AndNames(t *testing.T) {
	for in, want := range map[string]string{
		"Textures\\Base/Wall.TGA": "textures/base/wall",
		"textures/a.b/c":          "textures/a.b/c",
		"textures/glass.tga.tga":  "textures/glass.tga",
		"textures/wall1.5":        "textures/wall1.5",
		"textures/\xc4pfel.jpg":   "textures/Äpfel", // Latin-1; only A to Z have a case
		"textures/Äpfel":          "textures/Äpfel",
		"":                        "",
		".tga":                    "",
		"plain":                   "plain",
	} {
		if got := materialName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"a": "a", "\xe4\xff": "äÿ", "ä": "ä", "ä\xe4": "Ã¤ä", "\x80": "\u0080"} {
		if got := entlump.Text(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// The layouts add up to the sizes of the records.
func TestRecordSizes(t *testing.T) {
	for _, v := range variants() {
		if v.lumps != 17 && !v.wide && v.ritual == nil || v.lumps != 18 && v.wide {
			t.Errorf("%s has %d lumps", v.ident, v.lumps)
		}
		// A vertex: position, uv, lightmaps, normal, colours.
		if got := 12 + 8 + 8*v.slots() + 12 + 4*v.slots(); got != v.recordSize(lumpVertices) {
			t.Errorf("%s: vertex of %d", v.ident, got)
		}
		// A surface: 7 ints, styles, lightmaps, size, origin, vectors, patch.
		got := 28 + 12*v.slots() + 8 + 12 + 36 + 8
		if v.wide {
			got += 8
		}
		if got != v.recordSize(lumpSurfaces) {
			t.Errorf("%s: surface of %d", v.ident, got)
		}
		// A sample: ambient, directed, styles, direction.
		got = 6*v.slots() + 2
		if v.wide {
			got += 4
		}
		if got != v.recordSize(lumpLightGrid) {
			t.Errorf("%s: sample of %d", v.ident, got)
		}
	}
}

func TestToward(t *testing.T) {
	for in, want := range map[[2]uint8][3]int8{
		{0, 0}: {0, 0, 127}, {64, 0}: {127, 0, 0}, {64, 64}: {0, 127, 0}, {64, 128}: {-127, 0, 0}, {128, 7}: {0, 0, -127},
		{32, 0}:  {90, 0, 90},                                                                                 // 0.7071 * 127 = 89.8
		{32, 32}: {64, 64, 90}, {32, 96}: {-63, 64, 90}, {32, 160}: {-63, -63, 90}, {96, 224}: {64, -63, -90}, // 63.5
	} {
		if x, y, z := toward(in[0], in[1]); [3]int8{x, y, z} != want {
			t.Errorf("%v: %d %d %d, want %v", in, x, y, z, want)
		}
	}
}

// Each kind of light has its gain, by hand from the engines' rules, as shown; 255 is a texture as it is.
func TestEnginesGains(t *testing.T) {
	worldspawn := func(pairs ...string) *world.Entity {
		e := &world.Entity{}
		for i := 0; i < len(pairs); i += 2 {
			e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
		}
		return e
	}
	for _, c := range []struct {
		what               string
		engine             engine
		worldspawn         *world.Entity
		in                 [3]uint8
		page, vertex, grid [3]float64
	}{
		{"Quake III: 4 times, 160 80 40 are 640 320 160 and end at 255", quake3Engine, worldspawn(), [3]uint8{160, 80, 40},
			[3]float64{255, 127, 63}, [3]float64{255, 127, 63}, [3]float64{255, 127, 63}},
		{"Urban Terror: as stored", urbanTerror, worldspawn(), [3]uint8{160, 80, 40},
			[3]float64{160, 80, 40}, [3]float64{160, 80, 40}, [3]float64{160, 80, 40}},
		{"Raven: as stored", ravenEngine, worldspawn(), [3]uint8{255, 80, 0},
			[3]float64{255, 80, 0}, [3]float64{255, 80, 0}, [3]float64{255, 80, 0}},
		{"DarkPlaces: twice", darkPlaces, worldspawn(), [3]uint8{160, 80, 0},
			[3]float64{320, 160, 0}, [3]float64{320, 160, 0}, [3]float64{320, 160, 0}},
		{"Nexuiz: 255 / 16 more", nexuiz, worldspawn(), [3]uint8{160, 80, 0}, [3]float64{335.9375, 175.9375, 15.9375},
			[3]float64{335.9375, 175.9375, 15.9375}, [3]float64{335.9375, 175.9375, 15.9375}},
		{"Warfork without its key: 320 160 80 are 255 127 63, doubled; vertices end at 255; the grid does not end", qfusion,
			worldspawn(), [3]uint8{160, 80, 40}, [3]float64{510, 254, 126}, [3]float64{255, 127, 63}, [3]float64{320, 160, 80}},
		{"Warfork's key: half as much more; vertices 240 120 60 are under 255", qfusion,
			worldspawn("_lightingintensity", "1.5"), [3]uint8{160, 80, 40},
			[3]float64{240, 120, 60}, [3]float64{240, 120, 60}, [3]float64{240, 120, 60}},
		{"Warfork's key: 3 times 160 80 40 are 480 240 120; vertices end at 255", qfusion,
			worldspawn("_lightingIntensity", "3"), [3]uint8{160, 80, 40},
			[3]float64{480, 240, 120}, [3]float64{255, 127, 63}, [3]float64{480, 240, 120}},
		{"Warfork's key of 0 is none", qfusion,
			worldspawn("_lightingIntensity", "0"), [3]uint8{100, 50, 0},
			[3]float64{400, 200, 0}, [3]float64{200, 100, 0}, [3]float64{200, 100, 0}},
		{"Unvanquished: 320 160 80 are 255 127 63, doubled", daemon, worldspawn(), [3]uint8{160, 80, 40},
			[3]float64{510, 254, 126}, [3]float64{510, 254, 126}, [3]float64{510, 254, 126}},
		{"Unvanquished's key: 3 bits are two before and one after", daemon, worldspawn("mapOverBrightBits", "3"), [3]uint8{20, 10, 0},
			[3]float64{160, 80, 0}, [3]float64{160, 80, 0}, [3]float64{160, 80, 0}},
		{"Unvanquished's key: no bits", daemon, worldspawn("mapOverBrightBits", "0"), [3]uint8{200, 10, 0},
			[3]float64{200, 10, 0}, [3]float64{200, 10, 0}, [3]float64{200, 10, 0}},
		{"another engine does not know the key", quake3Engine, worldspawn("_lightingIntensity", "3"), [3]uint8{20, 10, 0},
			[3]float64{80, 40, 0}, [3]float64{80, 40, 0}, [3]float64{80, 40, 0}},
	} {
		curve := newCurve(c.engine.withLight(c.worldspawn), 1, nil, 1)
		for kind, k := range map[string]struct {
			ramp *ramp
			want [3]float64
		}{"page": {curve.page, c.page}, "vertex": {curve.vertex, c.vertex}, "grid": {curve.grid, c.grid}} {
			x, y, z := k.ramp.raised(c.in[0], c.in[1], c.in[2])
			for i, v := range [3]int{x, y, z} {
				if want := gamma.Decode(k.want[i] / 255); math.Abs(float64(k.ramp.linear[v])-want) > 1e-5 {
					t.Errorf("%s: channel %d of the %s is %g, want %g", c.what, i, kind, k.ramp.linear[v], want)
				}
			}
		}
		red, _, _ := curve.luxel(c.in[0], c.in[1], c.in[2])
		if want := gamma.Decode(c.page[0] / 255); math.Abs(float64(red.Float32())-want) > want/500 {
			t.Errorf("%s: a luxel is %g, want %g", c.what, red.Float32(), want)
		}
	}
}

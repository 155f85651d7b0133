package quake3

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

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
		{-1, [3]uint8{7, 8, 9}, [3]int{7, 8, 9}},        // none
		{99, [3]uint8{1, 1, 1}, [3]int{255, 255, 255}},  // 8 at most
	} {
		curve := newCurve(engine{overbright: c.shift}, 1)
		got := curve.color([]uint8{c.in[0], c.in[1], c.in[2], 255})
		var luxel [3]world.Half
		var sample [3]uint8
		luxel[0], luxel[1], luxel[2] = curve.luxel(c.in[0], c.in[1], c.in[2])
		sample[0], sample[1], sample[2] = curve.sample(c.in[0], c.in[1], c.in[2], curve.scaled(1))
		for k, want := range c.want {
			light := float32(gamma.Decode(float64(want) / 255))
			if math.Abs(float64(got[k]-light)) > 1e-6 || math.Abs(float64(luxel[k].Float32()-got[k])) > 0x1p-11 || int(sample[k]) != want {
				t.Errorf("%v << %d: channel %d is %g, luxel %g, sample %d; want %d, %g", c.in, c.shift, k, got[k], luxel[k].Float32(), sample[k], want, light)
			}
		}
	}
}

// DarkPlaces doubles light and cuts off nothing: 200 100 0 is 400 200 0, and d(400/255) = ((400/255+0.055)/1.055)^2.4 = 2.8142.
func TestLightGoesBeyondWhite(t *testing.T) {
	c := newCurve(darkPlaces, 1)
	got := c.color([]uint8{200, 100, 0, 255})
	want := [4]float32{2.8142, float32(gamma.Decode(200 / 255.0)), 0, 1}
	for k := range got {
		if math.Abs(float64(got[k]-want[k])) > 1e-4 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	// Divided by 2.8142: 200/255 is d = 0.57758 linear, and 0.20524 encodes to 0.49059, of 255 125.1.
	if r, g, b := c.sample(200, 100, 0, c.scaled(c.table[400])); r != 255 || g != 125 || b != 0 {
		t.Errorf("a sample of the grid is %d %d %d", r, g, b)
	}
}

// encodeSRGB is the standard's formula (IEC 61966-2-1).
func encodeSRGB(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// A page shows the same 8-bit sRGB values as if luxels were floats, and a sample of a grid is such a value.
func TestLuxelsKeepTheir8Bits(t *testing.T) {
	for _, albedo := range []float64{0.01, 0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1} {
		c := newCurve(engine{}, albedo)
		for i := range 256 {
			// 11 bits are far below a step of 8: 0.04 where a Half is the nearest, 0.08 where it is the next.
			float := encodeSRGB(float64(c.table[i])) * 255
			l, _, _ := c.luxel(uint8(i), 0, 0)
			half := encodeSRGB(float64(l.Float32())) * 255
			if math.Round(half) != math.Round(float) || math.Abs(half-float) > 0.08 {
				t.Errorf("albedo %g, light %d: %g as half, %g as float", albedo, i, half, float)
			}
			if got, _, _ := c.sample(uint8(i), 0, 0, c.scaled(1)); got != uint8(math.Round(float)) || (got == 0) != (i == 0) {
				t.Errorf("albedo %g, light %d: the sample is %d, as float %g", albedo, i, got, float)
			}
		}
	}
}

func TestColorKeepsAlpha(t *testing.T) {
	got := newCurve(quake3Engine, 1).color([]uint8{255, 0, 0, 51})
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
	for _, v := range variants {
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

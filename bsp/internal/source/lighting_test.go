package source_test

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// bumped are bricks whose faces have light from three tilted directions.
var bumped = vbsp.Material{Name: "brick/bumped", Width: 128, Height: 64, Flags: vbsp.BumpLight}

// layer is a layer without its luxels.
type layer struct {
	style uint8
	basis world.Basis
}

// told is a light that says where it is: its red is the layer, its green and blue the place, all of them a power of two.
func told(l vbsp.Luxel) [3]float64 {
	return [3]float64{math.Ldexp(1, 4*int(l.Style%8)+l.Basis-8), math.Ldexp(1, 4*int(l.Style%8)+l.Basis-8-l.X),
		math.Ldexp(1, 4*int(l.Style%8)+l.Basis-8-l.Y)}
}

// wantLayers checks the layers of the first chart of 5 x 5 luxels against told.
func wantLayers(t *testing.T, w *decoding.Map, want ...layer) {
	t.Helper()
	c := w.Baked.Charts[0]
	if len(c.Layers) != len(want) {
		t.Fatalf("%d layers, want %d", len(c.Layers), len(want))
	}
	for i, l := range c.Layers {
		if l.Style != want[i].style || l.Basis != want[i].basis || len(l.Luxels) != 25 {
			t.Errorf("layer %d: style %d, %s, %d luxels, want %+v", i, l.Style, l.Basis, len(l.Luxels), want[i])
			continue
		}
		for k, luxel := range l.Luxels {
			in := told(vbsp.Luxel{Style: l.Style, Basis: int(l.Basis), X: k % 5, Y: k / 5})
			for c, x := range luxel.Float32() {
				if math.Abs(float64(x)-in[c]) > in[0]/250 { // of eight bits, rounded, and eleven
					t.Fatalf("layer %d, luxel %d: %v, want %v", i, k, luxel.Float32(), in)
				}
			}
		}
	}
}

// Each style has its luxels flat and then from each direction; style 0 comes first in the world.
func TestLayers(t *testing.T) {
	flat, b1, b2, b3 := world.Flat, world.Bump1, world.Bump2, world.Bump3
	for _, c := range []struct {
		what   string
		m      vbsp.Material
		styles []uint8
		bump   bool
		want   []layer
	}{
		{"one", bricks, []uint8{0}, true, []layer{{0, flat}}},
		{"three styles", bricks, []uint8{0, 1, 2}, true, []layer{{0, flat}, {1, flat}, {2, flat}}},
		{"four, 0 is not first", bricks, []uint8{1, 3, 0, 2}, true, []layer{{0, flat}, {1, flat}, {3, flat}, {2, flat}}},
		{"none is 0", bricks, []uint8{2, 1}, true, []layer{{2, flat}, {1, flat}}},
		{"tilted", bumped, []uint8{0}, true, []layer{{0, flat}, {0, b1}, {0, b2}, {0, b3}}},
		{"tilted is left out", bumped, []uint8{0, 1}, false, []layer{{0, flat}, {1, flat}}},
		{"tilted in styles", bumped, []uint8{1, 0}, true,
			[]layer{{0, flat}, {0, b1}, {0, b2}, {0, b3}, {1, flat}, {1, b1}, {1, b2}, {1, b3}}},
	} {
		m := floor(c.m)
		m.Light(0, []uint8{0}, even(0)) // so that the light does not start with it
		m.Light(0, c.styles, told)
		w := decodeOptions(t, m.Write(vbsp.Source2007), source.Options{Bump: c.bump})
		wantIssues(t, w)
		t.Run(c.what, func(t *testing.T) { wantLayers(t, w, c.want...) })
	}
}

// Where the light of tilted directions is kept, its chart says where its luxels lie on the texture: luxel 0.5 4.5 is at
// u 0 v 0, a luxel is 16 units or 64 texels, which are half of a width of 128 and all of a height of 64.
func TestChartLiesOnTheTexture(t *testing.T) {
	m := floor(bumped)
	m.Light(0, []uint8{0}, told)
	data := m.Write(vbsp.Source2007)
	c := decodeOptions(t, data, source.Options{Bump: true}).Baked.Charts[0]
	want := [2][3]float64{{0.5, 0, -0.25}, {0, 1, -4.5}}
	for k := range want {
		for i := range want[k] {
			if math.Abs(c.Texture[k][i]-want[k][i]) > 1e-6 {
				t.Errorf("%v, want %v", c.Texture, want)
			}
		}
	}
	if c := decode(t, data).Baked.Charts[0]; c.Texture != [2][3]float64{} {
		t.Errorf("%v", c.Texture)
	}
}

// A mantissa of 255 is 1, and the exponent is signed; what a half float can't hold is its largest.
func TestLuxelsWorkedOut(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(1))
	light := []vbsp.RGBE{{R: 255, G: 51, B: 0, Exp: 0}, {R: 255, G: 51, B: 1, Exp: 2}, {R: 255, G: 51, B: 1, Exp: -3}, {R: 255, Exp: 127},
		{R: 255, Exp: -128}}
	copy(m.Lighting[1:], light)
	w := decode(t, m.Write(vbsp.Source2007))
	for i, want := range []vec3{{1, 0.2, 0}, {4, 0.8, 4.0 / 255}, {0.125, 0.025, 0.125 / 255}, {65504, 0, 0}, {0, 0, 0}} {
		for k, x := range w.Baked.Charts[0].Layers[0].Luxels[i].Float32() {
			if math.Abs(float64(x-want[k])) > float64(want[k])/2048 {
				t.Errorf("%+v is %v, want %v", light[i], w.Baked.Charts[0].Layers[0].Luxels[i].Float32(), want)
			}
		}
	}
}

// A face with incomplete luxels has the mean light of each style, which is stored before the luxels.
func TestMeanLightOfABrokenFace(t *testing.T) {
	m := floor(bumped)
	m.Light(0, []uint8{0, 5}, func(l vbsp.Luxel) [3]float64 { return even(0.25 * float64(1+l.Style/5))(l) })
	data := m.Write(vbsp.Source2007)
	whole := pack(t, m.Lighting)
	short := vbsp.Replace(data, vbsp.LumpLighting, whole[:len(whole)-4])
	huge := m.Write(vbsp.Source2007)
	brushmap.SetInt32(huge, vbsp.Record(huge, vbsp.LumpFaces, 56, 0)+36, 1<<20)
	below := m.Write(vbsp.Source2007)
	brushmap.SetInt32(below, vbsp.Record(below, vbsp.LumpFaces, 56, 0)+40, -1)
	for _, c := range []struct {
		what string
		data []byte
		want string
	}{
		{"a luxel too few", short, "5 x 5 luxels at byte 8 are outside the light of 804 bytes"},
		{"far too many", huge, "1048577 x 5 luxels at byte 8 are outside the light of 808 bytes"},
		{"less than none", below, "5 x 0 luxels at byte 8 are outside the light of 808 bytes"},
	} {
		w := decodeOptions(t, c.data, source.Options{Bump: true})
		wantIssues(t, w, "light-range: face 0: "+c.want+": it has its mean light")
		chart := w.Baked.Charts[0]
		if chart.Width != 1 || chart.Height != 1 || len(chart.Layers) != 2 {
			t.Fatalf("%s: %d x %d, %d layers", c.what, chart.Width, chart.Height, len(chart.Layers))
		}
		for i, want := range []float32{0.25, 0.5} {
			if l := chart.Layers[i].Luxels[0].Float32(); l != (vec3{want, want, want}) {
				t.Errorf("%s: style %d has %v, want %g", c.what, chart.Layers[i].Style, l, want)
			}
		}
		for _, v := range polygon(t, w, 0) {
			if !(v.Luxel[0] >= 0 && v.Luxel[0] <= 1 && v.Luxel[1] >= 0 && v.Luxel[1] <= 1) {
				t.Errorf("%s: a corner is at %v of a chart of one luxel", c.what, v.Luxel)
			}
		}
	}
	// Without room for the means there is no light.
	brushmap.SetInt32(huge, vbsp.Record(huge, vbsp.LumpFaces, 56, 0)+20, 4)
	if w := decode(t, huge); len(w.Baked.Charts) != 0 || w.Materials[0].Lighting != world.Fullbright {
		t.Errorf("%+v", w.Baked.Charts)
	}
}

// Faces without styles, or with an offset outside the light, are unlit.
func TestUnlitFaces(t *testing.T) {
	for _, c := range []struct {
		what string
		set  func(f *vbsp.Face)
	}{
		{"none", func(f *vbsp.Face) { f.LightOfs = -1 }},
		{"0, as maps without light have it", func(f *vbsp.Face) { f.LightOfs = 0 }},
		{"behind all", func(f *vbsp.Face) { f.LightOfs = 1 << 20 }},
		{"no style", func(f *vbsp.Face) { f.Styles[0] = vbsp.NoStyle }},
	} {
		m := floor(bricks)
		m.Light(0, []uint8{0}, even(1))
		c.set(&m.Faces[0])
		w := decode(t, m.Write(vbsp.Source2007))
		wantIssues(t, w)
		s := w.Models[0].Surfaces[0]
		if s.Chart != world.NoChart || len(w.Baked.Charts) != 0 || w.Materials[s.Material].Lighting != world.Fullbright {
			t.Errorf("%s: chart %d, %s", c.what, s.Chart, w.Materials[s.Material].Lighting)
		}
	}
}

// Light may start at any byte.
func TestLightThatIsNotAligned(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, told)
	data := m.Write(vbsp.Source2010)
	data = vbsp.Replace(data, vbsp.LumpLighting, append([]byte{1, 2, 3}, pack(t, m.Lighting)...))
	brushmap.SetInt32(data, vbsp.Record(data, vbsp.LumpFaces, 56, 0)+20, 4+3)
	w := decode(t, data)
	wantIssues(t, w)
	wantLayers(t, w, layer{0, world.Flat})
}

// The map's flags can add one, three or four bytes for each luxel of a style, after all of the style's directions.
func TestStylesWithMoreBytesPerLuxel(t *testing.T) {
	flat, b1, b2, b3 := world.Flat, world.Bump1, world.Bump2, world.Bump3
	for _, c := range []struct {
		what  string
		m     vbsp.Material
		flags uint32
		want  []layer
	}{
		{"none", bricks, 0x63, []layer{{0, flat}, {2, flat}, {1, flat}}},
		{"one", bricks, vbsp.LuxelByte, []layer{{0, flat}, {2, flat}, {1, flat}}},
		{"three", bricks, vbsp.LuxelBytes, []layer{{0, flat}, {2, flat}, {1, flat}}},
		{"four", bricks, vbsp.LuxelByte | vbsp.LuxelBytes, []layer{{0, flat}, {2, flat}, {1, flat}}},
		{"four behind four directions", bumped, vbsp.LuxelByte | vbsp.LuxelBytes,
			[]layer{{0, flat}, {0, b1}, {0, b2}, {0, b3}, {2, flat}, {2, b1}, {2, b2}, {2, b3}, {1, flat}, {1, b1}, {1, b2}, {1, b3}}},
	} {
		m := two(c.m)
		m.Flags = c.flags
		m.Light(0, []uint8{0, 2, 1}, told)
		m.Light(1, []uint8{0}, even(1))
		for _, v := range []vbsp.Variant{vbsp.Source2010, vbsp.Left4Dead2} {
			w := decodeOptions(t, m.Write(v), source.Options{Bump: true})
			wantIssues(t, w)
			t.Run(c.what, func(t *testing.T) { wantLayers(t, w, c.want...) })
		}
	}
}

// Flags that contradict the light offsets of faces are ignored.
func TestFlagsThatTheLightContradicts(t *testing.T) {
	m := two(bricks)
	m.Light(0, []uint8{0, 1, 2}, told)
	m.Light(1, []uint8{0}, even(1))
	data := m.Write(vbsp.Source2010)
	at, _ := vbsp.Lump(data, vbsp.LumpMapFlags)
	brushmap.SetInt32(data, at, vbsp.LuxelByte)
	w := decode(t, data)
	wantIssues(t, w,
		"light-stride: lump 59 (map flags): flags 0x4 say 1 byte more for each luxel, which 0 of 1 faces with several styles have: they are read without")
	wantLayers(t, w, layer{0, world.Flat}, layer{1, world.Flat}, layer{2, world.Flat})
}

// A name that is lit on one face and not on another is two materials.
func TestMaterialsByLighting(t *testing.T) {
	m := two(bricks)
	m.Light(1, []uint8{0}, even(1))
	w := decode(t, m.Write(vbsp.Source2007))
	if len(w.Materials) != 2 || w.Materials[0].Lighting != world.Fullbright || w.Materials[1].Lighting != world.Lightmap ||
		w.Materials[0].Name != w.Materials[1].Name {
		t.Errorf("%+v", w.Materials)
	}
}

// A face that the game does not draw has no chart, even if it has light.
func TestHiddenFacesAreUnlit(t *testing.T) {
	for _, flags := range []int32{vbsp.NoDraw, vbsp.Sky, vbsp.Hint, vbsp.Trigger} {
		m := floor(vbsp.Material{Name: "a", Flags: flags})
		m.Light(0, []uint8{0}, even(1))
		w := decode(t, m.Write(vbsp.Source2007))
		if len(w.Baked.Charts) != 0 || w.Materials[0].Lighting != world.Fullbright || w.Materials[0].Flags == 0 {
			t.Errorf("flags %#x: %d charts, %+v", flags, len(w.Baked.Charts), w.Materials[0])
		}
	}
}

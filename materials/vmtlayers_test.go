package materials

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// crisp is a mask of 2 x 1 texels that come in at opacities of 51/255 and 204/255, at once.
func crisp() *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	copy(im.Pix, []byte{0, 51, 0, 255, 0, 204, 0, 255})
	return im
}

func TestLayersOfMaterialFiles(t *testing.T) {
	for _, c := range []struct {
		name, vmt string
		combine   Combine
		want      string
	}{
		{"two textures", "WorldVertexTransition { $basetexture a $basetexture2 t }", "needed", "base a + base t blend fades"},
		{"a mask", "WorldVertexTransition { $basetexture a $basetexture2 a $blendmodulatetexture m }", "needed",
			"base a + base a_masked blend fades threshold"},
		{"a mask that repeats", "WorldVertexTransition { $basetexture a $basetexture2 a $blendmodulatetexture m $blendmasktransform \"center 0 0 scale 2 2 rotate 0 translate 0 0\" }",
			"needed", "base a + base a_masked blend fades threshold"},
		{"a mask, without pictures", "WorldVertexTransition { $basetexture a $basetexture2 a $blendmodulatetexture m }", "none",
			"base a ($blendmodulatetexture) + base a blend fades"},
		{"a mask that is not there", "WorldVertexTransition { $basetexture a $basetexture2 a $blendmodulatetexture nope }", "needed",
			"base a ($blendmodulatetexture) + base a blend fades"},
		{"a soft mask", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture a $basetexture3 a }", "needed",
			"base a ($basetexture3, $blendmodulatetexture) + base t_masked blend fades"},
		{"four", "Lightmapped_4WayBlend { $basetexture a $basetexture2 t $basetexture3 a $basetexture4 t $texture3_uvscale \"[2 3]\" }", "needed",
			"base a + base t blend fades weight 1 + base a uv [2 0 0 0 3 0] blend fades weight 2 + base t blend fades weight 3"},
		{"three of four, by their brightness", "Multiblend { $basetexture a $basetexture2 t $basetexture4 a $texture4_lumstart .5 }", "needed",
			"base a ($texture4_lum) + base t blend fades weight 1 + base a blend fades weight 3"},
		{"two textures at once", "UnlitTwoTexture { $basetexture a $texture2 t }", "needed", "base a_two unlit"},
		{"two textures, added", "UnlitTwoTexture { $basetexture a $texture2 t $additive 1 }", "needed", "base a_add_two blend unlit"},
		{"two textures at once, without pictures", "UnlitTwoTexture { $basetexture a $texture2 t }", "none", "base a unlit ($texture2)"},
		{"the second is not there", "UnlitTwoTexture { $basetexture a $texture2 nope }", "needed", "base a unlit ($texture2)"},
		{"no second", "UnlitTwoTexture { $basetexture a }", "needed", "base a unlit"},
		{"one over the other", "WorldTwoTextureBlend { $basetexture a $detail t }", "needed", "base a_two"},
		{"one over nothing", "WorldTwoTextureBlend { $detail t }", "needed", "($detail)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := vmtFiles(map[string]string{"x": c.vmt})
			files["materials/m.vtf"] = vtfFile(0, crisp())
			o := plainOptions
			o.Combine = c.combine
			set := load(t, files, "", o, shown(world.Material{Name: "x"}))
			if got := layered(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

// layered is text with what layers have.
func layered(set *Set, m *pbr.Material) string {
	one := *m
	one.Layers = nil
	line := text(set, &one)
	for i := range m.Layers {
		l := &m.Layers[i]
		line += " + " + text(set, l)
		if l.Layer.Weight > 0 {
			line += fmt.Sprintf(" weight %d", l.Layer.Weight)
		}
		if l.Layer.Threshold {
			line += " threshold"
		}
	}
	return strings.TrimSpace(line)
}

// The mask's green of 51 and 204 becomes an alpha of 204 and 51; the layer's colour stays.
func TestMasksALayer(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "WorldVertexTransition { $basetexture a $basetexture2 c $blendmodulatetexture m }"})
	files["materials/c.vtf"] = vtfFile(0, filled(2, 1, color.NRGBA{200, 100, 50, 255}))
	files["materials/m.vtf"] = vtfFile(0, crisp())
	set := load(t, files, "", plainOptions, shown(world.Material{Name: "x"}))
	im := decoded(t, set, set.Materials[0].Layers[0].Base.Image)
	if got := fmt.Sprint(im.Pix); got != "[200 100 50 204 200 100 50 51]" {
		t.Error(got)
	}
}

func TestShrinksMixesThatRepeat(t *testing.T) {
	base, over := filled(16, 16, grey(9)), filled(8, 8, grey(9))
	for _, c := range []struct {
		name string
		uv   [6]float64
		fine float64
		want paint.Brush
	}{
		{"as it is", pbr.Identity, 0, paint.Brush{Width: 16, Height: 16, UV: pbr.Identity, Mean: false}},
		{"finer than the picture may be", [6]float64{4, 0, 0, 0, 4, 0}, 0, paint.Brush{Width: 16, Height: 16, UV: [6]float64{4, 0, 0, 0, 4, 0}, Mean: false}},
		{"as fine as what repeats", [6]float64{4, 0, 0, 0, 4, 0}, 4, paint.Brush{Width: 32, Height: 32, UV: [6]float64{4, 0, 0, 0, 4, 0}, Mean: false}},
		{"no finer than four times", [6]float64{64, 0, 0, 0, 3, 0}, 4, paint.Brush{Width: 64, Height: 24, UV: [6]float64{64, 0, 0, 0, 3, 0}, Mean: false}},
		{"rounded", [6]float64{2.6, 0, 0.25, 0, 0.7, 0}, 4, paint.Brush{Width: 24, Height: 16, UV: [6]float64{3, 0, 0.25, 0, 1, 0}, Mean: false}},
		{"turned", [6]float64{0, -2, 0, 2, 0, 0}, 4, paint.Brush{Width: 16, Height: 16, UV: [6]float64{0, -2, 0, 2, 0, 0}, Mean: false}},
		{"too coarse", [6]float64{0.3, 0, 0, 0, 0.3, 0}, 4, paint.Brush{Width: 16, Height: 16, UV: pbr.Identity, Mean: true}},
	} {
		p := paint.Mix{UV: c.uv, Finer: c.fine}
		if got := paint.Spread(&p, base, over); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestModulatesByAMask(t *testing.T) {
	for _, c := range []struct{ red, green, weight, want float64 }{
		{0.25, 0.5, 0.25, 0},
		{0.25, 0.5, 0.5, 0.5},
		{0.25, 0.5, 0.375, 0.15625}, // a quarter of the way: 3/16 - 2/64
		{0.25, 0.5, 0.75, 1},
		{0, 0.5, 0.4, 0}, // at once
		{0, 0.5, 0.5, 1},
		{0.5, 0.25, 0, 0},       // from 0 to 0.75: what is below 0 is cut off
		{0.5, 0.75, 1, 1},       // from 0.25 to 1
		{0.5, 0.75, 0.625, 0.5}, // of which this is the middle
		{0, 0, 0, 1},
	} {
		got := paint.Modulate([4]float32{float32(c.red), float32(c.green)}, float32(c.weight))
		if math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("%v: %v", c, got)
		}
	}
}

// With all parameters as they are set here brightness is what it is, and an opacity as painted comes out smooth.
func TestBrightTexelsComeInFirst(t *testing.T) {
	h := paint.Heights{Set: true, High: 1, End: 1, Balance: 1}
	for _, c := range []struct{ weight, own, below, want float64 }{
		{0, 1, 0, 0},
		{1, 0, 1, 1},
		{0.5, 1, 0, 0.5},          // bright: as painted
		{0.5, 0, 0, 0.15625},      // dark: a quarter
		{0.5, 0.5, 1, 0.31640625}, // between: 3/8: 27/64 - 54/512
	} {
		if got := paint.OpacityBy(&h, float32(c.weight), float32(c.own), float32(c.below)); math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("%v: %v", c, got)
		}
	}
	if got := paint.OpacityBy(&paint.Heights{}, 0.3, 1, 1); got != 0.3 {
		t.Errorf("without parameters %v", got)
	}
	h.Balance = 0 // the darkness of what is below counts alone
	if got := paint.OpacityBy(&h, 0.5, 0, 0); got != 0.5 {
		t.Errorf("over black %v", got)
	}
	if got := paint.BrightnessBy(&h, &[4]float32{1, 0, 0, 0}); math.Abs(float64(got)-0.214741) > 1e-5 { // 3·0.299² - 2·0.299³
		t.Errorf("the brightness of red %v", got)
	}
}

package paint

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// surroundings is a stage that shows the surroundings.
func surroundings(blend *q3shader.Blend) Stage {
	l := over(blend, pbr.Identity)
	l.Gen, l.Eye = q3shader.TCEnvironment, true
	return l
}

// lightmap is a stage of the lightmap alone.
func lightmap(blend *q3shader.Blend) Stage {
	return Stage{UV: pbr.Identity, Color: White, Alpha: 1, Lit: true, Blend: blend}
}

// pictures returns a picture for each stage with an image: grey 128, of which those that are blended let 1 - 128/255 through.
func pictures(layers []Stage) (list []*image.NRGBA) {
	for _, l := range layers {
		c := imagetest.Grey(128)
		if l.Blend == &q3shader.BlendAlpha {
			c.A = 128
		}
		var im *image.NRGBA
		if l.Image != "" {
			im = imagetest.Filled(8, 8, c)
		}
		list = append(list, im)
	}
	return list
}

// With e the colour of the surroundings, the stages' result is base + Factor·(e - Mean).
func TestMirror(t *testing.T) {
	const grey = 128.0 / 255
	add, filter, twice := &q3shader.BlendAdd, &q3shader.BlendFilter, &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}
	half, faint := surroundings(add), surroundings(&q3shader.Blend{Src: q3shader.SrcAlpha, Dst: q3shader.One})
	half.Color = [3]float64{0.5, 0.5, 0.5}
	faint.Alpha = 0.1 // what is added is 12.8 of 255, so the opacity is 13, and 0.1 of the surroundings are 0.1·255/13 of it
	for _, c := range []struct {
		name         string
		layers       []Stage
		light        Light
		mean, factor float64
		glow         bool
	}{
		{"below a picture with holes", []Stage{surroundings(nil), over(&q3shader.BlendAlpha, pbr.Identity), lightmap(filter)}, ByMap, grey,
			1 - grey, false},
		{"with one added", []Stage{surroundings(nil), over(add, pbr.Identity), lightmap(filter)}, ByMap, grey, 1, false},
		{"multiplied later", []Stage{over(nil, pbr.Identity), half, over(filter, pbr.Identity), lightmap(filter)}, ByMap, 0.5 * grey,
			grey, false},
		{"after the light", []Stage{over(nil, pbr.Identity), lightmap(filter), surroundings(add)}, ByMap, grey, 1, true},
		{"doubled", []Stage{surroundings(nil), lightmap(twice)}, ByMap, grey, 1, false},
		{"glass, whose opacity is the mean", []Stage{surroundings(add)}, Unlit, grey, 1 / grey, false},
		{"glass that is hardly seen", []Stage{faint}, Unlit, grey, 25.5 / 13, false},
	} {
		d := drawn(t, Recipe{Stages: c.layers, Light: c.light, Environment: true}, pictures(c.layers)...)
		m := d.Mirror
		if m == nil || m.Glow != c.glow || d.Share != nil || math.Abs(m.Mean[1]-c.mean)+math.Abs(m.Factor[1]-c.factor) > 0.01 {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
}

func TestNoMirror(t *testing.T) {
	add := &q3shader.BlendAdd
	for name, layers := range map[string][]Stage{
		"an alpha of its own":       {over(nil, pbr.Identity), surroundings(&q3shader.BlendAlpha)},
		"two reflections":           {surroundings(nil), surroundings(add)},
		"no reflection":             {over(nil, pbr.Identity)},
		"in the base and the glow":  {over(nil, pbr.Identity), lightmap(add), surroundings(&q3shader.BlendFilter)},
		"covered by a later stage":  {surroundings(nil), over(nil, pbr.Identity)},
		"multiplied by black later": {surroundings(nil), {UV: pbr.Identity, Alpha: 1, Blend: &q3shader.BlendFilter}},
	} {
		if m := drawn(t, Recipe{Stages: layers, Light: ByMap, Environment: true}, pictures(layers)...).Mirror; m != nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
	layers := []Stage{surroundings(nil)}
	if m := drawn(t, Recipe{Stages: layers}, pictures(layers)...).Mirror; m != nil {
		t.Errorf("nobody asked: %+v", m)
	}
}

// Where the picture over the surroundings is clear they show whole, where it is opaque not at all.
func TestMirrorShares(t *testing.T) {
	layers := []Stage{surroundings(nil), over(&q3shader.BlendAlpha, pbr.Identity)}
	top := imagetest.Filled(8, 8, color.NRGBA{255, 255, 255, 255})
	clear(top.Pix[:len(top.Pix)/2])
	c := drawn(t, Recipe{Stages: layers, Environment: true}, imagetest.Filled(8, 8, imagetest.Grey(128)), top)
	if c.Mirror == nil || c.Share == nil {
		t.Fatalf("%+v", c.Mirror)
	}
	if up, down := c.Share.NRGBAAt(4, 1).R, c.Share.NRGBAAt(4, 6).R; up != 255 || down != 0 {
		t.Error(up, down)
	}
}

// Surroundings of grey 128 that are multiplied by a picture make the base half of it: the share, which is the picture, is 255/128 of the
// base. It needs a picture of its own if something is added, and in the light of a lightmap, for which the base may change yet.
func TestSharesThatAreTheBase(t *testing.T) {
	filter, add := &q3shader.BlendFilter, &q3shader.BlendAdd
	picture := imagetest.Filled(8, 8, color.NRGBA{40, 0, 200, 255})
	copy(picture.Pix, bytes.Repeat([]byte{90, 130, 7, 255}, 32))
	multiplied := []Stage{over(nil, pbr.Identity), surroundings(filter)}
	for _, c := range []struct {
		name   string
		layers []Stage
		light  Light
		based  bool
	}{
		{"multiplied", multiplied, Unlit, true},
		{"and added to", append(slices.Clone(multiplied), over(add, pbr.Identity)), Unlit, false},
		{"in a lightmap's light", append(slices.Clone(multiplied), lightmap(filter)), ByMap, false},
	} {
		list := pictures(c.layers)
		list[0], list[1] = picture, imagetest.Filled(8, 8, imagetest.Grey(128))
		d := drawn(t, Recipe{Stages: c.layers, Light: c.light, Environment: true}, list...)
		m := d.Mirror
		if m == nil || m.Based != c.based || (d.Share == nil) != c.based || c.based && math.Abs(m.Factor[1]-255.0/128) > 0.02 {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
}

// What a recipe adds to the background, besides multiplying it, is its base times its alpha; the factor of the background is apart.
func TestBehindWhatIsAdded(t *testing.T) {
	const grey = 128.0 / 255
	brighten, add := over(&q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.One}, pbr.Identity), over(&q3shader.BlendAdd, pbr.Identity)
	filter, light := over(&q3shader.BlendFilter, pbr.Identity), lightmap(&q3shader.BlendFilter)
	for _, c := range []struct {
		name          string
		layers        []Stage
		light         Light
		factor, added float64
	}{
		{"darker, and added", []Stage{filter, add}, Unlit, grey, grey},
		{"brighter, and added", []Stage{brighten, add}, Unlit, 1 + grey, grey},
		{"all in the light", []Stage{brighten, add, light}, ByMap, 1 + grey, grey},
		{"added, then in the light", []Stage{add, light}, ByMap, 1, grey},
	} {
		got := drawn(t, Recipe{Stages: c.layers, Light: c.light, Behind: true, Apart: true}, pictures(c.layers)...)
		if got.Behind == nil || got.Blending != "" || got.Alpha != pbr.Blend {
			t.Errorf("%s: %q, %+v", c.name, got.Blending, got.Behind)
			continue
		}
		px := got.Base.NRGBAAt(2, 2)
		if a := float64(px.A) / 255 * float64(px.G) / 255; math.Abs(a-c.added) > 0.01 || math.Abs(got.Behind.Factor[1]-c.factor) > 0.01 {
			t.Errorf("%s: adds %g, multiplies by %g", c.name, a, got.Behind.Factor)
		}
	}
}

// The background is multiplied by the factor at grey 128, and by the light.
func TestBehind(t *testing.T) {
	const grey = 128.0 / 255
	brighten := over(&q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.One}, pbr.Identity)
	for _, c := range []struct {
		name     string
		layers   []Stage
		light    Light
		blending string
		factor   float64 // of Behind, or 0 if the picture is enough
		through  float64 // by the picture
	}{
		{"brighter", []Stage{brighten}, Unlit, "multiply", 0, 1 + grey},
		{"darker", []Stage{over(&q3shader.BlendFilter, pbr.Identity)}, Unlit, "multiply", 0, grey},
		{"in the light", []Stage{brighten, lightmap(&q3shader.BlendFilter)}, ByMap, "multiply", 1 + grey, 0},
		{"in the light of the vertices", []Stage{brighten, lightmap(&q3shader.BlendFilter)}, ByVertex, "", 0, 0},
		{"more than doubled", []Stage{brighten, brighten, brighten}, Unlit, "multiply", math.Pow(1+grey, 3), 0},
		{"added", []Stage{over(&q3shader.BlendAdd, pbr.Identity)}, Unlit, "add", 0, 0},
		{"blended", []Stage{over(&q3shader.BlendAlpha, pbr.Identity), brighten}, Unlit, "", 0, 0},
		{"opaque", []Stage{over(nil, pbr.Identity)}, Unlit, "", 0, 0},
	} {
		got := drawn(t, Recipe{Stages: c.layers, Light: c.light, Behind: true}, pictures(c.layers)...)
		if got.Blending != c.blending || (got.Behind != nil) != (c.factor > 0) {
			t.Errorf("%s: %q, %+v", c.name, got.Blending, got.Behind)
			continue
		}
		word := c.blending
		if c.factor > 0 {
			word = ""
		}
		d := drawn(t, Recipe{Stages: c.layers, Light: c.light, Behind: true, WordOnly: true}, pictures(c.layers)...)
		if d.Blending != word || d.Behind != nil {
			t.Errorf("%s, the word only: %q, %+v", c.name, d.Blending, d.Behind)
		}
		if px := got.Base.NRGBAAt(2, 2); c.through > 0 && math.Abs(1+float64(px.A)/255*(2*float64(px.G)/255-1)-c.through) > 0.01 {
			t.Errorf("%s: %v", c.name, px)
		}
		if c.factor == 0 {
			continue
		}
		if px := got.Factor.NRGBAAt(2, 2); math.Abs(got.Behind.Factor[1]-c.factor) > 0.01 ||
			px != (color.NRGBA{255, 255, 255, 255}) {
			t.Errorf("%s: %g, %v", c.name, got.Behind.Factor, px)
		}
	}
}

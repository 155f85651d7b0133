package materials

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A linear base of 0.5, 0.25 and 0 with an alpha of 0.25 under a detail that is stored as 1, 0.5 and 0 with an alpha of 0.5:
// linear 1, 0.2140 and 0. The factor is a half, where nothing else is said.
func TestDrawsDetailOverTexels(t *testing.T) {
	base, over := [4]float32{0.5, 0.25, 0, 0.25}, [4]float32{1, 0.5, 0, 0.5}
	white := [3]float64{1, 1, 1}
	for _, c := range []struct {
		mode   paint.BlendMode
		factor float64
		tint   [3]float64
		want   [4]float64
	}{
		{paint.Doubled, 1, white, [4]float64{1, 0.25, 0, 0.25}},
		{paint.Doubled, 0.5, white, [4]float64{0.75, 0.25, 0, 0.25}},
		{paint.Doubled, 1, [3]float64{0.5, 1, 1}, [4]float64{0.5, 0.25, 0, 0.25}},
		{paint.AddedMix, 0.5, white, [4]float64{1, 0.3570, 0, 0.25}},
		{paint.OverMix, 0.5, white, [4]float64{0.625, 0.2410, 0, 0.25}}, // a quarter of the way
		{paint.Faded, 0.5, white, [4]float64{0.75, 0.2320, 0, 0.375}},
		{paint.Under, 0.5, white, [4]float64{0.6875, 0.2365, 0, 0.5}},         // 3/8 of the way
		{paint.TwoPatterns, 0.5, white, [4]float64{0.6875, 0.34375, 0, 0.25}}, // 1 - 0.5/4 = 0.875, doubled 1.75, by a half 1.375
		{paint.MultipliedMix, 0.5, white, [4]float64{0.5, 0.15175, 0, 0.1875}},
		{paint.MaskedMix, 0.5, white, [4]float64{0.5, 0.25, 0, 0.1875}},
		{paint.BumpOfColor, 0.5, white, [4]float64{0.5, 0.25, 0, 0.25}}, // 1.5 · 2/3
		{paint.Covered, 1, white, [4]float64{0.5, 0.25, 0, 0.5}},
		// Of what is brighter than a half, and of all but its darkest quarter; no detail is needed.
		{paint.ShoneAbove, 0.25, white, [4]float64{0, 0, 0, 0.25}},
		{paint.ShoneAbove, 0.8, white, [4]float64{0.375, 0.0625, 0, 0.25}},
		{paint.ShoneAbove, 1, white, [4]float64{0.5, 0.25, 0, 0.25}},
	} {
		m := paint.NewMixer(c.mode, c.factor, c.tint)
		got := m.Over(base, over)
		for k := range got {
			if math.Abs(float64(got[k])-c.want[k]) > 2e-4 {
				t.Errorf("mode %d, factor %g, tint %g: %.4f, want %.4f", c.mode, c.factor, c.tint, got, c.want)
				break
			}
		}
	}
}

func TestDetailOfMaterialFiles(t *testing.T) {
	for _, c := range []struct {
		name, vmt string
		combine   Combine
		want      string
	}{
		{"left out", "LightmappedGeneric { $basetexture a $detail t }", "needed", "base a ($detail)"},
		{"drawn in", "LightmappedGeneric { $basetexture a $detail t }", "all", "base a_detail"},
		{"in each frame", "LightmappedGeneric { $basetexture a $frame 1 $detail a $detailframe 1 }", "all", "base a_frame1_detail"},
		{"not there", "LightmappedGeneric { $basetexture a $detail nope }", "all", "base a ($detail)"},
		{"on nothing", "LightmappedGeneric { $detail t }", "all", "($detail)"},
		{"shining", "LightmappedGeneric { $basetexture a $detail t $detailscale 2 $detailblendmode 5 $detailblendfactor .5 $detailtint \"[1 0 1]\" }", "needed",
			"base a emissive t uv [2 0 0 0 2 0] emission [0.5 0 0.5]"},
		{"shining where it is bright", "LightmappedGeneric { $basetexture a $detail t $detailscale 1 $detailblendmode 6 $detailblendfactor .5 }", "needed",
			"base a emissive t_glow emission [1 1 1]"},
		{"shining where it is bright, at full", "LightmappedGeneric { $basetexture a $detail t $detailscale 1 $detailblendmode 6 }", "needed",
			"base a emissive t emission [1 1 1]"},
		{"shining on what has no light", "UnlitGeneric { $basetexture a $detail t $detailblendmode 5 }", "all", "base a unlit ($detail)"},
		{"shining already", "VertexLitGeneric { $basetexture t $selfillum 1 $detail a $detailblendmode 5 }", "all", "base t emissive t_glow emission [1 1 1] ($detail)"},
		{"shining in the dark", "LightmappedGeneric { $basetexture a $detail nope $detailblendmode 5 }", "needed", "base a ($detail)"},
		{"tilting", "LightmappedGeneric { $basetexture a $bumpmap n $detail t $detailblendmode 10 }", "all", "base a normal n_normal ($detail)"},
		{"tilting nothing", "LightmappedGeneric { $basetexture a $detail t $detailblendmode 10 }", "all", "base a_detail"},
		{"beyond the modes", "LightmappedGeneric { $basetexture a $detail t $detailblendmode 1e9 }", "all", "base a_detail"},
		{"of no size", "LightmappedGeneric { $basetexture a $detail t $detailscale 0 }", "all", "base a_detail"},
		{"on a base of no size", "LightmappedGeneric { $basetexture a $basetexturetransform \"center 0 0 scale 0 0 rotate 0 translate 0 0\" $detail t }", "all",
			"base a uv [0 0 0 0 0 0] ($detail)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := plainOptions
			o.Combine = c.combine
			set := load(t, vmtFiles(map[string]string{"x": c.vmt}), "", o, shown(world.Material{Name: "x"}))
			if got := text(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A white base of one pixel under two patterns that repeat twice: 128 (1.0039 times as bright) and 64 (0.502 of it, which is
// 188.2 in sRGB). Four times as fine as the base is enough for all of it.
func TestDrawsDetailIntoTheTexture(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "LightmappedGeneric { $basetexture w $detail d $detailscale \"[2 1]\" }"})
	files["materials/w.vtf"] = vtfFile(0, filled(1, 1, grey(255)))
	d := filled(2, 1, grey(128))
	copy(d.Pix[4:], []byte{64, 64, 64, 255})
	files["materials/d.vtf"] = vtfFile(0, d)
	o := plainOptions
	o.Combine = "all"
	set := load(t, files, "", o, shown(world.Material{Name: "x"}))
	im := decoded(t, set, set.Materials[0].Base.Image)
	var got []byte
	for x := range im.Rect.Dx() {
		got = append(got, im.Pix[4*x])
	}
	if want := "[255 188 255 188]"; fmt.Sprint(got) != want || im.Rect.Dy() != 1 {
		t.Errorf("%v, want %s", got, want)
	}
}

func BenchmarkDrawDetail(b *testing.B) {
	base, over := filled(1024, 1024, color.NRGBA{90, 80, 70, 255}), filled(128, 128, grey(120))
	p := paint.Mix{UV: [6]float64{8, 0, 0, 0, 8, 0}, Factor: 1, Tint: [3]float64{1, 1, 1}, Finer: 4}
	b.SetBytes(int64(len(base.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		c := paint.Spread(&p, base, over)
		if _, err := c.Draw(limit.WithDefaults(context.Background()), &p, base, over); err != nil {
			b.Fatal(err)
		}
	}
}

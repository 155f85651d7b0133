package paint

import (
	"image"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Mirrors and what is behind are the same whether their values are kept while the picture is drawn, or found by reading the images again.
func TestKeptValuesAreThoseOfAnotherReading(t *testing.T) {
	defer func(before int) { maxKept = before }(maxKept)
	add, filter, blend := &q3shader.BlendAdd, &q3shader.BlendFilter, &q3shader.BlendAlpha
	holed, moved := over(nil, pbr.Identity), over(add, [6]float64{1, 0, 0.3, 0, 1, 0.1})
	holed.Test = q3shader.GE128
	tinted := &q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.One}
	drawn := 0
	for name, layers := range map[string][]Stage{
		"reflection below":        {surroundings(nil), over(blend, pbr.Identity), lightmap(filter)},
		"reflection above":        {over(nil, pbr.Identity), surroundings(add), over(filter, pbr.Identity), lightmap(filter)},
		"reflection in a mask":    {holed, surroundings(add), lightmap(filter)},
		"reflection in a pane":    {surroundings(blend), over(add, pbr.Identity), lightmap(filter)},
		"a hole is filled":        {holed, holed, surroundings(add)},
		"covered":                 {over(nil, pbr.Identity), over(nil, pbr.Identity), surroundings(add), moved},
		"multiplied behind":       {over(tinted, pbr.Identity), over(tinted, [6]float64{1, 0, 0.25, 0, 1, 0.1}), lightmap(filter)},
		"added to what is behind": {over(add, pbr.Identity), moved},
	} {
		draw := func(kept int, over bool) *painted {
			maxKept = kept
			var pictures []*image.NRGBA
			for _, l := range layers {
				var im *image.NRGBA
				if l.Image != "" {
					im = imagetest.Noise(32)
				}
				pictures = append(pictures, im)
			}
			r := &Recipe{Stages: layers, Light: ByMap, Environment: true, Behind: true}
			c := LayOut(r, pictures)
			c.DrawOver = over
			return paintedBy(t, c, func(show func(Part, *image.NRGBA) error) error { return c.Draw(t.Context(), r, show) })
		}
		want := draw(0, false)
		for _, over := range []bool{false, true} {
			got := draw(1<<20, over)
			if !reflect.DeepEqual(got.Mirror, want.Mirror) || !reflect.DeepEqual(got.Behind, want.Behind) ||
				got.Blending != want.Blending ||
				!reflect.DeepEqual(got.Share, want.Share) || !reflect.DeepEqual(got.Factor, want.Factor) ||
				!reflect.DeepEqual(got.Base, want.Base) || !reflect.DeepEqual(got.Glow, want.Glow) {
				t.Errorf("%s: kept values give another result", name)
			}
		}
		if want.Share != nil || want.Factor != nil {
			drawn++
		}
	}
	if drawn < 3 {
		t.Errorf("%d recipes have a picture besides the base, want 3", drawn)
	}
}

// A stage that a later one covers is not read.
func TestCoveredStagesAreNotDrawn(t *testing.T) {
	cover, masked := over(nil, pbr.Identity), over(nil, pbr.Identity)
	masked.Test = q3shader.GT0
	for _, c := range []struct {
		name   string
		layers []Stage
		hidden int
	}{
		{"one", []Stage{cover}, 0},
		{"blended", []Stage{cover, over(&q3shader.BlendAdd, pbr.Identity)}, 0},
		{"covered twice", []Stage{cover, masked, cover, over(&q3shader.BlendAdd, pbr.Identity)}, 2},
		{"one with holes covers nothing", []Stage{cover, masked}, 0},
	} {
		r := &Recipe{Stages: c.layers}
		pictures := make([]*image.NRGBA, len(c.layers))
		for i := range pictures {
			pictures[i] = imagetest.Noise(8)
		}
		combined := LayOut(r, pictures)
		for i := range c.hidden {
			combined.Samplers[i] = func() sampler { panic("a covered stage is read") }
		}
		if err := combined.Draw(t.Context(), r, func(Part, *image.NRGBA) error { return nil }); err != nil || r.hidden() != c.hidden {
			t.Errorf("%s: %d stages are hidden, want %d (%v)", c.name, r.hidden(), c.hidden, err)
		}
	}
}

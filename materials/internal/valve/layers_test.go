package valve

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestLayersOfMaterialFiles(t *testing.T) {
	for _, c := range []struct {
		name, vmt string
		combine   string
		want      string
	}{
		{"two textures", "WorldVertexTransition { $basetexture a $basetexture2 t }", "needed",
			"base a + base t solid blend fades in 7 bands"},
		{"a mask", "WorldVertexTransition { $basetexture a $basetexture2 a $blendmodulatetexture m }", "needed",
			"base a + base a solid blend fades in 8 bands"},
		{"a mask with a glow", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture m $selfillum 1 }", "needed",
			"base a_lit glowing emission [1 1 1] + base t solid emission [1 1 1] blend fades in 8 bands"},
		{"of holes", "WorldVertexTransition { $basetexture a $basetexture2 t $alphatest 1 }", "needed",
			"base a mask 0.7 + base t solid blend fades"},
		{"a mask on holes", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture m $alphatest 1 }", "needed",
			"base a mask 0.7 + base t_masked blend fades"},
		{"a mask that repeats after three",
			"WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture m $basetexturetransform \"center 0 0 scale 3 3 rotate 0 translate 0 0\" }",
			"needed", "base a uv [3 0 0 0 3 0] + base t uv [3 0 0 0 3 0] solid blend fades in 8 bands"},
		{"a mask that can't repeat",
			"WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture m $basetexturetransform \"center 0 0 scale 7 7 rotate 0 translate 0 0\" }",
			"needed", "base a uv [7 0 0 0 7 0] + base t_masked uv [7 0 0 0 7 0] blend fades"},
		{"two textures at once, the first finer",
			"UnlitTwoTexture { $basetexture a $texture2 t $basetexturetransform \"center 0 0 scale 2 2 rotate 0 translate 0 0\" }",
			"needed", "base a_two uv [2 0 0 0 2 0] over 2 unlit"},
		{"a mask, without pictures", "WorldVertexTransition { $basetexture a $basetexture2 a $blendmodulatetexture m }", "none",
			"base a ($blendmodulatetexture) + base a solid blend fades"},
		{"a mask that is not there", "WorldVertexTransition { $basetexture a $basetexture2 a $blendmodulatetexture nope }", "needed",
			"base a ($blendmodulatetexture) + base a solid blend fades"},
		{"a soft mask", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture a $basetexture3 a }", "needed",
			"base a ($basetexture3) + base t solid blend fades in 8 bands"},
		{"a mask alone", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture m $maskedblending 1 }", "needed",
			"base a_masked"},
		{"masked without a mask", "WorldVertexTransition { $basetexture a $basetexture2 t $maskedblending 1 }", "needed", "base a_masked"},
		{"a mask alone, without pictures",
			"WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture m $maskedblending 1 }", "none",
			"base a ($blendmodulatetexture) + base t solid blend fades"},
		{"the second has the first's coordinates",
			"WorldVertexTransition { $basetexture a $basetexture2 t $basetexturetransform \"center 0 0 scale 2 2 rotate 0 translate 0 0\" $basetexturetransform2 \"center 0 0 scale 3 3 rotate 0 translate 0 0\" }",
			"needed", "base a uv [2 0 0 0 2 0] + base t uv [2 0 0 0 2 0] solid blend fades in 7 bands"},
		{"four", "Lightmapped_4WayBlend { $basetexture a $basetexture2 t $basetexture3 a $basetexture4 t $texture3_uvscale \"[2 3]\" }",
			"needed",
			"base a + base t solid blend fades weight 1 + base a uv [2 0 0 0 3 0] solid blend fades weight 2 + base t solid blend fades weight 3"},
		{"three of four, by their brightness", "Multiblend { $basetexture a $basetexture2 t $basetexture4 a $texture4_lumstart .5 }",
			"needed",
			"base a ($texture4_lum) + base t solid blend fades weight 1 + base a solid blend fades weight 3"},
		{"two textures at once", "UnlitTwoTexture { $basetexture a $texture2 t }", "needed", "base a_two unlit"},
		{"two textures, added", "UnlitTwoTexture { $basetexture a $texture2 t $additive 1 }", "needed", "base a_add_two blend unlit"},
		{"two textures at once, without pictures", "UnlitTwoTexture { $basetexture a $texture2 t }", "none", "base a unlit ($texture2)"},
		{"two textures, one turned", "UnlitTwoTexture { $basetexture a $texture2 t $texture2transform \"scale 2\" }", "needed",
			"base a_two unlit"},
		{"the second is not there", "UnlitTwoTexture { $basetexture a $texture2 nope }", "needed", "base a unlit ($texture2)"},
		{"no second", "UnlitTwoTexture { $basetexture a }", "needed", "base a unlit"},
		{"one over the other", "WorldTwoTextureBlend { $basetexture a $detail t }", "needed", "base a_detail"},
		{"one over nothing", "WorldTwoTextureBlend { $detail t }", "needed", "($detail)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := files(map[string]string{"x": c.vmt})
			o := needed
			o.Combine, o.CombineAll = c.combine != "none", c.combine == "all"
			pl := planned(t, files, o, plantest.Shown(world.Material{Name: "x"}))
			if got := plantest.Text(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

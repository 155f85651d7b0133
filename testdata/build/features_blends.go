package main

import "github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"

// blendsMap has textures that lie over each other. Displacements 0 and 1, of powers 3 and 2, meet at x = 0 and go over from
// one texture to the other by a mask, from x = -128 to 128, the second turned round; 2 has four layers, each with a corner,
// by their brightness. Walls: 9 is one texture over another, 10 has detail that shines.
func blendsMap() *vbsp.Map {
	m := sourceRoom("blends")
	for i, power := range []int{3, 2} {
		n := float32(int(1) << power)
		m.Displace(level(m, ours("blend_bump", 0), -128+128*float32(i), -192, 8, 128, 128), 2*i, power, func(_, column int) (p3, float32) {
			x := float32(column) / n / 2
			if i == 1 {
				x = 1 - x // its columns go the other way
			}
			return p3{}, 255 * x
		})
	}
	d := m.Displace(level(m, ours("blend4_bright", 0), -64, 0, 8, 128, 128), 0, 2, func(int, int) (p3, float32) { return p3{}, 0 })
	m.DispInfo[d].MinTess = vbsp.HasBlends
	for row := range 5 {
		for column := range 5 {
			x, y := float32(column)/4, float32(row)/4
			m.Blends = append(m.Blends, vbsp.Blend{Weights: [4]float32{(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y},
				Colors: [4]p3{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}})
		}
	}
	upright(m, ours("two", 0), -192, 192, 16, 128, 128)
	upright(m, ours("detail_glow", 0), 64, 192, 16, 128, 128)
	m.LightAll(half)
	return m
}

// blendMaterials are the materials of blendsMap.
var blendMaterials = map[string]string{
	"ours/blend_bump": `"WorldVertexTransition"
{
	"$basetexture" "ours/stone"
	"$bumpmap" "ours/brick_normal"
	"$basetexture2" "ours/dirt"
	"$bumpmap2" "ours/water_normal"
	"$blendmodulatetexture" "ours/blend_modulate"
	"$blendmasktransform" "center 0 0 scale 2 2 rotate 0 translate 0 0"
	"$detail" "ours/grey"
}
`,
	"ours/blend4_bright": `"Lightmapped_4WayBlend"
{
	"$basetexture" "ours/grass"
	"$basetexture2" "ours/dirt"
	"$basetexture3" "ours/sand"
	"$basetexture4" "ours/stone"
	"$texture2_lumstart" "0"
	"$texture2_lumend" "0.2"
	"$texture2_blendstart" "0.3"
	"$texture2_blendend" "0.5"
	"$texture3_uvscale" "[2 2]"
}
`,
	"ours/two":         "\"WorldTwoTextureBlend\"\n{\n\t\"$basetexture\" \"ours/brick\"\n\t\"$detail\" \"ours/overlay\"\n\t\"$detailscale\" \"2\"\n}\n",
	"ours/detail_glow": "\"VertexLitGeneric\"\n{\n\t\"$basetexture\" \"ours/brick\"\n\t\"$detail\" \"ours/grey\"\n\t\"$detailblendmode\" \"6\"\n\t\"$detailblendfactor\" \"0.8\"\n\t\"$detailtint\" \"[1 .5 .25]\"\n}\n",
}

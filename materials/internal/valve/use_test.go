package valve

import (
	"image/color"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// y has an alpha by its flags, z has none although its pixels have one. Without that flag a material gets no glow, no blending by alpha
// and no mask of its reflection.
func TestAlphaIsWhatTheFlagsSay(t *testing.T) {
	half := imagetest.Filled(8, 8, color.NRGBA{200, 100, 50, 128})
	for _, c := range []struct{ vmt, with, without string }{
		{"LightmappedGeneric { $basetexture T $selfillum 1 }", "base T_lit glowing emission [1 1 1]", "base T"},
		{"VertexLitGeneric { $basetexture T $selfillum 1 }", "base T_lit glowing emission [1 1 1]", "base T"},
		{"VertexLitGeneric { $basetexture T $selfillum 1 $selfillummask y }", "base T_lit glowing emission [1 1 1]",
			"base T_lit glowing emission [1 1 1]"},
		{"VertexLitGeneric { $basetexture T $selfillum 1 $selfillumfresnel 1 }", "base T_lit glowing emission [1 1 1]",
			"base T_lit glowing emission [1 1 1]"},
		{"LightmappedGeneric { $basetexture T $selfillum 1 $selfillummask y }", "base T_lit glowing emission [1 1 1]", "base T"},
		{"LightmappedGeneric { $basetexture T $translucent 1 }", "base T blend", "base T"},
		{"LightmappedGeneric { $basetexture T $translucent 1 $opaquetexture 1 }", "base T", "base T"},
		{"LightmappedGeneric { $basetexture T $translucent 1 $selfillum 1 }", "base T_lit glowing emission [1 1 1]", "base T"},
		{"UnlitGeneric { $basetexture T $translucent 1 $selfillum 1 }", "base T blend unlit", "base T unlit"},
		{"UnlitGeneric { $basetexture T $translucent 1 $basealphaenvmapmask 1 }", "base T unlit", "base T unlit"},
		{"UnlitGeneric { $basetexture T $translucent 1 $blendtintbybasealpha 1 $color2 .5 }", "base T_tint unlit", "base T_tint unlit"},
		{"LightmappedGeneric { $basetexture T $translucent 1 $blendtintbybasealpha 1 }", "base T blend", "base T"},
		{"VertexLitGeneric { $basetexture T $alphatest 1 $selfillum 1 }", "base T_lit glowing emission [1 1 1]", "base T mask 0.7"},
		{"VertexLitGeneric { $basetexture T $alphatest 1 $translucent 1 }", "base T mask 0.7", "base T mask 0.7"},
		{"VertexLitGeneric { $basetexture T $alphatest 1 $blendtintbybasealpha 1 $blendtintcoloroverbase .5 }", "base T_tint",
			"base T_tint"},
		{"VertexLitGeneric { $basetexture T $alphatest 1 $blendtintbybasealpha 1 }", "base T", "base T"},
		{"VertexLitGeneric { $basetexture T $alphatest 1 $alpha .5 }", "base T color [1 1 1 0.5] blend", "base T color [1 1 1 0.5] blend"},
		{"VertexLitGeneric { $basetexture T $translucent 1 $phong 1 $basemapalphaphongmask 1 }", "base T solid blend", "base T"},
		{"LightmappedGeneric { $basetexture T $translucent 1 $phong 1 $basemapalphaphongmask 1 }", "base T blend", "base T"},
		{"VertexLitGeneric { $basetexture T $blendtintbybasealpha 1 $color2 .5 $selfillum 1 $selfillummask y }",
			"base T_tint_lit glowing emission [1 1 1]", "base T_tint_lit glowing emission [1 1 1]"},
		{"VertexLitGeneric { $basetexture T $blendtintbybasealpha 1 $color2 .5 $selfillum 1 $selfillummask y $phong 1 }",
			"base T_lit glowing color [0.214 0.214 0.214 1] emission [0.214 0.214 0.214]",
			"base T_lit glowing color [0.214 0.214 0.214 1] emission [0.214 0.214 0.214]"},
		{"UnlitGeneric { $basetexture T $alphatest 1 $detail y $detailblendmode 3 }", "base T_detail blend unlit",
			"base T_detail blend unlit"},
		{"UnlitGeneric { $basetexture T $additive 1 }", "base T_add blend unlit", "base T_add blend unlit"},
		{"UnlitGeneric { $basetexture T $additive 1 $translucent 1 }", "base T_add_alpha blend unlit", "base T_add blend unlit"},
		{"UnlitGeneric { $basetexture T $additive 1 $alpha .5 }", "base T_add_alpha blend unlit", "base T_add_alpha blend unlit"},
		{"UnlitGeneric { $basetexture T $additive 1 $vertexalpha 1 }", "base T_add_alpha blend unlit fades",
			"base T_add_alpha blend unlit fades"},
		{"UnlitTwoTexture { $basetexture T $translucent 1 $alpha .5 }", "base T unlit", "base T unlit"},
		{"LightmappedGeneric { $basetexture T $alpha .5 $alpha2 2 }", "base T color [1 1 1 0.5] blend", "base T color [1 1 1 0.5] blend"},
		{"VertexLitGeneric { $basetexture T $color 3 }", "base T_tint", "base T_tint"},
		{"WorldTwoTextureBlend { $basetexture T $color .5 }", "base T", "base T"},
	} {
		for file, want := range map[string]string{"y": c.with, "z": c.without} {
			replaced := func(s string) string { return replaceT(s, file) }
			all := files(map[string]string{"x": replaced(c.vmt)})
			all["materials/y.vtf"], all["materials/z.vtf"] = imagetest.VTF(0x2000, half), imagetest.VTF(0, half)
			pl := planned(t, all, needed, plantest.Shown(world.Material{Name: "x"}))
			if got := plantest.Text(pl, 0); got != replaced(want) {
				t.Errorf("%s\ngot  %s\nwant %s", replaced(c.vmt), got, replaced(want))
			}
		}
	}
}

// replaceT replaces the capital T that stands for a texture.
func replaceT(s, by string) string {
	out := []byte(s)
	for i := range out {
		if out[i] == 'T' && i > 0 && out[i-1] == ' ' && (i+1 == len(out) || out[i+1] == ' ' || out[i+1] == '_') {
			out[i] = by[0]
		}
	}
	return string(out)
}

package materials

import (
	"image/color"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A texture's alpha has another meaning in each of these materials: it says where the material glows, reflects or is tinted, or
// nothing. Another material that is blended by the alpha of the same texture must not change them, nor they it.
func TestAlphaDoesNotLeakBetweenMaterials(t *testing.T) {
	o := plainOptions
	o.Reflections = true
	for _, c := range []struct {
		name  string
		vmt   string
		place world.Material // how the map shows it
	}{
		{"glow", "LightmappedGeneric { $basetexture t $translucent 1 $selfillum 1 }", world.Material{}},
		{"reflection", "LightmappedGeneric { $basetexture t $translucent 1 $basealphaenvmapmask 1 $envmap env_cubemap }", world.Material{}},
		{"highlight", "VertexLitGeneric { $basetexture t $translucent 1 $phong 1 $basemapalphaphongmask 1 }", world.Material{}},
		{"half transparent glow", "LightmappedGeneric { $basetexture t $alpha .5 $selfillum 1 }", world.Material{}},
		{"layer", "WorldVertexTransition { $basetexture a $basetexture2 t }", world.Material{}},
		{"masked layer", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture a }", world.Material{}},
		{"second of two textures", "UnlitTwoTexture { $basetexture t $texture2 a $translucent 1 $selfillum 1 }", world.Material{}},
		{"opacity of the entity", "VertexLitGeneric { $basetexture t }", world.Material{Blend: world.BlendAlpha, Opacity: 0.5}},
		{"picture that passes through", "LightmappedGeneric { $basetexture p $translucent 1 $selfillum 1 }", world.Material{}},
	} {
		x, y := c.place, world.Material{Name: "y"}
		x.Name = "x"
		texture := "t"
		if strings.Contains(c.vmt, "$basetexture p ") {
			texture = "p"
		}
		loaded := func(list ...world.Material) (set *Set, x, y *pbr.Material) {
			files := vmtFiles(map[string]string{"x": c.vmt, "y": "LightmappedGeneric { $translucent 1 $basetexture " + texture + " }"})
			files["materials/p.png"] = pngFile(filled(8, 8, color.NRGBA{200, 100, 50, 128}))
			set = load(t, files, "", o, shown(list...))
			for i := range set.Materials {
				if m := &set.Materials[i]; m.Name == "x" {
					x = m
				} else {
					y = m
				}
			}
			return set, x, y
		}
		alone, m, _ := loaded(x)
		want := text(alone, m)
		for _, list := range [][]world.Material{{x}, {x, y}, {y, x}} {
			set, mx, my := loaded(list...)
			if got := strings.ReplaceAll(text(set, mx), "_opaque", ""); got != want {
				t.Errorf("%s, %d materials: %s, alone %s", c.name, len(list), got, want)
			}
			for _, m := range append([]pbr.Material{*mx}, mx.Layers...) {
				if m.Base.Image != pbr.NoImage && set.Images[m.Base.Image].Alpha {
					t.Errorf("%s, %d materials: the image of %s has alpha", c.name, len(list), m.Name)
				}
			}
			if my != nil && (my.Alpha != pbr.Blend || !set.Images[my.Base.Image].Alpha) {
				t.Errorf("%s: the blended material beside it: %s", c.name, text(set, my))
			}
		}
	}
}

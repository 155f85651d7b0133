package valve

import (
	"encoding/json"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestMaterialFiles(t *testing.T) {
	for _, c := range []struct {
		name, vmt string
		lighting  world.Lighting
		want      string
	}{
		{"a texture", "LightmappedGeneric { $basetexture a }", world.Lightmap, "base a"},
		{"in other words", `"lightmappedgeneric" { "$BaseTexture" "Materials\A.vtf" }`, world.Lightmap, "base a"},
		{"lit by its vertices", "VertexLitGeneric { $basetexture a }", world.PerVertex, "base a unlit vertex"},
		{"unlit", "UnlitGeneric { $basetexture a }", world.Lightmap, "base a unlit"},
		{"unlit on what has light", "UnlitGeneric { $basetexture a }", world.PerVertex, "base a unlit"},
		{"its alpha is of no account", "LightmappedGeneric { $basetexture t }", world.Lightmap, "base t"},
		{"translucent", "LightmappedGeneric { $basetexture t $translucent 1 }", world.Lightmap, "base t blend"},
		{"translucent without a hole", "LightmappedGeneric { $basetexture a $translucent 1 }", world.Lightmap, "base a blend"},
		{"half there", "LightmappedGeneric { $basetexture a $alpha .5 }", world.Lightmap, "base a color [1 1 1 0.25] blend"},
		{"half there, unlit", "UnlitGeneric { $basetexture a $alpha .5 }", world.Lightmap, "base a color [1 1 1 0.5] blend unlit"},
		{"masked", "LightmappedGeneric { $basetexture t $alphatest 1 }", world.Lightmap, "base t mask 0.7"},
		{"masked at", "LightmappedGeneric { $basetexture t $alphatest 1 $alphatestreference .3 }", world.Lightmap, "base t mask 0.3"},
		{"masked without a hole", "LightmappedGeneric { $basetexture a $alphatest 1 }", world.Lightmap, "base a mask 0.7"},
		{"added", "UnlitGeneric { $basetexture a $additive 1 }", world.Lightmap, "base a_add blend unlit"},
		{"modulated", "DecalModulate { $basetexture a }", world.Lightmap, "base a_modulate blend unlit offset"},
		{"faded by its vertices", "LightmappedGeneric { $basetexture a $vertexalpha 1 }", world.Lightmap, "base a blend fades"},
		{"coloured", "LightmappedGeneric { $basetexture a $color \"{255 188 0}\" $color2 .5 }", world.Lightmap,
			"base a color [0.5 0.369 0 1]"},
		{"coloured twice", "UnlitGeneric { $basetexture a $color \"[1 .5 0]\" $color2 .5 }", world.Lightmap,
			"base a color [0.214 0.0509 0 1] unlit"},
		{"squares", "UnlitGeneric { $basetexture a $pointsamplemagfilter 1 }", world.Fullbright, "base a nearest unlit"},
		{"from both sides", "LightmappedGeneric { $basetexture a $nocull 1 $decal 1 }", world.Lightmap, "base a double offset"},
		{"its second frame", "LightmappedGeneric { $basetexture a $frame 1 }", world.Lightmap, "base a_frame1"},
		{"turned", "LightmappedGeneric { $basetexture a $basetexturetransform \"center .5 .5 scale 2 2 rotate 0 translate 0 0\" }",
			world.Lightmap, "base a uv [2 0 -0.5 0 2 -0.5]"},
		{"bumpy", "LightmappedGeneric { $basetexture a $bumpmap n }", world.Lightmap, "base a normal n_normal"},
		{"bumpy and turned", "LightmappedGeneric { $basetexture a $bumpmap n $basetexturetransform \"scale 2\" }", world.Lightmap,
			"base a uv [2 0 0 0 2 0] normal n_normal uv [0.5 0 0 0 0.5 0]"},
		{"no bumps without a light to show them", "UnlitGeneric { $basetexture a $bumpmap n }", world.Lightmap, "base a unlit"},
		{"bumps that are not there", "LightmappedGeneric { $basetexture a $bumpmap nope }", world.Lightmap, "base a"},
		{"shining", "LightmappedGeneric { $basetexture t $selfillum 1 }", world.Lightmap, "base t_lit glowing emission [1 1 1]"},
		{"shining by a mask", "VertexLitGeneric { $basetexture a $selfillum 1 $selfillummask t $selfillumtint \"[1 .5 0]\" }",
			world.Lightmap, "base a_lit glowing emission [1 0.5 0]"},
		{"shining unlit", "UnlitGeneric { $basetexture t $selfillum 1 }", world.Lightmap, "base t unlit"},
		{"shining in the light of its vertices", "VertexLitGeneric { $basetexture t $selfillum 1 }", world.PerVertex,
			"base t_lit glowing emission [1 1 1] unlit vertex"},
		{"shining unlit in the light of its vertices", "UnlitGeneric { $basetexture t $selfillum 1 }", world.PerVertex, "base t unlit"},
		{"shining black", "LightmappedGeneric { $basetexture t $selfillum 1 $selfillumtint 0 }", world.Lightmap, "base t_lit glowing"},
		{"two textures", "WorldVertexTransition { $basetexture a $basetexture2 t $bumpmap2 n }", world.Lightmap,
			"base a + base t solid normal n_normal blend fades in 7 bands"},
		{"of a mod, for a card", "SDK_WorldVertexTransition_DX9 { $basetexture a $basetexture2 t }", world.Lightmap,
			"base a + base t solid blend fades in 7 bands"},
		{"two of which one is not there", "WorldVertexTransition { $basetexture a $basetexture2 nope }", world.Lightmap,
			"base a + color [0.25 0.5 1 1] blend fades placeholder"},
		{"more textures", "WorldVertexTransition { $basetexture a $basetexture2 t $blendmodulatetexture a }", world.Lightmap,
			"base a + base t solid blend fades in 8 bands"},
		{"water", "Water { $normalmap n $fogcolor \"{0 255 188}\" $abovewater 1 }", world.Lightmap,
			"color [0 1 0.503 0.8] normal n_normal blend"},
		{"water from below", "Water { $normalmap n $abovewater 0 }", world.Lightmap, "hidden"},
		{"water of no colour", "Water { }", world.Lightmap, "color [0.25 0.5 1 0.8] blend"},
		{"glass", "Refract { $normalmap n $refracttint \"[1 .5 1]\" }", world.Lightmap, "color [0.214 0 0.214 0.167] normal n_normal blend"},
		{"no texture", "LightmappedGeneric { $surfaceprop x }", world.Lightmap, "color [0.25 0.5 1 1]"},
		{"a camera's texture", "UnlitGeneric { $basetexture _rt_camera }", world.Lightmap, "color [0.25 0.5 1 1] unlit"},
		{"a missing texture", "LightmappedGeneric { $basetexture nope $translucent 1 }", world.Lightmap,
			"color [0.25 0.5 1 1] placeholder"},
		{"a tool", "LightmappedGeneric { $basetexture a %compilenodraw 1 }", world.Lightmap, "hidden"},
		{"part of a model that is not drawn", "VertexLitGeneric { $basetexture a $no_draw 1 }", world.PerVertex, "hidden"},
		{"a tool in a word", "LightmappedGeneric {\n$basetexture a\n%compiletrigger\n}", world.Lightmap, "hidden"},
		{"a tool no more", "LightmappedGeneric { $basetexture a %compileclip 0 }", world.Lightmap, "base a"},
		{"a patch", "patch { include materials/base.vmt insert { $alpha .5 } }", world.Lightmap, "base a color [1 1 1 0.25] blend"},
		{"a patch of what is not there", "patch { include materials/gone.vmt insert { $alpha .5 } }", world.Lightmap,
			"color [0.25 0.5 1 1] placeholder"},
		{"broken", "nothing", world.Lightmap, "color [0.25 0.5 1 1] placeholder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := plantest.Shown(world.Material{Name: "x", Lighting: c.lighting, Width: 8, Height: 8, Color: [3]float32{0.25, 0.5, 1}})
			pl := planned(t, files(map[string]string{"x": c.vmt, "base": "LightmappedGeneric { $basetexture a }"}), needed, w)
			if got := plantest.Text(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestParametersStayInTheExtras(t *testing.T) {
	files := files(map[string]string{"x": `LightmappedGeneric { $basetexture a $SurfaceProp concrete $envmap env_cubemap placeholder 1 material y
		proxies { Sine { resultVar $alpha sinePeriod 2 } AnimatedTexture { } } }`})
	pl := planned(t, files, needed, plantest.Shown(world.Material{Name: "x"}))
	x := pl.Materials[0].Extras
	for k, want := range map[string]any{
		"$surfaceprop": "concrete", "$envmap": "env_cubemap", "vmt_shader": "lightmappedgeneric", "vmt_file": "materials/x.vmt",
		"vmt_proxies": "sine resultvar=$alpha sineperiod=2; animatedtexture", "placeholder": nil, "material": "x",
	} {
		if x[k] != want {
			t.Errorf("%s: %v, want %v", k, x[k], want)
		}
	}
	if _, err := json.Marshal(x); err != nil {
		t.Error(err)
	}
}

func TestOptionsLeaveTexturesOut(t *testing.T) {
	files := files(map[string]string{"x": "LightmappedGeneric { $basetexture t $bumpmap n }"})
	pl := planned(t, files, plan.Options{Combine: true}, plantest.Shown(world.Material{Name: "x"}))
	if got := plantest.Text(pl, 0); got != "base t" || len(pl.Images) != 1 {
		t.Error(got)
	}
}

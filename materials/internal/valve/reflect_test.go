package valve

import (
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The numbers: 0.04 times a colour times the factor is what is reflected straight ahead, the factor what is along the surface.
// 0.5 is 0.214 in linear light. A Phong exponent of 20 has a gain of 4/41, of which a sixth is seen ahead: a colour of
// 1/6/0.04; its roughness is 41 to the power of -1/4. 150 is 4/301 and 0.240, 5 is 4/11 and 0.549.
func TestReflections(t *testing.T) {
	const env = "$basetexture a $envmap env_cubemap "
	for _, c := range []struct{ name, vmt, want string }{
		{"none", "LightmappedGeneric { $basetexture a }", ""},
		{"taken away", `LightmappedGeneric { $basetexture a $envmap "" }`, ""},
		{"a mirror", "LightmappedGeneric { " + env + "}", "rough 0.25 specular 1 [12.5 12.5 12.5]"},
		{"a tint", `LightmappedGeneric { ` + env + `$envmaptint "[.4 .2 0]" }`, "rough 0.25 specular 0.4 [25 12.5 0]"},
		{"a tint in bytes", `LightmappedGeneric { ` + env + `$envmaptint "{51 51 51}" }`, "rough 0.25 specular 0.2 [25 25 25]"},
		{"a tint beyond white", `LightmappedGeneric { ` + env + `$envmaptint 7 }`, "rough 0.25 specular 1 [12.5 12.5 12.5]"},
		{"a tint of black", "LightmappedGeneric { " + env + "$envmaptint 0 }", ""},
		{"as water", "LightmappedGeneric { " + env + "$fresnelreflection 0 $envmaptint .5 }", "rough 0.25 specular 0.5 [0 0 0]"},
		{"half a mirror", "LightmappedGeneric { " + env + "$fresnelreflection .5 }", "rough 0.25 specular 1 [12.5 12.5 12.5]"},
		{"contrast", "LightmappedGeneric { " + env + "$envmapcontrast 1 }", "rough 0.25 specular 0.5 [25 25 25]"},
		{"metal", "LightmappedGeneric { " + env + "$envmaptint .4 $surfaceprop MetalPanel }", "rough 0.25 metal 0.2 specular 0.4 [25 25 25]"},
		{"metal that does not reflect", "LightmappedGeneric { $basetexture a $surfaceprop metal }", ""},
		{"of a model", "VertexLitGeneric { " + env + "$envmaptint .5 }", "rough 0.25 specular 0.214 [25 25 25]"},
		// Straight ahead 1 + (1/6 - 1)/2, along the surface 1.
		{"of a model, half by angle", "VertexLitGeneric { " + env + "$envmapfresnel .5 }", "rough 0.25 specular 1 [12.5 12.5 12.5]"},
		{"unlit", "UnlitGeneric { " + env + "}", ""},
		{"by a mask", "LightmappedGeneric { " + env + "$envmapmask half }", "rough 0.25 specular 1 [12.5 12.5 12.5] by half_gloss"},
		{"by a mask that is turned", `LightmappedGeneric { ` + env + `$envmapmask half $envmapmasktransform "scale 2" $basetexturetransform "scale 4" }`, "rough 0.25 specular 1 [12.5 12.5 12.5] by half_gloss uv [0.5 0 0 0 0.5 0]"},
		{"by a mask of one grey", "LightmappedGeneric { " + env + "$envmapmask dim $surfaceprop metal }", "rough 0.25 metal 0.5 specular 1 [12.5 12.5 12.5] by dim_gloss"},
		{"by a mask that is not there", "LightmappedGeneric { " + env + "$envmapmask nope }", ""},
		{"by the base's alpha, which is whole", "LightmappedGeneric { " + env + "$basealphaenvmapmask 1 }", "rough 0.25 specular 1 [12.5 12.5 12.5] by a_gloss"},
		// One minus 128/255.
		{"by the base's alpha", "LightmappedGeneric { $basetexture t $envmap env_cubemap $basealphaenvmapmask 1 }", "rough 0.25 specular 1 [12.5 12.5 12.5] by t_gloss"},
		{"by the normals' alpha", "LightmappedGeneric { " + env + "$bumpmap n $normalmapalphaenvmapmask 1 }", "rough 0.25 specular 1 [12.5 12.5 12.5] by n_gloss"},
		{"by the alpha of no normals", "LightmappedGeneric { " + env + "$normalmapalphaenvmapmask 1 }", "rough 0.25 specular 1 [12.5 12.5 12.5]"},
		{"by two masks", "LightmappedGeneric { " + env + "$bumpmap n $normalmapalphaenvmapmask 1 $envmapmask dim }", "rough 0.25 specular 1 [12.5 12.5 12.5] by n_gloss"},
		{"lamps", "VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 }", "rough 0.395 specular 0.0976 [4.17 4.17 4.17] by a_gloss"},
		{"lamps without an exponent", "VertexLitGeneric { $basetexture a $phong 1 $phongboost 10 }", "rough 0.24 specular 0.133 [4.17 4.17 4.17] by a_gloss"},
		{"lamps that are boosted", "VertexLitGeneric { $basetexture a $phong 1 $phongexponent 5 $phongboost 99 }", "rough 0.549 specular 1 [12.5 12.5 12.5] by a_gloss"},
		{"lamps by angle", `VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 $phongfresnelranges "[1 1 1]" }`, "rough 0.395 specular 0.0976 [25 25 25] by a_gloss"},
		{"lamps with a tint", `VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 $phongtint "[1 .5 0]" }`, "rough 0.395 specular 0.0976 [4.17 2.08 0] by a_gloss"},
		{"lamps by the normals' alpha", "VertexLitGeneric { $basetexture a $bumpmap n $phong 1 $phongexponent 20 }", "rough 0.395 specular 0.0976 [4.17 4.17 4.17] by n_gloss"},
		{"lamps by the base's alpha", "VertexLitGeneric { $basetexture half $bumpmap n $phong 1 $phongexponent 20 $basemapalphaphongmask 1 }", "rough 0.395 specular 0.0976 [4.17 4.17 4.17] by half_gloss"},
		{"lamps by an exponent's texture", "VertexLitGeneric { $basetexture a $phong 1 $phongexponenttexture exp $phongalbedotint 1 }", "rough 0.395 specular 0.0976 [4.17 4.17 4.17] tinted by a_gloss"},
		{"an exponent before its texture", "VertexLitGeneric { $basetexture a $phong 1 $phongexponenttexture exp $phongexponent 20 }", "rough 0.395 specular 0.0976 [4.17 4.17 4.17] by a_gloss"},
		{"a rim", "VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 $rimlight 1 $rimlightboost .5 }", "rough 0.395 specular 0.5 [0.813 0.813 0.813] by a_gloss"},
		// The surroundings are the stronger: their roughness.
		{"both", "VertexLitGeneric { " + env + "$phong 1 $phongexponent 20 }", "rough 0.25 specular 1 [12.5 12.5 12.5] by a_gloss"},
		{"both, of which the lamps are the stronger", "VertexLitGeneric { " + env + "$envmaptint .01 $phong 1 $phongexponent 5 $phongboost 5 }", "rough 0.549 specular 1 [7.58 7.58 7.58] by a_gloss"},
		{"water", "Water { $normalmap n }", "rough 0.05 specular 1 [1 1 1] ior 1.33"},
		{"packed", "PBR { $basetexture a $mraotexture exp }", "rough 1 metal 1 specular 1 [1 1 1] by exp_orm"},
		{"nothing packed", "PBR { $basetexture a }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			pl := planned(t, files(map[string]string{"x": c.vmt}), reflecting, plantest.Shown(world.Material{Name: "x"}))
			if got := mirrors(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReflectionsAreAnOption(t *testing.T) {
	files := files(map[string]string{"x": "LightmappedGeneric { $basetexture a $envmap env_cubemap $envmapmask half }"})
	pl := planned(t, files, needed, plantest.Shown(world.Material{Name: "x"}))
	if got := mirrors(pl, 0); got != "" || len(pl.Jobs) != 1 {
		t.Error(got, len(pl.Jobs))
	}
}

// A prop has its light in its vertices, and so has all with the vertex carrier that has a chart. What a prop shines with is shown
// beside that light, but not with the vertex carrier.
func TestLoadsNoTextureThatDoesNotShow(t *testing.T) {
	files := files(map[string]string{"x": "LightmappedGeneric { $basetexture t $bumpmap n $envmap env_cubemap $envmapmask half $selfillum 1 }"})
	names := func(w *world.World, vertexLight bool) string {
		o := reflecting
		o.Baked = vertexLight
		return strings.Join(plantest.Images(planned(t, files, o, w)), " ")
	}
	prop := plantest.Shown(world.Material{Name: "x", Lighting: world.PerVertex})
	if got := names(prop, false); got != "t_lit" {
		t.Error(got)
	}
	w := plantest.Shown(world.Material{Name: "x"})
	const all = "n_normal t_lit half_gloss"
	if got := names(w, false); got != all {
		t.Error(got)
	}
	if names(w, true) != "t" || names(prop, true) != "t" {
		t.Error(names(w, true), names(prop, true))
	}
	w.Models[0].Surfaces[0].Chart = world.NoChart
	if got := names(w, true); got != all {
		t.Error(got)
	}
}

// The images of reflections, by the masks that the game multiplies.
func TestMasksOfReflections(t *testing.T) {
	const env = "$basetexture t $envmap env_cubemap $bumpmap n $bumpframe 3 "
	const normals, base, mask = "materials/n.vtf", "materials/t.vtf", "materials/half.vtf"
	rough := func(masks ...images.Mask) images.Gloss {
		g := images.Gloss{Roughness: envRoughness}
		copy(g.Masks[:], masks)
		return g
	}
	lamps := func(mask images.Mask) images.Gloss {
		return images.Gloss{Masks: [3]images.Mask{mask}, Roughness: paint.PhongRoughness(20)}
	}
	for _, c := range []struct {
		vmt  string
		want images.Gloss
		uv   [6]float64
	}{
		{"LightmappedGeneric { " + env + "$normalmapalphaenvmapmask 1 $envmapmask half $envmapmaskframe 2 $basealphaenvmapmask 1 $frame 1 }",
			rough(images.Mask{File: normals, Frame: 3}, images.Mask{File: mask, Frame: 2, Color: true}, images.Mask{File: base, Frame: 1, Inverted: true}), pbr.Identity},
		{"LightmappedGeneric { " + env + "$envmapmask half $envmapmasktransform \"scale 2\" }", rough(images.Mask{File: mask, Color: true}), [6]float64{2, 0, 0, 0, 2, 0}},
		{"LightmappedGeneric { " + env + "$envmapmask half $basetexturetransform \"scale 0\" }", rough(images.Mask{File: mask, Color: true}), pbr.Identity},
		{"VertexLitGeneric { " + env + "$phong 1 $phongboost 0 }", rough(images.Mask{File: base}), pbr.Identity},
		{"VertexLitGeneric { " + env + "$phong 1 $phongboost 0 $invertphongmask 1 $normalmapalphaenvmapmask 1 }", rough(images.Mask{File: normals, Frame: 3, Inverted: true}), pbr.Identity},
		{"VertexLitGeneric { $basetexture t $bumpmap n $phong 1 $phongexponent 20 }", lamps(images.Mask{File: normals}), pbr.Identity},
		{"VertexLitGeneric { $basetexture t $bumpmap n $phong 1 $phongexponent 20 $basemapalphaphongmask 1 }", lamps(images.Mask{File: base}), pbr.Identity},
		{"VertexLitGeneric { $basetexture t $phong 1 $phongexponenttexture exp $phongexponentfactor 50 }",
			images.Gloss{Masks: [3]images.Mask{{File: base}}, Exponent: "materials/exp.vtf", Scale: 50, Roughness: paint.PhongRoughness(20)}, pbr.Identity},
	} {
		pl := planned(t, files(map[string]string{"x": c.vmt}), reflecting, plantest.Shown(world.Material{Name: "x"}))
		var got images.Gloss
		for _, j := range pl.Jobs {
			if g, ok := j.Work.(images.Gloss); ok {
				got = g
			}
		}
		if got != c.want || pl.Materials[0].Reflection.UV != c.uv {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.vmt, got, c.want)
		}
	}
}

// A mask that is missing leaves the surface without reflections: without it they would be everywhere.
func TestReflectionsWithoutTheirMask(t *testing.T) {
	for _, vmt := range []string{
		"LightmappedGeneric { $basetexture a $envmap env_cubemap $envmapmask nope }",
		"LightmappedGeneric { $basetexture a $envmap env_cubemap $bumpmap nope $normalmapalphaenvmapmask 1 }",
		"VertexLitGeneric { $basetexture a $envmap env_cubemap $bumpmap nope $normalmapalphaenvmapmask 1 $phong 1 }",
		"VertexLitGeneric { $basetexture a $bumpmap nope $phong 1 }",
	} {
		pl := planned(t, files(map[string]string{"x": vmt}), reflecting, plantest.Shown(world.Material{Name: "x"}))
		if got := mirrors(pl, 0); got != "" || len(pl.Issues) == 0 {
			t.Errorf("%s: %s, %v", vmt, got, pl.Issues)
		}
	}
	// Without a base texture a highlight has no mask at all.
	pl := planned(t, files(map[string]string{"x": "VertexLitGeneric { $phong 1 $phongexponent 20 }"}), reflecting, plantest.Shown(world.Material{Name: "x"}))
	if got := mirrors(pl, 0); got != "rough 0.395 specular 0.0976 [4.17 4.17 4.17]" {
		t.Error(got)
	}
}

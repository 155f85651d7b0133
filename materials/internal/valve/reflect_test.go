package valve

import (
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The numbers: 0.04 times a colour times the factor is what is reflected straight ahead, the factor what is along the surface. 0.5 is
// 0.214 in linear light. A metal's 0.4 are 0.2 by metalness, times a texture of 0.18:
// (0.4 - 0.036) / 0.8 is 0.455.
func TestReflections(t *testing.T) {
	const env = "$basetexture a $envmap env_cubemap "
	for _, c := range []struct{ name, vmt, want string }{
		{"none", "LightmappedGeneric { $basetexture a }", ""},
		{"taken away", `LightmappedGeneric { $basetexture a $envmap "" }`, ""},
		{"a mirror", "LightmappedGeneric { " + env + "}", "rough 0.25 specular 1 [25 25 25]"},
		{"a tint", `LightmappedGeneric { ` + env + `$envmaptint "[.4 .2 0]" }`, "rough 0.25 specular 0.4 [25 12.5 0]"},
		{"a tint in bytes", `LightmappedGeneric { ` + env + `$envmaptint "{51 51 51}" }`, "rough 0.25 specular 0.2 [25 25 25]"},
		{"a tint beyond white", `LightmappedGeneric { ` + env + `$envmaptint 7 }`, "rough 0.25 specular 1 [25 25 25]"},
		{"a tint of black", "LightmappedGeneric { " + env + "$envmaptint 0 }", ""},
		{"as water", "LightmappedGeneric { " + env + "$fresnelreflection 0 $envmaptint .5 }", "rough 0.25 specular 0.5 [0 0 0]"},
		{"half a mirror", "LightmappedGeneric { " + env + "$fresnelreflection .5 }", "rough 0.25 specular 1 [12.5 12.5 12.5]"},
		{"contrast", "LightmappedGeneric { " + env + "$envmaptint .5 $envmapcontrast 1 }", "rough 0.25 specular 0.25 [25 25 25]"},
		{"half the contrast, for which a wall takes none", "LightmappedGeneric { " + env + "$envmaptint .5 $envmapcontrast .5 }",
			"rough 0.25 specular 0.5 [25 25 25]"},
		{"half the contrast, with a saturation", `LightmappedGeneric { ` + env +
			`$envmaptint "[.5 0 0]" $envmapcontrast .5 $envmapsaturation 0 }`, "rough 0.25 specular 0.112 [25 25 25]"},
		{"a saturation that a wall does not take", `LightmappedGeneric { ` + env + `$envmaptint "[.5 0 0]" $envmapsaturation 0 }`,
			"rough 0.25 specular 0.5 [25 0 0]"},
		{"a saturation", `VertexLitGeneric { ` + env + `$envmaptint "[1 0 0]" $envmapsaturation 0 }`,
			"rough 0.25 specular 0.299 [25 25 25]"},
		{"metal", "LightmappedGeneric { " + env + "$envmaptint .4 $surfaceprop MetalPanel }",
			"rough 0.25 metal 0.2 specular 0.455 [25 25 25]"},
		{"metal that does not reflect", "LightmappedGeneric { $basetexture a $surfaceprop metal }", ""},
		{"of a model", "VertexLitGeneric { " + env + "$envmaptint .5 }", "rough 0.25 specular 0.214 [25 25 25]"},
		{"of a model, which knows no angle without lamps", "VertexLitGeneric { " + env + "$envmaptint .5 $envmapfresnel .5 }",
			"rough 0.25 specular 0.214 [25 25 25]"},
		{"of a model with normals and another mask", "VertexLitGeneric { " + env + "$bumpmap n $envmapmask half }", ""},
		{"of a model with normals and the base's alpha", "VertexLitGeneric { " + env + "$bumpmap n $basealphaenvmapmask 1 }", ""},
		{"of a wall with normals, by a mask that is not read",
			"LightmappedGeneric { " + env + "$envmaptint .4 $bumpmap n $envmapmask half }", "rough 0.25 specular 0.4 [25 25 25]"},
		{"unlit", "UnlitGeneric { " + env + "}", ""},
		{"by a mask", "LightmappedGeneric { " + env + "$envmapmask half }", "rough 0.25 specular 1 [25 25 25] by half_gloss"},
		{"by a mask that is turned", `LightmappedGeneric { ` + env +
			`$envmapmask half $envmapmasktransform "scale 2" $basetexturetransform "scale 4" }`,
			"rough 0.25 specular 1 [25 25 25] by half_gloss uv [0.5 0 0 0 0.5 0]"},
		{"by a mask of one grey", "LightmappedGeneric { " + env + "$envmaptint .4 $envmapmask dim $surfaceprop metal }",
			"rough 0.25 metal 0.2 specular 0.455 [25 25 25] by dim_gloss"},
		{"by a mask that is not there", "LightmappedGeneric { " + env + "$envmapmask nope }", ""},
		{"by the base's alpha, which is whole", "LightmappedGeneric { " + env + "$basealphaenvmapmask 1 }",
			"rough 0.25 specular 1 [25 25 25] by a_gloss"},
		// One minus 128/255.
		{"by the base's alpha", "LightmappedGeneric { $basetexture t $envmap env_cubemap $basealphaenvmapmask 1 }",
			"rough 0.25 specular 1 [25 25 25] by t_gloss"},
		{"by the normals' alpha", "LightmappedGeneric { " + env + "$bumpmap n $normalmapalphaenvmapmask 1 }",
			"rough 0.25 specular 1 [25 25 25] by n_gloss"},
		{"by the alpha of no normals", "LightmappedGeneric { " + env + "$normalmapalphaenvmapmask 1 }", "rough 0.25 specular 1 [25 25 25]"},
		{"by the normals alone", "LightmappedGeneric { " + env + "$bumpmap n $normalmapalphaenvmapmask 1 $envmapmask dim }",
			"rough 0.25 specular 1 [25 25 25] by n_gloss"},
		{"lamps alone, which are not the surroundings", "VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 $phongboost 99 }",
			"rough 1 specular 0 [1 1 1]"},
		{"of a wall, which knows no lamps", "LightmappedGeneric { $basetexture a $phong 1 }", ""},
		{"both", "VertexLitGeneric { " + env + "$phong 1 $phongexponent 20 }", "rough 0.25 specular 1 [25 25 25] by a_gloss"},
		// Straight ahead 1 + (1/6 - 1)/2, along the surface 1.
		{"both, half by angle", "VertexLitGeneric { " + env + "$phong 1 $envmaptint .5 $envmapfresnel .5 }",
			"rough 0.25 specular 0.5 [14.6 14.6 14.6] by a_gloss"},
		{"both, by a mask that is not read", "VertexLitGeneric { " + env + "$phong 1 $envmaptint .5 $bumpmap n $envmapmask nope }",
			"rough 0.25 specular 0.5 [25 25 25] by a_gloss"},
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
	if got := mirrors(pl, 0); got != "" || len(pl.Images) != 1 {
		t.Error(got, len(pl.Images))
	}
}

// A prop has its light in its vertices, and so has all with the vertex carrier that has a chart. A prop's glow is shown beside
// that light, but not with the vertex carrier.
func TestLoadsNoTextureThatDoesNotShow(t *testing.T) {
	files := files(map[string]string{"x": "LightmappedGeneric { $basetexture t $bumpmap n $envmap env_cubemap $normalmapalphaenvmapmask 1 $selfillum 1 }"})
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
	const all = "n_normal t_lit n_gloss"
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
	const plain = "$basetexture t $envmap env_cubemap "
	const env = plain + "$bumpmap n $bumpframe 3 "
	const normals, base, mask = "materials/n.vtf", "materials/t.vtf", "materials/half.vtf"
	rough := func(masks ...images.Mask) images.Gloss {
		g := images.Gloss{Roughness: envRoughness}
		copy(g.Masks[:], masks)
		return g
	}
	for _, c := range []struct {
		vmt  string
		want images.Gloss
		uv   [6]float64
	}{
		{"LightmappedGeneric { " + env +
			"$normalmapalphaenvmapmask 1 $envmapmask half $envmapmaskframe 2 $basealphaenvmapmask 1 $frame 1 }",
			rough(images.Mask{File: normals, Frame: 3}, images.Mask{File: base, Frame: 1, Inverted: true}), pbr.Identity},
		{"LightmappedGeneric { " + plain + "$envmapmask half $envmapmaskframe 2 $envmapmasktransform \"scale 2\" }",
			rough(images.Mask{File: mask, Frame: 2, Color: true}), [6]float64{2, 0, 0, 0, 2, 0}},
		{"VertexLitGeneric { " + plain + "$envmapmask half $envmapmasktransform \"scale 2\" }", rough(images.Mask{File: mask, Color: true}),
			pbr.Identity},
		{"LightmappedGeneric { " + plain + "$envmapmask half $basetexturetransform \"scale 0\" }",
			rough(images.Mask{File: mask, Color: true}), pbr.Identity},
		{"VertexLitGeneric { " + env + "$phong 1 $phongboost 0 }", rough(images.Mask{File: base}), pbr.Identity},
		{"VertexLitGeneric { " + env + "$phong 1 $phongboost 0 $invertphongmask 1 $normalmapalphaenvmapmask 1 }",
			rough(images.Mask{File: normals, Frame: 3, Inverted: true}), pbr.Identity},
		{"VertexLitGeneric { " + env + "$phong 1 $normalmapalphaenvmapmask 1 $basemapalphaphongmask 1 }", rough(images.Mask{File: base}),
			pbr.Identity},
	} {
		pl := planned(t, files(map[string]string{"x": c.vmt}), reflecting, plantest.Shown(world.Material{Name: "x"}))
		var got images.Gloss
		for _, j := range pl.Images {
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
	} {
		pl := planned(t, files(map[string]string{"x": vmt}), reflecting, plantest.Shown(world.Material{Name: "x"}))
		if got := mirrors(pl, 0); got != "" || len(pl.Issues) == 0 {
			t.Errorf("%s: %s, %v", vmt, got, pl.Issues)
		}
	}
}

package materials

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// mirrorOptions are plainOptions with what this file is about.
func mirrorOptions() Options {
	o := plainOptions
	o.Reflections = true
	return o
}

// mirrors is what a material reflects and lets through, in a line.
func mirrors(set *Set, m *pbr.Material) string {
	var words []string
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	slot := func(s *pbr.Slot) {
		if s.Image == pbr.NoImage {
			return
		}
		say("by %s", set.Images[s.Image].Name)
		if s.UV != pbr.Identity {
			say("uv %.3g", s.UV)
		}
	}
	if r := m.Reflection; r != nil {
		say("rough %.3g", r.Roughness)
		if r.Metal != 0 {
			say("metal %.3g", r.Metal)
		}
		say("specular %.3g %.3g", r.Specular, r.Color)
		if r.IOR != 0 {
			say("ior %g", r.IOR)
		}
		if r.Tinted {
			say("tinted")
		}
		if r.Masked {
			say("masked")
		}
		slot(&r.Slot)
	}
	if t := m.Transmission; t != nil {
		say("through %.3g", t.Factor)
		slot(&t.Slot)
	}
	return strings.Join(words, " ")
}

// glossy is valve with masks: half, black on the left and white on the right, in colour and in alpha; dim, a grey of 51; and
// exponents from 0 to 255.
func glossy(files map[string]string) fstest.MapFS {
	out := vmtFiles(files)
	half, exponents := filled(8, 8, color.NRGBA{}), filled(8, 8, grey(0))
	for y := range 8 {
		for x := range 8 {
			if x >= 4 {
				half.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
			}
			exponents.SetNRGBA(x, y, color.NRGBA{uint8(255 * x / 7), 0, 0, 255})
		}
	}
	out["materials/half.vtf"] = vtfFile(0x2000, half)
	out["materials/dim.vtf"] = vtfFile(0, filled(8, 8, grey(51)))
	out["materials/exp.vtf"] = vtfFile(0, exponents)
	return out
}

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
		{"by a mask", "LightmappedGeneric { " + env + "$envmapmask half }", "rough 1 specular 1 [12.5 12.5 12.5] masked by half_gloss"},
		{"by a mask that is turned", `LightmappedGeneric { ` + env + `$envmapmask half $envmapmasktransform "scale 2" $basetexturetransform "scale 4" }`, "rough 1 specular 1 [12.5 12.5 12.5] masked by half_gloss uv [0.5 0 0 0 0.5 0]"},
		{"by a mask of one grey", "LightmappedGeneric { " + env + "$envmapmask dim $surfaceprop metal }", "rough 0.251 metal 0.1 specular 0.2 [12.5 12.5 12.5]"},
		{"by a mask that is not there", "LightmappedGeneric { " + env + "$envmapmask nope }", ""},
		{"by the base's alpha, which is whole", "LightmappedGeneric { " + env + "$basealphaenvmapmask 1 }", ""},
		// One minus 128/255.
		{"by the base's alpha", "LightmappedGeneric { $basetexture t $envmap env_cubemap $basealphaenvmapmask 1 }", "rough 0.251 specular 0.498 [12.5 12.5 12.5]"},
		{"by the normals' alpha", "LightmappedGeneric { " + env + "$bumpmap n $normalmapalphaenvmapmask 1 }", "rough 0.251 specular 0.502 [12.5 12.5 12.5]"},
		{"by the alpha of no normals", "LightmappedGeneric { " + env + "$normalmapalphaenvmapmask 1 }", "rough 0.25 specular 1 [12.5 12.5 12.5]"},
		{"by two masks", "LightmappedGeneric { " + env + "$bumpmap n $normalmapalphaenvmapmask 1 $envmapmask dim }", "rough 0.388 specular 0.102 [12.5 12.5 12.5]"},
		{"lamps", "VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 }", "rough 0.396 specular 0.0976 [4.17 4.17 4.17]"},
		{"lamps without an exponent", "VertexLitGeneric { $basetexture a $phong 1 $phongboost 10 }", "rough 0.239 specular 0.133 [4.17 4.17 4.17]"},
		{"lamps that are boosted", "VertexLitGeneric { $basetexture a $phong 1 $phongexponent 5 $phongboost 99 }", "rough 0.549 specular 1 [12.5 12.5 12.5]"},
		{"lamps by angle", `VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 $phongfresnelranges "[1 1 1]" }`, "rough 0.396 specular 0.0976 [25 25 25]"},
		{"lamps with a tint", `VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 $phongtint "[1 .5 0]" }`, "rough 0.396 specular 0.0976 [4.17 2.08 0]"},
		{"lamps by the normals' alpha", "VertexLitGeneric { $basetexture a $bumpmap n $phong 1 $phongexponent 20 }", "rough 0.396 specular 0.049 [4.17 4.17 4.17]"},
		{"lamps by the base's alpha", "VertexLitGeneric { $basetexture half $bumpmap n $phong 1 $phongexponent 20 $basemapalphaphongmask 1 }", "rough 1 specular 0.0976 [4.17 4.17 4.17] masked by half_gloss"},
		{"lamps by an exponent's texture", "VertexLitGeneric { $basetexture a $phong 1 $phongexponenttexture exp $phongalbedotint 1 }", "rough 1 specular 0.0976 [4.17 4.17 4.17] tinted by a_gloss"},
		{"an exponent before its texture", "VertexLitGeneric { $basetexture a $phong 1 $phongexponenttexture exp $phongexponent 20 }", "rough 0.396 specular 0.0976 [4.17 4.17 4.17]"},
		{"a rim", "VertexLitGeneric { $basetexture a $phong 1 $phongexponent 20 $rimlight 1 $rimlightboost .5 }", "rough 0.396 specular 0.5 [0.813 0.813 0.813]"},
		// The surroundings are the stronger: their roughness.
		{"both", "VertexLitGeneric { " + env + "$phong 1 $phongexponent 20 }", "rough 0.251 specular 1 [12.5 12.5 12.5]"},
		{"both, of which the lamps are the stronger", "VertexLitGeneric { " + env + "$envmaptint .01 $phong 1 $phongexponent 5 $phongboost 5 }", "rough 0.549 specular 1 [7.58 7.58 7.58]"},
		{"water", "Water { $normalmap n }", "rough 0.05 specular 1 [1 1 1] ior 1.33"},
		{"packed", "PBR { $basetexture a $mraotexture exp }", "rough 1 metal 1 specular 1 [1 1 1] by exp_orm"},
		{"nothing packed", "PBR { $basetexture a }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := load(t, glossy(map[string]string{"x": c.vmt}), "", mirrorOptions(), shown(world.Material{Name: "x"}))
			if got := mirrors(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			checkMaterial(t, set, &set.Materials[0])
		})
	}
}

func TestReflectionsAreAnOption(t *testing.T) {
	files := glossy(map[string]string{"x": "LightmappedGeneric { $basetexture a $envmap env_cubemap $envmapmask half }"})
	set := load(t, files, "", plainOptions, shown(world.Material{Name: "x"}))
	if got := mirrors(set, &set.Materials[0]); got != "" || len(set.Images) != 1 {
		t.Error(got, len(set.Images))
	}
}

// A prop has its light in its vertices, and so has all with the vertex carrier that has a chart. What a prop shines with is shown
// beside that light, but not with the vertex carrier.
func TestLoadsNoTextureThatDoesNotShow(t *testing.T) {
	files := glossy(map[string]string{"x": "LightmappedGeneric { $basetexture t $bumpmap n $envmap env_cubemap $envmapmask half $selfillum 1 }"})
	in := Input{}
	names := func(w *world.World) string {
		in.World = w
		set := loadInput(t, files, "", mirrorOptions(), in)
		var names []string
		for _, im := range set.Images {
			names = append(names, im.Name)
		}
		return strings.Join(names, " ")
	}
	prop := shown(world.Material{Name: "x", Lighting: world.PerVertex})
	if got := names(prop); got != "t t_glow" {
		t.Error(got)
	}
	w := shown(world.Material{Name: "x"})
	const all = "n_normal t t_glow half_gloss"
	if got := names(w); got != all {
		t.Error(got)
	}
	if in.VertexLight = true; names(w) != "t" || names(prop) != "t" {
		t.Error(names(w), names(prop))
	}
	w.Models[0].Surfaces[0].Chart = world.NoChart
	if got := names(w); got != all {
		t.Error(got)
	}
}

// A mask of 255, 128, 16 and 0. Above an eighth a surface is as rough as it is: 0.25 is 64. 16 is 8·16/255 of the way to
// that: 1 - 0.75·0.502 is 159; 13 is 177. The alpha of the second mask, inverted, is 0.8.
func TestDrawsGlosses(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 4, 1))
	for x, v := range []uint8{255, 128, 16, 0} {
		im.SetNRGBA(x, 0, color.NRGBA{v, v / 2, 0, 51})
	}
	for _, c := range []struct {
		Gloss paint.Gloss
		want  []uint8
	}{
		{paint.Gloss{Masks: []paint.GlossMask{{Picture: im, Color: true}}, Roughness: 0.25}, []uint8{0, 64, 255, 255, 0, 64, 128, 128, 0, 159, 16, 16, 0, 255, 0, 0}},
		{paint.Gloss{Masks: []paint.GlossMask{{Picture: im, Inverted: true}}, Roughness: 0.5}, []uint8{0, 128, 204, 204, 0, 128, 204, 204, 0, 128, 204, 204, 0, 128, 204, 204}},
		{paint.Gloss{Masks: []paint.GlossMask{{Picture: im, Color: true}, {Picture: im, Inverted: true}}, Roughness: 0.25}, []uint8{0, 64, 204, 204, 0, 64, 102, 102, 0, 177, 13, 13, 0, 255, 0, 0}},
		// Exponents of 150, 75.8, 10.3 and 1: 301^-¼ is 0.240, 152.6^-¼ 0.285, 21.7^-¼ 0.463, 3^-¼ 0.760.
		{paint.Gloss{Exponent: im, Scale: 149}, []uint8{0, 61, 255, 255, 0, 73, 255, 255, 0, 118, 255, 255, 0, 194, 255, 255}},
	} {
		if got := c.Gloss.Draw(4, 1).Pix; !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.Gloss, got, c.want)
		}
	}
}

func TestTellsWhatIsUniform(t *testing.T) {
	im := filled(2, 1, color.NRGBA{10, 20, 30, 255})
	im.SetNRGBA(1, 0, color.NRGBA{14, 20, 30, 255})
	if px, ok := paint.Uniform(im); !ok || px != [4]uint8{12, 20, 30, 255} {
		t.Error(px, ok)
	}
	im.Pix[0] = 9
	if _, ok := paint.Uniform(im); ok {
		t.Error("14 is not 9")
	}
}

// The lobe of GGX at the middle of its highlight, straight ahead, is F/(4α²) of a lamp's light, where a white surface has 1.
func TestHighlightIsAsBrightAsTheGames(t *testing.T) {
	for _, exponent := range []float64{5, 20, 150} {
		alpha := math.Pow(paint.PhongRoughness(exponent), 2)
		gain := 4 / (2*exponent + 1)
		if got := gain / (4 * alpha * alpha); math.Abs(got-1) > 1e-12 {
			t.Errorf("%g: %g of the boost", exponent, got)
		}
	}
}

func TestBrokenMasksReflectNothing(t *testing.T) {
	files := glossy(map[string]string{"x": "LightmappedGeneric { $basetexture a $envmap env_cubemap $envmapmask b }"})
	files["materials/b.vtf"] = &fstest.MapFile{Data: []byte("VTF")}
	set := load(t, files, "", mirrorOptions(), shown(world.Material{Name: "x"}))
	if m := &set.Materials[0]; m.Reflection != nil || m.Placeholder || len(set.Issues) != 1 {
		t.Error(mirrors(set, m), set.Issues)
	}
}

// checkReflection checks what the writers rely on.
func checkReflection(t *testing.T, set *Set, m *pbr.Material) {
	t.Helper()
	image := func(i int) {
		if i < pbr.NoImage || i >= len(set.Images) {
			t.Errorf("image %d of %d", i, len(set.Images))
		}
	}
	unit := func(what string, v, most float32) {
		if !(v >= 0 && v <= most) {
			t.Errorf("%s is %g", what, v)
		}
	}
	if r := m.Reflection; r != nil {
		image(r.Image)
		unit("roughness", r.Roughness, 1)
		unit("metal", r.Metal, 1)
		unit("specular", r.Specular, 1)
		for _, c := range r.Color {
			unit("color", c, 25.001)
		}
		if m.Draw.Unlit || r.Masked && !set.Images[r.Image].Alpha {
			t.Errorf("%+v", r)
		}
	}
	if x := m.Transmission; x != nil {
		image(x.Image)
		unit("transmission", x.Factor, 1)
		if m.Draw.Unlit || m.Alpha != pbr.Opaque {
			t.Errorf("%+v", m)
		}
	}
}

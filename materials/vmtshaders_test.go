package materials

import (
	"image/color"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestShaders(t *testing.T) {
	for _, c := range []struct{ name, vmt, want string }{
		{"a version", "Water_HDR_DX90 { $fogcolor 0 }", "color [0 0 0 0.8] blend"},
		{"a mod's", "SDK_UnlitGeneric { $basetexture a }", "base a unlit"},
		{"eyes", "Eyes { $basetexture a $iris n }", "base a ($iris)"},
		{"eyes that refract", "EyeRefract { $iris a }", "base a (eye)"},
		{"a cable", "Cable { $basetexture t $bumpmap n }", "base t normal n_normal blend"},
		{"a cable without a hole", "SplineRope { $basetexture a }", "base a"},
		{"particles", "SpriteCard { $basetexture t }", "base t blend unlit"},
		{"particles that are added", "SpriteCard { $basetexture a $additive 1 }", "base a_add blend unlit"},
		{"shattered glass", "ShatteredGlass { $basetexture t }", "base t blend"},
		{"a field of energy", "SolidEnergy { $basetexture a }", "base a_add blend unlit"},
		{"wires", "Wireframe { $basetexture a }", "base a unlit (wireframe)"},
		{"black", "Black { }", "color [0 0 0 1] unlit"},
		{"what only blocks the view", "Occlusion { $basetexture a }", "hidden"},
		{"unknown", "Wobble { $basetexture a }", "base a"},
		{"from three sides", "LightmappedGeneric { $basetexture a $seamless_scale .01 }", "base a ($seamless_scale)"},
		{"with a warped light", "VertexLitGeneric { $basetexture a $lightwarptexture n }", "base a ($lightwarptexture)"},
		{"a distance to an edge", "UnlitGeneric { $basetexture t $distancealpha 1 $translucent 1 }", "base t mask 0.5 unlit"},
		{"alpha that says where it reflects", "LightmappedGeneric { $basetexture t $translucent 1 $basealphaenvmapmask 1 }", "base t"},
		{"a model in a colour", "VertexLitGeneric { $basetexture a $color2 .5 }", "base a color [0.214 0.214 0.214 1]"},
		{"a colour in places", "VertexLitGeneric { $basetexture t $color2 .5 $blendtintbybasealpha 1 }", "base t_tint"},
		{"a colour in places of a wall", "LightmappedGeneric { $basetexture t $color2 .5 $blendtintbybasealpha 1 }", "base t"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := shown(world.Material{Name: "x"})
			set := load(t, vmtFiles(map[string]string{"x": c.vmt}), "", plainOptions, w)
			if got := text(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			checkMaterial(t, set, &set.Materials[0])
		})
	}
}

func TestReportsUnknownShadersOnce(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "Wobble { $basetexture a }", "y": "wobble { $basetexture t }", "z": "Teeth_dx8 { $basetexture a }", "w": "Wibble { %compilenodraw 1 }"})
	set := load(t, files, "", plainOptions, shown(world.Material{Name: "x"}, world.Material{Name: "y"}, world.Material{Name: "z"}, world.Material{Name: "w"}))
	if len(set.Issues) != 1 || set.Issues[0].Code != "shader-unknown" || set.Issues[0].Where != "wobble" {
		t.Error(set.Issues)
	}
}

// The base is 200 100 50, 0.578 0.127 0.0319 in linear light. A tint of 1, 0.5 and 0 at half an alpha leaves 1, 0.75 and 0.5
// of it; in place of it, it is the mean of both.
func TestTintsByAlpha(t *testing.T) {
	base := [3]float64{paint.Linear(200.0 / 255), paint.Linear(100.0 / 255), paint.Linear(50.0 / 255)}
	tint := [3]float32{1, 0.5, 0}
	const a = 128.0 / 255
	for _, over := range []float32{0, 1} {
		im := filled(1, 1, color.NRGBA{200, 100, 50, 128})
		paint.PaintTint(im, tint, over)
		for k, c := range base {
			to := c * float64(tint[k])
			if over == 1 {
				to = float64(tint[k])
			}
			want := 255 * (1.055*math.Pow(c+(to-c)*a, 1/2.4) - 0.055)
			if got := float64(im.Pix[k]); math.Abs(got-want) > 0.51 {
				t.Errorf("over %g: channel %d: %g, want %g", over, k, got, want)
			}
		}
		if im.Pix[3] != 255 {
			t.Error(im.Pix)
		}
	}
}

// Brighter than white goes to the strength. 2 is 4.95 in linear light. By angle the mean of cos² over a ball is a half: from
// 0.5 to 1.5 that is 1. What flows over the surface shines by its own texture.
func TestGlows(t *testing.T) {
	for _, c := range []struct{ name, vmt, want string }{
		{"beyond white", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumtint "[2 2 0]" }`, "base t emissive t_glow emission [1 1 0] strength 4.95"},
		{"as bright as can be", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumtint 99 }`, "base t emissive t_glow emission [1 1 1] strength 16"},
		{"by angle", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumfresnel 1 $selfillumfresnelminmaxexp "[.5 1.5 2]" }`, "base t emissive t_glow emission [1 1 1]"},
		{"by angle, as it is by itself", `VertexLitGeneric { $basetexture t $selfillum 1 $selfillumfresnel 1 }`, "base t emissive t_glow emission [0.667 0.667 0.667]"},
		{"that flows", `VertexLitGeneric { $basetexture a $EmissiveBlendEnabled 1 $EmissiveBlendBaseTexture t $EmissiveBlendStrength .5 $EmissiveBlendTint "[1 0 0]" }`, "base a emissive t emission [0.5 0 0]"},
		{"that flows no more", `VertexLitGeneric { $basetexture a $EmissiveBlendEnabled 0 $EmissiveBlendBaseTexture t }`, "base a"},
		{"that is not there", `VertexLitGeneric { $basetexture a $EmissiveBlendEnabled 1 $EmissiveBlendBaseTexture nope }`, "base a"},
	} {
		set := load(t, vmtFiles(map[string]string{"x": c.vmt}), "", plainOptions, shown(world.Material{Name: "x"}))
		if got := text(set, &set.Materials[0]); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		checkMaterial(t, set, &set.Materials[0])
	}
}

// The fog's colour of 0, 51 and 102 is 0, 0.0331 and 0.1329 in linear light; 0.8 of that and a fifth of 0.4, divided by 0.32,
// are 0.25, 0.333 and 0.582.
func TestTransmission(t *testing.T) {
	const pane = "LightmappedGeneric { $basetexture t $translucent 1 $surfaceprop glass "
	const polished = "rough 0.05 specular 1 [1 1 1]"
	for _, c := range []struct {
		name, vmt  string
		lighting   world.Lighting
		look, want string
	}{
		{"water", "Water { $normalmap n $fogcolor \"{0 51 102}\" }", world.Lightmap, "color [0.25 0.333 0.582 1] normal n_normal", polished + " ior 1.33 through 0.8"},
		{"water as it is in maps", "Water { $fogcolor \"{0 51 102}\" }", world.Fullbright, "color [0.25 0.333 0.582 1]", polished + " ior 1.33 through 0.8"},
		{"black water", "Water { $fogcolor 0 }", world.Lightmap, "color [0.25 0.25 0.25 1]", polished + " ior 1.33 through 0.8"},
		{"glass", "Refract { $refracttint \"[1 .5 1]\" }", world.Lightmap, "color [1 0.214 1 1]", polished + " through 1"},
		{"a pane", pane + "}", world.Lightmap, "base t_pane", polished + " through 1 by t_clear"},
		{"a pane that mirrors", pane + "$envmap env_cubemap }", world.Lightmap, "base t_pane", polished + " through 1 by t_clear"},
		{"a pane that is the same everywhere", "LightmappedGeneric { $basetexture a $alpha .25 $surfaceprop GlassBottle }", world.Lightmap, "base a_pane", polished + " through 1 by a_clear"},
		{"a pane of a prop", pane + "}", world.PerVertex, "base t blend unlit vertex", ""},
		{"a pane that fades", pane + "$vertexalpha 1 }", world.Lightmap, "base t blend fades", ""},
		{"a curtain", "LightmappedGeneric { $basetexture t $translucent 1 $surfaceprop cloth }", world.Lightmap, "base t blend", ""},
	} {
		o := mirrorOptions()
		o.Transmission = true
		set := load(t, vmtFiles(map[string]string{"x": c.vmt}), "", o, shown(world.Material{Name: "x", Lighting: c.lighting}))
		m := &set.Materials[0]
		if got := text(set, m); got != c.look {
			t.Errorf("%s: %s, want %s", c.name, got, c.look)
		}
		if got := mirrors(set, m); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		checkMaterial(t, set, m)
	}
}

// 0.578 0.127 0.0319 in linear light, an alpha of 0.4 and an opacity of a half: 0.8 of white and 0.2 of that are 0.9156, 0.8254
// and 0.8064; 0.8 goes through.
func TestPanesAreWhereLightDoesNotGoThrough(t *testing.T) {
	im := filled(1, 1, color.NRGBA{200, 100, 50, 102})
	paint.PaintPane(im, 0.5)
	if want := [4]uint8{245, 234, 232, 255}; [4]uint8(im.Pix) != want {
		t.Errorf("%v, want %v", im.Pix, want)
	}
	im = filled(1, 1, color.NRGBA{200, 100, 50, 102})
	if paint.PaintPassed(im, 0.5); [4]uint8(im.Pix) != [4]uint8{204, 0, 0, 255} {
		t.Error(im.Pix)
	}
}

package valve

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestShaders(t *testing.T) {
	for _, c := range []struct{ name, vmt, want string }{
		{"a version", "Water_HDR_DX90 { $fogcolor 0 }", "color [0 0 0 0.8] blend"},
		{"water that nothing is seen through", "Water { $fogcolor 0 $forcecheap 1 }", "color [0 0 0 1]"},
		{"a mod's", "SDK_UnlitGeneric { $basetexture a }", "base a unlit"},
		{"eyes", "Eyes { $basetexture a $iris n }", "base a"},
		{"eyes that refract", "EyeRefract { $iris a }", "base a (eye)"},
		{"a cable", "Cable { $basetexture t $bumpmap n }", "base t_two normal n_normal"},
		{"a cable with holes", "Cable { $basetexture a $translucent 1 }", "base a blend"},
		{"a cable without a hole", "SplineRope { $basetexture a }", "base a blend"},
		{"particles", "SpriteCard { $basetexture t }", "base t blend unlit"},
		{"particles that are added", "SpriteCard { $basetexture a $additive 1 }", "base a_add_alpha blend unlit"},
		{"particles brighter than white, with themselves added",
			"SpriteCard { $basetexture t $color .5 $overbrightfactor 2 $addself .5 }", "base t_tint blend unlit"},
		{"dim particles", "SpriteCard { $basetexture t $overbrightfactor .5 }", "base t color [0.5 0.5 0.5 1] blend unlit"},
		{"a decal of a wall, whose opacity counts once", "LightmappedGeneric_Decal { $basetexture t $translucent 1 $color .5 $alpha .5 }",
			"base t color [0.5 0.5 0.5 0.5] blend offset"},
		{"eyes, which take no colour", "Eyes { $basetexture a $color2 .5 }", "base a"},
		{"teeth, which take no colour", "Teeth { $basetexture a $color2 .5 }", "base a"},
		{"a pane that changes nothing", "Refract { $normalmap n }", "color [0.214 0.214 0.214 0.15] normal n_normal blend"},
		{"a pane in a dark tint", "Refract { $refracttint \"[.5 .7 .3]\" }", "color [0 0.0331 0 0.5] blend"},
		{"shattered glass", "ShatteredGlass { $basetexture t }", "base t blend"},
		{"a field of energy", "SolidEnergy { $basetexture a }", "base a_add blend unlit"},
		{"wires", "Wireframe { $basetexture a }", "base a unlit (wireframe)"},
		{"black", "Black { }", "color [0 0 0 1] unlit"},
		{"what only blocks the view", "Occlusion { $basetexture a }", "hidden"},
		{"unknown", "Wobble { $basetexture a }", "base a"},
		{"from three sides", "LightmappedGeneric { $basetexture a $seamless_scale .01 }", "base a ($seamless_scale)"},
		{"with a warped light", "VertexLitGeneric { $basetexture a $lightwarptexture n }", "base a ($lightwarptexture)"},
		{"in the wind", "VertexLitGeneric { $basetexture a $treesway 1 $rimlight 0 }", "base a ($treesway)"},
		{"a distance to an edge", "UnlitGeneric { $basetexture t $distancealpha 1 $translucent 1 }", "base t mask 0.5 unlit"},
		{"alpha that says where it reflects", "LightmappedGeneric { $basetexture t $translucent 1 $basealphaenvmapmask 1 }", "base t"},
		{"a model in a colour", "VertexLitGeneric { $basetexture a $color2 .5 }", "base a color [0.214 0.214 0.214 1]"},
		{"a colour in places", "VertexLitGeneric { $basetexture t $color2 .5 $blendtintbybasealpha 1 }", "base t_tint"},
		{"a colour in places of a wall", "LightmappedGeneric { $basetexture t $color2 .5 $blendtintbybasealpha 1 }",
			"base t color [0.5 0.5 0.5 1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := plantest.Shown(world.Material{Name: "x"})
			pl := planned(t, files(map[string]string{"x": c.vmt}), needed, w)
			if got := plantest.Text(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReportsUnknownShadersOnce(t *testing.T) {
	files := files(map[string]string{"x": "Wobble { $basetexture a }", "y": "wobble { $basetexture t }",
		"z": "Teeth_dx8 { $basetexture a }", "w": "Wibble { %compilenodraw 1 }"})
	pl := planned(t, files, needed, plantest.Shown(world.Material{Name: "x"}, world.Material{Name: "y"}, world.Material{Name: "z"},
		world.Material{Name: "w"}))
	if len(pl.Issues) != 1 || pl.Issues[0].Code != "shader-unknown" || pl.Issues[0].Where != "wobble" {
		t.Error(pl.Issues)
	}
}

// A parameter that nothing reads is said, once. Variables of proxies, what is for compilers, and what no picture shows are not.
func TestReportsUnreadParametersOnce(t *testing.T) {
	files := files(map[string]string{
		"x": "VertexLitGeneric { $basetexture a $jelly 1 $model 1 %keywords q $v 0 Proxies { Sine { resultVar $v[0] } } }",
		"y": "VertexLitGeneric { $basetexture a $Jelly 2 }"})
	pl := planned(t, files, needed, plantest.Shown(world.Material{Name: "x"}, world.Material{Name: "y"}))
	if len(pl.Issues) != 1 || pl.Issues[0].Code != "parameter-unread" || pl.Issues[0].Where != "$jelly" {
		t.Error(pl.Issues)
	}
}

// The table of parameters that are read has those that the code names.
func TestReadParametersAreThoseOfTheCode(t *testing.T) {
	var named []string
	for _, pattern := range []string{"*.go", "../vmt/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) < 2 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(path, "_test.go") && path != "unread.go" {
				named = append(named, regexp.MustCompile(`"\$[a-z0-9_]+"`).FindAllString(string(text), -1)...)
			}
		}
	}
	for i := range named {
		named[i] = strings.Trim(named[i], `"`)
	}
	slices.Sort(named)
	if named = slices.Compact(named); !slices.Equal(named, readParameters) {
		t.Errorf("the code names %q", named)
	}
}

// A product with the background is named, also with $translucent: blood on a dark wall is else brighter than in the game.
func TestProductsAreNamed(t *testing.T) {
	for shader, want := range map[string]any{"SDK_DecalModulate": "multiply", "Modulate": "multiply", "UnlitGeneric": nil} {
		w := plantest.Shown(world.Material{Name: "x", Lighting: world.Lightmap})
		pl := planned(t, files(map[string]string{"x": shader + " { $basetexture a $translucent 1 }"}), needed, w)
		if got := pl.Materials[0].Extras["blend"]; got != want {
			t.Errorf("%s: %v, want %v", shader, got, want)
		}
	}
}

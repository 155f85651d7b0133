package q3shader

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// places are issues as "line code".
func places(issues []Issue) (list []string) {
	for _, i := range issues {
		list = append(list, fmt.Sprint(i.Line, " ", i.Code))
	}
	return list
}

func TestReadsOddFiles(t *testing.T) {
	for _, tt := range []struct {
		what, text string
		want       string // "name@line:stages" of each shader
		odd        string // "line code" of each issue outside, then inside the shaders
	}{
		{"empty", "", "", ""},
		{"blanks", " \r\n\t\x00", "", ""},
		{"only a comment", "// a { b", "", ""},
		{"plain", "a\n{\n\t{\n\t\tmap b.tga\n\t}\n}\n", "a@1:1", ""},
		{"all on one line", "a { cull none { map b rgbGen identity } }", "a@1:1", ""},
		{"no line end", "a {}", "a@1:0", ""},
		{"CRLF", "a\r\n{\r\n{\r\nmap b\r\n}\r\n}\r\nc\r\n{\r\n}\r\n", "a@1:1 c@7:0", ""},
		{"CR only, as on an old Mac", "a\r{\r// x\rcull none\r{\rmap b\r}\r}\rc\r{\r}", "a@1:1 c@1:0", ""},
		{"a byte order mark", "\xef\xbb\xbfa {}", "a@1:0", ""},
		{"NUL for a blank", "a\x00{\x00{\x00map b\x00}\x00}\x00", "a@1:1", ""},
		{"Latin-1 and UTF-8 in names", "stra\xdfe {} straße {}", "stra\xdfe@1:0 straße@1:0", ""},
		{"a name in upper case with backslashes and an extension", `Textures\Base.d\Wall.TGA {}`, "textures/base.d/wall@1:0", ""},
		{"a dot in a folder", "textures/v1.2/wall {}", "textures/v1.2/wall@1:0", ""},
		{"a name in quotes", `"my wall" {}`, "my wall@1:0", ""},
		{"braces glued to words", "a\n{cull none\n{map b\n}\n{map c}}\nd{\n{map e\nrgbGen identity}}", "a@1:2 d@6:1", ""},
		{"a brace in an image's name", "a { { map {fence\n } { map x{y\n } }", "a@1:2", ""},
		{"a brace in a shader's name", "{fence { { map b } }", "{fence@1:1", ""},
		{"braces in comments and quotes", "a { // }\n/* } */ { map \"}b\" } }", "a@1:1", ""},
		{"comments glued to words", "a{ cull none//}\n{map b/*}*/}}\nc{}", "a@1:1 c@3:0", ""},
		{"a comment of many lines", "/*\na {}\n*/ b {}", "b@3:0", ""},
		{"a quote inside a word", "a\n{\n{\nmap 5\"gun\n}\n}", "a@1:1", ""},
		{"the same name twice", "a { } A { { map b } }", "a@1:0 a@1:1", ""},

		{"the last brace is missing", "a { }\nb {\n{ map c }\n", "a@1:0", "2 shader-brace"},
		{"a brace too much", "a { } }\nb { }", "a@1:0 b@2:0", "1 shader-brace"},
		{"a name without a block", "a\nb { }\nc", "b@2:0", "1 shader-brace 3 shader-brace"},
		{"a block without a name", "a { } { }\nb { }", "a@1:0 b@2:0", "1 shader-brace"},
		{"a quote that doesn't end", "a\n{\n{\nmap \"b\n}\n}\nc {}", "a@1:1 c@7:0", "4 shader-quote"},
		{"a comment that doesn't end", "a { }\n/* b { }", "a@1:0", "2 shader-comment"},
		{"a comment that doesn't end in a block", "a { }\nb { /* }", "a@1:0", "2 shader-brace"},
		{"a block in a stage", "a\n{\n{\nmap b\n{\n}\n}\n}", "a@1:1", "5 shader-brace"},
		{"a stage without an image", "a\n{\n{\nblendFunc add\n}\n{\nmap b\n}\n}", "a@1:1", "3 shader-stage"},
		{"unknown words", "a\n{\ncul none\n{\nmap b\nblendfuns add\n}\n}", "a@1:1", "3 shader-directive 6 shader-directive"},
		{"a word too much", "a\n{\ncull none // x\ncull none x\n}", "a@1:0", "4 shader-argument"},
	} {
		shaders, odd, err := parseAll("f", []byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
		}
		var got []string
		for _, s := range shaders {
			got = append(got, fmt.Sprintf("%s@%d:%d", s.Name, s.Line, len(s.Stages)))
			odd = append(odd, s.Issues...)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
		if got := strings.Join(places(odd), " "); got != tt.odd {
			t.Errorf("%s: issues %q, want %q", tt.what, got, tt.odd)
		}
	}
}

// one parses a shader with these lines.
func one(t *testing.T, lines string) *Shader {
	t.Helper()
	shaders, odd, err := parseAll("f", []byte("x\n{\n"+lines+"\n}"))
	if err != nil || len(odd) > 0 || len(shaders) != 1 {
		t.Fatalf("%q: %d shaders, %v, %v", lines, len(shaders), odd, err)
	}
	return shaders[0]
}

func TestReadsGeneralDirectives(t *testing.T) {
	raw := func(key string, args ...string) []Param { return []Param{{key, args}} }
	for _, tt := range []struct {
		line string
		want Shader
		odd  string
	}{
		{"cull front", Shader{}, ""},
		{"cull none", Shader{Cull: None}, ""},
		{"CULL TwoSided", Shader{Cull: None}, ""},
		{"cull disable", Shader{Cull: None}, ""},
		{"cull back", Shader{Cull: Back}, ""},
		{"cull backsided", Shader{Cull: Back}, ""},
		{"cull sideways", Shader{}, CodeValue},
		{"cull", Shader{}, CodeArgument},
		{"sort portal", Shader{Sort: 1}, ""},
		{"sort seeThrough", Shader{Sort: 5}, ""},
		{"sort additive", Shader{Sort: 10}, ""},
		{"sort nearest", Shader{Sort: 16}, ""},
		{"sort 9.5", Shader{Sort: 9.5}, ""},
		{"sort last", Shader{}, CodeNumber},
		{"portal", Shader{Sort: 1}, ""},
		{"polygonOffset", Shader{PolygonOffset: true}, ""},
		{"nomipmaps", Shader{}, ""},
		{"nopicmip", Shader{}, ""},
		{"cull none sort 6", Shader{Cull: None, Sort: 6}, ""},
		{"entityMergable", Shader{Params: []Param{{"entitymergable", []string{}}}}, ""},
		{"tessSize 64", Shader{Params: raw("tesssize", "64")}, ""},
		{"clampTime 1", Shader{Params: raw("clamptime", "1")}, ""},
		{"light 1", Shader{Params: raw("light", "1")}, ""},
		{"lightning bolt", Shader{Params: raw("lightning", "bolt")}, CodeDirective},

		{"surfaceparm NoDraw", Shader{SurfaceParms: []string{"nodraw"}, SurfaceFlags: SurfNoDraw}, ""},
		{"surfaceparm lava", Shader{SurfaceParms: []string{"lava"}, Contents: 8}, ""},
		{"surfaceparm botclip", Shader{SurfaceParms: []string{"botclip"}}, ""},
		{"surfaceparm sky\nsurfaceparm nolightmap", Shader{SurfaceParms: []string{"sky", "nolightmap"}, SurfaceFlags: 0x404}, ""},

		{"skyParms env/Space 1024 -", Shader{Sky: &Sky{FarBox: "env/space", CloudHeight: 1024}}, ""},
		{"skyParms - 0 env\\near", Shader{Sky: &Sky{NearBox: "env/near", CloudHeight: 512}}, ""},
		{"skyParms - - -", Shader{Sky: &Sky{CloudHeight: 512}}, ""},
		{"skyParms env/space", Shader{Sky: &Sky{FarBox: "env/space", CloudHeight: 512}}, CodeArgument},
		{"fogParms ( .5 .25 1 ) 600", Shader{Fog: &Fog{[3]float32{.5, .25, 1}, 600}}, ""},
		{"fogParms ( .5 .25 1 ) 600 64 clear", Shader{Fog: &Fog{[3]float32{.5, .25, 1}, 600}}, ""},
		{"fogParms (.5 .25 1) 600", Shader{Fog: &Fog{[3]float32{.5, .25, 1}, 600}}, CodeArgument},
		{"fogParms .5 .25 1 600", Shader{Fog: &Fog{[3]float32{.5, .25, 1}, 600}}, CodeArgument},

		{"deformVertexes wave 100 sin 1 2 3 4", Shader{Deforms: []Deform{{Spread: .01, Wave: Wave{Sin, 1, 2, 3, 4}}}}, ""},
		{"deformVertexes wave 0 square 1 2 3 4", Shader{Deforms: []Deform{{Spread: 100, Wave: Wave{Square, 1, 2, 3, 4}}}}, ""},
		{"deformVertexes normal .5 .1", Shader{Deforms: []Deform{{Kind: DeformNormal, Wave: Wave{Amp: .5, Freq: .1}}}}, ""},
		{"deformVertexes move 1 2 3 sin 4 5 6 7",
			Shader{Deforms: []Deform{{Kind: DeformMove, Move: [3]float32{1, 2, 3}, Wave: Wave{Sin, 4, 5, 6, 7}}}}, ""},
		{"deformVertexes bulge 1 2 3", Shader{Deforms: []Deform{{Kind: DeformBulge, Bulge: [3]float32{1, 2, 3}}}}, ""},
		{"deformVertexes autosprite", Shader{Deforms: []Deform{{Kind: DeformAutosprite}}}, ""},
		{"deformVertexes autoSprite2", Shader{Deforms: []Deform{{Kind: DeformAutosprite2}}}, ""},
		{"deformVertexes projectionShadow", Shader{Deforms: []Deform{{Kind: DeformShadow}}}, ""},
		{"deformVertexes text7", Shader{Deforms: []Deform{{Kind: DeformText}}}, ""},
		{"deformVertexes text8", Shader{}, CodeValue},
		{"deformVertexes wave", Shader{Deforms: []Deform{{Spread: 100}}}, CodeArgument},

		{"q3map_sun 1 .5 .25 100 30 60", Shader{
			Tools:  Tools{Sun: &Sun{[3]float32{1, .5, .25}, 100, 30, 60, 0, 0}},
			Params: raw("q3map_sun", "1", ".5", ".25", "100", "30", "60")}, ""},
		{"q3map_sunExt 1 1 1 100 30 60 3 16", Shader{
			Tools:  Tools{Sun: &Sun{[3]float32{1, 1, 1}, 100, 30, 60, 3, 16}},
			Params: raw("q3map_sunext", "1", "1", "1", "100", "30", "60", "3", "16")}, ""},
		{"sun 1 1 1 100 30 60", Shader{Tools: Tools{Sun: &Sun{[3]float32{1, 1, 1}, 100, 30, 60, 0, 0}}}, ""},
		{"q3map_sun1 1 .5", Shader{Params: raw("q3map_sun1", "1", ".5")}, CodeArgument},
		{"q3map_surfacelight 400", Shader{Tools: Tools{SurfaceLight: 400}, Params: raw("q3map_surfacelight", "400")}, ""},
		{"q3map_lightimage Textures\\A.tga", Shader{Tools: Tools{LightImage: "textures/a.tga"},
			Params: raw("q3map_lightimage", "Textures\\A.tga")}, ""},
		{"q3map_lightRGB 1 .5 0", Shader{Tools: Tools{LightRGB: &[3]float32{1, .5, 0}}, Params: raw("q3map_lightrgb", "1", ".5", "0")}, ""},
		{"q3map_baseShader textures/B.tga", Shader{Tools: Tools{BaseShader: "textures/b"},
			Params: raw("q3map_baseshader", "textures/B.tga")}, ""},
		{"q3map_backShader textures/C", Shader{Tools: Tools{BackShader: "textures/c"}, Params: raw("q3map_backshader", "textures/C")}, ""},
		{"qer_editorimage Textures/D.tga", Shader{Tools: Tools{EditorImage: "textures/d.tga"},
			Params: raw("qer_editorimage", "Textures/D.tga")}, ""},
		{"qer_trans 0.5f", Shader{Tools: Tools{Trans: .5}, Params: raw("qer_trans", "0.5f")}, CodeNumber},
		{"qer_whatever a b", Shader{Params: raw("qer_whatever", "a", "b")}, ""},
		{"q3map_cloneShader e", Shader{Params: raw("q3map_cloneshader", "e")}, ""},
		{"dpoffsetmapping - 1", Shader{Params: raw("dpoffsetmapping", "-", "1")}, ""},
		{"noTC", Shader{Params: []Param{{"notc", []string{}}}}, ""},
		{"if deluxe\nif x\ncull none\n{\nmap a\n}\nendif\nendif\nsort 6", Shader{Sort: 6}, ""},
		{"if ! deluxe\nsort 6\nendif", Shader{Sort: 6}, ""},
		{"if deluxe\nsort 6", Shader{}, CodeCondition},
		{"endif", Shader{}, CodeCondition},
	} {
		got := one(t, tt.line)
		want := tt.want
		want.Name, want.File, want.Line, want.Issues = "x", "f", 1, got.Issues
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s:\n%+v, want\n%+v", tt.line, *got, want)
		}
		checkCode(t, tt.line, got, tt.odd)
	}
}

// checkCode checks that the shader has no issue, or some of this code only.
func checkCode(t *testing.T, what string, s *Shader, code string) {
	t.Helper()
	if (code == "") != (len(s.Issues) == 0) {
		t.Errorf("%s: issues %v, want %q", what, s.Issues, code)
	}
	for _, i := range s.Issues {
		if i.Code != code {
			t.Errorf("%s: issues %v, want %q", what, s.Issues, code)
		}
	}
}

func TestReadsStageDirectives(t *testing.T) {
	lit := Gen{Kind: GenIdentityLighting}
	plain := func(change func(*Stage)) Stage {
		s := Stage{Maps: []string{"a"}, DepthWrite: true, RGBGen: lit}
		if change != nil {
			change(&s)
		}
		return s
	}
	blend := func(src, dst Factor, gen GenKind) Stage {
		return Stage{Maps: []string{"a"}, Blend: &Blend{src, dst}, BlendGiven: true, RGBGen: Gen{Kind: gen}}
	}
	mod := func(m TCMod) Stage { return plain(func(s *Stage) { s.TCMods = []TCMod{m} }) }
	rgb := func(g Gen) Stage { return plain(func(s *Stage) { s.RGBGen = g }) }
	alpha := func(g Gen) Stage { return plain(func(s *Stage) { s.AlphaGen = g }) }
	param := func(key string, args ...string) Stage {
		return plain(func(s *Stage) { s.Params = []Param{{key, append([]string{}, args...)}} })
	}
	for _, tt := range []struct {
		line string
		want Stage
		odd  string
	}{
		{"", plain(nil), ""},
		{"map Textures\\B.TGA", plain(func(s *Stage) { s.Maps[0] = "textures/b.tga" }), ""},
		{"clampMap b", plain(func(s *Stage) { s.Maps[0], s.Clamp = "b", true }), ""},
		{"map $LightMap", plain(func(s *Stage) { s.Kind, s.Maps[0], s.TCGen.Kind = Lightmap, "$lightmap", TCLightmap }), ""},
		{"map $lightmap\ntcGen base", plain(func(s *Stage) { s.Kind, s.Maps[0] = Lightmap, "$lightmap" }), ""},
		{"map *white", plain(func(s *Stage) { s.Kind, s.Maps[0] = White, "$whiteimage" }), ""},
		{"map $whiteImage", plain(func(s *Stage) { s.Kind, s.Maps[0] = White, "$whiteimage" }), ""},
		{"map $fromlevel", plain(func(s *Stage) { s.Kind, s.Maps[0] = Builtin, "$fromlevel" }), ""},
		{"animMap 2.5 b C d", plain(func(s *Stage) { s.Kind, s.FPS, s.Maps = Anim, 2.5, []string{"b", "c", "d"} }), ""},
		{"clampanimMap 1 b c", plain(func(s *Stage) { s.Kind, s.FPS, s.Maps, s.Clamp = Anim, 1, []string{"b", "c"}, true }), ""},
		{"animMap 2.5", plain(nil), CodeArgument},
		{"videoMap Intro.RoQ", plain(func(s *Stage) { s.Kind, s.Maps[0] = Video, "intro.roq" }), ""},
		{"map", plain(nil), CodeArgument},
		{"map b rgbGen vertex", plain(func(s *Stage) {
			s.Maps[0], s.RGBGen.Kind, s.AlphaGen.Kind = "b", GenVertex, GenVertex
		}), ""},

		{"blendFunc add", blend(One, One, GenIdentityLighting), ""},
		{"blendFunc filter", blend(DstColor, Zero, GenIdentity), ""},
		{"blendFunc blend", blend(SrcAlpha, OneMinusSrcAlpha, GenIdentityLighting), ""},
		{"blendFunc GL_DST_COLOR GL_SRC_COLOR", blend(DstColor, SrcColor, GenIdentity), ""},
		{"blendFunc one_minus_dst_color zero", blend(OneMinusDstColor, Zero, GenIdentity), ""},
		{"blendFunc GL_ZERO GL_ONE_MINUS_SRC_COLOR", blend(Zero, OneMinusSrcColor, GenIdentity), ""},
		{"blendFunc GL_SRC_ALPHA_SATURATE GL_ONE", blend(SrcAlphaSaturate, One, GenIdentity), ""},
		{"blendFunc GL_SRC_COLOR GL_ZERO", plain(func(s *Stage) { s.BlendGiven = true }), CodeValue}, // read as ONE ZERO
		{"blendFunc GL_ONE GL_ZERO", plain(func(s *Stage) { s.BlendGiven = true }), ""},
		{"blendFunc GL_DST_COLOR", plain(nil), CodeArgument},
		{"blendFunc add\ndepthWrite", func() Stage { s := blend(One, One, GenIdentityLighting); s.DepthWrite = true; return s }(), ""},
		{"depthWrite\nblendFunc add", func() Stage { s := blend(One, One, GenIdentityLighting); s.DepthWrite = true; return s }(), ""},
		{"alphaFunc GT0", plain(func(s *Stage) { s.AlphaFunc = GT0 }), ""},
		{"alphaFunc lt128", plain(func(s *Stage) { s.AlphaFunc = LT128 }), ""},
		{"alphaFunc GE128", plain(func(s *Stage) { s.AlphaFunc = GE128 }), ""},
		{"alphaFunc GE64", plain(nil), CodeValue},
		{"depthFunc equal", plain(nil), ""},
		{"depthFunc lequal", plain(nil), ""},
		{"depthFunc less", plain(nil), CodeValue},
		{"detail", plain(nil), ""},

		{"rgbGen identity", rgb(Gen{}), ""},
		{"rgbGen identityLighting", rgb(lit), ""},
		{"rgbGen entity", rgb(Gen{Kind: GenEntity}), ""},
		{"rgbGen oneMinusEntity", rgb(Gen{Kind: GenOneMinusEntity}), ""},
		{"rgbGen exactVertex", rgb(Gen{Kind: GenExactVertex}), ""},
		{"rgbGen oneMinusVertex", rgb(Gen{Kind: GenOneMinusVertex}), ""},
		{"rgbGen lightingDiffuse", rgb(Gen{Kind: GenLightingDiffuse}), ""},
		{"rgbGen const ( 1 .5 0 )", rgb(Gen{Kind: GenConst, Const: [3]float32{1, .5, 0}}), ""},
		{"rgbGen const (1 .5 0)", rgb(Gen{Kind: GenConst, Const: [3]float32{1, .5, 0}}), CodeArgument},
		{"rgbGen wave Triangle 1 2 3 4", rgb(Gen{Kind: GenWave, Wave: Wave{Triangle, 1, 2, 3, 4}}), ""},
		{"rgbGen wave saw 1 2 3 4", rgb(Gen{Kind: GenWave, Wave: Wave{Sin, 1, 2, 3, 4}}), CodeValue},
		{"rgbGen wave noise 1 2", rgb(Gen{Kind: GenWave, Wave: Wave{Func: Noise, Base: 1, Amp: 2}}), CodeArgument},
		{"rgbGen lightmapStyle 1", param("rgbgen", "lightmapStyle", "1"), ""},
		{"rgbGen rainbow", param("rgbgen", "rainbow"), CodeValue},
		{"rgbGen vertex", plain(func(s *Stage) { s.RGBGen.Kind, s.AlphaGen.Kind = GenVertex, GenVertex }), ""},
		{"rgbGen vertex\nalphaGen identity", rgb(Gen{Kind: GenVertex}), ""},
		{"alphaGen const .5\nrgbGen vertex", plain(func(s *Stage) {
			s.RGBGen.Kind, s.AlphaGen = GenVertex, Gen{Kind: GenConst, Const: [3]float32{.5}}
		}), ""},
		{"alphaGen entity", alpha(Gen{Kind: GenEntity}), ""},
		{"alphaGen oneMinusVertex", alpha(Gen{Kind: GenOneMinusVertex}), ""},
		{"alphaGen lightingSpecular", alpha(Gen{Kind: GenLightingSpecular}), ""},
		{"alphaGen wave inverseSawtooth 1 2 3 4", alpha(Gen{Kind: GenWave, Wave: Wave{InverseSawtooth, 1, 2, 3, 4}}), ""},
		{"alphaGen portal", alpha(Gen{Kind: GenPortal, Range: 256}), ""},
		{"alphaGen portal 1024", alpha(Gen{Kind: GenPortal, Range: 1024}), ""},
		{"alphaGen exactVertex", param("alphagen", "exactVertex"), CodeValue},

		{"tcGen base", plain(nil), ""},
		{"texGen environment", plain(func(s *Stage) { s.TCGen.Kind = TCEnvironment }), ""},
		{"tcGen lightmap", plain(func(s *Stage) { s.TCGen.Kind = TCLightmap }), ""},
		{"tcGen vector ( 1 2 3 ) ( 4 5 6 )", plain(func(s *Stage) {
			s.TCGen = TCGen{TCVector, [3]float32{1, 2, 3}, [3]float32{4, 5, 6}}
		}), ""},
		{"tcGen sphere", param("tcgen", "sphere"), CodeValue},
		{"tcMod turb 1 2 3 4", mod(TCMod{Kind: TCTurb, Wave: Wave{Sin, 1, 2, 3, 4}}), ""},
		{"tcMod scale 2 3", mod(TCMod{Kind: TCScale, Args: [6]float32{2, 3}}), ""},
		{"tcMod scroll -1 .5", mod(TCMod{Kind: TCScroll, Args: [6]float32{-1, .5}}), ""},
		{"tcMod stretch sin 1 2 3 4", mod(TCMod{Kind: TCStretch, Wave: Wave{Sin, 1, 2, 3, 4}}), ""},
		{"tcMod transform 1 2 3 4 5 6", mod(TCMod{Kind: TCTransform, Args: [6]float32{1, 2, 3, 4, 5, 6}}), ""},
		{"tcMod rotate 90", mod(TCMod{Kind: TCRotate, Args: [6]float32{90}}), ""},
		{"tcMod entityTranslate", mod(TCMod{Kind: TCEntity}), ""},
		{"tcMod scale 2", plain(nil), CodeArgument},
		{"tcMod wobble 1", param("tcmod", "wobble", "1"), CodeValue},
		{"tcMod turb sin 0 .5 0 1", mod(TCMod{Kind: TCTurb, Wave: Wave{Phase: .5}}), "shader-number shader-argument"},

		{"surfaceSprites vertical 24 24 48 650", param("surfacesprites", "vertical", "24", "24", "48", "650"), ""},
		{"ssFademax 1200", param("ssfademax", "1200"), ""},
		{"glow", param("glow"), ""},
		{"distortion b", param("distortion", "b"), ""},
	} {
		s := one(t, "{\nmap a\n"+tt.line+"\n}")
		if !reflect.DeepEqual(s.Stages, []Stage{tt.want}) {
			t.Errorf("%s:\n%+v, want\n%+v", tt.line, s.Stages, tt.want)
		}
		if len(strings.Fields(tt.odd)) < 2 {
			checkCode(t, tt.line, s, tt.odd)
		} else if len(s.Issues) != 2 {
			t.Errorf("%s: issues %v, want %s", tt.line, s.Issues, tt.odd)
		}
	}
}

func TestImplicitStages(t *testing.T) {
	light := Stage{Kind: Lightmap, Maps: []string{"$lightmap"}, TCGen: TCGen{Kind: TCLightmap}, DepthWrite: true}
	after := light
	after.Blend, after.BlendGiven = &Blend{DstColor, Zero}, true
	image := func(name string, change func(*Stage)) Stage {
		s := Stage{Maps: []string{name}, DepthWrite: true}
		change(&s)
		return s
	}
	filter := func(s *Stage) { s.Blend, s.BlendGiven = &Blend{DstColor, Zero}, true }
	for _, tt := range []struct {
		text     string
		cull     Cull
		implicit bool
		want     []Stage
	}{
		{"implicitMap Textures/A.tga", Front, true, []Stage{light, image("textures/a.tga", filter)}},
		{"implicitMap -", Front, true, []Stage{light, image("x", filter)}},
		{"diffuseMap a", Front, true, []Stage{light, image("a", filter)}},
		{"implicitMask -", None, true, []Stage{image("x", func(s *Stage) { s.AlphaFunc = GE128 }), after}},
		{"cull back\nimplicitMask -", Back, true, []Stage{image("x", func(s *Stage) { s.AlphaFunc = GE128 }), after}},
		{"implicitBlend -", None, true, []Stage{image("x", func(s *Stage) {
			s.Blend, s.BlendGiven = &Blend{SrcAlpha, OneMinusSrcAlpha}, true
		}), after}},
		{"implicitMap -\n{\nmap $lightmap\nrgbGen identity\n}", Front, false, []Stage{light}},
		{"{\nmaterial a a_norm\n}", Front, false, []Stage{light, image("a", func(s *Stage) {
			filter(s)
			s.Params = []Param{{"material", []string{"a", "a_norm"}}}
		})}},
	} {
		s := one(t, tt.text)
		if s.Cull != tt.cull || s.Implicit != tt.implicit || !reflect.DeepEqual(s.Stages, tt.want) {
			t.Errorf("%q: cull %d, implicit %v,\n%+v, want\n%+v", tt.text, s.Cull, s.Implicit, s.Stages, tt.want)
		}
		checkCode(t, tt.text, s, "")
	}
}

func TestSurfaceParmsHaveFlags(t *testing.T) {
	for name, f := range surfaceParms {
		if (f.flags == 0) == (f.contents == 0) {
			t.Errorf("%s: flags %#x, contents %#x", name, f.flags, f.contents)
		}
	}
	s := one(t, "surfaceparm nodrop\nsurfaceparm trans\nsurfaceparm dust\nsurfaceparm metalsteps")
	if s.Contents != 0xa0000000 || s.SurfaceFlags != 0x41000 || !s.Has("dust") || s.Has("lava") {
		t.Errorf("%+v", s)
	}
}

func TestSortOrder(t *testing.T) {
	for _, tt := range []struct {
		text string
		want float32
	}{
		{"", 7},
		{"surfaceparm fog\nfogparms ( 1 1 1 ) 100", 7},
		{"{\nmap a\n}", 3},
		{"{\nmap a\nblendFunc add\n}", 9},
		{"{\nmap a\nblendFunc add\ndepthWrite\n}", 5},
		{"{\nmap a\n}\n{\nmap b\nblendFunc add\n}", 3}, // what is under the blended stage is opaque
		{"polygonOffset\n{\nmap a\nblendFunc add\n}", 4},
		{"polygonOffset\nsort 6\n{\nmap a\n}", 6},
		{"sort additive\n{\nmap a\n}", 10},
		{"portal\n{\nmap a\n}", 1},
		{"portal\nsort 3\n{\nmap a\n}", 3},
		{"sort 5\nskyparms - 512 -\n{\nmap a\n}", 2},
		{"skyparms - 512 -", 2},
	} {
		if got := one(t, tt.text).SortOrder(); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
}

func TestReadsNumbersAsAtof(t *testing.T) {
	for _, tt := range []struct {
		s    string
		want float32
		odd  bool
	}{
		{"1", 1, false}, {"-1.5", -1.5, false}, {"+.5", .5, false}, {"5.", 5, false}, {"1e3", 1000, false},
		{"1e-2", .01, false}, {"0.5f", .5, true}, {"1e", 1, true}, {"1e+", 1, true}, {"1,5", 1, true},
		{"", 0, true}, {".", 0, true}, {"-", 0, true}, {"x", 0, true}, {"inf", 0, true}, {"nan", 0, true},
		{"0x10", 0, true}, {"1_0", 1, true}, {"1e99", 1e9, true}, {"-1e999", -1e9, true}, {"1e-999", 0, false},
	} {
		p := &parser{}
		if got := p.number(tt.s); got != tt.want || (len(p.issues.list) > 0) != tt.odd {
			t.Errorf("%q: %v %v, want %v", tt.s, got, p.issues.list, tt.want)
		}
	}
}

func TestListsAreCut(t *testing.T) {
	var b strings.Builder
	for range 300 {
		b.WriteString("surfaceparm a\nqer_a\ndeformVertexes autosprite\n{\nmap b\n}\n")
	}
	b.WriteString("{\nanimMap 1" + strings.Repeat(" c", 300) + "\n" + strings.Repeat("tcMod rotate 1\n", 300) + "}\n")
	s := one(t, b.String())
	if len(s.SurfaceParms) != maxParams || len(s.Params) != maxParams || len(s.Deforms) != maxDeforms ||
		len(s.Stages) != maxStages || len(s.Issues) != maxIssues {
		t.Errorf("%d surfaceparms, %d params, %d deforms, %d stages, %d issues",
			len(s.SurfaceParms), len(s.Params), len(s.Deforms), len(s.Stages), len(s.Issues))
	}
	s = one(t, "{\nanimMap 1"+strings.Repeat(" c", 300)+"\n"+strings.Repeat("tcMod rotate 1\n", 300)+"}\n")
	if len(s.Stages[0].Maps) != maxFrames || len(s.Stages[0].TCMods) != maxTCMods {
		t.Errorf("%d frames, %d tcMods", len(s.Stages[0].Maps), len(s.Stages[0].TCMods))
	}
}

func TestRejectsWhatIsOverTheLimits(t *testing.T) {
	long := strings.Repeat("x", int(limit.Defaults.MaxToken)+1)
	for _, tt := range []struct {
		what, text string
		before     int // shaders
	}{
		{"a long name", "a {}\n" + long + " {}", 1},
		{"a long quoted name", "a {}\n\"" + long + "\" {}", 1},
		{"a long word in a stage", "a {}\nb {\n{\nmap " + long + "\n}\n}", 1},
	} {
		shaders, _, err := parseAll("f", []byte(tt.text))
		if !errors.Is(err, limit.ErrLimit) || len(shaders) != tt.before {
			t.Errorf("%s: %d shaders, %v", tt.what, len(shaders), err)
		}
		l := NewLibrary()
		if _, err := l.Add("f", []byte(tt.text)); !errors.Is(err, limit.ErrLimit) || l.Find("a") == nil {
			t.Errorf("%s: library: %v", tt.what, err)
		}
	}
	many := NewLibrary()
	if _, err := many.Add("f", []byte(strings.Repeat("a{}\n", maxShaders+1))); !errors.Is(err, limit.ErrLimit) ||
		many.count != maxShaders+1 {
		t.Errorf("too many shaders: %v", err)
	}
	if _, _, err := parseAll("f", []byte(long[1:]+" {}")); err != nil {
		t.Error(err)
	}
}

// A run of braces must not be counted again from each of them: then each of these would take hours.
func TestBracesAreLinear(t *testing.T) {
	n := 1 << 20
	for _, tt := range []struct {
		what, text string
		shaders    int
		detail     string // of the first issue, of which there are at most maxIssues
	}{
		{"a run in a word", "a { b" + strings.Repeat("{", n) + "c", 0, `the block of "a" doesn't end`},
		{"a run after a name", "a " + strings.Repeat("{", n), 0, `the block of "a" doesn't end`},
		{"closing braces", "a { " + strings.Repeat("}", n), 1, `} without {`},
		{"empty blocks", "a " + strings.Repeat("{}", n), 1, `a block without a name`},
		{"blocks in blocks", "a { { } } " + strings.Repeat("{{}}", n) + "b", 1, `a block without a name`},
		{"a run without a name", strings.Repeat("{", n) + "a", 0, `the block of "" doesn't end`},
		{"quotes", "a { " + strings.Repeat("\"", n), 0, `the block of "a" doesn't end`},
		{"comments", "a { " + strings.Repeat("/**/", n/4), 0, `the block of "a" doesn't end`},
	} {
		shaders, issues, err := parseAll("f", []byte(tt.text))
		if err != nil || len(shaders) != tt.shaders || len(issues) == 0 || issues[0].Code != CodeBrace || issues[0].Detail != tt.detail {
			t.Errorf("%s: %d shaders, %d issues, the first %+v, %v; want %d shaders, %q", tt.what, len(shaders), len(issues),
				issues[:min(1, len(issues))], err, tt.shaders, tt.detail)
		}
	}
}

func TestParamsAreFound(t *testing.T) {
	s := one(t, "q3map_skylight 50 3\nq3map_skylight 100 4\n{\nmap a\nglow\n}")
	if args, ok := s.Param("q3map_skylight"); !ok || !slices.Equal(args, []string{"100", "4"}) {
		t.Errorf("%v %v", args, ok)
	}
	if _, ok := s.Stages[0].Param("glow"); !ok {
		t.Error("no glow")
	}
	if _, ok := s.Param("glow"); ok {
		t.Error("glow is the stage's")
	}
}

// Daemon names in one stage, or in stages that say their role, or without a stage, the images of a surface: one that the lightmap lights,
// and one that glows. Others are not drawn.
func TestDaemonsMaps(t *testing.T) {
	for what, text := range map[string]string{
		"in a stage":   "{ diffuseMap d\n normalMap n\n specularMap s\n glowMap g\n normalFormat X -Y Z\n }",
		"by role":      "{ stage diffuseMap\n map d\n }\n { stage normalMap\n map n\n }\n { stage glowMap\n map g\n }",
		"of a shader":  "diffuseMap d\n normalMap n\n glowMap g\n",
		"and a mirror": "{ liquidMap n\n }\n { diffuseMap d\n normalMap n\n }\n { stage glowMap\n map g\n }",
	} {
		all, _, _ := parseAll("x.shader", []byte("a\n{\n"+text+"\n}\n"))
		if len(all) != 1 || len(all[0].Issues) > 0 {
			t.Fatalf("%s: %+v", what, all)
		}
		var got []string
		for _, s := range all[0].Stages {
			got = append(got, s.Maps[0])
		}
		if strings.Join(got, " ") != "$lightmap d g" || *all[0].Stages[2].Blend != BlendAdd {
			t.Errorf("%s: %q", what, got)
		}
	}
}

package materials

import (
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// The images are a.jpg, b.jpg, c.png without alpha and m.tga with it.
func TestRecipes(t *testing.T) {
	const (
		light    = "{ map $lightmap }\n"
		multiply = "{ map $lightmap\nblendFunc filter }\n"
		a        = "{ map a.tga }\n" // a.jpg, as for the engine
	)
	for _, c := range []struct {
		name, script string
		lighting     world.Lighting
		want         string
	}{
		// Opaque.
		{"lightmap first", light + "{ map a\nblendFunc filter }", world.Lightmap, "base a"},
		{"texture first", a + multiply, world.Lightmap, "base a"},
		{"texture first, the other filter", a + "{ map $lightmap\nblendFunc GL_ZERO GL_SRC_COLOR }", world.Lightmap, "base a"},
		{"a lightmap on a surface without one is white", a + multiply, world.PerVertex, "base a unlit"},
		{"the same, fullbright", light + "{ map a\nblendFunc filter }", world.Fullbright, "base a unlit"},
		{"a replaced lightmap", light + a, world.Lightmap, "base a unlit"},
		{"vertex", "{ map a\nrgbGen vertex }", world.PerVertex, "base a unlit vertex"},
		{"exact vertex on a surface with a lightmap", "{ map a\nrgbGen exactVertex }", world.Lightmap, "base a unlit vertex"},
		{"light grid", "{ map a\nrgbGen lightingDiffuse }", world.PerVertex, "base a unlit vertex"},
		{"fullbright", a, world.Lightmap, "base a unlit"},
		{"fullbright image with vertices", a, world.PerVertex, "base a unlit"},
		{"white", "{ map $whiteimage\nrgbGen const ( 1 0.5 0 ) }", world.Lightmap, "color [1 0.214 0 1] unlit"},
		{"light alone", light, world.Lightmap, ""},
		{"nothing but black", "{ map $whiteimage\nrgbGen const ( 0 0 0 ) }", world.Lightmap, "color [0 0 0 1] unlit"},
		{"const", "{ map a\nrgbGen const ( 0.5 0.5 1 ) }\n" + multiply, world.Lightmap, "base a color [0.214 0.214 1 1]"},
		{"a wave at its mean", "{ map a\nrgbGen wave sin 0.5 0.2 0 1 }\n" + multiply, world.Lightmap, "base a color [0.214 0.214 0.214 1]"},
		{"a wave that stands", "{ map a\nrgbGen wave sin 0.5 0.2 0 0 }\n" + multiply, world.Lightmap, "base a color [0.214 0.214 0.214 1]"},
		{"a wave that is cut at 1", "{ map a\nrgbGen wave square 1 1 0 1 }\n" + multiply, world.Lightmap, "base a color [0.214 0.214 0.214 1]"},
		{"one minus vertex", "{ map a\nrgbGen oneMinusVertex }", world.PerVertex, "base a color [0.319 0.319 0.319 1] unlit (rgbGen oneMinusVertex)"},
		{"entity", "{ map a\nrgbGen entity }", world.Lightmap, "base a unlit (rgbGen entity)"},
		{"the last of two textures", a + "{ map b }\n" + multiply, world.Lightmap, "base b"},
		{"doubled lightmap", a + "{ map $lightmap\nblendFunc GL_DST_COLOR GL_SRC_COLOR }", world.Lightmap, "base a gain 2"},
		{"doubled texture", light + "{ map a\nblendFunc GL_DST_COLOR GL_SRC_COLOR }", world.Lightmap, "base a gain 2"},
		{"doubled vertex light ends at white", a + "{ map $whiteimage\nrgbGen vertex\nblendFunc GL_DST_COLOR GL_SRC_COLOR }", world.PerVertex, "base x_combined unlit vertex"},
		{"scale and transform", "{ map a\ntcMod scale 2 4\ntcMod transform 1 0 0 1 0.5 0 }\n" + multiply, world.Lightmap, "base a uv [2 0 0.5 0 4 0]"},
		{"clampmap", "{ clampmap a }\n" + multiply, world.Lightmap, "base a clamp"},
		{"cull none", "cull none\n" + a + multiply, world.Lightmap, "base a double"},
		{"cull back", "cull back\n" + a + multiply, world.Lightmap, "base a double"},
		{"polygonOffset", "polygonOffset\n" + a + multiply, world.Lightmap, "base a offset"},
		{"sort decal", "sort decal\n" + a + multiply, world.Lightmap, "base a offset"},
		{"animation", "{ animMap 2 nope a b }\n" + multiply, world.Lightmap, "base a (animMap)"},
		{"one frame is none", "{ animMap 2 a }\n" + multiply, world.Lightmap, "base a"},
		{"a film is left out", "{ videoMap intro.roq }\n{ map a\nblendFunc filter }", world.Lightmap, "base x_combined blend unlit (videoMap)"},
		{"what moves", "deformVertexes wave 10 sin 0 1 0 1\n{ map a\ntcMod turb 0 1 0 1\ntcMod rotate 5\ntcMod scroll 1 1\ntcMod stretch sin 1 0 0 1 }", world.Lightmap,
			"base a unlit (deformVertexes, tcMod rotate, tcMod scroll, tcMod stretch, tcMod turb)"},
		{"sprites are left out", a + "{ map b\nsurfaceSprites vertical 1 1 1 1 }\n" + multiply, world.Lightmap, "base a (surfaceSprites)"},

		// Masks and what is behind.
		{"mask", "{ map m\nalphaFunc GE128 }\n{ map $lightmap\nblendFunc filter\ndepthFunc equal }", world.Lightmap, "base m mask 0.5"},
		{"mask GT0", "{ map m\nalphaFunc GT0 }", world.Lightmap, "base m mask 0.00392 unlit"},
		{"mask GE192", "{ map m\nalphaFunc GE192 }", world.Lightmap, "base m mask 0.75 unlit"},
		{"mask of an image without alpha", "{ map a\nalphaFunc GE128 }\n" + multiply, world.Lightmap, "base a"},
		{"mask of a png without alpha", "{ map c\nalphaFunc GE128 }\n" + multiply, world.Lightmap, "base c"},
		{"the inverse mask", "{ map m\nalphaFunc LT128 }\n{ map $lightmap\nblendFunc filter\ndepthFunc equal }", world.Lightmap, "base x_combined mask 0.5"},
		{"a hole that is filled", "{ map m\nalphaFunc GE192 }\n" + a + multiply, world.Lightmap, "base a"},
		{"a mask by the vertices' alpha", "{ map m\nalphaFunc GE128\nalphaGen vertex }", world.Lightmap, "base m mask 0.5 unlit (alphaGen vertex)"},
		{"which rgbGen implies", "{ map m\nalphaFunc GE128\nrgbGen vertex }", world.PerVertex, "base m mask 0.5 unlit vertex"},
		{"blend", "{ map m\nblendFunc blend }", world.Lightmap, "base m blend unlit"},
		{"blend under a lightmap", "{ map m\nblendFunc blend }\n" + multiply, world.Lightmap, "base m blend"},
		{"blend of an image without alpha", "{ map c\nblendFunc blend }\n", world.Lightmap, "base c unlit"},
		{"blend with const alpha", "{ map a\nblendFunc blend\nalphaGen const 0.25 }", world.Lightmap, "base a color [1 1 1 0.25] blend unlit"},
		{"blend, then all is covered", "{ map m\nblendFunc blend\nalphaGen const 0.25 }\n" + a, world.Lightmap, "base a unlit"},
		{"fades by the vertices", "{ map a\nblendFunc blend\nalphaGen vertex }\n" + multiply, world.Lightmap, "base a blend fades"},
		{"fades the other way", "{ map m\nblendFunc blend\nalphaGen oneMinusVertex }", world.Lightmap, "base m blend unlit fades inverse"},
		{"additive alone", "{ map a\nblendFunc add }", world.Lightmap, "base x_combined blend unlit"},
		{"filter alone", "{ map a\nblendFunc filter }", world.Lightmap, "base x_combined blend unlit"},
		{"a portal from afar", "{ map a\nblendFunc blend\nalphaGen portal 256 }", world.Lightmap, "base a unlit (alphaGen portal)"},
		{"alpha of an entity", "{ map a\nblendFunc blend\nalphaGen entity }", world.Lightmap, "base a unlit (alphaGen entity)"},
		{"alpha that nothing uses", "{ map a\nalphaGen entity }", world.Lightmap, "base a unlit"},

		// What shines.
		{"glow", light + "{ map a\nblendFunc filter }\n{ map b\nblendFunc add }", world.Lightmap, "base a emissive b emission [1 1 1] strength 1.3"},
		{"glow at half", a + multiply + "{ map b\nblendFunc add\nrgbGen const ( 0.5 0.5 0.5 ) }", world.Lightmap, "base a emissive b emission [0.278 0.278 0.278]"},
		{"glow by an alpha that is known", a + multiply + "{ map b\nblendFunc GL_SRC_ALPHA GL_ONE\nalphaGen const 0.5 }", world.Lightmap, "base a emissive b emission [0.278 0.278 0.278]"},
		{"glow by the image's alpha", a + multiply + "{ map m\nblendFunc GL_SRC_ALPHA GL_ONE }", world.Lightmap, "base x_combined emissive x_combined_glow emission [1 1 1] strength 1.3"},
		{"plain glow", a + multiply + "{ map $whiteimage\nblendFunc add\nrgbGen const ( 0.5 0 0 ) }", world.Lightmap, "base a emission [0.278 0 0]"},
		{"black glow", a + multiply + "{ map b\nblendFunc add\nrgbGen const ( 0 0 0 ) }", world.Lightmap, "base a"},
		{"glow in other coordinates", "{ map a\ntcMod scale 2 2 }\n" + multiply + "{ clampmap b\nblendFunc add\ntcMod scale 1 4 }", world.Lightmap,
			"base a uv [2 0 0 0 2 0] emissive b uv [0.5 0 0 0 2 0] clamp emission [1 1 1] strength 1.3"},
		{"glow over a mask", "{ map m\nalphaFunc GE128 }\n" + multiply + "{ map b\nblendFunc add }", world.Lightmap, "base m emissive b emission [1 1 1] strength 1.3 mask 0.5"},
		{"glow under vertex light has no place", "{ map a\nrgbGen vertex }\n{ map b\nblendFunc add }", world.PerVertex, "base x_combined unlit vertex"},
		{"glow without light is colour", a + "{ map b\nblendFunc add }", world.Lightmap, "base x_combined unlit"},

		// Pictures.
		{"reflection below", "{ map b\ntcGen environment }\n{ map m\nblendFunc blend }\n" + multiply, world.Lightmap, "base x_combined (tcGen environment)"},
		{"reflection above", a + "{ map b\nblendFunc GL_DST_COLOR GL_ONE\ntcGen environment }\n" + multiply, world.Lightmap, "base x_combined (tcGen environment)"},
		{"two textures blended", a + "{ map m\nblendFunc blend }\n" + multiply, world.Lightmap, "base x_combined"},
		{"a lit and an unlit one", a + multiply + "{ map m\nblendFunc blend }", world.Lightmap, "base x_combined emissive x_combined_glow emission [1 1 1] strength 1.3"},
		{"all clamped", "{ clampmap a }\n{ clampmap m\nblendFunc blend }\n" + multiply, world.Lightmap, "base x_combined clamp"},
		{"one clamped", a + "{ clampmap m\nblendFunc blend }\n" + multiply, world.Lightmap, "base x_combined"},
		{"detail texture", a + "{ map b\nblendFunc GL_DST_COLOR GL_SRC_COLOR\ntcMod scale 7 7\ndetail }\n" + multiply, world.Lightmap, "base a (detail texture)"},
		{"a coarse one is not detail", a + "{ map b\nblendFunc GL_DST_COLOR GL_SRC_COLOR\ntcMod scale 1.5 1 }\n" + multiply, world.Lightmap, "base x_combined uv [0.5 0 0 0 0.5 0]"},
		{"no stage changes the picture's name", "{ map textures/deep/a }\n" + multiply, world.Lightmap, "base textures/deep/a"},

		// Other coordinates.
		{"projected", "{ map a\ntcGen vector ( 0.5 0 0 ) ( 0 0.25 0 )\ntcMod scale 2 2 }\n" + multiply, world.Lightmap, "base a project [[1 0 0 0] [0 0.5 0 0]]"},
		{"projected, in a picture", "{ map a\ntcGen vector ( 1 0 0 ) ( 0 1 0 ) }\n{ map m\nblendFunc blend }", world.Lightmap, "base x_combined unlit (tcGen vector)"},
		{"laid out as the lightmap", light + "{ map a\ntcGen lightmap\nblendFunc filter }", world.Lightmap, "base a lightmap uv"},
		{"there is no such layout", "{ map a\ntcGen lightmap }", world.PerVertex, "base x_combined unlit (tcGen lightmap)"},
		{"q3map2's external lightmap", "{ map lm.tga\ntcGen lightmap }\n{ map a\nblendFunc filter }", world.Lightmap, "base a"},

		// Directives that leave the stages to the engine.
		{"implicit with a lightmap", "implicitMap a", world.Lightmap, "base a"},
		{"implicit with vertices", "implicitMap a", world.PerVertex, "base a unlit vertex"},
		{"implicit, fullbright", "implicitMap a", world.Fullbright, "base a unlit"},
		{"implicit mask", "implicitMask m", world.Lightmap, "base m mask 0.5 double"},
		{"implicit mask with vertices", "implicitMask m", world.PerVertex, "base m mask 0.5 double unlit vertex"},
		{"implicit blend", "implicitBlend m", world.Lightmap, "base m blend double"},
		{"implicit by its own name", "implicitMap -", world.Lightmap, "base x"},

		// Layers of terrain.
		{"terrain", a + "{ map b\nblendFunc blend\nalphaGen vertex }\n" + multiply, world.Lightmap, "base a + base b blend fades"},
		{"terrain the other way", a + "{ map b\nblendFunc blend\nalphaGen oneMinusVertex }\n" + multiply, world.Lightmap, "base a + base b blend fades inverse"},
		{"three of them, glow after", a + "{ map b\nblendFunc blend\nalphaGen vertex }\n{ map d\nblendFunc blend\nalphaGen vertex }\n" + multiply + "{ map b\nblendFunc add }", world.Lightmap,
			"base a emissive b emission [1 1 1] strength 1.3 + base b emissive b emission [1 1 1] strength 1.3 blend fades + base d emissive b emission [1 1 1] strength 1.3 blend fades"},
		{"a stage before a layer is not drawn on it", a + multiply + "{ map b\nblendFunc blend\nalphaGen vertex }", world.Lightmap, "base a + base b blend unlit fades"},
		{"what moves in a layer", a + "{ map b\nblendFunc blend\nalphaGen vertex\ntcMod scroll 1 1 }\n" + multiply, world.Lightmap, "base a (tcMod scroll) + base b blend fades"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := textures("a.jpg", "b.jpg", "c.png", "d.jpg", "m.tga", "x.jpg", "textures/deep/a.jpg")
			set := load(t, files, "x\n{\n"+c.script+"\n}\n", plainOptions, shown(world.Material{Name: "x", Lighting: c.lighting}))
			if got := text(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			approximated := 0
			for _, is := range set.Issues {
				if is.Code == "shader-approximated" {
					approximated++
				} else {
					t.Error(is)
				}
			}
			if (approximated == 1) != strings.Contains(c.want, "(") || approximated > 1 {
				t.Error(set.Issues)
			}
			if len(set.Missing) > 0 {
				t.Error(set.Missing)
			}
		})
	}
}

func TestRecipesByOption(t *testing.T) {
	const (
		light    = "{ map $lightmap }\n"
		multiply = "{ map $lightmap\nblendFunc filter }\n"
		detail   = "{ map a }\n{ map b\nblendFunc GL_DST_COLOR GL_SRC_COLOR\ntcMod scale 7 7 }\n" + multiply
		glow     = "{ map a }\n" + multiply + "{ map b\nblendFunc add }"
		two      = "{ map a }\n{ map m\nblendFunc blend }\n" + multiply
	)
	with := func(f func(*Options)) Options {
		o := plainOptions
		f(&o)
		return o
	}
	all := with(func(o *Options) { o.Combine = "all" })
	none := with(func(o *Options) { o.Combine = "none" })
	dark := with(func(o *Options) { o.Emissive = false })
	for _, c := range []struct {
		name, script string
		lighting     world.Lighting
		o            Options
		want         string
	}{
		{"detail drawn in", detail, world.Lightmap, all, "base x_combined"},
		{"no pictures", two, world.Lightmap, none, "base a (stages)"},
		{"no pictures, additive", "{ map m\nblendFunc add }", world.Lightmap, none, "base m blend unlit (stages)"},
		{"no pictures, a mask", "{ map m\nalphaFunc GE128\nalphaGen const 0.5 }\n" + multiply, world.Lightmap, none, "base m mask 0.5 (stages)"},
		{"no pictures, vertex light", "{ map a\nrgbGen vertex }\n{ map b\nblendFunc add }", world.PerVertex, none, "base a unlit vertex (stages)"},
		{"no pictures, a reflection", "{ map b\ntcGen environment }\n{ map m\nblendFunc blend }\n" + light, world.Lightmap, none, "base b (stages, tcGen environment)"},
		{"a glow is no picture", glow, world.Lightmap, none, "base a emissive b emission [1 1 1] strength 1.3"},
		{"no emission", glow, world.Lightmap, dark, "base a"},
		{"no emission in a picture", "{ map a }\n" + multiply + "{ map m\nblendFunc GL_SRC_ALPHA GL_ONE }", world.Lightmap, dark, "base x_combined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := load(t, textures("a.jpg", "b.jpg", "m.tga"), "x\n{\n"+c.script+"\n}\n", c.o, shown(world.Material{Name: "x", Lighting: c.lighting}))
			if got := text(set, &set.Materials[0]); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			used := map[int]bool{set.Materials[0].Base.Image: true, set.Materials[0].Emission.Slot.Image: true}
			for i := range set.Images {
				if !used[i] {
					t.Errorf("image %q is for nothing", set.Images[i].Name)
				}
			}
		})
	}
}

// Two games' scripts use the mean of a wave; it is over time, after the limits.

package stages

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
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
		{"with what ports draw", "normalMap b\ndpreflectcube c\n" + a + multiply, world.Lightmap, "base a (dpreflectcube, normalmap)"},
		{"with what DarkPlaces draws", "dp_water 0.1 1 4 4 1 1 1 1 1 1 0.3\ndpglossintensitymod 2\n" + a + multiply, world.Lightmap,
			"base a (dp_water, dpglossintensitymod)"},
		{"a replaced lightmap", light + a, world.Lightmap, "base a unlit"},
		{"vertex", "{ map a\nrgbGen vertex }", world.PerVertex, "base a unlit vertex"},
		{"exact vertex on a surface with a lightmap", "{ map a\nrgbGen exactVertex }", world.Lightmap, "base a unlit vertex"},
		{"light grid", "{ map a\nrgbGen lightingDiffuse }", world.PerVertex, "base a unlit vertex"},
		{"light grid, of a model by itself, which lamps light", "{ map a\nrgbGen lightingDiffuse }", world.Lightmap, "base a"},
		{"the same, with a stage that has the light, too", "{ map a\nrgbGen lightingDiffuse }\n{ map b\nblendFunc add\nrgbGen lightingDiffuse }",
			world.Lightmap, "base x_combined"},
		{"fullbright", a, world.Lightmap, "base a unlit"},
		{"fullbright image with vertices", a, world.PerVertex, "base a unlit"},
		{"white", "{ map $whiteimage\nrgbGen const ( 1 0.5 0 ) }", world.Lightmap, "color [1 0.214 0 1] unlit"},
		{"light alone", light, world.Lightmap, ""},
		{"nothing but black", "{ map $whiteimage\nrgbGen const ( 0 0 0 ) }", world.Lightmap, "color [0 0 0 1] unlit"},
		{"const", "{ map a\nrgbGen const ( 0.5 0.5 1 ) }\n" + multiply, world.Lightmap, "base a color [0.214 0.214 1 1]"},
		{"a wave at its start", "{ map a\nrgbGen wave sin 0.3 0.2 0.25 1 }\n" + multiply, world.Lightmap,
			"base a color [0.214 0.214 0.214 1]"},
		{"a wave that starts dark, at its mean", "{ map a\nrgbGen wave square 0 1 0.5 1 }\n" + multiply, world.Lightmap,
			"base a color [0.214 0.214 0.214 1]"},
		{"waves that take turns",
			"{ map a\nrgbGen wave inverseSawtooth 0 1 0 10 }\n{ map b\nblendFunc add\nrgbGen wave sawtooth 0 1 0 10 }\n", world.Lightmap,
			"base a unlit"},
		{"a wave that stands", "{ map a\nrgbGen wave sin 0.5 0.2 0 0 }\n" + multiply, world.Lightmap, "base a color [0.214 0.214 0.214 1]"},
		{"a wave that is cut at 1", "{ map a\nrgbGen wave square 1 1 0 1 }\n" + multiply, world.Lightmap, "base a"},
		{"one minus vertex", "{ map a\nrgbGen oneMinusVertex }", world.PerVertex,
			"base a color [0.319 0.319 0.319 1] unlit (rgbGen oneMinusVertex)"},
		{"entity", "{ map a\nrgbGen entity }", world.Lightmap, "base a unlit (rgbGen entity)"},
		{"the last of two textures", a + "{ map b }\n" + multiply, world.Lightmap, "base b"},
		{"doubled lightmap", a + "{ map $lightmap\nblendFunc GL_DST_COLOR GL_SRC_COLOR }", world.Lightmap, "base a gain 2"},
		{"doubled texture", light + "{ map a\nblendFunc GL_DST_COLOR GL_SRC_COLOR }", world.Lightmap, "base a gain 2"},
		{"doubled vertex light ends at white", a + "{ map $whiteimage\nrgbGen vertex\nblendFunc GL_DST_COLOR GL_SRC_COLOR }",
			world.PerVertex, "base x_combined unlit vertex"},
		{"scale and transform", "{ map a\ntcMod scale 2 4\ntcMod transform 1 0 0 1 0.5 0 }\n" + multiply, world.Lightmap,
			"base a uv [2 0 0.5 0 4 0]"},
		{"clampmap", "{ clampmap a }\n" + multiply, world.Lightmap, "base a clamp"},
		{"cull none", "cull none\n" + a + multiply, world.Lightmap, "base a double"},
		{"cull back", "cull back\n" + a + multiply, world.Lightmap, "base a double"},
		{"polygonOffset", "polygonOffset\n" + a + multiply, world.Lightmap, "base a offset"},
		{"sort decal", "sort decal\n" + a + multiply, world.Lightmap, "base a offset"},
		{"animation", "{ animMap 2 nope a b }\n" + multiply, world.Lightmap, "base a (animMap)"},
		{"one frame is none", "{ animMap 2 a }\n" + multiply, world.Lightmap, "base a"},
		{"a film is left out", "{ videoMap intro.roq }\n{ map a\nblendFunc filter }", world.Lightmap, "base x_combined unlit (videoMap)"},
		{"what moves",
			"deformVertexes wave 10 sin 0 1 0 1\n{ map a\ntcMod turb 0 1 0 1\ntcMod rotate 5\ntcMod scroll 1 1\ntcMod stretch sin 1 0 0 1 }", world.Lightmap,
			"base a unlit (deformVertexes, tcMod rotate, tcMod scroll, tcMod stretch, tcMod turb)"},
		{"sprites are left out", a + "{ map b\nsurfaceSprites vertical 1 1 1 1 }\n" + multiply, world.Lightmap, "base a (surfaceSprites)"},

		// Masks and what is behind.
		{"mask", "{ map m\nalphaFunc GE128 }\n{ map $lightmap\nblendFunc filter\ndepthFunc equal }", world.Lightmap, "base m mask 0.5"},
		{"mask GT0", "{ map m\nalphaFunc GT0 }", world.Lightmap, "base m mask 0.00392 unlit"},
		{"mask GE192", "{ map m\nalphaFunc GE192 }", world.Lightmap, "base m mask 0.75 unlit"},
		{"mask of an image without alpha", "{ map a\nalphaFunc GE128 }\n" + multiply, world.Lightmap, "base a"},
		{"mask of a png without alpha", "{ map c\nalphaFunc GE128 }\n" + multiply, world.Lightmap, "base c mask 0.5"},
		{"the inverse mask", "{ map m\nalphaFunc LT128 }\n{ map $lightmap\nblendFunc filter\ndepthFunc equal }", world.Lightmap,
			"base x_combined"},
		{"a hole that is filled", "{ map m\nalphaFunc GE192 }\n" + a + multiply, world.Lightmap, "base a"},
		{"a mask by the vertices' alpha", "{ map m\nalphaFunc GE128\nalphaGen vertex }", world.Lightmap,
			"base m mask 0.5 unlit (alphaGen vertex)"},
		{"which rgbGen implies", "{ map m\nalphaFunc GE128\nrgbGen vertex }", world.PerVertex, "base m mask 0.5 unlit vertex"},
		{"blend", "{ map m\nblendFunc blend }", world.Lightmap, "base m blend unlit"},
		{"blend under a lightmap", "{ map m\nblendFunc blend }\n" + multiply, world.Lightmap, "base m blend"},
		{"blend of an image without alpha", "{ map c\nblendFunc blend }\n", world.Lightmap, "base c blend unlit"},
		{"blend with const alpha", "{ map a\nblendFunc blend\nalphaGen const 0.25 }", world.Lightmap,
			"base a solid color [1 1 1 0.25] blend unlit"},
		{"blend, then all is covered", "{ map m\nblendFunc blend\nalphaGen const 0.25 }\n" + a, world.Lightmap, "base a unlit"},
		{"fades by the vertices", "{ map a\nblendFunc blend\nalphaGen vertex }\n" + multiply, world.Lightmap, "base a solid blend fades"},
		{"fades the other way", "{ map m\nblendFunc blend\nalphaGen oneMinusVertex }", world.Lightmap, "base m blend unlit fades inverse"},
		{"additive alone", "{ map a\nblendFunc add }", world.Lightmap, "base x_combined unlit"},
		{"filter alone", "{ map a\nblendFunc filter }", world.Lightmap, "base x_combined unlit"},
		{"a portal from afar", "{ map a\nblendFunc blend\nalphaGen portal 256 }", world.Lightmap, "base a unlit (alphaGen portal)"},
		{"alpha of an entity", "{ map a\nblendFunc blend\nalphaGen entity }", world.Lightmap, "base a unlit (alphaGen entity)"},
		{"alpha that waves", "{ map a\nblendFunc blend\nalphaGen wave sin 0.5 0.25 0 1 }", world.Lightmap,
			"base a solid color [1 1 1 0.5] blend unlit"},
		{"alpha of a highlight", "{ map a\nblendFunc blend\nalphaGen lightingSpecular }", world.Lightmap,
			"base a solid color [1 1 1 0.1] blend unlit"},
		{"alpha that nothing uses", "{ map a\nalphaGen entity }", world.Lightmap, "base a unlit"},

		// These scripts shine.
		{"glow", light + "{ map a\nblendFunc filter }\n{ map b\nblendFunc add }", world.Lightmap,
			"base a emissive b emission [1 1 1] strength 1.3"},
		{"glow at half", a + multiply + "{ map b\nblendFunc add\nrgbGen const ( 0.5 0.5 0.5 ) }", world.Lightmap,
			"base a emissive b emission [0.278 0.278 0.278]"},
		{"glow by an alpha that is known", a + multiply + "{ map b\nblendFunc GL_SRC_ALPHA GL_ONE\nalphaGen const 0.5 }", world.Lightmap,
			"base a emissive b emission [0.278 0.278 0.278]"},
		{"glow by the image's alpha", a + multiply + "{ map m\nblendFunc GL_SRC_ALPHA GL_ONE }", world.Lightmap, "base x_combined"},
		{"plain glow", a + multiply + "{ map $whiteimage\nblendFunc add\nrgbGen const ( 0.5 0 0 ) }", world.Lightmap,
			"base a emission [0.278 0 0]"},
		{"black glow", a + multiply + "{ map b\nblendFunc add\nrgbGen const ( 0 0 0 ) }", world.Lightmap, "base a"},
		{"glow in other coordinates", "{ map a\ntcMod scale 2 2 }\n" + multiply + "{ clampmap b\nblendFunc add\ntcMod scale 1 4 }",
			world.Lightmap,
			"base a uv [2 0 0 0 2 0] emissive b uv [0.5 0 0 0 2 0] clamp emission [1 1 1] strength 1.3"},
		{"glow over a mask", "{ map m\nalphaFunc GE128 }\n" + multiply + "{ map b\nblendFunc add }", world.Lightmap,
			"base m emissive b emission [1 1 1] strength 1.3 mask 0.5"},
		{"glow under vertex light has no place", "{ map a\nrgbGen vertex }\n{ map b\nblendFunc add }", world.PerVertex,
			"base x_combined unlit vertex"},
		{"glow without light is colour", a + "{ map b\nblendFunc add }", world.Lightmap, "base x_combined unlit"},

		// Pictures.
		{"reflection below", "{ map b\ntcGen environment }\n{ map m\nblendFunc blend }\n" + multiply, world.Lightmap,
			"base x_combined (tcGen environment)"},
		{"reflection above", a + "{ map b\nblendFunc GL_DST_COLOR GL_ONE\ntcGen environment }\n" + multiply, world.Lightmap,
			"base x_combined (tcGen environment)"},
		{"two textures blended", a + "{ map m\nblendFunc blend }\n" + multiply, world.Lightmap, "base x_combined"},
		{"a lit and an unlit one", a + multiply + "{ map m\nblendFunc blend }", world.Lightmap, "base x_combined"},
		{"all clamped", "{ clampmap a }\n{ clampmap m\nblendFunc blend }\n" + multiply, world.Lightmap, "base x_combined"},
		{"one clamped", a + "{ clampmap m\nblendFunc blend }\n" + multiply, world.Lightmap, "base x_combined"},
		{"detail texture", a + "{ map b\nblendFunc GL_DST_COLOR GL_SRC_COLOR\ntcMod scale 7 7\ndetail }\n" + multiply, world.Lightmap,
			"base a (detail texture)"},
		{"a coarse one is not detail", a + "{ map b\nblendFunc GL_DST_COLOR GL_SRC_COLOR\ntcMod scale 1.5 1 }\n" + multiply, world.Lightmap,
			"base x_combined"},
		{"no stage changes the picture's name", "{ map textures/deep/a }\n" + multiply, world.Lightmap, "base textures/deep/a"},

		// Other coordinates.
		{"projected", "{ map a\ntcGen vector ( 0.5 0 0 ) ( 0 0.25 0 )\ntcMod scale 2 2 }\n" + multiply, world.Lightmap,
			"base a project [[1 0 0 0] [0 0.5 0 0]]"},
		{"projected, in a picture", "{ map a\ntcGen vector ( 1 0 0 ) ( 0 1 0 ) }\n{ map m\nblendFunc blend }", world.Lightmap,
			"base x_combined unlit (tcGen vector)"},
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
		{"terrain", a + "{ map b\nblendFunc blend\nalphaGen vertex }\n" + multiply, world.Lightmap, "base a + base b solid blend fades"},
		{"terrain the other way", a + "{ map b\nblendFunc blend\nalphaGen oneMinusVertex }\n" + multiply, world.Lightmap,
			"base a + base b solid blend fades inverse"},
		{"three of them, glow after", a + "{ map b\nblendFunc blend\nalphaGen vertex }\n{ map d\nblendFunc blend\nalphaGen vertex }\n" +
			multiply + "{ map b\nblendFunc add }", world.Lightmap,
			"base a emissive b emission [1 1 1] strength 1.3 + base b solid emissive b emission [1 1 1] strength 1.3 blend fades + base d solid emissive b emission [1 1 1] strength 1.3 blend fades"},
		{"a stage before a layer is not drawn on it", a + multiply + "{ map b\nblendFunc blend\nalphaGen vertex }", world.Lightmap,
			"base a + base b solid blend unlit fades"},
		{"what moves in a layer", a + "{ map b\nblendFunc blend\nalphaGen vertex\ntcMod scroll 1 1 }\n" + multiply, world.Lightmap,
			"base a (tcMod scroll) + base b solid blend fades"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := empty("a.jpg", "b.jpg", "c.png", "d.jpg", "m.tga", "x.jpg", "textures/deep/a.jpg")
			pl := planned(t, files, "x\n{\n"+c.script+"\n}\n", needed, plantest.Shown(world.Material{Name: "x", Lighting: c.lighting}))
			if got := plantest.Text(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			approximated := strings.Contains(c.want, "(")
			if len(pl.Missing) > 0 || approximated != (len(pl.Issues) == 1 && pl.Issues[0].Code == "shader-approximated") ||
				!approximated && len(pl.Issues) > 0 {
				t.Error(pl.Issues, pl.Missing)
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
	with := func(f func(*plan.Options)) plan.Options {
		o := needed
		f(&o)
		return o
	}
	all := with(func(o *plan.Options) { o.CombineAll = true })
	none := with(func(o *plan.Options) { o.Combine = false })
	for _, c := range []struct {
		name, script string
		lighting     world.Lighting
		o            plan.Options
		want         string
	}{
		{"detail drawn in", detail, world.Lightmap, all, "base x_combined"},
		{"no pictures", two, world.Lightmap, none, "base a (stages)"},
		{"no pictures, additive", "{ map m\nblendFunc add }", world.Lightmap, none, "base m blend unlit (stages)"},
		{"no pictures, a mask", "{ map m\nalphaFunc GE128\nalphaGen const 0.5 }\n" + multiply, world.Lightmap, none,
			"base m mask 0.5 (stages)"},
		{"no pictures, vertex light", "{ map a\nrgbGen vertex }\n{ map b\nblendFunc add }", world.PerVertex, none,
			"base a unlit vertex (stages)"},
		{"no pictures, a reflection", "{ map b\ntcGen environment }\n{ map m\nblendFunc blend }\n" + light, world.Lightmap, none,
			"base b (stages, tcGen environment)"},
		{"a glow is no picture", glow, world.Lightmap, none, "base a emissive b emission [1 1 1] strength 1.3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pl := planned(t, empty("a.jpg", "b.jpg", "m.tga"), "x\n{\n"+c.script+"\n}\n", c.o,
				plantest.Shown(world.Material{Name: "x", Lighting: c.lighting}))
			if got := plantest.Text(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestFallbacks(t *testing.T) {
	for _, c := range []struct {
		name, script string
		files        []string
		lighting     world.Lighting
		want         string
		missing      string
	}{
		{"editor's image in place of the stage's", "qer_editorimage ed.tga\n" + fmt.Sprintf(lit, "nope"), []string{"ed.jpg", "x.jpg"},
			world.Lightmap, "base ed", "nope"},
		{"image of its own name", "qer_editorimage ed.tga\n" + fmt.Sprintf(lit, "nope"), []string{"x.jpg"}, world.Lightmap,
			"base x", "nope"},
		{"in its place it is masked too", "{ map nope\nalphaFunc GE128 }\n", []string{"x.tga"}, world.PerVertex,
			"base x mask 0.5 unlit", "nope"},
		{"only for the first", fmt.Sprintf(lit, "nope") + "{ map nope2\nblendFunc add }", []string{"x.jpg"}, world.Lightmap, "base x",
			"nope nope2"},
		{"nothing at all", "qer_editorimage ed.tga\n" + fmt.Sprintf(lit, "nope"), nil, world.Lightmap, "color [0.5 0.5 0.5 1] placeholder",
			"ed.tga nope x"},
		{"nothing at all, vertex light", fmt.Sprintf(lit, "nope"), nil, world.PerVertex,
			"color [0.5 0.5 0.5 1] unlit vertex placeholder", "nope x"},
		{"one stage of two", fmt.Sprintf(lit, "a") + "{ map nope\nblendFunc add }", []string{"a.jpg"}, world.Lightmap, "base a", "nope"},
		{"all frames are tried", "{ animMap 1 nope nope2 }\n", nil, world.Lightmap, "color [0.5 0.5 0.5 1] placeholder (animMap)",
			"nope nope2 x"},
		{"no stages", "surfaceparm metalsteps\n", []string{"x.jpg"}, world.Lightmap, "base x", ""},
		{"no stages, vertex light", "qer_editorimage ed\n", []string{"ed.jpg"}, world.PerVertex, "base ed unlit vertex", ""},
		{"only a film", "{ videoMap intro.roq }\n", []string{"x.jpg"}, world.Fullbright, "base x unlit (videoMap)", ""},
		{"in a layer", "{ map a }\n{ map nope\nblendFunc blend\nalphaGen vertex }\n", []string{"a.jpg"}, world.Lightmap,
			"base a unlit", "nope"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pl := planned(t, empty(c.files...), "x\n{\n"+c.script+"\n}\n", needed,
				plantest.Shown(world.Material{Name: "x", Lighting: c.lighting}))
			if got := plantest.Text(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			tried := ""
			for _, m := range pl.Missing {
				tried += strings.Join(m.Tried, " ")
				if m.Material != "x" || !strings.Contains(m.Hint, "--game") {
					t.Error(m)
				}
			}
			if tried != c.missing || len(pl.Missing) > 1 {
				t.Errorf("tried %q, want %q", tried, c.missing)
			}
			if placed := pl.Materials[0].Extras["placeholder"] == true; placed != pl.Materials[0].Placeholder {
				t.Error(placed)
			}
		})
	}
}

// A surface that nobody sees loads no image.
func TestHidden(t *testing.T) {
	script := ""
	hidden := []string{"nodraw", "hint", "skip", "playerclip", "monsterclip", "botclip", "clipmissile", "trigger", "areaportal", "origin",
		"donotenter", "nodrop", "fog"}
	for _, parm := range hidden {
		script += parm + "\n{\nqer_editorimage a\nsurfaceparm " + parm + "\n}\n"
		script += parm + "_drawn\n{\nsurfaceparm " + parm + "\n{ map a }\n}\n"
	}
	script += "mist\n{\nfogParms ( 1 0.5 0 ) 300\n}\n" + "stone\n{\nsurfaceparm nosteps\n}\n" + block("unseen", "a") + block("flagged", "a")
	w := &world.World{Models: []world.Model{{}}}
	add := func(name string, surfaces ...world.Flags) {
		for _, f := range surfaces {
			w.Models[0].Surfaces = append(w.Models[0].Surfaces, world.Surface{Material: len(w.Materials), Flags: f})
		}
		w.Materials = append(w.Materials, world.Material{Name: name})
	}
	for _, parm := range hidden {
		add(parm, 0)
	}
	add("mist", 0)
	add("unseen")
	add("a") // of a billboard
	w.Billboards = []world.Billboard{{Material: len(w.Materials) - 1}}
	add("flagged", world.NoDraw, world.Hint, world.Trigger)
	n := len(w.Materials)
	files := empty("a.jpg")
	pl := planned(t, files, script, needed, w)
	for i := range pl.Materials {
		if !pl.Materials[i].Draw.Hidden {
			t.Errorf("%s: %s", w.Materials[i].Name, plantest.Text(pl, i))
		}
	}
	if len(pl.Images)+len(pl.Missing) > 0 {
		t.Error(plantest.Images(pl), pl.Missing)
	}
	if f := pl.Materials[len(hidden)].Fog; f == nil || f.Opaque != 300 || f.Color != [3]float32{1, 0.21404114, 0} {
		t.Error(f)
	}
	// With stages the script is drawn, and what is no tool shows that it is missing. One surface is enough.
	for _, parm := range hidden {
		add(parm+"_drawn", 0)
	}
	add("stone", world.Clip)
	add("flagged", world.NoDraw, world.Liquid)
	pl = planned(t, files, script, needed, w)
	for i, m := range pl.Materials[n:] {
		want := "base a unlit"
		switch m.Name {
		case "stone":
			want = "color [0.5 0.5 0.5 1] placeholder"
		case "flagged":
			want = "base a"
		}
		if got := plantest.Text(pl, n+i); got != want {
			t.Errorf("%s: %s, want %s", w.Materials[n+i].Name, got, want)
		}
	}
}

// A stage that fades in over others is drawn in the same place of the order, before the base's other layers.
func TestLayersThatFadeInHaveTheOrderOfTheirBase(t *testing.T) {
	script := "x\n{\nsort 6\n{ map a }\n{ map b\nblendFunc blend\nalphaGen vertex }\n{ map $lightmap\nblendFunc filter }\n}\n"
	pl := planned(t, empty("a.jpg", "b.jpg"), script, needed, plantest.Shown(world.Material{Name: "x", Lighting: world.Lightmap}))
	m := &pl.Materials[0]
	if len(m.Layers) != 1 || m.Extras["sort"] != 6.0 || m.Layers[0].Extras["sort"] != 6.0 || m.Layers[0].Draw.Sort != 6 {
		t.Errorf("%+v, %d layers: %+v", m.Extras, len(m.Layers), m.Layers)
	}
}

// The engine asks the script for skyParms, and not the map.
func TestStagesWithoutSkyParmsAreAWall(t *testing.T) {
	pl := planned(t, empty("a.jpg"), "x\n{\n{ map a }\n}\n", needed, plantest.Shown(world.Material{Name: "x", Flags: world.Sky}))
	if m := &pl.Materials[0]; m.Sky != nil || !m.Draw.Walled || plantest.Text(pl, 0) != "base a unlit" {
		t.Errorf("%s, %+v", plantest.Text(pl, 0), m.Draw)
	}
}

func TestSky(t *testing.T) {
	const clouds = "{ map a\ntcMod scale 2 2 }\n{ map m\nblendFunc add }\n"
	box := empty("a.jpg", "m.tga", "env/s_rt.jpg", "env/s_bk.tga", "env/s_lf.jpg", "env/s_ft.jpg", "env/s_up.jpg")
	for _, c := range []struct {
		name, script string
		flags        world.Flags
		want, sides  string
		height       float64
		missing      string
	}{
		{"box", "skyParms env/s - -\n", 0, "unlit sky", "env/s_rt env/s_bk env/s_lf env/s_ft env/s_up -", 512, "env/s_dn"},
		{"clouds", "skyParms - 384 -\n" + clouds, 0, "base x_combined unlit sky", "- - - - - -", 384, ""},
		{"one layer", "skyParms - 384 -\n{ clampmap a\nrgbGen vertex }", 0, "base a clamp unlit sky", "- - - - - -", 384, ""},
		{"both", "skyParms env/S -5 env/near\n" + clouds, world.Sky, "base x_combined unlit sky",
			"env/s_rt env/s_bk env/s_lf env/s_ft env/s_up -", 512, "env/s_dn"},
		{"a word for no box", "skyParms full 512 -\n{ map a }", 0, "base a unlit sky", "- - - - - -", 512, ""},
		{"a box that is nowhere", "skyParms env/none - -", 0, "unlit sky", "- - - - - -", 512,
			"env/none_bk env/none_dn env/none_ft env/none_lf env/none_rt env/none_up"},
		{"by its parm", "surfaceparm sky\n{ map nope }", 0, "unlit sky", "- - - - - -", 512, "nope"},
		{"by the map, without stages", "surfaceparm nolightmap", world.Sky, "unlit sky", "- - - - - -", 512, ""},
		{"by the map", "", world.Sky, "unlit sky", "- - - - - -", 512, "x"},
		{"hidden by the map", "skyParms env/s - -\n" + clouds, world.Sky | world.NoDraw, "unlit sky", "- - - - - -", 512, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, f := range box {
				files[name] = f
			}
			script := c.script
			if script != "" {
				script = "x\n{\n" + script + "\n}\n"
			}
			pl := planned(t, files, script, needed, plantest.Shown(world.Material{Name: "x", Flags: c.flags}))
			m := &pl.Materials[0]
			if got := plantest.Text(pl, 0); got != c.want || m.Sky.Height != c.height {
				t.Errorf("height %g, %s\nwant %s", m.Sky.Height, got, c.want)
			}
			if got := plantest.Sides(pl, 0); got != c.sides {
				t.Errorf("sides %s, want %s", got, c.sides)
			}
			tried := ""
			for _, m := range pl.Missing {
				tried += strings.Join(m.Tried, " ")
			}
			near := slices.ContainsFunc(pl.Issues, func(is world.Issue) bool { return is.Code == "sky-nearbox" })
			if tried != c.missing || near != (c.name == "both") {
				t.Error(pl.Missing, pl.Issues)
			}
		})
	}
}

// Clouds that add to the box of a sky and then multiply it are drawn one after the other: no single blending does both. Readers without
// the exact operations get one picture. An opaque stage hides the box. Clouds that move in different ways are sheets, with or without a
// box.
func TestCloudsOverABox(t *testing.T) {
	const add, filter = "{ map a\nblendFunc add }\n", "{ map m\nblendFunc filter }\n"
	const east, north = "{ map a\ntcMod scroll 1 0 }\n", "{ map m\nblendFunc add\ntcMod scroll 0 1 }\n"
	exact := needed
	exact.Environment, exact.Motion = true, true
	for _, c := range []struct {
		box, stages string
		o           plan.Options
		want        string
	}{
		{"env/s", add + filter, exact, "base x_combined unlit sky + base x layer 1_combined unlit sky"},
		{"env/s", add + add + filter + filter, exact, "base x_combined unlit sky + base x layer 1_combined unlit sky"},
		{"env/s", add + filter + add, exact, "base x_combined unlit sky + base x layer 1_combined unlit sky + base x_combined unlit sky"},
		{"env/s", filter + filter, exact, "base x_combined unlit sky"},
		{"env/s", add + filter, needed, "base x_combined unlit sky"},
		{"env/s", "{ map m }\n" + add + filter, exact, "base x_combined unlit sky"},
		{"env/s", add + "{ map m }\n" + filter, exact, "base x_combined unlit sky"},
		{"-", add + filter, exact, "base x_combined unlit sky"},
		{"-", east + north, exact, "base a unlit sky (tcMod scroll) + base x layer 1_combined unlit sky"},
		{"-", "{ map $whiteimage\nrgbGen const ( 0.5 0 0 ) }\n" + north, exact, "base x_combined unlit sky (tcMod scroll)"},
		{"-", east + north, needed, "base x_combined unlit sky (tcMod scroll)"},
		{"-", east + "{ map m\nblendFunc add\ntcMod scroll 1 0 }\n", exact, "base x_combined unlit sky (tcMod scroll)"},
	} {
		files := empty("a.jpg", "m.tga", "env/s_rt.jpg", "env/s_bk.tga", "env/s_lf.jpg", "env/s_ft.jpg", "env/s_up.jpg", "env/s_dn.jpg")
		pl := planned(t, files, "x\n{\nskyParms "+c.box+" 512 -\n"+c.stages+"}\n", c.o, plantest.Shown(world.Material{Name: "x"}))
		if got := plantest.Text(pl, 0); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.box, c.stages, got, c.want)
		}
		for i := range pl.Images {
			covers := strings.Contains(c.stages, "map m }") || strings.HasPrefix(c.stages, east) || strings.HasPrefix(c.stages, "{ map $white")
			covers = covers && !strings.Contains(pl.Images[i].Name, "layer")
			p, ok := pl.Images[i].Work.(images.Combined)
			if ok && (p.Recipe.Behind == covers || p.Recipe.WordOnly != (!covers && !c.o.Environment)) {
				t.Errorf("%q: %s is made for what is behind: %v, in a word only: %v", c.stages, pl.Images[i].Name, p.Recipe.Behind, p.Recipe.WordOnly)
			}
		}
	}
}

// A detail texture is a texture of its own, unless it is drawn into the picture or not wanted.
func TestDetailTexturesAreKept(t *testing.T) {
	const script = "textures/wall\n{\n\t{\n\t\tmap textures/wall.png\n\t}\n\t{\n\t\tmap $lightmap\n\t\tblendFunc filter\n\t}\n" +
		"\t{\n\t\tmap textures/grain.png\n\t\tblendFunc GL_DST_COLOR GL_SRC_COLOR\n\t\ttcMod scale 8 4\n\t}\n}\n"
	for _, c := range []struct {
		details bool
		all     bool
		want    int
	}{{true, false, 1}, {false, false, 0}, {true, true, 0}} {
		o := needed
		o.Details, o.CombineAll = c.details, c.all
		pl := planned(t, empty("textures/wall.png", "textures/grain.png"), script, o,
			plantest.Shown(world.Material{Name: "textures/wall", Lighting: world.Lightmap}))
		m := pl.Materials[0]
		if len(m.Details) != c.want {
			t.Fatalf("%+v: %d detail textures", c, len(m.Details))
		}
		if c.want > 0 && (len(pl.Images) != 2 || m.Details[0].UV != [6]float64{8, 0, 0, 0, 4, 0}) {
			t.Errorf("%+v", m.Details[0])
		}
	}
}

package stages

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Stages that move apart are layers of their own on the same surfaces.
func TestStagesThatMoveApartAreLayers(t *testing.T) {
	const (
		right, left = "{ map a\ntcMod scroll 1 0\n", "{ map a\nblendFunc add\ntcMod scroll -1 0\n"
		eye         = "{ map a\ntcGen environment\n"
	)
	for _, c := range []struct {
		name, stages string
		lit, off     bool
		layers       int
	}{
		{"lava", right + "}\n" + left + "}\n", false, false, 1},
		{"lava of three", right + "}\n" + left + "}\n" + right + "blendFunc add }\n", false, false, 2},
		{"moving alike", right + "}\n" + right + "blendFunc add }\n", false, false, 0},
		{"over what stands still", "{ map a }\n" + left + "}\n", false, false, 1},
		{"still", "{ map a }\n{ map a\nblendFunc add }\n", false, false, 0},
		{"pulsing", "{ map a }\n{ map a\nblendFunc add\nrgbGen wave sin 0.5 0.5 0 1 }\n", false, false, 1},
		{"two reflections", eye + "}\n" + eye + "blendFunc add }\n", false, false, 1},
		{"a reflection that turns", "{ map a\ntcMod rotate 5 }\n" + eye + "blendFunc add\ntcMod rotate 5 }\n", false, false, 1},
		{"in the light", right + "}\n" + left + "}\n{ map $lightmap\nblendFunc filter }\n", true, false, 0},
		{"cut by alpha", right + "}\n{ map m\nblendFunc add\nalphaFunc ge128\ntcMod scroll -1 0 }\n", false, false, 0},
		{"tested, but without alpha", right + "}\n" + left + "alphaFunc ge128 }\n", false, false, 1},
		{"over a lightmap that is white", "{ map $lightmap\nblendFunc dst_color one_minus_src_alpha }\n" + right + "blendFunc add }\n" + left + "}\n",
			false, false, 1},
		{"from both sides", "cull none\n" + right + "}\n" + left + "}\n", false, false, 1},
		{"not asked for", right + "}\n" + left + "}\n", false, true, 0},
	} {
		o, w := needed, world.Material{Name: "x", Lighting: world.Fullbright}
		if o.Environment, o.Motion = !c.off, !c.off; c.lit {
			w.Lighting = world.Lightmap
		}
		m := planned(t, empty("a.jpg", "m.tga"), "x\n{\n"+c.stages+"}\n", o, plantest.Shown(w)).Materials[0]
		if len(m.Layers) != c.layers || m.Placeholder {
			t.Errorf("%s: %d layers", c.name, len(m.Layers))
		}
		for k, l := range m.Layers {
			if sort, _ := l.Extras["sort"].(float64); !l.Layer.Whole || sort <= float64(m.Draw.Sort)+float64(k)/1024 {
				t.Errorf("%s: layer %d: %+v, drawn %g", c.name, k, l.Layer, sort)
			}
		}
	}
}

// Each layer moves as its stages do. The wave of one that is added, 0.5 when it starts, stays a wave; its vertices move as the surface's.
func TestLayersMove(t *testing.T) {
	const script = `x
{
	deformVertexes wave 64 sin 0 2 0 1
	{ map a
	tcMod scroll 1 0 }
	{ map b
	blendFunc add
	rgbGen wave sin 0.5 0.25 0 2
	tcMod rotate 30 }
}
`
	o := needed
	o.Environment, o.Motion = true, true
	pl := planned(t, empty("a.jpg", "b.jpg"), script, o, plantest.Shown(world.Material{Name: "x", Lighting: world.Fullbright}))
	m := pl.Materials[0]
	if len(m.Layers) != 1 || m.Motion == nil || len(m.Motion.Base) != 1 || m.Motion.Base[0].Kind != "scroll" || m.Motion.Color != nil {
		t.Fatalf("%+v, %d layers", m.Motion, len(m.Layers))
	}
	l := m.Layers[0].Motion
	if l == nil || len(l.Base) != 1 || l.Base[0].Kind != "rotate" || l.Color == nil || l.Color.Freq != 2 || l.ColorRest != 0.5 ||
		len(l.Deforms) != 1 {
		t.Errorf("%+v", l)
	}
	if image, _ := plantest.Of(pl, plan.Alone(0), func(r plan.Role) bool { return r.IsBase() }); image != "a" {
		t.Errorf("the surface shows %q", image)
	}
}

// On a surface that the vertices light, a stage that takes their light and one that does not are materials of their own. In one picture,
// what is only added gets the typical light of 0.4, so that the vertices don't darken a lamp.
func TestStagesThatVerticesLightInPart(t *testing.T) {
	const (
		a, lit  = "{ map a }\n", "{ map a\nrgbGen vertex }\n"
		add     = "{ map b\nblendFunc add }\n"
		addLit  = "{ map b\nblendFunc add\nrgbGen vertex }\n"
		glass   = "{ map a\nblendFunc filter\nalphaFunc GT0 }\n"
		filter  = "{ map b\nblendFunc filter\nrgbGen vertex }\n"
		holes   = "{ map m\nalphaFunc GE128 }\n"
		picture = "base x_combined"
	)
	for _, c := range []struct{ name, stages, split, whole string }{
		{"a lamp under a reflection", a + "{ map b\nblendFunc add\ntcGen environment\nrgbGen exactVertex }\n",
			"base a unlit (tcGen environment) + base x layer 1_combined unlit vertex", picture + " unlit (tcGen environment)"},
		{"a lamp under a texture", a + addLit, "base a unlit + base x layer 1_combined unlit vertex", picture + " unlit"},
		{"coloured glass with light on it", glass + addLit, "base x_combined unlit + base x layer 1_combined unlit vertex", picture + " unlit"},
		{"a lit texture that glows", lit + add, "base a unlit vertex + base x layer 1_combined unlit", picture + " unlit vertex"},
		{"a lit texture that glows, lit by the light grid", "{ map a\nrgbGen lightingDiffuse }\n" + add,
			"base a unlit vertex + base x layer 1_combined unlit", picture + " unlit vertex"},
		{"light that multiplies lights what is before", a + filter, picture + " unlit vertex", picture + " unlit vertex"},
		{"and what comes after does not belong to it", a + filter + add, picture + " unlit vertex + base x layer 1_combined unlit",
			picture + " unlit vertex"},
		{"light that multiplies a sum", a + addLit + filter, picture + " unlit vertex", picture + " unlit vertex"},
		{"all lit", lit + addLit, picture + " unlit vertex", picture + " unlit vertex"},
		{"a cover over what is lit", addLit + a, picture + " unlit", picture + " unlit"},
		{"cut by alpha", holes + addLit, picture + " unlit", picture + " unlit"},
	} {
		for _, apart := range []bool{true, false} {
			o, want := needed, c.whole
			if o.Environment, o.Motion = apart, apart; apart {
				want = c.split
			}
			pl := planned(t, empty("a.jpg", "b.jpg", "m.tga"), "x\n{\n"+c.stages+"}\n", o,
				plantest.Shown(world.Material{Name: "x", Lighting: world.PerVertex}))
			if got := plantest.Text(pl, 0); got != want {
				t.Errorf("%s, %t:\ngot  %s\nwant %s", c.name, apart, got, want)
			}
		}
	}
	r := combinedOf(planned(t, empty("a.jpg", "b.jpg"), "x\n{\n"+a+addLit+"}\n", needed,
		plantest.Shown(world.Material{Name: "x", Lighting: world.PerVertex})))
	if r == nil || r.Stages[0].Color != [3]float64{1, 1, 1} || r.Stages[1].Color != [3]float64{0.4, 0.4, 0.4} || r.Stages[1].Lit {
		t.Errorf("%+v", r)
	}
}

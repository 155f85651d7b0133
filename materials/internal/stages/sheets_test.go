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
		{"cut by alpha", right + "}\n" + left + "alphaFunc ge128 }\n", false, false, 0},
		{"over a lightmap that is white", "{ map $lightmap\nblendFunc dst_color one_minus_src_alpha }\n" + right + "blendFunc add }\n" + left + "}\n",
			false, false, 1},
		{"from both sides", "cull none\n" + right + "}\n" + left + "}\n", false, false, 1},
		{"not asked for", right + "}\n" + left + "}\n", false, true, 0},
	} {
		o, w := needed, world.Material{Name: "x", Lighting: world.Fullbright}
		if o.Environment = !c.off; c.lit {
			w.Lighting = world.Lightmap
		}
		m := planned(t, empty("a.jpg"), "x\n{\n"+c.stages+"}\n", o, plantest.Shown(w)).Materials[0]
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
	o.Environment = true
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

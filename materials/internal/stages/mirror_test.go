package stages

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// combinedOf returns the recipe of the picture of a plan's first material, or nil.
func combinedOf(pl *plan.Plan) *paint.Recipe {
	for _, j := range pl.Images {
		if c, ok := j.Work.(images.Combined); ok {
			return c.Recipe
		}
	}
	return nil
}

func TestPlansTheSurroundings(t *testing.T) {
	const (
		eye    = "{ map r\ntcGen environment\n"
		filter = "{ map $lightmap\nblendFunc filter }\n"
	)
	for _, c := range []struct {
		name, stages string
		off          bool
		color        float64 // 0 if there is no reflection to be shown
		vertex       pbr.VertexTint
	}{
		{"below a picture", eye + "}\n{ map m\nblendFunc blend }\n" + filter, false, 1, pbr.NoTint},
		{"darker in the light", eye + "rgbGen oneMinusVertex }\n" + filter, false, 1, pbr.ByRestColor},
		{"brighter in the light", eye + "rgbGen vertex }\n" + filter, false, 1, pbr.ByColor},
		{"half as strong", "{ map a }\n" + eye + "blendFunc add\nrgbGen const ( 0.5 0.5 0.5 ) }\n" + filter, false, 0.5, pbr.NoTint},
		{"by an alpha that may be 1", "{ map a }\n{ map m\ntcGen environment\nblendFunc blend }\n" + filter, false, 1, pbr.NoTint},
		{"by the alpha of a format without one", "{ map a }\n" + eye + "blendFunc blend }\n" + filter, false, 1, pbr.NoTint},
		{"twice", eye + "}\n" + eye + "blendFunc add }\n" + filter, false, 0, pbr.NoTint},
		{"not asked for", eye + "}\n{ map m\nblendFunc blend }\n" + filter, true, 0, pbr.NoTint},
		{"a sky", "skyParms - 512 -\n" + eye + "}\n", false, 0, pbr.NoTint},
	} {
		o := needed
		o.Environment, o.Motion = !c.off, !c.off
		pl := planned(t, empty("r.jpg", "a.jpg", "m.tga"), "x\n{\n"+c.stages+"}\n", o, plantest.Shown(world.Material{Name: "x"}))
		e, r := pl.Materials[0].Environment, combinedOf(pl)
		image, _ := plantest.Of(pl, plan.Alone(0), func(r plan.Role) bool { return r == plan.AsEnvironment })
		if r == nil || (e != nil) != (c.color > 0) || (image == "r" || image == "m") != (e != nil) || r.Environment != (e != nil) {
			t.Errorf("%s: %+v, %+v by %q", c.name, r, e, image)
			continue
		}
		if e != nil && (e.Color[1] < c.color-1e-6 || e.Color[1] > c.color+1e-6 || e.Vertex != c.vertex) {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}

// The surroundings' picture turns at twice its size.
func TestSurroundingsMove(t *testing.T) {
	o := needed
	o.Environment, o.Motion = true, true
	pl := planned(t, empty("r.jpg"), "x\n{\n{ map r\ntcGen environment\ntcMod scale 0.5 0.5\ntcMod rotate 20 }\n}\n", o,
		plantest.Shown(world.Material{Name: "x", Lighting: world.Fullbright}))
	m := pl.Materials[0].Motion
	if m == nil || len(m.Mirror) != 2 || m.Mirror[0].Kind != "scale" || m.Mirror[1].Numbers[0] != 20 || m.Base != nil {
		t.Errorf("%+v", m)
	}
}

// A picture that multiplies the background is drawn at 8 seconds if its stages move differently: a scroll of 0.125 a second has then
// gone once.
func TestPlansWhatIsBehind(t *testing.T) {
	const brighten = "blendFunc GL_DST_COLOR GL_ONE\n"
	for _, c := range []struct {
		name, stages string
		behind       bool
		moved        float64 // of the second stage
		apart        bool
	}{
		{"opaque", "{ map a }\n{ map m\nblendFunc blend }\n", false, 0, false},
		{"added", "{ map a\nblendFunc add }\n", true, 0, false},
		{"added twice", "{ map a\nblendFunc add }\n{ map a\nblendFunc add }\n", true, 0, false},
		{"multiplied, then added", "{ map a\nblendFunc filter }\n{ map a\nblendFunc add }\n", true, 0, true},
		{"made brighter, then added", "{ map a\n" + brighten + "}\n{ map a\nblendFunc add }\n", true, 0, true},
		{"added, then multiplied", "{ map a\nblendFunc add }\n{ map a\nblendFunc filter }\n", true, 0, true},
		{"moving alike", "{ map a\n" + brighten + "tcMod scroll 1 0 }\n{ map a\n" + brighten + "tcMod scroll 1 0 }\n", true, 0, false},
		{"moving apart", "{ map a\n" + brighten + "}\n{ map a\n" + brighten + "tcMod scroll 0.0625 0 }\n", true, 0.5, false},
	} {
		o := needed
		o.Environment, o.Motion = true, true
		pl := planned(t, empty("a.jpg", "m.tga"), "x\n{\n"+c.stages+"}\n", o,
			plantest.Shown(world.Material{Name: "x", Lighting: world.Fullbright}))
		r := combinedOf(pl)
		if r == nil || r.Behind != c.behind || r.Apart != c.apart || len(r.Stages) > 1 && r.Stages[1].UV[2] != c.moved {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

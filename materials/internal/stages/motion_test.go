package stages

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestMotion(t *testing.T) {
	const multiply = "{ map $lightmap\nblendFunc filter }\n"
	for _, c := range []struct{ name, script, want string }{
		{"nothing moves", "{ map a\ntcMod scale 2 2 }\n" + multiply, ""},
		// The mesh's coordinates have been through the scale.
		{"a scroll after a scale", "{ map a\ntcMod scale 2 4\ntcMod scroll 0.5 0 }\n" + multiply,
			`{"Rest":[2,0,0,0,4,0],"Base":["scale 2 4","scroll 0.5 0"]}`},
		{"the rest", "{ map a\ntcMod rotate 30\ntcMod stretch sin 1 0.5 0 2\ntcMod turb 0 0.25 0.5 1\ntcMod transform 1 2 3 4 5 6 }\n" +
			multiply,
			`{"Rest":[1,3,5,2,4,6],"Base":["rotate 30","stretch sin 1 0.5 0 2","turb 0.25 0.5 1","transform 1 3 5 2 4 6"]}`},
		{"a wave of colour", "{ map a\nrgbGen wave square 0.5 0.25 0 2 }\n" + multiply, `{"Color":"square 0.5 0.25 0 2 of 0.75"}`},
		{"a wave that stands", "{ map a\nrgbGen wave sin 0.5 0 0 0 }\n" + multiply, ""},
		{"what is added moves alone", "{ map a\ntcMod scale 2 2 }\n" + multiply +
			"{ map b\nblendFunc add\ntcMod scroll 1 0\nrgbGen wave sin 0.5 0.5 0 1 }",
			`{"Rest":[2,0,0,0,2,0],"Glow":["scroll 1 0"],"GlowColor":"sin 0.5 0.5 0 1 of 0.5"}`},
		{"frames", "{ animMap 4 a b nope d }\n" + multiply, `{"Frames":"a b d","FPS":4}`},
		{"one frame", "{ animMap 4 a }\n" + multiply, ""},
		{"vertices", "deformVertexes wave 100 sin 1 2 0 3\ndeformVertexes bulge 4 5 6\ndeformVertexes move 1 2 3 sin 0 1 0 1\n{ map a }\n" +
			multiply,
			`{"Deforms":[{"Kind":"wave","Wave":{"Func":"sin","Base":1,"Amp":2,"Phase":0,"Freq":3},"Spread":0.009999999776482582,"Vector":[0,0,0]},` +
				`{"Kind":"bulge","Wave":{"Func":"sin","Base":0,"Amp":0,"Phase":0,"Freq":0},"Spread":0,"Vector":[4,5,6]},` +
				`{"Kind":"move","Wave":{"Func":"sin","Base":0,"Amp":1,"Phase":0,"Freq":1},"Spread":0,"Vector":[1,2,3]}]}`},
		// A picture of stages that move alike moves too; its coordinates are those of the first, here of two repeats.
		{"a picture", "{ map a\ntcMod scroll 1 0 }\n{ map m\nblendFunc blend\ntcMod scroll 1 0 }\n" + multiply,
			`{"Rest":[1,0,0,0,1,0],"Base":["scroll 1 0"]}`},
		{"a picture of layers that move apart", "{ map a\ntcMod scroll 1 0 }\n{ map m\nblendFunc blend\ntcMod scroll 0 1 }\n" + multiply,
			""},
	} {
		o := needed
		o.Frames = true
		pl := planned(t, empty("a.jpg", "b.jpg", "d.jpg", "m.tga"), "x\n{\n"+c.script+"\n}\n", o,
			plantest.Shown(world.Material{Name: "x", Lighting: world.Lightmap}))
		if got := plantest.Motion(pl, 0); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Without frames the first picture stands for all, and files stay as small as they are.
func TestFramesAreAnOption(t *testing.T) {
	pl := planned(t, empty("a.jpg", "b.jpg"), "x\n{\n{ animMap 4 a b }\n}\n", needed,
		plantest.Shown(world.Material{Name: "x", Lighting: world.Fullbright}))
	if !pl.Materials[0].Motion.Still() || len(pl.Images) != 1 {
		t.Errorf("%+v, %d images", pl.Materials[0].Motion, len(pl.Images))
	}
}

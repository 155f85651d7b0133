package stages

import (
	"encoding/json"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestExtras(t *testing.T) {
	script := `x
{
	qer_editorimage a.tga
	qer_trans 0.5
	q3map_surfacelight 1e30
	q3map_lightimage b.tga
	q3map_lightrgb 1 0.5 0
	q3map_sun 1 nan inf 1e300 0 0
	surfaceparm trans
	surfaceparm nomarks
	sort additive
	placeholder pretended
	not_shown pretended
	deformVertexes wave 100 sin 0 1 0 nan
	{
		clampanimMap nan a b c
		rgbGen wave sin inf nan 0 1
		alphaGen const 0.5
		alphaFunc GE128
		tcGen environment
		tcMod scale nan inf
		blendFunc blend
	}
	{ map $lightmap
	  blendFunc filter
	  rgbGen const ( 1 0.5 0.25 ) }
}
`
	pl := planned(t, empty("a.jpg"), script, needed, plantest.Shown(world.Material{Name: "x", Surface: 0x4000, Contents: 0x80000000}))
	x := pl.Materials[0].Extras
	want := map[string]any{
		"material": "x", "shader_file": "scripts/test.shader:1", "surface_flags": 16384.0, "contents": 2147483648.0, "sort": 10.0,
		"qer_editorimage": "a.tga", "qer_trans": "0.5", "q3map_lightimage": "b.tga", "q3map_lightrgb": "1 0.5 0",
		"surfaceparm":        "trans nomarks",
		"q3map_surfacelight": 1e9, "deformvertexes": 1.0, "not_shown": "animMap, deformVertexes, tcGen environment",
		"stage_0": "clampanimMap 0 a b c; blendFunc src_alpha one_minus_src_alpha; alphaFunc ge128; rgbGen wave sin 0 0 0 1; alphaGen const 0.5; tcGen environment; tcMod scale 0 0",
		"stage_1": "map $lightmap; blendFunc dst_color zero; rgbGen const 1 0.5 0.25",
	}
	for k, v := range want {
		if x[k] != v {
			t.Errorf("%s: %v, want %v", k, x[k], v)
		}
	}
	if _, ok := x["placeholder"]; ok {
		t.Error("a script says that it is a placeholder")
	}
	if _, err := json.Marshal(x); err != nil {
		t.Error(err)
	}
}

// Without the words of scripts, extras still have what readers draw by.
func TestBareExtras(t *testing.T) {
	bare := needed
	bare.Bare = true
	script := "x\n{\n\tqer_trans 0.5\n\tsurfaceparm trans\n\tsort additive\n\tdeformVertexes wave 100 sin 0 1 0 1\n\t{\n\t\tmap a.jpg\n\t}\n}\n"
	x := planned(t, empty("a.jpg"), script, bare, plantest.Shown(world.Material{Name: "x"})).Materials[0].Extras
	for _, key := range []string{"qer_trans", "surfaceparm", "shader_file", "stage_0"} {
		if v, ok := x[key]; ok {
			t.Errorf("%s is %v", key, v)
		}
	}
	if x["sort"] != 10.0 || x["deformvertexes"] != 1.0 || x["material"] != "x" {
		t.Errorf("extras %v", x)
	}
}

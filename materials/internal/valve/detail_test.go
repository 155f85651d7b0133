package valve

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestDetailOfMaterialFiles(t *testing.T) {
	for _, c := range []struct {
		name, vmt string
		combine   string
		want      string
	}{
		{"left out", "LightmappedGeneric { $basetexture a $detail t }", "none", "base a ($detail)"},
		{"drawn in", "LightmappedGeneric { $basetexture a $detail t }", "needed", "base a_detail"},
		{"drawn in finely", "LightmappedGeneric { $basetexture a $detail t }", "all", "base a_detail"},
		{"in each frame", "LightmappedGeneric { $basetexture a $frame 1 $detail a $detailframe 1 }", "all", "base a_frame1_detail"},
		{"not there", "LightmappedGeneric { $basetexture a $detail nope }", "all", "base a ($detail)"},
		{"on nothing", "LightmappedGeneric { $detail t }", "all", "($detail)"},
		{"shining",
			"VertexLitGeneric { $basetexture a $detail t $detailscale 2 $detailblendmode 5 $detailblendfactor .5 $detailtint \"[1 0 1]\" }",
			"needed",
			"base a emissive t uv [2 0 0 0 2 0] emission [0.5 0 0.5]"},
		{"shining where it is bright",
			"VertexLitGeneric { $basetexture a $detail t $detailscale 1 $detailblendmode 6 $detailblendfactor .5 }", "needed",
			"base a emissive t_glow emission [1 1 1]"},
		{"shining where it is bright, at full", "VertexLitGeneric { $basetexture a $detail t $detailscale 1 $detailblendmode 6 }", "needed",
			"base a emissive t emission [1 1 1]"},
		{"shining on what has no light", "UnlitGeneric { $basetexture a $detail t $detailblendmode 5 }", "all", "base a_detail unlit"},
		{"shining on what has no light, with a colour", "UnlitGeneric { $basetexture a $color .5 $detail t $detailblendmode 5 }", "all",
			"base a_tint_detail unlit"},
		{"shining on a wall, which knows no such mode", "LightmappedGeneric { $basetexture a $detail t $detailblendmode 5 }",
			"all", "base a"},
		{"shining on bumps, which know no such mode", "VertexLitGeneric { $basetexture a $bumpmap n $detail t $detailblendmode 5 }", "all",
			"base a normal n_normal"},
		{"shining already", "VertexLitGeneric { $basetexture t $selfillum 1 $detail a $detailblendmode 5 }", "all",
			"base t_detail_lit glowing emission [1 1 1]"},
		{"shining in the dark", "LightmappedGeneric { $basetexture a $detail nope $detailblendmode 5 }", "needed", "base a ($detail)"},
		{"tilting", "LightmappedGeneric { $basetexture a $bumpmap n $detail t $detailblendmode 10 }", "all",
			"base a normal n_normal ($detail)"},
		{"tilting nothing", "LightmappedGeneric { $basetexture a $detail t $detailblendmode 10 }", "all", "base a"},
		{"beyond the modes", "LightmappedGeneric { $basetexture a $detail t $detailblendmode 12 }", "all", "base a"},
		{"of no size", "LightmappedGeneric { $basetexture a $detail t $detailscale 0 }", "all", "base a_detail"},
		{"on a base of no size",
			"LightmappedGeneric { $basetexture a $basetexturetransform \"center 0 0 scale 0 0 rotate 0 translate 0 0\" $detail t }", "all",
			"base a uv [0 0 0 0 0 0] ($detail)"},
		{"with a transform",
			"VertexLitGeneric { $basetexture a $detail t $detailblendmode 5 $detailtexturetransform \"scale 3\" $detailscale 2 }", "needed",
			"base a emissive t uv [6 0 0 0 6 0] emission [1 1 1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := needed
			o.Combine, o.CombineAll = c.combine != "none", c.combine == "all"
			pl := planned(t, files(map[string]string{"x": c.vmt}), o, plantest.Shown(world.Material{Name: "x"}))
			if got := plantest.Text(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

package valve

import (
	"strings"
	"testing"
	"testing/fstest"

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

// The base has 64 pixels a side, the detail 32. Drawn into the base, it may be as fine as 512 pixels a picture of at most four periods.
func TestReadersGetWhatAPictureLacksOfADetail(t *testing.T) {
	head := func(side byte) *fstest.MapFile {
		data := append([]byte("VTF\x00\x07\x00\x00\x00\x02\x00\x00\x00\x50\x00\x00\x00"), side, 0, side, 0, 0, 0x20)
		return &fstest.MapFile{Data: append(data, make([]byte, 58)...)}
	}
	o := needed
	o.Details = true
	for _, c := range []struct {
		name, vmt string
		want      string // after the base
	}{
		{"a whole scale", "LightmappedGeneric { $basetexture a $detail t }", "base a_detail"},
		{"two thirds", "LightmappedGeneric { $basetexture a $detail t $detailscale 1.5 }", "base a_detail over 2"},
		{"no ratio of small numbers", "LightmappedGeneric { $basetexture a $detail t $detailscale 7.65 $detailtint [.5_.5_1] }",
			"base a_detail fine a, t uv [7.65 0 0 0 7.65 0] mode 0 factor 1 tint [0.5 0.5 1] srgb false alpha false"},
		{"finer than a picture", "LightmappedGeneric { $basetexture a $detail t $detailscale 20 $detailblendmode 1 $detailblendfactor .5 }",
			"base a_detail fine a, t uv [20 0 0 0 20 0] mode 1 factor 0.5 tint [1 1 1] srgb true alpha false"},
		{"by its alpha", "VertexLitGeneric { $basetexture a $detail t $detailscale 40 $detailblendmode 2 }",
			"base a_detail fine a, t uv [40 0 0 0 40 0] mode 2 factor 1 tint [1 1 1] srgb true alpha true"},
		{"turned, with a scale for each side",
			`LightmappedGeneric { $basetexture a $basetexturetransform "center 0 0 scale 1 1 rotate 90 translate 0 0"
				$detail t $detailscale "[7.5 20]" }`,
			"base a_detail uv [0 -1 0 1 0 0] over 2 fine a, t uv [20 0 0 0 7.5 0] mode 0 factor 1 tint [1 1 1] srgb false alpha false"},
		{"with a glow", "LightmappedGeneric { $basetexture a $selfillum 1 $detail t $detailscale 7.65 }",
			"base a_detail_lit glowing emission [1 1 1]"},
		{"added to the background", "UnlitGeneric { $basetexture a $additive 1 $detail t $detailscale 7.65 $detailblendmode 1 }",
			"base a_add_detail blend unlit"},
		{"in motion",
			"LightmappedGeneric { $basetexture a $detail t $detailscale 7.65 proxies { texturescroll { texturescrollvar $basetexturetransform } } }",
			"base a_detail"},
		{"only the opacity", "LightmappedGeneric { $basetexture a $detail t $detailscale 7.65 $detailblendmode 9 }", "base a_detail"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := files(map[string]string{"x": strings.ReplaceAll(c.vmt, "[.5_.5_1]", `"[.5 .5 1]"`)})
			fsys["materials/a.vtf"], fsys["materials/t.vtf"] = head(64), head(32)
			pl := planned(t, fsys, o, plantest.Shown(world.Material{Name: "x"}))
			if got := plantest.Text(pl, 0); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

package valve

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The sides are: one of half the height; one that has only light; one without a material file; one that has both; one whose plain
// texture is missing; and one that is missing.
func TestSkyOfMaterialFiles(t *testing.T) {
	files := files(map[string]string{
		"skybox/srt": "sky { $basetexture a $basetexturetransform \"center 0 0 scale 1 2 rotate 0 translate 0 0\" }",
		"skybox/sbk": "sky { $hdrcompressedtexture t $hdrbasetexture a $color .5 }",
		"skybox/sft": "sky { $hdrcompressedtexture t $basetexture a $frame 1 $color \"[2 1 0]\" }",
		"skybox/sup": "sky { $basetexture nope $hdrbasetexture t }",
		"tools/sky":  "UnlitGeneric { $surfaceprop default }",
	})
	files["materials/skybox/slf.vtf"] = files["materials/a.vtf"]
	w := plantest.Shown(world.Material{Name: "tools/sky", Flags: world.Sky}, world.Material{Name: "tools/sky2d", Flags: world.Sky})
	w.Sky.Name = "Skybox/S"
	for _, withLight := range []bool{false, true} {
		o := needed
		o.SkyLight = withLight
		pl := planned(t, files, o, w)
		for i := range pl.Materials {
			m := &pl.Materials[i]
			if got, want := plantest.Sides(pl, i), "a - skybox/slf a_frame1_tint - -"; got != want || !m.Draw.Unlit ||
				m.Sky.UV[0] != [6]float64{1, 0, 0, 0, 2, 0} {
				t.Errorf("%s, want %s, %v", got, want, m.Sky.UV[0])
			}
		}
		want := images.Sky{1: {File: "materials/t.vtf", Kind: vtf.RGBS, Toned: true, Tint: [3]float32{.5, .5, .5}},
			4: {File: "materials/t.vtf", Kind: vtf.ByFormat, Toned: true, Tint: ones}}
		if withLight {
			want[3] = images.SkySide{File: "materials/t.vtf", Kind: vtf.RGBS, Tint: [3]float32{2, 1, 0}}
		}
		if pl.SkyLight.Sides != want || !slices.Equal(pl.SkyLight.Materials, []int{0, 1}) {
			t.Errorf("%+v", pl.SkyLight)
		}
		if len(pl.Missing) != 1 || !slices.Equal(pl.Missing[0].Tried, []string{"skybox/sdn"}) {
			t.Error(pl.Missing)
		}
	}
}

func TestSkiesWithoutASide(t *testing.T) {
	clouds := &world.Texture{Width: 4, Height: 2}
	for _, c := range []struct {
		name   string
		sky    string
		m      world.Material
		clouds bool
		want   string
		issue  string
	}{
		{"clouds of the map", "gfx/env/none_", world.Material{Name: "sky1", Flags: world.Sky, Texture: clouds}, true, "unlit sky",
			"sky-box"},
		{"nothing", "gfx/env/none_", world.Material{Name: "sky1", Flags: world.Sky}, false, "unlit sky", ""},
		{"hidden", "gfx/env/none_", world.Material{Name: "sky1", Flags: world.Sky | world.NoDraw, Texture: clouds}, false, "unlit sky", ""},
		{"a name is not given", "", world.Material{Name: "x", Flags: world.Sky}, false, "unlit sky", ""},
	} {
		w := plantest.Shown(c.m)
		w.Sky.Name = c.sky
		pl, fl := plantest.New(files(map[string]string{"x": "UnlitGeneric { $basetexture a }"}), w, false)
		vp := Planner{Files: fl, Into: pl, Facts: pl.Facts, Options: plan.Options{}}
		known, got := vp.Plan(0, &w.Materials[0], pl.Facts.Visible[0])
		issue := ""
		for _, is := range pl.Issues {
			issue += is.Code
		}
		if text := plantest.Text(pl, 0); !known || got != c.clouds || text != c.want || issue != c.issue {
			t.Errorf("%s: known %t, clouds %t, %s, issues %q", c.name, known, got, text, issue)
		}
	}
}

// DarkPlaces finds the sides of a sky by several names.
func TestNamesOfSkySides(t *testing.T) {
	for _, file := range []string{"gfx/env/xen", "gfx/env/xen_", "env/xen", "env/xen_", "xen", "xen_"} {
		w := plantest.Shown(world.Material{Name: "sky1", Flags: world.Sky})
		w.Sky.Name = "gfx/env/xen"
		fsys := fstest.MapFS{}
		for _, side := range skySides {
			fsys[file+side+".png"] = &fstest.MapFile{}
		}
		if got, want := plantest.Sides(planned(t, fsys, plan.Options{}, w), 0), file+"rt "+file+"bk "; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", file, got)
		}
	}
}

package valve

import (
	"encoding/json"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Proxies that move a texture become motion; what sets another parameter, or nothing, does not.
func TestMotion(t *testing.T) {
	// A VTF 7.2 of 4 x 4 texels in 3 frames: only its header is read.
	head := append([]byte("VTF\x00"), 7, 0, 0, 0, 2, 0, 0, 0, 80, 0, 0, 0, 4, 0, 4, 0, 0, 0, 0, 0, 3, 0, 0, 0)
	head = append(head, make([]byte, 24)...)
	head = append(head, 0, 0, 0, 0, 3, 0, 0, 0, 1) // bump scale, BGRA8888's neighbour RGB888, one mip
	head = append(head, 0xff, 0xff, 0xff, 0xff, 0, 0, 1, 0)
	head = append(head, make([]byte, 80-len(head))...)
	pictures := []string{"f", "f_frame1", "f_frame2"}
	for _, c := range []struct {
		name, proxies, want string
		frames              []string
	}{
		// A quarter turn: the texture goes up by half of itself in a second.
		{"scrolls", "TextureScroll { textureScrollVar $baseTextureTransform textureScrollRate .5 textureScrollAngle 90 }",
			`{"base":[["scale",1,1],["scroll",0,0.5]],"rest":[1,0,0,0,1,0]}`, nil},
		{"scrolls by a parameter", "TextureScroll { texturescrollvar $basetexturetransform texturescrollrate $rate texturescale 2 }",
			`{"base":[["scale",2,2],["scroll",3,0]],"rest":[2,0,0,0,2,0]}`, nil},
		{"scrolls its bumps alone", "TextureScroll { texturescrollvar $bumptransform texturescrollrate 1 }", "null", nil},
		{"stands still", "TextureScroll { texturescrollvar $basetexturetransform texturescrollrate 0 }", "null", nil},
		{"shows frames", "AnimatedTexture { animatedtexturevar $basetexture animatedtextureframenumvar $frame animatedtextureframerate 5 }", `{"fps":5}`, pictures},
		{"shows frames of its bumps", "AnimatedTexture { animatedtexturevar $bumpmap animatedtextureframenumvar $bumpframe }", "null", nil},
	} {
		fs := files(map[string]string{"x": "LightmappedGeneric { $basetexture f $rate 3 $basetexturetransform \"scale 4\" proxies { " + c.proxies + " } }"})
		fs["materials/f.vtf"] = &fstest.MapFile{Data: head}
		w := plantest.Shown(world.Material{Name: "x", Lighting: world.Lightmap})
		o := needed
		o.Frames = true
		pl := planned(t, fs, o, w)
		m := pl.Materials[0].Motion
		got, err := json.Marshal(summary(m))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.name, got, c.want, err)
		}
		var shown []string
		for i := range pl.Images {
			for _, u := range pl.Images[i].Users {
				if u.Role == plan.AsFrame {
					shown = append(shown, pl.Images[i].Name)
				}
			}
		}
		if !slices.Equal(shown, c.frames) {
			t.Errorf("%s: frames %q, want %q", c.name, shown, c.frames)
		}
	}
}

// summary returns a motion without what is empty.
func summary(m *pbr.Motion) map[string]any {
	if m.Still() {
		return nil
	}
	x := map[string]any{}
	if m.Base != nil {
		var list [][]any
		for _, c := range m.Base {
			row := []any{c.Kind}
			for _, n := range c.Numbers {
				row = append(row, float64(int(n*1e6+0.5))/1e6)
			}
			list = append(list, row)
		}
		x["base"], x["rest"] = list, *m.Rest
	}
	if m.Frames != nil {
		x["fps"] = m.FPS
	}
	return x
}

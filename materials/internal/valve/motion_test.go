package valve

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// threeFrames returns the header of a VTF 7.2 of 4 x 4 texels in 3 frames: only it is read.
func threeFrames() []byte {
	head := append([]byte("VTF\x00"), 7, 0, 0, 0, 2, 0, 0, 0, 80, 0, 0, 0, 4, 0, 4, 0, 0, 0, 0, 0, 3, 0, 0, 0)
	head = append(head, make([]byte, 24)...)
	head = append(head, 0, 0, 0, 0, 3, 0, 0, 0, 1) // bump scale, BGRA8888's neighbour RGB888, one mip
	head = append(head, 0xff, 0xff, 0xff, 0xff, 0, 0, 1, 0)
	return append(head, make([]byte, 80-len(head))...)
}

// Proxies that move a texture become motion; what sets another parameter, or nothing, does not.
func TestMotion(t *testing.T) {
	head := threeFrames()
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
		{"ramps of a translation",
			"LinearRamp { rate -2 initialvalue 0.25 resultVar $way[1] } TextureTransform { translatevar $way resultvar $basetexturetransform }",
			`{"base":[["transform",1,0,0,0,1,0],["transform",1,0,7,0,1,0.25],["scroll",0,-2]],"rest":[1,0,7,0,1,0.25]}`, nil},
		{"turns about a centre",
			"LinearRamp { rate $rate resultVar $turn } TextureTransform { centervar $middle scalevar $rate rotatevar $turn resultvar $basetexturetransform }",
			`{"base":[["transform",3,0,0.5,0,3,-0.25],["rotate",-3],["transform",1,0,-0.5,0,1,-0.25]],"rest":[3,0,0,0,3,-0.5]}`, nil},
		{"a translation by a wave", "Sine { resultvar $way[0] } TextureTransform { translatevar $way resultvar $basetexturetransform }",
			"null", nil},
		{"a translation by another proxy",
			"Clamp { resultvar $way } TextureTransform { translatevar $way resultvar $basetexturetransform }", "null", nil},
		{"a transform that stands still", "TextureTransform { translatevar $way resultvar $basetexturetransform }", "null", nil},
		{"a wave of colour, of a shader with a lightmap", "Sine { resultvar $color }", "null", nil},
		{"shows frames", "AnimatedTexture { animatedtexturevar $basetexture animatedtextureframenumvar $frame animatedtextureframerate 5 }",
			`{"fps":5}`, pictures},
		{"shows frames of its bumps", "AnimatedTexture { animatedtexturevar $bumpmap animatedtextureframenumvar $bumpframe }", "null", nil},
	} {
		fs := files(map[string]string{"x": "LightmappedGeneric { $basetexture f $rate 3 $way \"[7 0]\" $turn 0 $middle \"[0 0.25]\" $basetexturetransform \"scale 4\" proxies { " + c.proxies + " } }"})
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
				row = append(row, math.Round(n*1e6)/1e6)
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

// A colour that a Sine sets is as at the time 0, and its wave is motion, where it stays between black and white.
func TestWavesOfColour(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		factor           float32
	}{
		{"of $color2", "$color2 \"[9 9 9]\" proxies { Sine { resultvar $color2 sinemin .2 sinemax 1 sineperiod 4 timeoffset 1 } }",
			`{"Color":"sin 0.6 0.4 -0.25 0.25 of 0.2"}`, 0.03310477},
		{"of $color, which the material does not set", "proxies { Sine { resultvar $color sinemin 1 sinemax 0 } }",
			`{"Color":"sin 0.5 -0.5 0 1 of 0.5"}`, 0.21404114},
		{"too bright", "proxies { Sine { resultvar $color sinemax 2 } }", "", 1},
		{"of the red alone", "proxies { Sine { resultvar $color[0] } }", "", 1},
		{"black at first", "proxies { Sine { resultvar $color timeoffset .25 } }", "", 1},
	} {
		fs := files(map[string]string{"x": "UnlitGeneric { $basetexture f " + c.text + " }"})
		fs["materials/f.vtf"] = &fstest.MapFile{Data: threeFrames()}
		pl := planned(t, fs, needed, plantest.Shown(world.Material{Name: "x", Lighting: world.Lightmap}))
		if got := plantest.Motion(pl, 0); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := pl.Materials[0].BaseColor[0]; math.Abs(float64(got-c.factor)) > 1e-6 {
			t.Errorf("%s: the factor is %g, want %g", c.name, got, c.factor)
		}
	}
}

// A sprite of the map shows the frames of its texture as often as its entity says.
func TestSpritesShowFrames(t *testing.T) {
	for fps, want := range map[float64]int{0: 0, 12.5: 3} {
		fs := files(map[string]string{"x": "Sprite { $basetexture f }"})
		fs["materials/f.vtf"] = &fstest.MapFile{Data: threeFrames()}
		w := plantest.Shown(world.Material{Name: "x", Lighting: world.PerVertex, Blend: world.BlendAdd, Colored: true, FPS: fps})
		w.Props = []world.Prop{{Sprite: &world.Sprite{}}}
		o := needed
		o.Frames = true
		m := planned(t, fs, o, w).Materials[0].Motion
		if want == 0 && m != nil || want > 0 && (m == nil || len(m.Frames) != want || m.FPS != fps) {
			t.Errorf("%g a second: %+v", fps, m)
		}
	}
}

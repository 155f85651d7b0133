package materials

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestMotion(t *testing.T) {
	const multiply = "{ map $lightmap\nblendFunc filter }\n"
	for _, c := range []struct{ name, script, want string }{
		{"nothing moves", "{ map a\ntcMod scale 2 2 }\n" + multiply, ""},
		// The mesh's coordinates have been through the scale.
		{"a scroll after a scale", "{ map a\ntcMod scale 2 4\ntcMod scroll 0.5 0 }\n" + multiply,
			`{"Rest":[2,0,0,0,4,0],"Base":["scale 2 4","scroll 0.5 0"]}`},
		{"the rest", "{ map a\ntcMod rotate 30\ntcMod stretch sin 1 0.5 0 2\ntcMod turb 0 0.25 0.5 1\ntcMod transform 1 2 3 4 5 6 }\n" + multiply,
			`{"Rest":[1,3,5,2,4,6],"Base":["rotate 30","stretch sin 1 0.5 0 2","turb 0.25 0.5 1","transform 1 3 5 2 4 6"]}`},
		{"a wave of colour", "{ map a\nrgbGen wave square 0.5 0.25 0 2 }\n" + multiply, `{"Color":"square 0.5 0.25 0 2 of 0.5"}`},
		{"a wave that stands", "{ map a\nrgbGen wave sin 0.5 0 0 0 }\n" + multiply, ""},
		{"what is added moves alone", "{ map a\ntcMod scale 2 2 }\n" + multiply + "{ map b\nblendFunc add\ntcMod scroll 1 0\nrgbGen wave sin 0.5 0.5 0 1 }",
			`{"Rest":[2,0,0,0,2,0],"Glow":["scroll 1 0"],"GlowColor":"sin 0.5 0.5 0 1 of 0.5"}`},
		{"frames", "{ animMap 4 a b nope d }\n" + multiply, `{"Frames":"a b d","FPS":4}`},
		{"one frame", "{ animMap 4 a }\n" + multiply, ""},
		{"vertices", "deformVertexes wave 100 sin 1 2 0 3\ndeformVertexes bulge 4 5 6\ndeformVertexes move 1 2 3 sin 0 1 0 1\n{ map a }\n" + multiply,
			`{"Deforms":[{"Kind":"wave","Wave":{"Func":"sin","Base":1,"Amp":2,"Phase":0,"Freq":3},"Spread":0.009999999776482582,"Vector":[0,0,0]},` +
				`{"Kind":"bulge","Wave":{"Func":"sin","Base":0,"Amp":0,"Phase":0,"Freq":0},"Spread":0,"Vector":[4,5,6]},` +
				`{"Kind":"move","Wave":{"Func":"sin","Base":0,"Amp":1,"Phase":0,"Freq":1},"Spread":0,"Vector":[1,2,3]}]}`},
		// A picture of layers that move alike moves too; its coordinates are those of the first, here of two repeats.
		{"a picture", "{ map a\ntcMod scroll 1 0 }\n{ map m\nblendFunc blend\ntcMod scroll 1 0 }\n" + multiply, `{"Rest":[1,0,0,0,1,0],"Base":["scroll 1 0","transform 1 0 0 0 1 0"]}`},
		{"a picture of layers that move apart", "{ map a\ntcMod scroll 1 0 }\n{ map m\nblendFunc blend\ntcMod scroll 0 1 }\n" + multiply, ""},
	} {
		o := plainOptions
		o.Frames = true
		set := load(t, textures("a.jpg", "b.jpg", "d.jpg", "m.tga"), "x\n{\n"+c.script+"\n}\n", o, shown(world.Material{Name: "x", Lighting: world.Lightmap}))
		if got := motionText(t, set, set.Materials[0].Motion); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// motionText is a motion as JSON, with changes and waves in the words of a script and pictures by their names.
func motionText(t *testing.T, set *Set, m *pbr.Motion) string {
	t.Helper()
	if m.Still() {
		return ""
	}
	type plain struct {
		Rest             *[6]float64  `json:",omitempty"`
		Base, Glow       []string     `json:",omitempty"`
		Color, GlowColor string       `json:",omitempty"`
		Frames           string       `json:",omitempty"`
		FPS              float64      `json:",omitempty"`
		Deforms          []pbr.Deform `json:",omitempty"`
	}
	out := plain{Rest: m.Rest, FPS: m.FPS, Deforms: m.Deforms}
	number := func(v float64) string { b, _ := json.Marshal(v); return " " + string(b) }
	wave := func(w *pbr.Wave) string {
		return w.Func + number(w.Base) + number(w.Amp) + number(w.Phase) + number(w.Freq)
	}
	list := func(changes []pbr.Change) (texts []string) {
		for _, c := range changes {
			text := c.Kind
			if c.Wave != nil {
				text += " " + wave(c.Wave)
			}
			for _, v := range c.Numbers {
				text += number(v)
			}
			texts = append(texts, text)
		}
		return texts
	}
	out.Base, out.Glow = list(m.Base), list(m.Glow)
	if m.Color != nil {
		out.Color = wave(m.Color) + " of" + number(math.Round(m.ColorRest*1e4)/1e4)
	}
	if m.GlowColor != nil {
		out.GlowColor = wave(m.GlowColor) + " of" + number(math.Round(m.GlowColorRest*1e4)/1e4)
	}
	for k, f := range m.Frames {
		if k > 0 {
			out.Frames += " "
		}
		out.Frames += set.Images[f.Image].Name
	}
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Without frames the first picture stands for all, and files stay as small as they are.
func TestFramesAreAnOption(t *testing.T) {
	set := load(t, textures("a.jpg", "b.jpg"), "x\n{\n{ animMap 4 a b }\n}\n", plainOptions, shown(world.Material{Name: "x", Lighting: world.Fullbright}))
	if !set.Materials[0].Motion.Still() || len(set.Images) != 1 {
		t.Errorf("%+v, %d images", set.Materials[0].Motion, len(set.Images))
	}
}

// An animation of which a picture is broken stands still.
func TestBrokenFrame(t *testing.T) {
	files := textures("a.jpg", "b.jpg")
	files["b.jpg"].Data = []byte("no picture")
	o := plainOptions
	o.Frames = true
	set := load(t, files, "x\n{\n{ animMap 4 a b }\n}\n", o, shown(world.Material{Name: "x", Lighting: world.Fullbright}))
	if !set.Materials[0].Motion.Still() || set.Materials[0].Base.Image < 0 {
		t.Errorf("%+v", set.Materials[0])
	}
}

// Names of Quake and Half-Life say what moves: a + begins an animation, a * or ! a liquid.
func TestNamesThatMove(t *testing.T) {
	texture := func(palette [][3]uint8, index byte) *world.Texture {
		return &world.Texture{Width: 64, Height: 64, Pixels: bytes.Repeat([]byte{index}, 64*64), Palette: palette}
	}
	half := func(index byte) *world.Texture { return texture(ramp(), index) }
	w := shown(world.Material{Name: "+1lamp", Texture: half(1)}, world.Material{Name: "+0lamp", Texture: half(2)}, world.Material{Name: "+alamp", Texture: half(3)},
		world.Material{Name: "!water", Texture: half(4)}, world.Material{Name: "*lava", Texture: texture(nil, 5)}, world.Material{Name: "+0button", Texture: texture(nil, 6)},
		world.Material{Name: "+1button", Texture: texture(nil, 7)}, world.Material{Name: "wall", Texture: half(8)})
	o := plainOptions
	o.Frames = true
	set := load(t, fstest.MapFS{}, "", o, w)
	for i, want := range []string{
		`{"Frames":"+0lamp +1lamp","FPS":10}`, `{"Frames":"+0lamp +1lamp","FPS":10}`, "", `{"Base":["warp 0.125 8 1"]}`, `{"Base":["warp 0.125 8 1"]}`,
		`{"Frames":"+0button +1button","FPS":5}`, `{"Frames":"+0button +1button","FPS":5}`, "",
	} {
		if got := motionText(t, set, set.Materials[i].Motion); got != want {
			t.Errorf("%s: %s, want %s", w.Materials[i].Name, got, want)
		}
	}
	if len(set.Images) != len(w.Materials) {
		t.Errorf("%d images", len(set.Images))
	}
}

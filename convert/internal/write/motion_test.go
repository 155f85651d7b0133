package write_test

import (
	"encoding/json"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// The extras of a material describe its motion, in metres with Y up; the pictures of an animation are textures.
func TestMotionIsInTheExtras(t *testing.T) {
	m := plainMaterial("lava")
	m.Extras = map[string]any{"material": "lava"}
	m.Base.Image, m.Draw.Autosprite = 0, pbr.TurnsToViewer
	m.Motion = &pbr.Motion{
		Rest: &[6]float64{2, 0, 0, 0, 2, 0}, Base: []pbr.Change{{Kind: "scroll", Numbers: []float64{0.5, 0}}},
		Color: &pbr.Wave{Func: "sin", Base: 0.5, Amp: 0.25, Freq: 2}, ColorRest: 0.5,
		Frames: []pbr.Slot{{Image: 0}, {Image: 1}}, FPS: 4,
		Deforms: []pbr.Deform{
			{Kind: "wave", Wave: pbr.Wave{Func: "sin", Base: 8, Amp: 16, Freq: 1}, Spread: 0.01},
			{Kind: "move", Wave: pbr.Wave{Func: "sin", Amp: 1, Freq: 1}, Vector: [3]float64{32, 64, 96}},
			{Kind: "bulge", Vector: [3]float64{3, 32, 5}},
		},
	}
	s := one(strip(3))
	s.Extras = map[string]any{"bsp2gltf_unit": 1.0 / 32}
	s.Images = []scene.Image{{Name: "a", MIME: "image/png", Data: []byte("1"), Element: "texture"},
		{Name: "b", MIME: "image/png", Data: []byte("2"), Element: "texture"}}
	s.Materials = []scene.Material{{Material: m, Lightmap: scene.None}}
	doc, _ := readGLB(t, glb(t, s))
	got, err := json.Marshal(doc.Materials[0].Extras.(map[string]any)["motion"])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"base":[["scroll",0.5,0]],"color":["sin",0.5,0.25,0,2],"color_rest":0.5,` +
		`"deform":[["wave","sin",0.25,0.5,0,1,0.32],["move","sin",0,1,0,1,1,3,-2],["bulge",3,1,5]],` +
		`"facing":"axis","fps":4,"frames":[0,1],"rest":[2,0,0,0,2,0]}`
	if string(got) != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
	if len(doc.Textures) != 2 || *doc.Textures[1].Source != 1 {
		t.Errorf("%d textures", len(doc.Textures))
	}
	if _, taken := m.Extras["motion"]; taken {
		t.Error("the scene was changed")
	}
}

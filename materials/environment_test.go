package materials

import (
	"image/color"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	reflects = "{\nmap r.png\ntcGen environment\n"
	byLight  = "{\nmap $lightmap\nblendFunc filter\n}\n"
)

// With e the reflection's colour, the stages' result is base + Factor·(Color·e - Mean). r.png and m.png are of 128, and m.tga
// lets 1 - 128/255 through.
func TestEnvironment(t *testing.T) {
	const grey = 128.0 / 255
	for _, c := range []struct {
		name, stages        string
		lighting            world.Lighting
		color, mean, factor float64
		vertex              pbr.VertexTint
		emission            bool
	}{
		{"below a picture with holes", reflects + "}\n{\nmap m.tga\nblendFunc blend\n}\n" + byLight, world.Lightmap, 1, grey, 1 - grey, pbr.NoTint, false},
		{"with one added, darker in the light", reflects + "rgbGen oneMinusVertex\n}\n{\nmap m.png\nblendFunc add\n}\n" + byLight, world.Lightmap, 1, 0.6 * grey, 1, pbr.ByRestColor, false},
		{"brighter in the light", reflects + "rgbGen vertex\n}\n" + byLight, world.Lightmap, 1, grey, 1, pbr.ByColor, false},
		{"multiplied later", "{\nmap m.png\n}\n" + reflects + "blendFunc add\nrgbGen const ( 0.5 0.5 0.5 )\n}\n{\nmap m.png\nblendFunc filter\n}\n" + byLight, world.Lightmap, 0.5, 0.5 * grey, grey, pbr.NoTint, false},
		{"after the light", "{\nmap m.png\n}\n" + byLight + reflects + "blendFunc add\n}\n", world.Lightmap, 1, grey, 1, pbr.NoTint, true},
		{"doubled", reflects + "}\n{\nmap $lightmap\nblendFunc GL_DST_COLOR GL_SRC_COLOR\n}\n", world.Lightmap, 1, grey, 1, pbr.NoTint, false},
		{"glass, whose opacity is the mean", reflects + "blendFunc add\n}\n", world.Fullbright, 1, grey, 1 / grey, pbr.NoTint, false},
	} {
		o := plainOptions
		o.Environment = true
		m := load(t, textures("r.png", "m.png", "m.tga"), "x\n{\n"+c.stages+"}\n", o, shown(world.Material{Name: "x", Lighting: c.lighting})).Materials[0]
		e := m.Environment
		if e == nil || e.Image == pbr.NoImage || e.FactorImage != pbr.NoImage || e.Vertex != c.vertex || e.AddsEmission != c.emission {
			t.Errorf("%s: %+v", c.name, e)
			continue
		}
		for k := range 3 {
			if math.Abs(e.Color[k]-c.color)+math.Abs(e.Mean[k]-c.mean)+math.Abs(e.Factor[k]-c.factor) > 0.01 {
				t.Errorf("%s: %+v", c.name, e)
			}
		}
	}
}

func TestEnvironmentVaries(t *testing.T) {
	files := textures("r.png")
	im := filled(8, 8, color.NRGBA{255, 255, 255, 255})
	for i := range len(im.Pix) / 2 {
		im.Pix[i] = 0 // the upper half is clear and black
	}
	files["m.tga"] = tgaFile(im)
	o := plainOptions
	o.Environment = true
	script := "x\n{\n" + reflects + "}\n{\nmap m.tga\nblendFunc blend\n}\n" + byLight + "}\n"
	set := load(t, files, script, o, shown(world.Material{Name: "x", Lighting: world.Lightmap}))
	e := set.Materials[0].Environment
	if e == nil || e.FactorImage == pbr.NoImage || set.Images[e.FactorImage].Name != "x_combined_environment" {
		t.Fatalf("%+v", e)
	}
	share := decoded(t, set, e.FactorImage)
	if up, down := share.NRGBAAt(4, 1), share.NRGBAAt(4, 6); up.R != 255 || down.R != 0 {
		t.Error(up, down)
	}
	o.Environment = false
	if m := load(t, files, script, o, shown(world.Material{Name: "x", Lighting: world.Lightmap})); m.Materials[0].Environment != nil || len(m.Images) != 1 {
		t.Errorf("without the option: %d images, %+v", len(m.Images), m.Materials[0].Environment)
	}
}

func TestEnvironmentOfOneStage(t *testing.T) {
	o := plainOptions
	o.Environment = true
	masked := "x\n{\n{\nmap m.png\n}\n{\nmap m.tga\ntcGen environment\nblendFunc blend\n}\n" + byLight + "}\n"
	if set := load(t, textures("m.png", "m.tga"), masked, o, shown(world.Material{Name: "x", Lighting: world.Lightmap})); set.Materials[0].Environment != nil || len(set.Images) != 1 {
		t.Errorf("a reflection with an alpha of its own: %d images, %+v", len(set.Images), set.Materials[0].Environment)
	}
	script := "x\n{\n" + reflects + "}\n" + reflects + "blendFunc add\n}\n" + byLight + "}\n"
	if m := load(t, textures("r.png"), script, o, shown(world.Material{Name: "x", Lighting: world.Lightmap})).Materials[0]; m.Environment != nil {
		t.Errorf("two reflections: %+v", m.Environment)
	}
}

// What is behind is multiplied by factor at the texel of m.png, 128, and by the light.
func TestBackgroundIsMultiplied(t *testing.T) {
	const (
		grey     = 128.0 / 255
		brighten = "{\nmap m.png\nblendFunc GL_DST_COLOR GL_ONE\n}\n"
	)
	for _, c := range []struct {
		name, stages string
		lighting     world.Lighting
		blend        string
		factor       float64 // of Behind, or 0 if the picture is enough
		through      float64
	}{
		{"brighter", brighten, world.Fullbright, "multiply", 0, 1 + grey},
		{"darker", "{\nmap m.png\nblendFunc filter\n}\n", world.Fullbright, "multiply", 0, grey},
		{"in the light", brighten + byLight, world.Lightmap, "multiply", 1 + grey, 0},
		{"more than doubled", brighten + brighten + brighten, world.Fullbright, "multiply", math.Pow(1+grey, 3), 0},
		{"added", "{\nmap m.png\nblendFunc add\n}\n", world.Fullbright, "add", 0, 0},
		{"blended", "{\nmap m.tga\nblendFunc blend\n}\n" + brighten, world.Fullbright, "", 0, 0},
	} {
		o := plainOptions
		o.Environment = true
		set := load(t, textures("m.png", "m.tga"), "x\n{\n"+c.stages+"}\n", o, shown(world.Material{Name: "x", Lighting: c.lighting}))
		m := set.Materials[0]
		if got, _ := m.Extras["blend"].(string); got != c.blend || (m.Behind != nil) != (c.factor > 0) {
			t.Errorf("%s: %q, %+v", c.name, got, m.Behind)
			continue
		}
		if c.factor > 0 && (math.Abs(m.Behind.Factor[1]-c.factor) > 0.01 || decoded(t, set, m.Behind.Image).NRGBAAt(2, 2) != (color.NRGBA{255, 255, 255, 255})) {
			t.Errorf("%s: %+v", c.name, m.Behind)
		}
		if px := decoded(t, set, m.Base.Image).NRGBAAt(2, 2); c.through > 0 && math.Abs(1+float64(px.A)/255*(2*float64(px.G)/255-1)-c.through) > 0.01 {
			t.Errorf("%s: %v", c.name, px)
		}
		o.Environment = false
		if m := load(t, textures("m.png", "m.tga"), "x\n{\n"+c.stages+"}\n", o, shown(world.Material{Name: "x", Lighting: c.lighting})).Materials[0]; m.Extras["blend"] != nil || m.Behind != nil {
			t.Errorf("%s, without the option: %v", c.name, m.Extras["blend"])
		}
	}
}

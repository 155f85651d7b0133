package write_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// mirror returns a scene of one material with the textures gloss and clear.
func mirror(change func(*scene.Material)) *scene.Scene {
	m := scene.Material{Material: plainMaterial("m"), Lightmap: scene.None}
	m.Reflection = &pbr.Reflection{Roughness: 0.5, Metal: 0.25, Specular: 1, Color: [3]float32{1, 1, 1},
		Slot: pbr.Slot{Image: scene.None, UV: asIs}}
	change(&m)
	s := one(strip(4))
	s.Materials = []scene.Material{m}
	for _, name := range []string{"gloss", "clear"} {
		s.Images = append(s.Images, scene.Image{Name: name, MIME: "image/png", Data: []byte("\x89PNG"), Element: "texture"})
	}
	return s
}

func TestReflectionsAndTransmission(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*scene.Material)
		want   string
	}{
		{"rough", func(m *scene.Material) { m.Reflection = nil },
			`{"name":"m","pbrMetallicRoughness":{"metallicFactor":0}}`},
		{"polished", func(*scene.Material) {},
			`{"name":"m","pbrMetallicRoughness":{"metallicFactor":0.25,"roughnessFactor":0.5}}`},
		{"a mirror", func(m *scene.Material) {
			m.Reflection.Specular, m.Reflection.Color, m.Reflection.IOR = 0.5, [3]float32{25, 12.5, 0}, 1.33
		},
			`{"extensions":{"KHR_materials_ior":{"ior":1.33},"KHR_materials_specular":{"specularColorFactor":[25,12.5,0],"specularFactor":0.5}},` +
				`"name":"m","pbrMetallicRoughness":{"metallicFactor":0.25,"roughnessFactor":0.5}}`},
		{"by a mask", func(m *scene.Material) { m.Reflection.Image, m.Reflection.Masked, m.Reflection.UV[0] = 0, true, 2 },
			`{"extensions":{"KHR_materials_specular":{"specularTexture":{"extensions":{"KHR_texture_transform":{"offset":[0,0],"scale":[2,1]}},"index":0}}},` +
				`"name":"m","pbrMetallicRoughness":{"metallicFactor":0.25,"metallicRoughnessTexture":{"extensions":{"KHR_texture_transform":{"offset":[0,0],"scale":[2,1]}},"index":0},"roughnessFactor":0.5}}`},
		{"by a texture without a mask", func(m *scene.Material) { m.Reflection.Image = 0 },
			`{"name":"m","pbrMetallicRoughness":{"metallicFactor":0.25,"metallicRoughnessTexture":{"index":0},"roughnessFactor":0.5}}`},
		{"in its own colours", func(m *scene.Material) { m.Base.Image, m.Reflection.Tinted = 1, true },
			`{"extensions":{"KHR_materials_specular":{"specularColorTexture":{"index":0}}},` +
				`"name":"m","pbrMetallicRoughness":{"baseColorTexture":{"index":0},"metallicFactor":0.25,"roughnessFactor":0.5}}`},
		{"a picture of two periods", func(m *scene.Material) { m.Base.Image, m.Base.Span, m.Reflection = 1, 2, nil },
			`{"name":"m","pbrMetallicRoughness":{"baseColorTexture":{"extensions":{"KHR_texture_transform":{"offset":[0,0],"scale":[0.5,0.5]}},"index":0},"metallicFactor":0}}`},
		{"a pane", func(m *scene.Material) {
			m.Transmission = &pbr.Transmission{Factor: 0.5, Slot: pbr.Slot{Image: 1, UV: asIs}}
		},
			`{"extensions":{"KHR_materials_transmission":{"transmissionFactor":0.5,"transmissionTexture":{"index":0}}},` +
				`"name":"m","pbrMetallicRoughness":{"metallicFactor":0.25,"roughnessFactor":0.5}}`},
		{"unlit", func(m *scene.Material) { m.Unlit, m.Transmission = true, &pbr.Transmission{Factor: 1} },
			`{"extensions":{"KHR_materials_unlit":{}},"name":"m","pbrMetallicRoughness":{"metallicFactor":0}}`},
	} {
		doc, _ := readGLB(t, glb(t, mirror(c.change)))
		text, err := json.Marshal(doc.Materials[0])
		if err != nil {
			t.Fatal(err)
		}
		var sorted any
		if err := json.Unmarshal(text, &sorted); err != nil {
			t.Fatal(err)
		}
		if text, _ = json.Marshal(sorted); string(text) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, text, c.want)
		}
		if len(doc.ExtensionsRequired) > 0 {
			t.Errorf("%s: %q are required", c.name, doc.ExtensionsRequired)
		}
		for name := range doc.Materials[0].Extensions {
			if !slices.Contains(doc.ExtensionsUsed, name) {
				t.Errorf("%s: %s is not among %q", c.name, name, doc.ExtensionsUsed)
			}
		}
	}
}

// 0.04·12.5·0.5 is 0.25; a roughness of 0.5 is an α of 0.25, and 2/α² - 2 is 30.
func TestOBJReflects(t *testing.T) {
	const dull = "Ks 0 0 0\nillum 1\n"
	for _, c := range []struct {
		change func(*scene.Material)
		want   string
	}{
		{func(m *scene.Material) { m.Reflection.Specular, m.Reflection.Color = 0.5, [3]float32{25, 12.5, 0} },
			"Ks 0.5 0.25 0\nNs 30\nPr 0.5\nPm 0.25\nillum 2\n"},
		{func(m *scene.Material) { m.Reflection = nil }, dull},
		{func(m *scene.Material) { m.Reflection.Image = 0 }, dull},
		{func(m *scene.Material) { m.Unlit = true }, dull},
		{func(m *scene.Material) { m.Emission.Color, m.Emission.Strength = [3]float32{1, 0.5, 0}, 4 }, "Ke 4 2 0\n"},
	} {
		files, err := write.FindFormat("obj").Files(mirror(c.change), "x", "textures")
		if mtl := string(contents(t, files, err)["x.mtl"]); !strings.Contains(mtl, c.want) {
			t.Errorf("%s\nhas no %s", mtl, c.want)
		}
	}
}

package write_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Two primitives that share all slices but the colours share all accessors but those.
func TestSharedSlicesAreWrittenOnce(t *testing.T) {
	a := strip(3)
	a.Colors = make([][4]uint16, 3)
	a.UV2 = a.UV
	b := a
	b.Colors = slices.Clone(a.Colors)
	doc, _ := readGLB(t, glb(t, one(a, b)))
	p, q := doc.Meshes[0].Primitives[0], doc.Meshes[0].Primitives[1]
	for name, at := range q.Attributes {
		if (p.Attributes[name] == at) != (name != gltf.COLOR_0) {
			t.Errorf("%s is accessor %d and %d", name, p.Attributes[name], at)
		}
	}
	if *p.Indices != *q.Indices || len(doc.Accessors) != 6 || p.Attributes[gltf.TEXCOORD_1] != p.Attributes[gltf.TEXCOORD_0] {
		t.Errorf("%d accessors: %v, %v", len(doc.Accessors), p.Attributes, q.Attributes)
	}
}

// If a surface of four layers is in the mesh, one of two layers has weights, too: Blender 4.2 confuses two attributes otherwise.
func TestBlendsOfLayers(t *testing.T) {
	four, two := strip(3), strip(3)
	four.Blends, two.Blend = make([][4]float32, 3), make([]float32, 3)
	if text := string(glb(t, one(two))); !strings.Contains(text, `"_BLEND":`) {
		t.Error("there is no _BLEND")
	}
	doc, _ := readGLB(t, glb(t, one(four, two)))
	for _, p := range doc.Meshes[0].Primitives {
		if _, both := p.Attributes["_BLEND"]; both || p.Attributes["_MULTIBLEND"] == 0 ||
			doc.Accessors[p.Attributes["_MULTIBLEND"]].Count != 3 {
			t.Errorf("%v", p.Attributes)
		}
	}
}

// A clamped texture has mipmaps.
func TestClampedTextures(t *testing.T) {
	s := one(strip(3))
	s.Images = []scene.Image{{Name: "i", MIME: "image/png", Data: []byte("png")}}
	s.Materials[0].Base = pbr.Slot{Image: 0, Clamp: true}
	doc, _ := readGLB(t, glb(t, s))
	sampler := doc.Samplers[*doc.Textures[doc.Materials[0].PBRMetallicRoughness.BaseColorTexture.Index].Sampler]
	if sampler.WrapS != gltf.WrapClampToEdge || sampler.MinFilter != gltf.MinLinearMipMapLinear {
		t.Errorf("%+v", sampler)
	}
}

func TestSkinsAreWrittenAsVariants(t *testing.T) {
	skinned, plain := strip(3), strip(3)
	skinned.Variants = []int{0, 1, 0}
	s := one(skinned, plain)
	s.Materials = append(s.Materials, scene.Material{Material: plainMaterial("n"), Lightmap: scene.None})
	doc, _ := readGLB(t, glb(t, s))
	got, err := json.Marshal([]any{doc.Extensions["KHR_materials_variants"], doc.Meshes[0].Primitives[0].Extensions,
		doc.Meshes[0].Primitives[1].Extensions})
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"variants":[{"name":"skin 0"},{"name":"skin 1"},{"name":"skin 2"}]},` +
		`{"KHR_materials_variants":{"mappings":[{"material":0,"variants":[0,2]},{"material":1,"variants":[1]}]}},null]`
	if string(got) != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// Nodes that may be written as one have their common extras, and the numbers that differ as a list.
func TestInstancesAreOneNode(t *testing.T) {
	s := one(strip(3))
	for i := range 3 {
		n := scene.NewNode(fmt.Sprint("x_", i), 0)
		n.Mesh, n.Instances, n.Translation[0] = 0, scene.InstanceOfPrevious, float64(2*i)
		n.Extras = map[string]any{"index": float64(i), "kind": "static"}
		s.Nodes = append(s.Nodes, n)
	}
	s.Nodes[2].Instances = 3
	doc, bin := readGLB(t, glb(t, s))
	if len(doc.Nodes) != 3 || slices.Contains(doc.ExtensionsRequired, "EXT_mesh_gpu_instancing") {
		t.Fatalf("%d nodes of %d", len(doc.Nodes), len(s.Nodes))
	}
	n := doc.Nodes[2]
	if x := n.Extras.(map[string]any); len(x) != 2 || x["kind"] != "static" || x["indices"] != "0 1 2" {
		t.Errorf("%v", x)
	}
	var x struct{ Attributes map[string]int }
	raw, err := json.Marshal(n.Extensions["EXT_mesh_gpu_instancing"])
	if err == nil {
		err = json.Unmarshal(raw, &x)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(floats(doc, bin, x.Attributes["TRANSLATION"]),
		floats(doc, bin, x.Attributes["ROTATION"])); got != "[0 0 0 2 0 0 4 0 0] [0 0 0 1 0 0 0 1 0 0 0 1]" {
		t.Error(got)
	}
	files, err := write.FindFormat("obj").Files(s, "a", "")
	if obj := string(contents(t, files, err)["a.obj"]); strings.Count(obj, "\nf ") != 4 {
		t.Error("an instance is missing in the .obj")
	}
}

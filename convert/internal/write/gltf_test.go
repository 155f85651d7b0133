package write_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// strip returns a primitive of n vertices that are all used.
func strip(n int) scene.Primitive {
	p := scene.Primitive{Positions: make([][3]float32, n), Normals: make([][3]float32, n), UV: make([][2]float32, n)}
	for i := range n {
		p.Positions[i] = [3]float32{float32(i), float32(i % 2), -1}
		p.Normals[i] = [3]float32{0, 0, 1}
	}
	for i := 0; i+2 < n; i++ {
		p.Indices = append(p.Indices, uint32(i), uint32(i+1), uint32(i+2))
	}
	return p
}

// one returns a scene of one mesh.
func one(p ...scene.Primitive) *scene.Scene {
	n := scene.NewNode("node", 0)
	n.Mesh = 0
	return &scene.Scene{
		Name: "test", Nodes: []scene.Node{scene.NewNode("root", scene.None), n}, Meshes: []scene.Mesh{{Name: "mesh", Primitives: p}},
		Materials: []scene.Material{{Material: plainMaterial("m"), Lightmap: scene.None}},
	}
}

func TestIndicesGrowAt65534Vertices(t *testing.T) {
	for n, want := range map[int]gltf.ComponentType{
		3: gltf.ComponentUshort, 65534: gltf.ComponentUshort, 65535: gltf.ComponentUint, 70000: gltf.ComponentUint,
	} {
		p := strip(n)
		doc, bin := readGLB(t, glb(t, one(p)))
		at := *doc.Meshes[0].Primitives[0].Indices
		if got := doc.Accessors[at].ComponentType; got != want {
			t.Errorf("%d vertices have indices of type %v", n, got)
		}
		if !slices.Equal(indices(doc, bin, at), p.Indices) {
			t.Errorf("%d vertices: the indices are not what they were", n)
		}
		positions := floats(doc, bin, doc.Meshes[0].Primitives[0].Attributes[gltf.POSITION])
		for i, v := range p.Positions {
			if [3]float32(positions[3*i:3*i+3]) != v {
				t.Fatalf("vertex %d is at %v, want %v", i, positions[3*i:3*i+3], v)
			}
		}
		a := doc.Accessors[doc.Meshes[0].Primitives[0].Attributes[gltf.POSITION]]
		if want := []float64{0, 0, -1, float64(n - 1), 1, -1}; !slices.Equal(append(slices.Clone(a.Min), a.Max...), want) {
			t.Errorf("bounds %v %v, want %v", a.Min, a.Max, want)
		}
	}
}

func TestColorsAreNormalized(t *testing.T) {
	p := strip(3)
	p.Colors = [][4]uint16{{1, 2, 3, 4}, {65535, 0, 0, 65535}, {5, 6, 7, 8}}
	p.UV2 = [][2]float32{{0.25, 0.5}, {0, 1}, {1, 0}}
	doc, bin := readGLB(t, glb(t, one(p)))
	a := doc.Meshes[0].Primitives[0].Attributes
	c := doc.Accessors[a[gltf.COLOR_0]]
	if !c.Normalized || c.ComponentType != gltf.ComponentUshort || c.Type != gltf.AccessorVec4 {
		t.Errorf("%+v", c)
	}
	v := doc.BufferViews[*c.BufferView]
	if got, want := bin[v.ByteOffset : v.ByteOffset+v.ByteLength][:10], []byte{1, 0, 2, 0, 3, 0, 4, 0, 255, 255}; !bytes.Equal(got, want) {
		t.Errorf("colours %v, want %v", got, want)
	}
	if got := floats(doc, bin, a[gltf.TEXCOORD_1]); !slices.Equal(got, []float32{0.25, 0.5, 0, 1, 1, 0}) {
		t.Errorf("second set %v", got)
	}
}

func TestASceneWithoutDataHasNoBuffer(t *testing.T) {
	s := &scene.Scene{Name: "empty", Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
	if doc, bin := readGLB(t, glb(t, s)); len(doc.Buffers) != 0 || bin != nil {
		t.Errorf("%d buffers", len(doc.Buffers))
	}
	files, err := write.FindFormat("gltf").Files(s, "empty", "textures")
	if got := contents(t, files, err); len(got) != 1 || got["empty.gltf"] == nil {
		t.Errorf("%d files", len(got))
	}
	contents(t, files, err)
}

func TestMaterials(t *testing.T) {
	m := plainMaterial("full")
	m.BaseColor = [4]float32{0.5, 2, -1, 0.25}
	m.Base.Image, m.Emission.Slot.Image = 0, 1
	m.Emission.Slot.UV = [6]float64{2, 0, 0.5, 0, 3, 0.25}
	m.Emission.Color, m.Emission.Strength = [3]float32{1, 0.5, 3}, 4
	m.Alpha, m.Cutoff, m.Draw.DoubleSided = pbr.Mask, 0.5, true
	m.Extras = map[string]any{"material": "x"}
	s := one(strip(3))
	s.Images = []scene.Image{{Name: "a", MIME: "image/png", Data: []byte("1"), Element: "texture"},
		{Name: "b", MIME: "image/jpeg", Data: []byte("22222"), Element: "texture"},
		{Name: "light", MIME: "image/png", Data: []byte("333"), Clamp: true, Element: "lightmap"}}
	blend, plain, unlit := plainMaterial("blend"), plainMaterial("plain"), m
	blend.Alpha, blend.Base.Image, blend.Base.Clamp = pbr.Blend, 0, true
	unlit.Draw.Unlit = true
	s.Materials = []scene.Material{{Material: m, Lightmap: 2, Intensity: 1.5, Unlit: false, Display: nil},
		{Material: blend, Lightmap: scene.None, Intensity: 0, Unlit: false, Display: nil},
		{Material: plain, Lightmap: 2, Intensity: 1, Unlit: false, Display: nil},
		{Material: plain, Lightmap: scene.None, Intensity: 0, Unlit: true, Display: nil},
		{Material: unlit, Lightmap: scene.None, Intensity: 0, Unlit: false, Display: nil}}
	s.Materials[1].Draw.Nearest = true
	doc, bin := readGLB(t, glb(t, s))

	out := doc.Materials[0]
	for i, want := range map[int]gltf.MagFilter{0: gltf.MagLinear, 1: gltf.MagNearest} {
		at := doc.Materials[i].PBRMetallicRoughness.BaseColorTexture.Index
		if s := doc.Samplers[*doc.Textures[at].Sampler]; s.MagFilter != want {
			t.Errorf("material %d: magnification filter %v, want %v", i, s.MagFilter, want)
		}
	}
	pbr := out.PBRMetallicRoughness
	if *pbr.BaseColorFactor != [4]float64{0.5, 1, 0, 0.25} || *pbr.MetallicFactor != 0 || out.AlphaMode != gltf.AlphaMask ||
		*out.AlphaCutoff != 0.5 || !out.DoubleSided {
		t.Errorf("%+v", out)
	}
	if out.EmissiveFactor != [3]float64{1, 0.5, 1} || out.EmissiveTexture == nil {
		t.Errorf("emission %v", out.EmissiveFactor)
	}
	// MOZ_lightmap always has an intensity and a texture coordinate set: Hubs' importer fails without them.
	for i, want := range map[int]string{0: `{"index":2,"intensity":1.5,"texCoord":1}`, 2: `{"index":2,"intensity":1,"texCoord":1}`} {
		if got := string(doc.Materials[i].Extensions["MOZ_lightmap"].(json.RawMessage)); got != want {
			t.Errorf("material %d: MOZ_lightmap %s, want %s", i, got, want)
		}
	}
	transform, _ := json.Marshal(out.EmissiveTexture.Extensions["KHR_texture_transform"])
	if string(transform) != `{"offset":[0.5,0.25],"scale":[2,3]}` {
		t.Errorf("transform %s", transform)
	}
	if got := string(out.Extensions["KHR_materials_emissive_strength"].(json.RawMessage)); got != `{"emissiveStrength":4}` {
		t.Errorf("strength %s", got)
	}
	for _, i := range []int{3, 4} {
		if got := doc.Materials[i]; got.Extensions["KHR_materials_unlit"] == nil || got.EmissiveFactor != [3]float64{} {
			t.Errorf("material %d: %+v", i, got)
		}
	}
	if doc.Materials[1].AlphaMode != gltf.AlphaBlend {
		t.Error("no blend")
	}
	// An image that is clamped in one material and repeats in another has two textures. Lightmaps are clamped, without mipmaps.
	repeat, clamp := doc.Textures[pbr.BaseColorTexture.Index], doc.Textures[doc.Materials[1].PBRMetallicRoughness.BaseColorTexture.Index]
	if *repeat.Source != 0 || *clamp.Source != 0 || doc.Samplers[*repeat.Sampler].WrapS != gltf.WrapRepeat ||
		doc.Samplers[*clamp.Sampler].WrapS != gltf.WrapClampToEdge {
		t.Error("the samplers are wrong")
	}
	if light := doc.Samplers[*doc.Textures[2].Sampler]; light.WrapT != gltf.WrapClampToEdge || light.MinFilter != gltf.MinLinear ||
		*doc.Textures[2].Source != 2 {
		t.Errorf("the lightmap's sampler: %+v", light)
	}
	if want := []string{"KHR_materials_emissive_strength", "KHR_materials_unlit", "KHR_texture_transform",
		"MOZ_lightmap"}; !slices.Equal(slices.Sorted(slices.Values(doc.ExtensionsUsed)), want) || len(doc.ExtensionsRequired) > 0 {
		t.Errorf("extensions %v, required %v", doc.ExtensionsUsed, doc.ExtensionsRequired)
	}
	for i, im := range doc.Images {
		v := doc.BufferViews[*im.BufferView]
		if !bytes.Equal(bin[v.ByteOffset:v.ByteOffset+v.ByteLength], s.Images[i].Data) || im.MimeType != s.Images[i].MIME {
			t.Errorf("image %d is not what it was", i)
		}
	}
}

func TestWebPIsRequired(t *testing.T) {
	s := one(strip(3))
	s.Images = []scene.Image{{Name: "a", MIME: "image/webp", Data: []byte("1"), Element: "texture"}}
	s.Materials[0].Base.Image = 0
	doc, _ := readGLB(t, glb(t, s))
	if !slices.Equal(doc.ExtensionsRequired, []string{"EXT_texture_webp"}) || doc.Textures[0].Source != nil {
		t.Errorf("required %v, texture %+v", doc.ExtensionsRequired, doc.Textures[0])
	}
}

func TestImageNamesAreUnique(t *testing.T) {
	s := one(strip(3))
	for _, name := range []string{"lightmap_0", "Lightmap_0", strings.Repeat("x", 80)} {
		s.Images = append(s.Images, scene.Image{Name: name, MIME: "image/png", Data: []byte("1"), Element: "texture"})
	}
	doc, _ := readGLB(t, glb(t, s))
	if doc.Images[0].Name != "lightmap_0" || doc.Images[1].Name != "Lightmap_0_2" || len(doc.Images[2].Name) > 63 {
		t.Errorf("%q %q %q", doc.Images[0].Name, doc.Images[1].Name, doc.Images[2].Name)
	}
}

func TestGLTFFilesBelongTogether(t *testing.T) {
	p := strip(3)
	s := one(p)
	for _, name := range []string{"textures/a b#1%", "textures/ü", "../../up", "textures/ok", "lightmap_0"} {
		s.Images = append(s.Images, scene.Image{Name: name, MIME: "image/png", Data: []byte(name), Element: "texture"})
	}
	files, err := write.FindFormat("gltf").Files(s, "my map%20 #1", "textures")
	got := contents(t, files, err)
	if last := files[len(files)-1].Name; last != "my map%20 #1.gltf" {
		t.Errorf("the last file is %q", last)
	}
	doc := &gltf.Document{}
	if err := json.Unmarshal(got["my map%20 #1.gltf"], doc); err != nil {
		t.Fatal(err)
	}
	file := func(uri string) []byte {
		u, err := url.Parse(uri)
		if err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" || strings.HasPrefix(uri, "/") {
			t.Fatalf("URI %q: %v", uri, err)
		}
		data, ok := got[u.Path]
		if !ok {
			t.Fatalf("URI %q names no file", uri)
		}
		return data
	}
	scenetest.CheckDocument(t, doc, file(doc.Buffers[0].URI))
	for i, im := range doc.Images {
		if string(file(im.URI)) != s.Images[i].Name || im.BufferView != nil || !strings.HasPrefix(im.URI, "textures/") {
			t.Errorf("image %d: %+v", i, im)
		}
	}
	if doc.Images[3].URI != "textures/ok.png" {
		t.Errorf("a safe name became %q", doc.Images[3].URI)
	}
	for _, bad := range [][2]string{{"", "t"}, {"a/b", "t"}, {`a\b`, "t"}, {"..", "t"}, {"a", "../t"}, {"a", "/t"}, {"a", "t/"}} {
		if _, err := write.FindFormat("gltf").Files(s, bad[0], bad[1]); !errors.Is(err, limit.ErrUsage) {
			t.Errorf("GLTF to %q: %v", bad, err)
		}
		if _, err := write.FindFormat("obj").Files(s, bad[0], bad[1]); !errors.Is(err, limit.ErrUsage) {
			t.Errorf("OBJ to %q: %v", bad, err)
		}
	}
}

func TestWritersPassErrorsOn(t *testing.T) {
	s := one(strip(70000))
	s.Images = []scene.Image{{Name: "a", MIME: "image/png", Data: make([]byte, 70000), Element: "texture"}}
	want := errors.New("full")
	whole := len(glb(t, s))
	for _, n := range []int{0, 11, 19, 500, whole / 2, whole - 1} {
		if err := write.WriteGLB(&failing{n, want}, s); !errors.Is(err, want) {
			t.Errorf("GLB after %d bytes: %v", n, err)
		}
	}
	for _, format := range []string{"gltf", "obj"} {
		files, err := write.FindFormat(format).Files(s, "a", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if n, err := f.WriteTo(&failing{10, want}); !errors.Is(err, want) || n > 10 {
				t.Errorf("%s: %v after %d", f.Name, err, n)
			}
		}
	}
}

func TestMoreThan4GiBIsAnError(t *testing.T) {
	s := one(strip(3))
	data := make([]byte, 1<<20) // the same megabyte 4096 times
	for i := range 4096 {
		s.Images = append(s.Images, scene.Image{Name: fmt.Sprint(i), MIME: "image/png", Data: data, Element: "texture"})
	}
	if err := write.WriteGLB(&failing{0, errors.New("something was written")}, s); !errors.Is(err, limit.ErrLimit) {
		t.Errorf("%v", err)
	}
}

func TestNodesLightsCameras(t *testing.T) {
	s := one(strip(3))
	n := scene.NewNode("spot", 1)
	n.Translation, n.Rotation, n.Light, n.Camera = [3]float64{1, 2, 3}, [4]float64{0, 1, 0, 0}, 0, 0
	n.Extras = map[string]any{"b": "2", "a": 1.5, "c": true}
	s.Nodes = append(s.Nodes, n)
	s.Lights = []scene.Light{{Name: "spot", Kind: world.SpotLight, Color: [3]float64{1, 0.5, 0}, Intensity: 10, Range: 5, Inner: 0.1,
		Outer: 0.2}, {Name: "point", Color: [3]float64{1, 1, 1}, Intensity: 2, Range: 3},
		{Name: "sun", Kind: world.SunLight, Color: [3]float64{1, 1, 1}, Intensity: 4, Range: 3},
		{Name: "endless", Color: [3]float64{1, 1, 1}, Intensity: 2},
		{Name: "default", Kind: world.SpotLight, Color: [3]float64{1, 1, 1}, Intensity: 3, Inner: 0.3, Outer: math.Pi / 4}}
	s.Cameras = []scene.Camera{{Name: "cam", YFov: 1, Aspect: 1.5, ZNear: 0.1, ZFar: 100}}
	s.Extras = map[string]any{"bsp2gltf_map": "x"}
	s.Grid = &scene.Grid{Scale: 2.5, Size: [3]int{2, 1, 1}, Ambient: [][3]uint8{{1, 2, 3}, {4, 5, 6}}, Directed: make([][3]uint8, 2),
		Toward: [][3]int8{{127, 0, -127}, {}}}
	data := glb(t, s)
	doc, _ := readGLB(t, data)
	if !slices.Equal(doc.Scenes[0].Nodes, []int{0}) || !slices.Equal(doc.Nodes[0].Children, []int{1}) ||
		!slices.Equal(doc.Nodes[1].Children, []int{2}) {
		t.Error("the tree is wrong")
	}
	text := string(data)
	for _, want := range []string{
		`"extras":{"a":1.5,"b":"2","c":true}`, `"rotation":[0,1,0,0]`, `"translation":[1,2,3]`,
		`"perspective":{"aspectRatio":1.5,"yfov":1,"zfar":100,"znear":0.1}`,
		`{"type":"spot","name":"spot","color":[1,0.5,0],"intensity":10,"range":5,"spot":{"innerConeAngle":0.1,"outerConeAngle":0.2}}`,
		`{"type":"spot","name":"default","intensity":3,"spot":{"innerConeAngle":0.3,"outerConeAngle":0.7853981633974482}}`,
		`{"type":"directional","name":"sun","intensity":4}`, `{"type":"point","name":"endless","intensity":2}`,
		`"scale":2.5,"size":[2,1,1]`, `"bsp2gltf_map":"x"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %.3000s", want, text)
		}
	}
	if len(s.Extras) != 1 {
		t.Error("writing changed the scene's extras")
	}
}

func BenchmarkWriteGLB(b *testing.B) {
	s := one(strip(200_000))
	size := len(glb(b, s))
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if err := write.WriteGLB(&failing{size, nil}, s); err != nil {
			b.Fatal(err)
		}
	}
}

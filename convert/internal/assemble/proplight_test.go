package assemble

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// triangle is a surface of a model, with texture coordinates from 0 to 1.
func triangle(material int, skins ...int) world.Surface {
	t := &world.Triangles{Indices: []uint32{0, 1, 2}}
	for _, c := range [3][2]float32{{0, 0}, {1, 0}, {1, 1}} {
		t.Vertices = append(t.Vertices, world.Vertex{Position: [3]float32{c[0] * 32, c[1] * 32, 0}, Normal: [3]float32{0, 0, 1}, UV: c, Color: [4]float32{1, 1, 1, 1}})
	}
	return world.Surface{Shape: t, Material: material, Chart: world.NoChart, Fog: -1, Skins: skins}
}

// standing is a map of static props of one model. The model has two surfaces of one material and one of another.
func standing(props ...world.Prop) (*world.World, []pbr.Material) {
	w := &world.World{
		Unit: 1.0 / 32, Materials: []world.Material{{Name: "a"}, {Name: "b"}}, Entities: []world.Entity{entity(0, "classname", "worldspawn")},
		Models: []world.Model{{Name: "*0"}, {Name: "models/x.mdl", Surfaces: []world.Surface{triangle(0), triangle(1), triangle(0)}}},
	}
	for i, p := range props {
		p.Kind, p.Model, p.Index, p.Entity, p.Record = world.StaticProp, "models/x.mdl", 1, world.NoEntity, i
		p.Scale, p.Draw.Tint, p.Origin = [3]float32{1, 1, 1}, [4]uint8{255, 255, 255, 255}, [3]float32{float32(i) * 64, 0, 0}
		w.Props = append(w.Props, p)
	}
	a, b := plainMaterial("a"), plainMaterial("b")
	a.Draw.Unlit, a.Vertex.Color, b.Draw.Unlit, b.Vertex.Color = true, true, true, true
	return w, []pbr.Material{a, b}
}

// even is the same light on three vertices.
func even(light float32) []world.RGB {
	c := world.NewRGB(light, light, light)
	return []world.RGB{c, c, c}
}

// colorOf is a value of COLOR_0.
func colorOf(s *scene.Scene, mesh, primitive, vertex int) [4]uint16 {
	return s.Meshes[mesh].Primitives[primitive].Colors[vertex]
}

func TestPropsWithLightShareAllButColours(t *testing.T) {
	shared := [][]world.RGB{even(0.25), nil, even(0.5)}
	w, mats := standing(world.Prop{}, world.Prop{Light: world.PropLight{Colors: shared}}, world.Prop{Light: world.PropLight{Colors: [][]world.RGB{even(1), even(0), nil}}}, world.Prop{Light: world.PropLight{Colors: shared}}, world.Prop{})
	s, _ := literal(t, defaults(), w, mats...)
	var meshes []int
	for i := range s.Nodes {
		if s.Nodes[i].Mesh != scene.None {
			meshes = append(meshes, s.Nodes[i].Mesh)
		}
	}
	if !slices.Equal(meshes, []int{0, 1, 2, 1, 0}) || len(s.Meshes) != 3 {
		t.Fatalf("%v of %d meshes", meshes, len(s.Meshes))
	}
	// Both surfaces of the first material are one primitive of six vertices.
	for i, want := range []struct {
		primitive, vertex int
		color             uint16
	}{{0, 0, 16384}, {0, 3, 32768}, {1, 0, 65535}} {
		if got := colorOf(s, 1, want.primitive, want.vertex); got != [4]uint16{want.color, want.color, want.color, 65535} {
			t.Errorf("%d: %d, want %d", i, got, want.color)
		}
	}
	if colorOf(s, 2, 0, 0)[0] != 65535 || colorOf(s, 2, 1, 2)[0] != 0 || colorOf(s, 2, 0, 5)[0] != 65535 {
		t.Error(s.Meshes[2].Primitives)
	}
	doc, _ := readGLB(t, glb(t, s))
	for i := range 2 {
		a, b := doc.Meshes[0].Primitives[i], doc.Meshes[1].Primitives[i]
		for name, at := range b.Attributes {
			if (a.Attributes[name] == at) != (name != "COLOR_0") {
				t.Errorf("primitive %d: %s is accessor %d and %d", i, name, a.Attributes[name], at)
			}
		}
		if *a.Indices != *b.Indices || *a.Material != *b.Material {
			t.Errorf("primitive %d: %+v, %+v", i, a, b)
		}
	}
	files, err := write.OBJ(s, "a", "")
	if obj := string(contents(t, files, err)["a.obj"]); strings.Count(obj, "\no ") != 5 || strings.Count(obj, "\nf ") != 15 {
		t.Error(obj)
	}
}

// Where all props have light, the first takes the place of the model's mesh, and no mesh is unused.
func TestTheFirstLitPropIsTheModelsMesh(t *testing.T) {
	w, mats := standing(world.Prop{Light: world.PropLight{Colors: [][]world.RGB{even(0.25), even(0.25), even(0.25)}}}, world.Prop{Light: world.PropLight{Colors: [][]world.RGB{even(0.5), even(0.5), even(0.5)}}})
	s, _ := literal(t, defaults(), w, mats...)
	if len(s.Meshes) != 2 || colorOf(s, 0, 0, 0)[0] != 16384 || colorOf(s, 1, 1, 0)[0] != 32768 {
		t.Errorf("%d meshes: %+v", len(s.Meshes), s.Meshes)
	}
	doc, _ := readGLB(t, glb(t, s))
	if n := len(doc.Accessors); n != 2*5+2 {
		t.Errorf("%d accessors", n)
	}
}

// Light of (2, 1, 0) is shown as (1, 0.5, 0). A prop counts once, and two props with the same light count as two.
func TestLightBeyondWhiteKeepsItsHue(t *testing.T) {
	orange, white := world.NewRGB(2, 1, 0), world.NewRGB(1.009, 1.009, 1.009)
	for _, carrier := range []string{"moz", "vertex"} {
		shared := [][]world.RGB{{orange, orange, orange}, {orange, orange, orange}, nil}
		w, mats := standing(world.Prop{Light: world.PropLight{Colors: shared}}, world.Prop{Light: world.PropLight{Colors: shared}}, world.Prop{Light: world.PropLight{Colors: [][]world.RGB{{white, white, white}, nil, nil}}}, world.Prop{})
		s, r := literal(t, set(t, "lightmap.carrier="+carrier), w, mats...)
		if got := colorOf(s, 1, 0, 0); got != [4]uint16{65535, 32768, 0, 65535} {
			t.Errorf("%s: %v", carrier, got)
		}
		if m := s.Materials[0]; !m.Material.Draw.Unlit || m.Lightmap != scene.None {
			t.Errorf("%s: %+v", carrier, m)
		}
		want := world.Issue{Code: "prop-light-cut", Where: "map", Detail: "the light on props is beyond white: it is shown as white of its hue", Count: 2}
		if len(r.Issues) != 1 || r.Issues[0] != want || r.Complaints() != 0 {
			t.Errorf("%s: %+v", carrier, r.Issues)
		}
	}
}

// shining is the map of standing with vertex-lit materials, the first of which emits red light.
func shining(props ...world.Prop) (*world.World, []pbr.Material) {
	w, mats := standing(props...)
	w.Materials[0].Lighting, w.Materials[1].Lighting = world.PerVertex, world.PerVertex
	mats[0].Emission.Color = [3]float32{1, 0, 0}
	return w, mats
}

// An emissive material has a white lightmap instead of being unlit; with the vertex carrier it is half lit where it
// emits light.
func TestPropsShine(t *testing.T) {
	dark := world.Prop{Light: world.PropLight{Colors: [][]world.RGB{even(0.25), even(0.25), nil}}}
	w, mats := shining(dark)
	s, _ := literal(t, defaults(), w, mats...)
	a, b := s.Materials[0], s.Materials[1]
	if a.Lightmap == scene.None || s.Images[a.Lightmap].Name != "white" || a.Intensity != 1 || a.Material.Draw.Unlit || a.Emission.Color != [3]float32{1, 0, 0} || b.Lightmap != scene.None || !b.Material.Draw.Unlit {
		t.Errorf("%+v\n%+v", a, b)
	}
	if got := colorOf(s, 0, 0, 0); got != [4]uint16{16384, 16384, 16384, 65535} {
		t.Error(got)
	}
	if im, _, err := picture.Decode(s.Images[a.Lightmap].Data, "white.png", nil); err == nil && im.NRGBAAt(0, 0).R != 255 {
		t.Error(im)
	}
	doc, _ := readGLB(t, glb(t, s))
	lit, unlit := doc.Meshes[0].Primitives[0], doc.Meshes[0].Primitives[1]
	if _, ok := unlit.Attributes["TEXCOORD_1"]; lit.Attributes["TEXCOORD_1"] != lit.Attributes["TEXCOORD_0"] || ok {
		t.Errorf("the white image has coordinates of its own: %v, %v", lit.Attributes, unlit.Attributes)
	}
	if m := doc.Materials[0]; m.EmissiveFactor != [3]float64{1, 0, 0} || m.Extensions["KHR_materials_unlit"] != nil {
		t.Errorf("%+v", m)
	}
	w, mats = shining(dark)
	s, _ = literal(t, set(t, "lightmap.carrier=vertex"), w, mats...)
	if m := s.Materials[0]; !m.Material.Draw.Unlit || m.Lightmap != scene.None || m.Emission.Color != [3]float32{} {
		t.Errorf("%+v", m)
	}
	for primitive, want := range [][4]uint16{{32768, 16384, 16384, 65535}, {16384, 16384, 16384, 65535}} {
		if got := colorOf(s, 0, primitive, 0); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// The first surface's chart is 2 luxels wide, black and white; the second has none, the third is grey.
func TestPropsWithCharts(t *testing.T) {
	make := func() (*world.World, []pbr.Material) {
		w, mats := standing(world.Prop{Light: world.PropLight{Charts: []int{0, world.NoChart, 1}}}, world.Prop{})
		white, grey := world.NewRGB(1, 1, 1), world.NewRGB(0.5, 0.5, 0.5)
		w.Baked.Charts = []world.Chart{{Width: 2, Height: 1, Layers: []world.Layer{{Luxels: []world.RGB{{}, white}}}}, {Width: 1, Height: 1, Layers: []world.Layer{{Luxels: []world.RGB{grey}}}}}
		return w, mats
	}
	w, mats := make()
	p := defaults()
	meshes, err := geometry.Build(limit.WithDefaults(t.Context()), w, p.Geometry)
	if err != nil {
		t.Fatal(err)
	}
	atlas, err := lightmap.Bake(limit.WithDefaults(t.Context()), lightmap.Input{World: w, Effort: picture.Fast}, p.Lightmap)
	if err != nil {
		t.Fatal(err)
	}
	s, err := assemble(limit.WithDefaults(t.Context()), p, w, meshes, atlas, &materials.Set{Materials: mats}, nil, report.New("test", 100))
	if err != nil {
		t.Fatal(err)
	}
	prims := s.Meshes[1].Primitives
	if len(s.Meshes) != 2 || len(prims) != 2 || prims[0].Colors != nil || prims[1].Colors == nil || prims[1].UV2 != nil {
		t.Fatalf("%+v", s.Meshes)
	}
	if m := s.Materials[prims[0].Material]; m.Lightmap == scene.None || m.Material.Draw.Unlit || m.Vertex.Color || !s.Materials[prims[1].Material].Material.Draw.Unlit {
		t.Errorf("%+v", m)
	}
	for i, want := range [][2]float32{atlas.UV(0, [2]float32{0, 0}), atlas.UV(0, [2]float32{2, 0}), atlas.UV(0, [2]float32{2, 1}), atlas.UV(1, [2]float32{0, 0})} {
		if got := prims[0].UV2[i]; got != want {
			t.Errorf("vertex %d is at %v, want %v", i, got, want)
		}
	}
	readGLB(t, glb(t, s))
	w, mats = make()
	s, _ = literal(t, set(t, "lightmap.carrier=vertex"), w, mats...)
	for i, want := range []uint16{0, 65535, 65535, 32768} {
		if got := colorOf(s, 1, 0, i)[0]; got != want {
			t.Errorf("vertex %d is %d, want %d", i, got, want)
		}
	}
}

// Surfaces that are on two pages become two primitives, which share their vertices.
func TestChartsOnTwoPages(t *testing.T) {
	w, mats := standing(world.Prop{Light: world.PropLight{Charts: []int{0, world.NoChart, 1}}})
	for range 2 {
		w.Baked.Charts = append(w.Baked.Charts, world.Chart{Width: 300, Height: 300, Layers: []world.Layer{{Luxels: make([]world.RGB, 300*300)}}})
	}
	s, _ := literal(t, set(t, "lightmap.page_size=256"), w, mats...)
	mesh := s.Meshes[len(s.Meshes)-1]
	if len(mesh.Primitives) != 3 {
		t.Fatalf("%+v", mesh)
	}
	a, b := mesh.Primitives[0], mesh.Primitives[1]
	if !slices.Equal(a.Indices, []uint32{0, 1, 2}) || !slices.Equal(b.Indices, []uint32{3, 4, 5}) || a.Material == b.Material || &a.Positions[0] != &b.Positions[0] {
		t.Errorf("%+v\n%+v", a, b)
	}
	readGLB(t, glb(t, s))
}

func TestSkinsAreVariants(t *testing.T) {
	w, mats := shining(world.Prop{}, world.Prop{Light: world.PropLight{Colors: [][]world.RGB{even(0.5), nil, nil}}})
	mats[0].Emission.Color, mats[1].Emission.Color = mats[1].Emission.Color, mats[0].Emission.Color
	w.Models[1].Surfaces = []world.Surface{triangle(0, 0, 1, 0), triangle(0), triangle(1)}
	s, _ := literal(t, defaults(), w, mats...)
	prims := s.Meshes[0].Primitives
	if len(prims) != 3 || !slices.Equal(prims[0].Variants, []int{0, 1, 0}) || prims[1].Variants != nil || prims[1].Material != 0 || len(s.Materials) != 2 {
		t.Fatalf("%+v", prims)
	}
	if s.Materials[0].Lightmap != scene.None || s.Materials[1].Lightmap == scene.None || prims[0].UV2 == nil || prims[1].UV2 != nil || prims[2].UV2 == nil {
		t.Error("the second skin has a white lightmap, and what may wear it coordinates for that")
	}
	doc, _ := readGLB(t, glb(t, s))
	got, err := json.Marshal([]any{doc.Extensions["KHR_materials_variants"], doc.Meshes[0].Primitives[0].Extensions, doc.Meshes[1].Primitives[0].Extensions})
	if err != nil {
		t.Fatal(err)
	}
	mapping := `{"KHR_materials_variants":{"mappings":[{"material":0,"variants":[0,2]},{"material":1,"variants":[1]}]}}`
	if want := `[{"variants":[{"name":"skin 0"},{"name":"skin 1"},{"name":"skin 2"}]},` + mapping + "," + mapping + "]"; string(got) != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// Props of one mesh share one node, which has their common properties. Props with baked light, children and named entities are
// separate nodes.
func TestInstances(t *testing.T) {
	w, mats := standing(world.Prop{}, world.Prop{}, world.Prop{Light: world.PropLight{Colors: [][]world.RGB{even(0.5), nil, nil}}}, world.Prop{})
	w.Props[3].Look.Skin = 1
	w.Entities = append(w.Entities, entity(world.NoModel, "classname", "prop_dynamic"), entity(world.NoModel, "classname", "prop_dynamic", "targetname", "n"),
		entity(world.NoModel, "classname", "prop_dynamic"))
	for i := range 3 {
		w.Props = append(w.Props, world.Prop{Model: "models/x.mdl", Index: 1, Entity: i + 1, Scale: [3]float32{2, 2, 2}})
	}
	w.Lights = []world.Light{{Entity: world.NoEntity, Intensity: 1}}
	s, r := literal(t, set(t, "output.instancing=gpu", "entities.nodes=false"), w, mats...)
	doc, bin := readGLB(t, glb(t, s))
	if len(doc.Nodes) != len(s.Nodes)-3 || r.Props.Meshes != 7 || slices.Contains(doc.ExtensionsRequired, "EXT_mesh_gpu_instancing") {
		t.Fatalf("%d nodes of %d", len(doc.Nodes), len(s.Nodes))
	}
	static, entities := doc.Nodes[len(doc.Nodes)-2], doc.Nodes[len(doc.Nodes)-1]
	if got := text(static.Extras.(map[string]any)); got != ` {"flags":0,"indices":"0 1 3","kind":"static","model":"models/x.mdl","solid":0}` || static.Name != "x" || entities.Extras != nil {
		t.Error(got, static.Name, entities.Extras)
	}
	var x struct{ Attributes map[string]int }
	raw, err := json.Marshal(static.Extensions["EXT_mesh_gpu_instancing"])
	if err == nil {
		err = json.Unmarshal(raw, &x)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(floats(doc, bin, x.Attributes["TRANSLATION"]), floats(doc, bin, x.Attributes["ROTATION"])); got != "[0 0 0 2 0 0 6 0 0] [0 0 0 1 0 0 0 1 0 0 0 1]" {
		t.Error(got)
	}
	if n := s.Nodes[len(s.Nodes)-2:]; n[0].Instances != 2 || n[1].Instances != scene.InstanceOfPrevious {
		t.Errorf("%+v", n)
	}
	files, err := write.OBJ(s, "a", "")
	if obj := string(contents(t, files, err)["a.obj"]); strings.Count(obj, "\nf ") != 21 {
		t.Error("a prop is missing in the .obj")
	}
}

// BenchmarkProps assembles and writes 5000 props of 10 models with 2000 vertices, with and without baked light for
// each prop.
func BenchmarkProps(b *testing.B) {
	for _, lit := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "lit"}[lit], func(b *testing.B) {
			w, mats := standing(make([]world.Prop, 5000)...)
			w.Models = w.Models[:1]
			for range 10 {
				s := triangle(0)
				t := s.Shape.(*world.Triangles)
				for len(t.Vertices) < 2000 {
					n := uint32(len(t.Vertices))
					t.Vertices, t.Indices = append(t.Vertices, t.Vertices[:3]...), append(t.Indices, n, n+1, n+2)
				}
				w.Models = append(w.Models, world.Model{Name: "x.mdl", Surfaces: []world.Surface{s}})
			}
			for i := range w.Props {
				w.Props[i].Index = 1 + i%10
				if lit {
					colors := make([]world.RGB, 2001)
					colors[i%2000] = world.NewRGB(1, 0.5, 0.25)
					w.Props[i].Light.Colors = [][]world.RGB{colors}
				}
			}
			p := defaults()
			b.ReportAllocs()
			for b.Loop() {
				meshes, err := geometry.Build(limit.WithDefaults(b.Context()), w, p.Geometry)
				if err != nil {
					b.Fatal(err)
				}
				s, err := assemble(limit.WithDefaults(b.Context()), p, w, meshes, &lightmap.Atlas{}, &materials.Set{Materials: mats}, nil, report.New("test", 100))
				if err != nil {
					b.Fatal(err)
				}
				size := &tallied{}
				if err := write.WriteGLB(size, s); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(size.n)
			}
		})
	}
}

// tallied is a writer that counts its bytes.
type tallied struct{ n int64 }

func (t *tallied) Write(b []byte) (int, error) {
	t.n += int64(len(b))
	return len(b), nil
}

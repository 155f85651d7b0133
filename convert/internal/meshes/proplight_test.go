package meshes

import (
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// standing returns a map of static props of one model. The model has two surfaces of one material and one of another, both lit by vertex.
func standing(lights ...world.PropLight) (*world.World, []pbr.Material) {
	w := &world.World{
		Materials: []world.Material{{Name: "a"}, {Name: "b"}},
		Models:    []world.Model{{Name: "*0"}, {Name: "models/x.mdl", Surfaces: []world.Surface{triangle(0), triangle(1), triangle(0)}}},
	}
	for _, l := range lights {
		w.Props = append(w.Props, world.Prop{Kind: world.StaticProp, Index: 1, Entity: world.NoEntity, Light: l})
	}
	a, b := plainMaterial("a"), plainMaterial("b")
	a.Draw.Unlit, a.Vertex.Color, b.Draw.Unlit, b.Vertex.Color = true, true, true, true
	return w, []pbr.Material{a, b}
}

// even returns the same light on three vertices.
func even(light float32) []world.RGB {
	c := world.NewRGB(light, light, light)
	return []world.RGB{c, c, c}
}

// colors returns light on the vertices of three surfaces.
func colors(a, b, c []world.RGB) world.PropLight {
	return world.PropLight{Colors: [][]world.RGB{a, b, c}}
}

func TestPropsOfOneLightAreOneStream(t *testing.T) {
	shared := colors(even(1), nil, nil)
	props := []world.Prop{{Index: 1}, {Index: 1, Light: shared}, {Index: 2, Light: shared}, {Index: 1, Light: shared},
		{Index: world.NoModel, Light: shared},
		{Index: 1, Light: world.PropLight{Charts: []int{0}}}, {Index: 1, Light: colors(even(1), nil, nil)}, {Index: 1, Light: shared}}
	kept := []bool{true, true, true, true, true, true, true, false}
	var got [][]int
	for _, s := range propLights(props, kept) {
		got = append(got, s.props)
	}
	if !slices.EqualFunc(got, [][]int{{1, 3}, {2}, {5}, {6}}, slices.Equal) {
		t.Errorf("%v", got)
	}
}

func TestPropsWithLightShareAllButColours(t *testing.T) {
	shared := colors(even(0.25), nil, even(0.5))
	w, mats := standing(world.PropLight{}, shared, colors(even(1), even(0), nil), shared, world.PropLight{})
	m, _ := build(t, pipeline.Default(), w, mats...)
	if !slices.Equal(m.Props, []int{scene.None, 1, 2, 1, scene.None}) || len(m.Meshes) != 3 || m.Models[1].Mesh != 0 {
		t.Fatalf("%v of %d meshes", m.Props, len(m.Meshes))
	}
	// Both surfaces of the first material are one primitive of six vertices.
	for _, want := range []struct {
		mesh, primitive, vertex int
		color                   uint16
	}{{1, 0, 0, 16384}, {1, 0, 3, 32768}, {1, 1, 0, 65535}, {2, 0, 0, 65535}, {2, 1, 2, 0}, {2, 0, 5, 65535}} {
		if got := m.Meshes[want.mesh].Primitives[want.primitive].Colors[want.vertex]; got != [4]uint16{want.color, want.color,
			want.color, 65535} {
			t.Errorf("%+v: %d", want, got)
		}
	}
	for i := range 2 {
		a, b := m.Meshes[0].Primitives[i], m.Meshes[1].Primitives[i]
		if &a.Positions[0] != &b.Positions[0] || &a.UV[0] != &b.UV[0] || &a.Indices[0] != &b.Indices[0] || a.Material != b.Material {
			t.Errorf("primitive %d is not shared", i)
		}
	}
}

// Of a material with layers, those that the vertices light take a prop's light: here the second, over a lamp that needs none.
func TestLayersOfPropsTakeTheirLight(t *testing.T) {
	w, mats := standing(colors(even(0.25), nil, even(0.5)))
	lamp, glow, shine := &mats[0], plainMaterial("a"), plainMaterial("a")
	lamp.Vertex.Color = false
	for _, l := range []*pbr.Material{&glow, &shine} {
		l.Layer.Whole, l.Draw.Unlit, l.Alpha = true, true, pbr.Blend
	}
	shine.Vertex.Color = true
	lamp.Layers = []pbr.Material{glow, shine}
	m, _ := build(t, pipeline.Default(), w, mats...)
	list := m.Meshes[m.Props[0]].Primitives // the lamp, its layers, and the other material
	if len(list) != 4 || list[0].Colors != nil || list[1].Colors != nil {
		t.Fatalf("%+v", list)
	}
	for vertex, want := range map[int]uint16{0: 16384, 5: 32768} { // a quarter and a half of 65535
		if got := list[2].Colors[vertex]; got != [4]uint16{want, want, want, 65535} {
			t.Errorf("vertex %d: %d", vertex, got)
		}
	}
}

// Props in different light share the frames of their model. Frames have normals only where the material is lit.
func TestPropsShareFrames(t *testing.T) {
	for _, lit := range []bool{false, true} {
		w, mats := standing(colors(even(0.25), nil, nil), colors(even(1), nil, nil))
		for i := range w.Models[1].Surfaces {
			shape := w.Models[1].Surfaces[i].Shape.(*world.Triangles)
			shape.MorphTargets = []world.MorphTarget{{Positions: [][3]float32{{1}, {2}, {3}}, Normals: [][3]float32{{0, 1}, {0, 1}, {0,
				1}}}}
		}
		w.Models[1].MorphTargets = &world.MorphTargets{Frames: 2}
		mats[1].Draw.Unlit = !lit
		m, _ := build(t, pipeline.Default(), w, mats...)
		a, b := m.Meshes[m.Props[0]].Primitives, m.Meshes[m.Props[1]].Primitives
		for i := range a {
			if &a[i].Targets[0] != &b[i].Targets[0] || len(a[i].Targets[0].Positions) != len(a[i].Positions) {
				t.Errorf("primitive %d: %+v and %+v", i, a[i].Targets, b[i].Targets)
			}
			if normals := a[i].Targets[0].Normals; (normals != nil) != (lit && i == 1) {
				t.Errorf("lit %t: primitive %d has normals %v", lit, i, normals)
			}
		}
	}
}

// If all props have light, the first takes the place of the model's mesh, and no mesh is unused.
func TestTheFirstLitPropIsTheModelsMesh(t *testing.T) {
	w, mats := standing(colors(even(0.25), even(0.25), even(0.25)), colors(even(0.5), even(0.5), even(0.5)))
	m, _ := build(t, pipeline.Default(), w, mats...)
	if !slices.Equal(m.Props, []int{0, 1}) || m.Meshes[0].Primitives[0].Colors[0][0] != 16384 ||
		m.Meshes[1].Primitives[1].Colors[0][0] != 32768 {
		t.Errorf("%v of %+v", m.Props, m.Meshes)
	}
}

// Light of (2, 1, 0) is shown as (1, 0.5, 0), divided by 2, which alpha says, unless it has a meaning. Stored white is 1.009.
func TestLightBeyondWhiteKeepsItsHue(t *testing.T) {
	in := &Input{World: &world.World{Models: []world.Model{{Surfaces: []world.Surface{triangle(0)}}}}}
	for _, c := range []struct {
		light        world.RGB
		divided, cut bool
		want         [4]uint16
	}{{world.NewRGB(2, 1, 0), false, true, [4]uint16{65535, 32768, 0, 65535}},
		{world.NewRGB(2, 1, 0), true, false, [4]uint16{65535, 32768, 0, 32768}},
		{world.NewRGB(200, 100, 0), true, false, [4]uint16{65535, 32768, 0, 1024}}, // 64 at most: 65535 / 64
		{world.NewRGB(0.5, 1, 0), true, false, [4]uint16{32768, 65535, 0, 65535}},
		{world.NewRGB(1.009, 1.009, 1.009), false, false, [4]uint16{65535, 65535, 65535, 65535}}} {
		light := &world.PropLight{Colors: [][]world.RGB{{c.light}}}
		j := relitTarget{divided: c.divided, light: &propLight{light: light}, spans: []span{{vertices: 1}}}
		p := scene.Primitive{Colors: [][4]uint16{{1, 1, 1, 65535}}}
		if cut := setLightColors(&p, &j, in); cut != c.cut || p.Colors[0] != c.want {
			t.Errorf("%v: %v, %v", c.light, p.Colors, cut)
		}
	}
}

// A prop counts once, and two props with the same light count as two. Opaque materials have the whole light, in their alpha.
func TestPropsWithCutLightAreCounted(t *testing.T) {
	bright, dark := colors(even(2), even(2), nil), colors(even(1), nil, nil)
	for _, carrier := range []string{"moz", "vertex"} {
		w, mats := standing(bright, bright, dark, world.PropLight{})
		opaque, _ := build(t, set(t, "lightmap.carrier="+carrier), w, mats...)
		if (len(opaque.Issues) == 0) != (carrier == "moz") {
			t.Errorf("%s, opaque: %+v", carrier, opaque.Issues)
		}
		for i := range mats {
			mats[i].Alpha = pbr.Mask
		}
		m, _ := build(t, set(t, "lightmap.carrier="+carrier), w, mats...)
		want := world.Issue{Code: "prop-light-cut", Where: "map",
			Detail: "the light on props is beyond white: it is shown as white of its hue", Count: 2}
		if len(m.Issues) != 1 || m.Issues[0] != want {
			t.Errorf("%s: %+v", carrier, m.Issues)
		}
	}
}

// With the vertex carrier an emissive surface is half lit where it emits light.
func TestPropsShine(t *testing.T) {
	for carrier, want := range map[string][2]uint16{"moz": {16384, 16384}, "vertex": {32768, 16384}} {
		w, mats := standing(colors(even(0.25), even(0.25), nil))
		mats[0].Emission.Color = [3]float32{1, 0, 0}
		m, _ := build(t, set(t, "lightmap.carrier="+carrier), w, mats...)
		if got := m.Meshes[0].Primitives[0].Colors[0]; got != [4]uint16{want[0], want[1], want[1], 65535} {
			t.Errorf("%s: %v", carrier, got)
		}
	}
}

// The first surface's chart is 2 luxels wide, black and white; the second has none, the third is grey.
func TestPropsWithCharts(t *testing.T) {
	make := func() (*world.World, []pbr.Material) {
		w, mats := standing(world.PropLight{Charts: []int{0, world.NoChart, 1}}, world.PropLight{})
		chart := func(luxels ...world.RGB) world.Chart {
			return world.Chart{Width: len(luxels), Height: 1, Layers: []world.Layer{{Luxels: luxels}}}
		}
		w.Baked.Charts = []world.Chart{chart(world.RGB{}, world.NewRGB(1, 1, 1)), chart(world.NewRGB(0.5, 0.5, 0.5))}
		return w, mats
	}
	w, mats := make()
	m, made := build(t, pipeline.Default(), w, mats...)
	prims := m.Meshes[1].Primitives
	if len(m.Meshes) != 2 || len(prims) != 2 || prims[0].Colors != nil || prims[1].Colors == nil || prims[1].UV2 != nil {
		t.Fatalf("%+v", m.Meshes)
	}
	if lit := made[prims[0].Material]; lit.Lightmap == scene.None || lit.Material.Draw.Unlit || lit.Vertex.Color ||
		!made[prims[1].Material].Material.Draw.Unlit {
		t.Errorf("%+v", lit)
	}
	w, mats = make()
	m, _ = build(t, set(t, "lightmap.carrier=vertex"), w, mats...)
	for i, want := range []uint16{0, 65535, 65535, 32768} {
		if got := m.Meshes[1].Primitives[0].Colors[i][0]; got != want {
			t.Errorf("vertex %d is %d, want %d", i, got, want)
		}
	}
}

// The texture coordinates (0, 0), (1, 0) and (1, 1) span a chart of 2 x 1 luxels at (2, 1) on a page of 8 x 4.
func TestLightmapCoordinatesOfProps(t *testing.T) {
	in := &Input{
		World: &world.World{Models: []world.Model{{Surfaces: []world.Surface{triangle(0)}}},
			Baked: world.BakedLight{Charts: []world.Chart{{Width: 2, Height: 1}}}},
		Atlas: &lightmap.Atlas{Places: []lightmap.Place{{X: 2, Y: 1}}, Sizes: []lightmap.Rect{{Width: 8, Height: 4}}},
	}
	p := scene.Primitive{Positions: make([][3]float32, 3)}
	setLightmapUVs(&p, &relitTarget{light: &propLight{light: &world.PropLight{Charts: []int{0}}}, spans: []span{{vertices: 3}}}, in)
	if want := [][2]float32{{0.25, 0.25}, {0.5, 0.25}, {0.5, 0.5}}; !slices.Equal(p.UV2, want) {
		t.Errorf("%v, want %v", p.UV2, want)
	}
}

// Surfaces that are on two pages become two primitives, which share their vertices.
func TestChartsOnTwoPages(t *testing.T) {
	w, mats := standing(world.PropLight{Charts: []int{0, world.NoChart, 1}})
	for range 2 {
		w.Baked.Charts = append(w.Baked.Charts, world.Chart{Width: 300, Height: 300,
			Layers: []world.Layer{{Luxels: make([]world.RGB, 300*300)}}})
	}
	m, _ := build(t, set(t, "lightmap.page_size=256"), w, mats...)
	mesh := m.Meshes[len(m.Meshes)-1]
	if len(mesh.Primitives) != 3 {
		t.Fatalf("%+v", mesh)
	}
	a, b := mesh.Primitives[0], mesh.Primitives[1]
	if !slices.Equal(a.Indices, []uint32{0, 1, 2}) || !slices.Equal(b.Indices, []uint32{3, 4, 5}) || a.Material == b.Material ||
		&a.Positions[0] != &b.Positions[0] {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// The second prop has a chart for the first surface only. The mesh of the first prop, which is all on the page, is not its model.
func TestAPropWithoutAChartKeepsItsColours(t *testing.T) {
	w, mats := standing(world.PropLight{Charts: []int{0, 0, 0}}, world.PropLight{Charts: []int{0, world.NoChart, world.NoChart}})
	w.Baked.Charts = []world.Chart{{Width: 1, Height: 1, Layers: []world.Layer{{Luxels: make([]world.RGB, 1)}}}}
	m, made := build(t, pipeline.Default(), w, mats...)
	p := m.Meshes[m.Props[1]].Primitives
	if len(p) != 3 || made[p[0].Material].Lightmap == scene.None || made[p[2].Material].Lightmap != scene.None || p[2].Colors == nil ||
		p[2].UV2 != nil {
		t.Errorf("%+v", p)
	}
}

// A material that glows in one of a model's skins has coordinates for its white lightmap.
func TestSkinsAreVariants(t *testing.T) {
	w, mats := standing(world.PropLight{})
	w.Materials[0].Lighting, w.Materials[1].Lighting = world.PerVertex, world.PerVertex
	mats[1].Emission.Color = [3]float32{1, 0, 0}
	w.Models[1].Surfaces = []world.Surface{triangle(0, 0, 1, 0), triangle(0), triangle(1)}
	m, made := build(t, pipeline.Default(), w, mats...)
	p := m.Meshes[0].Primitives
	if len(p) != 3 || !slices.Equal(p[0].Variants, []int{0, 1, 0}) || p[1].Variants != nil || p[1].Material != 0 || len(made) != 2 {
		t.Fatalf("%+v", p)
	}
	if made[0].Lightmap != scene.None || made[1].Lightmap == scene.None || p[0].UV2 == nil || p[1].UV2 != nil || p[2].UV2 == nil {
		t.Errorf("%+v", made)
	}
}

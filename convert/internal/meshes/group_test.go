package meshes

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Surfaces with the same draw key and skins are one group. Hidden ones are apart, dropped ones are in none.
func TestSurfacesAreGrouped(t *testing.T) {
	key := func(material int) drawkey.Key { return drawkey.Key{Material: material, Page: scene.None} }
	plain, skinned := world.Surface{Material: 1}, world.Surface{Material: 1, Skins: []int{1, 0}}
	in := Input{
		World:    &world.World{Models: []world.Model{{Surfaces: []world.Surface{plain, {}, plain, skinned, plain, {}}}}},
		Geometry: [][]geometry.Mesh{make([]geometry.Mesh, 6)}, Set: &materials.Set{}, Atlas: &lightmap.Atlas{},
		Surfaces: [][]drawkey.Surface{{{Key: key(1)}, {Key: key(0)}, {Key: key(1)}, {Key: key(1)}, {Key: key(1), Hidden: true},
			{Drop: "nodraw"}}},
	}
	g, err := Group(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var parts []int
	for i := range g.list {
		parts = append(parts, len(g.list[i].parts))
	}
	if !slices.Equal(parts, []int{2, 1, 1, 1}) || !reflect.DeepEqual(g.Keys, []drawkey.Key{key(1), key(0)}) ||
		!slices.Equal(g.list[2].variants, []int{0, 1}) {
		t.Errorf("%v, %+v, %+v", parts, g.Keys, g.list)
	}
	if want := []meshRange{{first: 0, last: 3}, {hidden: true, first: 3, last: 4}}; !reflect.DeepEqual(g.ranges, want) {
		t.Errorf("%+v", g.ranges)
	}
	uses, want := g.DrawGroups(make([]world.Chart, 1)), []drawkey.Key{key(1), key(1), key(0)}
	if len(uses) != 4 || !reflect.DeepEqual(uses[2].Keys, want) {
		t.Errorf("%+v", uses)
	}
}

// A displacement shows its layer in bands of opacity. A flat surface, whose alpha is 0, does not show the second layer.
func TestDisplacementsBlendIntoTheNextLayer(t *testing.T) {
	m := plainMaterial("ground")
	m.Layers = []pbr.Material{plainMaterial("grass")}
	m.Layers[0].Alpha = pbr.Blend
	w := &world.World{Materials: []world.Material{{Name: "ground"}},
		Models: []world.Model{{Name: "*0", Surfaces: []world.Surface{bent(0), unblended(0)}}}}
	meshes, mats := build(t, pipeline.Default(), w, m)
	p := meshes.Meshes[0].Primitives
	if len(p[0].Blend) != len(p[0].Positions) || len(p[0].Positions) != 29 || slices.Max(p[0].Blend) != 1 || p[0].Blend[28] != 0 {
		t.Errorf("%d blends of %d vertices", len(p[0].Blend), len(p[0].Positions))
	}
	if len(p) != 1+drawkey.Bands || mats[1].Name != "grass 12%" || mats[8].Name != "grass" {
		t.Errorf("%d primitives", len(p))
	}
	for _, band := range p[1:] {
		if band.Blend != nil || len(band.Positions) == 0 {
			t.Errorf("a band has %d vertices and %d blends", len(band.Positions), len(band.Blend))
		}
	}
	w.Models[0].Surfaces = w.Models[0].Surfaces[1:]
	if meshes, _ = build(t, pipeline.Default(), w, m); len(meshes.Meshes[0].Primitives) != 1 {
		t.Errorf("%d primitives of a flat one", len(meshes.Meshes[0].Primitives))
	}
}

// Pieces of the world's mesh and bands of layers count against the memory.
func TestCutPiecesKeepToTheLimits(t *testing.T) {
	s, ground := square(0, world.NoChart, 1), bent(0)
	mats := []pbr.Material{{Layers: make([]pbr.Material, 1)}}
	for name, f := range map[string]func(b *limit.Budget) error{
		"a piece": func(b *limit.Budget) error { return reservePart(b, scenetest.Mesh(&s), nil) },
		"a band": func(b *limit.Budget) error {
			drawn := drawnSurface{0, &ground, &drawkey.Surface{Over: []drawkey.Key{{Layer: 1}}}}
			return addSurface(b, newCollector(), drawn, scenetest.Mesh(&s), mats, nil)
		},
	} {
		if err := f(limit.NewBudget(limit.Limits{MaxMemory: 64})); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
		if err := f(limit.NewBudget(limit.Limits{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A layer that blends by itself is all of its surface, in one piece; the vertices' alphas are nobody's opacity.
func TestWholeLayersHaveNoBands(t *testing.T) {
	w := &world.World{Models: []world.Model{{Surfaces: []world.Surface{square(0, world.NoChart, 1)}}}, Materials: make([]world.Material, 1)}
	lava := pbr.New("lava")
	lava.Layers = []pbr.Material{pbr.New("lava layer 1")}
	lava.Layers[0].Layer.Whole, lava.Layers[0].Alpha, lava.Layers[0].BaseColor[3] = true, pbr.Blend, 0.5
	meshes, mats := build(t, pipeline.Default(), w, lava)
	p := meshes.Meshes[0].Primitives
	if len(p) != 2 || p[0].Blend != nil || len(p[1].Positions) != len(p[0].Positions) || len(p[1].Indices) != len(p[0].Indices) {
		t.Fatalf("%d primitives", len(p))
	}
	if m := mats[p[1].Material]; m.Name != "lava layer 1" || m.BaseColor[3] != 0.5 {
		t.Errorf("%q, opacity %g", m.Name, m.BaseColor[3])
	}
}

func TestMeshesOfModels(t *testing.T) {
	cell := partition{kind: 'c', at: [3]int{1, 2, 3}}
	got := join([]world.Model{{Name: "*0"}, {Name: "*1"}},
		[]meshRange{{model: 0, first: 0, last: 1}, {model: 0, partition: cell, first: 1, last: 2},
			{model: 0, hidden: true, first: 2, last: 2}, {model: 1, first: 2, last: 2}, {model: 1, hidden: true, first: 2, last: 4}},
		make([]scene.Primitive, 4))
	want := []Model{{Mesh: 0, Hidden: scene.None, Partitions: []Partition{{"cell_1_2_3", 1}}}, {Mesh: scene.None, Hidden: 2}}
	var names []string
	for _, m := range got.Meshes {
		names = append(names, m.Name)
	}
	if !reflect.DeepEqual(got.Models, want) || !slices.Equal(names, []string{"*0", "*0 cell_1_2_3", "*1 hidden"}) ||
		len(got.Meshes[2].Primitives) != 2 {
		t.Errorf("%+v, %q", got.Models, names)
	}
}

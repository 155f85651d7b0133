package nodes

import (
	"encoding/json"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var (
	set      = scenetest.Set
	findNode = scenetest.FindNode
	near     = scenetest.Near
	rotate   = scenetest.Rotate
	entity   = scenetest.Entity
)

func optionsOf(p pipeline.Pipeline) Options { return Options{p.Geometry, p.Entities, p.Sky, p.Output} }

// put places a world at 1/32 metres per unit. Models with surfaces have a mesh. The input may be changed before.
func put(t testing.TB, p pipeline.Pipeline, w *world.World, change ...func(*Input)) (*scene.Scene, *Placed) {
	t.Helper()
	in := Input{
		World: w, Options: optionsOf(p), Props: drawkey.Props(w, drawkey.Options{Entities: p.Entities, Sky: p.Sky}),
		Set: &materials.Set{}, Starts: PlayerStarts(w),
		Axes: axes.Axes{Unit: 1.0 / 32},
		Meshes: meshes.Meshes{Meshes: make([]scene.Mesh, len(w.Models)), Models: make([]meshes.Model, len(w.Models)),
			Props: make([]int, len(w.Props))},
	}
	for i := range w.Models {
		in.Geometry = append(in.Geometry, make([]geometry.Mesh, len(w.Models[i].Surfaces)))
		in.Surfaces = append(in.Surfaces, make([]drawkey.Surface, len(w.Models[i].Surfaces)))
		in.Meshes.Models[i] = meshes.Model{Mesh: i, Hidden: scene.None}
		if len(w.Models[i].Surfaces) == 0 {
			in.Meshes.Models[i].Mesh = scene.None
		}
	}
	for i := range w.Props {
		in.Meshes.Props[i] = scene.None
	}
	for _, m := range w.Materials {
		in.Set.Materials = append(in.Set.Materials, scenetest.PlainMaterial(m.Name))
	}
	if len(w.Materials) == 0 {
		in.Set.Materials = []pbr.Material{scenetest.PlainMaterial("m")}
	}
	for _, f := range change {
		f(&in)
	}
	out, err := Nodes(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return &scene.Scene{
		Name: w.Name, Nodes: out.Nodes, Meshes: append(in.Meshes.Meshes, out.Meshes...), Materials: out.Materials, Lights: out.Lights,
		Cameras: out.Cameras,
	}, out
}

// putEntities places a worldspawn and entities.
func putEntities(t testing.TB, p pipeline.Pipeline, entities ...world.Entity) (*scene.Scene, *Placed) {
	t.Helper()
	return put(t, p, &world.World{Name: "test", Models: []world.Model{{Name: "*0"}},
		Entities: append([]world.Entity{entity(0, "classname", "worldspawn")}, entities...)})
}

// parentOf returns the name of a node's parent.
func parentOf(t *testing.T, s *scene.Scene, name string) string {
	t.Helper()
	return s.Nodes[findNode(t, s, name).Parent].Name
}

// shown returns the surfaces of a model that has a mesh.
func shown() []world.Surface { return make([]world.Surface, 1) }

// text returns extras as JSON, whose keys are sorted.
func text(extras map[string]any) string {
	b, err := json.Marshal(extras)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

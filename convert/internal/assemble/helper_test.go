package assemble

import (
	"sync"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// All tests of conversions share these.
var (
	set           = scenetest.Set
	plainMaterial = scenetest.PlainMaterial
	findNode      = scenetest.FindNode
	near          = scenetest.Near
	square        = scenetest.Square
	entity        = scenetest.Entity
)

var defaults = sync.OnceValue(pipeline.Default)

// literal assembles a world that a test spells out, with plain materials unless the test gives others.
func literal(t testing.TB, p pipeline.Pipeline, w *world.World, mats ...pbr.Material) (*scene.Scene, *report.Report) {
	t.Helper()
	if len(w.Models) == 0 {
		w.Models = []world.Model{{Name: "*0"}}
	}
	s := &materials.Set{Materials: mats}
	for i := len(mats); i < len(w.Materials); i++ {
		s.Materials = append(s.Materials, plainMaterial(w.Materials[i].Name))
	}
	atlas, err := lightmap.Bake(t.Context(), lightmap.Input{World: w, Effort: lightmap.EffortFast}, p.Lightmap)
	if err != nil {
		t.Fatal(err)
	}
	return assembled(t, p, w, s, atlas)
}

// assembled assembles a world with an atlas.
func assembled(t testing.TB, p pipeline.Pipeline, w *world.World, s *materials.Set, atlas *lightmap.Atlas) (*scene.Scene, *report.Report) {
	t.Helper()
	if w.Unit == 0 {
		w.Unit = 1
	}
	ctx := t.Context()
	meshes, err := geometry.Build(ctx, w, p.Geometry)
	if err != nil {
		t.Fatal(err)
	}
	r := tally.New("test", 100)
	options := Options{p.Geometry, p.Lightmap, p.Materials, p.Entities, p.Sky, p.Output}
	out, err := Scene(ctx, Stages{World: w, Meshes: meshes, Atlas: atlas, Set: s}, options, r)
	if err != nil {
		t.Fatal(err)
	}
	return out, r.Report
}

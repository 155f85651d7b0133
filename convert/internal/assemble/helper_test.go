package assemble

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// What all tests of conversions share.
var (
	set           = scenetest.Set
	plainMaterial = scenetest.PlainMaterial
	findNode      = scenetest.FindNode
	readGLB       = scenetest.ReadGLB
	floats        = scenetest.Floats
	glb           = scenetest.GLB
	contents      = scenetest.Contents
	near          = scenetest.Near
	rotate        = scenetest.Rotate
	square        = scenetest.Square
	entity        = scenetest.Entity
	squareMesh    = scenetest.Mesh
)

var defaults = sync.OnceValue(pipeline.Default)

// literal assembles a world that a test spells out, with plain materials unless the test gives others.
func literal(t testing.TB, p pipeline.Pipeline, w *world.World, mats ...pbr.Material) (*scene.Scene, *report.Report) {
	t.Helper()
	return literalBoxes(t, p, w, nil, mats...)
}

// literalBoxes is literal with the boxes of models that were not read.
func literalBoxes(t testing.TB, p pipeline.Pipeline, w *world.World, boxes map[string]models.Box, mats ...pbr.Material) (*scene.Scene, *report.Report) {
	t.Helper()
	if w.Unit == 0 {
		w.Unit = 1
	}
	if len(w.Models) == 0 {
		w.Models = []world.Model{{Name: "*0"}}
	}
	s := &materials.Set{Materials: mats}
	for i := len(mats); i < len(w.Materials); i++ {
		s.Materials = append(s.Materials, plainMaterial(w.Materials[i].Name))
	}
	meshes, err := geometry.Build(limit.WithDefaults(t.Context()), w, p.Geometry)
	if err != nil {
		t.Fatal(err)
	}
	atlas, err := lightmap.Bake(limit.WithDefaults(t.Context()), lightmap.Input{World: w, Effort: picture.Fast}, p.Lightmap)
	if err != nil {
		t.Fatal(err)
	}
	r := report.New("test", 100)
	scene, err := assemble(limit.WithDefaults(t.Context()), p, w, meshes, atlas, s, boxes, r)
	if err != nil {
		t.Fatal(err)
	}
	return scene, r
}

// text is extras as JSON, whose keys are sorted.
func text(extras map[string]any) string {
	if len(extras) == 0 {
		return ""
	}
	b, err := json.Marshal(extras)
	if err != nil {
		return err.Error()
	}
	return " " + string(b)
}

// placerOf and skyOf return the steps of an assembly that a test spells out.
func placerOf(a assembly) *placer {
	if a.atlas == nil {
		a.atlas = &lightmap.Atlas{}
	}
	if a.surfaces == nil && a.meshes != nil {
		a.surfaces = pick.Surfaces(a.w, a.meshes, a.set, a.atlas, a.p)
	}
	return &placer{looks: &looks{assembly: &a, names: names.NewNamer()}, nodes: names.NewNamer(), box: scene.None}
}

func skyOf(a assembly) *skyMaker { return &skyMaker{placerOf(a)} }

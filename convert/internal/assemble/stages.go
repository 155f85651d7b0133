package assemble

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Stages is what a scene is made of.
type Stages struct {
	Pipeline pipeline.Pipeline
	World    *world.World
	Meshes   [][]geometry.Mesh // by model, then surface
	Atlas    *lightmap.Atlas
	Set      *materials.Set
	Boxes    map[string]models.Box // of models that were not read
}

// Scene makes the scene of a map, and counts in the report what became of its faces, entities, props and lamps.
func Scene(ctx context.Context, in Stages, r *report.Report) (*scene.Scene, error) {
	turnSprites(in.World, in.Meshes, in.Set)
	s, err := assemble(ctx, in.Pipeline, in.World, in.Meshes, in.Atlas, in.Set, in.Boxes, r)
	if err != nil {
		return nil, err
	}
	if err := shareVertices(ctx, s); err != nil {
		return nil, err
	}
	if s.Packing = newPacking(in.Pipeline.Output, s.Unit); s.Packing.Meshopt {
		err = reorder(ctx, s)
	}
	return s, err
}

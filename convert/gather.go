package convert

import (
	"context"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// gather reads the models that a map places and makes those that have no file. Boxes are of the models that were not read.
func gather(ctx context.Context, files fs.FS, w *world.World, p pipeline.Pipeline) (boxes map[string]models.Box, err error) {
	leaveOut(w, p.Entities)
	if err := models.Gather(ctx, files, w, p.Models); err != nil {
		return nil, err
	}
	if err := addShapes(ctx, files, w, p); err != nil {
		return nil, err
	}
	return models.Boxes(ctx, files, w)
}

// leaveOut takes what the options do not want out of the world: ropes, sprites, and models that the map does not name.
func leaveOut(w *world.World, o pipeline.EntityOptions) {
	if !o.Ropes {
		w.Ropes = nil
	}
	w.Props = slices.DeleteFunc(w.Props, func(p world.Prop) bool {
		return !o.Sprites && p.Sprite != nil && p.Kind == world.EntityProp || !o.Characters && p.Assumed
	})
}

// addShapes makes models of what has no file of its own: sprites, grass and ropes.
func addShapes(ctx context.Context, files fs.FS, w *world.World, p pipeline.Pipeline) error {
	sizes, light := materials.PictureSizes(ctx, files, w), p.Models.Light != models.LightNone
	if err := models.Sprites(ctx, w, sizes, p.Entities.Details, light); err != nil {
		return err
	}
	return models.Ropes(ctx, w, sizes, light)
}

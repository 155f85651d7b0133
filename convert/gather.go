package convert

import (
	"context"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// gather reads the models that a map places, and makes models for what has no file (sprites, grass, ropes). It returns the boxes of the
// models that were not read.
func gather(ctx context.Context, files fs.FS, w *world.World, p pipeline.Pipeline) (boxes map[string]models.Box, err error) {
	leaveOut(w, p.Entities)
	if err := models.Gather(ctx, files, w, p.Models); err != nil {
		return nil, err
	}
	if p.Geometry.Collision != geometry.CollisionNone {
		if err := models.Physics(ctx, files, w); err != nil {
			return nil, err
		}
	}
	if err := addShapes(ctx, files, w, p); err != nil {
		return nil, err
	}
	if boxes, err = models.Boxes(ctx, files, w); err != nil || p.Entities.Props != pipeline.PropsBox {
		return boxes, err
	}
	return boxes, models.LightBoxes(ctx, w, boxes, p.Models)
}

// leaveOut removes from the world what the options turn off: ropes, sprites, models that the map does not name, and the models, sprites,
// ropes and decals of skipped classes.
func leaveOut(w *world.World, o pipeline.EntityOptions) {
	skipped := func(entity int) bool { return entity != world.NoEntity && o.Skips(w.Entities[entity].Class()) }
	w.Ropes = slices.DeleteFunc(w.Ropes, func(r world.Rope) bool { return !o.Ropes || skipped(r.Entity) })
	w.Decals = slices.DeleteFunc(w.Decals, func(d world.Decal) bool { return skipped(d.Entity) })
	w.Props = slices.DeleteFunc(w.Props, func(p world.Prop) bool {
		return p.Kind == world.EntityProp && (!o.Sprites && p.Sprite != nil || skipped(p.Entity)) || !o.Characters && p.Assumed
	})
}

// addShapes makes models for sprites, grass and ropes, which have no file.
func addShapes(ctx context.Context, files fs.FS, w *world.World, p pipeline.Pipeline) error {
	sizes, light := materials.PictureSizes(ctx, files, w), p.Models.Light != models.LightNone
	if err := models.Sprites(ctx, w, sizes, p.Entities.Details, light); err != nil {
		return err
	}
	return models.Ropes(ctx, w, sizes, light)
}

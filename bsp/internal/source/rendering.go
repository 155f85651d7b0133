package source

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// tintedMaterial is a material with an entity's colour and alpha.
type tintedMaterial struct {
	material int
	tint     [4]uint8
}

// entityRendering states how an entity draws its brush model.
type entityRendering struct {
	tint   [4]uint8
	hidden world.Flags // flags for all its surfaces; 0 if it is drawn
}

// renderingOf returns how an entity draws its brush model, which may be there later.
func renderingOf(e *world.Entity, later bool) entityRendering {
	_, tint, seen := valve.Rendering(e)
	hidden := classes.Brushes(classes.Source, e)
	if hidden == 0 && (!seen || later) {
		hidden = world.NoDraw
	}
	if hidden != 0 {
		return entityRendering{hidden: hidden}
	}
	return entityRendering{tint: tint}
}

// applyStyles applies the colour and opacity of entities to their brush models, and hides those that the game does not
// draw.
func applyStyles(ctx context.Context, dc *decoding.Context, w *world.World, materials *valve.Materials) error {
	size := limit.Bytes[entityRendering](len(w.Entities)) + 2*limit.Bytes[entity.ShownModel[entityRendering]](len(w.Models))
	if err := dc.Borrow(size); err != nil {
		return err
	}
	later := valve.Later(w.Entities)
	look := func(e *world.Entity) entityRendering { return renderingOf(e, later[e]) }
	shown := entity.ShownModels(w.Entities, len(w.Models), look, func(l entityRendering) bool { return l.hidden == 0 })
	if err := entity.AddCopies(ctx, w, dc.Budget, shown); err != nil {
		return err
	}
	made := map[tintedMaterial]int{}
	for i, v := range shown {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		surfaces := w.Models[i].Surfaces
		for k := range surfaces {
			s := &surfaces[k]
			s.Flags |= v.Appearance.hidden
			if t := v.Appearance.tint; t != [4]uint8{} && t != [4]uint8{255, 255, 255, 255} {
				var err error
				if s.Material, err = tint(dc, materials, made, tintedMaterial{s.Material, t}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tint returns the index of a tinted material.
func tint(dc *decoding.Context, materials *valve.Materials, made map[tintedMaterial]int, t tintedMaterial) (int, error) {
	if i, ok := made[t]; ok {
		return i, nil
	}
	if err := dc.Reserve(limit.Bytes[world.Material](2) + 64); err != nil { // including its entry in made
		return 0, err
	}
	m := materials.List[t.material]
	for k := range m.Tint {
		m.Tint[k] = float32(gamma.Decode(float64(max(t.tint[k], 1)) / 255)) // in a Material black means no tint
	}
	if a := t.tint[3]; a < 255 {
		m.Blend, m.Opacity = world.BlendAlpha, float32(a)/255
	}
	made[t] = len(materials.List)
	materials.List = append(materials.List, m)
	return made[t], nil
}

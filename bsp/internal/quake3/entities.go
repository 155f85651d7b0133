package quake3

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// readEntities decodes the entity text of a map with a number of models, and the props that entities place. If it fails, it returns
// the entities that it has.
func readEntities(dc *decoding.Context, l le.Lump, family classes.Family, models int) (
	entities []world.Entity, props []world.Prop, err error) {
	if entities, err = entity.Read(l, entlump.NoEscapes, dc.Budget, &dc.Issues); err != nil {
		return nil, nil, err
	}
	for i := range entities {
		e := &entities[i]
		e.AngleRule = world.AngleReplaces
		entity.SetBrushModel(i, e, models, &dc.Issues)
		for _, p := range propsOf(family, i, e) {
			if err := limit.Check("MaxProps", dc.Budget.Limits.MaxProps, int64(len(props))+1); err != nil {
				return entities, nil, fmt.Errorf("entity %d: %w", i, err)
			}
			props = append(props, p)
		}
	}
	entity.HasWorldspawn(entities, &dc.Issues)
	return entities, props, nil
}

// propsOf returns the model files that entity i shows: its model, unless that is a brush model, and the model2 of a mover.
func propsOf(family classes.Family, i int, e *world.Entity) (props []world.Prop) {
	for _, key := range []string{"model", "model2"} {
		name := entlump.Lower(e.Value(key))
		if strings.HasPrefix(name, "*") || path.Ext(name) == "" || !classes.Model(family, e) {
			continue
		}
		p := world.Prop{Model: name, Index: world.NoModel, Entity: i, Angles: e.Angles(), Scale: [3]float32{1, 1, 1}}
		p.Origin, _ = e.Vector("origin")
		if s, ok := e.Float("modelscale"); ok && s != 0 {
			p.Scale = [3]float32{float32(s), float32(s), float32(s)}
		}
		if v, ok := e.Vector("modelscale_vec"); ok {
			p.Scale = v
		}
		props = append(props, p)
	}
	return props
}

// hideVolumes hides the brush models of entities that the game does not draw when the map starts.
func hideVolumes(ctx context.Context, dc *decoding.Context, w *world.World, family classes.Family) error {
	size := limit.Bytes[world.Flags](len(w.Entities)) + 2*limit.Bytes[entity.ShownModel[world.Flags]](len(w.Models))
	if err := dc.Borrow(size); err != nil {
		return err
	}
	variants := entity.ShownModels(w.Entities, len(w.Models),
		func(e *world.Entity) world.Flags { return classes.Brushes(family, e) }, func(hidden world.Flags) bool { return hidden == 0 })
	if err := entity.AddCopies(ctx, w, dc.Budget, variants); err != nil {
		return err
	}
	for i, v := range variants {
		for k := range w.Models[i].Surfaces {
			w.Models[i].Surfaces[k].Flags |= v.Appearance
		}
	}
	return nil
}

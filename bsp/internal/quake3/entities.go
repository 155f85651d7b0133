package quake3

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// entities lifts the entity text.
func (d *decoder) entities(context.Context) error {
	var err error
	if d.w.Entities, err = lift.Entities(d.lumps[lumpEntities], d.Budget, &d.Issues); err != nil {
		return err
	}
	for i := range d.w.Entities {
		e := &d.w.Entities[i]
		lift.BrushModel(i, e, len(d.records), &d.Issues)
		if err := d.prop(i, e); err != nil {
			return fmt.Errorf("entity %d: %w", i, err)
		}
	}
	lift.Worldspawn(d.w.Entities, &d.Issues)
	return nil
}

// prop records the model files that entity i shows: its model, unless that is a brush model, and the model2 of a
// mover.
func (d *decoder) prop(i int, e *world.Entity) error {
	for _, key := range []string{"model", "model2"} {
		name := entlump.Lower(e.Value(key))
		if strings.HasPrefix(name, "*") || path.Ext(name) == "" || !classes.Model(d.v.classes, e) {
			continue
		}
		if err := limit.Check("MaxProps", d.Budget.Limits.MaxProps, int64(len(d.w.Props))+1); err != nil {
			return err
		}
		p := world.Prop{Model: name, Index: world.NoModel, Entity: i, Angles: e.Angles(), Scale: [3]float32{1, 1, 1}}
		p.Origin, _ = e.Vector("origin")
		if s, ok := e.Float("modelscale"); ok && s != 0 {
			p.Scale = [3]float32{float32(s), float32(s), float32(s)}
		}
		if v, ok := e.Vector("modelscale_vec"); ok {
			p.Scale = v
		}
		d.w.Props = append(d.w.Props, p)
	}
	return nil
}

// hideVolumes hides the brush models of entities that the game does not draw when the map starts, and opens doors that
// start open.
func (d *decoder) hideVolumes(ctx context.Context) error {
	if err := d.Borrow(limit.Bytes[world.Flags](len(d.w.Entities)) + 2*limit.Bytes[lift.Variant[world.Flags]](len(d.w.Models))); err != nil {
		return err
	}
	variants := lift.Variants(d.w.Entities, len(d.w.Models),
		func(e *world.Entity) world.Flags { return classes.Brushes(d.v.classes, e) }, func(hidden world.Flags) bool { return hidden == 0 })
	if err := lift.Copies(ctx, d.w.World, d.Budget, variants); err != nil {
		return err
	}
	for i, v := range variants {
		for k := range d.w.Models[i].Surfaces {
			d.w.Models[i].Surfaces[k].Flags |= v.Look
		}
	}
	lift.Starts(d.w.World, d.v.classes)
	return nil
}

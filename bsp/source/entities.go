package source

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
func (d *decoder) entities(ctx context.Context) error {
	lifted := lift.Entities
	if d.variant.escapes {
		lifted = lift.EscapedEntities
	}
	var err error
	if d.w.Entities, err = lifted(d.lumps[lumpEntities], d.Budget, &d.Issues); err != nil {
		return err
	}
	if more := d.variant.entities; more != 0 {
		list, err := lifted(d.lumps[more], d.Budget, &d.Issues)
		if err != nil {
			return err
		}
		d.w.Entities = append(d.w.Entities, list...)
	}
	for i := range d.w.Entities {
		e := &d.w.Entities[i]
		lift.BrushModel(i, e, len(d.records), &d.Issues)
		if err := d.prop(i, e); err != nil {
			return fmt.Errorf("entity %d: %w", i, err)
		}
		if err := d.decal(i, e); err != nil {
			return fmt.Errorf("entity %d: %w", i, err)
		}
		if err := d.sprite(i, e); err != nil {
			return fmt.Errorf("entity %d: %w", i, err)
		}
	}
	if err := d.ropes(ctx); err != nil {
		return err
	}
	if !lift.Worldspawn(d.w.Entities, &d.Issues) {
		return nil
	}
	if sky := materialName(d.w.Entities[0].Value("skyname")); sky != "" {
		d.w.Sky = "skybox/" + sky
	}
	return nil
}

// prop records the model file that entity i shows.
func (d *decoder) prop(i int, e *world.Entity) error {
	name := entlump.Lower(e.Value("model"))
	assumed := name == ""
	if assumed {
		name = classModel(e)
	}
	blend, tint, seen := rendering(e)
	if path.Ext(name) != ".mdl" || !seen || !classes.Model(classes.Source, e) {
		return nil
	}
	p := world.Prop{
		Model: name, Index: world.NoModel, Entity: i, Angles: e.Angles(), Scale: [3]float32{1, 1, 1}, Tint: tint, Blend: blend,
		Assumed: assumed,
	}
	p.Origin, _ = e.Vector("origin")
	if strings.EqualFold(e.Class(), "prop_door_rotating") {
		if angles, moved := classes.HingedDoor(e); moved {
			e.Start, p.Angles = &world.Place{Origin: p.Origin, Angles: angles}, angles
		}
	}
	if s, ok := e.Float("modelscale"); ok && s > 0 {
		p.Scale = [3]float32{float32(s), float32(s), float32(s)}
	}
	for _, n := range []struct {
		key string
		to  *int
	}{
		{"skin", &p.Skin}, {"sequence", &p.Sequence}, {"body", &p.Body}, {"SetBodyGroup", &p.Body},
		{"hardware", &p.Body}, // the handle of a door, the second part of its body. Source SDK 2013, BasePropDoor.cpp
	} {
		if s, ok := e.Float(n.key); ok && s >= 0 && s < 1<<16 {
			*n.to = int(s)
		}
	}
	p.Animation = entlump.Lower(e.Value("DefaultAnim"))
	return d.addProp(p)
}

// addProp adds a prop.
func (d *decoder) addProp(p world.Prop) error {
	if err := limit.Check("MaxProps", d.Budget.Limits.MaxProps, int64(len(d.w.Props))+1); err != nil {
		return err
	}
	if err := d.Reserve(2 * propSize); err != nil {
		return err
	}
	p.Parts = path.Ext(p.Model) == ".mdl"
	d.w.Props = append(d.w.Props, p)
	return nil
}

// propSize is about what a world.Prop takes.
const propSize = 272

// decal records the picture that entity i throws on the surfaces around it.
func (d *decoder) decal(i int, e *world.Entity) error {
	if !strings.EqualFold(e.Class(), "infodecal") {
		return nil
	}
	name := materialName(e.Value("texture"))
	at, ok := e.Vector("origin")
	if name == "" || !ok || !lift.Sane(at[:]...) {
		d.Issue("decal", fmt.Sprintf("entity %d", i), "it has no texture or no place")
		return nil
	}
	m, err := d.addMaterial(world.Material{Name: name})
	if err != nil {
		return err
	}
	d.w.Decals = append(d.w.Decals, world.Decal{Material: m, Position: at, Entity: i})
	return d.Reserve(64)
}

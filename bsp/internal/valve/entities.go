package valve

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// EntityObjects holds the decals, ropes and sky that a map's entities place, besides props.
type EntityObjects struct {
	Decals []world.Decal
	Ropes  []world.Rope
	Sky    string // common prefix of the sky's material names, or ""
}

// entityCollector collects what entities place.
type entityCollector struct {
	dc        *decoding.Context
	entities  []world.Entity
	later     map[*world.Entity]bool
	materials *Materials
	props     *Props
	out       EntityObjects
}

// Place collects what entities place, but for those that are there later (Later), and sets the brush model of each, given the number of
// models.
func Place(ctx context.Context, dc *decoding.Context, entities []world.Entity, models int, materials *Materials, props *Props) (
	EntityObjects, error) {
	p := &entityCollector{dc: dc, entities: entities, materials: materials, props: props}
	if err := dc.Borrow(limit.Bytes[scriptedActor](len(entities))); err != nil {
		return p.out, err
	}
	p.later = Later(entities)
	for i := range entities {
		e := &entities[i]
		entity.SetBrushModel(i, e, models, &dc.Issues)
		if p.later[e] {
			continue
		}
		for _, place := range []func(int, *world.Entity) error{p.prop, p.decal, p.sprite} {
			if err := place(i, e); err != nil {
				return p.out, fmt.Errorf("entity %d: %w", i, err)
			}
		}
	}
	holdByScripts(entities, p.later, props.List)
	if err := p.ropes(ctx); err != nil {
		return p.out, err
	}
	if entity.HasWorldspawn(entities, &dc.Issues) {
		if sky := MaterialName(entities[0].Value("skyname")); sky != "" {
			p.out.Sky = "skybox/" + sky
		}
	}
	return p.out, nil
}

// prop records the model file that entity i shows.
func (p *entityCollector) prop(i int, e *world.Entity) error {
	name := entlump.Lower(e.Value("model"))
	assumed := name == ""
	if assumed {
		name = classModel(e)
	}
	blend, tint, seen := Rendering(e)
	if path.Ext(name) != ".mdl" || !seen || !classes.Model(classes.Source, e) {
		return nil
	}
	out := world.Prop{
		Model: name, Index: world.NoModel, Entity: i, Angles: e.Angles(), Scale: [3]float32{1, 1, 1},
		Draw:    world.PropDraw{Tint: tint, Blend: blend},
		Assumed: assumed, Drop: classes.Falls(classes.Source, e),
	}
	out.Origin, _ = e.Vector("origin")
	if s, ok := e.Float("modelscale"); ok && s > 0 {
		out.Scale = [3]float32{float32(s), float32(s), float32(s)}
	}
	for _, n := range []struct {
		key string
		to  *int
	}{
		{"skin", &out.Appearance.Skin}, {"sequence", &out.Appearance.Sequence}, {"body", &out.Appearance.Body},
		{"SetBodyGroup", &out.Appearance.Body},
		{"hardware", &out.Appearance.Body}, // the handle of a door, the second part of its body. Source SDK 2013, BasePropDoor.cpp
	} {
		if s, ok := e.Float(n.key); ok && s >= 0 && s < 1<<16 {
			*n.to = int(s)
		}
	}
	stand(&out.Appearance, e)
	return p.props.Add(out)
}

// decal records the decal that entity i projects on the surfaces around it.
func (p *entityCollector) decal(i int, e *world.Entity) error {
	if !strings.EqualFold(e.Class(), "infodecal") || e.Value("targetname") != "" { // one with a name comes when it is triggered
		return nil
	}
	name := MaterialName(e.Value("texture"))
	at, ok := e.Vector("origin")
	if name == "" || !ok || !record.Sane(at[:]...) {
		p.dc.Issue("decal", fmt.Sprintf("entity %d", i), "it has no texture or no place")
		return nil
	}
	m, err := p.materials.Add(world.Material{Name: name})
	if err != nil {
		return err
	}
	p.out.Decals, err = limit.Append(p.dc.Budget, p.out.Decals, "", world.Decal{Material: m, Position: at, Entity: i})
	return err
}

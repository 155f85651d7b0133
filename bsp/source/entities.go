package source

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// entities lifts the entity text.
func (d *decoder) entities(context.Context) error {
	l := d.lumps[lumpEntities]
	blocks, faults, err := entlump.Parse(l.Data, d.f.Budget())
	if err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	for _, f := range faults {
		d.issue("entity-text", fmt.Sprintf("entity %d", f.Entity), "%s", f.Detail)
	}
	pairs := 0
	for _, b := range blocks {
		pairs += len(b)
	}
	if err := d.reserve(int64(len(blocks))*48 + int64(pairs)*32); err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	d.w.Entities = make([]world.Entity, len(blocks))
	for i, b := range blocks {
		e := &d.w.Entities[i]
		e.Pairs, e.Model = make([]world.Pair, len(b)), world.NoModel
		for k, p := range b {
			e.Pairs[k] = world.Pair{Key: entlump.Text(p[0]), Value: entlump.Text(p[1])}
		}
		d.brushModel(i, e)
		if err := d.prop(i, e); err != nil {
			return fmt.Errorf("entity %d: %w", i, err)
		}
		if err := d.decal(i, e); err != nil {
			return fmt.Errorf("entity %d: %w", i, err)
		}
	}
	if len(blocks) == 0 || !strings.EqualFold(d.w.Entities[0].Class(), "worldspawn") {
		d.issue("entity-worldspawn", "entity 0", "the first entity is not worldspawn")
		return nil
	}
	if sky := materialName(d.w.Entities[0].Value("skyname")); sky != "" {
		d.w.Sky = "skybox/" + sky
	}
	return nil
}

// brushModel finds the model of entity i. The first entity is the world, whatever it says.
func (d *decoder) brushModel(i int, e *world.Entity) {
	if i == 0 {
		e.Model = 0
		return
	}
	name, ok := strings.CutPrefix(e.Value("model"), "*")
	if !ok {
		return
	}
	n, err := strconv.ParseUint(name, 10, 31)
	if err != nil || n == 0 || int(n) >= len(d.records) {
		d.issue("entity-model", fmt.Sprintf("entity %d", i), "%.40q has model %.40q, the map has *1 to *%d", e.Class(), "*"+name, len(d.records)-1)
		return
	}
	e.Model = int(n)
}

// prop records the model file that entity i shows.
func (d *decoder) prop(i int, e *world.Entity) error {
	name := entlump.Lower(e.Value("model"))
	if path.Ext(name) != ".mdl" {
		return nil
	}
	p := world.Prop{
		Model: name, Index: world.NoModel, Entity: i, Angles: e.Angles(), Scale: [3]float32{1, 1, 1}, Tint: [4]uint8{255, 255, 255, 255},
	}
	p.Origin, _ = e.Vector("origin")
	if s, ok := e.Float("modelscale"); ok && s > 0 {
		p.Scale = [3]float32{float32(s), float32(s), float32(s)}
	}
	if s, ok := e.Float("skin"); ok && s >= 0 && s < 1<<16 {
		p.Skin = int(s)
	}
	return d.addProp(p)
}

// addProp adds a prop.
func (d *decoder) addProp(p world.Prop) error {
	if err := limit.Check("MaxProps", d.f.Budget().Limits.MaxProps, int64(len(d.w.Props))+1); err != nil {
		return err
	}
	if err := d.reserve(2 * propSize); err != nil {
		return err
	}
	d.w.Props = append(d.w.Props, p)
	return nil
}

// propSize is about what a world.Prop takes.
const propSize = 200

// decal records the picture that entity i throws on the surfaces around it.
func (d *decoder) decal(i int, e *world.Entity) error {
	if !strings.EqualFold(e.Class(), "infodecal") {
		return nil
	}
	name := materialName(e.Value("texture"))
	at, ok := e.Vector("origin")
	if name == "" || !ok || !sane(at[:]...) {
		d.issue("decal", fmt.Sprintf("entity %d", i), "it has no texture or no place")
		return nil
	}
	m, err := d.addMaterial(world.Material{Name: name})
	if err != nil {
		return err
	}
	d.w.Decals = append(d.w.Decals, world.Decal{Material: m, Position: at, Entity: i})
	return d.reserve(64)
}

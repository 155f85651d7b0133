package quake3

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
	}
	if len(blocks) == 0 || !strings.EqualFold(d.w.Entities[0].Class(), "worldspawn") {
		d.issue("entity-worldspawn", "entity 0", "the first entity is not worldspawn")
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

// prop records the model files that entity i shows: its model, unless that is of brushes, and the model2 of a mover.
func (d *decoder) prop(i int, e *world.Entity) error {
	for _, key := range []string{"model", "model2"} {
		name := entlump.Lower(e.Value(key))
		if strings.HasPrefix(name, "*") || path.Ext(name) == "" || strings.EqualFold(e.Class(), "misc_model") {
			continue // the compiler has made surfaces of every misc_model
		}
		if err := limit.Check("MaxProps", d.f.Budget().Limits.MaxProps, int64(len(d.w.Props))+1); err != nil {
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

// materialName is a name of the shader lump as scripts call it: in lower case and without an extension.
func materialName(s string) string { return trimExt(entlump.Lower(entlump.Text(s))) }

// trimExt cuts the last extension off, as the engines' COM_StripExtension does.
func trimExt(s string) string {
	if i := strings.LastIndexByte(s, '.'); i > strings.LastIndexByte(s, '/') {
		return s[:i]
	}
	return s
}

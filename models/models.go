// Package models loads the model files that a map's props name.
//
// Gather turns each file into world.Models: one for each combination of materials and pose (an entity may name a skin
// or replace shaders), or one for each lit prop. Light from a light grid or from the surface below depends on a prop's
// position and goes into vertex colours, so such props share no vertices; a map with very many props keeps shared,
// unlit models instead. Source's props always share their models: each has a list of colours. After Gather nothing
// distinguishes a model file from the brushes of the map.
package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Gather reads the models of w.Props from files, appends them to w.Models in order of their first use, appends the
// materials they need to w.Materials, and sets each prop's Index. Names are relative to the game's folder; files should
// be case-insensitive. If levels of detail are in separate files, it reads only the named file, which is the finest.
//
// A file that is missing, broken or of an unsupported format is one issue, and its props keep NoModel; with a
// missing skin the model keeps its own shaders. Gather fails if a limit is exceeded or ctx ends.
func Gather(ctx context.Context, files fs.FS, w *world.World, o Options) error {
	g := &gatherer{
		ctx: ctx, o: o, w: w, files: files, budget: limit.From(ctx),
		skins: map[string]skin{}, variants: map[key]*variant{}, materials: newRegistry(w, o),
	}
	if err := g.read(); err != nil {
		return err
	}
	if err := g.addLevels(); err != nil {
		return err
	}
	props, err := g.dress()
	if err != nil {
		return err
	}
	g.fall(props)
	return g.place(props)
}

// read reads every file that a prop names, once, in each wanted look.
func (g *gatherer) read() error {
	g.sources = map[string]*source{}
	var list []*source
	for i := range g.w.Props {
		p := &g.w.Props[i]
		if p.Model == "" {
			continue // a sprite
		}
		name := clean(p.Model)
		s := g.sources[name]
		if s == nil {
			s = &source{name: name, order: map[look]int{}}
			g.sources[name] = s
			list = append(list, s)
		}
		l := lookOf(p)
		if _, ok := s.order[l]; !ok {
			s.order[l] = len(s.looks)
			s.looks = append(s.looks, l)
		}
	}
	err := par.Each(g.ctx, len(list), func(i int) error {
		return g.load(list[i])
	})
	return err
}

// addLevels inserts, after each prop, a prop for each coarser level of detail of its file.
func (g *gatherer) addLevels() error {
	more := 0
	for i := range g.w.Props {
		if s := g.sources[clean(g.w.Props[i].Model)]; s != nil {
			more += len(s.levels)
		}
	}
	if more == 0 {
		return nil
	}
	if err := g.budget.Reserve(limit.Bytes[world.Prop](len(g.w.Props) + more)); err != nil {
		return err
	}
	props := make([]world.Prop, 0, len(g.w.Props)+more)
	for _, p := range g.w.Props {
		props = append(props, p)
		if s := g.sources[clean(p.Model)]; s != nil {
			for range s.levels {
				p.Level++
				props = append(props, p)
			}
		}
	}
	g.w.Props = props
	return nil
}

// load reads one file. It returns an error only if a limit is exceeded or the context is done.
func (g *gatherer) load(s *source) error {
	ext := path.Ext(s.name)
	if !slices.ContainsFunc(formats, func(f format) bool { return f.ext == ext }) {
		s.fault = &world.Issue{Code: "model-format", Detail: fmt.Sprintf("%s: models of this format can't be read", s.name)}
		return nil
	}
	data, err := g.file(s.name)
	here := err == nil
	if here {
		err = formatOf(ext, data).read(g, s, data)
	}
	switch {
	case err == nil:
	case fatal(err):
		return fmt.Errorf("%s: %w", s.name, err)
	case errors.Is(err, fs.ErrNotExist) && !here:
		s.fault = &world.Issue{Code: "model-missing", Detail: s.name}
	case errors.Is(err, fs.ErrNotExist):
		s.fault = &world.Issue{Code: "model-missing", Detail: fmt.Sprintf("%s: %v", s.name, err)}
	case errors.Is(err, errors.ErrUnsupported):
		s.fault = &world.Issue{Code: "model-format", Detail: fmt.Sprintf("%s: %v", s.name, err)}
	default:
		s.fault = &world.Issue{Code: "model-broken", Detail: fmt.Sprintf("%s: %v", s.name, err)}
	}
	return g.ctx.Err()
}

// dress returns the props that have a model, in order, and reports the others.
func (g *gatherer) dress() (props []placed, err error) {
	for i := range g.w.Props {
		if i%4096 == 0 && g.ctx.Err() != nil {
			return nil, g.ctx.Err()
		}
		p := &g.w.Props[i]
		p.Index = world.NoModel
		if p.Model == "" {
			continue
		}
		e := g.entity(p)
		s := g.sources[clean(p.Model)]
		if s.fault != nil {
			if s.fault.Code != "" {
				g.issue(faultCode(s.fault.Code, p), p, "%s", s.fault.Detail)
			}
			s.fault = &world.Issue{} // reported
			continue
		}
		for _, i := range s.issues {
			g.issue(i.Code, p, "%s", i.Detail)
		}
		s.issues = nil
		d := &s.models[s.order[lookOf(p)]]
		if p.Level > 0 {
			d = &s.levels[p.Level-1][s.order[lookOf(p)]]
		}
		p.Facing = d.facing
		k := key{model: d.model}
		if tinted(p) {
			k.blend, k.tint = p.Draw.Blend, p.Draw.Tint
		}
		if k.skin, err = g.skinOf(p, e); err != nil {
			return nil, err
		}
		remaps := remapsOf(e)
		k.remap = strings.Join(remaps, "\n")
		v := g.variants[k]
		if v == nil {
			v = &variant{model: *d.model, dark: true, index: world.NoModel, hardware: d.hardware, center: d.center}
			v.model.Surfaces = slices.Clone(d.model.Surfaces)
			for j := range v.model.Surfaces {
				f := &v.model.Surfaces[j]
				f.Material = g.propMaterial(d, f.Material, p, g.skins[k.skin], remaps)
				f.Skins = slices.Clone(f.Skins)
				for i, m := range f.Skins {
					f.Skins[i] = g.propMaterial(d, m, p, g.skins[k.skin], remaps)
				}
				f.Flags = g.w.Materials[f.Material].Flags
				v.dark = v.dark && g.w.Materials[f.Material].Lighting != world.PerVertex
			}
			g.variants[k] = v
		}
		props = append(props, placed{p, v})
	}
	return props, nil
}

// propMaterial returns the index of the material that a prop uses for material i of its file.
func (g *gatherer) propMaterial(d *decoded, i int, p *world.Prop, s skin, remaps []string) int {
	if d.materials != nil {
		return g.materials.add(shown(d.materials[i], p))
	}
	shader := d.shaders[i]
	if d.hardware == nil {
		if to, ok := s[d.names[i]]; ok {
			shader = to
		}
		return g.materials.named(remap(shader, remaps))
	}
	i = g.materials.named(shader)
	if !tinted(p) {
		return i
	}
	return g.materials.add(shown(g.w.Materials[i], p))
}

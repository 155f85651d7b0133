package models

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// key identifies props that look the same apart from their light.
type key struct {
	model *world.Model // in its appearance
	skin  string
	remap string
	blend world.Blend
	tint  [4]uint8
}

// boundModel is a model with its materials, as props that look the same share it.
type boundModel struct {
	model    world.Model
	dark     bool // no material is lit per vertex
	index    int  // into World.Models if props share it, or NoModel
	hardware *hardware
	center   [3]float32       // as in decoded
	stands   [][]world.Vertex // by surface, if the model has a skeleton: its vertices as the bones pose them
	box      bool             // a box in place of a model that was not read; all its surfaces are lit
}

// stand computes the vertices of a skeletal model as its bones pose them, for its light and size.
func (v *boundModel) stand(b *limit.Budget) error {
	if v.model.Skeleton == nil {
		return nil
	}
	n := 0
	for i := range v.model.Surfaces {
		n += len(v.model.Surfaces[i].Shape.(*world.Triangles).Vertices)
	}
	if err := b.Reserve(vertexSize * int64(n)); err != nil {
		return err
	}
	v.stands, v.model.Mins, v.model.Maxs = skeleton.SkinVertices(&v.model)
	return nil
}

// vertices returns the vertices of a surface as they are when the map starts.
func (v *boundModel) vertices(surface int) []world.Vertex {
	if v.stands != nil {
		return v.stands[surface]
	}
	return v.model.Surfaces[surface].Shape.(*world.Triangles).Vertices
}

// placed is a prop with its model.
type placed struct {
	prop    *world.Prop
	variant *boundModel
}

// materialBinder binds props to models with the materials that each prop uses.
type materialBinder struct {
	library   *library
	w         *world.World
	sources   map[string]*source
	skins     map[string]skin // by clean name; nil if missing
	variants  map[key]*boundModel
	materials *registry
}

// bind returns the props that have a model, in order, and reports the others.
func (g *materialBinder) bind() (props []placed, err error) {
	for i := range g.w.Props {
		if i%4096 == 0 && g.library.ctx.Err() != nil {
			return nil, g.library.ctx.Err()
		}
		p := &g.w.Props[i]
		p.Index = world.NoModel
		if p.Model == "" {
			continue
		}
		s := g.sources[clean(p.Model)]
		if s.fault != nil {
			if s.fault.Code != "" {
				report(g.w, faultCode(s.fault.Code, p), p, "%s", s.fault.Detail)
			}
			s.fault = &world.Issue{} // so that it is reported once
			continue
		}
		for _, i := range s.issues {
			report(g.w, i.Code, p, "%s", i.Detail)
		}
		s.issues = nil
		d := &s.models[s.order[g.library.appearance(p)]]
		if p.Level > 0 {
			d = &s.levels[p.Level-1][s.order[g.library.appearance(p)]]
		}
		p.Facing = d.facing
		v, err := g.boundModel(d, p)
		if err != nil {
			return nil, err
		}
		props = append(props, placed{p, v})
	}
	return props, nil
}

// boundModel returns the model of a prop with its materials.
func (g *materialBinder) boundModel(d *decoded, p *world.Prop) (*boundModel, error) {
	e := entityOf(g.w, p)
	k := key{model: d.model}
	if tinted(p) {
		k.blend, k.tint = p.Draw.Blend, p.Draw.Tint
	}
	var err error
	if k.skin, err = g.skinOf(p, e); err != nil {
		return nil, err
	}
	remaps := remapsOf(e)
	k.remap = strings.Join(remaps, "\n")
	if v := g.variants[k]; v != nil {
		return v, nil
	}
	v := &boundModel{model: *d.model, dark: true, index: world.NoModel, hardware: d.hardware, center: d.center}
	v.model.Surfaces = slices.Clone(d.model.Surfaces)
	for j := range v.model.Surfaces {
		f := &v.model.Surfaces[j]
		f.Material = g.material(d, f.Material, p, g.skins[k.skin], remaps)
		f.Skins = slices.Clone(f.Skins)
		for i, m := range f.Skins {
			f.Skins[i] = g.material(d, m, p, g.skins[k.skin], remaps)
		}
		f.Flags = g.w.Materials[f.Material].Flags
		v.dark = v.dark && g.w.Materials[f.Material].Lighting != world.PerVertex
	}
	g.variants[k] = v
	return v, v.stand(g.library.budget)
}

// material returns the index of the material that a prop uses for surface i of its file.
func (g *materialBinder) material(d *decoded, i int, p *world.Prop, s skin, remaps []string) int {
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
	if d.irises[i] {
		i = g.materials.add(world.Material{Name: shader, Lighting: world.PerVertex, Iris: true})
	} else {
		i = g.materials.named(shader)
	}
	if !tinted(p) {
		return i
	}
	return g.materials.add(shown(g.w.Materials[i], p))
}

// tinted reports whether a prop changes the materials of its model.
func tinted(p *world.Prop) bool { return p.Draw.Blend != world.BlendNone || colored(p) }

// colored reports whether a prop's colour changes its materials. An unset colour doesn't.
func colored(p *world.Prop) bool {
	return p.Draw.Tint != [4]uint8{} && p.Draw.Tint[0]&p.Draw.Tint[1]&p.Draw.Tint[2] != 255
}

// shown returns a model's material with a prop's changes. Additive materials stay additive.
func shown(m world.Material, p *world.Prop) world.Material {
	if colored(p) {
		for k := range m.Tint {
			m.Tint[k] = gamma.Linear8()[max(p.Draw.Tint[k], 1)] // in a Material, black means no tint
		}
	}
	if p.Draw.Blend == world.BlendNone {
		return m
	}
	if m.Blend != world.BlendAdd {
		m.Blend = p.Draw.Blend
	}
	m.Opacity = float32(p.Draw.Tint[3]) / 255
	return m
}

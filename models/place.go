package models

import (
	"github.com/bsp2gltf/bsp2gltf/world"
)

// place appends the models and sets the props' indices: a model for each prop, with the light at its position, or a
// white model for each variant if the map has no light for it, it is not lit, or there are too many props. Source's
// props share their models, and have their light in Colors or Charts.
func (g *gatherer) place(props []placed) error {
	lamp := g.lamp(props)
	var shared []placed
	for _, p := range props {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		l, ok := light{}, false
		if p.variant.hardware != nil {
			shared = append(shared, p)
		} else if lamp != nil && !p.variant.dark {
			var why string
			if l, why = lamp(p.prop.Origin); why != "" {
				g.issue("prop-light", p.prop, "%s: it is left white", why)
			}
			ok = why == ""
		}
		if !ok && p.variant.index != world.NoModel {
			p.prop.Index = p.variant.index
			continue
		}
		p.prop.Index = len(g.w.Models)
		if ok {
			g.w.Models = append(g.w.Models, g.shine(p.variant.model, p.prop, l))
		} else {
			p.variant.index = p.prop.Index
			g.w.Models = append(g.w.Models, p.variant.model)
		}
	}
	if g.o.Light == LightNone {
		return nil
	}
	return g.streams(shared)
}

// lamp returns the function that finds the light at a point, or why there is none; it is nil if props are left
// white.
func (g *gatherer) lamp(props []placed) func(at [3]float32) (l light, why string) {
	first, lit, vertices := -1, 0, int64(0)
	for i, p := range props {
		if p.variant.dark || p.variant.hardware != nil {
			continue
		}
		if lit++; first < 0 {
			first = i
		}
		for _, s := range p.variant.model.Surfaces {
			vertices += int64(len(s.Shape.(*world.Triangles).Vertices))
		}
	}
	var below *floor
	if lit > 0 && g.w.Ambient.Grid == nil && g.o.Light != LightNone {
		below = newFloor(g.w)
	}
	switch {
	case lit == 0, g.o.Light == LightNone, g.w.Ambient.Grid == nil && below == nil:
		return nil
	case lit > maxLit:
		g.issue("prop-light", props[first].prop, "%d props are more than the %d that can be lit individually; they are left white", lit, maxLit)
		return nil
	}
	if err := g.budget.Reserve(vertices * vertexSize); err != nil {
		g.issue("prop-light", props[first].prop, "lighting %d props: %v: they are left white", lit, err)
		return nil
	}
	if below != nil {
		return below.light
	}
	return func(at [3]float32) (l light, why string) {
		l, ok := sample(g.w.Ambient.Grid, at)
		if !ok {
			why = "the light grid is dark around it"
		}
		return l, why
	}
}

// maxLit is the most props of a map that get separate vertices for their light. Source's props don't need them.
const maxLit = 512

package models

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/floor"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// place appends the models and sets the props' indices. A prop gets a model of its own with the light at its
// position, or a white one, shared by props that look the same, if the map has no light for it, it is not lit, or
// there are too many props. place returns Source's props: they share models, and their light goes into Colors or
// Charts.
func place(ctx context.Context, b *limit.Budget, w *world.World, props []placed, lit bool) (shared []placed, err error) {
	var lamp func(p *world.Prop) (light, string)
	if lit {
		lamp = lampOf(b, w, props)
	}
	for _, p := range props {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, ok := light{}, false
		if p.variant.hardware != nil {
			shared = append(shared, p)
		} else if lamp != nil && !p.variant.dark {
			var why string
			if l, why = lamp(p.prop); why != "" {
				report(w, "prop-light", p.prop, "%s: it is left white", why)
			}
			ok = why == ""
		}
		if ok && p.shares() {
			ok = false
			if err := b.Reserve(int64(p.variant.corners()) * colorSize); err != nil {
				return nil, err
			}
			p.prop.Light.Colors = apartLight(w.Materials, p, l)
		}
		if !ok && p.variant.index != world.NoModel {
			p.prop.Index = p.variant.index
			continue
		}
		p.prop.Index = len(w.Models)
		if ok {
			w.Models = append(w.Models, lightByGrid(w.Materials, p.variant.model, p.variant.stands, p.prop, l))
		} else {
			p.variant.index = p.prop.Index
			w.Models = append(w.Models, p.variant.model)
		}
	}
	return shared, nil
}

// lampOf returns the function that finds the light at a prop or says why there is none. It is nil if props are to be
// left white.
func lampOf(b *limit.Budget, w *world.World, props []placed) func(p *world.Prop) (l light, why string) {
	first, lit, vertices, apart := -1, 0, int64(0), false
	for i, p := range props {
		if p.variant.dark || p.variant.hardware != nil {
			continue
		}
		if p.shares() {
			apart = true
			continue
		}
		if lit++; first < 0 {
			first = i
		}
		vertices += int64(p.variant.corners())
	}
	var below *floor.Floor
	if (lit > 0 || apart) && w.Ambient.Grid == nil {
		below = floor.New(w)
	}
	switch {
	case lit == 0 && !apart, w.Ambient.Grid == nil && below == nil:
		return nil
	case lit > maxLit:
		report(w, "prop-light", props[first].prop, "%d props are more than the %d that can be lit individually; they are left white",
			lit, maxLit)
		return nil
	}
	if err := b.Reserve(vertices * vertexSize); err != nil {
		report(w, "prop-light", props[first].prop, "lighting %d props: %v: they are left white", lit, err)
		return nil
	}
	if below != nil {
		left := maxLooks
		return func(p *world.Prop) (light, string) {
			if left -= below.Steps; left < 0 {
				return light{}, "there are too many props and surfaces to look through"
			}
			return lightBelow(below, p.Origin, p.Light.Above)
		}
	}
	var shown *gamma.Curve
	if d := w.Baked.Display; d != nil {
		c := gamma.New(d.Albedo, d.Exponent)
		shown = &c
	}
	return func(p *world.Prop) (l light, why string) {
		l, ok := sample(w.Ambient.Grid, shown, p.Origin)
		l.endless = w.Baked.Display != nil && w.Baked.Display.Most == 0
		if !ok {
			why = "the light grid is dark around it"
		}
		return l, why
	}
}

// lightBelow returns the light of the surface below a point, or above it if above is set, or why there is none.
func lightBelow(f *floor.Floor, at [3]float32, above bool) (l light, why string) {
	found, ok := f.Light(at, above)
	if !ok {
		return l, "there is no lit surface below it"
	}
	return light{found.Ambient, found.Directed, found.Toward, true, &f.Curve, f.Ends}, ""
}

// corners returns the number of vertices of a model.
func (v *boundModel) corners() (n int) {
	for _, s := range v.model.Surfaces {
		n += len(s.Shape.(*world.Triangles).Vertices)
	}
	return n
}

// shares reports whether a prop shares its model with props in other light: a hovering one, because maps have many,
// or one whose frames take much memory.
func (p *placed) shares() bool {
	return p.prop.Appearance.Hover != nil || p.prop.Kind == world.EntityProp && p.variant.model.MorphTargets != nil
}

// apartLight returns the light on the vertices of a prop's model, by surface; for a prop that turns, the mean over a
// turn. A surface that is not lit by vertices has nil.
func apartLight(materials []world.Material, p placed, l light) [][]world.RGB {
	v, yaws := p.variant, 1
	if h := p.prop.Appearance.Hover; h != nil && h.TurnPeriod != 0 {
		yaws = 8
	}
	toward := turnBack(p.prop.Angles, l.toward)
	out := make([][]world.RGB, len(v.model.Surfaces))
	for i := range v.model.Surfaces {
		if materials[v.model.Surfaces[i].Material].Lighting != world.PerVertex {
			continue
		}
		vertices := v.vertices(i)
		out[i] = make([]world.RGB, len(vertices))
		for k := range vertices {
			var mean [3]float32
			for turn := range yaws {
				normal := turnBack([3]float32{0, float32(turn * 360 / yaws), 0}, vertices[k].Normal)
				for x, c := range l.on(normal, toward, v.model.Surfaces[i].Flags) {
					mean[x] += c / float32(yaws)
				}
			}
			out[i][k] = world.NewRGB(l.end(mean[0]), l.end(mean[1]), l.end(mean[2]))
		}
	}
	return out
}

// maxLooks bounds the surfaces tested for the light of all props. Real maps need a tenth of it.
const maxLooks = 1 << 27

// maxLit is the most props of a map that get vertices of their own for their light. Source's props don't need them.
const maxLit = 512

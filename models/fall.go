package models

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// mostRaised is the greatest height in map units of a model's lowest point above its origin that is put on the floor.
const mostRaised = 32

// fall moves the entities and props that the game drops to the floor below them. Over displacements and curved surfaces, which it
// can't test, they stay.
func fall(ctx context.Context, w *world.World, props []placed) {
	var below *floor
	left := steps
	drop := func(from [3]float32, rise, most float32) (to [3]float32, moved bool) {
		if below == nil {
			below = solidFloor(w)
		}
		if left -= below.steps; left < 0 || ctx.Err() != nil {
			return from, false
		}
		to = from
		z, ok := below.height(from)
		to[2] = z + rise
		return to, ok && to[2] < from[2] && to[2] >= from[2]-most
	}
	for i := range w.Entities {
		e := &w.Entities[i]
		if from, ok := e.Vector("origin"); e.Drop != nil && ok {
			if to, moved := drop(from, e.Drop.Rise, e.Drop.Most); moved {
				e.Start = &world.Place{Origin: to, Angles: e.Angles()}
			}
		}
	}
	for i := range props {
		p := props[i].prop
		if p.Entity != world.NoEntity && w.Entities[p.Entity].Drop != nil && w.Entities[p.Entity].Start != nil {
			p.Origin = w.Entities[p.Entity].Start.Origin
		}
		if p.Level > 0 {
			p.Origin = props[i-1].prop.Origin
			continue
		}
		if p.Falls == 0 || p.Entity == world.NoEntity {
			continue
		}
		var rise float32
		if props[i].variant.hardware != nil { // Source's rest on their lowest point, others on their origin
			rise = min(max(-props[i].variant.model.Mins[2]*p.Scale[2], 0), mostRaised)
		}
		to, moved := drop(p.Origin, rise, p.Falls)
		if !moved {
			continue
		}
		p.Origin = to
		e := &w.Entities[p.Entity]
		if e.Start == nil {
			e.Start = &world.Place{Angles: e.Angles()}
		}
		e.Start.Origin = p.Origin
	}
}

// unsolid are the flags of surfaces that nothing stands on.
const unsolid = world.Sky | world.Trigger | world.Hint | world.Liquid | world.Underside

// solidFloor returns the surfaces that things can stand on, lit or not, with a nil shape for those without triangles
// here.
func solidFloor(w *world.World) *floor {
	f := &floor{w: w}
	if len(w.Models) == 0 {
		return f
	}
	for i := range w.Models[0].Surfaces {
		s := &w.Models[0].Surfaces[i]
		if s.Flags&unsolid != 0 {
			continue
		}
		vertices, indices := ground(s)
		switch shape := s.Shape.(type) {
		case *world.Displacement:
			vertices = shape.Corners[:]
		case *world.Patch:
			vertices = shape.Control
		}
		f.add(s, vertices, indices)
	}
	return f
}

// height returns the Z of the first upward-facing surface below a point; ok is false if there is none, or if a surface
// without triangles here may be in between.
func (f *floor) height(at [3]float32) (z float32, ok bool) {
	var best hit
	for i := range f.faces {
		c := &f.faces[i]
		if at[0] < c.mins[0] || at[0] > c.maxs[0] || at[1] < c.mins[1] || at[1] > c.maxs[1] {
			continue
		}
		vertices, indices := ground(c.surface)
		if vertices == nil {
			return 0, false
		}
		if c.low > at[2]+step {
			continue
		}
		if indices == nil {
			for j := 2; j < len(vertices); j++ {
				best.try(c.surface, at, &vertices[0], &vertices[j-1], &vertices[j])
			}
		}
		for j := 0; j+2 < len(indices); j += 3 {
			best.try(c.surface, at, &vertices[indices[j]], &vertices[indices[j+1]], &vertices[indices[j+2]])
		}
	}
	return float32(best.height), best.surface != nil
}

package models

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/models/internal/floor"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxRaised is how far above its origin a model's lowest point may be, in map units, for the model to be put on the
// floor.
const maxRaised = 32

// dropProps moves the props that the game drops to the floor below them. Over displacements and curved surfaces,
// which it can't test, they stay.
func dropProps(ctx context.Context, w *world.World, props []placed) {
	var below *floor.Ground
	left := steps
	drop := func(from [3]float32, rise float32, d *world.Drop) (to [3]float32, moved bool) {
		if below == nil {
			below = floor.NewGround(w)
		}
		if left -= below.Steps; left < 0 || ctx.Err() != nil {
			return from, false
		}
		to = from
		z, ok := below.Height(from, d.Sides)
		to[2] = z + rise
		return to, ok && to[2] < from[2] && to[2] >= from[2]-d.Most
	}
	for i := range w.Entities {
		e := &w.Entities[i]
		if from, ok := e.Vector("origin"); e.Drop != nil && ok {
			if to, moved := drop(from, e.Drop.Rise, e.Drop); moved {
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
		if p.Drop.Most == 0 || p.Entity == world.NoEntity {
			continue
		}
		var rise float32
		if props[i].variant.hardware != nil { // Source's props rest on their lowest point, others on their origin
			rise = min(max(-props[i].variant.model.Mins[2]*p.Scale[2], 0), maxRaised)
		}
		to, moved := drop(p.Origin, rise, &p.Drop)
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

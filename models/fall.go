package models

import (
	"context"
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// mostRaised is the greatest height in map units of a model's lowest point above its origin that is put on the floor.
const mostRaised = 32

// fall moves the entities and props that the game drops to the floor below them. Over displacements and curved surfaces, which it
// can't test, they stay.
func fall(ctx context.Context, w *world.World, props []placed) {
	var below *floor
	left := steps
	drop := func(from [3]float32, rise float32, d *world.Drop) (to [3]float32, moved bool) {
		if below == nil {
			below = solidFloor(w)
		}
		if left -= below.steps; left < 0 || ctx.Err() != nil {
			return from, false
		}
		to = from
		z, ok := below.height(from, d.Sides)
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
		if p.Falls.Most == 0 || p.Entity == world.NoEntity {
			continue
		}
		var rise float32
		if props[i].variant.hardware != nil { // Source's rest on their lowest point, others on their origin
			rise = min(max(-props[i].variant.model.Mins[2]*p.Scale[2], 0), mostRaised)
		}
		to, moved := drop(p.Origin, rise, &p.Falls)
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

// height returns the Z of the highest upward-facing surface below a box, which begins and ends at sides in X and Y from a point; ok is
// false if there is none, or if a surface without triangles here may be between the point and the floor.
func (f *floor) height(at [3]float32, sides [2]float32) (z float32, ok bool) {
	best, center := rest{height: math.Inf(-1), most: float64(at[2]) + step}, hit{}
	if sides == [2]float32{} {
		sides = [2]float32{-touch, touch} // a point
	}
	for k := range 2 {
		best.mins[k], best.maxs[k] = float64(at[k]+sides[0])+touch, float64(at[k]+sides[1])-touch
	}
	for i := range f.faces {
		c := &f.faces[i]
		if float64(c.maxs[0]) < best.mins[0] || float64(c.mins[0]) > best.maxs[0] ||
			float64(c.maxs[1]) < best.mins[1] || float64(c.mins[1]) > best.maxs[1] {
			continue
		}
		vertices, indices := ground(c.surface)
		if vertices == nil {
			if at[0] >= c.mins[0] && at[0] <= c.maxs[0] && at[1] >= c.mins[1] && at[1] <= c.maxs[1] {
				return 0, false
			}
			continue
		}
		if float64(c.low) > best.most {
			continue
		}
		if indices == nil {
			for j := 2; j < len(vertices); j++ {
				center.try(c.surface, at, &vertices[0], &vertices[j-1], &vertices[j])
				best.try(&vertices[0], &vertices[j-1], &vertices[j])
			}
		}
		for j := 0; j+2 < len(indices); j += 3 {
			center.try(c.surface, at, &vertices[indices[j]], &vertices[indices[j+1]], &vertices[indices[j+2]])
			best.try(&vertices[indices[j]], &vertices[indices[j+1]], &vertices[indices[j+2]])
		}
	}
	if center.surface != nil {
		best.height = max(best.height, center.height)
	}
	return float32(best.height), !math.IsInf(best.height, -1)
}

// touch is how much of a box may be beside a step without resting on it, in map units: DIST_EPSILON of Quake's kin (world.c).
const touch = 1.0 / 32

// rest is where a falling box stops: the highest point below it of the triangles tried.
type rest struct {
	mins, maxs [2]float64 // the box, seen from above
	most       float64    // what is higher does not count: the box is in it, and not on it
	height     float64
}

// try raises the height to the highest point of a triangle that is within the box.
func (r *rest) try(a, b, c *world.Vertex) {
	if !(wedge(across(a, b.Position), across(a, c.Position)) > 0) { // the triangle faces down
		return
	}
	for k := range 2 {
		p, q, s := float64(a.Position[k]), float64(b.Position[k]), float64(c.Position[k])
		if max(p, q, s) < r.mins[k] || min(p, q, s) > r.maxs[k] {
			return
		}
	}
	corners := make([][3]float64, 3)
	for i, v := range [3]*world.Vertex{a, b, c} {
		for k, x := range v.Position {
			corners[i][k] = float64(x)
		}
	}
	for k := range 2 {
		corners = cutOff(cutOff(corners, k, 1, r.maxs[k]), k, -1, -r.mins[k])
	}
	for _, p := range cutOff(corners, 2, 1, r.most) {
		r.height = max(r.height, p[2])
	}
}

// cutOff returns the part of a convex polygon whose coordinate k, times sign, is at most a limit.
func cutOff(corners [][3]float64, k int, sign, limit float64) (kept [][3]float64) {
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		from, to := sign*p[k]-limit, sign*q[k]-limit
		if from <= 0 {
			kept = append(kept, p)
		}
		if from < 0 && to > 0 || from > 0 && to < 0 {
			part := from / (from - to)
			var at [3]float64
			for j := range at {
				at[j] = p[j] + float64(part*(q[j]-p[j]))
			}
			kept = append(kept, at)
		}
	}
	return kept
}

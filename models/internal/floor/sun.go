package floor

import (
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// far is how far toward the sun the engine traces, in map units. Xash3D, R_EntityDynamicLight.
const far = 8192

// sees reports whether the first surface from a point toward the sun is sky. The trace ends far units from the
// model's origin.
func (f *Floor) sees(from, origin, direction [3]float32) bool {
	r := ray{from: space.Vector64(from)}
	for k := range r.way {
		r.way[k] = float64(origin[k]) - float64(far*float64(direction[k])) - float64(from[k])
	}
	nearest, sky := 1.0, false
	for i := range f.solid {
		c := &f.solid[i]
		if !r.meets(c, nearest) {
			continue
		}
		c.each(func(a, b, v *world.Vertex) {
			if t, ok := r.hits(a.Position, b.Position, v.Position); ok && t < nearest {
				nearest, sky = t, c.surface.Flags&world.Sky != 0
			}
		})
	}
	return sky
}

// ray is a line segment: its start, and the vector to its end.
type ray struct{ from, way [3]float64 }

// meets reports whether the first part of a ray, of length until (1 is all of it), meets the bounds of a face.
func (r *ray) meets(c *face, until float64) bool {
	first, last := 0.0, until
	for k := range r.way {
		low, high := float64(c.mins[k])-r.from[k], float64(c.maxs[k])-r.from[k]
		if r.way[k] == 0 {
			if low > 0 || high < 0 {
				return false
			}
			continue
		}
		low, high = low/r.way[k], high/r.way[k]
		first, last = max(first, min(low, high)-slack), min(last, max(low, high)+slack)
	}
	return first <= last
}

// slack is the tolerance against gaps between triangles, as a fraction of a ray and of a triangle's sides.
const slack = 1e-6

// hits returns the fraction of a ray at which it passes through a triangle, from either side.
func (r *ray) hits(a, b, c [3]float32) (t float64, ok bool) {
	at := space.Vector64(a)
	var ab, ac, start [3]float64
	for k := range at {
		ab[k], ac[k], start[k] = float64(b[k])-at[k], float64(c[k])-at[k], r.from[k]-at[k]
	}
	across := space.Cross(r.way, ac)
	area := space.Dot(ab, across)
	if area == 0 {
		return 0, false
	}
	over := space.Cross(start, ab)
	u, v, t := space.Dot(start, across)/area, space.Dot(r.way, over)/area, space.Dot(ac, over)/area
	return t, u >= -slack && v >= -slack && u+v <= 1+slack && t >= 0
}

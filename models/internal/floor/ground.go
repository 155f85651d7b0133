package floor

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// unsolid are the flags of surfaces that nothing stands on.
const unsolid = world.Sky | world.Trigger | world.Hint | world.Liquid | world.Underside

// Ground holds the surfaces of the world, lit or not, that things can stand on. Brush models are not included.
type Ground struct {
	Steps int // cost of a look at one point, as Floor.Steps

	faces []face // also those that have no triangles here
}

// NewGround returns the ground of a map.
func NewGround(w *world.World) *Ground {
	g := &Ground{}
	if len(w.Models) == 0 {
		return g
	}
	for i := range w.Models[0].Surfaces {
		s := &w.Models[0].Surfaces[i]
		if s.Flags&unsolid != 0 {
			continue
		}
		if c, cost, ok := bounded(s); ok {
			g.faces = append(g.faces, c)
			g.Steps += cost
		}
	}
	return g
}

// Height returns the Z of the highest upward-facing surface below a box; sides are its least and greatest X and Y
// relative to the point at. ok is false if there is none, or if a surface without triangles here may be between the
// point and the floor.
func (g *Ground) Height(at [3]float32, sides [2]float32) (z float32, ok bool) {
	best, center := landing{height: math.Inf(-1), most: float64(at[2]) + start}, hit{way: 1, at: at}
	if sides == [2]float32{} {
		sides = [2]float32{-touch, touch} // a point
	}
	for k := range 2 {
		best.mins[k], best.maxs[k] = float64(at[k]+sides[0])+touch, float64(at[k]+sides[1])-touch
	}
	for i := range g.faces {
		c := &g.faces[i]
		if float64(c.maxs[0]) < best.mins[0] || float64(c.mins[0]) > best.maxs[0] ||
			float64(c.maxs[1]) < best.mins[1] || float64(c.mins[1]) > best.maxs[1] {
			continue
		}
		if vertices, _ := Triangles(c.surface); vertices == nil {
			if at[0] >= c.mins[0] && at[0] <= c.maxs[0] && at[1] >= c.mins[1] && at[1] <= c.maxs[1] {
				return 0, false
			}
			continue
		}
		if float64(c.mins[2]) > best.most {
			continue
		}
		c.each(func(v, w, x *world.Vertex) {
			center.try(c, v, w, x)
			best.try(v, w, x)
		})
	}
	if center.found != nil {
		best.height = max(best.height, center.height)
	}
	return float32(best.height), !math.IsInf(best.height, -1)
}

// touch is how far a box may overlap a step at its side without resting on it, in map units: DIST_EPSILON of Quake's
// relatives (world.c).
const touch = 1.0 / 32

// landing is where a falling box stops: the highest point of the triangles tried.
type landing struct {
	mins, maxs [2]float64 // the box seen from above
	most       float64    // higher points don't count: the box is inside the surface, not above it
	height     float64
}

// try raises the height to the highest point of a triangle within the box.
func (r *landing) try(a, b, c *world.Vertex) {
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

// cutOff returns the part of a convex polygon where coordinate k, times sign, is at most limit.
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

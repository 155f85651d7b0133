package models

import (
	"github.com/bsp2gltf/bsp2gltf/world"
)

// floor holds the lit surfaces of a map. Without a light grid, the surface below a point gives its light, as in Quake
// and its relatives (R_LightPoint), which ignore brush models too.
type floor struct {
	w     *world.World
	faces []face
	steps int // of a look at one point: the faces, and a sixteenth of the triangles
}

// face is a surface and its bounds seen from above.
type face struct {
	surface    *world.Surface
	mins, maxs [2]float32
	low        float32
}

// step is how far a prop's origin may be below the ground, as in Half-Life (R_StudioDynamicLight).
const step = 8

// newFloor returns the floor of a map, or nil if there is no light. Curved surfaces are ignored.
func newFloor(w *world.World) *floor {
	f := &floor{w: w}
	if len(w.Models) == 0 {
		return nil
	}
	for i := range w.Models[0].Surfaces {
		s := &w.Models[0].Surfaces[i]
		if s.Chart == world.NoChart || len(w.Baked.Charts[s.Chart].Layers) == 0 || s.Flags&(world.Sky|world.NoDraw) != 0 {
			continue
		}
		vertices, indices := ground(s)
		f.add(s, vertices, indices)
	}
	if len(f.faces) == 0 {
		return nil
	}
	return f
}

// add appends a surface with the bounds of its vertices.
func (f *floor) add(s *world.Surface, vertices []world.Vertex, indices []uint32) {
	if len(vertices) == 0 {
		return
	}
	at := vertices[0].Position
	c := face{s, [2]float32{at[0], at[1]}, [2]float32{at[0], at[1]}, at[2]}
	for i := range vertices {
		p := &vertices[i].Position
		for k := range 2 {
			c.mins[k], c.maxs[k] = min(c.mins[k], p[k]), max(c.maxs[k], p[k])
		}
		c.low = min(c.low, p[2])
	}
	f.faces = append(f.faces, c)
	f.steps += 1 + max(len(vertices), len(indices)/3)/16
}

// ground returns a surface as triangles; a polygon, a fan, has no indices.
func ground(s *world.Surface) ([]world.Vertex, []uint32) {
	switch shape := s.Shape.(type) {
	case *world.Polygon:
		return shape.Corners, nil
	case *world.Triangles:
		return shape.Vertices, shape.Indices
	}
	return nil, nil
}

// light returns the light on the first upward-facing surface below a point.
func (f *floor) light(at [3]float32) (l light, why string) {
	var best hit
	for i := range f.faces {
		c := &f.faces[i]
		if at[0] < c.mins[0] || at[0] > c.maxs[0] || at[1] < c.mins[1] || at[1] > c.maxs[1] || c.low > at[2]+step {
			continue
		}
		vertices, indices := ground(c.surface)
		if indices == nil {
			for j := 2; j < len(vertices); j++ {
				best.try(c.surface, at, &vertices[0], &vertices[j-1], &vertices[j])
			}
		}
		for j := 0; j+2 < len(indices); j += 3 {
			best.try(c.surface, at, &vertices[indices[j]], &vertices[indices[j+1]], &vertices[indices[j+2]])
		}
	}
	if best.surface == nil {
		return l, "there is no lit surface below it"
	}
	chart := &f.w.Baked.Charts[best.surface.Chart]
	return light{directed: luxel(chart, best.luxel), toward: [3]float32{0, 0, 1}, wraps: true}, ""
}

// hit is the highest point found below a prop.
type hit struct {
	surface *world.Surface
	height  float64
	luxel   [2]float64
}

// try tests a triangle.
func (h *hit) try(s *world.Surface, at [3]float32, a, b, c *world.Vertex) {
	ab, ac, ap := across(a, b.Position), across(a, c.Position), across(a, at)
	area := wedge(ab, ac)
	if !(area > 0) { // the triangle faces down
		return
	}
	u, v := wedge(ap, ac)/area, wedge(ab, ap)/area
	const slack = 1e-6 // tolerance against gaps between triangles
	if !(u >= -slack && v >= -slack && u+v <= 1+slack) {
		return
	}
	mean := func(x, y, z float32) float64 {
		return float64(x) + float64(u*(float64(y)-float64(x))) + float64(v*(float64(z)-float64(x)))
	}
	z := mean(a.Position[2], b.Position[2], c.Position[2])
	if z > float64(at[2])+step || h.surface != nil && z <= h.height {
		return
	}
	h.surface, h.height = s, z
	for k := range h.luxel {
		h.luxel[k] = mean(a.Luxel[k], b.Luxel[k], c.Luxel[k])
	}
}

// across returns the vector from a vertex to a point, seen from above.
func across(a *world.Vertex, to [3]float32) [2]float64 {
	return [2]float64{float64(to[0]) - float64(a.Position[0]), float64(to[1]) - float64(a.Position[1])}
}

// wedge returns twice the signed area of the triangle of two sides, positive if the second is left of the first.
func wedge(a, b [2]float64) float64 { return float64(a[0]*b[1]) - float64(a[1]*b[0]) }

// luxel returns the light of a chart's first layer at a point, interpolated between the four luxels around it.
func luxel(c *world.Chart, at [2]float64) (out [3]float32) {
	var cell [2]int
	var part [2]float32
	for k, size := range [2]int{c.Width, c.Height} {
		x := min(max(at[k]-0.5, 0), float64(size-1))
		cell[k] = int(x)
		part[k] = float32(x - float64(cell[k]))
	}
	for corner := range 4 {
		x, y := cell[0]+corner&1, cell[1]+corner>>1
		weight := float32(1)
		for k, side := range [2]int{corner & 1, corner >> 1} {
			if side == 0 {
				weight *= 1 - part[k]
			} else {
				weight *= part[k]
			}
		}
		if weight == 0 { // beyond the last luxel
			continue
		}
		for k, light := range c.Layers[0].Luxels[y*c.Width+x].Float32() {
			out[k] += float32(weight * light)
		}
	}
	return out
}

// Package floor finds the light of models in maps that store none for them: that of the surface below, as in Quake
// and its relatives (R_LightPoint), or in GoldSrc also that of the sun.
//
// Light is in display space: the sum of a surface's light styles at the map's start. How much of it each side of a
// model gets is up to the caller.
package floor

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Floor holds the lit surfaces of a map, except curved ones. Brush models count only in GoldSrc, and only where the
// world gives no light.
type Floor struct {
	Curve gamma.Curve // from display space to linear light
	Steps int         // cost of a look at one point: the number of faces, and a sixteenth of the triangles
	Ends  bool        // light is clamped to 1 in display space

	w     *world.World
	law   world.FloorLight
	lit   []face
	solid []face // lit or not, if there is a sun
	moved []face // of brush models
}

// face is a surface and its bounds.
type face struct {
	surface    *world.Surface
	chart      *world.Chart // its light, or nil
	at         [3]float32   // the position of its model
	mins, maxs [3]float32   // bounds of the surface, in its model's axes
}

// New returns the floor of a map, or nil if there is no light.
func New(w *world.World) *Floor {
	f := &Floor{w: w, Curve: gamma.New(1, 1)}
	if len(w.Models) == 0 {
		return nil
	}
	if d := w.Baked.Display; d != nil {
		f.Curve = gamma.New(d.Albedo, d.Exponent)
	}
	if w.Ambient.Floor != nil {
		f.law = *w.Ambient.Floor
		f.Ends = f.law.Gain > 0
	}
	for i := range w.Models[0].Surfaces {
		s := &w.Models[0].Surfaces[i]
		c, cost, ok := bounded(s)
		if vertices, _ := Triangles(s); !ok || len(vertices) == 0 {
			continue
		}
		if f.law.Sun != nil {
			f.solid = append(f.solid, c)
			f.Steps += cost
		}
		if f.isLit(s) {
			c.chart = &w.Baked.Charts[s.Chart]
			f.lit = append(f.lit, c)
			f.Steps += f.looks() * cost
		}
	}
	for i := range f.law.Hidden {
		h := &f.law.Hidden[i]
		if c, cost, ok := bounded(&world.Surface{Shape: h.Shape}); ok && len(h.Chart.Layers) > 0 {
			c.chart = &h.Chart
			f.lit = append(f.lit, c)
			f.Steps += f.looks() * cost
		}
	}
	if len(f.lit) == 0 {
		return nil
	}
	if f.law.Gain > 0 {
		f.addModels()
	}
	return f
}

// isLit reports whether a surface has light for models.
func (f *Floor) isLit(s *world.Surface) bool {
	return s.Chart != world.NoChart && len(f.w.Baked.Charts[s.Chart].Layers) > 0 && s.Flags&(world.Sky|world.NoDraw|world.Trigger) == 0
}

// looks returns at how many points light is sampled for one model.
func (f *Floor) looks() int {
	if f.law.Spread > 0 {
		return 5
	}
	return 1
}

// addModels adds the surfaces of brush models that an entity can stand on, at the map's start: each model once, as in
// the games. Rotated models are left out.
func (f *Floor) addModels() {
	seen := make([]bool, len(f.w.Models))
	for i := range f.w.Entities {
		e := &f.w.Entities[i]
		if e.Model <= 0 || e.Model >= len(f.w.Models) || strings.EqualFold(e.Class(), "func_illusionary") {
			continue
		}
		at, _ := e.Vector("origin")
		turned := e.ModelAngles
		if e.Start != nil {
			at, turned = e.Start.Origin, e.Start.Angles
		}
		if turned != [3]float32{} || seen[e.Model] {
			continue
		}
		seen[e.Model] = true
		for k := range f.w.Models[e.Model].Surfaces {
			s := &f.w.Models[e.Model].Surfaces[k]
			if c, cost, ok := bounded(s); ok && f.isLit(s) {
				c.at, c.chart = at, &f.w.Baked.Charts[s.Chart]
				f.moved = append(f.moved, c)
				f.Steps += f.looks() * cost
			}
		}
	}
}

// bounded returns a surface with its bounds, and the cost of a look at it; ok is false if it has no points.
// Displacements and curved surfaces have no triangles here: their points are the corners and the control points.
func bounded(s *world.Surface) (c face, cost int, ok bool) {
	vertices, indices := Triangles(s)
	switch shape := s.Shape.(type) {
	case *world.Displacement:
		vertices = shape.Corners[:]
	case *world.Patch:
		vertices = shape.Control
	}
	if len(vertices) == 0 {
		return face{}, 0, false
	}
	c = face{surface: s, mins: vertices[0].Position, maxs: vertices[0].Position}
	for i := range vertices {
		space.Extend(&c.mins, &c.maxs, vertices[i].Position)
	}
	return c, 1 + max(len(vertices), len(indices)/3)/16, true
}

// Triangles returns the vertices and indices of a surface. A polygon has no indices: it is a fan.
func Triangles(s *world.Surface) ([]world.Vertex, []uint32) {
	switch shape := s.Shape.(type) {
	case *world.Polygon:
		return shape.Corners, nil
	case *world.Triangles:
		return shape.Vertices, shape.Indices
	}
	return nil, nil
}

// each calls do for each triangle of a surface.
func (c *face) each(do func(a, b, c *world.Vertex)) {
	vertices, indices := Triangles(c.surface)
	if indices == nil {
		for j := 2; j < len(vertices); j++ {
			do(&vertices[0], &vertices[j-1], &vertices[j])
		}
	}
	for j := 0; j+2 < len(indices); j += 3 {
		do(&vertices[indices[j]], &vertices[indices[j+1]], &vertices[indices[j+2]])
	}
}

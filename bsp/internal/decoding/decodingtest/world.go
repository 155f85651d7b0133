package decodingtest

import (
	"math"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Promise holds a world against what package world promises, as far as the shapes go, and its size against the budget.
func Promise(t testing.TB, w *world.World, b *limit.Budget) {
	t.Helper()
	size := 0
	vertices := func(list []world.Vertex, c *world.Chart) {
		size += 56 * len(list)
		for i := range list {
			v := &list[i]
			for _, x := range append(v.Position[:], v.UV[:]...) {
				if !(x >= -1<<24 && x <= 1<<24) {
					t.Fatalf("%+v", *v)
				}
			}
			if n := v.Normal; n != ([3]float32{}) && math.Abs(math.Sqrt(float64(n[0]*n[0]+n[1]*n[1]+n[2]*n[2]))-1) > 1e-3 {
				t.Fatalf("%+v", *v)
			}
			if l := v.Luxel; !(l[0] >= 0 && l[1] >= 0) || c != nil && !(l[0] <= float32(c.Width) && l[1] <= float32(c.Height)) {
				t.Fatalf("%+v on %+v", *v, c)
			}
		}
	}
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			s := &w.Models[i].Surfaces[k]
			size += 48
			var c *world.Chart
			if s.Chart != world.NoChart {
				c = &w.Baked.Charts[s.Chart]
			}
			if _, overlay := s.Shape.(*world.Overlay); !overlay && (w.Materials[s.Material].Lighting == world.Lightmap) != (c != nil) {
				t.Fatalf("face %d is lit by %s, with chart %d", s.Record, w.Materials[s.Material].Lighting, s.Chart)
			}
			switch shape := s.Shape.(type) {
			case *world.Polygon:
				vertices(shape.Corners, c)
			case *world.Triangles:
				vertices(shape.Vertices, c)
				size += 4 * len(shape.Indices)
				for _, x := range shape.Indices {
					if int(x) >= len(shape.Vertices) {
						t.Fatalf("face %d: index %d of %d", s.Record, x, len(shape.Vertices))
					}
				}
			case *world.Displacement:
				vertices(shape.Corners[:], c)
				side := 1<<shape.Power + 1
				n := side * side
				size += 16 * n
				if len(shape.Offsets) != n || len(shape.Alpha) != n || shape.Blends != nil && len(shape.Blends) != n ||
					shape.Removed != nil && len(shape.Removed) != 2*(side-1)*(side-1) {
					t.Fatalf("face %d: %+v", s.Record, shape)
				}
			case *world.Overlay:
				if host := w.Models[i].Surfaces[shape.Host].Shape; host == nil || shape.Order < 0 || shape.Order > 255 {
					t.Fatalf("overlay %d: %+v", s.Record, shape)
				}
			default:
				t.Fatalf("face %d is a %T", s.Record, shape)
			}
		}
	}
	for i := range w.Baked.Charts {
		c := &w.Baked.Charts[i]
		for _, l := range c.Layers {
			size += 6 * len(l.Luxels)
			if len(l.Luxels) != c.Width*c.Height {
				t.Fatalf("chart %d: %d luxels of %d x %d", i, len(l.Luxels), c.Width, c.Height)
			}
		}
	}
	size += 48*len(w.Entities) + 200*len(w.Props)
	if b.Reserved() < int64(size) {
		t.Fatalf("%d bytes are reserved, the world has %d", b.Reserved(), size)
	}
}

// Extras fails where an index of the world leads nowhere, or a number is none.
func Extras(t testing.TB, w *world.World) {
	t.Helper()
	number := func(what string, v ...float32) {
		for _, x := range v {
			if !(x > -1<<25 && x < 1<<25) {
				t.Errorf("%s has %g", what, v)
				return
			}
		}
	}
	index := func(what string, i, least, most int) {
		if i < least || i >= most {
			t.Errorf("%s has index %d of %d", what, i, most)
		}
	}
	for _, m := range w.Models {
		for _, s := range m.Surfaces {
			o, ok := s.Shape.(*world.Overlay)
			if !ok {
				continue
			}
			index("an overlay", o.Host, 0, len(m.Surfaces))
			index("an overlay's material", s.Material, 0, len(w.Materials))
			index("an overlay's chart", s.Chart, world.NoChart, len(w.Baked.Charts))
			index("an overlay's order", o.Order, 0, 256)
			if _, ok := m.Surfaces[o.Host].Shape.(*world.Overlay); ok {
				t.Error("an overlay on an overlay")
			}
			number("an overlay", o.Normal[0], o.Normal[1], o.Normal[2], o.Fade[0], o.Fade[1])
			for _, c := range o.Corners {
				number("a corner", c.Position[0], c.Position[1], c.Position[2], c.UV[0], c.UV[1])
			}
		}
	}
	for _, p := range w.Props {
		number("a prop", p.Origin[0], p.Origin[1], p.Origin[2], p.Scale[0], p.Scale[1], p.Scale[2], p.Draw.Fade[0], p.Draw.Fade[1])
		if p.Kind != world.EntityProp && (p.Model == "") != (p.Sprite != nil) || strings.Contains(p.Model, "\\") {
			t.Errorf("a prop of model %q", p.Model)
		}
		if p.Light.At != nil {
			number("a prop's light", p.Light.At[0], p.Light.At[1], p.Light.At[2])
		}
	}
	for _, l := range w.Lights {
		index("a light", l.Entity, world.NoEntity, len(w.Entities))
		number("a light", l.Origin[0], l.Origin[1], l.Origin[2], l.Direction[0], l.Direction[1], l.Direction[2], l.Color[0], l.Color[1],
			l.Color[2],
			float32(l.Range), float32(l.Inner), float32(l.Outer))
		if !(l.Intensity >= 0 && l.Intensity < 1e30) || l.Inner > l.Outer {
			t.Errorf("a light: %+v", l)
		}
	}
	for _, p := range w.Ambient.Probes {
		number("a probe", p.Position[0], p.Position[1], p.Position[2])
	}
	for _, c := range w.Cubemaps {
		number("a cubemap", c.Origin[0], c.Origin[1], c.Origin[2], float32(c.Size))
	}
	for _, x := range w.Volumes.Waters {
		index("water", x.Material, -1, len(w.Materials))
		number("water", x.Surface, x.Bottom)
	}
	for _, b := range w.Volumes.Brushes {
		index("a brush", b.Model, 0, len(w.Models))
		for _, p := range b.Planes {
			number("a plane", p[0], p[1], p[2], p[3])
		}
	}
}

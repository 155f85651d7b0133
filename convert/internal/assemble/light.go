package assemble

import (
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addLight adds the light for moving objects, as far as the options keep it.
func addLight(s *scene.Scene, from world.Ambient, display *world.DisplayLight, o lightmap.Options, to axes.Axes) {
	if from.Grid != nil && o.Grid {
		s.Grid = gridOf(from.Grid, to)
		if m := from.Grid.Models; m != nil && display != nil {
			s.Grid.Shown = &scene.GridShown{Albedo: display.Albedo, Exponent: display.Exponent,
				Share: short(m.Share), Least: short(m.Least)}
		}
	}
	if o.Probes {
		s.Probes = probesOf(from.Probes, to)
	}
}

// gridOf converts a light grid.
func gridOf(g *world.Grid, to axes.Axes) *scene.Grid {
	out := &scene.Grid{
		Origin: to.Point64(space.Vector64(g.Origin)), Size: g.Size, Ambient: g.Ambient, Directed: g.Directed,
		Toward: make([][3]int8, len(g.Toward)), Scale: max(g.Scale, 1),
	}
	for k := range 3 {
		var step [3]float64
		step[k] = float64(g.Cell[k])
		out.Steps[k] = to.Point64(step)
	}
	for i, v := range g.Toward {
		out.Toward[i] = axes.Turn(v)
	}
	return out
}

// short is v with six digits after the point: 0.6, not 0.60000002.
func short(v float32) float64 { return math.Round(1e6*float64(v)) / 1e6 }

// probesOf converts light probes.
func probesOf(list []world.Probe, to axes.Axes) []scene.Probe {
	out := make([]scene.Probe, len(list))
	for i := range list {
		out[i].Position = to.Point64(space.Vector64(list[i].Position))
		for k, side := range [6]int{0, 1, 4, 5, 3, 2} { // the scene's Y is the map's Z, its Z the map's -Y
			out[i].Light[k] = list[i].Cube[side].Float32()
		}
	}
	return out
}

// markBright marks the opaque materials of vertices whose light exceeds white.
func markBright(s *scene.Scene) {
	for i := range s.Meshes {
		for k := range s.Meshes[i].Primitives {
			p := &s.Meshes[i].Primitives[k]
			if m := &s.Materials[p.Material]; m.Alpha == pbr.Opaque && !m.Vertex.Alpha && !m.Bright {
				m.Bright = slices.ContainsFunc(p.Colors, func(c [4]uint16) bool { return c[3] < 65535 })
			}
			for _, skin := range p.Variants {
				s.Materials[skin].Bright = s.Materials[skin].Bright || s.Materials[p.Material].Bright
			}
		}
	}
}

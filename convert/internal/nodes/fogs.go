package nodes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// RangeFogKey is the key of a RangeFog in the extras of the scene, and of the node of the 3D skybox.
const RangeFogKey = "bsp2gltf_range_fog"

// RangeFog returns a fog in metres; nil is nil.
func RangeFog(f *world.RangeFog, unit float64) *scene.RangeFog {
	if f == nil {
		return nil
	}
	out := &scene.RangeFog{Start: float64(f.Start) * unit, End: float64(f.End) * unit, Density: float64(f.Most), Radial: f.Radial,
		Thickness: float64(f.Thickness) / unit, Power: float64(f.Power), Sky: float64(f.Sky)}
	for k, c := range f.Color {
		out.Color[k] = float64(c)
	}
	if s := f.Second; s != nil {
		out.Second = &scene.SecondFog{Direction: axes.Turn(space.Vector64(s.Direction)), Color: space.Vector64(s.Color)}
	}
	return out
}

// addFogs adds a node for each fog volume: its box is the node's place and scale.
func addFogs(w *world.World, set *materials.Set, t *tree, to axes.Axes, ends extent) {
	for i, f := range w.Volumes.Fogs {
		lo, hi := f.Mins, f.Maxs
		if f.Global && len(w.Models) > 0 {
			lo, hi = ends.lo, ends.hi
		}
		n := scene.NewNode(t.numbered("fog", i), 0)
		n.Extras = map[string]any{"bsp2gltf_fog": true, "material": w.Materials[f.Material].Name, "global": f.Global}
		var size [3]float64
		for k := range 3 {
			size[k] = float64(hi[k]) - float64(lo[k])
		}
		n.Translation = to.Point64(middle(lo, hi))
		size = to.Point64(size)
		n.Scale = [3]float64{max(size[0], 1e-6), max(size[1], 1e-6), max(-size[2], 1e-6)}
		t.mark(&n, w.Materials[f.Material].Name)
		if fog := set.Materials[f.Material].Fog; fog != nil {
			n.Extras["color_r"], n.Extras["color_g"], n.Extras["color_b"] = float64(fog.Color[0]), float64(fog.Color[1]),
				float64(fog.Color[2])
			n.Extras["opaque_metres"] = float64(fog.Opaque) * to.Unit
		}
		if f.Normal != [3]float32{} {
			side := axes.Turn([3]float64{axes.Bounded(float64(f.Normal[0])), axes.Bounded(float64(f.Normal[1])),
				axes.Bounded(float64(f.Normal[2]))})
			n.Extras["surface_x"], n.Extras["surface_y"], n.Extras["surface_z"] = side[0], side[1], side[2]
			n.Extras["surface_metres"] = axes.Bounded(float64(f.Distance) * to.Unit)
			n.Extras["surface_fogged"] = showsItself(w, i)
		}
		t.add(n)
	}
}

// showsItself reports whether the map has surfaces of a fog's own material in the fog. The engine draws the fog over
// them, so for a camera inside they hide what is beyond (Quake III Arena, tr_shader.c: a shader of fog has fogPass
// FP_LE).
func showsItself(w *world.World, fog int) bool {
	own := w.Materials[w.Volumes.Fogs[fog].Material].Name
	for m := range w.Models {
		for k := range w.Models[m].Surfaces {
			if s := &w.Models[m].Surfaces[k]; s.Fog == fog && w.Materials[s.Material].Name == own {
				return true
			}
		}
	}
	return false
}

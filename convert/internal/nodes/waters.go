package nodes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addWaters adds a node for each body of water, at the height of its surface. The map does not state its place in that plane.
func addWaters(in *Input, t *tree) {
	w, to := in.World, in.Axes
	for i, water := range w.Volumes.Waters {
		n := scene.NewNode(t.numbered("water", i), 0)
		n.Translation = to.Point64([3]float64{2: float64(water.Surface)})
		n.Extras = map[string]any{
			"bsp2gltf_water": true, "surface_z": axes.Bounded(float64(water.Surface) * to.Unit),
			"min_z": axes.Bounded(float64(water.Bottom) * to.Unit),
		}
		if water.Material >= 0 {
			n.Extras["material"] = w.Materials[water.Material].Name
		}
		if fog := seenIn(&water, in.Set, to.Unit); in.Options.Sky.Fog && fog != nil && len(water.Boxes) > 0 {
			n.Extras[RangeFogKey], n.Extras["boxes"] = fog, boxesOf(water.Boxes, to)
		}
		t.mark(&n, n.Extras["material"], water.Bottom)
		t.add(n)
	}
}

// seenIn returns what an eye in a body of water sees, or nil. Where the water's material has the fog, the sky is not drawn: it is all fog.
func seenIn(water *world.Water, set *materials.Set, unit float64) *scene.RangeFog {
	if water.Fog != nil || water.Material < 0 || set.Materials[water.Material].Fog == nil {
		return RangeFog(water.Fog, unit)
	}
	f := set.Materials[water.Material].Fog
	if !(f.End > f.Start) {
		return nil
	}
	return RangeFog(&world.RangeFog{Start: f.Start, End: f.End, Most: 1, Color: f.Color, Sky: 1}, unit)
}

// boxesOf returns boxes as six numbers each, the least and the greatest corner in the scene.
func boxesOf(boxes [][2][3]float32, to axes.Axes) (out [][6]float64) {
	for _, b := range boxes {
		p, q := to.Point64(space.Vector64(b[0])), to.Point64(space.Vector64(b[1]))
		out = append(out, [6]float64{min(p[0], q[0]), min(p[1], q[1]), min(p[2], q[2]), max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2])})
	}
	return out
}

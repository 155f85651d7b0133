package place

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addWaters adds a node for each body of water, at the height of its surface. The map does not state its place in that plane.
func addWaters(w *world.World, t *tree, to axes.Axes) {
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
		t.mark(&n, n.Extras["material"], water.Bottom)
		t.add(n)
	}
}

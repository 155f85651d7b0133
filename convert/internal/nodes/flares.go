package nodes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addFlares adds a node for each flare: glTF has no sprites that face the viewer.
func addFlares(w *world.World, t *tree, to axes.Axes) {
	for i, b := range w.Billboards {
		n := scene.NewNode(t.numbered("flare", i), 0)
		n.Translation = to.Point64(space.Vector64(b.Position))
		if b.Normal != [3]float32{} {
			n.Rotation = axes.LookAlong(axes.Turn(space.Vector64(b.Normal)))
		}
		t.mark(&n, w.Materials[b.Material].Name)
		n.Extras = map[string]any{
			"bsp2gltf_flare": true, "material": w.Materials[b.Material].Name,
			"color_r": float64(b.Color[0]), "color_g": float64(b.Color[1]), "color_b": float64(b.Color[2]),
		}
		t.add(n)
	}
}

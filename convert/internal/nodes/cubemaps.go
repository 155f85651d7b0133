package nodes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addCubemaps adds a node for each place of reflections.
func addCubemaps(w *world.World, set *materials.Set, t *tree, to axes.Axes) {
	for i, c := range w.Cubemaps {
		n := scene.NewNode(t.numbered("env_cubemap", i), 0)
		n.Translation = to.Point64(space.Vector64(c.Origin))
		t.mark(&n)
		n.Extras = map[string]any{"bsp2gltf_cubemap": true, "size": float64(c.Size), "files": c.Files}
		if len(set.Cubemaps) > 0 {
			for k, file := range set.Cubemaps[i] {
				if file != "" {
					n.Extras["face_"+sideNames[k]] = scene.SidecarName(file)
				}
			}
		}
		t.add(n)
	}
}

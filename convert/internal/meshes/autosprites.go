package meshes

import (
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// TurnSprites turns the quads that the game turns to the viewer, which glTF can't express, to the nearest of the places where players
// start.
func TurnSprites(w *world.World, meshes [][]geometry.Mesh, set *materials.Set, starts [][3]float32) {
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			if a := set.Materials[w.Models[i].Surfaces[k].Material].Draw.Autosprite; a != pbr.NoAutosprite {
				geometry.Autosprites(&meshes[i][k], a == pbr.TurnsToViewer, starts)
			}
		}
	}
}

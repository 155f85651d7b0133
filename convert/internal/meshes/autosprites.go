package meshes

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// TurnSprites returns the meshes of a map, by model, then surface, with the quads that the game turns to the viewer, which glTF can't
// express, turned to the nearest of the places where players start. All other meshes are the same slices; what it is given is only read.
func TurnSprites(w *world.World, meshes [][]geometry.Mesh, set *materials.Set, starts [][3]float32) [][]geometry.Mesh {
	out := slices.Clone(meshes)
	for i := range w.Models {
		copied := false // the model's list, when its first mesh is turned
		for k := range w.Models[i].Surfaces {
			a := set.Materials[w.Models[i].Surfaces[k].Material].Draw.Autosprite
			if a == pbr.NoAutosprite {
				continue
			}
			if !copied {
				out[i], copied = slices.Clone(meshes[i]), true
			}
			out[i][k], _ = geometry.Autosprites(meshes[i][k], a == pbr.TurnsToViewer, starts)
		}
	}
	return out
}

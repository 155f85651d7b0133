package assemble

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// turnSprites turns the quads that the game turns to the viewer to the nearest place where a player starts, or to the middle of the
// map.
func turnSprites(w *world.World, meshes [][]geometry.Mesh, set *materials.Set) {
	var eyes [][3]float32
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			a := set.Materials[w.Models[i].Surfaces[k].Material].Draw.Autosprite
			if a == pbr.NoAutosprite {
				continue
			}
			if eyes == nil {
				eyes = playerStarts(w)
			}
			geometry.Autosprites(&meshes[i][k], a == pbr.TurnsToViewer, eyes)
		}
	}
}

// playerStarts are the places of the entities at which players start, or the middle of the map where there is none.
func playerStarts(w *world.World) (eyes [][3]float32) {
	for i := range w.Entities {
		e := &w.Entities[i]
		if class := strings.ToLower(e.Class()); strings.HasPrefix(class, "info_player_") || strings.HasPrefix(class, "team_ctf_") {
			if at, ok := e.Vector("origin"); ok {
				eyes = append(eyes, at)
			}
		}
	}
	if len(eyes) == 0 {
		m := &w.Models[0]
		eyes = [][3]float32{{(m.Mins[0] + m.Maxs[0]) / 2, (m.Mins[1] + m.Maxs[1]) / 2, (m.Mins[2] + m.Maxs[2]) / 2}}
	}
	return eyes
}

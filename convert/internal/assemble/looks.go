package assemble

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// looks holds the scene's materials.
type looks struct {
	*assembly
	names *names.Namer
}

// addMaterial adds an unlit material that no surface of the map uses.
func (a *looks) addMaterial(m pbr.Material) int {
	m.Name = a.names.Material(m.Name)
	if !a.p.Output.Extras {
		m.Extras = nil
	}
	a.scene.Materials = append(a.scene.Materials, scene.Material{Material: m, Lightmap: scene.None})
	return len(a.scene.Materials) - 1
}

package assemble

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// looks makes the scene's materials.
type looks struct {
	*assembly
	names *names.Namer
	made  map[pick.Key]int
	from  pick.Sources
}

// material returns the index of a draw key's material in the scene.
func (a *looks) material(key pick.Key) int {
	if i, ok := a.made[key]; ok {
		return i
	}
	i := len(a.scene.Materials)
	a.made[key] = i
	m := pick.Materials([]pick.Key{key}, a.from, a.p)[0]
	m.Material.Name = a.names.Material(m.Material.Name)
	if !a.p.Output.Extras {
		m.Extras = nil
	}
	a.scene.Materials = append(a.scene.Materials, m)
	return i
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

// group holds the surfaces of a model that become one primitive.
type group struct {
	groupKey
	parts []part
	skins []pick.Key
	spans []span
}

// built holds a model's meshes: the visible one and the hidden one.
type built struct {
	mesh, hidden int
	spans        [][]span // of the visible mesh, by primitive
	rooms        []builtRoom
}

// part is a surface's mesh that becomes part of a primitive.
type part struct {
	surface *world.Surface
	chart   int
	mesh    *geometry.Mesh
}

// span is the range of a primitive's vertices that belongs to a surface.
type span struct {
	surface         int
	first, vertices int
	index, indices  int
}

// groupKey is the key of surfaces that are joined into a primitive: they have the same draw key in all skins.
type groupKey struct {
	key   pick.Key
	skins string
}

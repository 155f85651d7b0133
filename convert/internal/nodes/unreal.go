package nodes

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// unrealNames names brushes as Unreal's importer expects the solids of a mesh: UCX_MESH_NN, MESH being the mesh that is drawn of the same
// model (UInterchangeGenericMeshPipeline, bImportCollisionAccordingToMeshName).
type unrealNames struct {
	meshes map[int]string // the names of the meshes that have solids
	counts map[int]int    // solids by mesh
}

// name returns the name of a solid of a mesh; ok is false if it stops no player, of which Unreal would make a wall too, or nothing is
// drawn: the mesh is scene.None. node is the name of the node that shows the mesh.
func (u *unrealNames) name(m int, contents, node string) (name string, ok bool) {
	if m == scene.None || !stops(contents) {
		return "", false
	}
	if u.meshes[m] == "" {
		u.meshes[m] = u.unused(assetName(node))
	}
	u.counts[m]++
	return fmt.Sprintf("UCX_%s_%02d", u.meshes[m], u.counts[m]), true
}

// unused returns a name that no other mesh with solids has.
func (u *unrealNames) unused(name string) string {
	taken := func(s string) bool {
		for _, other := range u.meshes {
			if strings.EqualFold(other, s) {
				return true
			}
		}
		return false
	}
	unique := name
	for i := 2; taken(unique); i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	return unique
}

// drawn returns the mesh that is drawn of a model: of one that is split, its first part; scene.None if there is none.
func drawn(m meshes.Model) int {
	if m.Mesh == scene.None && len(m.Partitions) > 0 {
		return m.Partitions[0].Mesh
	}
	return m.Mesh
}

// assetName returns a name of letters, digits and underscores, which Unreal keeps as it is.
func assetName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

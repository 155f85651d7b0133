package assemble

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// nameMeshes gives meshes with numbered or duplicate names the name of the first node that shows them.
func nameMeshes(s *scene.Scene) {
	count, named := map[string]int{}, make([]bool, len(s.Meshes))
	for i := range s.Meshes {
		count[s.Meshes[i].Name]++
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Mesh == scene.None || named[n.Mesh] {
			continue
		}
		named[n.Mesh] = true
		if m := &s.Meshes[n.Mesh]; count[m.Name] > 1 || strings.HasPrefix(m.Name, "*") {
			m.Name = n.Name
		}
	}
}

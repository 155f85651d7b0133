package convert

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// parentOf returns the name of a node's parent.
func parentOf(t *testing.T, s *scene.Scene, name string) string {
	t.Helper()
	return s.Nodes[findNode(t, s, name).Parent].Name
}

package nodes_test

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// parentOf returns the name of a node's parent.
func parentOf(t *testing.T, s *scene.Scene, name string) string {
	t.Helper()
	return s.Nodes[scenetest.FindNode(t, s, name).Parent].Name
}

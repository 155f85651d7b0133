package convert

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// parentOf is the name of a node's parent.
func parentOf(t *testing.T, s *scene.Scene, name string) string {
	t.Helper()
	return s.Nodes[findNode(t, s, name).Parent].Name
}

// rotate turns a vector by a quaternion.
func rotate(q [4]float64, v [3]float64) [3]float64 {
	out := space.Multiply(space.Multiply(q, [4]float64{v[0], v[1], v[2], 0}), [4]float64{-q[0], -q[1], -q[2], q[3]})
	return [3]float64{out[0], out[1], out[2]}
}

func near(a, b [3]float64) bool {
	for k := range a {
		if !(math.Abs(a[k]-b[k]) < 1e-6) {
			return false
		}
	}
	return true
}

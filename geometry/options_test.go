package geometry

import (
	"context"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// An option that is not set has its default; what can be switched stays off.
func TestZeroOptionsHaveDefaults(t *testing.T) {
	testkit.CheckFilled(t, Options{}.orDefaults(), DefaultOptions())
	if set := DefaultOptions(); set.orDefaults() != set {
		t.Errorf("%+v has changed", set)
	}
}

// A plain context and zero options give meshes.
func TestBuildsWithoutCeremony(t *testing.T) {
	arch := &world.Patch{Width: 3, Height: 3}
	for i := range 9 {
		arch.Control = append(arch.Control, world.Vertex{Position: [3]float32{float32(i % 3 * 32), float32(i / 3 * 32),
			float32(i % 3 % 2 * 64)}})
	}
	w := &world.World{Models: []world.Model{{Surfaces: []world.Surface{{Shape: arch}}}}}
	zero, err := Build(context.Background(), w, Options{})
	if err != nil {
		t.Fatal(err)
	}
	full, err := Build(context.Background(), w, DefaultOptions())
	if err != nil || len(zero[0][0].Indices) != len(full[0][0].Indices) || len(zero[0][0].Indices) < 3*4 {
		t.Errorf("%d indices, %d by default, %v", len(zero[0][0].Indices), len(full[0][0].Indices), err)
	}
}

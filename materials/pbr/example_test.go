package pbr_test

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// A writer asks a material only for what it can show; the rest has values that change nothing.
func ExampleNew() {
	m := pbr.New("textures/wall")
	fmt.Println(m.Base.Image == pbr.NoImage, m.Alpha == pbr.Opaque, m.BaseColor)
	// Output:
	// true true [1 1 1 1]
}

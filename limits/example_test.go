package limits_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/limits"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A triangle has three vertices, one more than the limit allows.
func ExampleWith() {
	triangle := &world.Polygon{Corners: []world.Vertex{{}, {Position: [3]float32{64, 0, 0}}, {Position: [3]float32{0, 64, 0}}}}
	w := &world.World{Models: []world.Model{{Surfaces: []world.Surface{{Shape: triangle}}}}}

	_, err := geometry.Build(context.Background(), w, geometry.Options{})
	fmt.Println(err)

	ctx := limits.With(context.Background(), limits.Limits{MaxVertices: 2})
	_, err = geometry.Build(ctx, w, geometry.Options{})
	fmt.Println(errors.Is(err, limits.ErrLimit))
	// Output:
	// <nil>
	// true
}

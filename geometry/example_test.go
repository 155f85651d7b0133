package geometry_test

import (
	"context"
	"fmt"
	"log"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A square and an arch become triangles. The arch is a Bezier patch; the smaller the error that it may have, the more there are.
func ExampleBuild() {
	corner := func(x, y, z float32) world.Vertex { return world.Vertex{Position: [3]float32{x, y, z}} }
	square := &world.Polygon{Corners: []world.Vertex{corner(0, 0, 0), corner(0, 64, 0), corner(64, 64, 0), corner(64, 0, 0)}}
	arch := &world.Patch{Width: 3, Height: 3}
	for row := range 3 {
		y := float32(row) * 32
		arch.Control = append(arch.Control, corner(0, y, 0), corner(0, y, 64), corner(64, y, 64))
	}
	w := &world.World{Models: []world.Model{{Surfaces: []world.Surface{
		{Shape: square, Chart: world.NoChart, Fog: -1},
		{Shape: arch, Chart: world.NoChart, Fog: -1},
	}}}}
	ctx := context.Background()
	for _, e := range []float64{8, 0.5} {
		meshes, err := geometry.Build(ctx, w, geometry.Options{PatchError: e}) // by model, then surface
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(meshes[0][0].Indices)/3, len(meshes[0][1].Indices)/3)
	}
	// Output:
	// 2 8
	// 2 32
}

package scene_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// A custom writer starts from the triangles and the place of each node.
func Example() {
	file, err := os.Open("../../testdata/features/maps/brushmodels.bsp")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	s, _, err := convert.Map(context.Background(), pipeline.Default(),
		convert.Source{Name: "brushmodels", Reader: file, Size: info.Size()})
	if err != nil {
		log.Fatal(err)
	}
	places := scene.Places(s)
	for i, n := range s.Nodes {
		if n.Mesh == scene.None {
			continue
		}
		triangles := 0
		for _, p := range s.Meshes[n.Mesh].Primitives {
			triangles += len(p.Indices) / 3
		}
		fmt.Printf("%s: %d triangles at %.1f\n", n.Name, triangles, places[i].At)
	}
	// Output:
	// worldspawn: 2 triangles at [0.0 0.0 0.0]
	// func_door_rotating: 12 triangles at [-2.0 1.5 0.0]
	// func_door: 12 triangles at [0.0 0.0 0.0]
	// func_rotating_left: 12 triangles at [-6.2 3.1 -3.1]
	// func_bobbing: 12 triangles at [6.2 1.9 3.1]
	// model_5: 12 triangles at [0.0 0.0 0.0]
}

package world_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/geometry"
)

// An exporter of one's own: the world's triangles as Wavefront OBJ, in map units with Z up. The same lines do for a map of Quake,
// Quake III, GoldSrc or Source.
func Example() {
	file, err := os.Open("../testdata/features/maps/polygons.bsp")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	m, err := bsp.Decode(ctx, file, info.Size(), bsp.Options{Name: "polygons"})
	if err != nil {
		log.Fatal(err)
	}
	w := m.World
	meshes, err := geometry.Build(ctx, w, geometry.Options{}) // by model, then surface
	if err != nil {
		log.Fatal(err)
	}
	var obj strings.Builder
	first := 1
	for i, mesh := range meshes[0] {
		fmt.Fprintf(&obj, "usemtl %s\n", w.Materials[w.Models[0].Surfaces[i].Material].Name)
		for _, v := range mesh.Vertices {
			fmt.Fprintf(&obj, "v %g %g %g\nvt %g %g\n", v.Position[0], v.Position[1], v.Position[2], v.UV[0], v.UV[1])
		}
		for k := 0; k+2 < len(mesh.Indices); k += 3 {
			a, b, c := first+int(mesh.Indices[k]), first+int(mesh.Indices[k+1]), first+int(mesh.Indices[k+2])
			fmt.Fprintf(&obj, "f %d/%d %d/%d %d/%d\n", a, a, b, b, c, c)
		}
		first += len(mesh.Vertices)
	}
	fmt.Println(strings.Count(obj.String(), "\nf "), strings.Contains(obj.String(), "usemtl textures/features/checker"))
	// Output:
	// 18 true
}

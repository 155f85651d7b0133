package materials_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A material that a shader script describes, and one that is missing. The files may come from any fs.FS.
func ExampleLoad() {
	picture, err := os.ReadFile("../testdata/features/textures/features/checker.png")
	if err != nil {
		log.Fatal(err)
	}
	files := fstest.MapFS{
		"textures/wall.png":   {Data: picture},
		"scripts/ours.shader": {Data: []byte("textures/fence\n{\n\tcull none\n\t{\n\t\tmap textures/wall.png\n\t\talphaFunc GE128\n\t}\n}\n")},
	}
	w := &world.World{
		Materials: []world.Material{{Name: "textures/fence"}, {Name: "textures/lost"}},
		Models: []world.Model{{Surfaces: []world.Surface{
			{Shape: &world.Polygon{}, Material: 0, Chart: world.NoChart, Fog: -1},
			{Shape: &world.Polygon{}, Material: 1, Chart: world.NoChart, Fog: -1},
		}}},
	}
	set, err := materials.Load(context.Background(), materials.Input{World: w, Files: files}, materials.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fence := set.Materials[0]
	fmt.Println(fence.Name, fence.Alpha == pbr.Opaque, fence.Draw.DoubleSided, set.Images[fence.Base.Image].Name)
	fmt.Println("missing:", set.Missing[0].Material)
	// Output:
	// textures/fence true true textures/wall
	// missing: textures/lost
}

package assets_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"github.com/bsp2gltf/bsp2gltf/assets"
)

// The folders that a map belongs to, as one view in which case and slashes do not matter.
func Example() {
	files, err := assets.Open(context.Background(), assets.Find("../testdata/features/maps/polygons.bsp"))
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	data, err := files.ReadFile("Textures/Features/CHECKER.png")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", data[1:4])
	scripts, err := fs.Glob(files, "scripts/*.shader")
	fmt.Println(len(scripts) > 0, err)
	// Output:
	// "PNG"
	// true <nil>
}

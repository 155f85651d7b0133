package inspect_test

import (
	"context"
	"fmt"
	"log"

	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
)

// Inspect reports the format of a map, its contents and its missing materials.
func ExampleInspect() {
	info, err := inspect.Inspect(context.Background(), "../../testdata/features/maps/patches.bsp", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Format.Game)
	fmt.Println(info.Counts["patches"], "patches")
	fmt.Println(info.Materials.Found, "of", info.Materials.Total, "materials found")
	// Output:
	// Quake III Arena
	// 8 patches
	// 2 of 2 materials found
}

package lightmap_test

import (
	"context"
	"fmt"
	"log"

	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Bake an atlas from two charts that are written down here: one of white light, one of red.
func Example() {
	chart := func(width, height int, light [3]float32) world.Chart {
		luxels := make([]world.RGB, width*height)
		for i := range luxels {
			luxels[i] = world.NewRGB(light[0], light[1], light[2])
		}
		return world.Chart{Width: width, Height: height, Layers: []world.Layer{{Luxels: luxels}}}
	}
	w := &world.World{Baked: world.BakedLight{Charts: []world.Chart{chart(4, 4, [3]float32{1, 1, 1}), chart(8, 2, [3]float32{1, 0, 0})}}}
	atlas, err := lightmap.Bake(context.Background(), lightmap.Input{World: w}, lightmap.Options{})
	if err != nil {
		log.Fatal(err)
	}
	page := atlas.Sizes[0]
	fmt.Println(len(atlas.Pages), "page of", page.Width, "x", page.Height)
	im, err := atlas.Pages[0].Image()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(im.At(3, 3))
	// The corner of the first chart's first luxel, where an atlas coordinate is a vertex's TEXCOORD_1.
	uv := atlas.UV(0, [2]float32{0, 0})
	fmt.Println(uv[0]*float32(page.Width), uv[1]*float32(page.Height))
	// Output:
	// 1 page of 12 x 16
	// {255 255 255 255}
	// 2 2
}

package pipeline_test

import (
	"fmt"
	"log"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// Later sources override earlier ones.
func ExampleLoad() {
	web, err := pipeline.PresetLayer("web")
	if err != nil {
		log.Fatal(err)
	}
	file := pipeline.FileLayer("my.yaml", []byte("version: 1\nlightmap:\n  padding: 4\n"))
	c, err := pipeline.Load(web, file, pipeline.SetLayer("sky.mode=none"))
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []string{"output.compress", "lightmap.padding", "sky.mode", "sky.hdr"} {
		fmt.Println(key, "from", c.Origins[key])
	}
	fmt.Println(c.Pipeline.Lightmap.Padding, c.Pipeline.Sky.Mode)
	// Output:
	// output.compress from preset web
	// lightmap.padding from my.yaml:3
	// sky.mode from --set
	// sky.hdr from default
	// 4 none
}

// Check reports every mistake of a file with its line.
func ExampleCheck() {
	for _, err := range pipeline.Check("my.yaml", []byte("version: 1\nlightmap:\n  paddin: 4\nsky:\n  mode: dark\n")) {
		fmt.Println(err)
	}
	// Output:
	// my.yaml:3:3: unknown key "paddin" in lightmap; did you mean "padding"?
	// my.yaml:5:9: sky.mode: "dark" is not one of auto, mesh, node, none
}

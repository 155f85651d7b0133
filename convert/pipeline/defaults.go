package pipeline

import (
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// Default returns the pipeline of pipeline.yaml. It is compiled in, because reading the file would be a third of the time that a small
// map takes; a test compares the two.
func Default() Pipeline {
	return Pipeline{
		Version:   1,
		Game:      GameOptions{Paths: []string{}, Steam: true, Patches: "l", Overbright: -1},
		Geometry:  geometry.DefaultOptions(),
		Lightmap:  lightmap.DefaultOptions(),
		Materials: materials.DefaultOptions(),
		Models:    models.DefaultOptions(),
		Model:     models.DefaultFileOptions(),
		Sky:       SkyOptions{Mode: SkyAuto, Box: true, HDR: "none", Guess: true, Fog: true},
		Entities: EntityOptions{
			Nodes: true, Lights: true, LightScale: 1, Cameras: true, Props: "box", Details: "mesh", Ropes: true, Sprites: true,
			Characters: true,
			Motion:     "all", Properties: "extras", Skip: []string{},
		},
		Output: OutputOptions{Split: "none", Instancing: "nodes", Compress: "none", Names: "numbered", Extras: true,
			ImageDir: "{name}_textures"},
		Run: RunOptions{Limits: []string{}},
	}
}

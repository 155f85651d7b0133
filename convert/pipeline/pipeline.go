package pipeline

import (
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// Pipeline is pipeline.yaml as a struct, with a section per stage.
type Pipeline struct {
	Version   int                `yaml:"version" values:"1 to 1"`
	Game      GameOptions        `yaml:"game"`
	Geometry  geometry.Options   `yaml:"geometry"`
	Lightmap  lightmap.Options   `yaml:"lightmap"`
	Materials materials.Options  `yaml:"materials"`
	Models    models.Options     `yaml:"models"`
	Model     models.FileOptions `yaml:"model"`
	Sky       SkyOptions         `yaml:"sky"`
	Entities  EntityOptions      `yaml:"entities"`
	Output    OutputOptions      `yaml:"output"`
	Run       RunOptions         `yaml:"run"`
}

package meshes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Input holds what Build makes meshes of.
type Input struct {
	World    *world.World
	Geometry [][]geometry.Mesh   // by model, then surface
	Surfaces [][]drawkey.Surface // by model, then surface
	Props    []bool              // by prop: whether it is in the scene
	Set      *materials.Set
	Atlas    *lightmap.Atlas
	Light    lightmap.Options
	Split    pipeline.Split
	Axes     axes.Axes
}

// Meshes is the meshes of the models and of the props that have their own light.
type Meshes struct {
	Meshes []scene.Mesh
	Models []Model // by World.Models
	Props  []int   // by World.Props: the mesh of its model in its own light, or scene.None
	Issues []world.Issue
}

// Model is the meshes of a model, as indices into Meshes.
type Model struct {
	Mesh, Hidden int         // or scene.None; Hidden shows what the game never draws
	Partitions   []Partition // the other parts of the world's mesh, if it is split
}

// Partition is the part of the world's mesh in an area or a cell.
type Partition struct {
	Name string
	Mesh int // index into Meshes
}

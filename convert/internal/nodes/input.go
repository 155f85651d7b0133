package nodes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Input holds what Nodes makes nodes of.
type Input struct {
	World     *world.World
	Options   Options
	Geometry  [][]geometry.Mesh   // by model, then surface
	Surfaces  [][]drawkey.Surface // by model, then surface
	Props     []bool              // by prop: whether the options keep it
	Meshes    meshes.Meshes
	Materials int // number of the materials of Meshes
	Set       *materials.Set
	Boxes     map[string]models.Box // of the models that were not read, by name
	Starts    [][3]float32          // where players start, or the middle of the map
	Axes      axes.Axes
}

// Options are the sections of the pipeline that say which nodes there are and what they carry.
type Options struct {
	Geometry geometry.Options // the collision
	Entities pipeline.EntityOptions
	Sky      pipeline.SkyOptions
	Output   pipeline.OutputOptions
}

// Placed is the nodes of a scene, with their meshes, lights, cameras and extras.
type Placed struct {
	Nodes     []scene.Node // Nodes[0] is the root
	Lights    []scene.Light
	Cameras   []scene.Camera
	Meshes    []scene.Mesh     // boxes of missing models, collision solids, the sky: they follow Input.Meshes
	Materials []scene.Material // of those: they follow the materials of Input.Meshes
	MeshNames map[int]string   // by mesh of Input.Meshes: its name, if solids are named after it
	Entities  []int            // by World.Entities: its node, or scene.None if it is left out
	Props     []Prop           // by World.Props
	Lamps     []int            // by World.Lights: the node with the light, or scene.None
	// Properties are the key-values that nodes lack, in the order of nodes.
	Properties []scene.Properties
	Issues     []world.Issue
	above      []placement // by World.Entities: the pose of its parent's node by the parent's keys; without a parent, of the scene
}

// Local returns the position in metres and the rotation of entity i's node that put the entity at a place of the map.
func (p *Placed) Local(i int, at world.Place, to axes.Axes) (position [3]float64, rotation [4]float64) {
	local := startPlacement(at, to)
	if p.above[i] != origin {
		local = local.within(p.above[i])
	}
	return local.at, local.turn
}

// Prop states what became of a prop.
type Prop struct {
	As   Form
	Node int // its own or its entity's, or scene.None
	Skin int // the node of its mesh if bones move that; it has no place of its own. Else scene.None
	// Hovers is the node that turns and floats, with its mesh on it or below it, or scene.None.
	Hovers int
}

// Form states how a prop is shown.
type Form uint8

// The forms of props.
const (
	Dropped Form = iota
	AsMesh
	AsBox  // in place of a model that was not read
	AsNode // with neither
)

// nodeSize is the approximate memory of a node with a few extras, including its JSON.
const nodeSize = 2048

// pairSize is the approximate memory of a key-value of an entity in extras, including its JSON: a million short ones in one entity
// take 230 MB.
const pairSize = 256

// Package place puts everything that a map places into a scene: each thing has a file of its name. The nodes of entities hang below each
// other as in the map, all other nodes below the root or the 3D skybox.
package place

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/mesh"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Input is what nodes are made of.
type Input struct {
	World     *world.World
	Options   pipeline.Pipeline
	Geometry  [][]geometry.Mesh // by model, then surface
	Surfaces  [][]pick.Surface  // by model, then surface
	Props     []bool            // by prop: whether the options keep it
	Meshes    mesh.Meshes
	Materials int // number of the materials of Meshes
	Set       *materials.Set
	Boxes     map[string]models.Box // of the models that were not read, by name
	Starts    [][3]float32          // where players start, or the middle of the map
	Axes      axes.Axes
}

// Placed is the nodes of a scene and what hangs on them.
type Placed struct {
	Nodes     []scene.Node // Nodes[0] is the root
	Lights    []scene.Light
	Cameras   []scene.Camera
	Meshes    []scene.Mesh     // boxes of missing models, collision solids, the sky: they follow Input.Meshes
	Materials []scene.Material // of those: they follow the materials of Input.Meshes
	Entities  []int            // by World.Entities: its node, or scene.None if it is left out
	Props     []Prop           // by World.Props
	Lamps     []int            // by World.Lights: the node that shines, or scene.None
	Issues    []world.Issue
}

// Prop is what became of a prop.
type Prop struct {
	As   Form
	Node int // its own or its entity's, or scene.None
}

// Form is how a prop is shown.
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

// Nodes places a map. It fails if a limit is exceeded or ctx ends.
func Nodes(ctx context.Context, in Input) (*Placed, error) {
	w, o := in.World, &in.Options
	count := len(w.Props) + len(w.Lights) + len(w.Cubemaps) + len(w.Volumes.Waters)
	if err := limit.From(ctx).Reserve(int64(count) * nodeSize); err != nil {
		return nil, err
	}
	out := &Placed{
		Entities: slices.Repeat([]int{scene.None}, len(w.Entities)), Lamps: slices.Repeat([]int{scene.None}, len(w.Lights)),
		Props: slices.Repeat([]Prop{{Node: scene.None}}, len(w.Props)),
	}
	t := newTree(o.Output)
	s := &shapes{firstMesh: len(in.Meshes.Meshes), firstMaterial: in.Materials}
	ends := extentOf(&in)

	t.add(scene.NewNode(w.Name, scene.None))
	f := addSkybox(&in, t)
	poses := addEntities(&in, t, f, ends, out)
	addModels(&in, t, out.Entities)
	addProps(&in, t, f, s, out)
	addLamps(&in, t, f, poses, out)
	addFlares(w, t, in.Axes)
	addFogs(w, in.Set, t, in.Axes, ends)
	if o.Entities.Nodes {
		addCubemaps(w, in.Set, t, in.Axes)
		addWaters(w, t, in.Axes)
	}
	if err := addCollision(ctx, &in, t, s, out); err != nil {
		return nil, err
	}
	if o.Sky.Mode != pipeline.SkyNone {
		addSkies(&in, t, s, ends, out)
	}
	out.Nodes, out.Meshes, out.Materials = t.finish(out.Props), s.meshes, s.materials
	for i := range out.Nodes {
		n := &out.Nodes[i]
		if n.Light != scene.None {
			out.Lights[n.Light].Name = n.Name
		}
		if n.Camera != scene.None {
			out.Cameras[n.Camera].Name = n.Name
		}
	}
	return out, nil
}

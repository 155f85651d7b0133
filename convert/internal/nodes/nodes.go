// Package nodes adds everything that a map places to a scene; each kind of thing has a file of its name. Entities
// have the parents that the map gives them. All other nodes are below the root or the 3D skybox.
package nodes

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Nodes places a map. It fails if a limit is exceeded or ctx ends.
func Nodes(ctx context.Context, in Input) (*Placed, error) {
	w, o := in.World, &in.Options
	count, pairs := len(w.Props)+len(w.Lights)+len(w.Cubemaps)+len(w.Volumes.Waters), 0
	for i := range w.Entities {
		pairs += len(w.Entities[i].Pairs)
	}
	if err := limit.From(ctx).Reserve(int64(count)*nodeSize + int64(pairs)*pairSize); err != nil {
		return nil, err
	}
	out := &Placed{
		Entities: slices.Repeat([]int{scene.None}, len(w.Entities)), Lamps: slices.Repeat([]int{scene.None}, len(w.Lights)),
		Props: slices.Repeat([]Prop{{Node: scene.None, Skin: scene.None, Hovers: scene.None}}, len(w.Props)),
		above: slices.Repeat([]placement{origin}, len(w.Entities)),
	}
	t := newTree(o.Output)
	s := &shapes{firstMesh: len(in.Meshes.Meshes), firstMaterial: in.Materials}
	ends := extentOf(&in)

	t.add(scene.NewNode(w.Name, scene.None))
	f := addSkybox(&in, t)
	poses := addEntities(&in, t, f, ends, out)
	addModels(&in, t, out.Entities)
	if o.Entities.StartCamera {
		addStartCamera(&in, t, ends, out)
	}
	addProps(&in, t, f, s, out)
	addLamps(&in, t, f, poses, out)
	addFlares(w, t, in.Axes)
	addFogs(w, in.Set, t, in.Axes, ends)
	if o.Entities.Nodes {
		addCubemaps(w, in.Set, t, in.Axes)
		addWaters(&in, t)
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

package assemble

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/mesh"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Stages is what a scene is made of.
type Stages struct {
	Pipeline pipeline.Pipeline
	World    *world.World
	Meshes   [][]geometry.Mesh // by model, then surface
	Atlas    *lightmap.Atlas
	Set      *materials.Set
	Boxes    map[string]models.Box // of models that were not read
}

// Scene makes the scene of a map, and counts in the report what became of its faces, entities, props and lamps.
func Scene(ctx context.Context, in Stages, r *report.Report) (*scene.Scene, error) {
	mesh.TurnSprites(in.World, in.Meshes, in.Set, playerStarts(in.World))
	s, err := assemble(ctx, in.Pipeline, in.World, in.Meshes, in.Atlas, in.Set, in.Boxes, r)
	if err != nil {
		return nil, err
	}
	if err := shareVertices(ctx, s); err != nil {
		return nil, err
	}
	if s.Packing = newPacking(in.Pipeline.Output, s.Unit); s.Packing.Meshopt {
		err = reorder(ctx, s)
	}
	return s, err
}

// assemble joins the stages' results into a scene and counts in the report what became of every surface.
func assemble(ctx context.Context, p pipeline.Pipeline, w *world.World, meshes [][]geometry.Mesh, atlas *lightmap.Atlas, set *materials.Set, boxes map[string]models.Box, r *report.Report) (*scene.Scene, error) {
	a := &assembly{
		p: p, w: w, meshes: meshes, atlas: atlas, set: set, boxes: boxes, report: r, axes: axes.Axes{Unit: p.Output.Unit},
		scene: &scene.Scene{Name: w.Name, Plain: !p.Output.Extras},
	}
	if a.axes.Unit == 0 {
		a.axes.Unit = w.Unit
	}
	a.scene.Unit = a.axes.Unit
	a.surfaces, a.keptProps = pick.Surfaces(w, meshes, set, atlas, p), pick.Props(w, p)
	a.lo, a.hi = a.bounds()
	a.countSurfaces()
	from := pick.Sources{World: w, Set: set, Atlas: atlas}
	input := mesh.Input{
		World: w, Geometry: meshes, Surfaces: a.surfaces, Props: a.keptProps, Set: set, Atlas: atlas, Light: p.Lightmap, Split: p.Output.Split, Axes: a.axes,
	}
	groups, err := mesh.Group(ctx, input)
	if err != nil {
		return nil, err
	}
	if p.Lightmap.Carrier == lightmap.CarrierVertex {
		if from.Light, err = pick.Carry(ctx, groups.Uses(), w, set, p.Materials); err != nil {
			return nil, err
		}
	}
	a.scene.Materials = pick.Materials(groups.Keys, from, p)
	built, err := mesh.Build(ctx, input, groups, from.Light, a.scene.Materials)
	if err != nil {
		return nil, err
	}
	r.Add(built.Issues)
	a.scene.Meshes = built.Meshes
	l := &looks{assembly: a, names: names.NewNamer()}
	for i := range a.scene.Materials {
		m := &a.scene.Materials[i]
		if m.Material.Name = l.names.Material(m.Material.Name); !p.Output.Extras {
			m.Extras = nil
		}
	}
	places := len(w.Props) + len(w.Lights) + len(w.Cubemaps) + len(w.Volumes.Waters)
	if err := limit.From(ctx).Reserve(int64(places)*nodeSize + limit.Bytes[world.Probe](len(w.Ambient.Probes))); err != nil {
		return nil, err
	}
	nodes := &placer{looks: l, nodes: names.NewNamer(), box: scene.None, ownMesh: built.Props}
	nodes.addNodes(built.Models)
	if err := nodes.collision(ctx); err != nil {
		return nil, err
	}
	if p.Sky.Mode != pipeline.SkyNone {
		(&skyMaker{nodes}).sky()
	}
	a.scene.Images = pick.Images(from, a.scene.Materials)
	a.scene.Nodes = append(a.scene.Nodes, nodes.last...)
	nodes.nameMeshes()
	if p.Output.Extras {
		a.extras()
	}
	a.grid()
	a.probes()
	return a.scene, nil
}

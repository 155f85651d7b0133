// Package assemble makes the scene of a map from the results of the stages. It runs its steps in order, hands each one's results to the
// next, and joins them: drawkey decides how surfaces are drawn, meshes makes primitives, nodes places them, animation moves them.
package assemble

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/animation"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Stages holds the stages' results, of which Scene makes a scene.
type Stages struct {
	World  *world.World
	Meshes [][]geometry.Mesh // by model, then surface
	Atlas  *lightmap.Atlas
	Set    *materials.Set
	Boxes  map[string]models.Box // of models that were not read, by name
}

// Options are the options of the assembly and of its steps.
type Options struct {
	Geometry  geometry.Options
	Lightmap  lightmap.Options
	Materials materials.Options
	Entities  pipeline.EntityOptions
	Sky       pipeline.SkyOptions
	Output    pipeline.OutputOptions
}

// Scene makes the scene of a map, and counts in the report what became of its faces, entities, props and lamps. It fails if a limit is
// exceeded or ctx ends.
func Scene(ctx context.Context, in Stages, o Options, r *tally.Tally) (*scene.Scene, error) {
	w, to, starts := in.World, axes.Axes{Unit: o.Output.Unit}, nodes.PlayerStarts(in.World)
	if to.Unit == 0 {
		to.Unit = w.Unit
	}
	shapes := meshes.TurnSprites(w, in.Meshes, in.Set, starts)

	// Decide how each surface is drawn, and which surfaces become one primitive.
	drawn := drawkey.Options{Carrier: o.Lightmap.Carrier, Entities: o.Entities, Sky: o.Sky, Output: o.Output}
	surfaces, props := drawkey.Surfaces(w, shapes, in.Set, in.Atlas, drawn), drawkey.Props(w, drawn)
	countSurfaces(r, w, surfaces)
	mesher := meshes.Input{
		World: w, Geometry: shapes, Surfaces: surfaces, Props: props, Set: in.Set, Atlas: in.Atlas, Light: o.Lightmap,
		Split: o.Output.Split, Axes: to,
	}
	groups, err := meshes.Group(ctx, mesher)
	if err != nil {
		return nil, err
	}

	// Their materials and meshes.
	from := drawkey.Sources{World: w, Set: in.Set, Atlas: in.Atlas}
	if o.Lightmap.Carrier.InVertices() {
		if from.Light, err = drawkey.PlanVertexLight(ctx, groups.DrawGroups(w.Baked.Charts), w, in.Set, o.Materials); err != nil {
			return nil, err
		}
	}
	mats := drawkey.Materials(groups.Keys, from, drawn)
	built, err := meshes.Build(ctx, mesher, groups, from.Light, mats)
	if err != nil {
		return nil, err
	}
	r.Add(built.Issues)

	// Everything that has a place.
	if err := limit.From(ctx).Reserve(limit.Bytes[world.Probe](len(w.Ambient.Probes))); err != nil {
		return nil, err
	}
	placed, err := nodes.Nodes(ctx, nodes.Input{
		World: w, Options: nodes.Options{Geometry: o.Geometry, Entities: o.Entities, Sky: o.Sky, Output: o.Output},
		Geometry: shapes, Surfaces: surfaces, Props: props, Meshes: built, Materials: len(mats), Set: in.Set, Boxes: in.Boxes,
		Starts: starts, Axes: to,
	})
	if err != nil {
		return nil, err
	}
	r.Add(placed.Issues)
	countPlaced(r, w, placed)

	for i, name := range placed.MeshNames {
		built.Meshes[i].Name = name
	}
	s := join(built, mats, placed, o.Output)
	markBright(s)
	sequences, plays, err := addSkeletons(ctx, s, w, placed, to)
	if err != nil {
		return nil, err
	}
	movers := animation.Input{
		World: w, Placed: placed, Motion: o.Entities.Motion, Plays: plays, Axes: to, Pointers: o.Output.Pointers, Materials: s.Materials,
	}
	if s.Animations, err = animation.Animations(ctx, movers); err != nil {
		return nil, err
	}
	s.Animations = append(s.Animations, sequences...)
	s.Name, s.Unit, s.Images = w.Name, to.Unit, drawkey.Images(from, mats)
	addLight(s, w.Ambient, w.Baked.Display, o.Lightmap, to)
	if o.Sky.Fog {
		s.Shown.Fog = nodes.RangeFog(w.Volumes.RangeFog, to.Unit)
	}
	s.Shown.Exposure, s.Shown.Gamma = w.Baked.Exposure, w.Baked.Gamma
	if o.Output.Extras {
		s.Extras = extras(w, to.Unit, in.Atlas, s.Shown.Fog)
		if e := s.Shown.Exposure; e != nil && e.Min == e.Max {
			s.SetExposure(e.Min)
		}
	}
	return s, pack(ctx, s, o.Output)
}

// join joins the steps' results and gives the materials their names.
func join(built meshes.Meshes, mats []scene.Material, placed *nodes.Placed, o pipeline.OutputOptions) *scene.Scene {
	s := &scene.Scene{
		Nodes: placed.Nodes, Meshes: append(built.Meshes, placed.Meshes...), Materials: append(mats, placed.Materials...),
		Lights: placed.Lights, Cameras: placed.Cameras, Properties: placed.Properties, Plain: !o.Extras,
	}
	unique := names.NewNamer()
	for i := range s.Materials {
		m := &s.Materials[i]
		m.Material.Name = unique.Material(m.Material.Name)
	}
	if o.Names == pipeline.NamesStable {
		nameMeshes(s)
	}
	return s
}

// extras returns the scene's extras.
func extras(w *world.World, unit float64, atlas *lightmap.Atlas, fog *scene.RangeFog) map[string]any {
	out := map[string]any{
		"bsp2gltf_map": w.Name, "bsp2gltf_format": w.Format.String(), "bsp2gltf_game": w.Format.Game, "bsp2gltf_unit": unit,
		"bsp2gltf_lightmap_intensity": float64(atlas.Scale),
	}
	if w.Baked.Gamma != 0 {
		out["bsp2gltf_gamma"] = w.Baked.Gamma
	}
	if fog != nil {
		out[nodes.RangeFogKey] = fog
	}
	if atlas.Tilted > 0 {
		out["bsp2gltf_bump_intensity"] = float64(atlas.Tilted)
	}
	if w.Baked.Smooth && slices.ContainsFunc(atlas.Pages, func(p lightmap.Page) bool { return p.Style&^world.NightStyle != 0 }) {
		out["bsp2gltf_smooth_styles"] = true
	}
	return out
}

package materials

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/indexed"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/stages"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Input holds the inputs of Load, besides its options.
type Input struct {
	World   *world.World
	Files   fs.FS    // the game's files; nil is none
	Scripts *Scripts // nil reads those of Files
	Palette string   // the game's 256 colours from Palette; "" searches Files
	// VertexLight means that the charts' light goes to vertex colours. Textures that only affect a viewer's lamps are then left
	// out.
	VertexLight bool
	// Directions means that the directions of the charts' light are written, too. Textures that only affect such light are else left out.
	Directions bool
	SkyLight   bool                            // also write the sky in HDR, beside the output
	PaintSky   bool                            // a sky that the game paints gets its images
	GuessSky   bool                            // a sky without images gets some in the colours of the map's light
	Cache      *cache.Cache                    // keeps finished images for other maps; may be nil
	Progress   func(done, of int, bytes int64) // called after each finished image, with its size, never concurrently; may be nil
}

// Load finds and makes the materials of a world: first every material is planned, without reading images, then all images are
// made in parallel, each once. It fails if a limit is exceeded or ctx ends; missing and broken files are listed in the set, and
// their materials are placeholders.
func Load(ctx context.Context, input Input, o Options) (*Set, error) {
	if input.World == nil {
		return nil, fmt.Errorf("materials: there is no world: %w", limit.ErrUsage)
	}
	o = o.orDefaults()
	if err := picture.Effort(o.PNG).Check(); err != nil {
		return nil, err
	}
	if input.Scripts == nil {
		input.Scripts = ReadScripts(input.Files)
	}
	w, b := input.World, limit.From(ctx)
	if o.Images == ImagesNone {
		o.Blends, o.Cubemaps, input.SkyLight = BlendsLayers, CubemapsNone, false
		o.Frames, o.Details, o.Environment, o.Motion = false, false, false, false
	}
	pl, err := planAll(ctx, lookup.New(input.Files, b), input.Scripts, w, o.choices(&input))
	if err != nil {
		return nil, err
	}
	mk := images.New(input.Files, o.settings(&input), b)
	results := make([]images.Made, len(pl.Images)) // with no images every material is a placeholder
	if o.Images != ImagesNone {
		if results, err = mk.All(ctx, pl.Tasks()); err != nil {
			return nil, err
		}
	}
	j := &joiner{set: &Set{Materials: pl.Materials}, plan: pl}
	for i := range results {
		j.finish(&pl.Images[i], &results[i])
	}
	for i := range pl.Materials {
		// A layer without its image would hide the layers below.
		m := &pl.Materials[i]
		letGlow(m, &w.Materials[i])
		if t := w.Materials[i].Texture; t != nil && o.Environment && m.Base.Image != pbr.NoImage {
			m.Chrome = t.Chrome
		}
		if w.Materials[i].Iris && m.Base.Image == pbr.NoImage {
			m.Draw.Hidden = true // its picture is broken, or there are none
		}
		plan.Settle(m.Motion)
		dropBroken(m)
		for k := range m.Layers {
			plan.Settle(m.Layers[k].Motion)
			dropBroken(&m.Layers[k])
		}
		m.Layers = slices.DeleteFunc(m.Layers, func(l pbr.Material) bool { return l.Placeholder })
	}
	if err := j.bake(ctx, mk, w); err != nil {
		return nil, err
	}
	if err := j.sky(ctx, mk); err != nil {
		return nil, err
	}
	if o.Grid && o.Images != ImagesNone {
		if err := j.gridPlaceholders(mk); err != nil {
			return nil, err
		}
	}
	if input.PaintSky && w.Sky.Painted != nil && o.Images != ImagesNone {
		if err := j.paintSky(ctx, mk, w.Sky.Painted); err != nil {
			return nil, err
		}
	}
	if input.GuessSky && o.Images != ImagesNone {
		if err := j.guessSky(ctx, mk, w); err != nil {
			return nil, err
		}
	}
	if err := j.cubemaps(ctx, mk, w); err != nil {
		return nil, err
	}
	return j.done(), nil
}

// Find returns the materials of w whose images are missing, without reading any; the scripts may be nil, as those of Input. It fails
// when ctx ends.
func Find(ctx context.Context, files fs.FS, scripts *Scripts, w *world.World) ([]Missing, error) {
	if scripts == nil {
		scripts = ReadScripts(files)
	}
	pl, err := planAll(ctx, lookup.New(files, limit.From(ctx)), scripts, w, plan.Options{Combine: true})
	if err != nil {
		return nil, err
	}
	return missingOf(pl), nil
}

// dropBroken drops a picture of the surroundings that is broken, or whose material is.
func dropBroken(m *pbr.Material) {
	if m.Environment != nil && (m.Environment.Image == pbr.NoImage || m.Placeholder) {
		m.Environment = nil
	}
	if m.Environment == nil && m.Motion != nil {
		m.Motion.Mirror = nil
	}
}

// letGlow makes a material emit the colours of its texture if the map says so.
func letGlow(m *pbr.Material, wm *world.Material) {
	if wm.Glow == [3]float32{} || m.Draw.Unlit || m.Placeholder || m.Emission.Color != [3]float32{} {
		return
	}
	m.Emission.Color = wm.Glow
	m.Emission.Slot.Image, m.Emission.Slot.Clamp = m.Base.Image, m.Base.Clamp
}

// planAll plans the materials of w. It fails only when ctx ends.
func planAll(ctx context.Context, files *lookup.Files, scripts *Scripts, w *world.World, o plan.Options) (*plan.Plan, error) {
	f := plan.FactsOf(w, o.Baked)
	pl := plan.New(files, f, len(w.Materials))
	pl.Issues = append(pl.Issues, scripts.issues...)
	ps := planners{
		valve:   valve.Planner{Files: files, Into: pl, Facts: f, Options: o},
		stages:  stages.Planner{Files: files, Into: pl, Options: o, Shaders: scripts.shaders, Facts: f},
		indexed: indexed.Planner{Files: files, Into: pl, Facts: f, Options: o},
	}
	for i := range w.Materials {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ps.planOne(i, &w.Materials[i])
	}
	ps.valve.PlanDisplacements(w)
	return pl, nil
}

// planners holds the planner of each kind of material description.
type planners struct {
	valve   valve.Planner
	stages  stages.Planner
	indexed indexed.Planner
}

// planOne plans a material, except its images. The first planner that knows the name is used; the last handles plain images and
// missing names. A planner for another kind of game finds nothing.
func (ps *planners) planOne(i int, wm *world.Material) {
	pl := ps.valve.Into
	pl.StartMaterial(i, wm)
	visible := pl.Facts.Visible[i]
	known, clouds := ps.valve.Plan(i, wm, visible)
	switch {
	case clouds: // the map's sky is used for one without images
		ps.indexed.PlanClouds(i, lookup.Fold(wm.Name), wm.Texture)
	case known:
	case ps.stages.Plan(i, wm, visible):
	case ps.indexed.Plan(i, wm, visible):
	default:
		ps.stages.PlanImage(i, wm, visible)
	}
}

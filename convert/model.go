package convert

import (
	"context"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// open opens the map or the model.
func (j *Job) open(ctx context.Context) (*input.Game, error) {
	if j.Model {
		return input.OpenModel(ctx, j.In, j.Pipeline.Game)
	}
	return input.OpenGame(ctx, j.In, j.Stdin, j.Pipeline.Game)
}

// missingSequences returns an issue for each name of sequences that fits none of a model's.
func missingSequences(w *world.World, wanted []string) (issues []world.Issue) {
	var names []string
	for i := range w.Models {
		if s := w.Models[i].Skeleton; s != nil {
			for k := range s.Sequences {
				names = append(names, s.Sequences[k].Name)
			}
		}
		if s := w.Models[i].MorphTargets; s != nil {
			for k := range s.Sequences {
				names = append(names, s.Sequences[k].Name)
			}
		}
	}
	for _, want := range wanted {
		if want != "*" && !slices.ContainsFunc(names, func(name string) bool { return wildcard.Any([]string{want}, name) }) {
			issues = append(issues, world.Issue{Code: "sequence-missing", Where: "model",
				Detail: fmt.Sprintf("model.sequences: no sequence is called %.100q: bsp2gltf info lists them", want)})
		}
	}
	return issues
}

// withoutMap turns off the options that only apply to maps.
func withoutMap(p pipeline.Pipeline) pipeline.Pipeline {
	p.Models.Light, p.Sky.Mode, p.Entities.StartCamera = models.LightNone, pipeline.SkyNone, false
	p.Geometry.Collision = geometry.CollisionNone
	return p
}

// buildModel reads a model and carries out the stages. A viewer's lamps light it. The outcome is in t's report; the cache may be nil.
func buildModel(ctx context.Context, p pipeline.Pipeline, src input.MapFile, images *cache.Cache, t *timer) (*staged, error) {
	palette, err := input.ReadPalette(ctx, p.Game.Palette)
	if err != nil {
		return nil, err
	}
	t.begin("decode")
	scripts := input.ScriptsOf(src.Files)
	if !p.Game.AllowIncomplete {
		if err := models.Complete(src.Files, src.Name); err != nil {
			return nil, err
		}
	}
	w, err := models.File(ctx, src.Files, src.Name, p.Models, p.Model)
	if err != nil {
		return nil, err
	}
	t.report.Input.Format = w.Format
	w.Issues = append(w.Issues, missingSequences(w, p.Model.Sequences)...)
	for i := range w.Materials { // the frames of a sprite are its sequence
		if t := w.Materials[i].Texture; t != nil && len(t.Next) > 0 {
			p.Materials.Frames = true
		}
	}
	return finish(ctx, p, decoded{Input: materials.Input{World: w, Files: src.Files, Scripts: scripts(), Palette: palette}}, images, t)
}

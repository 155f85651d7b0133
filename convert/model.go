package convert

import (
	"context"
	"errors"
	"io"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// open opens the map or the model.
func (j *Job) open(b *limit.Budget) (*input.Game, error) {
	if j.Model {
		return input.OpenModel(j.In, j.Pipeline.Game, b)
	}
	return input.OpenGame(j.In, j.Stdin, j.Pipeline.Game, b)
}

// buildModel reads a model and carries out the stages. A viewer's lamps light it. The outcome is in t's report; the cache may be nil.
func buildModel(ctx context.Context, p pipeline.Pipeline, src input.MapFile, images *Cache, t *timer) (*staged, error) {
	p.Models.Light, p.Sky.Mode, p.Entities.StartCamera = models.LightNone, pipeline.SkyNone, false
	p.Geometry.Collision = geometry.CollisionNone
	palette, err := input.ReadPalette(p.Game.Palette, limit.From(ctx))
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
	for i := range w.Materials { // the frames of a sprite are its sequence
		if t := w.Materials[i].Texture; t != nil && len(t.Next) > 0 {
			p.Materials.Frames = true
		}
	}
	return finish(ctx, p, decoded{Input: materials.Input{World: w, Files: src.Files, Scripts: scripts(), Palette: palette}}, images, t)
}

// IsModel reports whether a name is that of a model, by its extension.
func IsModel(name string) bool { return models.Supported(name) }

// ModelExtensions returns the extensions of models' files, for messages: ".md3, .mdl, .md2".
func ModelExtensions() string { return models.Extensions() }

// IsModelPart reports whether a file, of which m is open, is only a part of another model: one with textures or sequences. It fails if
// the file can't be read.
func IsModelPart(m io.ReaderAt) (bool, error) {
	head := make([]byte, models.PartHead)
	n, err := m.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return models.IsPart(head[:n]), nil
}

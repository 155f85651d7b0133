package input

import (
	"context"
	"io/fs"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// ScriptsOf returns a function that reads the shader scripts at its first call.
func ScriptsOf(files fs.FS) func() *materials.Scripts {
	return sync.OnceValue(func() *materials.Scripts { return materials.ReadScripts(files) })
}

// Decode decodes a map. The scripts are read concurrently; the decoder needs them only for surfaces without a
// lightmap.
func Decode(ctx context.Context, p pipeline.Pipeline, src MapFile, scripts func() *materials.Scripts) (*bsp.Map, error) {
	early := make(chan error, 1)
	go func() { early <- par.Guard(func() error { scripts(); return nil })() }()
	var overbright *int // the map engine's
	if p.Game.Overbright >= 0 {
		overbright = &p.Game.Overbright
	}
	m, err := bsp.Decode(ctx, src.Reader, src.Size, bsp.Options{
		Name: src.Name, Game: p.Game.Name, Files: src.Files, Patches: p.Game.Patches, Overbright: overbright,
		LDR: p.Lightmap.Light == lightmap.LightLDR, Bump: p.Lightmap.Bump != lightmap.BumpFlat,
		Areas: p.Output.Split == pipeline.SplitAreas, Solids: p.Geometry.Collision != geometry.CollisionNone,
		AllowIncomplete: p.Game.AllowIncomplete,
		LightImage:      func(name string) string { return scripts().LightImage(name) }, ImageSize: materials.ImageSize(ctx, src.Files),
	})
	// The reader must not outlive the call, because the caller may close its files.
	if early := <-early; err == nil {
		err = early
	}
	return m, err
}

// Package models loads the model files that a map's props name.
//
// Gather turns each file into world.Models: one for each combination of materials and pose (an entity may name a skin
// or replace shaders), or one for each lit prop. Light from a light grid or from the surface below depends on a prop's
// position and goes into vertex colours, so such props share no vertices; a map with very many props keeps shared,
// unlit models instead. Source's props always share their models: each has a list of colours. After Gather nothing
// distinguishes a model file from the brushes of the map.
package models

import (
	"context"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Gather reads the models of w.Props from files, appends them to w.Models in order of their first use, appends the
// materials they need to w.Materials, and sets each prop's Index. Names are relative to the game's folder; files should
// be case-insensitive; nil is no files. If levels of detail are in separate files, it reads only the named file, which is the finest.
//
// A file that is missing, broken or of an unsupported format is one issue, and its props keep NoModel; with a
// missing skin the model keeps its own shaders. Gather fails if a limit is exceeded or ctx ends.
func Gather(ctx context.Context, files fs.FS, w *world.World, o Options) error {
	l := &library{
		ctx: ctx, files: files, budget: limit.From(ctx), lod: o.LOD, chain: o.Lods == LodsChain, skins: o.Skins == SkinsVariants,
		rig: turn.Rig{Bones: o.Animations == AnimationsStart || o.Animations == AnimationsAll, Shown: true},
		all: o.Animations == AnimationsAll,
	}
	if l.all {
		l.rig.Sequences = []string{"*"}
	}
	sources, err := l.read(w.Props)
	if err != nil {
		return err
	}
	if w.Props, err = withLevels(l.budget, w.Props, sources); err != nil {
		return err
	}
	d := &dresser{library: l, w: w, sources: sources, skins: map[string]skin{}, variants: map[key]*variant{}, materials: newRegistry(w, o)}
	props, err := d.dress()
	if err != nil {
		return err
	}
	fall(ctx, w, props)
	return showProps(l, w, props, o.Light != LightNone)
}

// showProps appends the models of props, sets the props' indices, and lights them if lit is true.
func showProps(l *library, w *world.World, props []placed, lit bool) error {
	shared, err := place(l.ctx, l.budget, w, props, lit)
	if err != nil || !lit {
		return err
	}
	return lightShared(l, w, shared)
}

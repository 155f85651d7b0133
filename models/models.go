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
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Gather reads the models of w.Props from files, appends them to w.Models in order of their first use, appends the
// materials they need to w.Materials, and sets each prop's Index. Names are relative to the game's folder; files should
// be case-insensitive; nil is no files.
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

// library reads the files of models.
type library struct {
	ctx    context.Context
	files  fs.FS // or nil
	budget *limit.Budget
	lod    int  // level of detail; 0 is the finest
	chain  bool // also read all coarser levels
	skins  bool // fill the surfaces' Skins
	rig    turn.Rig
	all    bool // models that stand when the map starts have bones, too
	frames int  // the most frames that are read of a model whose vertices move
	flexes bool // of Source's models
}

// file returns the content of a file; its error leaves out the name.
func (l *library) file(name string) ([]byte, error) {
	if l.files == nil || !fs.ValidPath(name) {
		return nil, fs.ErrNotExist
	}
	data, err := fs.ReadFile(l.files, name)
	return data, outfile.Cause(err)
}

// fatal reports whether an error ends the conversion: a limit was exceeded or the context is done.
func fatal(err error) bool {
	return errors.Is(err, limit.ErrLimit) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// clean returns a file's name for lookup: lower case, forward slashes, without a leading one (as in OpenArena's
// fan.bsp).
func clean(name string) string {
	return path.Clean(strings.TrimLeft(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/"))
}

// faultCode returns the issue code for a model that can't be shown. A model that the map does not name is not the map's
// fault.
func faultCode(code string, p *world.Prop) string {
	if p.Assumed && code == "model-missing" {
		return "character-missing"
	}
	return code
}

// entityOf returns the entity of a prop, or an empty one.
func entityOf(w *world.World, p *world.Prop) *world.Entity {
	if p.Entity == world.NoEntity {
		return &world.Entity{Model: world.NoModel}
	}
	return &w.Entities[p.Entity]
}

// report adds an issue at a prop to the world.
func report(w *world.World, code string, p *world.Prop, format string, args ...any) {
	where := fmt.Sprintf("%s prop %d", p.Kind, p.Record)
	if p.Kind == world.FileProp {
		where = "model"
	} else if p.Entity != world.NoEntity {
		where = fmt.Sprintf("entity %d (%s)", p.Entity, entityOf(w, p).Class())
	}
	w.Issues = append(w.Issues, world.Issue{Code: code, Where: where, Detail: fmt.Sprintf(format, args...)})
}

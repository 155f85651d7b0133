package models

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// library reads the files of models.
type library struct {
	ctx    context.Context
	files  fs.FS // or nil
	budget *limit.Budget
	lod    int  // level of detail; 0 is the finest
	chain  bool // also read all coarser levels
	skins  bool // fill the surfaces' Skins
	rig    skeleton.Options
	all    bool // models without animation get bones, too
	frames int  // the most frames read of a model whose vertices move without bones
	flexes bool // read the morph targets of Source's models
	alone  bool // the model is not in a map: players have skins, which maps don't give them
}

// file returns the content of a file. Its error leaves out the name.
func (l *library) file(name string) ([]byte, error) {
	if l.files == nil || !fs.ValidPath(name) {
		return nil, fs.ErrNotExist
	}
	data, err := fs.ReadFile(l.files, name)
	if err == nil {
		err = filetype.Undelivered(data)
	}
	return data, outfile.Cause(err)
}

// clean returns a file's name for lookup: lower case, forward slashes, no leading slash (OpenArena's fan.bsp has
// one).
func clean(name string) string {
	return path.Clean(strings.TrimLeft(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/"))
}

// faultCode returns the issue code for a model that can't be shown. If the map doesn't name the model but the game
// would place it, a missing file is no defect of the map.
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

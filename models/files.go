package models

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
)

// library reads the files of models.
type library struct {
	ctx    context.Context
	files  fs.FS // or nil
	budget *limit.Budget
	lod    int  // level of detail of Source's models; 0 is the finest
	chain  bool // also read all coarser levels
	skins  bool // fill the surfaces' Skins
	rig    turn.Rig
	all    bool // models that stand when the map starts have bones, too
	frames int  // the most frames that are read of a model whose vertices move
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

// Package lookup finds the files that the names in maps, scripts and material files lead to.
package lookup

import (
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Files finds the files that names lead to, and remembers them. It is for one goroutine at a time.
type Files struct {
	FS       fs.FS
	Budget   *limit.Budget
	Report   func(world.Issue) // takes what is odd in a material file
	found    map[string]string // image names of scripts to files, "" where there is none
	textures map[string]string // the same for the textures of material files
	vmts     map[string]*Entry // by material name
}

// New returns a finder of files whose texts b bounds.
func New(files fs.FS, b *limit.Budget) *Files {
	return &Files{
		FS: files, Budget: b, Report: func(world.Issue) {},
		found: map[string]string{}, textures: map[string]string{}, vmts: map[string]*Entry{},
	}
}

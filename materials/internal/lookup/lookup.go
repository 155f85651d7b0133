// Package lookup finds the files that names in maps, scripts and material files refer to.
package lookup

import (
	"embed"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Files finds files by the names that refer to them, and caches the results. It is not safe for concurrent use.
type Files struct {
	FS       fs.FS
	Budget   *limit.Budget
	Report   func(world.Issue) // receives the issues of material files
	found    map[string]string // from image names in scripts to files; "" if missing
	textures map[string]string // the same for the textures of material files
	vmts     map[string]*Entry // by material name
	packed   *bool             // whether there is a folder dds; nil if it was not asked
}

// New returns a finder of files, which may be nil; b limits the text that it reads.
func New(files fs.FS, b *limit.Budget) *Files {
	if files == nil {
		files = embed.FS{}
	}
	return &Files{
		FS: files, Budget: b, Report: func(world.Issue) {},
		found: map[string]string{}, textures: map[string]string{}, vmts: map[string]*Entry{},
	}
}

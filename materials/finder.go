package materials

import (
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// finder finds the files that names lead to, and remembers them. It is for one goroutine at a time.
type finder struct {
	fs       fs.FS
	budget   *limit.Budget
	report   func(world.Issue)    // takes what is odd in a material file
	found    map[string]string    // image names of scripts to files, "" where there is none
	textures map[string]string    // the same for the textures of material files
	vmts     map[string]*vmtEntry // by material name
}

// newFinder returns a finder of files whose texts b bounds.
func newFinder(files fs.FS, b *limit.Budget) *finder {
	return &finder{
		fs: files, budget: b, report: func(world.Issue) {},
		found: map[string]string{}, textures: map[string]string{}, vmts: map[string]*vmtEntry{},
	}
}

package materials

import (
	"context"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// ImageSize returns a function that tells for how many pixels a texture is laid out, by its name in the folder textures:
// those of the .wal file, else of an image in its place, else 0 x 0. The function is for one goroutine at a time.
func ImageSize(ctx context.Context, files fs.FS) func(name string) (width, height int) {
	ld := bareLoader(ctx, files)
	return func(name string) (width, height int) {
		name = "textures/" + fold(name)
		if size := ld.indexedSize(name + ".wal"); size != [2]float64{} {
			return int(size[0]), int(size[1])
		}
		file := ld.find(name)
		if file == "" {
			return 0, 0
		}
		info, err := fs.Stat(files, file)
		if err != nil || limit.Check("MaxEntry", ld.budget.Limits.MaxEntry, info.Size()) != nil {
			return 0, 0
		}
		data, err := fs.ReadFile(files, file)
		if err != nil {
			return 0, 0
		}
		if p, err := picture.Sniff(data, file); err == nil {
			return p.Width, p.Height
		}
		return 0, 0
	}
}

package convert

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// BenchmarkRun converts whole maps, images and files included: the demo and, where OpenArena's maps and the folders
// they are in are given by BSP2GLTF_BENCH (paths of .bsp files, separated as PATH is), those.
func BenchmarkRun(b *testing.B) {
	maps := append([]string{filepath.Join("..", "testdata", "demo", "maps", "demo.bsp")},
		filepath.SplitList(os.Getenv("BSP2GLTF_BENCH"))...)
	for _, file := range maps {
		for _, png := range []materials.Effort{materials.EffortFast, materials.EffortDefault} {
			b.Run(filepath.Base(file)+"/png="+string(png), func(b *testing.B) {
				info, err := os.Stat(file)
				if err != nil {
					b.Fatal(err)
				}
				p := pipeline.Default()
				p.Materials.PNG = png
				p.Game.Paths = filepath.SplitList(os.Getenv("BSP2GLTF_GAME"))
				out := filepath.Join(b.TempDir(), "out.glb")
				b.SetBytes(info.Size())
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Run(context.Background(), Job{Pipeline: p, In: file, Out: out}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

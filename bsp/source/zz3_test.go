package source

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestUp(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/corpus/source/*.bsp")
	for _, f := range files {
		data, _ := os.ReadFile(f)
		if string(data[:4]) != "VBSP" || data[4] > 21 {
			continue
		}
		w := load(f)
		for _, m := range w.Models {
			for _, s := range m.Surfaces {
				o, ok := s.Shape.(*world.Overlay)
				if !ok || o.Normal[2] > 0.1 || o.Normal[2] < -0.1 {
					continue
				}
				// direction of growing v
				var dv [3]float32
				a, b, c := o.Corners[0], o.Corners[1], o.Corners[2]
				if a.UV[1] == b.UV[1] {
					a, b = b, c
				}
				for k := range dv {
					dv[k] = (b.Position[k] - a.Position[k]) / (b.UV[1] - a.UV[1])
				}
				fmt.Printf("%s %d growing v: %v %s\n", filepath.Base(f)[:12], s.Record, dv, w.Materials[s.Material].Name)
			}
		}
	}
}

package source

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func load(f string) *world.World {
	data, _ := os.ReadFile(f)
	b := limit.NewBudget(limit.Limits{})
	file, _ := le.Open(bytes.NewReader(data), int64(len(data)), b)
	w, _ := Decode(context.Background(), file, Options{Name: "x"})
	return w
}

func TestOv(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/corpus/source/*.bsp")
	for _, f := range files {
		data, _ := os.ReadFile(f)
		if string(data[:4]) != "VBSP" || data[4] > 21 {
			continue
		}
		w := load(f)
		name := strings.TrimSuffix(filepath.Base(f), ".bsp")
		for mi, m := range w.Models {
			for _, s := range m.Surfaces {
				o, ok := s.Shape.(*world.Overlay)
				if !ok {
					continue
				}
				var n, at [3]float32
				kind := "poly"
				switch p := m.Surfaces[o.Host].Shape.(type) {
				case *world.Polygon:
					n, at = p.Corners[0].Normal, p.Corners[0].Position
				case *world.Triangles:
					n, at = p.Vertices[0].Normal, p.Vertices[0].Position
					kind = "tri"
				default:
					fmt.Println(name, s.Record, "on disp")
					continue
				}
				worst := 0.0
				for _, c := range o.Corners {
					worst = math.Max(worst, math.Abs(dot(n, c.Position)-dot(n, at)))
				}
				fmt.Printf("%s m%d ov%d order %d host %d %s dot %.3f dist %.3f mat %s uv %v\n", name, mi, s.Record, o.Order, o.Host, kind, dot(n, o.Normal), worst, w.Materials[s.Material].Name, []any{o.Corners[0].UV, o.Corners[1].UV, o.Corners[2].UV})
			}
		}
	}
}

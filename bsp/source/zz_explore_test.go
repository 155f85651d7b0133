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
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestExplore(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/corpus/source/*.bsp")
	for _, f := range files {
		data, _ := os.ReadFile(f)
		if string(data[:4]) != "VBSP" || data[4] > 21 {
			continue
		}
		b := limit.NewBudget(limit.Limits{})
		file, _ := le.Open(bytes.NewReader(data), int64(len(data)), b)
		start := time.Now()
		name := strings.TrimSuffix(filepath.Base(f), ".bsp")
		w, err := Decode(context.Background(), file, Options{Name: name})
		took := time.Since(start)
		if err != nil {
			fmt.Println(name, err)
			continue
		}
		kinds := map[world.LightKind]int{}
		noent := map[world.LightKind]int{}
		for _, l := range w.Lights {
			kinds[l.Kind]++
			if l.Entity < 0 {
				noent[l.Kind]++
			}
		}
		ov := 0
		worst := 0.0
		for _, m := range w.Models {
			for _, s := range m.Surfaces {
				o, ok := s.Shape.(*world.Overlay)
				if !ok {
					continue
				}
				ov++
				p, ok := m.Surfaces[o.Host].Shape.(*world.Polygon)
				if !ok {
					continue
				}
				n, at := p.Corners[0].Normal, p.Corners[0].Position
				for _, c := range o.Corners {
					worst = math.Max(worst, math.Abs(dot(n, c.Position)-dot(n, at)))
				}
			}
		}
		pk := map[world.PropKind]int{}
		for _, p := range w.Props {
			pk[p.Kind]++
		}
		models := map[int]int{}
		for _, br := range w.Brushes {
			models[br.Model]++
		}
		fmt.Printf("%s %v lights %v noent %v; overlays %d worst %.3f; props %v; probes %d; cubes %d; water %d; brushes %d in %d models; peak %d\n", name, took, kinds, noent, ov, worst, pk, len(w.Probes), len(w.Cubemaps), len(w.Waters), len(w.Brushes), len(models), b.Reserved())
		if len(w.Cubemaps) > 0 {
			fmt.Println("   ", w.Cubemaps[0].Files)
		}
		for i, x := range w.Issues {
			if i > 8 {
				fmt.Println("    ...", len(w.Issues))
				break
			}
			fmt.Println("   ", x)
		}
	}
}

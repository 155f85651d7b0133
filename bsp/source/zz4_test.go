package source

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"bytes"
	"context"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestLampUnits(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/corpus/source/*.bsp")
	for _, f := range files {
		data, _ := os.ReadFile(f)
		if string(data[:4]) != "VBSP" || data[4] > 21 {
			continue
		}
		b := limit.NewBudget(limit.Limits{})
		file, _ := le.Open(bytes.NewReader(data), int64(len(data)), b)
		d := &decoder{}
		_ = d
		w, err := Decode(context.Background(), file, Options{Name: "x"})
		if err != nil {
			continue
		}
		var rs []float64
		var sunr []float64
		for _, s := range w.Models[0].Surfaces {
			p, ok := s.Shape.(*world.Polygon)
			if !ok || s.Chart < 0 {
				continue
			}
			ch := &w.Charts[s.Chart]
			if ch.Layers[0].Style != 0 {
				continue
			}
			// inverse from three corners
			a, bb, c := p.Corners[0], p.Corners[1], p.Corners[2]
			bx, by := float64(bb.Luxel[0]-a.Luxel[0]), float64(bb.Luxel[1]-a.Luxel[1])
			cx, cy := float64(c.Luxel[0]-a.Luxel[0]), float64(c.Luxel[1]-a.Luxel[1])
			det := bx*cy - by*cx
			if math.Abs(det) < 1e-3 {
				continue
			}
			n := a.Normal
			for y := 1; y < ch.Height-1; y++ {
				for x := 1; x < ch.Width-1; x++ {
					lx, ly := float64(x)+0.5-float64(a.Luxel[0]), float64(y)+0.5-float64(a.Luxel[1])
					u := (lx*cy - ly*cx) / det
					v := (ly*bx - lx*by) / det
					var pos [3]float64
					for k := range pos {
						pos[k] = float64(a.Position[k]) + u*float64(bb.Position[k]-a.Position[k]) + v*float64(c.Position[k]-a.Position[k])
					}
					st := ch.Layers[0].Luxels[y*ch.Width+x].Float32()
					stored := float64(max(st[0], st[1], st[2]))
					pred := 0.0
					near := false
					for _, l := range w.Lights {
						if l.Style != 0 || (l.Kind != world.PointLight && l.Kind != world.SpotLight) {
							continue
						}
						var dv [3]float64
						d2 := 0.0
						for k := range dv {
							dv[k] = float64(l.Origin[k]) - pos[k]
							d2 += dv[k] * dv[k]
						}
						dist := math.Sqrt(d2)
						cos := 0.0
						for k := range dv {
							cos += dv[k] / dist * float64(n[k])
						}
						if cos <= 0 {
							continue
						}
						if l.Kind == world.SpotLight {
							c2 := 0.0
							for k := range dv {
								c2 -= dv[k] / dist * float64(l.Direction[k])
							}
							if c2 < math.Cos(l.Outer) {
								continue
							}
							if c2 < math.Cos(l.Inner) {
								cos *= (c2 - math.Cos(l.Outer)) / (math.Cos(l.Inner) - math.Cos(l.Outer))
							}
							cos *= c2
						}
						pred += l.Intensity / d2 * cos
						if dist < 120 && cos > 0.5 {
							near = true
						}
					}
					if near && pred > 0 {
						rs = append(rs, stored/pred)
					}
				}
			}
		}
		sun := ""
		for _, l := range w.Lights {
			if l.Kind == world.SunLight {
				var top []float64
				for _, s := range w.Models[0].Surfaces {
					p, ok := s.Shape.(*world.Polygon)
					if !ok || s.Chart < 0 || p.Corners[0].Normal[2] < 0.999 {
						continue
					}
					for _, x := range w.Charts[s.Chart].Layers[0].Luxels {
						f := x.Float32()
						top = append(top, float64(max(f[0], f[1], f[2])))
					}
				}
				sort.Float64s(top)
				amb := 0.0
				for _, m := range w.Lights {
					if m.Kind == world.AmbientLight {
						amb = m.Intensity
					}
				}
				if len(top) > 0 {
					sun = fmt.Sprintf("sun*cos %.3f amb %.3f stored floor p50 %.3f p90 %.3f p99 %.3f dir %v", l.Intensity*float64(-l.Direction[2]), amb, top[len(top)/2], top[len(top)*9/10], top[len(top)*99/100], l.Direction)
				}
			}
		}
		_ = sunr
		if len(rs) > 0 {
			sort.Float64s(rs)
			fmt.Printf("%s n=%d ratio p10 %.3f p25 %.3f p50 %.3f p75 %.3f; %s\n", filepath.Base(f), len(rs), rs[len(rs)/10], rs[len(rs)/4], rs[len(rs)/2], rs[len(rs)*3/4], sun)
		} else if sun != "" {
			fmt.Println(filepath.Base(f), sun)
		}
	}
}

package models

import (
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// passOn stores the light of props in the world, in order, and reports each defect once per model. A prop whose light
// would cost too much gets the light of the previous prop of its model.
func passOn(b *limit.Budget, w *world.World, jobs []litProp) {
	last := map[*boundModel]*world.Prop{}
	faults := map[string]*world.Issue{}
	var order []string
	var beyond, dark []*world.Prop
	for i := range jobs {
		j, p := &jobs[i], jobs[i].placed.prop
		if j.fault != "" {
			if faults[p.Model] == nil {
				order = append(order, p.Model)
				faults[p.Model] = &world.Issue{Code: "prop-light", Where: p.Model,
					Detail: "the light that the map stores for its props is left out: " + j.fault}
			}
			faults[p.Model].Count++
		}
		switch {
		case j.beyond:
			beyond = append(beyond, p)
			if before := last[j.placed.variant]; before != nil {
				p.Light.Colors, p.Light.Charts = before.Light.Colors, before.Light.Charts
			}
		case j.dark:
			dark = append(dark, p)
			b.Release(j.vertices * colorSize)
		default:
			last[j.placed.variant] = p
			p.Light.Colors = j.colors
			if j.charts != nil {
				b.Release(j.vertices * colorSize)
				p.Light.Charts = addCharts(w, j.charts)
			}
		}
	}
	for _, name := range order {
		w.Issues = append(w.Issues, *faults[name])
	}
	if len(beyond) > 0 {
		report(w, "prop-light", beyond[0],
			"light on %d props would take too much memory (MaxMemory) or time; they have that of another prop of their model", len(beyond))
	}
	if len(dark) > 0 && len(dark) < len(jobs) { // if all are dark, the map has no light, which is no defect
		report(w, "prop-light", dark[0], "no light is known for %d props; they are left white", len(dark))
	}
}

// addCharts adds a prop's charts to the world and returns their indices.
func addCharts(w *world.World, charts []*world.Chart) []int {
	out := make([]int, len(charts))
	for i, c := range charts {
		out[i] = world.NoChart
		if c != nil {
			out[i] = len(w.Baked.Charts)
			w.Baked.Charts = append(w.Baked.Charts, *c)
		}
	}
	return out
}

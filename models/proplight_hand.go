package models

import (
	"github.com/bsp2gltf/bsp2gltf/world"
)

// hand stores the props' light, in order, and reports defects once for each model. A prop whose light would cost too much
// gets that of the previous prop of its model.
func (g *gatherer) hand(jobs []lamplit) {
	last := map[*variant]*world.Prop{}
	faults := map[string]*world.Issue{}
	var order []string
	var beyond, dark []*world.Prop
	for i := range jobs {
		j, p := &jobs[i], jobs[i].prop
		if j.fault != "" {
			if faults[p.Model] == nil {
				order = append(order, p.Model)
				faults[p.Model] = &world.Issue{Code: "prop-light", Where: p.Model, Detail: "the light that the map stores for its props is left out: " + j.fault}
			}
			faults[p.Model].Count++
		}
		switch {
		case j.beyond:
			beyond = append(beyond, p)
			if before := last[j.variant]; before != nil {
				p.Light.Colors, p.Light.Charts = before.Light.Colors, before.Light.Charts
			}
		case j.dark:
			dark = append(dark, p)
			g.budget.Release(j.vertices * colorSize)
		default:
			last[j.variant] = p
			p.Light.Colors = j.colors
			if j.charts != nil {
				g.budget.Release(j.vertices * colorSize)
				p.Light.Charts = g.addCharts(j.charts)
			}
		}
	}
	for _, name := range order {
		g.w.Issues = append(g.w.Issues, *faults[name])
	}
	if len(beyond) > 0 {
		g.issue("prop-light", beyond[0], "light on %d props would take too much memory (MaxMemory) or time; they have that of another prop of their model", len(beyond))
	}
	if len(dark) > 0 && len(dark) < len(jobs) { // otherwise the map has no light
		g.issue("prop-light", dark[0], "no light is known for %d props; they are left white", len(dark))
	}
}

// addCharts adds a prop's charts to the world and returns their indices.
func (g *gatherer) addCharts(charts []*world.Chart) []int {
	out := make([]int, len(charts))
	for i, c := range charts {
		out[i] = world.NoChart
		if c != nil {
			out[i] = len(g.w.Baked.Charts)
			g.w.Baked.Charts = append(g.w.Baked.Charts, *c)
		}
	}
	return out
}

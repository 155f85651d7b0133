package meshes

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// propLight is the light of one or more props on their model.
type propLight struct {
	model int
	light *world.PropLight
	props []int
}

// colored reports whether it holds colours, not charts.
func (s *propLight) colored() bool { return s.light.Charts == nil }

// chart returns the chart of a surface, or NoChart.
func (s *propLight) chart(surface int) int {
	if surface >= len(s.light.Charts) {
		return world.NoChart
	}
	return s.light.Charts[surface]
}

// page returns the page of a surface's chart, or None.
func (s *propLight) page(surface int, atlas *lightmap.Atlas) int {
	if chart := s.chart(surface); atlas.Has(chart) {
		return atlas.Places[chart].Page
	}
	return scene.None
}

// propLights lists the different lights of props that are in the scene.
func propLights(props []world.Prop, kept []bool) []propLight {
	type key struct {
		model  int
		colors *[]world.RGB
		charts *int
	}
	at := map[key]int{}
	var list []propLight
	for i := range props {
		p := &props[i]
		if p.Index == world.NoModel || !kept[i] {
			continue
		}
		k := key{model: p.Index}
		switch {
		case len(p.Light.Charts) > 0:
			k.charts = &p.Light.Charts[0]
		case len(p.Light.Colors) > 0:
			k.colors = &p.Light.Colors[0]
		default:
			continue
		}
		n, ok := at[k]
		if !ok {
			n = len(list)
			at[k] = n
			list = append(list, propLight{model: p.Index, light: &p.Light})
		}
		list[n].props = append(list[n].props, i)
	}
	return list
}

// planProps plans the meshes of props with their own light. It adds the draw keys of their pages to keys.
func planProps(in *Input, g *Groups, keys *keyList) []relitMesh {
	var visible map[int]meshRange // by model
	var out []relitMesh
	for _, s := range propLights(in.World.Props, in.Props) {
		if visible == nil {
			visible = visibleMeshes(g.ranges)
		}
		r, ok := visible[s.model]
		if !ok {
			continue
		}
		m, lit := relitMesh{light: s}, false
		for i := r.first; i < r.last; i++ {
			for _, p := range relight(in, &s, i, &g.list[i], keys) {
				m.primitives = append(m.primitives, p)
				lit = lit || p.lit
			}
		}
		if lit {
			out = append(out, m)
		}
	}
	return out
}

// visibleMeshes returns, by model, the groups of its visible mesh, if it has any.
func visibleMeshes(ranges []meshRange) map[int]meshRange {
	out := map[int]meshRange{}
	for _, r := range ranges {
		if !r.hidden && r.partition == (partition{}) && r.first < r.last {
			out[r.model] = r
		}
	}
	return out
}

// relight returns the replacements of a group's primitive: the same if it is not vertex-lit, one with other colours, or one without
// colours for each page of its surfaces' charts.
func relight(in *Input, s *propLight, index int, of *group, keys *keyList) []relitPrimitive {
	same, spans := relitPrimitive{group: index}, of.spans
	if spans == nil {
		return []relitPrimitive{same}
	}
	material, layer := in.World.Models[s.model].Surfaces[spans[0].surface].Material, of.key.draw.Layer
	if !drawkey.Base(in.Set, drawkey.Key{Material: material, Layer: layer}).Vertex.Color {
		return []relitPrimitive{same}
	}
	if s.colored() || in.Light.Carrier.InVertices() {
		return []relitPrimitive{{group: index, lit: true}}
	}
	var pages []int
	for _, sp := range spans {
		if page := s.page(sp.surface, in.Atlas); !slices.Contains(pages, page) {
			pages = append(pages, page)
		}
	}
	var out []relitPrimitive
	for _, page := range pages {
		p := relitPrimitive{group: index, lit: page != scene.None, paged: page != scene.None}
		if p.paged {
			p.material = keys.index(drawkey.Key{Material: material, Layer: layer, Page: page})
		}
		if len(pages) > 1 {
			p.spans = slices.DeleteFunc(slices.Clone(spans), func(sp span) bool { return s.page(sp.surface, in.Atlas) != page })
		}
		out = append(out, p)
	}
	return out
}

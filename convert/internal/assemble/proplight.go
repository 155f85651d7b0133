package assemble

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// stream is the light on a model, shared by one or more props.
type stream struct {
	prop  *world.Prop // the first
	props []int
}

// colored reports whether a stream holds colours, not charts.
func (s *stream) colored() bool { return s.prop.Light.Charts == nil }

// findLight lists the separate light of props.
func (a *relighter) findLight() []stream {
	a.ownMesh = make([]int, len(a.w.Props))
	type key struct {
		model  int
		colors *[]world.RGB
		charts *int
	}
	at := map[key]int{}
	var list []stream
	for i := range a.w.Props {
		p := &a.w.Props[i]
		a.ownMesh[i] = scene.None
		if p.Index == world.NoModel || !a.keptProps[i] {
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
			list = append(list, stream{prop: p})
		}
		list[n].props = append(list[n].props, i)
	}
	return list
}

// painting is a primitive that receives a prop's light.
type painting struct {
	at     [2]int // mesh and primitive
	stream *stream
	spans  []span
}

// lightProps makes the meshes of props with separate light. They share everything with their model's mesh except the colours,
// or the material and the lightmap coordinates. If no prop shows the unlit model, the first takes its place.
func (a *relighter) lightProps(ctx context.Context, streams []stream, models []built) error {
	kept := make([]bool, len(models))
	for i := range a.w.Props {
		if p := &a.w.Props[i]; p.Index != world.NoModel && len(p.Light.Colors)+len(p.Light.Charts) == 0 && !!a.keptProps[i] {
			kept[p.Index] = true
		}
	}
	b := limit.From(ctx)
	var jobs []painting
	for i := range streams {
		s := &streams[i]
		index := s.prop.Index
		m := &models[index]
		if m.mesh == scene.None {
			continue
		}
		at := len(a.scene.Meshes)
		model := &a.scene.Meshes[m.mesh]
		mesh := scene.Mesh{Name: model.Name}
		first := len(jobs)
		for k := range model.Primitives {
			for _, l := range a.relit(s, m, k) {
				if l.lit {
					jobs = append(jobs, painting{[2]int{at, len(mesh.Primitives)}, s, m.spans[k]})
				}
				mesh.Primitives = append(mesh.Primitives, l.Primitive)
			}
		}
		if first == len(jobs) {
			continue // none of it is lit
		}
		if err := b.Reserve(int64(len(mesh.Primitives)) * primitiveSize); err != nil {
			return err
		}
		if kept[index] || len(mesh.Primitives) != len(model.Primitives) {
			a.scene.Meshes = append(a.scene.Meshes, mesh)
		} else {
			kept[index], at = true, m.mesh
			model.Primitives = mesh.Primitives
			for k := range jobs[first:] {
				jobs[first+k].at[0] = at
			}
		}
		for _, prop := range s.props {
			a.ownMesh[prop] = at
		}
	}
	cut, err := par.Map(ctx, len(jobs), func(i int) (cut bool, err error) {
		j := &jobs[i]
		p := &a.scene.Meshes[j.at[0]].Primitives[j.at[1]]
		if err := b.Reserve(limit.Bytes[[4]uint16](len(p.Positions))); err != nil {
			return false, err
		}
		if p.Colors == nil {
			a.unfold(p, j)
		} else {
			cut = a.paint(p, j)
		}
		return cut, ctx.Err()
	})
	if err == nil {
		a.countCut(jobs, cut)
	}
	return err
}

// countCut reports on how many props light was clipped.
func (a *relighter) countCut(jobs []painting, cut []bool) {
	n := 0
	var last *stream
	for i := range jobs { // jobs of a stream are consecutive
		if s := jobs[i].stream; cut[i] && s != last {
			last = s
			n += len(s.props)
		}
	}
	if n > 0 {
		a.report.Add([]world.Issue{{
			Code: "prop-light-cut", Where: "map", Detail: "the light on props is beyond white: it is shown as white of its hue", Count: n,
		}})
	}
}

// primitiveSize is the approximate memory of a primitive without its data, including its JSON.
const primitiveSize = 1024

// relit is a primitive of a prop, and whether it receives light.
type relit struct {
	scene.Primitive
	lit bool
}

// relit returns the replacements of primitive k of a model: the same if it is not vertex-lit, one with other colours, or one
// without colours for each lightmap page of its surfaces.
func (a *relighter) relit(s *stream, m *built, k int) []relit {
	p := a.scene.Meshes[m.mesh].Primitives[k]
	spans := m.spans[k]
	surfaces := a.w.Models[s.prop.Index].Surfaces
	if spans == nil || !a.set.Materials[surfaces[spans[0].surface].Material].Vertex.Color {
		return []relit{{p, false}}
	}
	if s.colored() || a.p.Lightmap.Carrier == lightmap.CarrierVertex {
		return []relit{{p, true}}
	}
	var pages []int
	for _, sp := range spans {
		if page := a.page(s, sp.surface); !slices.Contains(pages, page) {
			pages = append(pages, page)
		}
	}
	var out []relit
	for _, page := range pages {
		q := p
		if len(pages) > 1 {
			q.Indices = nil
			for _, sp := range spans {
				if a.page(s, sp.surface) == page {
					q.Indices = append(q.Indices, p.Indices[sp.index:][:sp.indices]...)
				}
			}
		}
		if page != scene.None {
			q.Material = a.material(pick.Key{Material: surfaces[spans[0].surface].Material, Page: page})
			q.Colors, q.Variants = nil, nil
		}
		out = append(out, relit{q, page != scene.None})
	}
	return out
}

// page returns the page of a prop's chart for a surface of its model, or None.
func (a *relighter) page(s *stream, surface int) int {
	if chart := s.chart(surface); a.atlas.Has(chart) {
		return a.atlas.Places[chart].Page
	}
	return scene.None
}

// chart returns the chart of a surface, or NoChart.
func (s *stream) chart(surface int) int {
	if surface >= len(s.prop.Light.Charts) {
		return world.NoChart
	}
	return s.prop.Light.Charts[surface]
}

// paint gives a primitive separate colours, and reports whether light was clipped. With the vertex carrier emissive surfaces are
// lit at least by half.
func (a *relighter) paint(p *scene.Primitive, j *painting) (cut bool) {
	p.Colors = slices.Clone(p.Colors)
	for _, sp := range j.spans {
		light := a.lightOn(j.stream, sp)
		if light == nil {
			continue
		}
		var least [3]float32
		if a.p.Lightmap.Carrier == lightmap.CarrierVertex {
			least = leastLight(&a.set.Materials[a.w.Models[j.stream.prop.Index].Surfaces[sp.surface].Material])
		}
		to := p.Colors[sp.first:][:sp.vertices]
		for i := range to {
			c := light(i)
			most := max(c[0], c[1], c[2], 1)
			cut = cut || most > noticed
			for k, x := range c {
				to[i][k] = to16(max(x/most, least[k]))
			}
		}
	}
	return cut
}

// noticed is the light above which it counts as clipped: stored white is 1.009.
const noticed = 1.01

// lightOn returns the light on the vertices of a surface, or nil if the prop has none.
func (a *relighter) lightOn(s *stream, sp span) func(i int) [3]float32 {
	if s.colored() {
		if sp.surface >= len(s.prop.Light.Colors) || len(s.prop.Light.Colors[sp.surface]) != sp.vertices {
			return nil
		}
		colors := s.prop.Light.Colors[sp.surface]
		return func(i int) [3]float32 { return colors[i].Float32() }
	}
	chart := s.chart(sp.surface)
	if chart == world.NoChart {
		return nil
	}
	c := &a.w.Baked.Charts[chart]
	vertices := a.verticesOf(s, sp)
	if vertices == nil {
		return nil
	}
	return func(i int) [3]float32 { return lightmap.Sample(c, onChart(c, vertices[i].UV)) }
}

// verticesOf returns the vertices of a surface of a prop's model, or nil if the primitive's differ.
func (a *relighter) verticesOf(s *stream, sp span) []world.Vertex {
	t, ok := a.w.Models[s.prop.Index].Surfaces[sp.surface].Shape.(*world.Triangles)
	if !ok || len(t.Vertices) != sp.vertices {
		return nil
	}
	return t.Vertices
}

// unfold sets the lightmap coordinates of a primitive's vertices on the page of a prop's light.
func (a *relighter) unfold(p *scene.Primitive, j *painting) {
	p.UV2 = make([][2]float32, len(p.Positions))
	for _, sp := range j.spans {
		chart := j.stream.chart(sp.surface)
		if !a.atlas.Has(chart) {
			continue
		}
		vertices := a.verticesOf(j.stream, sp)
		for i := range vertices {
			p.UV2[sp.first+i] = a.atlas.UV(chart, onChart(&a.w.Baked.Charts[chart], vertices[i].UV))
		}
	}
}

// onChart returns the luxel at texture coordinates, where 0 to 1 spans the whole chart, clamped because adjacent luxels
// belong to other charts.
func onChart(c *world.Chart, uv [2]float32) [2]float32 {
	return [2]float32{min(max(uv[0], 0), 1) * float32(c.Width), min(max(uv[1], 0), 1) * float32(c.Height)}
}

// relighter makes the meshes of props with separate light.
type relighter struct {
	*mesher
	ownMesh []int // by prop: the mesh of its model with its separate light, or None
}

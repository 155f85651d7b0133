package assemble

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// stream is light on a model that one prop has, or several.
type stream struct {
	prop  *world.Prop // the first
	props []int
}

// colored reports whether a stream is colours and not charts.
func (s *stream) colored() bool { return s.prop.Light.Charts == nil }

// findLight lists the light that props have of their own.
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
		if p.Index == world.NoModel || a.leftOut(p) {
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

// painting is a primitive of a prop that is to have its light.
type painting struct {
	at     [2]int // mesh and primitive
	stream *stream
	spans  []span
}

// lightProps makes the meshes of props with light of their own. They share all with the mesh of their model but the colours, or
// but the material and the place on its page. Where no prop shows the model as it is, the first takes its place.
func (a *relighter) lightProps(ctx context.Context, streams []stream, models []built) error {
	kept := make([]bool, len(models))
	for i := range a.w.Props {
		if p := &a.w.Props[i]; p.Index != world.NoModel && len(p.Light.Colors)+len(p.Light.Charts) == 0 && !a.leftOut(p) {
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
			continue // nothing of it is lit
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

// countCut notes on how many props light was cut.
func (a *relighter) countCut(jobs []painting, cut []bool) {
	n := 0
	var last *stream
	for i := range jobs { // those of a stream follow each other
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

// primitiveSize is about what a primitive takes of memory without its data, also as JSON.
const primitiveSize = 1024

// relit is a primitive that a prop has of its model, and whether it is to have light.
type relit struct {
	scene.Primitive
	lit bool
}

// relit returns what becomes of primitive k of a model: itself where it is not lit by its vertices, itself with other colours, or
// one for each page of light that its surfaces are on, which has no colours.
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
			q.Material = a.material(look{material: surfaces[spans[0].surface].Material, page: page})
			q.Colors, q.Variants = nil, nil
		}
		out = append(out, relit{q, page != scene.None})
	}
	return out
}

// page is that of the chart that a prop has for a surface of its model, or None.
func (a *relighter) page(s *stream, surface int) int {
	if chart := s.chart(surface); a.atlas.Has(chart) {
		return a.atlas.Places[chart].Page
	}
	return scene.None
}

// chart is that of a surface, or NoChart.
func (s *stream) chart(surface int) int {
	if surface >= len(s.prop.Light.Charts) {
		return world.NoChart
	}
	return s.prop.Light.Charts[surface]
}

// paint gives a primitive colours of its own, and reports whether light was cut. Where a surface shines by itself, the vertex carrier
// has it lit at least by half.
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

// noticed is the light above which it counts as cut: what is stored for white is 1.009.
const noticed = 1.01

// lightOn is the light on the vertices of a surface, or nil where a prop has none of its own.
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

// verticesOf is the vertices of a surface of a prop's model, or nil where it has others than the primitive.
func (a *relighter) verticesOf(s *stream, sp span) []world.Vertex {
	t, ok := a.w.Models[s.prop.Index].Surfaces[sp.surface].Shape.(*world.Triangles)
	if !ok || len(t.Vertices) != sp.vertices {
		return nil
	}
	return t.Vertices
}

// unfold gives the vertices of a primitive their places on the page of a prop's light.
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

// onChart is the luxel at texture coordinates of which 0 to 1 is the whole chart. Beside it there is the light of others.
func onChart(c *world.Chart, uv [2]float32) [2]float32 {
	return [2]float32{min(max(uv[0], 0), 1) * float32(c.Width), min(max(uv[1], 0), 1) * float32(c.Height)}
}

// relighter makes the meshes of props that have light of their own.
type relighter struct {
	*mesher
	ownMesh []int // by prop: the mesh that shows its model in light of its own, or None
}

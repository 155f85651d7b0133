package meshes

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// primitiveSize is the approximate memory of a primitive without its data, including its JSON.
const primitiveSize = 1024

// relitMesh is the mesh of a model in the light of a prop.
type relitMesh struct {
	light      propLight
	primitives []relitPrimitive
}

// relitPrimitive is a primitive of a relitMesh. It shares with its group's primitive everything but the colours, or the material and
// the lightmap coordinates.
type relitPrimitive struct {
	group    int
	lit      bool   // it receives light
	paged    bool   // from a page; otherwise its colours are the light
	material int    // of the page
	spans    []span // whose triangles it has; nil for all of the group's
}

// span is the range of a primitive's vertices that belongs to a surface.
type span struct {
	surface         int
	first, vertices int
	index, indices  int
}

// appendSpan appends the span of a mesh that is the next of its primitive.
func appendSpan(spans []span, surface int, m *geometry.Mesh) []span {
	s := span{surface: surface, vertices: len(m.Vertices), indices: len(m.Indices)}
	if n := len(spans); n > 0 {
		last := &spans[n-1]
		s.first, s.index = last.first+last.vertices, last.index+last.indices
	}
	return append(spans, s)
}

// relitTarget is a primitive that receives the light of a prop.
type relitTarget struct {
	mesh, primitive int
	light           *propLight
	spans           []span
	divided         bool // by alpha, if it exceeds white
}

// lightProps makes the meshes of props with their own light. If no prop shows a model without such light, the first of its meshes takes
// the place of the model's. It returns the number of props whose light was clipped.
func lightProps(ctx context.Context, in *Input, groups *Groups, primitives []scene.Primitive, out *Meshes) (clipped int, err error) {
	out.Props = make([]int, len(in.World.Props))
	for i := range out.Props {
		out.Props[i] = scene.None
	}
	shown := shownUnlit(in.World, in.Props)
	b := limit.From(ctx)
	var targets []relitTarget
	for i := range groups.relit {
		m := &groups.relit[i]
		if err := b.Reserve(int64(len(m.primitives)) * primitiveSize); err != nil {
			return 0, err
		}
		at, of := len(out.Meshes), &out.Meshes[out.Models[m.light.model].Mesh]
		mesh := scene.Mesh{Name: of.Name}
		for _, p := range m.primitives {
			mesh.Primitives = append(mesh.Primitives, p.from(primitives[p.group]))
		}
		if shown[m.light.model] || len(mesh.Primitives) != len(of.Primitives) {
			out.Meshes = append(out.Meshes, mesh)
		} else {
			shown[m.light.model], at = true, out.Models[m.light.model].Mesh
			of.Primitives = mesh.Primitives
		}
		for k, p := range m.primitives {
			if p.lit {
				of := &groups.list[p.group]
				targets = append(targets, relitTarget{at, k, &m.light, of.spans, groups.divided(in, of)})
			}
		}
		for _, prop := range m.light.props {
			out.Props[prop] = at
		}
	}
	cut, err := par.Map(ctx, len(targets), func(i int) (cut bool, err error) {
		j := &targets[i]
		p := &out.Meshes[j.mesh].Primitives[j.primitive]
		if err := b.Reserve(limit.Bytes[[4]uint16](len(p.Positions))); err != nil {
			return false, err
		}
		if p.Colors == nil {
			setLightmapUVs(p, j, in)
		} else {
			cut = setLightColors(p, j, in)
		}
		return cut, ctx.Err()
	})
	if err != nil {
		return 0, err
	}
	return countCut(targets, cut), nil
}

// shownUnlit reports, by model, whether a prop shows it without light of its own.
func shownUnlit(w *world.World, kept []bool) []bool {
	shown := make([]bool, len(w.Models))
	for i := range w.Props {
		if p := &w.Props[i]; p.Index != world.NoModel && len(p.Light.Colors)+len(p.Light.Charts) == 0 && kept[i] {
			shown[p.Index] = true
		}
	}
	return shown
}

// from returns the primitive as made from its group's.
func (r *relitPrimitive) from(p scene.Primitive) scene.Primitive {
	if r.spans != nil {
		all := p.Indices
		p.Indices = nil
		for _, sp := range r.spans {
			p.Indices = append(p.Indices, all[sp.index:][:sp.indices]...)
		}
	}
	if r.paged {
		p.Material, p.Colors, p.Variants = r.material, nil, nil
	}
	return p
}

// countCut returns the number of props whose light was clipped. The targets of a light are consecutive.
func countCut(targets []relitTarget, cut []bool) (n int) {
	var last *propLight
	for i := range targets {
		if s := targets[i].light; cut[i] && s != last {
			last = s
			n += len(s.props)
		}
	}
	return n
}

// noticed is the light above which it counts as clipped: stored white is 1.009.
const noticed = 1.01

// setLightColors gives a primitive separate colours, and reports whether light was clipped. With the vertex carrier emissive surfaces are
// lit at least by half.
func setLightColors(p *scene.Primitive, j *relitTarget, in *Input) (cut bool) {
	p.Colors = slices.Clone(p.Colors)
	surfaces := in.World.Models[j.light.model].Surfaces
	for _, sp := range j.spans {
		light := lightOn(j.light, sp, &surfaces[sp.surface], in.World.Baked.Charts)
		if light == nil {
			continue
		}
		var least [3]float32
		if in.Light.Carrier.InVertices() {
			least = leastLight(&in.Set.Materials[surfaces[sp.surface].Material])
		}
		to := p.Colors[sp.first:][:sp.vertices]
		for i := range to {
			at := light(i)
			c, clipped := VertexLight(at, least)
			copy(to[i][:], c[:])
			if j.divided {
				to[i][3] = dividedBy(max(at[0], at[1], at[2], 1))
			}
			cut = cut || clipped && !j.divided
		}
	}
	return cut
}

// VertexLight returns light as a vertex carries it, at least least; 65535 is white. Light beyond white is white of its hue; clipped
// reports it.
func VertexLight(light, least [3]float32) (out [3]uint16, clipped bool) {
	most := max(light[0], light[1], light[2], 1)
	for k, x := range light {
		out[k] = to16(max(x/most, least[k]))
	}
	return out, most > noticed
}

// lightOn returns the light on the vertices of a surface, or nil if it has none.
func lightOn(s *propLight, sp span, of *world.Surface, charts []world.Chart) func(i int) [3]float32 {
	if s.colored() {
		if sp.surface >= len(s.light.Colors) || len(s.light.Colors[sp.surface]) != sp.vertices {
			return nil
		}
		colors := s.light.Colors[sp.surface]
		return func(i int) [3]float32 { return colors[i].Float32() }
	}
	chart, vertices := s.chart(sp.surface), verticesOf(of, sp)
	if chart == world.NoChart || vertices == nil {
		return nil
	}
	c := &charts[chart]
	return func(i int) [3]float32 { return lightmap.Sample(c, onChart(c, vertices[i].UV)) }
}

// verticesOf returns the vertices of a surface of a prop's model, or nil if the primitive's differ.
func verticesOf(s *world.Surface, sp span) []world.Vertex {
	t, ok := s.Shape.(*world.Triangles)
	if !ok || len(t.Vertices) != sp.vertices {
		return nil
	}
	return t.Vertices
}

// setLightmapUVs sets the lightmap coordinates of a primitive's vertices on the page of a prop's light.
func setLightmapUVs(p *scene.Primitive, j *relitTarget, in *Input) {
	p.UV2 = make([][2]float32, len(p.Positions))
	surfaces := in.World.Models[j.light.model].Surfaces
	for _, sp := range j.spans {
		chart := j.light.chart(sp.surface)
		if !in.Atlas.Has(chart) {
			continue
		}
		vertices := verticesOf(&surfaces[sp.surface], sp)
		for i := range vertices {
			p.UV2[sp.first+i] = in.Atlas.UV(chart, onChart(&in.World.Baked.Charts[chart], vertices[i].UV))
		}
	}
}

// onChart returns the luxel at texture coordinates, where 0 to 1 spans the whole chart, clamped because adjacent luxels
// belong to other charts.
func onChart(c *world.Chart, uv [2]float32) [2]float32 {
	return [2]float32{min(max(uv[0], 0), 1) * float32(c.Width), min(max(uv[1], 0), 1) * float32(c.Height)}
}

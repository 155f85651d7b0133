package assemble

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decalOffset is how far a material with a polygon offset is moved off the surface it lies on, in map units.
const decalOffset = 0.25

// primitive joins the meshes of a draw key.
func (a *mesher) primitive(ctx context.Context, key pick.Key, parts []part) (scene.Primitive, error) {
	m := pick.Base(a.set, key)
	b := limit.From(ctx)
	vertices, indices, cut, err := a.cutParts(ctx, key, parts)
	defer b.Release(cut) // until it is copied
	if err != nil {
		return scene.Primitive{}, err
	}
	// Positions and normals, both UVs, colours.
	size := limit.Bytes[[3]float32](2*vertices) + limit.Bytes[[2]float32](2*vertices) + limit.Bytes[[4]uint16](vertices) + limit.Bytes[uint32](indices)
	blend := key.Layer == 0 && blends(m, parts)
	if blend {
		size += limit.Bytes[float32](vertices)
	}
	multi := key.Layer == 0 && slices.ContainsFunc(parts, func(p part) bool { return p.mesh.Blends != nil })
	if multi {
		size += limit.Bytes[[4]float32](vertices)
	}
	tinted := key.Layer == 0 && !key.Carried && m.Environment != nil && m.Environment.Vertex != pbr.NoTint
	if tinted {
		size += limit.Bytes[[4]uint16](vertices)
	}
	tangential, sums := m.Normal.Image != pbr.NoImage && !m.Draw.Unlit && !key.Carried, int64(0)
	if tangential {
		sums = limit.Bytes[[2][3]float64](vertices) // while they are made
		size += limit.Bytes[[4]float32](vertices) + sums
	}
	if err := b.Reserve(size); err != nil {
		return scene.Primitive{}, err
	}
	p := scene.Primitive{
		Material:  a.made[key],
		Positions: make([][3]float32, vertices), Normals: make([][3]float32, vertices), UV: make([][2]float32, vertices),
		Indices: make([]uint32, 0, indices),
	}
	if key.Page != scene.None {
		p.UV2 = make([][2]float32, vertices)
	}
	if blend {
		p.Blend = make([]float32, vertices)
	}
	if multi {
		p.Blends = make([][4]float32, vertices)
	}
	if key.Carried || m.Vertex.Color || m.Vertex.Alpha && key.Layer == 0 {
		p.Colors = make([][4]uint16, vertices)
	}
	if tinted {
		p.Mirrors = make([][4]uint16, vertices)
	}
	at := 0
	for k := range parts {
		a.fill(&p, at, key, m, &parts[k])
		at += len(parts[k].mesh.Vertices)
		parts[k].mesh = nil // what was cut need not stay
	}
	if tangential {
		p.Tangents = tangents(&p, func(i int) [2]float32 { return transformUV(m.Normal.UV, p.UV[i]) })
		b.Release(sums)
	}
	return p, nil
}

// meshBytes is what a mesh that was just made takes of memory, with the room that its slices have grown to.
func meshBytes(m *geometry.Mesh) int64 {
	return limit.Bytes[world.Vertex](cap(m.Vertices)) + limit.Bytes[uint32](cap(m.Indices)) + limit.Bytes[[4]float32](cap(m.Blends))
}

// cutParts cuts the parts along the lines of their luxels, where light goes into the vertices, and counts what they have. Cut is the
// bytes that it has reserved, after an error too.
func (a *mesher) cutParts(ctx context.Context, key pick.Key, parts []part) (vertices, indices int, cut int64, err error) {
	b := limit.From(ctx)
	for i := range parts {
		if key.Carried {
			if err := ctx.Err(); err != nil {
				return 0, 0, cut, err
			}
			m := geometry.Cut(*parts[i].mesh, a.p.Lightmap.VertexStep, maxCut)
			size := meshBytes(&m)
			if err := b.Reserve(size); err != nil {
				return 0, 0, cut, err
			}
			cut += size
			parts[i].mesh = &m
		}
		if key.Carried || key.Layer > 0 { // the others have been counted
			if err := b.Vertices(int64(len(parts[i].mesh.Vertices))); err != nil {
				return 0, 0, cut, err
			}
		}
		vertices += len(parts[i].mesh.Vertices)
		indices += len(parts[i].mesh.Indices)
	}
	return vertices, indices, cut, nil
}

// fill writes a part into a primitive, from its vertex at on.
func (a *mesher) fill(p *scene.Primitive, at int, key pick.Key, m *pbr.Material, part *part) {
	base, offset := uint32(at), liftOf(key, m)
	if p.Blends != nil {
		copy(p.Blends[at:], part.mesh.Blends)
	}
	for i := range part.mesh.Vertices {
		v := &part.mesh.Vertices[i]
		pos := v.Position
		if offset != 0 {
			for k := range pos {
				pos[k] += float32(v.Normal[k] * offset)
			}
		}
		p.Positions[at] = a.axes.Point(pos)
		p.Normals[at] = axes.Turn(v.Normal)
		p.UV[at] = a.texcoord(&m.Base, v, part.chart)
		if p.UV2 != nil {
			p.UV2[at] = a.atlas.UV(part.chart, v.Luxel)
		}
		if p.Colors != nil {
			p.Colors[at] = a.color(key, m, v, part.chart)
		}
		if p.Mirrors != nil {
			p.Mirrors[at] = a.mirror(m.Environment.Vertex, v)
		}
		if p.Blend != nil {
			p.Blend[at] = v.Color[3]
		}
		at++
	}
	for _, x := range part.mesh.Indices {
		p.Indices = append(p.Indices, base+x)
	}
}

// liftOf is how far a layer lies off its surface, in map units, so that it does not flicker.
func liftOf(key pick.Key, m *pbr.Material) float32 {
	offset := float32(0)
	if m.Draw.Offset {
		offset = decalOffset
	}
	if key.Layer == pick.FogLayer {
		return offset + decalOffset
	}
	return offset + float32(key.Layer)*decalOffset/4
}

// blends reports whether the vertices' alphas say how much of the next layer is seen.
func blends(m *pbr.Material, parts []part) bool {
	return len(m.Layers) > 0 || slices.ContainsFunc(parts, func(p part) bool {
		_, bent := p.surface.Shape.(*world.Displacement)
		return bent
	})
}

// maxCut is the most vertices that cutting one surface for the vertex carrier may make.
const maxCut = 1 << 18

// texcoord is the base texture's coordinates of a vertex, transforms applied.
func (a *mesher) texcoord(s *pbr.Slot, v *world.Vertex, chart int) [2]float32 {
	if s.Project != nil {
		var uv [2]float32
		x, y, z := float64(v.Position[0]), float64(v.Position[1]), float64(v.Position[2])
		for k, row := range s.Project {
			uv[k] = float32(axes.Bounded(space.Sum(row[0]*x, row[1]*y, row[2]*z, row[3])))
		}
		return uv
	}
	uv := v.UV
	if s.LightmapUV && chart != world.NoChart {
		if c := &a.w.Baked.Charts[chart]; c.Width > 0 && c.Height > 0 { // the engine's page is our chart
			uv = [2]float32{v.Luxel[0] / float32(c.Width), v.Luxel[1] / float32(c.Height)}
		}
	}
	return transformUV(s.UV, uv)
}

// transformUV applies a transform of texture coordinates.
func transformUV(t [6]float64, uv [2]float32) [2]float32 {
	if t == pbr.Identity || t == [6]float64{} {
		return uv
	}
	u, v := float64(uv[0]), float64(uv[1])
	return [2]float32{float32(axes.Bounded(space.Sum(t[0]*u, t[1]*v, t[2], 0))), float32(axes.Bounded(space.Sum(t[3]*u, t[4]*v, t[5], 0)))}
}

// color is what multiplies the base colour at a vertex.
func (a *mesher) color(key pick.Key, m *pbr.Material, v *world.Vertex, chart int) [4]uint16 {
	c := [4]float32{1, 1, 1, 1}
	if m.Vertex.Color {
		copy(c[:3], v.Color[:3])
	}
	if m.Vertex.Alpha && key.Layer == 0 {
		c[3] = v.Color[3]
		if m.Vertex.Inverse {
			c[3] = 1 - c[3]
		}
	}
	if key.Carried {
		for k, x := range a.carry(key, m, lightmap.Sample(&a.w.Baked.Charts[chart], v.Luxel)) {
			c[k] *= x
		}
	}
	var out [4]uint16
	for k, x := range c {
		out[k] = to16(x)
	}
	return out
}

// mirror is what multiplies the picture of the surroundings at a vertex, in display values.
func (a *mesher) mirror(tint pbr.VertexTint, v *world.Vertex) [4]uint16 {
	albedo := 1.0
	if d := a.w.Baked.Display; d != nil {
		albedo = d.Albedo
	}
	out := [4]uint16{3: 65535}
	for k := range 3 {
		shown := gamma.Encode(float64(v.Color[k])*gamma.Decode(albedo)) / albedo // undoes what docs/light.md describes
		if shown = min(max(shown, 0), 1); tint == pbr.ByRestColor {
			shown = 1 - shown
		}
		out[k] = to16(float32(shown))
	}
	return out
}

// to16 is a number from 0 to 1 as 16 bits, of which 65535 is 1.
func to16(x float32) uint16 { return uint16(float32(min(max(x, 0), 1)*65535) + 0.5) }

// bakedGlow is the least light on what emits, with the vertex carrier: an unlit material can't.
const bakedGlow = 0.5

// mesher makes the scene's meshes.
type mesher struct{ *looks }

// appendSpan appends the span of a mesh that is the next of its primitive.
func appendSpan(spans []span, surface int, m *geometry.Mesh) []span {
	s := span{surface: surface, vertices: len(m.Vertices), indices: len(m.Indices)}
	if n := len(spans); n > 0 {
		last := &spans[n-1]
		s.first, s.index = last.first+last.vertices, last.index+last.indices
	}
	return append(spans, s)
}

// carry turns the light of a luxel into what a vertex carries.
func (a *mesher) carry(key pick.Key, m *pbr.Material, light [3]float32) [3]float32 {
	c, g := a.from.Light.Of[key.Texture()], float32(pick.Gain(m))
	least := leastLight(m)
	if c.Albedo > 0 {
		stored, carried := gamma.New(a.w.Baked.Display.Albedo, a.w.Baked.Display.Exponent), gamma.New(c.Albedo, a.w.Baked.Display.Exponent)
		for k := range light {
			light[k] = carried.Linear(stored.Shown(light[k]) * float32(m.Draw.LightGain))
		}
		g = 1
	}
	for k := range light {
		light[k] = max(light[k]*g, least[k]) / max(c.Boost, 1)
	}
	return light
}

// leastLight returns the least light on a material with the vertex carrier.
func leastLight(m *pbr.Material) (least [3]float32) {
	for k, e := range m.Emission.Color {
		if e > 0 {
			least[k] = bakedGlow
		}
	}
	return least
}

package meshes

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// primitive joins the meshes of a group, whose parts it empties. Its material is not set.
func primitive(ctx context.Context, sh shading, parts []part) (scene.Primitive, error) {
	b := limit.From(ctx)
	vertices, indices, cut, err := cutParts(ctx, &sh, parts)
	defer b.Release(cut) // until it is copied
	if err != nil {
		return scene.Primitive{}, err
	}
	a := attributesOf(&sh, parts)
	size, sums := a.bytes(vertices, indices)
	if err := b.Reserve(size + sums); err != nil {
		return scene.Primitive{}, err
	}
	p := a.make(vertices, indices)
	at := 0
	for k := range parts {
		fill(&p, at, &sh, &parts[k])
		at += len(parts[k].mesh.Vertices)
		parts[k].mesh = nil // what was cut need not stay
	}
	if a.tangents {
		p.Tangents = tangents(&p, func(i int) [2]float32 { return TransformUV(sh.m.Normal.UV, p.UV[i]) })
		b.Release(sums)
	}
	return p, nil
}

// attributes says which vertex attributes a primitive has, besides positions, normals and texture coordinates.
type attributes struct {
	uv2, blend, blends, colors, mirrors, pivots, tangents, joints bool
	targets                                                       int
	dense                                                         bool // the targets are of all vertices
	moved                                                         int  // vertices that move in targets, together, if not dense
}

func attributesOf(sh *shading, parts []part) attributes {
	m, base := sh.m, sh.key.Layer == 0
	targets, moved, dense := countTargets(parts)
	return attributes{
		uv2:      sh.key.Page != scene.None || sh.key.VertexLit && sh.atlas.Unfolded != nil,
		blend:    base && blends(m, parts),
		blends:   base && slices.ContainsFunc(parts, func(p part) bool { return p.mesh.Blends != nil }),
		colors:   sh.key.VertexLit || m.Vertex.Color || m.Vertex.Alpha && base,
		mirrors:  base && !sh.key.VertexLit && m.Environment != nil && m.Environment.Vertex != pbr.NoTint,
		pivots:   base && m.Chrome != [2]float32{} && !slices.ContainsFunc(parts, func(p part) bool { return pivots(&p) == nil }),
		targets:  targets,
		moved:    moved,
		dense:    dense,
		joints:   slices.ContainsFunc(parts, func(p part) bool { return bindings(&p) != nil }),
		tangents: m.Normal.Image != pbr.NoImage && !m.Draw.Unlit && !sh.key.VertexLit,
	}
}

// bytes returns the memory of a primitive, and what tangents take more while they are made. Both sets of texture coordinates and the
// colours are counted even if they are missing.
func (a attributes) bytes(vertices, indices int) (size, sums int64) {
	size = limit.Bytes[[3]float32](2*vertices) + limit.Bytes[[2]float32](2*vertices) + limit.Bytes[[4]uint16](vertices) +
		limit.Bytes[uint32](indices)
	if a.blend {
		size += limit.Bytes[float32](vertices)
	}
	if a.blends {
		size += limit.Bytes[[4]float32](vertices)
	}
	if a.mirrors {
		size += limit.Bytes[[4]uint16](vertices)
	}
	if a.pivots {
		size += limit.Bytes[[3]float32](vertices)
	}
	size += a.targetBytes(vertices)
	if a.joints {
		size += limit.Bytes[world.Binding](vertices)
	}
	if a.tangents {
		size += limit.Bytes[[4]float32](vertices)
		sums = limit.Bytes[[2][3]float64](vertices)
	}
	return size, sums
}

// make returns a primitive with room for so many vertices and indices.
func (a attributes) make(vertices, indices int) scene.Primitive {
	p := scene.Primitive{
		Positions: make([][3]float32, vertices), Normals: make([][3]float32, vertices), UV: make([][2]float32, vertices),
		Indices: make([]uint32, 0, indices),
	}
	if a.uv2 {
		p.UV2 = make([][2]float32, vertices)
	}
	if a.blend {
		p.Blend = make([]float32, vertices)
	}
	if a.blends {
		p.Blends = make([][4]float32, vertices)
	}
	if a.colors {
		p.Colors = make([][4]uint16, vertices)
	}
	if a.mirrors {
		p.Mirrors = make([][4]uint16, vertices)
	}
	if a.pivots {
		p.Pivots = make([][3]float32, vertices)
	}
	p.Targets = a.makeTargets(vertices)
	if a.joints {
		p.Joints, p.Weights = make([][4]uint8, vertices), make([][4]float32, vertices)
	}
	return p
}

// targetBytes returns the memory of the targets of a primitive with so many vertices.
func (a attributes) targetBytes(vertices int) int64 {
	if a.dense {
		return int64(a.targets) * limit.Bytes[[3]float32](2*vertices)
	}
	return limit.Bytes[scene.Target](a.targets) + 28*int64(a.moved)
}

// makeTargets returns the targets of a primitive with so many vertices, which move none.
func (a attributes) makeTargets(vertices int) (out []scene.Target) {
	for range a.targets {
		t := scene.Target{}
		if a.dense {
			t.Positions, t.Normals = make([][3]float32, vertices), make([][3]float32, vertices)
		}
		out = append(out, t)
	}
	return out
}

// bindings returns the bones that move the vertices of a part, or nil. Surfaces of models with skeletons are drawn whole.
func bindings(p *part) []world.Binding {
	t, ok := p.surface.Shape.(*world.Triangles)
	if !ok || p.mesh == nil || len(t.Bindings) != len(p.mesh.Vertices) {
		return nil
	}
	return t.Bindings
}

// pivots returns where the bones of a part's normals begin, or nil.
func pivots(p *part) [][3]float32 {
	t, ok := p.surface.Shape.(*world.Triangles)
	if !ok || p.mesh == nil || len(t.Pivots) != len(p.mesh.Vertices) {
		return nil
	}
	return t.Pivots
}

// blends reports whether the vertices' alphas are the opacity of the next layer.
func blends(m *pbr.Material, parts []part) bool {
	fades := func(l pbr.Material) bool { return !l.Layer.Whole }
	return slices.ContainsFunc(m.Layers, fades) || slices.ContainsFunc(parts, func(p part) bool {
		_, displaced := p.surface.Shape.(*world.Displacement)
		return displaced
	})
}

// meshBytes returns the memory of a mesh that was just made, with the room that its slices have grown to.
func meshBytes(m *geometry.Mesh) int64 {
	return limit.Bytes[world.Vertex](cap(m.Vertices)) + limit.Bytes[uint32](cap(m.Indices)) + limit.Bytes[[4]float32](cap(m.Blends))
}

// maxCut is the greatest number of vertices that cutting one surface for the vertex carrier may make.
const maxCut = 1 << 18

// cutParts cuts the parts along the lines of their luxels if the vertices carry the light, and counts their vertices and indices. cut is
// the number of bytes that it has reserved, after an error too.
func cutParts(ctx context.Context, sh *shading, parts []part) (vertices, indices int, cut int64, err error) {
	b := limit.From(ctx)
	for i := range parts {
		if sh.key.VertexLit {
			if err := ctx.Err(); err != nil {
				return 0, 0, cut, err
			}
			m := geometry.Cut(*parts[i].mesh, sh.step, maxCut)
			size := meshBytes(&m)
			if err := b.Reserve(size); err != nil {
				return 0, 0, cut, err
			}
			cut += size
			parts[i].mesh = &m
		}
		if sh.key.VertexLit || sh.key.Layer > 0 { // the others have been counted
			if err := b.Vertices(int64(len(parts[i].mesh.Vertices))); err != nil {
				return 0, 0, cut, err
			}
		}
		vertices += len(parts[i].mesh.Vertices)
		indices += len(parts[i].mesh.Indices)
	}
	return vertices, indices, cut, nil
}

// fill writes a part into a primitive, from vertex at on.
func fill(p *scene.Primitive, at int, sh *shading, part *part) {
	first, lift, m := uint32(at), liftOf(sh.key.Layer, sh.m.Draw.Offset), sh.m
	chart := sh.chart(part.chart)
	texcoords := func(v *world.Vertex) [2]float32 { return texcoord(&m.Base, v, chart) }
	if m.Placeholder && m.Base.Image != pbr.NoImage {
		texcoords = gridCoords(part.mesh)
	}
	if p.Blends != nil {
		copy(p.Blends[at:], part.mesh.Blends)
	}
	for i, b := range bindings(part) {
		p.Joints[at+i], p.Weights[at+i] = b.Bones, b.Weights
	}
	if p.Pivots != nil {
		for i, c := range pivots(part) {
			p.Pivots[at+i] = sh.axes.Point(c)
		}
	}
	for k, shift := range shifts(part) {
		fillTarget(&p.Targets[k], at, &shift, sh.axes)
	}
	for i := range part.mesh.Vertices {
		v := &part.mesh.Vertices[i]
		pos := v.Position
		if lift != 0 {
			for k := range pos {
				pos[k] += float32(v.Normal[k] * lift)
			}
		}
		p.Positions[at] = sh.axes.Point(pos)
		p.Normals[at] = axes.Turn(v.Normal)
		p.UV[at] = texcoords(v)
		switch {
		case p.UV2 != nil && sh.key.VertexLit:
			p.UV2[at] = sh.atlas.Unfolded.UV(part.chart, v.Luxel)
		case p.UV2 != nil:
			p.UV2[at] = sh.atlas.UV(part.chart, v.Luxel)
		}
		if p.Colors != nil {
			p.Colors[at] = color(sh, v, chart)
		}
		if p.Mirrors != nil {
			p.Mirrors[at] = mirror(m.Environment.Vertex, sh.display, v)
		}
		if p.Blend != nil {
			p.Blend[at] = v.Color[3]
		}
		at++
	}
	for _, x := range part.mesh.Indices {
		p.Indices = append(p.Indices, first+x)
	}
}

// gridCoords returns what gives a vertex of a placeholder its place on the grid, which lies on the plane of two axes of the map that the
// surface is closest to. The map's own coordinates would need the size of the missing texture.
func gridCoords(m *geometry.Mesh) func(v *world.Vertex) [2]float32 {
	var sum [3]float32
	for i := range m.Vertices {
		for k, n := range m.Vertices[i].Normal {
			sum[k] += max(n, -n)
		}
	}
	across, down := 0, 1
	switch {
	case sum[0] > sum[1] && sum[0] > sum[2]:
		across, down = 1, 2
	case sum[1] > sum[2]:
		down = 2
	}
	return func(v *world.Vertex) [2]float32 {
		return [2]float32{v.Position[across] / pbr.GridUnits, -v.Position[down] / pbr.GridUnits}
	}
}

// decalOffset is the distance in map units by which a material with a polygon offset is moved off the surface it lies on.
const decalOffset = 0.25

// liftOf returns the distance in map units by which a layer lies off its surface, so that it does not flicker.
func liftOf(layer int, offset bool) float32 {
	lift := float32(0)
	if offset {
		lift = decalOffset
	}
	if layer == drawkey.FogLayer {
		return lift + decalOffset
	}
	return lift + float32(layer)*decalOffset/4
}

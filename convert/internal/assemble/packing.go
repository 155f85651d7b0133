package assemble

import (
	"context"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/codec/meshopt"
)

// pack lets primitives share what they have in common, and orders triangles and vertices if they will be compressed.
func pack(ctx context.Context, s *scene.Scene, o pipeline.OutputOptions) error {
	if err := shareVertices(ctx, s); err != nil {
		return err
	}
	s.Packing = scene.Packing{Quantize: o.Quantize, Meshopt: o.Compress == pipeline.CompressMeshopt}
	if s.Packing.Meshopt {
		if err := reorder(ctx, s); err != nil {
			return err
		}
	}
	if s.Packing.Quantize && s.Packing.Meshopt {
		s.Packing.Step = stepOf(s.Unit, 1)
		s.Packing.Finer = finer(s)
	}
	return nil
}

// stepOf returns the binary logarithm of the step to which positions are rounded: a 64th of a map unit or less, also if a node magnifies
// them by a factor. A map unit is so many metres.
func stepOf(unit, factor float64) int {
	if !(unit > 0) {
		return 0
	}
	return max(-40, int(math.Floor(math.Log2(unit/64/factor))))
}

// finer returns the steps of the positions that nodes magnify.
func finer(s *scene.Scene) map[*[3]float32]int {
	out := map[*[3]float32]int{}
	scales := make([]float64, len(s.Nodes)) // in the scene; parents come before their children
	for i := range s.Nodes {
		n := &s.Nodes[i]
		scales[i] = max(math.Abs(n.Scale[0]), math.Abs(n.Scale[1]), math.Abs(n.Scale[2]))
		if n.Parent != scene.None {
			scales[i] *= scales[n.Parent]
		}
		if scales[i] <= 1 {
			continue
		}
		step := stepOf(s.Unit, scales[i])
		refine(out, s, n.Mesh, step)
		for _, level := range n.Levels { // they have no parent of their own
			refine(out, s, s.Nodes[level].Mesh, step)
		}
	}
	return out
}

// refine lets the positions of a mesh have at most a step.
func refine(steps map[*[3]float32]int, s *scene.Scene, mesh, step int) {
	if mesh == scene.None {
		return
	}
	for k := range s.Meshes[mesh].Primitives {
		if p := s.Meshes[mesh].Primitives[k].Positions; len(p) > 0 {
			if old, ok := steps[&p[0]]; !ok || step < old {
				steps[&p[0]] = step
			}
		}
	}
}

// reorder puts the triangles and vertices of all primitives into the order in which they pack best. Primitives that share
// slices share the reordered ones, too.
func reorder(ctx context.Context, s *scene.Scene) error {
	type shape struct {
		indices  *uint32
		vertices int
	}
	done := map[shape]*vertexOrder{}
	for m := range s.Meshes {
		if err := ctx.Err(); err != nil {
			return err
		}
		for k := range s.Meshes[m].Primitives {
			p := &s.Meshes[m].Primitives[k]
			if len(p.Indices) == 0 {
				continue
			}
			key := shape{&p.Indices[0], len(p.Positions)}
			o := done[key]
			if o == nil {
				o = newOrder(p)
				done[key] = o
			}
			o.apply(p)
		}
	}
	return nil
}

// vertexOrder is a new order of a primitive's vertices.
type vertexOrder struct {
	old     []uint32 // by new number
	indices []uint32
	made    map[any]any // slices in this order, by the addresses of their first elements in the old one
}

func newOrder(p *scene.Primitive) *vertexOrder {
	indices := meshopt.Order(p.Indices, len(p.Positions))
	return &vertexOrder{old: meshopt.Renumber(indices, len(p.Positions)), indices: indices, made: map[any]any{}}
}

func (o *vertexOrder) apply(p *scene.Primitive) {
	p.Indices = o.indices
	p.Positions, p.Normals, p.Tangents = reordered(o, p.Positions), reordered(o, p.Normals), reordered(o, p.Tangents)
	p.UV, p.UV2, p.Colors = reordered(o, p.UV), reordered(o, p.UV2), reordered(o, p.Colors)
	p.Mirrors = reordered(o, p.Mirrors)
	p.Pivots = reordered(o, p.Pivots)
	p.Joints, p.Weights = reordered(o, p.Joints), reordered(o, p.Weights)
	p.Blend, p.Blends = reordered(o, p.Blend), reordered(o, p.Blends)
	p.Targets = o.targets(p.Targets)
}

// targets returns morph targets with their vertices in this order.
func (o *vertexOrder) targets(list []scene.Target) []scene.Target {
	if len(list) == 0 {
		return list
	}
	if made, ok := o.made[&list[0]]; ok {
		return made.([]scene.Target)
	}
	out := slices.Clone(list)
	for i := range out {
		t := &out[i]
		if t.Vertices != nil {
			o.renumber(t)
			continue
		}
		t.Positions, t.Normals = reordered(o, t.Positions), reordered(o, t.Normals)
	}
	o.made[&list[0]] = out
	return out
}

// renumber puts the vertices of a target that moves some into this order.
func (o *vertexOrder) renumber(t *scene.Target) {
	at := make(map[uint32]int, len(t.Vertices))
	for i, v := range t.Vertices {
		at[v] = i
	}
	out := scene.Target{Vertices: make([]uint32, 0, len(at))}
	for n, old := range o.old {
		if i, ok := at[old]; ok {
			out.Vertices = append(out.Vertices, uint32(n))
			out.Positions = append(out.Positions, t.Positions[i])
			if t.Normals != nil {
				out.Normals = append(out.Normals, t.Normals[i])
			}
		}
	}
	*t = out
}

func reordered[T any](o *vertexOrder, data []T) []T {
	if len(data) == 0 {
		return data
	}
	if made, ok := o.made[&data[0]]; ok {
		return made.([]T)
	}
	out := make([]T, len(o.old))
	for i, at := range o.old {
		out[i] = data[at]
	}
	o.made[&data[0]] = out
	return out
}

package assemble

import (
	"context"
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/meshopt"
)

// pack lets primitives share what they have in common, and orders triangles and vertices if they will be compressed.
func pack(ctx context.Context, s *scene.Scene, o pipeline.OutputOptions) error {
	if err := shareVertices(ctx, s); err != nil {
		return err
	}
	if s.Packing = newPacking(o, s.Unit); s.Packing.Meshopt {
		return reorder(ctx, s)
	}
	return nil
}

// newPacking returns the packing for a scene whose map units are so many metres.
func newPacking(o pipeline.OutputOptions, unit float64) scene.Packing {
	p := scene.Packing{Quantize: o.Quantize, Meshopt: o.Compress == pipeline.CompressMeshopt}
	if p.Quantize && unit > 0 {
		p.Step = max(-40, int(math.Floor(math.Log2(unit/64))))
	}
	return p
}

// reorder puts the triangles and vertices of all primitives into the order in which they pack best. Primitives that share
// slices share the reordered ones, too.
func reorder(ctx context.Context, s *scene.Scene) error {
	type shape struct {
		indices  *uint32
		vertices int
	}
	done := map[shape]*order{}
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

// order is a new order of a primitive's vertices.
type order struct {
	old     []uint32 // by new number
	indices []uint32
	made    map[any]any // slices in this order, by the addresses of their first elements in the old one
}

func newOrder(p *scene.Primitive) *order {
	indices := meshopt.Order(p.Indices, len(p.Positions))
	return &order{old: meshopt.Renumber(indices, len(p.Positions)), indices: indices, made: map[any]any{}}
}

func (o *order) apply(p *scene.Primitive) {
	p.Indices = o.indices
	p.Positions, p.Normals, p.Tangents = reordered(o, p.Positions), reordered(o, p.Normals), reordered(o, p.Tangents)
	p.UV, p.UV2, p.Colors = reordered(o, p.UV), reordered(o, p.UV2), reordered(o, p.Colors)
	p.Mirrors = reordered(o, p.Mirrors)
	p.Blend, p.Blends = reordered(o, p.Blend), reordered(o, p.Blends)
}

func reordered[T any](o *order, data []T) []T {
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

package convert

import (
	"context"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/meshopt"
)

// Packing says how a writer may store vertices.
type Packing struct {
	// Quantize stores normals, tangents and weights as bytes and lightmap coordinates as 16 bits, by KHR_mesh_quantization.
	// With Meshopt places and texture coordinates are rounded too: places to a 64th of a map unit or less, coordinates to
	// an 8192th.
	Quantize bool
	Meshopt  bool // EXT_meshopt_compression, triangles and vertices in an order that suits it and a GPU's cache
	// Step is the binary logarithm of what places are rounded to, in metres.
	Step int
}

// uvStep is the binary logarithm of what texture coordinates are rounded to: an eighth of a texel of an image of 1024.
const uvStep = -13

// newPacking is the packing for a scene whose map units are so many metres.
func newPacking(o OutputOptions, unit float64) Packing {
	p := Packing{Quantize: o.Quantize, Meshopt: o.Compress == "meshopt"}
	if p.Quantize && unit > 0 {
		p.Step = max(-40, int(math.Floor(math.Log2(unit/64))))
	}
	return p
}

// reorder puts the triangles and vertices of all primitives into the order in which they pack best. Primitives that share
// slices share those that come of them.
func reorder(ctx context.Context, s *Scene) error {
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

// order is a new order of a primitive's vertices, and the slices that have it already, by their first elements.
type order struct {
	old     []uint32 // by new number
	indices []uint32
	made    map[any]any
}

func newOrder(p *Primitive) *order {
	indices := meshopt.Order(p.Indices, len(p.Positions))
	return &order{old: meshopt.Renumber(indices, len(p.Positions)), indices: indices, made: map[any]any{}}
}

func (o *order) apply(p *Primitive) {
	p.Indices = o.indices
	p.Positions, p.Normals, p.Tangents = reordered(o, p.Positions), reordered(o, p.Normals), reordered(o, p.Tangents)
	p.UV, p.UV2, p.Colors = reordered(o, p.UV), reordered(o, p.UV2), reordered(o, p.Colors)
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

package assemble

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// shareVertices gives primitives of one shape the same slices if the elements are the same, so that a writer writes them
// once: a model in two skins or colours is two models of the world. It fails when ctx ends.
func shareVertices(ctx context.Context, s *scene.Scene) error {
	positions, normals, tangents := pool[[3]float32]{}, pool[[3]float32]{}, pool[[4]float32]{}
	uv, colors, indices := pool[[2]float32]{}, pool[[4]uint16]{}, pool[uint32]{}
	blend, blends, joints := pool[float32]{}, pool[[4]float32]{}, pool[[4]uint8]{}
	for m := range s.Meshes {
		if err := ctx.Err(); err != nil {
			return err
		}
		for k := range s.Meshes[m].Primitives {
			p := &s.Meshes[m].Primitives[k]
			if len(p.Positions) == 0 {
				continue
			}
			p.Positions = positions.shared(nil, p.Positions)
			of := &p.Positions[0]
			p.Normals, p.Tangents = normals.shared(of, p.Normals), tangents.shared(of, p.Tangents)
			p.UV, p.UV2, p.Colors = uv.shared(of, p.UV), uv.shared(of, p.UV2), colors.shared(of, p.Colors)
			p.Mirrors = colors.shared(of, p.Mirrors)
			p.Pivots = normals.shared(of, p.Pivots)
			p.Joints, p.Weights = joints.shared(of, p.Joints), blends.shared(of, p.Weights)
			p.Blend, p.Blends, p.Indices = blend.shared(of, p.Blend), blends.shared(of, p.Blends), indices.shared(of, p.Indices)
		}
	}
	return nil
}

// pool holds slices that differ in their elements.
type pool[T comparable] map[sliceKey[T]][][]T

// sliceKey is compared before all elements of two slices are.
type sliceKey[T comparable] struct {
	of          *[3]float32 // the address of the positions that they belong to; nil for positions
	n           int
	first, last T
}

// maxAlike is the number of slices with the same ends that a slice is compared with.
const maxAlike = 8

// shared returns the pool's slice that has the same elements and the same positions. If there is none, it adds and returns data.
func (p pool[T]) shared(of *[3]float32, data []T) []T {
	if len(data) == 0 {
		return data
	}
	key := sliceKey[T]{of, len(data), data[0], data[len(data)-1]}
	for _, other := range p[key] {
		if &data[0] == &other[0] || slices.Equal(data, other) {
			return other
		}
	}
	if len(p[key]) < maxAlike {
		p[key] = append(p[key], data)
	}
	return data
}

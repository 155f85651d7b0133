package convert

import (
	"context"
	"slices"
)

// shape is what two primitives have in common before all of it is compared.
type shape struct {
	vertices, indices int
	first, last       [3]float32
}

// shareVertices lets primitives of one shape have the same slices, so that a writer writes them once: a model in two skins or
// colours is two models of the world. It fails when ctx ends.
func shareVertices(ctx context.Context, s *Scene) error {
	seen := map[shape][2]int{}
	for m := range s.Meshes {
		if err := ctx.Err(); err != nil {
			return err
		}
		for k := range s.Meshes[m].Primitives {
			p := &s.Meshes[m].Primitives[k]
			n := len(p.Positions)
			if n == 0 {
				continue
			}
			if p.Like[0] == m || p.Like == [2]int{} { // of none, but perhaps of one in another mesh
				key := shape{n, len(p.Indices), p.Positions[0], p.Positions[n-1]}
				at, ok := seen[key]
				if !ok {
					seen[key] = [2]int{m, k}
					continue
				}
				if !slices.Equal(p.Positions, s.Meshes[at[0]].Primitives[at[1]].Positions) {
					continue
				}
				p.Like = at
			}
			p.share(&s.Meshes[p.Like[0]].Primitives[p.Like[1]])
		}
	}
	return nil
}

// share takes the slices of another primitive where they have the same elements.
func (p *Primitive) share(other *Primitive) {
	p.Positions = oneOf(p.Positions, other.Positions)
	p.Normals = oneOf(p.Normals, other.Normals)
	p.Tangents = oneOf(p.Tangents, other.Tangents)
	p.UV = oneOf(p.UV, other.UV)
	p.UV2 = oneOf(p.UV2, other.UV2)
	p.Colors = oneOf(p.Colors, other.Colors)
	p.Blend = oneOf(p.Blend, other.Blend)
	p.Blends = oneOf(p.Blends, other.Blends)
	p.Indices = oneOf(p.Indices, other.Indices)
}

// oneOf is other where it has the same elements, else own.
func oneOf[T comparable](own, other []T) []T {
	if same(own, other) || slices.Equal(own, other) {
		return other
	}
	return own
}

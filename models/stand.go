package models

import (
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// stand sets the vertices of a model with a skeleton as they are where its bones stand: for the light on it, and for its size.
func (v *variant) stand(b *limit.Budget) error {
	s := v.model.Skeleton
	if s == nil {
		return nil
	}
	bones := bonesOf(s)
	for i := range v.model.Surfaces {
		t := v.model.Surfaces[i].Shape.(*world.Triangles)
		if err := b.Reserve(vertexSize * int64(len(t.Vertices))); err != nil {
			return err
		}
		moved := make([]world.Vertex, len(t.Vertices))
		for k := range t.Vertices {
			moved[k] = t.Vertices[k]
			moved[k].Position, moved[k].Normal = movedBy(bones, &t.Bindings[k], &t.Vertices[k])
			at := moved[k].Position
			if i == 0 && k == 0 {
				v.model.Mins, v.model.Maxs = at, at
			}
			for x := range at {
				v.model.Mins[x], v.model.Maxs[x] = min(v.model.Mins[x], at[x]), max(v.model.Maxs[x], at[x])
			}
		}
		v.stands = append(v.stands, moved)
	}
	return nil
}

// vertices returns the vertices of a surface where they are when the map starts.
func (v *variant) vertices(surface int) []world.Vertex {
	if v.stands != nil {
		return v.stands[surface]
	}
	return v.model.Surfaces[surface].Shape.(*world.Triangles).Vertices
}

// bonesOf returns, by bone, the matrix that moves vertices to where the bone stands.
func bonesOf(s *world.Skeleton) []turn.Matrix {
	stands := make([]turn.Matrix, len(s.Bones))
	for i := range s.Bones {
		b := &s.Bones[i]
		if stands[i] = turn.Placed(b.Joint); b.Parent >= 0 {
			stands[i] = stands[b.Parent].Times(&stands[i])
		}
	}
	for i := range stands {
		inverse := turn.Matrix(s.Bones[i].Inverse)
		stands[i] = stands[i].Times(&inverse)
	}
	return stands
}

// movedBy returns the position and the normal of a vertex that bones move.
func movedBy(bones []turn.Matrix, b *world.Binding, v *world.Vertex) (position, normal [3]float32) {
	var at, direction [3]float64
	for i, weight := range b.Weights {
		if weight == 0 {
			break
		}
		m := &bones[b.Bones[i]]
		to, turned := m.Point(v.Position), m.Direction(v.Normal)
		for k := range at {
			at[k] += float64(float64(weight) * to[k])
			direction[k] += float64(float64(weight) * turned[k])
		}
	}
	return [3]float32{float32(at[0]), float32(at[1]), float32(at[2])}, turn.Unit(direction)
}

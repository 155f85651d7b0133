package skeleton

import (
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// SkinVertices returns the vertices of a model, by surface, posed by the bones of its skeleton, and their bounding
// box.
func SkinVertices(m *world.Model) (out [][]world.Vertex, mins, maxs [3]float32) {
	bones := skinMatrices(m.Skeleton)
	for i := range m.Surfaces {
		t := m.Surfaces[i].Shape.(*world.Triangles)
		moved := make([]world.Vertex, len(t.Vertices))
		for k := range t.Vertices {
			moved[k] = t.Vertices[k]
			moved[k].Position, moved[k].Normal = Skin(bones, &t.Bindings[k], &t.Vertices[k])
			at := moved[k].Position
			if i == 0 && k == 0 {
				mins, maxs = at, at
			}
			space.Extend(&mins, &maxs, at)
		}
		out = append(out, moved)
	}
	return out, mins, maxs
}

// WorldMatrices returns, by bone, the matrix from the bone's axes to the model's.
func WorldMatrices(s *world.Skeleton) []space.Matrix {
	return Chain(len(s.Bones), func(i int) int { return s.Bones[i].Parent },
		func(i int) space.Matrix { return space.NewMatrix(s.Bones[i].Position, s.Bones[i].Rotation) })
}

// Chain returns, by bone, the matrix from the bone's axes to the model's. parent returns a bone's parent, which comes
// before it, or -1; local returns the matrix from the bone's axes to its parent's.
func Chain(bones int, parent func(i int) int, local func(i int) space.Matrix) []space.Matrix {
	out := make([]space.Matrix, bones)
	for i := range out {
		out[i] = local(i)
		if p := parent(i); p >= 0 {
			out[i] = out[p].Times(&out[i])
		}
	}
	return out
}

// skinMatrices returns, by bone, the matrix that moves vertices from the bind pose to the bone's pose.
func skinMatrices(s *world.Skeleton) []space.Matrix {
	stands := WorldMatrices(s)
	for i := range stands {
		inverse := space.Matrix(s.Bones[i].Inverse)
		stands[i] = stands[i].Times(&inverse)
	}
	return stands
}

// Skin returns the position and normal of a vertex that bones move. bones holds, by bone, the matrix from the bind
// pose to the pose.
func Skin(bones []space.Matrix, b *world.Binding, v *world.Vertex) (position, normal [3]float32) {
	return space.Skin(bones, b.Bones, b.Weights, v.Position, v.Normal)
}

package scene

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// Transform is a node's matrix: three columns for its axes and one for its position.
type Transform struct{ X, Y, Z, At [3]float64 }

// NewTransform returns the matrix of a position, a rotation quaternion (x, y, z, w) and a scale along the axes.
func NewTransform(at [3]float64, q [4]float64, scale [3]float64) Transform {
	t := Transform{At: at}
	for k, axis := range []*[3]float64{&t.X, &t.Y, &t.Z} {
		var v [4]float64
		v[k] = scale[k]
		v = space.Multiply(space.Multiply(q, v), [4]float64{-q[0], -q[1], -q[2], q[3]})
		copy(axis[:], v[:3])
	}
	return t
}

// Direction rotates and scales a vector without translating it.
func (t Transform) Direction(v [3]float64) (out [3]float64) {
	for k := range out {
		out[k] = space.Sum(t.X[k]*v[0], t.Y[k]*v[1], t.Z[k]*v[2], 0)
	}
	return out
}

// Point transforms a point of the node to its parent.
func (t Transform) Point(v [3]float64) [3]float64 {
	v = t.Direction(v)
	return [3]float64{v[0] + t.At[0], v[1] + t.At[1], v[2] + t.At[2]}
}

// Normal transforms a normal, which scales inversely to the axes, and normalises it.
func (t Transform) Normal(v [3]float64) [3]float64 {
	if t.X == [3]float64{1, 0, 0} && t.Y == [3]float64{0, 1, 0} && t.Z == [3]float64{0, 0, 1} {
		return v
	}
	// The rows of the inverse, times the determinant, whose sign corrects the normals of a mirrored mesh.
	out := Transform{X: space.Cross(t.Y, t.Z), Y: space.Cross(t.Z, t.X), Z: space.Cross(t.X, t.Y)}.Direction(v)
	sign := 1.0
	if t.Mirrors() {
		sign = -1
	}
	l := math.Sqrt(space.Sum(out[0]*out[0], out[1]*out[1], out[2]*out[2], 0)) * sign
	if l == 0 || math.IsInf(l, 0) {
		return v
	}
	return [3]float64{out[0] / l, out[1] / l, out[2] / l}
}

// Mirrors reports whether t reverses the winding of triangles.
func (t Transform) Mirrors() bool {
	n := space.Cross(t.Y, t.Z)
	return space.Sum(t.X[0]*n[0], t.X[1]*n[1], t.X[2]*n[2], 0) < 0
}

// Then returns the transform of a child of t.
func (t Transform) Then(child Transform) Transform {
	return Transform{t.Direction(child.X), t.Direction(child.Y), t.Direction(child.Z), t.Point(child.At)}
}

// Places returns the transform of each node to the scene, by node index.
func Places(s *Scene) []Transform {
	all := make([]Transform, len(s.Nodes))
	for i := range all {
		n := &s.Nodes[i]
		all[i] = NewTransform(n.Translation, n.Rotation, n.Scale)
		if n.Parent != None {
			all[i] = all[n.Parent].Then(all[i])
		}
	}
	return all
}

// NewNode returns an empty node at its parent's position.
func NewNode(name string, parent int) Node {
	return Node{
		Name: name, Parent: parent, Rotation: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1},
		Mesh: None, Light: None, Camera: None, Skin: None,
	}
}

package scene

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/space"
)

// Transform is a node's matrix: three columns for its axes and one for its place.
type Transform struct{ X, Y, Z, At [3]float64 }

// NewTransform returns the matrix of a place, a turn (x, y, z, w) and a scale along the axes.
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

// Direction turns and scales a vector without moving it.
func (t Transform) Direction(v [3]float64) (out [3]float64) {
	for k := range out {
		out[k] = space.Sum(t.X[k]*v[0], t.Y[k]*v[1], t.Z[k]*v[2], 0)
	}
	return out
}

// Point returns where a point of the node is in its parent.
func (t Transform) Point(v [3]float64) [3]float64 {
	v = t.Direction(v)
	return [3]float64{v[0] + t.At[0], v[1] + t.At[1], v[2] + t.At[2]}
}

// Normal turns a normal, which scales as the inverse of the axes do, and makes it unit again.
func (t Transform) Normal(v [3]float64) [3]float64 {
	if t.X == [3]float64{1, 0, 0} && t.Y == [3]float64{0, 1, 0} && t.Z == [3]float64{0, 0, 1} {
		return v
	}
	// The rows of the inverse, times the determinant: its sign turns the normal of a mirrored mesh back.
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

// Mirrors reports whether triangles turn their other side.
func (t Transform) Mirrors() bool {
	n := space.Cross(t.Y, t.Z)
	return space.Sum(t.X[0]*n[0], t.X[1]*n[1], t.X[2]*n[2], 0) < 0
}

// Then is the transform of a child of t.
func (t Transform) Then(child Transform) Transform {
	return Transform{t.Direction(child.X), t.Direction(child.Y), t.Direction(child.Z), t.Point(child.At)}
}

// Places are where the nodes of a scene are, by node: parents come before their children.
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

// NewNode is a node at its parent's place, with nothing on it.
func NewNode(name string, parent int) Node {
	return Node{
		Name: name, Parent: parent, Rotation: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1},
		Mesh: None, Light: None, Camera: None,
	}
}

package convert

import "math"

// transform is a node's matrix: three columns for its axes and one for its place.
type transform struct{ x, y, z, at [3]float64 }

func newTransform(at [3]float64, q [4]float64, scale [3]float64) transform {
	t := transform{at: at}
	for k, axis := range []*[3]float64{&t.x, &t.y, &t.z} {
		var v [4]float64
		v[k] = scale[k]
		v = multiply(multiply(q, v), [4]float64{-q[0], -q[1], -q[2], q[3]})
		copy(axis[:], v[:3])
	}
	return t
}

func (t transform) direction(v [3]float64) (out [3]float64) {
	for k := range out {
		out[k] = sum(t.x[k]*v[0], t.y[k]*v[1], t.z[k]*v[2], 0)
	}
	return out
}

func (t transform) point(v [3]float64) [3]float64 {
	v = t.direction(v)
	return [3]float64{v[0] + t.at[0], v[1] + t.at[1], v[2] + t.at[2]}
}

// normal turns a normal, which scales as the inverse of the axes do, and makes it unit again.
func (t transform) normal(v [3]float64) [3]float64 {
	if t.x == [3]float64{1, 0, 0} && t.y == [3]float64{0, 1, 0} && t.z == [3]float64{0, 0, 1} {
		return v
	}
	// The rows of the inverse, times the determinant: its sign turns the normal of a mirrored mesh back.
	out := transform{x: cross(t.y, t.z), y: cross(t.z, t.x), z: cross(t.x, t.y)}.direction(v)
	sign := 1.0
	if t.mirrors() {
		sign = -1
	}
	l := math.Sqrt(sum(out[0]*out[0], out[1]*out[1], out[2]*out[2], 0)) * sign
	if l == 0 || math.IsInf(l, 0) {
		return v
	}
	return [3]float64{out[0] / l, out[1] / l, out[2] / l}
}

// mirrors tells whether triangles turn their other side.
func (t transform) mirrors() bool {
	n := cross(t.y, t.z)
	return sum(t.x[0]*n[0], t.x[1]*n[1], t.x[2]*n[2], 0) < 0
}

// then is the transform of a child of t.
func (t transform) then(child transform) transform {
	return transform{t.direction(child.x), t.direction(child.y), t.direction(child.z), t.point(child.at)}
}

// places are where the nodes of a scene are, by node: parents come before their children.
func places(s *Scene) []transform {
	all := make([]transform, len(s.Nodes))
	for i := range all {
		n := &s.Nodes[i]
		all[i] = newTransform(n.Translation, n.Rotation, n.Scale)
		if n.Parent != None {
			all[i] = all[n.Parent].then(all[i])
		}
	}
	return all
}

package convert

import "math"

// axes takes positions from the map's units and axes (Z up) to metres with Y up. It is applied once, here.
type axes struct{ unit float64 }

func (a axes) point(p [3]float32) [3]float32 {
	u := float32(a.unit)
	return [3]float32{p[0] * u, p[2] * u, 0 - float32(p[1]*u)}
}

// farthest is the most that a coordinate of a node is, in metres: JSON has no infinity.
const farthest = 1e30

// point64 is point for what is not in the vertices.
func (a axes) point64(p [3]float64) [3]float64 {
	for k := range p {
		p[k] = bounded(p[k] * a.unit)
	}
	return turn(p)
}

// bounded is a number within the farthest, which is 0 where it is none.
func bounded(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, -farthest), farthest)
}

// turn takes a direction to Y up. Subtracting from 0 makes no -0.
func turn[T float32 | float64 | int8](v [3]T) [3]T { return [3]T{v[0], v[2], 0 - v[1]} }

func vector64(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

// quaternion of pitch, yaw and roll in degrees, as the engines turn things: roll about X, then pitch about Y, then
// yaw about Z, with Y up afterwards.
func quaternion(angles [3]float32) [4]float64 {
	half := func(deg float32) (sin, cos float64) {
		return math.Sincos(math.Mod(float64(deg), 720) * math.Pi / 360)
	}
	sp, cp := half(angles[0])
	sy, cy := half(angles[1])
	sr, cr := half(angles[2])
	q := multiply(multiply([4]float64{0, 0, sy, cy}, [4]float64{0, sp, 0, cp}), [4]float64{sr, 0, 0, cr})
	return [4]float64{q[0], q[2], 0 - q[1], q[3]}
}

// lookAlong is the rotation that takes -Z, along which cameras and lights look, to a direction in the scene's axes.
func lookAlong(dir [3]float64) [4]float64 {
	yaw := math.Atan2(-dir[0], -dir[2])
	pitch := math.Atan2(dir[1], math.Hypot(dir[0], dir[2]))
	sy, cy := math.Sincos(yaw / 2)
	sp, cp := math.Sincos(pitch / 2)
	return multiply([4]float64{0, sy, 0, cy}, [4]float64{sp, 0, 0, cp})
}

// forward is the rotation that takes -Z to the map's +X, along which an unturned entity looks.
var forward = [4]float64{0, -math.Sqrt2 / 2, 0, math.Sqrt2 / 2}

// multiply is the turn b followed by a.
func multiply(a, b [4]float64) [4]float64 {
	return [4]float64{
		sum(a[3]*b[0], a[0]*b[3], a[1]*b[2], -a[2]*b[1]),
		sum(a[3]*b[1], -a[0]*b[2], a[1]*b[3], a[2]*b[0]),
		sum(a[3]*b[2], a[0]*b[1], -a[1]*b[0], a[2]*b[3]),
		sum(a[3]*b[3], -a[0]*b[0], -a[1]*b[1], -a[2]*b[2]),
	}
}

// sum adds products that have been rounded: fused, they would differ from one machine to the next.
//
//go:noinline
func sum(a, b, c, d float64) float64 { return a + b + c + d }

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

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		sum(a[1]*b[2], -a[2]*b[1], 0, 0), sum(a[2]*b[0], -a[0]*b[2], 0, 0), sum(a[0]*b[1], -a[1]*b[0], 0, 0),
	}
}

// then is the transform of a child of t.
func (t transform) then(child transform) transform {
	return transform{t.direction(child.x), t.direction(child.y), t.direction(child.z), t.point(child.at)}
}

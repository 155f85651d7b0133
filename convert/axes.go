package convert

import "math"

// axes takes positions from the map's units and axes (Z up) to metres with Y up. It is applied once, here.
type axes struct{ unit float64 }

func (a axes) point(p [3]float32) [3]float32 {
	u := float32(a.unit)
	return [3]float32{p[0] * u, p[2] * u, -p[1] * u}
}

func (a axes) point64(p [3]float32) [3]float64 {
	q := a.point(p)
	return [3]float64{float64(q[0]), float64(q[1]), float64(q[2])}
}

// turn takes a direction to Y up.
func turn(v [3]float32) [3]float32 { return [3]float32{v[0], v[2], -v[1]} }

// quaternion of pitch, yaw and roll in degrees, as the engines turn things: roll about X, then pitch about Y, then
// yaw about Z, with Y up afterwards.
func quaternion(angles [3]float32) [4]float64 {
	half := func(deg float32) (sin, cos float64) { return math.Sincos(float64(deg) * math.Pi / 360) }
	sp, cp := half(angles[0])
	sy, cy := half(angles[1])
	sr, cr := half(angles[2])
	q := multiply(multiply([4]float64{0, 0, sy, cy}, [4]float64{0, sp, 0, cp}), [4]float64{sr, 0, 0, cr})
	return [4]float64{q[0], q[2], -q[1], q[3]}
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

func multiply(a, b [4]float64) [4]float64 {
	return [4]float64{
		a[3]*b[0] + a[0]*b[3] + a[1]*b[2] - a[2]*b[1],
		a[3]*b[1] - a[0]*b[2] + a[1]*b[3] + a[2]*b[0],
		a[3]*b[2] + a[0]*b[1] - a[1]*b[0] + a[2]*b[3],
		a[3]*b[3] - a[0]*b[0] - a[1]*b[1] - a[2]*b[2],
	}
}

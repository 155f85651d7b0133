package assemble

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

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

// quaternion of pitch, yaw and roll in degrees, as the engines turn things: roll about X, then pitch about Y, then
// yaw about Z, with Y up afterwards.
func quaternion(angles [3]float32) [4]float64 {
	half := func(deg float32) (sin, cos float64) {
		return math.Sincos(math.Mod(float64(deg), 720) * math.Pi / 360)
	}
	sp, cp := half(angles[0])
	sy, cy := half(angles[1])
	sr, cr := half(angles[2])
	q := space.Multiply(space.Multiply([4]float64{0, 0, sy, cy}, [4]float64{0, sp, 0, cp}), [4]float64{sr, 0, 0, cr})
	return [4]float64{q[0], q[2], 0 - q[1], q[3]}
}

// lookAlong is the rotation that takes -Z, along which cameras and lights look, to a direction in the scene's axes.
func lookAlong(dir [3]float64) [4]float64 {
	yaw := math.Atan2(-dir[0], -dir[2])
	pitch := math.Atan2(dir[1], math.Hypot(dir[0], dir[2]))
	sy, cy := math.Sincos(yaw / 2)
	sp, cp := math.Sincos(pitch / 2)
	return space.Multiply([4]float64{0, sy, 0, cy}, [4]float64{sp, 0, 0, cp})
}

// forward is the rotation that takes -Z to the map's +X, along which an unturned entity looks.
var forward = [4]float64{0, -math.Sqrt2 / 2, 0, math.Sqrt2 / 2}

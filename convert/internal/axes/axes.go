// Package axes takes positions and rotations from a map to its scene: from the map's units with Z up to metres with Y up. A step of
// the assembly applies it once to each number.
package axes

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// Axes converts positions.
type Axes struct{ Unit float64 } // metres per map unit

// Point converts a vertex's position.
func (a Axes) Point(p [3]float32) [3]float32 {
	u := float32(a.Unit)
	return [3]float32{p[0] * u, p[2] * u, 0 - float32(p[1]*u)}
}

// Point64 converts any other position, whose coordinates it bounds.
func (a Axes) Point64(p [3]float64) [3]float64 {
	for k := range p {
		p[k] = Bounded(p[k] * a.Unit)
	}
	return Turn(p)
}

// farthest is the greatest coordinate of a node in metres: JSON has no infinity.
const farthest = 1e30

// Bounded returns a number limited to JSON's range; not-a-number becomes 0.
func Bounded(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, -farthest), farthest)
}

// Turn converts a direction. Subtracting from 0 makes no -0.
func Turn[T float32 | float64 | int8](v [3]T) [3]T { return [3]T{v[0], v[2], 0 - v[1]} }

// Quaternion converts pitch, yaw and roll in degrees, which the engines apply in the order roll about X, pitch about Y, yaw about Z.
func Quaternion(angles [3]float32) [4]float64 {
	half := func(deg float32) (sin, cos float64) {
		return math.Sincos(math.Mod(float64(deg), 720) * math.Pi / 360)
	}
	sp, cp := half(angles[0])
	sy, cy := half(angles[1])
	sr, cr := half(angles[2])
	q := space.Multiply(space.Multiply([4]float64{0, 0, sy, cy}, [4]float64{0, sp, 0, cp}), [4]float64{sr, 0, 0, cr})
	return [4]float64{q[0], q[2], 0 - q[1], q[3]}
}

// LookAlong returns the rotation that takes -Z, along which cameras and lights look, to a direction in the scene's axes.
func LookAlong(dir [3]float64) [4]float64 {
	yaw := math.Atan2(-dir[0], -dir[2])
	pitch := math.Atan2(dir[1], math.Hypot(dir[0], dir[2]))
	sy, cy := math.Sincos(yaw / 2)
	sp, cp := math.Sincos(pitch / 2)
	return space.Multiply([4]float64{0, sy, 0, cy}, [4]float64{sp, 0, 0, cp})
}

// Forward is the rotation that takes -Z to the map's +X, along which an entity without angles looks.
var Forward = [4]float64{0, -math.Sqrt2 / 2, 0, math.Sqrt2 / 2}

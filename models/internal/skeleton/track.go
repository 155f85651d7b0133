package skeleton

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/keyframes"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Keys are left out where interpolation between the others is this close to the frames.
const (
	nearPosition = 0.05 // map units
	nearTurn     = 0.1  // degrees
)

// maxKeyDistance is the most frames between two keys. It bounds the time to find them.
const maxKeyDistance = 64

// Track returns the track of a bone, given its transform in each of at least one frame. Relative to its parent, its
// error is at most part times the tolerance; if part is 0, only the keys of a bone that never moves are left out. It
// changes the signs of quaternions in frames.
func Track(frames []world.Joint, part float64) (t world.Track) {
	exact := part == 0
	for i := 1; i < len(frames); i++ {
		if space.DotQuaternion(frames[i-1].Rotation, frames[i].Rotation) < 0 {
			for k := range frames[i].Rotation {
				frames[i].Rotation[k] = -frames[i].Rotation[k]
			}
		}
	}
	moved, turned := nearPosition*part, math.Cos(nearTurn*part*math.Pi/360)
	t.PositionFrames = keys(len(frames), exact, func(a, i, b int) bool {
		at := frames[a].Position
		if a != b {
			at = space.Lerp(frames[a].Position, frames[b].Position, float64(i-a)/float64(b-a))
		}
		return space.Distance(at, frames[i].Position) <= moved
	})
	t.RotationFrames = keys(len(frames), exact, func(a, i, b int) bool {
		if exact {
			return frames[a].Rotation == frames[i].Rotation
		}
		q := frames[a].Rotation
		if a != b {
			q = space.Slerp(frames[a].Rotation, frames[b].Rotation, float64(i-a)/float64(b-a))
		}
		return math.Abs(space.DotQuaternion(q, frames[i].Rotation)) >= turned
	})
	for _, i := range t.PositionFrames {
		p := frames[i].Position
		t.Positions = append(t.Positions, space.Vector32(p))
	}
	for _, i := range t.RotationFrames {
		q := frames[i].Rotation
		t.Rotations = append(t.Rotations, space.Quaternion32(q))
	}
	return t
}

// keys returns the frames that become keys. near reports whether frame i is close enough to the interpolation between
// frames a and b. If all frames are near the first one, that is the only key.
func keys(n int, all bool, near func(a, i, b int) bool) []int {
	still := true
	for i := 1; i < n && still; i++ {
		still = near(0, i, 0)
	}
	if still {
		return []int{0}
	}
	return keyframes.Reduce(n, func(a, b int) bool { return !all && b-a <= maxKeyDistance && fits(a, b, near) })
}

// fits reports whether all frames between a and b are near.
func fits(a, b int, near func(a, i, b int) bool) bool {
	for i := a + 1; i < b; i++ {
		if !near(a, i, b) {
			return false
		}
	}
	return true
}

// JointOf returns the transform of a matrix that only rotates and translates.
func JointOf(m *space.Matrix) world.Joint {
	return world.Joint{Position: [3]float64{m[0][3], m[1][3], m[2][3]}, Rotation: m.Rotation()}
}

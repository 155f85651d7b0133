package skeleton

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Keys are left out where the positions and rotations between the others differ from the frames by at most this.
const (
	nearPosition = 0.05 // map units
	nearTurn     = 0.1  // degrees
)

// maxKeyDistance is the most frames between two keys; it bounds the time for finding them.
const maxKeyDistance = 64

// Track returns the movement of a bone with a place for each of at least one frame. If it is exact, only the keys of a bone that stays
// are left out. It changes the signs of quaternions.
func Track(frames []world.Joint, exact bool) (t world.Track) {
	for i := 1; i < len(frames); i++ {
		if dot(frames[i-1].Rotation, frames[i].Rotation) < 0 {
			for k := range frames[i].Rotation {
				frames[i].Rotation[k] = -frames[i].Rotation[k]
			}
		}
	}
	moved, turned := nearPosition, math.Cos(nearTurn*math.Pi/360)
	if exact {
		moved, turned = 0, 1
	}
	t.PositionFrames = keys(len(frames), exact, func(a, i, b int) bool {
		at := frames[a].Position
		if a != b {
			at = Lerp(frames[a].Position, frames[b].Position, float64(i-a)/float64(b-a))
		}
		return distance(at, frames[i].Position) <= moved
	})
	t.RotationFrames = keys(len(frames), exact, func(a, i, b int) bool {
		if exact {
			return frames[a].Rotation == frames[i].Rotation
		}
		q := frames[a].Rotation
		if a != b {
			q = Slerp(frames[a].Rotation, frames[b].Rotation, float64(i-a)/float64(b-a))
		}
		return math.Abs(dot(q, frames[i].Rotation)) >= turned
	})
	for _, i := range t.PositionFrames {
		p := frames[i].Position
		t.Positions = append(t.Positions, [3]float32{float32(p[0]), float32(p[1]), float32(p[2])})
	}
	for _, i := range t.RotationFrames {
		q := frames[i].Rotation
		t.Rotations = append(t.Rotations, [4]float32{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])})
	}
	return t
}

// keys returns the frames that are keys, given whether frame i is near enough to what is between frames a and b. It is the first frame
// alone if all are near that.
func keys(n int, all bool, near func(a, i, b int) bool) []int {
	still := true
	for i := 1; i < n && still; i++ {
		still = near(0, i, 0)
	}
	if still {
		return []int{0}
	}
	out := []int{0}
	for a := 0; a < n-1; {
		b := a + 1
		for !all && b < n-1 && b-a < maxKeyDistance && fits(a, b+1, near) {
			b++
		}
		out = append(out, b)
		a = b
	}
	return out
}

// fits reports whether all frames between two are near enough.
func fits(a, b int, near func(a, i, b int) bool) bool {
	for i := a + 1; i < b; i++ {
		if !near(a, i, b) {
			return false
		}
	}
	return true
}

// Lerp returns the point at a share of the way from one point to another.
func Lerp(p, q [3]float64, share float64) [3]float64 {
	for k := range p {
		p[k] += float64((q[k] - p[k]) * share)
	}
	return p
}

// Slerp returns the unit quaternion at a share of the shortest turn from one to another.
func Slerp(p, q [4]float64, share float64) [4]float64 {
	cos := dot(p, q)
	sign := math.Copysign(1, cos)
	cos = min(math.Abs(cos), 1)
	from, to := 1-share, share
	if angle := math.Acos(cos); angle > 1e-4 {
		from, to = math.Sin(float64(from*angle))/math.Sin(angle), math.Sin(float64(to*angle))/math.Sin(angle)
	}
	var out [4]float64
	for k := range out {
		out[k] = float64(p[k]*from) + float64(q[k]*float64(to*sign))
	}
	return UnitQuaternion(out)
}

// Joint returns the place that a matrix of a rotation and a translation stands for.
func (m *Matrix) Joint() world.Joint {
	// The greatest component is computed from the diagonal, the others from it.
	trace := m[0][0] + m[1][1] + m[2][2]
	q := [4]float64{1 + 2*m[0][0] - trace, 1 + 2*m[1][1] - trace, 1 + 2*m[2][2] - trace, 1 + trace} // four times the squares
	most := 0
	for k := range q {
		if q[k] > q[most] {
			most = k
		}
	}
	x, y, z := m[2][1]-m[1][2], m[0][2]-m[2][0], m[1][0]-m[0][1]
	xy, yz, zx := m[1][0]+m[0][1], m[2][1]+m[1][2], m[0][2]+m[2][0]
	rows := [4][4]float64{{q[0], xy, zx, x}, {xy, q[1], yz, y}, {zx, yz, q[2], z}, {x, y, z, q[3]}}
	return world.Joint{Position: [3]float64{m[0][3], m[1][3], m[2][3]}, Rotation: UnitQuaternion(rows[most])}
}

// UnitQuaternion returns a quaternion scaled to length 1; what has no length does not turn.
func UnitQuaternion(q [4]float64) [4]float64 {
	l := math.Sqrt(dot(q, q))
	if !(l > 1e-6 && l < 1e6) {
		return [4]float64{0, 0, 0, 1}
	}
	for k := range q {
		q[k] /= l
	}
	return q
}

func dot(p, q [4]float64) (sum float64) {
	for k := range p {
		sum += float64(p[k] * q[k])
	}
	return sum
}

func distance(p, q [3]float64) float64 {
	x, y, z := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
}

package joints

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Toward moves the bones of a frame toward those of another frame, by share. Source SDK 2013, public/bone_setup.cpp,
// SlerpBones.
func Toward(frame, other []world.Joint, share []float64) {
	for i := range frame {
		p, q := &frame[i], &other[i]
		switch share[i] {
		case 0:
		case 1:
			*p = *q
		default:
			p.Rotation = space.Slerp(space.UnitQuaternion(p.Rotation), space.UnitQuaternion(q.Rotation), share[i])
			p.Position = space.Lerp(p.Position, q.Position, share[i])
		}
	}
}

// Add adds the bones of a delta frame to those of a frame, by share. With inner, rotations are about the bones' own
// axes, otherwise about their parents'.
func Add(frame, other []world.Joint, share []float64, inner bool) {
	for i := range frame {
		if share[i] == 0 {
			continue
		}
		p, q := &frame[i], &other[i]
		p.Rotation = space.UnitQuaternion(p.Rotation)
		if by := scaled(q.Rotation, share[i]); inner {
			p.Rotation = space.UnitQuaternion(space.Multiply(p.Rotation, by))
		} else {
			p.Rotation = space.UnitQuaternion(space.Multiply(by, p.Rotation))
		}
		for k := range p.Position {
			p.Position[k] += float64(q.Position[k] * share[i])
		}
	}
}

// TowardInModel is Toward with rotations mixed in the model's axes rather than the parents'. Source SDK 2013,
// public/bone_setup.cpp, WorldSpaceSlerp. For a parent without a share the engine uses an uninitialised rotation;
// this uses the frame's.
func TowardInModel(parents []int, frame, other []world.Joint, share []float64) {
	was, toward, now := make([][4]float64, len(frame)), make([][4]float64, len(frame)), make([][4]float64, len(frame))
	for i := range frame {
		p, q := &frame[i], &other[i]
		above, of, parent := 0.0, [4]float64{0, 0, 0, 1}, parents[i]
		was[i], toward[i] = space.UnitQuaternion(p.Rotation), space.UnitQuaternion(q.Rotation)
		if parent >= 0 {
			above, of = share[parent], now[parent]
			was[i], toward[i] = space.Multiply(was[parent], was[i]), space.Multiply(toward[parent], toward[i])
		}
		switch {
		case above == 1 && share[i] == 1:
			*p = *q
		case share[i] > 0:
			back := [4]float64{-of[0], -of[1], -of[2], of[3]}
			p.Rotation = space.UnitQuaternion(space.Multiply(back, space.Slerp(was[i], toward[i], share[i])))
			if parent >= 0 {
				p.Position = space.Lerp(p.Position, q.Position, share[i])
			}
		}
		now[i] = space.UnitQuaternion(space.Multiply(of, space.UnitQuaternion(p.Rotation)))
	}
}

// scaled returns a fraction of a rotation. A rotation by more than half a turn keeps its direction. Source SDK 2013,
// mathlib/mathlib_base.cpp, QuaternionScale.
func scaled(q [4]float64, share float64) [4]float64 {
	q = space.UnitQuaternion(q)
	length := min(math.Sqrt(float64(q[0]*q[0])+float64(q[1]*q[1])+float64(q[2]*q[2])), 1)
	if length == 0 {
		return q
	}
	to := math.Sin(math.Asin(length) * share)
	w := math.Copysign(math.Sqrt(max(0, 1-float64(to*to))), q[3])
	return [4]float64{q[0] * to / length, q[1] * to / length, q[2] * to / length, w}
}

package joints

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ProceduralBone is a bone that the engine places by other bones in each frame, regardless of animations: a twisted
// forearm, an elbow pad. Source SDK 2013, public/bone_setup.cpp, CalcProceduralBone.
type ProceduralBone struct {
	Bone int
	Rule Rule
}

// Rule is ByAxis, ByTurn or Aim.
type Rule interface {
	follow(f *placedBones) world.Joint
}

// placedBones is what rules use: the bones' transforms relative to their parents and, for those before the procedural
// bone, their world matrices.
type placedBones struct {
	parents []int
	local   []world.Joint
	global  []space.Matrix
}

// PlaceProcedural places procedural bones, which are listed in the order of their bones, in a frame.
func PlaceProcedural(next []ProceduralBone, parents []int, frame []world.Joint) {
	if len(next) == 0 {
		return
	}
	f := &placedBones{parents: parents, local: frame, global: make([]space.Matrix, 0, len(frame))}
	for i := range frame {
		if len(next) > 0 && next[0].Bone == i {
			frame[i] = next[0].Rule.follow(f)
			next = next[1:]
		}
		f.global = append(f.global, place(&frame[i]))
		if parent := parents[i]; parent >= 0 {
			f.global[i] = f.global[parent].Times(&f.global[i])
		}
	}
}

// ByAxis interpolates between six transforms, by the direction of an axis (0 to 2) of another bone: X, -X, Y, -Y, Z,
// -Z.
type ByAxis struct {
	Control, Axis int
	At            [6]world.Joint
}

func (r *ByAxis) follow(f *placedBones) world.Joint {
	m := space.NewMatrix([3]float64{}, f.local[r.Control].Rotation)
	var to [3]*world.Joint
	var by [3]float64
	for k := range to {
		v := m[k][r.Axis]
		to[k], by[k] = &r.At[2*k], v
		if v < 0 {
			to[k], by[k] = &r.At[2*k+1], -v
		}
	}
	out := *to[2]
	if by[0]+by[1] > 0 {
		sum := by[0] + by[1] + by[2]
		first := space.Slerp(space.UnitQuaternion(to[1].Rotation), space.UnitQuaternion(to[0].Rotation), by[0]/(by[0]+by[1]))
		out.Rotation = space.Slerp(first, space.UnitQuaternion(to[2].Rotation), by[2]/sum)
		for k := range out.Position {
			out.Position[k] = 0
			for n := range to {
				out.Position[k] += float64(to[n].Position[k] * by[n] / sum)
			}
		}
	}
	return out
}

// ByTurn interpolates between transforms by the rotation of another bone. It has at least one trigger.
type ByTurn struct {
	Control  int
	Triggers []Trigger
}

// Trigger is a transform that counts near a rotation of the other bone.
type Trigger struct {
	Nearness float64    // 1 / the angle in radians at which it ceases to count
	When     [4]float64 // a unit quaternion
	At       world.Joint
}

// follow returns the weighted mean of the transforms of triggers that are near, or the first trigger's. It normalises
// the mixed rotation, as the engine's debug build does; the release build doesn't.
func (r *ByTurn) follow(f *placedBones) world.Joint {
	at := space.UnitQuaternion(f.local[r.Control].Rotation)
	weights, sum := make([]float64, len(r.Triggers)), 0.0
	for i := range r.Triggers {
		t := &r.Triggers[i]
		angle := 2 * math.Acos(min(1, math.Abs(space.DotQuaternion(t.When, at))))
		weights[i] = max(0, 1-float64(angle*t.Nearness))
		sum += weights[i]
	}
	if !(sum > 1e-3) {
		return r.Triggers[0].At
	}
	var out world.Joint
	for i := range r.Triggers {
		if weights[i] == 0 {
			continue
		}
		p, share := &r.Triggers[i].At, weights[i]/sum
		sign := math.Copysign(1, space.DotQuaternion(p.Rotation, out.Rotation))
		for k := range out.Rotation {
			out.Rotation[k] = float64(sign*out.Rotation[k]) + float64(share*p.Rotation[k])
		}
		for k := range out.Position {
			out.Position[k] += float64(share * p.Position[k])
		}
	}
	out.Rotation = space.UnitQuaternion(out.Rotation)
	return out
}

package joints

import (
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Hang moves a bone of a frame toward a transform relative to another bone (-1: the model), by a weight from 0 to 1.
// Below 1, the engine weighs the position inversely to the rotation: Source SDK 2013, public/bone_setup.cpp,
// CalcLocalHierarchyAnimation.
func Hang(parents []int, frame []world.Joint, bone, other int, at world.Joint, weight float64) {
	to := place(&at)
	if other >= 0 {
		parent := inModel(parents, frame, other)
		to = parent.Times(&to)
	}
	if parent := parents[bone]; parent >= 0 {
		above := inModel(parents, frame, parent)
		above = above.Inverse()
		to = above.Times(&to)
	}
	j, p := skeleton.JointOf(&to), &frame[bone]
	if weight == 1 {
		*p = j
		return
	}
	p.Rotation = space.Slerp(space.UnitQuaternion(p.Rotation), j.Rotation, weight)
	p.Position = space.Lerp(j.Position, p.Position, weight)
}

// Hanging returns the weight of a local hierarchy at a fraction of an animation's time. A ramp that ends after the
// animation continues at its start.
func (r *Ramp) Hanging(time float64) float64 {
	if !(r.Tail-r.Peak < 1) {
		return 1
	}
	if r.End > 1 && time < r.Start {
		time++
	}
	if !(time >= r.Start && time < r.End) {
		return 0
	}
	return Clamp(Smooth(r.At(time)))
}

// inModel returns the matrix from a bone's axes to the model's.
func inModel(parents []int, frame []world.Joint, bone int) space.Matrix {
	out := place(&frame[bone])
	for i := parents[bone]; i >= 0; i = parents[i] {
		above := place(&frame[i])
		out = above.Times(&out)
	}
	return out
}

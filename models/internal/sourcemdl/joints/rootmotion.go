package joints

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// RootMovement is a part of an animation's root motion: up to a frame the model moves along a vector and turns about
// Z. The bones lack this motion, because the game moves the entity by it.
type RootMovement struct {
	End         int
	First, Last float64 // distance along Vector if the whole part had the speed of its beginning, of its end
	Vector      [3]float64
	Position    [3]float64 // at the end of the part, relative to the start of the animation
	Angle       float64    // likewise, in degrees
}

// RootMotion is the root motion of an animation. At must be called with ascending frames.
type RootMotion struct {
	Movements []RootMovement
	next      int // the first that has not ended
}

// At returns the model's position at a frame, relative to the start of the animation, and its rotation in degrees.
// Source SDK 2013, public/bone_setup.cpp, Studio_AnimPosition.
func (j *RootMotion) At(frame float64) (at [3]float64, angle float64) {
	for j.next < len(j.Movements) && float64(j.Movements[j.next].End) < frame {
		j.next++
	}
	begin := 0.0
	if j.next > 0 {
		last := &j.Movements[j.next-1]
		begin, at, angle = float64(last.End), last.Position, last.Angle
	}
	if j.next == len(j.Movements) {
		return at, angle
	}
	m := &j.Movements[j.next]
	share := 0.0
	if length := float64(m.End) - begin; length > 0 {
		share = (frame - begin) / length
	}
	by := float64(m.First*share) + float64(0.5*(m.Last-m.First)*share*share)
	for k := range at {
		at[k] += float64(by * m.Vector[k])
	}
	return at, float64(angle*(1-share)) + float64(m.Angle*share)
}

// ApplyRootMotion moves a frame's root bones, and so the whole model, to a position, and rotates them by degrees
// about Z.
func ApplyRootMotion(parents []int, frame []world.Joint, at [3]float64, angle float64) {
	s, c := math.Sincos(angle * math.Pi / 360)
	to := space.NewMatrix(at, [4]float64{0, 0, s, c})
	for i := range frame {
		if parents[i] < 0 {
			m := place(&frame[i])
			m = to.Times(&m)
			frame[i] = skeleton.JointOf(&m)
		}
	}
}

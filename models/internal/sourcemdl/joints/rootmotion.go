package joints

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// RootMovement is a part of an animation, up to a frame, in which the whole model moves along a vector and turns about Z. Its animation
// lacks
// that, because the game moves the entity by it.
type RootMovement struct {
	End         int
	First, Last float64 // units along the vector in the whole part, at the speed of its begin and of its end
	Vector      [3]float64
	Position    [3]float64 // at the end, from where the animation starts
	Angle       float64    // likewise, in degrees
}

// RootMotion is the movements of an animation. It is asked for frames in ascending order.
type RootMotion struct {
	Movements []RootMovement
	next      int // the first that has not ended
}

// At returns where the model is at a frame, from where the animation starts, and by how many degrees it has turned. Source SDK 2013,
// public/bone_setup.cpp, Studio_AnimPosition.
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

// ApplyRootMotion moves the bones without parents, and so all, to a place, turned by degrees about Z.
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

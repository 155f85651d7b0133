// Package joints computes the bones of Source's models: mixtures of frames, frames added to others, bones attached to
// others than their parents, and procedural bones. It works on values and reads no files.
//
// A frame has a joint for each bone, relative to the bone's parent. parents lists, by bone, the parent, which comes
// before the bone, or -1.
package joints

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Still returns a frame that changes nothing when it is added.
func Still(bones int) []world.Joint {
	out := make([]world.Joint, bones)
	for i := range out {
		out[i].Rotation[3] = 1
	}
	return out
}

// Mix moves the bones of a frame toward those of another one by a share. Rotations take the short way.
func Mix(frame, other []world.Joint, share float64) {
	for i := range frame {
		p, q := &frame[i], &other[i]
		sign := math.Copysign(1, space.DotQuaternion(p.Rotation, q.Rotation))
		length := 0.0
		for k := range p.Rotation {
			p.Rotation[k] = float64(p.Rotation[k]*(1-share)) + float64(sign*float64(q.Rotation[k]*share))
			length += float64(p.Rotation[k] * p.Rotation[k])
		}
		for k := range p.Rotation {
			p.Rotation[k] /= math.Sqrt(length)
		}
		for k := range p.Position {
			p.Position[k] = float64(p.Position[k]*(1-share)) + float64(q.Position[k]*share)
		}
	}
}

// Clamp limits a share to 0 to 1; NaN is 0.
func Clamp(share float64) float64 {
	if !(share > 0) {
		return 0
	}
	return min(share, 1)
}

// Ramp is a weight over time: 0 before Start and from End on, 1 from Peak to Tail, linear between.
type Ramp struct{ Start, Peak, Tail, End float64 }

// At returns the weight at a time between Start and End.
func (r *Ramp) At(time float64) float64 {
	switch {
	case time < r.Peak && r.Start != r.Peak:
		return (time - r.Start) / (r.Peak - r.Start)
	case time > r.Tail && r.End != r.Tail:
		return (r.End - time) / (r.End - r.Tail)
	}
	return 1
}

// Smooth maps 0 to 1 onto 0 to 1 with slow ends.
func Smooth(share float64) float64 {
	return float64(3*share*share) - float64(2*share*share*share)
}

// place returns the matrix from a bone's axes to those that its joint is relative to.
func place(j *world.Joint) space.Matrix { return space.NewMatrix(j.Position, j.Rotation) }

package skeleton

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	maxPasses = 8    // to make the tracks of a sequence more exact
	leastPart = 0.01 // fraction of the tolerance that tracks of the last pass have
)

// reduce returns the tracks of bones, given their transforms by bone, then frame. A bone's error in the model is the
// sum of the errors of its ancestors, and their errors in rotation count times the distance. So all tracks are first
// made as if each bone stood alone; then those that lead to a bone with too large an error are made again, more
// exactly.
func (k *Baker) reduce(all []world.Joint, parents []int, frames int) []world.Track {
	out, parts := make([]world.Track, len(parents)), make([]float64, len(parents))
	for i := range out {
		if parts[i] = 1; k.EveryFrame {
			parts[i] = 0
		}
		out[i] = Track(all[i*frames:][:frames], parts[i])
	}
	if k.EveryFrame || frames == 1 {
		return out
	}
	for pass := range maxPasses {
		off := errors(all, out, parents, frames)
		again := false
		for i := len(parents) - 1; i >= 0; i-- { // children first: an ancestor gets the exactness that the strictest child needs
			if p := parents[i]; p >= 0 {
				off[p] = max(off[p], off[i])
			}
		}
		for i := range out {
			if off[i] <= 1 || parts[i] == leastPart {
				continue
			}
			parts[i] = max(parts[i]*min(max(0.8/off[i], 0.2), 0.8), leastPart)
			if pass == maxPasses-1 {
				parts[i] = leastPart
			}
			out[i], again = Track(all[i*frames:][:frames], parts[i]), true
		}
		if !again {
			break
		}
	}
	return out
}

// errors returns, by bone, the greatest error of its transform in the model, in multiples of the tolerance.
func errors(all []world.Joint, tracks []world.Track, parents []int, frames int) []float64 {
	out := make([]float64, len(parents))
	want, got := make([]world.Joint, len(parents)), make([]world.Joint, len(parents))
	cursors := make([][2]int, len(parents))
	for f := range frames {
		for i, p := range parents {
			want[i], got[i] = all[i*frames+f], between(&tracks[i], f, &cursors[i])
			if p >= 0 {
				want[i], got[i] = below(&want[p], &want[i]), below(&got[p], &got[i])
			}
			moved := space.Distance(want[i].Position, got[i].Position) / nearPosition
			// For a small angle a, the cosine of a/2 is 1 - a²/8.
			turned := math.Sqrt(8*max(1-math.Abs(space.DotQuaternion(want[i].Rotation, got[i].Rotation)), 0)) / (nearTurn * math.Pi / 180)
			out[i] = max(out[i], moved, turned)
		}
	}
	return out
}

// below returns the transform in the model of a bone with the transform j relative to its parent.
func below(parent, j *world.Joint) (out world.Joint) {
	q, v := parent.Rotation, j.Position
	axis := [3]float64{q[0], q[1], q[2]}
	t := space.Cross(axis, v)
	for k := range t {
		t[k] *= 2
	}
	u := space.Cross(axis, t)
	for k := range v {
		out.Position[k] = parent.Position[k] + v[k] + float64(q[3]*t[k]) + u[k]
	}
	out.Rotation = space.Multiply(q, j.Rotation)
	return out
}

// between returns the transform of a bone in a frame by its track. The cursor holds the keys before the frame; frames
// must ascend from call to call.
func between(t *world.Track, frame int, cursor *[2]int) (out world.Joint) {
	next := func(frames []int, at *int) (a, b int, part float64) {
		for *at+1 < len(frames) && frames[*at+1] <= frame {
			*at++
		}
		if a = *at; a+1 == len(frames) {
			return a, a, 0
		}
		return a, a + 1, float64(frame-frames[a]) / float64(frames[a+1]-frames[a])
	}
	a, b, part := next(t.PositionFrames, &cursor[0])
	if out.Position = space.Vector64(t.Positions[a]); part > 0 {
		out.Position = space.Lerp(out.Position, space.Vector64(t.Positions[b]), part)
	}
	a, b, part = next(t.RotationFrames, &cursor[1])
	if out.Rotation = space.Quaternion64(t.Rotations[a]); part > 0 {
		out.Rotation = space.Slerp(out.Rotation, space.Quaternion64(t.Rotations[b]), part)
	}
	return out
}

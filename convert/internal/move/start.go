package move

import (
	"context"
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	// longestRound is the seconds that the animation of the start may take so that all of its loops end together.
	longestRound = 60

	// mostKeys bounds the keys of a loop that is repeated.
	mostKeys = 1 << 14
)

// starting is an entity that moves when the map starts.
type starting struct {
	entity int
	once   []world.Key // before it loops; or nil
	loop   []world.Key // or nil
}

// atStart returns the channels of all entities that move by themselves when the map starts, and whether any of them loops. Loops are
// repeated for as long as the animation takes.
func atStart(ctx context.Context, in *Input) (out []scene.Channel, loops bool, err error) {
	list := in.starting()
	round := roundOf(list)
	for i := range list {
		channels, err := in.channels(ctx, list[i].entity, list[i].keys(round))
		if err != nil {
			return nil, false, err
		}
		out, loops = append(out, channels...), loops || list[i].loop != nil
	}
	return out, loops, nil
}

// starting returns the entities with a node that move when the map starts.
func (in *Input) starting() (list []starting) {
	for i := range in.World.Entities {
		e := &in.World.Entities[i]
		if e.Motion == nil || in.Placed.Entities[i] == scene.None || !e.Motion.Acts[0].Starts {
			continue
		}
		acts := e.Motion.Acts
		s := starting{entity: i}
		if acts[0].Loops {
			s.loop = acts[0].Keys
		} else if s.once = acts[0].Keys; len(acts) > 1 && acts[1].Loops { // a train that goes on in circles
			s.loop = acts[1].Keys
		}
		list = append(list, s)
	}
	return list
}

// roundOf returns the seconds after which all loops end together, in tenths; if that is too long, those of the longest movement.
func roundOf(list []starting) float64 {
	longest, round := 0.0, 1
	for _, s := range list {
		longest = max(longest, length(s.once)+length(s.loop))
		tenths := int(math.Round(10 * length(s.loop)))
		switch {
		case s.loop == nil, round > 10*longestRound:
		case tenths == 0, tenths > 10*longestRound, math.Abs(float64(tenths)/10-length(s.loop)) > 1e-3:
			round = 10*longestRound + 1
		default:
			round = leastMultiple(round, tenths)
		}
	}
	if together := float64(round) / 10; round <= 10*longestRound && together >= longest {
		return together
	}
	return longest
}

// leastMultiple returns the least common multiple of two numbers.
func leastMultiple(a, b int) int {
	x, y := a, b
	for y > 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// length returns the seconds that keys take.
func length(keys []world.Key) float64 {
	if len(keys) == 0 {
		return 0
	}
	return keys[len(keys)-1].Time
}

// keys returns the movement from the start to an end, with the loop as often as it fits.
func (s *starting) keys(end float64) []world.Key {
	out := append([]world.Key(nil), s.once...)
	if period := length(s.loop); period > 0 {
		for from := length(s.once); from < end-instant && len(out) < mostKeys; from += period {
			var turns [3]float32 // by which it is ahead of the loop's first key
			on := len(out) > 0 && same(out[len(out)-1].Place, s.loop[0].Place)
			for i, k := range s.loop {
				if i == 0 && on {
					for n, a := range out[len(out)-1].Place.Angles {
						turns[n] = a - k.Place.Angles[n]
					}
					continue
				}
				for n := range turns {
					k.Place.Angles[n] += turns[n]
				}
				k.Time += from
				k.Jump = k.Jump || i == 0 && len(out) > 0
				out = append(out, k)
			}
		}
	}
	for i := range out {
		if out[i].Time > end+instant {
			if out[i].Jump || out[i-1].Time > end-instant {
				return out[:i]
			}
			return append(out[:i], middle(&out[i-1], &out[i], end))
		}
	}
	return out
}

// same reports whether two places are one, but for whole turns.
func same(a, b world.Place) bool {
	for k := range a.Angles {
		d := math.Abs(math.Mod(float64(a.Angles[k]-b.Angles[k]), 360))
		if math.Abs(float64(a.Origin[k]-b.Origin[k])) > 1e-2 || min(d, 360-d) > 1e-2 {
			return false
		}
	}
	return true
}

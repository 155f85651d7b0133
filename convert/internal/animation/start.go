package animation

import (
	"context"
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/keyframes"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// startMover is an entity that moves when the map starts.
type startMover struct {
	entity int
	once   []world.Key // before it loops; or nil
	loop   []world.Key // or nil
}

// atStart returns the channels of all that moves by itself when the map starts, entities and models, and whether any of it loops. Loops
// are repeated for as long as the animation takes.
func atStart(ctx context.Context, in *Input) (out []scene.Channel, loops bool, err error) {
	list, plays := in.starting(), append(in.hovers(), in.Plays...)
	spans := make([]duration, 0, len(list)+len(plays))
	for i := range list {
		spans = append(spans, duration{length(list[i].once), length(list[i].loop)})
	}
	for _, p := range plays {
		if p.clip.once {
			spans = append(spans, duration{once: p.clip.seconds})
		} else {
			spans = append(spans, duration{loop: p.clip.seconds})
		}
	}
	var properties []propertyTrack
	if in.Pointers {
		properties = append(propertyTracks(in.Materials), in.flickers()...)
	}
	for i := range properties {
		spans = append(spans, duration{loop: properties[i].period})
	}
	round := roundOf(spans)
	for i := range list {
		channels, err := in.channels(ctx, list[i].entity, list[i].keys(round))
		if err != nil {
			return nil, false, err
		}
		out = append(out, channels...)
	}
	known := map[[2]*float32]scene.Channel{} // by times and values, which many share
	for i := range properties {
		p := &properties[i]
		key := [2]*float32{&p.times[0], &p.values[0]}
		c, ok := known[key]
		if !ok {
			c = p.channel(round)
			known[key] = c
		}
		if err := limit.From(ctx).Reserve(limit.Bytes[scene.Channel](1) + limit.Bytes[float32](len(c.Times)+len(c.Values))); err != nil {
			return nil, false, err
		}
		c.Pointer = p.pointer
		out = append(out, c)
	}
	for _, s := range spans {
		loops = loops || s.loop > 0
	}
	models, err := playing(ctx, plays, round)
	return append(out, models...), loops, err
}

// starting returns the entities with a node that move when the map starts.
func (in *Input) starting() (list []startMover) {
	if in.Motion != pipeline.MotionStart && in.Motion != pipeline.MotionAll {
		return nil
	}
	for i := range in.World.Entities {
		e := &in.World.Entities[i]
		if e.Motion == nil || in.Placed.Entities[i] == scene.None || !e.Motion.Movements[0].Starts {
			continue
		}
		acts := e.Motion.Movements
		s := startMover{entity: i}
		if acts[0].Loops {
			s.loop = acts[0].Keys
		} else if s.once = acts[0].Keys; len(acts) > 1 && acts[1].Loops { // a train that goes on in circles
			s.loop = acts[1].Keys
		}
		list = append(list, s)
	}
	return list
}

// duration is how many seconds something moves: once, then again and again.
type duration struct{ once, loop float64 }

// roundOf returns the seconds after which all loops end together, in tenths; if that is too long, those after which they nearly do.
func roundOf(list []duration) float64 {
	longest, loops := 0.0, make([]float64, len(list))
	for i, s := range list {
		longest, loops[i] = max(longest, s.once+s.loop), s.loop
	}
	if together, ok := keyframes.CommonPeriod(loops, longestRound); ok && together >= longest {
		return together
	}
	return nearlyTogether(list, longest)
}

// nearlyTogether returns the seconds, when the longest loop has ended, after which the loop that is furthest from its own end is nearest to
// it: the first within a frame, or the best up to longestSearch.
func nearlyTogether(list []duration, longest float64) float64 {
	var main duration
	for _, s := range list {
		if s.loop > main.loop {
			main = s
		}
	}
	best, least := longest, math.Inf(1)
	for turns := 1.0; main.loop > 0 && turns < 1<<12; turns++ {
		end := main.once + float64(turns*main.loop)
		if end > max(longest, longestSearch) && least < math.Inf(1) {
			break
		}
		worst := 0.0
		for _, s := range list {
			if s.loop > 0 {
				over := math.Mod(end-s.once, s.loop)
				worst = max(worst, min(over, s.loop-over))
			}
		}
		if end >= longest && worst < least {
			best, least = end, worst
		}
		if least < frame {
			break
		}
	}
	return best
}

// length returns the seconds that keys take.
func length(keys []world.Key) float64 {
	if len(keys) == 0 {
		return 0
	}
	return keys[len(keys)-1].Time
}

// keys returns the movement from the start to an end, with the loop as often as it fits.
func (s *startMover) keys(end float64) []world.Key {
	out := append([]world.Key(nil), s.once...)
	if period := length(s.loop); period > 0 {
		for from := range keyframes.Rounds(length(s.once), period, end-instant) {
			if len(out) >= maxKeys {
				break
			}
			var turns [3]float32 // by which it is ahead of the loop's first key
			on := len(out) > 0 && samePlaces(out[len(out)-1].Place, s.loop[0].Place)
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

// samePlaces reports whether two places are one, but for whole turns.
func samePlaces(a, b world.Place) bool {
	for k := range a.Angles {
		d := math.Abs(math.Mod(float64(a.Angles[k]-b.Angles[k]), 360))
		if math.Abs(float64(a.Origin[k]-b.Origin[k])) > 1e-2 || min(d, 360-d) > 1e-2 {
			return false
		}
	}
	return true
}

package animation

import (
	"context"
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
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
		if e.Motion == nil || in.Placed.Entities[i] == scene.None {
			continue
		}
		begins := e.Motion.Begins
		if begins == nil && e.Motion.Movements[0].Starts {
			begins = []world.Begin{{}}
		}
		if len(begins) > 0 {
			s := startMover{entity: i}
			for _, b := range begins {
				s.begin(e.Motion.Movements, b)
			}
			if e.Motion.Period > 0 {
				s.again(begins[0].After, e.Motion.Period)
			}
			list = append(list, s)
		}
	}
	return list
}

// begin adds a movement, and the loop that follows it: that of a train that goes on in circles, or of a fan that has got faster.
func (s *startMover) begin(movements []world.Movement, b world.Begin) {
	m := &movements[b.Movement]
	if b.After > 0 {
		if len(s.once) == 0 {
			s.once = append(s.once, world.Key{Place: m.Keys[0].Place})
		}
		s.once = append(s.once, world.Key{Time: b.After, Place: s.once[len(s.once)-1].Place})
	}
	if m.Loops {
		s.loop = m.Keys
		return
	}
	for i, k := range m.Keys {
		if i == 0 && len(s.once) > 0 {
			continue
		}
		k.Time += b.After
		s.once = append(s.once, k)
	}
	if next := b.Movement + 1; next < len(movements) && movements[next].Loops {
		s.loop = movements[next].Keys
	}
}

// again makes a loop of a period of all that has begun by then.
func (s *startMover) again(first, period float64) {
	last := s.once[len(s.once)-1]
	for _, k := range append(s.once, world.Key{Time: first + period, Place: last.Place}) {
		if k.Time >= first {
			k.Time -= first
			s.loop = append(s.loop, k)
		}
	}
	if s.once = nil; first > 0 {
		s.once = []world.Key{{Place: s.loop[0].Place}, {Time: first, Place: s.loop[0].Place}}
	}
}

// length returns the seconds that keys take.
func length(keys []world.Key) float64 {
	if len(keys) == 0 {
		return 0
	}
	return keys[len(keys)-1].Time
}

// keys returns the movement from the start to an end, with the loop as often as it fits, a little faster or slower if it has to be.
func (s *startMover) keys(end float64) []world.Key {
	out := append([]world.Key(nil), s.once...)
	if period := length(s.loop); period > 0 {
		once := length(s.once)
		times, stretch := fit(once, period, end)
		for turn := 0; turn < times && len(out) < maxKeys; turn++ {
			from := once + float64(float64(turn)*period*stretch)
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
				k.Time = from + float64(k.Time*stretch)
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

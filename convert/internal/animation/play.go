package animation

import (
	"context"
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// clip is a sequence that models play when the map starts.
type clip struct {
	channels []scene.Channel // of nodes numbered from 0
	seconds  float64         // until it ends
	once     bool            // it stays at its end
}

// Played is a clip that a model plays, whose nodes follow a first one.
type Played struct {
	clip  *clip
	first int
}

// rateOf returns how many times as fast as its frames say a prop plays its sequence.
func rateOf(p *world.Prop) float64 {
	if p.Appearance.Rate > 0 {
		return p.Appearance.Rate
	}
	return 1
}

// slow divides the times of a clip's channels by a rate. Channels that share their times still do.
func (c *clip) slow(rate float64) {
	if rate == 1 {
		return
	}
	made := map[*float32][]float32{}
	for i := range c.channels {
		t := c.channels[i].Times
		if made[&t[0]] == nil {
			out := make([]float32, len(t))
			for k := range t {
				out[k] = float32(float64(t[k]) / rate)
			}
			made[&t[0]] = out
		}
		c.channels[i].Times = made[&t[0]]
	}
}

// moved returns channels of nodes that follow a first one. They share their keys with those given.
func moved(channels []scene.Channel, first int) []scene.Channel {
	out := append([]scene.Channel(nil), channels...)
	for i := range out {
		out[i].Node += first
	}
	return out
}

// playing returns the channels of all models that play until an end. Those that play one clip share their keys. It fails if a limit is
// exceeded or ctx ends.
func playing(ctx context.Context, list []Played, end float64) (out []scene.Channel, err error) {
	made := map[*clip][]scene.Channel{}
	for _, p := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, ok := made[p.clip]; !ok {
			made[p.clip] = p.clip.until(end)
			size := int64(0)
			for i := range made[p.clip] {
				size += 36 * int64(len(made[p.clip][i].Times)) // of each key its time, its place in the round and its value
			}
			if err := limit.From(ctx).Reserve(size); err != nil {
				return nil, err
			}
		}
		if err := limit.From(ctx).Reserve(jointSize * int64(len(made[p.clip]))); err != nil {
			return nil, err
		}
		out = append(out, moved(made[p.clip], p.first)...)
	}
	return out, nil
}

// until returns the channels of a clip, which is repeated until an end unless it plays once. Channels that share their times still do.
func (c *clip) until(end float64) (out []scene.Channel) {
	type key struct {
		times  *float32
		n      int
		closed bool
	}
	made := map[key]*repeatedKeys{}
	for i := range c.channels {
		ch := c.channels[i]
		if n := len(ch.Times); !c.once && n > 1 && c.seconds > instant {
			k := key{&ch.Times[0], n, closed(&ch)}
			if made[k] == nil {
				made[k] = c.stops(ch.Times, k.closed, end)
			}
			ch = made[k].of(&ch)
		}
		out = append(out, ch)
	}
	return out
}

// repeatedKeys are the keys of a channel that is repeated.
type repeatedKeys struct {
	times []float32
	keys  []int // of one round, by time
}

// stops returns the keys of a channel that has keys at times, repeated until an end. Where a round ends with its first key, it is not
// doubled.
func (c *clip) stops(times []float32, closed bool, end float64) *repeatedKeys {
	out, last := &repeatedKeys{}, 0.0
	rounds, stretch := fit(0, c.seconds, end)
	for round := 0; round < rounds && len(out.times) < maxKeys; round++ {
		from := float64(float64(round)*c.seconds) * stretch
		for k, x := range times {
			at := from + float64(float64(x)*stretch)
			switch {
			case k == 0 && round > 0 && closed:
				continue
			case k == 0 && round > 0:
				at = max(at, last+instant)
			}
			last = at
			out.times, out.keys = append(out.times, float32(at)), append(out.keys, k)
		}
	}
	return out
}

// of returns a channel at these keys.
func (s *repeatedKeys) of(ch *scene.Channel) scene.Channel {
	out := scene.Channel{Node: ch.Node, Times: s.times}
	for _, k := range s.keys {
		switch {
		case ch.Targets != nil:
			out.Targets = append(out.Targets, ch.Targets[k])
		case ch.Rotations != nil:
			out.Rotations = append(out.Rotations, ch.Rotations[k])
		default:
			out.Translations = append(out.Translations, ch.Translations[k])
		}
	}
	return out
}

// closed reports whether a channel ends where it begins.
func closed(ch *scene.Channel) bool {
	const near = 1e-4
	last := len(ch.Times) - 1
	switch {
	case ch.Targets != nil:
		return ch.Targets[0] == ch.Targets[last]
	case ch.Rotations != nil:
		return math.Abs(space.DotQuaternion(space.Quaternion64(ch.Rotations[0]), space.Quaternion64(ch.Rotations[last]))) > 1-near*near
	}
	for x, to := range ch.Translations[last] {
		if math.Abs(float64(to)-float64(ch.Translations[0][x])) > near {
			return false
		}
	}
	return true
}

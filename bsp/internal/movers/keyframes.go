package movers

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// keyframes collects the keys of a movement.
type keyframes struct {
	now  float64
	keys []world.Key
	tick float64 // seconds of the server's frames, at which it notices that a movement has ended; 0 if at once
}

// newKeyframes returns keyframes that start at a pose.
func newKeyframes(at pose) *keyframes { return &keyframes{keys: []world.Key{{Place: at.place()}}} }

// in sets the length of the server's frames, in seconds.
func (t *keyframes) in(tick float64) *keyframes {
	t.tick = tick
	return t
}

// move moves to a pose in a number of seconds, at a constant speed.
func (t *keyframes) move(to pose, seconds float64) {
	t.now += max(seconds, 0)
	t.keys = append(t.keys, world.Key{Time: t.now, Place: to.place()})
}

// pause waits for a number of seconds.
func (t *keyframes) pause(seconds float64) {
	if seconds <= 0 {
		return
	}
	t.stay(seconds)
}

// settle waits until the server's next frame, which notices that the last movement has ended.
func (t *keyframes) settle() { t.stay(0) }

// stay waits for a number of seconds, rounded up to a frame of the server.
func (t *keyframes) stay(seconds float64) {
	until := t.now + seconds
	if t.tick > 0 {
		until = t.frame(t.frame(t.now) + seconds)
	}
	if until > t.now {
		t.now = until
		t.keys = append(t.keys, world.Key{Time: until, Place: t.keys[len(t.keys)-1].Place})
	}
}

// wholeMilliseconds rounds a time down to milliseconds.
func wholeMilliseconds(seconds float64) float64 { return math.Floor(seconds*1000+1e-6) / 1000 }

// frame returns the time of the server's first frame at or after a time.
func (t *keyframes) frame(time float64) float64 { return float64(math.Ceil(time/t.tick-1e-6) * t.tick) }

// jump goes to a pose at once.
func (t *keyframes) jump(to pose) {
	t.keys = append(t.keys, world.Key{Time: t.now, Place: to.place(), Jump: true})
}

// cycle returns the keyframes as a movement there and back. wait is how long it stays at the far end, in seconds.
func (t *keyframes) cycle(wait float64) world.Movement {
	return world.Movement{Name: "cycle", Wait: wait, Keys: t.keys}
}

// movement returns the keyframes as a movement that the game triggers.
func (t *keyframes) movement(name string) world.Movement {
	return world.Movement{Name: name, Keys: t.keys}
}

// paced moves from one pose to another by paces, in whole milliseconds where the game counts them.
func (t *keyframes) paced(from, to pose, list []pace) {
	begin := t.now
	for _, p := range list {
		at := from
		for k := range at.at {
			at.at[k] += float64((to.at[k] - from.at[k]) * p.part)
			at.angles[k] += float64((to.angles[k] - from.angles[k]) * p.part)
		}
		t.move(at, begin+p.seconds-t.now)
	}
	if n := len(t.keys); t.tick > 0 && n > 1 {
		t.now = max(wholeMilliseconds(t.now), t.keys[n-2].Time)
		t.keys[n-1].Time = t.now
	}
}

// last returns the position of the last key, with zero angles.
func (t *keyframes) last() (p pose) {
	at := t.keys[len(t.keys)-1].Place.Origin
	for k := range at {
		p.at[k] = float64(at[k])
	}
	return p
}

// loops returns the keyframes as a movement that loops from a key on, preceded by one that leads there if the key is
// not the first.
func (t *keyframes) loops(key int) (movements []world.Movement) {
	if key > 0 {
		movements = append(movements, world.Movement{Name: "path", Keys: t.keys[: key+1 : key+1]})
	}
	cycle := world.Movement{Name: "cycle", Loops: true, Keys: make([]world.Key, 0, len(t.keys)-key)}
	if key == 0 {
		cycle.Name = "path"
	}
	start := t.keys[key].Time
	for _, k := range t.keys[key:] {
		k.Time -= start
		cycle.Keys = append(cycle.Keys, k)
	}
	return append(movements, cycle)
}

// reduceKeys leaves out keys where linear interpolation between the others stays within tolerance.
func reduceKeys(keys []world.Key) []world.Key {
	out := keys[:1:1]
	for i := 0; i < len(keys)-1; {
		end, near := i+1, newCone(&keys[i])
		for end+1 < len(keys) && end-i < 256 && !keys[end+1].Jump && !keys[end].Jump {
			near.narrow(&keys[end])
			if !near.has(&keys[end+1]) {
				break
			}
			end++
		}
		out = append(out, keys[end])
		i = end
	}
	return out
}

// cone is the set of linear movements from a key that stay within tolerance of all keys after it so far: the least
// and greatest rate of each number, per second.
type cone struct {
	from        *world.Key
	least, most [6]float64
}

func newCone(from *world.Key) cone {
	c := cone{from: from}
	for n := range c.least {
		c.least[n], c.most[n] = math.Inf(-1), math.Inf(1)
	}
	return c
}

// narrow removes the movements that are not within tolerance of a key.
func (c *cone) narrow(k *world.Key) {
	seconds := k.Time - c.from.Time
	if seconds <= 0 {
		return
	}
	for n, d := range c.way(k) {
		near := nearEnough / 2
		if n >= 3 {
			near = nearEnoughTurns / 2
		}
		c.least[n], c.most[n] = max(c.least[n], (d-near)/seconds), min(c.most[n], (d+near)/seconds)
	}
}

// has reports whether the linear movement to a key is in the set.
func (c *cone) has(k *world.Key) bool {
	seconds := k.Time - c.from.Time
	if seconds <= 0 {
		return true
	}
	for n, d := range c.way(k) {
		if speed := d / seconds; speed < c.least[n] || speed > c.most[n] {
			return false
		}
	}
	return true
}

// way returns the differences of a key's numbers from those of the first key.
func (c *cone) way(k *world.Key) (way [6]float64) {
	for n := range 3 {
		way[n] = float64(k.Place.Origin[n]) - float64(c.from.Place.Origin[n])
		way[n+3] = float64(k.Place.Angles[n]) - float64(c.from.Place.Angles[n])
	}
	return way
}

package movers

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// A move_keyframed runs from itself along the keyframe_tracks that its key NextKey leads to, and back from the last one, for ever. What is
// attached to it moves with it. Source SDK 2013, movement.cpp, CBaseMoveBehavior.

// The values of the key PositionInterpolator.
const (
	bySpline = 1
	byRope   = 2 // along a hanging rope; not followed here
)

// splineKey is where a move_keyframed is, and the seconds from there to the next.
type splineKey struct {
	at      pose
	seconds float64
}

// keyframed moves along its keyframes.
func keyframed(m *mover) path {
	p := path{start: m.built}
	keys, again := m.paths.splineKeys(m.e)
	way := m.nonzero("PositionInterpolator", 0)
	if len(keys) < 2 || way == byRope {
		return p
	}
	t, first := newKeyframes(m.built), 0
	there, back := keys, reversedKeys(keys)
	if again >= 0 {
		there, back = keys[:again+1], keys[again:]
	}
	whole := m.paths.along(t, way == bySpline, there)
	if again >= 0 {
		first = len(t.keys) - 1
	}
	whole = whole && m.paths.along(t, way == bySpline, back)
	if !whole || !(t.now > 0) || !(t.now < maxSeconds) {
		return p
	}
	p.movements = t.loops(first)
	p.movements[0].Starts = true
	return p
}

// splineKeys returns the keyframes of an entity, itself first, and the number of the one that follows the last, or -1. That one is listed
// again at the end. There are none if they are too many, or if the map's movers may pass no more.
func (c *pathNetwork) splineKeys(first *world.Entity) (list []splineKey, again int) {
	seen := map[*world.Entity]int{}
	again = -1
	for e := first; e != nil && again < 0; {
		if len(list) == maxCorners || !c.passes(1) {
			return nil, -1
		}
		if i, known := seen[e]; known {
			again = i
		}
		seen[e] = len(list)
		on := c.keyframe(e)
		k := on.key
		for n := range k.at.angles {
			if last := len(list) - 1; last >= 0 { // the shorter way round
				before := list[last].at.angles[n]
				k.at.angles[n] = before + nearer(k.at.angles[n]-before)
			}
		}
		list = append(list, k)
		if on.next == "" {
			break
		}
		e = c.find(on.next)
	}
	for i := range list { // the speeds become times
		next := &list[min(i+1, len(list)-1)]
		speed, far := list[i].seconds, distance(list[i].at, next.at)
		if far == 0 { // they are degrees a second
			for k := range next.at.angles {
				far = max(far, math.Abs(next.at.angles[k]-list[i].at.angles[k]))
			}
		}
		if list[i].seconds = 0; speed > 0 {
			list[i].seconds = far / speed
		}
	}
	return list, again
}

// keyframe is what an entity says of a spline. Its key's seconds are the speed.
type keyframe struct {
	key  splineKey
	next string // its NextKey
}

// keyframe reads an entity of a spline, once: many may run along it.
func (c *pathNetwork) keyframe(e *world.Entity) *keyframe {
	if k := c.keyframes[e]; k != nil {
		return k
	}
	k := &keyframe{next: e.Value("NextKey"), key: splineKey{seconds: math.Abs(floatOr(e, "MoveSpeed", 0))}}
	at, _ := e.Vector("origin")
	for n, a := range e.Angles() {
		k.key.at.at[n], k.key.at.angles[n] = float64(at[n]), float64(a)
	}
	if c.keyframes == nil {
		c.keyframes = map[*world.Entity]*keyframe{}
	}
	c.keyframes[e] = k
	return k
}

// reversedKeys returns keyframes in the other order, with the same times between them.
func reversedKeys(keys []splineKey) []splineKey {
	out := make([]splineKey, len(keys))
	for i := range keys {
		k := len(keys) - 1 - i
		out[i].at = keys[k].at
		if k > 0 {
			out[i].seconds = keys[k-1].seconds
		}
	}
	return out
}

// splineSteps is how many even movements a spline between two keyframes becomes before those that are near enough are joined.
const splineSteps = 64

// along adds the way along keyframes. Its splines bend as if the points before and behind were always those of the first way: the engine
// sets them when it starts and when it turns round. It returns false if the map's movers may take no more steps.
func (c *pathNetwork) along(t *keyframes, spline bool, keys []splineKey) bool {
	for i := 0; i+1 < len(keys); i++ {
		a, b := keys[i].at, keys[i+1].at
		if !spline {
			t.move(b, keys[i].seconds)
			continue
		}
		if !c.takes(splineSteps) {
			return false
		}
		before, behind := keys[0].at, keys[min(2, len(keys)-1)].at
		way := newKeyframes(a)
		for k := 1; k <= splineSteps; k++ {
			f := float64(k) / splineSteps
			way.move(catmullRom(before, a, b, behind, f), keys[i].seconds/splineSteps)
		}
		for _, k := range reduceKeys(way.keys)[1:] {
			k.Time += t.now
			t.keys = append(t.keys, k)
		}
		t.now += way.now
	}
	return true
}

// catmullRom returns the place between b and c on the spline through four points; the angles change evenly.
func catmullRom(a, b, c, d pose, f float64) (p pose) {
	for k := range p.at {
		u := float64(f * (c.at[k] - a.at[k]))
		v := float64(f * f * (2*a.at[k] - 5*b.at[k] + 4*c.at[k] - d.at[k]))
		w := float64(f * f * f * (3*b.at[k] - a.at[k] - 3*c.at[k] + d.at[k]))
		p.at[k] = b.at[k] + (u+v+w)/2
		p.angles[k] = b.angles[k] + float64(f*(c.angles[k]-b.angles[k]))
	}
	return p
}

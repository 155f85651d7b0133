package movers

import (
	"cmp"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A move_keyframed moves along the keyframe_tracks that its key NextKey leads to, from its own position, and back
// from the last one, forever. What is attached to it moves with it. Source SDK 2013, movement.cpp, CBaseMoveBehavior.

// The values of the key PositionInterpolator.
const (
	bySpline = 1
	byRope   = 2 // along a hanging rope, which is not computed here
)

// keyframe is an entity of a spline.
type keyframe struct {
	at             pose
	turn           [4]float64
	next, previous *keyframe // by the keys NextKey; previous is the last keyframe that names this one
	seconds        float64   // time to the next
	// before and behind are the outer control points of the first leg from here. Keyframes that come later in the map
	// are not linked yet when the engine sets them, so they don't count.
	before, behind *keyframe
}

// leg is the way between two keyframes. before and behind are the outer control points of its spline. The engine sets
// them when the mover starts or reverses, and not again.
type leg struct {
	before, from, to, behind *keyframe
	back                     bool
}

// then returns the next leg, or false if the mover stops.
func (l leg) then() (leg, bool) {
	if next := l.to.toward(l.back); next != nil {
		l.from, l.to = l.to, next
		return l, true
	}
	turn := leg{before: l.to, from: l.to, to: l.to.toward(!l.back), back: !l.back}
	if turn.to == nil {
		return turn, false
	}
	turn.behind = cmp.Or(turn.to.toward(turn.back), turn.to)
	return turn, true
}

// toward returns the next keyframe in a direction, or nil.
func (k *keyframe) toward(back bool) *keyframe {
	if back {
		return k.previous
	}
	return k.next
}

// seconds returns how long the leg takes.
func (l leg) seconds() float64 {
	if l.back {
		return l.to.seconds
	}
	return l.from.seconds
}

// keyframed moves along its keyframes.
func keyframed(m *mover) path {
	p := path{start: m.built}
	first, way := m.paths.linkKeyframes()[m.e], m.nonzero("PositionInterpolator", 0)
	if first == nil || first.next == nil || way == byRope {
		return p
	}
	t, seen := newKeyframes(m.built), map[leg]int{}
	for on, goes := (leg{before: first.before, from: first, to: first.next, behind: first.behind}), true; ; on, goes = on.then() {
		if way != bySpline {
			on.before, on.behind = nil, nil
		}
		key, again := seen[on]
		seen[on] = len(t.keys) - 1
		switch {
		case !goes && t.now > 0:
			p.movements = []world.Movement{t.movement("path")}
		case again && t.now > t.keys[key].Time:
			p.movements = t.loops(key)
		case !goes, again, len(seen) == 2*maxCorners, !(t.now < maxSeconds), !m.paths.along(t, on, way == bySpline):
			return p
		default:
			continue
		}
		p.movements[0].Starts = true
		return p
	}
}

// linkKeyframes returns the keyframes of a map by entity. It links them in the order of the entities, as the engine
// does.
func (c *pathNetwork) linkKeyframes() map[*world.Entity]*keyframe {
	if c.keyframes != nil {
		return c.keyframes
	}
	c.keyframes = map[*world.Entity]*keyframe{}
	for i := range c.entities {
		e := &c.entities[i]
		if class := e.Class(); !strings.EqualFold(class, "move_keyframed") && !strings.EqualFold(class, "keyframe_track") {
			continue
		}
		k := &keyframe{}
		at, _ := e.Vector("origin")
		for n, a := range e.Angles() {
			k.at.at[n], k.at.angles[n] = float64(at[n]), float64(a)
		}
		k.turn = rotation(k.at.angles)
		c.keyframes[e] = k
	}
	for i := range c.entities {
		e := &c.entities[i]
		k := c.keyframes[e]
		if k == nil {
			continue
		}
		k.before, k.behind = cmp.Or(k.previous, k), nil
		if name := e.Value("NextKey"); name != "" {
			k.next = c.keyframes[c.find(name)]
		}
		if k.next == nil {
			continue
		}
		if k.next.previous = k; k.next == k {
			k.before = k
		}
		k.behind = cmp.Or(k.next.next, k.next)
		if speed := floatOr(e, "MoveSpeed", 0); speed > 0 {
			k.seconds = cmp.Or(distance(k.at, k.next.at), k.degreesTo(k.next)) / speed
		}
	}
	return c.keyframes
}

// degreesTo returns the greatest difference in pitch, yaw or roll to another keyframe as the engine computes it: from
// 0 to 360 degrees, in one direction.
func (k *keyframe) degreesTo(to *keyframe) (most float64) {
	for n := range 3 {
		degrees := math.Mod(k.at.angles[n]-to.at.angles[n], 360)
		if degrees < 0 {
			degrees += 360
		}
		most = max(most, degrees)
	}
	return most
}

// splineSteps is the number of uniform movements that approximate a curved leg, before those that are nearly equal
// are joined.
const splineSteps = 64

// along adds a leg. It returns false if the movers of the map have reached their limit of passed keyframes or steps.
func (c *pathNetwork) along(t *keyframes, on leg, spline bool) bool {
	if !c.passes(1) {
		return false
	}
	angles, seconds := t.angles(), on.seconds()
	to, turns, same := on.to.at, 0, true
	for k := range to.angles {
		by := to.angles[k] - on.from.at.angles[k]
		if math.Abs(by) != 180 { // otherwise both directions are equally short, and the engine rotates by the numbers
			by = nearer(by)
		}
		same = same && math.Abs(nearer(angles[k]-on.from.at.angles[k])) < 0.01
		if to.angles[k] = angles[k] + by; by != 0 {
			turns++
		}
	}
	switch {
	case seconds == 0:
		t.jump(to)
		return true
	case !spline && turns < 2 && same: // a rotation about a single axis is uniform
		t.move(to, seconds)
		return true
	case !c.takes(splineSteps):
		return false
	}
	way := newKeyframes(pose{at: on.from.at.at, angles: angles})
	for k := 1; k <= splineSteps; k++ {
		f := float64(k) / splineSteps
		at := pose{at: space.Lerp(on.from.at.at, on.to.at.at, f), angles: anglesNear(angles, space.Slerp(on.from.turn, on.to.turn, f))}
		if spline {
			at.at = catmullRom(on.before.at.at, on.from.at.at, on.to.at.at, on.behind.at.at, f)
		}
		way.move(at, seconds/splineSteps)
		angles = at.angles
	}
	for _, k := range reduceKeys(way.keys)[1:] {
		k.Time += t.now
		t.keys = append(t.keys, k)
	}
	t.now += way.now
	return true
}

// rotation returns the quaternion of a pitch, yaw and roll.
func rotation(angles [3]float64) [4]float64 {
	ps, pc := sincos(angles[0] / 2)
	ys, yc := sincos(angles[1] / 2)
	rs, rc := sincos(angles[2] / 2)
	return space.Multiply(space.Multiply([4]float64{0, 0, ys, yc}, [4]float64{0, ps, 0, pc}), [4]float64{rs, 0, 0, rc})
}

// anglesNear returns the pitch, yaw and roll of a quaternion, in the turns nearest to others.
func anglesNear(others [3]float64, q [4]float64) (angles [3]float64) {
	m := space.NewMatrix([3]float64{}, q)
	ahead, left, up := m.Direction64([3]float64{1, 0, 0}), m.Direction64([3]float64{0, 1, 0}), m.Direction64([3]float64{0, 0, 1})
	flat := math.Hypot(ahead[0], ahead[1])
	angles = [3]float64{math.Atan2(-ahead[2], flat), math.Atan2(ahead[1], ahead[0]), math.Atan2(left[2], up[2])}
	if flat < 1e-3 { // it looks straight up or down
		angles[1], angles[2] = math.Atan2(-left[0], left[1]), 0
	}
	for k := range angles {
		angles[k] = others[k] + nearer(angles[k]*180/math.Pi-others[k])
	}
	return angles
}

// catmullRom returns the point at fraction f between b and c on the spline through four points.
func catmullRom(a, b, c, d [3]float64, f float64) (p [3]float64) {
	for k := range p {
		u := float64(f * (c[k] - a[k]))
		v := float64(f * f * (2*a[k] - 5*b[k] + 4*c[k] - d[k]))
		w := float64(f * f * f * (3*b[k] - a[k] - 3*c[k] + d[k]))
		p[k] = b[k] + (u+v+w)/2
	}
	return p
}

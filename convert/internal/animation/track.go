package animation

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// placement is the position in metres and the rotation of a node, relative to its parent.
type placement struct {
	at   [3]float64
	turn [4]float64
}

// placementTrack collects the poses of a node over time.
type placementTrack struct {
	local func(world.Place) placement
	times []float64
	poses []placement
}

const (
	// instant is the seconds that a jump takes: two keys of a track have different times.
	instant = 0.001

	// nearEnough is the angle in degrees by which a rotation between two keys may differ from that of the movement, whose angles change
	// evenly, where glTF turns on the shortest way.
	nearEnough = 0.25

	// widest is the change of an angle in degrees between two keys. From 180 on, the shortest way is the other one.
	widest = 120

	// deepest bounds how often a way between two keys is halved.
	deepest = 10
)

// add adds the keys of a movement.
func (t *placementTrack) add(keys []world.Key) {
	for i := range keys {
		k := &keys[i]
		switch {
		case i == 0:
			t.put(k.Time, k.Place)
		case k.Jump:
			t.put(k.Time-instant, keys[i-1].Place)
			t.put(k.Time, k.Place)
		default:
			t.between(&keys[i-1], k, 0)
		}
	}
}

// between adds the way from one key to the next, which it halves until a turn on the shortest way is near enough.
func (t *placementTrack) between(a, b *world.Key, depth int) {
	half := middle(a, b, (a.Time+b.Time)/2)
	if depth < deepest && t.turnsOtherwise(a, b, &half) {
		t.between(a, &half, depth+1)
		t.between(&half, b, depth+1)
		return
	}
	t.put(b.Time, b.Place)
}

// turnsOtherwise reports whether the shortest turn from one key to another misses what is in their middle.
func (t *placementTrack) turnsOtherwise(a, b, half *world.Key) bool {
	if a.Place.Angles == b.Place.Angles {
		return false
	}
	for k := range a.Place.Angles {
		if math.Abs(float64(b.Place.Angles[k]-a.Place.Angles[k])) > widest {
			return true
		}
	}
	p, q, want := t.local(a.Place).turn, t.local(b.Place).turn, t.local(half.Place).turn
	var mid [4]float64
	length := 0.0
	toward := math.Copysign(1, space.DotQuaternion(p, q))
	for k := range mid {
		mid[k] = p[k] + float64(q[k]*toward)
		length += float64(mid[k] * mid[k])
	}
	cos := math.Abs(space.DotQuaternion(mid, want)) / math.Sqrt(length)
	return 2*math.Acos(min(cos, 1))*180/math.Pi > nearEnough
}

// middle returns the key between two others at a time between theirs.
func middle(a, b *world.Key, time float64) world.Key {
	part := 0.5
	if b.Time > a.Time {
		part = (time - a.Time) / (b.Time - a.Time)
	}
	out := world.Key{Time: time}
	for k := range 3 {
		p, q := float64(a.Place.Origin[k]), float64(b.Place.Origin[k])
		out.Place.Origin[k] = float32(p + float64((q-p)*part))
		p, q = float64(a.Place.Angles[k]), float64(b.Place.Angles[k])
		out.Place.Angles[k] = float32(p + float64((q-p)*part))
	}
	return out
}

// put adds a pose at a time, or just after the last one if that is not earlier.
func (t *placementTrack) put(time float64, at world.Place) {
	p := t.local(at)
	if n := len(t.times); n > 0 {
		time = max(time, t.times[n-1]+instant)
		if space.DotQuaternion(t.poses[n-1].turn, p.turn) < 0 { // the same rotation, from which the way is shorter
			for k := range p.turn {
				p.turn[k] = 0 - p.turn[k]
			}
		}
	}
	t.times, t.poses = append(t.times, time), append(t.poses, p)
}

// channels returns the channels of a node: for its position and its rotation, if they change. They share their times.
func (t *placementTrack) channels(node int) (out []scene.Channel) {
	n := len(t.times)
	times, at, turn := make([]float32, n), make([][3]float32, n), make([][4]float32, n)
	moves, turns := false, false
	for i := range t.poses {
		times[i] = float32(t.times[i])
		for k, x := range t.poses[i].at {
			at[i][k] = float32(x)
			moves = moves || at[i][k] != at[0][k]
		}
		for k, x := range t.poses[i].turn {
			turn[i][k] = float32(x)
			turns = turns || turn[i][k] != turn[0][k]
		}
	}
	if moves {
		out = append(out, scene.Channel{Node: node, Times: times, Translations: at})
	}
	if turns {
		out = append(out, scene.Channel{Node: node, Times: times, Rotations: turn})
	}
	return out
}

package movers

import (
	"cmp"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxCorners is more corners than any path has.
const maxCorners = 1024

// corner is an entity that trains pass.
type corner struct {
	e      *world.Entity
	next   string // name of the next corner (key target)
	at     [3]float64
	placed bool // it has an origin
	flags  int
	// wait (seconds), speed and duration are 0 if the keys are missing; rotate is yaw, roll and pitch.
	wait, speed, duration float64
	rotate                [3]float32
}

// corner returns the first entity with a name as a corner, or nil. Each corner is read once, because all trains of a
// map may pass it.
func (c *pathNetwork) corner(name string) *corner {
	return c.cornerAt(c.find(name), name)
}

// after returns the next corner, or nil.
func (r trainRules) after(c *pathNetwork, on *corner) *corner {
	e := c.find(on.next)
	if r.pathCorners {
		e = c.inPaths[c.key(on.next)]
	}
	return c.cornerAt(e, on.next)
}

func (c *pathNetwork) cornerAt(e *world.Entity, name string) *corner {
	if name == "" || e == nil {
		return nil
	}
	if k := c.corners[e]; k != nil {
		return k
	}
	k := &corner{e: e, next: e.Value("target"), flags: e.Bits("spawnflags"), wait: floatOr(e, "wait", 0), speed: floatOr(e, "speed", 0),
		duration: floatOr(e, "duration", 0)}
	k.rotate, _ = e.Vector("rotate")
	at, ok := e.Vector("origin")
	for n := range at {
		k.at[n] = float64(at[n])
	}
	k.placed = ok
	if c.corners == nil {
		c.corners = map[*world.Entity]*corner{}
	}
	c.corners[e] = k
	return k
}

// hold is the point of a train's model that the game aligns with corners.
type hold uint8

const (
	byOrigin hold = iota
	byMins
	byMiddle
)

// trainRules is how a family's trains run.
type trainRules struct {
	hold               hold
	corners            cornerSpeed
	least              float64 // seconds that a train stays at a corner without a wait
	waitsFirst         bool    // it also waits at the corner where it starts
	passesNegative     bool    // a negative wait means none, rather than for ever
	stopFlag, jumpFlag int     // spawnflags of a corner where trains stop until triggered, and of one to which they jump
	onFlag             int     // spawnflag of trains that start by themselves although they have a name
	always             bool    // all start by themselves
	onByFlag           bool    // only those with onFlag start by themselves
	offFlag            int     // spawnflag of trains that wait for a trigger although others start by themselves
	standsBuilt        bool    // a train that waits for a trigger stays where it was built
	pathCorners        bool    // next corners are always path_corners, as other entities may have the same name
	turns              bool    // the keys rotate and duration of a corner rotate a train on its way to the next
}

// cornerSpeed is the part of the path to which the key speed of a corner applies.
type cornerSpeed uint8

const (
	ofNone cornerSpeed = iota
	ofLeaving
	ofLeavingKept // and all parts after it
	ofArriving
)

// train starts at the first corner of its path, and follows the path.
func (r trainRules) train(m *mover) path {
	p := path{start: m.built}
	first := m.paths.corner(m.e.Value("target"))
	if first == nil || m.e.Value("parentname") != "" {
		return p
	}
	at, ok := m.stand(first, r.hold)
	if !ok {
		return p
	}
	p.start = at
	starts := r.always || !m.named() && !r.onByFlag || m.flag(r.onFlag)
	if m.flag(r.offFlag) || !r.passesNegative && r.waitsFirst && first.wait < 0 {
		starts = false
	}
	r.run(m, first, &p)
	if len(p.movements) > 0 {
		p.movements[0].Starts = starts
	}
	if r.standsBuilt && !starts {
		p.start = m.built
	}
	return p
}

// stand returns the pose of a train at a corner; ok is false if the corner has no place.
func (m *mover) stand(on *corner, h hold) (p pose, ok bool) {
	p = m.built
	p.at = on.at
	for k := range p.at {
		switch h {
		case byMins:
			p.at[k] -= m.mins[k]
		case byMiddle:
			p.at[k] -= (m.mins[k] + m.maxs[k]) / 2
		}
	}
	return p, on.placed
}

// run adds the movements of a train from its first corner: one up to each stop, and a loop if the path is one.
func (r trainRules) run(m *mover, on *corner, p *path) {
	t, speed := newKeyframes(p.start).in(m.family.tick), m.speed()
	type visit struct{ movement, key int }
	seen, stopped := map[*corner]visit{on: {}}, map[*corner]bool{}
	if r.waitsFirst {
		t.pause(on.wait)
	}
	for range maxCorners {
		next := r.after(m.paths, on)
		if next == nil || !m.paths.passes(1) {
			break
		}
		to, ok := m.stand(next, r.hold)
		if !ok {
			break
		}
		var way float64
		if way, speed = r.speeds(on, next, speed); next.flags&r.jumpFlag != 0 {
			t.jump(to)
		} else {
			r.leg(m, t, on, to, way)
			t.settle()
		}
		at, then := len(t.keys)-1, t.now
		stops := r.arrive(t, next)
		last, again := seen[next]
		if again && last.movement == len(p.movements) && (last.key > 0 || r.waitsFirst) { // the pause belongs to the start of the loop
			t.keys, t.now = t.keys[:at+1], then
		}
		switch {
		case stops:
			p.movements = append(p.movements, t.movement("path"))
			if stopped[next] { // from here on everything repeats
				return
			}
			stopped[next] = true
			t, at = newKeyframes(to).in(m.family.tick), 0
		case again && last.movement == len(p.movements):
			p.movements = append(p.movements, t.loops(last.key)...)
			return
		}
		seen[next], on = visit{len(p.movements), at}, next
	}
	if len(t.keys) > 1 {
		p.movements = append(p.movements, t.movement("path"))
	}
}

// leg moves a train from a corner to the pose at the next one.
func (r trainRules) leg(m *mover, t *keyframes, on *corner, to pose, speed float64) {
	from := t.last()
	from.angles = to.angles
	far := distance(from, to)
	paces := m.pacesAt(far, speed)
	if m.slows() && on.wait > 0 { // a train that waited moves evenly
		paces = []pace{{far / speed, 1}}
	}
	if r.turns {
		if on.duration > 0 {
			paces = []pace{{on.duration, 1}}
		}
		from.angles = t.angles()
		for k, degrees := range [3]float32{on.rotate[2], on.rotate[0], on.rotate[1]} {
			to.angles[k] = from.angles[k] + float64(degrees)
		}
	}
	t.paced(from, to, paces)
}

// speeds returns the speed from a corner to the next, and the train's speed after that.
func (r trainRules) speeds(on, next *corner, speed float64) (way, then float64) {
	way = speed
	switch r.corners {
	case ofLeaving, ofLeavingKept:
		way = math.Abs(cmp.Or(on.speed, speed))
	case ofArriving:
		way = math.Abs(cmp.Or(next.speed, speed))
	}
	if r.corners == ofLeavingKept {
		speed = way
	}
	return way, speed
}

// arrive adds the pause at a corner, and reports whether the train stops there until triggered.
func (r trainRules) arrive(t *keyframes, on *corner) (stops bool) {
	wait := cmp.Or(on.wait, r.least)
	if wait < 0 {
		return !r.passesNegative
	}
	if on.flags&r.stopFlag != 0 {
		return true
	}
	t.pause(wait)
	return false
}

// flagged reports whether a spawnflag of a corner is set.
func flagged(corner *world.Entity, flags int) bool {
	return corner.Bits("spawnflags")&flags != 0
}

// distance returns the distance between two poses.
func distance(a, b pose) float64 { return space.Distance(a.at, b.at) }

package movers

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// upright returns the rule of a class whose angles are set to 0 at the start. Entities attached to it rotate with it.
func upright(r rule) rule {
	return func(m *mover) path {
		m.built.angles = [3]float64{}
		return r(m)
	}
}

// pushableBreaks is the spawnflag of pushables that can be broken. Their angles count like those of func_breakable.
// Half-Life SDK and Source SDK 2013, func_break.cpp, CPushable::Spawn.
const pushableBreaks = 128

// pushable stays where it is.
func pushable(m *mover) path {
	if m.flag(pushableBreaks) {
		m.built.angles = [3]float64{}
	}
	return still(m)
}

// still stays where it is.
func still(m *mover) path { return path{start: m.built} }

// The values of the key spawnpos: where a door is at the map's start.
const (
	spawnsOpen   = 1
	spawnsBehind = 2 // a hinged door: open to the other side
	spawnsAjar   = 3
)

// spawnsAt returns the value of the key spawnpos.
func (m *mover) spawnsAt() float64 { return m.nonzero("spawnpos", 0) }

// placedSlidingDoor slides. If it starts open, it closes when triggered, and works like other doors from then on.
func placedSlidingDoor(m *mover) path {
	s := m.sliding()
	return m.placed(s, m.spawnsAt() == spawnsOpen || m.flag(startsOpen))
}

// placedTurningDoor rotates. The spawnflag swaps its ends, as in GoldSrc; the key spawnpos does not.
func placedTurningDoor(m *mover) path {
	s := m.turning()
	if m.flag(startsOpen) {
		s.from, s.to = s.to, s.from
		return m.placed(s, false)
	}
	return m.placed(s, m.spawnsAt() == spawnsOpen)
}

// placed returns the path of a door that may start at its far end.
func (m *mover) placed(s endpoints, open bool) path {
	if !open {
		return s.path(m.family.tick, m.wait(), m.togglesEnds())
	}
	p := s.path(m.family.tick, stays, true)
	p.start = s.to
	return p
}

// opensBack is the value of the key opendir of hinged doors that only open backwards. Others open forwards here; in
// the game most open away from whoever opens them.
const opensBack = 2

// hingedDoor is a model that rotates about the vertical. Where it is open at the map's start, it is placed as if its
// hinge were on the right. Which way it opens later depends on where the model has its hinge. Source SDK 2013,
// props.cpp, CPropDoorRotating.
func hingedDoor(m *mover) path {
	by := math.Abs(m.nonzero("distance", m.class.distance))
	open := m.built.turnedBy(1, -by)
	if m.nonzero("opendir", 0) == opensBack {
		open = m.built.turnedBy(1, by)
	}
	s := endpoints{from: m.built, to: open, paces: m.paces(by)}
	wait := stays * 1.0
	if x, ok := m.e.Float("returndelay"); ok {
		wait = x
	}
	p := s.path(m.family.tick, wait, false)
	p.hinge = &world.Hinge{Closed: float32(m.built.angles[1])}
	at := m.spawnsAt()
	switch {
	case m.flag(startsOpen), at == spawnsOpen:
		p.start = m.built.turnedBy(1, -by)
	case at == spawnsBehind:
		p.start = m.built.turnedBy(1, by)
	case at == spawnsAjar:
		p.start.angles = [3]float64{}
		ajar, _ := m.e.Vector("ajarangles")
		for k := range ajar {
			p.start.angles[k] = float64(ajar[k])
		}
	default:
		return p
	}
	p.movements = m.fromSpawn(p, s, wait, at == spawnsAjar && !m.flag(startsOpen))
	return p
}

// fromSpawn returns the movements of a hinged door that is not closed at the map's start: one to the open position if
// it is ajar, otherwise to the closed one; then those of all such doors.
func (m *mover) fromSpawn(p path, s endpoints, wait float64, ajar bool) []world.Movement {
	to, name := s.from, "close"
	if ajar {
		to, name = s.to, "open"
	}
	first := newKeyframes(p.start).in(m.family.tick)
	turn := 0.0
	for k := range to.angles {
		turn += float64((to.angles[k] - p.start.angles[k]) * (to.angles[k] - p.start.angles[k]))
	}
	first.paced(p.start, to, m.paces(math.Sqrt(turn)))
	if ajar && wait >= 0 {
		first.stay(wait)
		first.paced(s.to, s.from, s.paces)
		return append([]world.Movement{first.cycle(wait)}, p.movements...)
	}
	switch list := p.movements; {
	case wait >= 0:
		return append([]world.Movement{first.movement(name)}, list...)
	case ajar:
		return []world.Movement{first.movement(name), list[1], list[0]}
	case p.start == s.to:
		return []world.Movement{first.movement(name), list[0]}
	default:
		return []world.Movement{first.movement(name), list[0], list[1]}
	}
}

// linear slides both ways from where it was built. A key states which fraction of its way that is.
func linear(m *mover) path {
	way := m.direction()
	far := m.nonzero("movedistance", 0)
	if far <= 0 {
		far = m.across(way) - m.length("lip", 0)
	}
	at := m.fraction("startposition")
	s := endpoints{from: m.built.moved(way, -far*at), to: m.built.moved(way, far*(1-at))}
	return m.both(s, far/m.speed(), at)
}

// placedWheel rotates both ways from where it was built. A key states which fraction of its rotation that is.
func placedWheel(m *mover) path {
	axis, by := m.axis(rolls, pitches), m.length("distance", 0)
	at := m.fraction("startposition")
	s := endpoints{from: m.built.turnedBy(axis, -by*at), to: m.built.turnedBy(axis, by*(1-at))}
	if by < 0 {
		by = -by
	}
	return m.both(s, by/m.speed(), at)
}

// both returns the path of an entity that starts at a fraction of the way between its endpoints, and moves to either.
// whole is the seconds for the whole way.
func (m *mover) both(s endpoints, whole, at float64) path {
	p := path{start: m.built}
	for _, movement := range []struct {
		name string
		to   pose
		part float64
	}{{"open", s.to, 1 - at}, {"close", s.from, at}} {
		if movement.part > 0 && s.from != s.to {
			t := newKeyframes(m.built)
			t.move(movement.to, whole*movement.part)
			p.movements = append(p.movements, t.movement(movement.name))
		}
	}
	return p
}

package movers

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// endpoints are the two ends of a movement: closed and open, or bottom and top.
type endpoints struct {
	from, to pose
	paces    []pace // timing from one to the other, in either direction
	back     []pace // timing back to from, if it differs
}

// sliding returns the endpoints of an entity that moves along its direction, by its size minus its lip.
func (m *mover) sliding() endpoints {
	way := m.direction()
	far := m.across(way) - m.length("lip", m.class.lip)
	return endpoints{from: m.built, to: m.built.moved(way, far), paces: m.paces(far)}
}

// turning returns the endpoints of an entity that rotates about an axis, by its key distance in degrees.
func (m *mover) turning() endpoints {
	by := m.length("distance", m.class.distance)
	if m.flag(reversed) {
		by = -by
	}
	return endpoints{from: m.built, to: m.built.turnedBy(m.axis(rolls, pitches), by), paces: m.paces(by)}
}

// slidingDoor slides. With the flag startsOpen it starts open, and closes when it is triggered.
func slidingDoor(m *mover) path { return m.door(m.sliding()) }

// turningDoor is a door that rotates.
func turningDoor(m *mover) path { return m.door(m.turning()) }

func (m *mover) door(s endpoints) path {
	if m.flag(startsOpen) {
		s.from, s.to = s.to, s.from
		if s.back != nil {
			s.paces, s.back = s.back, s.paces
		}
	}
	return m.between(s, m.doorWait(), m.togglesEnds())
}

// between returns the path of a door or button. In some families one with a negative wait never returns, whatever
// triggers it.
func (m *mover) between(s endpoints, wait float64, toggles bool) path {
	p := s.path(m.family.tick, wait, toggles)
	if wait < 0 && !toggles && m.family.neverReturns && !m.class.returns && len(p.movements) == 2 {
		p.movements = p.movements[:1]
	}
	return p
}

// doorWait returns the seconds for which a door stays open. One that needs a key stays open for ever.
func (m *mover) doorWait() float64 {
	if m.flag(m.class.keyFlags) {
		return stays
	}
	return m.wait()
}

// momentary slides to the position that another entity dictates.
func momentary(m *mover) path {
	s := m.sliding()
	if m.flag(startsOpen) {
		s.from, s.to = s.to, s.from
	}
	return s.path(m.family.tick, stays, false)
}

// momentaryWheel turns while it is used, and moves its target by the same fraction. With a negative distance it was
// built at its far end.
func momentaryWheel(m *mover) path {
	axis, by := m.axis(rolls, pitches), m.length("distance", 0)
	s := endpoints{from: m.built, to: m.built.turnedBy(axis, by), paces: m.paces(by)}
	if by < 0 {
		s.from, s.to = s.to, s.from
	}
	p := s.path(m.family.tick, stays, true)
	p.start = m.built
	return p
}

// angledDoor rotates by its key yaw, which is not its orientation. Nexuiz, t_plats.qc, spawnfunc_func_door_rotating.
func angledDoor(m *mover) path {
	by := float64(m.e.AngleKeys()[1])
	if by == 0 {
		by = m.class.distance
	}
	return m.door(endpoints{from: m.built, to: m.built.turnedBy(m.axis(rolls, pitches), by), paces: m.paces(by)})
}

// stays is a wait that never ends by itself.
const stays = -1

// slidingButton slides and returns.
func slidingButton(m *mover) path { return m.button(m.sliding()) }

// turningButton turns and returns.
func turningButton(m *mover) path { return m.button(m.turning()) }

func (m *mover) button(s endpoints) path {
	if m.flag(m.class.dontMoveFlag) || m.class.shortest > 0 && distance(s.from, s.to) < m.class.shortest {
		return path{start: s.from}
	}
	wait := m.wait()
	return m.between(s, wait, wait >= 0 && m.flag(m.class.buttonToggleFlag))
}

// The spawnflags of a secret door: its first move is to the left or down, not to the right.
const secretLeft, secretDown = 2, 4

// secretDoor moves back or down, then to the side, with a pause after each, and back the same way. Quake, doors.qc.
func secretDoor(m *mover) path {
	angles := m.e.AngleKeys()
	ahead := forward(angles)
	right, up := sides(angles)
	size := m.size()
	aside := right
	if m.flag(secretDown) {
		aside = up
	}
	wide, length := m.nonzero("t_width", m.extent(aside, size)), m.nonzero("t_length", m.extent(ahead, size))
	first := m.built.moved(aside, wide)
	if m.flag(secretLeft | secretDown) {
		first = m.built.moved(aside, -wide)
	}
	last := first.moved(ahead, length)
	once := m.wait() < 0 || m.flag(m.class.openOnceFlag)
	return m.overTwoWays(first, last, m.pacesAt(wide, m.class.speed), m.pacesAt(length, m.class.speed), once)
}

// overTwoWays returns the path of an entity that moves to one pose, pauses for a second, moves to a second pose, and
// goes back the same way unless it moves only once.
func (m *mover) overTwoWays(first, last pose, toFirst, toLast []pace, once bool) path {
	const pause = 1.0
	way := newKeyframes(m.built).in(m.family.tick)
	way.paced(m.built, first, toFirst)
	way.pause(pause)
	way.paced(first, last, toLast)
	if once {
		return path{start: m.built, movements: []world.Movement{way.movement("open")}}
	}
	way.stay(m.wait())
	way.paced(last, first, toLast)
	way.pause(pause)
	way.paced(first, m.built, toFirst)
	return path{start: m.built, movements: []world.Movement{way.cycle(m.wait())}}
}

// extent returns the size of the model along a direction: the absolute dot product with size.
func (m *mover) extent(way, size [3]float64) float64 {
	sum := 0.0
	for k := range way {
		sum += float64(way[k] * size[k])
	}
	return math.Abs(sum)
}

// path returns the path of an entity that starts at s.from and moves to s.to when it is triggered. It returns after
// wait seconds, unless wait is negative or it toggles. tick is the length of the server's frames in seconds, or 0.
func (s endpoints) path(tick, wait float64, toggles bool) path {
	p := path{start: s.from}
	if s.from == s.to {
		return p
	}
	back := s.back
	if back == nil {
		back = s.paces
	}
	there := newKeyframes(s.from).in(tick)
	there.paced(s.from, s.to, s.paces)
	if wait >= 0 && !toggles {
		there.stay(wait)
		there.paced(s.to, s.from, back)
		p.movements = []world.Movement{there.cycle(wait)}
		return p
	}
	again := newKeyframes(s.to)
	again.paced(s.to, s.from, back)
	p.movements = []world.Movement{there.movement("open"), again.movement("close")}
	return p
}

package movers

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// platform returns the endpoints of a platform: the bottom, and the top, where it was built.
func (m *mover) platform() endpoints {
	down := m.length("height", m.class.height)
	if _, given := m.e.Float("height"); down == 0 && !(given && m.family.zeroCounts) {
		lip := m.class.lip
		if !m.class.fixedLip {
			lip = m.length("lip", lip)
		}
		down = m.maxs[2] - m.mins[2] - lip
	}
	bottom := m.built
	bottom.at[2] -= down
	paces := m.paces(down)
	if m.class.accel > 0 { // Quake II's keys are per second, its code counts in frames
		gain, loss := math.Abs(m.nonzero("accel", m.class.accel)), math.Abs(m.nonzero("decel", m.class.accel))
		paces = rampPaces(math.Abs(down), m.speed()*tenth, gain*tenth, loss*tenth)
	}
	return endpoints{from: bottom, to: m.built, paces: paces}
}

// lowPlat starts at the bottom. Triggered, it goes up, waits and returns.
func lowPlat(m *mover) path { return m.platform().path(m.family.tick, m.class.wait, false) }

// plat starts at the bottom. One with a name starts at the top, and goes down when it is first triggered.
func plat(m *mover) path { return m.startingAt(m.platform()) }

// fixedPlat is a platform that moves by its size, whatever its keys say.
func fixedPlat(m *mover) path {
	down := m.maxs[2] - m.mins[2] - m.class.lip
	bottom := m.built
	bottom.at[2] -= down
	return m.startingAt(endpoints{from: bottom, to: m.built, paces: m.paces(down)})
}

// turningPlat also rotates on its way up, by its key rotation in degrees.
func turningPlat(m *mover) path {
	s := m.platform()
	s.to = s.to.turnedBy(m.axis(rolls, pitches), m.nonzero("rotation", 0))
	return m.startingAt(s)
}

// platToggle is the spawnflag with which GoldSrc's and Source's platforms stay at either end.
const platToggle = 1

// startingAt returns the path of a platform between its endpoints: from the bottom, or with a name from the top.
func (m *mover) startingAt(s endpoints) path {
	p := s.path(m.family.tick, m.class.wait, m.class.platToggles && m.flag(platToggle))
	if !m.named() {
		return p
	}
	p.start = s.to
	if len(p.movements) == 1 { // first it only goes down; from then on it works like other platforms
		down := newKeyframes(s.to)
		down.paced(s.to, s.from, s.paces)
		p.movements = []world.Movement{down.movement("close"), p.movements[0]}
		p.movements[1].Trigger = byTouch // from then on, touching it triggers it
	}
	return p
}

// The spawnflags of track changes.
const (
	changeTurnsOnly = 16
	changeStartsLow = 8
)

// trackChange is a platform that carries a train from one track to another. It starts at the top, rotated.
func trackChange(m *mover) path {
	s := m.platform()
	if m.flag(changeTurnsOnly) {
		s.from.at = m.built.at
	}
	by := m.nonzero("rotation", 0)
	s.to = s.to.turnedBy(m.axis(rolls, pitches), by)
	if s.from.at == s.to.at {
		s.paces = m.paces(by)
	}
	p := s.path(m.family.tick, stays, true)
	if !m.flag(changeStartsLow) {
		p.start = s.to
	}
	return p
}

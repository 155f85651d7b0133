package movers

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// lift returns the stations of a platform: the bottom, and the top, where it was built.
func (m *mover) lift() stations {
	down := m.length("height", m.row.height)
	if _, given := m.e.Float("height"); down == 0 && !(given && m.family.explicit) {
		down = m.maxs[2] - m.mins[2] - m.length("lip", m.row.lip)
	}
	bottom := m.built
	bottom.at[2] -= down
	paces := m.paces(down)
	if m.row.accel > 0 { // Quake II takes its keys as units a second, and counts in frames
		gain, loss := math.Abs(m.nonzero("accel", m.row.accel)), math.Abs(m.nonzero("decel", m.row.accel))
		paces = rampPaces(math.Abs(down), m.speed()*tenth, gain*tenth, loss*tenth)
	}
	return stations{from: bottom, to: m.built, paces: paces}
}

// lowPlat starts at the bottom. When it is triggered, it goes up, waits and returns.
func lowPlat(m *mover) path { return m.lift().path(m.family.tick, m.row.wait, false) }

// plat starts at the bottom, unless it has a name: then it is lowered when it is first triggered.
func plat(m *mover) path { return m.plat(m.lift()) }

// fixedPlat is a platform whose way is that of its size, whatever its keys say.
func fixedPlat(m *mover) path {
	down := m.maxs[2] - m.mins[2] - m.row.lip
	bottom := m.built
	bottom.at[2] -= down
	return m.plat(stations{from: bottom, to: m.built, paces: m.paces(down)})
}

// turningPlat also turns by its key rotation on the way up.
func turningPlat(m *mover) path {
	s := m.lift()
	s.to = s.to.turnedBy(m.axis(rolls, pitches), m.nonzero("rotation", 0))
	return m.plat(s)
}

func (m *mover) plat(s stations) path {
	p := s.path(m.family.tick, m.row.wait, m.row.toggles && m.flag(1))
	if !m.named() {
		return p
	}
	p.start = s.to
	if len(p.acts) == 1 { // first it only goes down; from then on it is a platform as others are
		down := newTrip(s.to)
		down.paced(s.to, s.from, s.paces)
		p.acts = []world.Movement{down.act("close"), p.acts[0]}
	}
	return p
}

// The spawnflags of track changes.
const (
	changeTurnsOnly = 16
	changeStartsLow = 8
)

// trackChange is a platform that carries a train from one track to another. It starts at the top, turned.
func trackChange(m *mover) path {
	s := m.lift()
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

package movers

import "math"

// The rules of trains in Return to Castle Wolfenstein and Enemy Territory: they run by themselves, unless a flag is
// set.
var (
	wolfTrain        = trainRules{corners: ofLeaving, pathCorners: true, waitsFirst: true, always: true, offFlag: 2}
	wolfTurningTrain = trainRules{corners: ofLeaving, pathCorners: true, waitsFirst: true, always: true, turns: true}
)

// staysOpen is the spawnflag of rotating doors that never return.
const staysOpen = 64

// timedDoor rotates by its key degrees; its key speed is the duration in milliseconds. Its angles are not read.
// Return to Castle Wolfenstein, game, g_spawn.c, fields; g_mover.c, SP_func_door_rotating.
func timedDoor(m *mover) path {
	by := m.nonzero("degrees", m.class.distance)
	if m.flag(16) {
		by = -by
	}
	s := endpoints{from: m.built, to: m.built.turnedBy(m.axis(rotatesRolls, rotatesPitches), by), paces: []pace{{m.speed() / 1000, 1}}}
	wait := m.wait()
	if m.flag(staysOpen) {
		wait = stays
	}
	return s.path(m.family.tick, wait, m.togglesEnds())
}

// wolfDoor is a sliding door that may close at a different speed.
func wolfDoor(m *mover) path {
	s := m.sliding()
	if speed := math.Abs(m.nonzero("closespeed", 0)); speed > 0 {
		s.back = m.pacesAt(distance(s.from, s.to), speed)
	}
	return m.door(s)
}

// secretWay slides along its direction and, after a second, to its left, or to its right if a flag is set. Both
// movements take the time of the first.
func secretWay(m *mover) path {
	ahead, angles := m.direction(), m.e.Angles()
	if m.flag(1) {
		angles[1] -= 90
	} else {
		angles[1] += 90
	}
	aside, lip := forward(angles), m.length("lip", m.class.lip)
	wide := m.across(ahead) - lip
	first := m.built.moved(ahead, wide)
	last := first.moved(aside, m.across(aside)-lip)
	return m.overTwoWays(first, last, m.paces(wide), m.paces(wide), m.wait() < 0)
}

package movers

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Between its keys a sampled path may be this far from the true one.
const (
	nearEnough      = 0.25 // map units
	nearEnoughTurns = 0.25 // degrees
)

// wave returns a loop about a pose: at seconds t it is there plus way · sin(2π(t/period + phase)).
func wave(at, way pose, period, phase, tolerance float64) path {
	swing := 0.0
	for k := range way.at {
		swing = max(swing, math.Abs(way.at[k]), math.Abs(way.angles[k]))
	}
	if swing == 0 || !(period > 0 && period < longest) {
		return path{start: at}
	}
	// A chord over an nth of the wave leaves it by at most swing · (1 - cos(π/n)).
	n := int(min(math.Ceil(math.Pi*math.Sqrt(swing/(2*tolerance))), 256))
	n = max((n+3)/4*4, 8)
	pose := func(i int) pose {
		s := math.Sin(2 * math.Pi * (float64(i)/float64(n) + phase))
		p := at
		for k := range p.at {
			p.at[k] += float64(way.at[k] * s)
			p.angles[k] += float64(way.angles[k] * s)
		}
		return p
	}
	t := newTrip(pose(0))
	for i := 1; i <= n; i++ {
		t.move(pose(i), period/float64(n))
	}
	act := t.act("cycle")
	act.Starts, act.Loops = true, true
	return path{pose(0), []world.Act{act}}
}

// bob moves up and down, or along X or Y. Its phase delays it, or advances it where the row says so.
func bob(m *mover) path {
	height := m.length("height", m.row.height)
	var way pose
	switch {
	case m.flag(1):
		way.at[0] = height
	case m.flag(2):
		way.at[1] = height
	default:
		way.at[2] = height
	}
	phase, _ := m.e.Float("phase")
	if !m.row.advances {
		phase = -phase
	}
	return wave(m.built, way, m.speed(), math.Mod(phase, 1), nearEnough)
}

// gravity is Quake III's, in map units per second squared.
const gravity = 800

// pendulum swings about its X by its speed in degrees, as fast as a beam of its length does. Quake III Arena, g_mover.c,
// SP_func_pendulum.
func pendulum(m *mover) path {
	beam := max(8, math.Abs(m.mins[2]))
	period := 2 * math.Pi * math.Sqrt(3*beam/gravity)
	phase, _ := m.e.Float("phase")
	way := pose{angles: [3]float64{0, 0, m.length("speed", m.row.speed)}}
	return wave(m.built, way, period, math.Mod(-phase, 1), nearEnoughTurns)
}

// dampedPendulum swings from where it was built to its distance. It is pulled to the middle evenly and not ever faster than its speed.
// Half-Life SDK, bmodels.cpp, CPendulum.
func dampedPendulum(m *mover) path {
	by := m.nonzero("distance", 0)
	if by == 0 {
		return path{start: m.built}
	}
	axis := m.axis(rolls, pitches)
	half := math.Abs(by) / 2
	pull := m.speed() * m.speed() / (2 * math.Abs(by))
	quarter := math.Sqrt(2 * half / pull) // seconds from an end to the middle
	t := newTrip(m.built)
	// Keys for each quarter: a chord over an nth of it leaves the parabola by at most half · 1/(4n²).
	n := int(min(max(math.Ceil(math.Sqrt(half/(4*nearEnoughTurns))), 4), 64))
	for i := 1; i <= 4*n; i++ {
		// The angle falls from an end with the square of time, and rises in the same way to the other.
		x := float64(i%(2*n)) / float64(n) // 0 to 2 for half a swing
		f := float64(x*x) / 2              // 0 to 1
		if x > 1 {
			f = 1 - float64((2-x)*(2-x))/2
		}
		if i%(2*n) == 0 {
			f = 1
		}
		if i > 2*n {
			f = 1 - f
		}
		t.move(m.built.turnedBy(axis, by*f), quarter/float64(n))
	}
	act := t.act("cycle")
	act.Starts, act.Loops = m.flag(1), true
	return path{m.built, []world.Act{act}}
}

// The spawnflags of entities that rotate.
const (
	rotatesOn      = 1
	rotatesBack    = 2
	rotatesRolls   = 4
	rotatesPitches = 8
)

// rotating turns for ever, from the start if a flag is set.
func rotating(m *mover) path { return m.rotate(m.nonzero("speed", m.row.speed), m.flag(rotatesOn)) }

// rotatingAlways turns for ever, from the start.
func rotatingAlways(m *mover) path { return m.rotate(m.nonzero("speed", m.row.speed), true) }

// rotatingFan turns at its key maxspeed.
func rotatingFan(m *mover) path {
	return m.rotate(math.Abs(m.nonzero("maxspeed", m.row.speed)), m.flag(rotatesOn))
}

// rotatingMoved is rotating, and its key spawnorigin places it if it comes after its origin.
func rotatingMoved(m *mover) path {
	for _, p := range m.e.Pairs {
		one := world.Entity{Pairs: []world.Pair{{Key: "origin", Value: p.Value}}}
		at, ok := one.Vector("origin")
		moved := strings.EqualFold(p.Key, "spawnorigin") && at != [3]float32{}
		if !ok || !moved && p.Key != "origin" {
			continue
		}
		for k := range at {
			m.built.at[k] = float64(at[k])
		}
	}
	return rotating(m)
}

func (m *mover) rotate(speed float64, starts bool) path {
	p := path{start: m.built}
	if m.row.backwards && m.flag(rotatesBack) {
		speed = -speed
	}
	seconds := 360 / math.Abs(speed)
	if speed == 0 || seconds > longest {
		return p
	}
	t := newTrip(m.built)
	t.move(m.built.turnedBy(m.axis(rotatesRolls, rotatesPitches), math.Copysign(360, speed)), seconds)
	act := t.act("cycle")
	act.Starts, act.Loops = starts, true
	p.acts = []world.Act{act}
	return p
}

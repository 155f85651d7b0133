package movers

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// wave returns a loop about a pose: after t seconds it is at the pose plus way · sin(2π(t/period + phase)).
func wave(at, way pose, period, phase, tolerance float64) path {
	swing := 0.0
	for k := range way.at {
		swing = max(swing, math.Abs(way.at[k]), math.Abs(way.angles[k]))
	}
	if swing == 0 || !(period > 0 && period < maxSeconds) {
		return path{start: at}
	}
	// A chord over 1/n of the wave deviates by at most swing · (1 - cos(π/n)).
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
	t := newKeyframes(pose(0))
	for i := 1; i <= n; i++ {
		t.move(pose(i), period/float64(n))
	}
	movement := t.movement("cycle")
	movement.Starts, movement.Loops = true, true
	return path{start: pose(0), movements: []world.Movement{movement}}
}

// bob moves up and down, or along X or Y. Its phase delays it, or advances it if the row says so.
func bob(m *mover) path {
	height := m.length("height", m.class.height)
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
	if !m.class.advances {
		phase = -phase
	}
	return wave(m.built, way, period(m.family, m.speed()), math.Mod(phase, 1), nearEnough)
}

// period returns the seconds of a period as a family's games count them.
func period(fam *family, seconds float64) float64 {
	if fam.tick > 0 {
		return wholeMilliseconds(seconds)
	}
	return seconds
}

// gravity is Quake III's, in map units per second squared.
const gravity = 800

// pendulum swings about its X axis, by its key speed in degrees, with the frequency of a beam of its length. Quake
// III Arena, g_mover.c, SP_func_pendulum.
func pendulum(m *mover) path {
	beam := max(8, math.Abs(m.mins[2]))
	seconds := 2 * math.Pi * math.Sqrt(3*beam/gravity)
	phase, _ := m.e.Float("phase")
	if !m.class.advances {
		phase = -phase
	}
	way := pose{angles: [3]float64{0, 0, m.length("speed", m.class.speed)}}
	return wave(m.built, way, period(m.family, seconds), math.Mod(phase, 1), nearEnoughTurns)
}

// dampedPendulum swings from where it was built by its key distance. It accelerates evenly toward the middle, up to
// its key speed. Half-Life SDK, bmodels.cpp, CPendulum.
func dampedPendulum(m *mover) path {
	by := m.nonzero("distance", 0)
	if by == 0 {
		return path{start: m.built}
	}
	axis := m.axis(rolls, pitches)
	half := math.Abs(by) / 2
	pull := m.speed() * m.speed() / (2 * math.Abs(by))
	if keys := m.dying(axis, by, pull); keys != nil {
		return path{start: m.built, movements: []world.Movement{{Name: "cycle", Starts: m.flag(1), Keys: keys}}}
	}
	quarter := math.Sqrt(2 * half / pull) // seconds from an end to the middle
	t := newKeyframes(m.built)
	// Keys for each quarter: a chord over 1/n of it deviates from the parabola by at most half · 1/(4n²).
	n := int(min(max(math.Ceil(math.Sqrt(half/(4*nearEnoughTurns))), 4), 64))
	for i := 1; i <= 4*n; i++ {
		// From an end, the angle falls with the square of time; toward the other end it rises in the same way.
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
	movement := t.movement("cycle")
	movement.Starts, movement.Loops = m.flag(1), true
	return path{start: m.built, movements: []world.Movement{movement}}
}

// How the game slows a damped pendulum.
const (
	slowest       = 30   // degrees per second: with a greatest speed below this it stops in the middle
	maxSwingSteps = 6000 // tenths of a second; what swings longer swings for ever
)

// dying returns the keys of a damped pendulum, in the game's steps of a tenth of a second, or nil if it has no
// damping or swings for too long.
func (m *mover) dying(axis int, by, pull float64) []world.Key {
	damp, top := m.nonzero("damp", 0)/1000, m.speed()
	if !(damp > 0) || damp*tenth >= 1 || math.Log(top/slowest)/damp > maxSwingSteps*tenth {
		return nil
	}
	t := newKeyframes(m.built)
	at, speed := 0.0, 0.0
	for most := top; most >= slowest && len(t.keys) < maxSwingSteps; {
		if !m.paths.takes(1) {
			return nil
		}
		if at > by/2 {
			speed -= float64(pull * tenth)
		} else {
			speed += float64(pull * tenth)
		}
		speed = min(max(speed, -top), top)
		at += float64(speed * tenth)
		t.move(m.built.turnedBy(axis, at), tenth)
		most -= float64(damp * most * tenth)
		speed = min(max(speed, -most), most)
	}
	t.jump(m.built.turnedBy(axis, by/2))
	return reduceKeys(t.keys)
}

// The spawnflags of rotating entities, by their names in Half-Life's editor. 32 (Fan Pain) and 64 (Not Solid) are not
// read.
const (
	rotatesOn      = 1  // Start ON
	rotatesBack    = 2  // Reverse Direction
	rotatesRolls   = 4  // X Axis
	rotatesPitches = 8  // Y Axis
	rotatesSlowly  = 16 // Acc/Dcc (SF_BRUSH_ACCDCC): it accelerates by a fraction of its speed, where the class does so (column spin)
)

// rotating rotates for ever, from the start if a flag is set.
func rotating(m *mover) path { return m.rotate(m.nonzero("speed", m.class.speed), m.flag(rotatesOn)) }

// rotatingAlways rotates for ever, from the start.
func rotatingAlways(m *mover) path { return m.rotate(m.nonzero("speed", m.class.speed), true) }

// spinning rotates for ever; its key spinangles, if given, is degrees per second of pitch, yaw and roll. OpenJK,
// codemp, game, g_mover.c, SP_func_rotating.
func spinning(m *mover) path {
	if _, given := m.e.Lookup("spinangles"); !given {
		return rotatingAlways(m)
	}
	spin, _ := m.e.Vector("spinangles")
	tenths, far := 0, m.built // tenths: the greatest common divisor of the three rates, in tenths of a degree per second
	for _, s := range spin {
		if !(math.Abs(float64(s)) < maxValue) {
			return still(m)
		}
		for a := int(math.Round(math.Abs(float64(s)) * 10)); a != 0; tenths, a = a, tenths%a {
		}
	}
	if tenths == 0 {
		return still(m)
	}
	seconds := 3600 / float64(tenths)
	for k, s := range spin {
		far = far.turnedBy(k, math.Round(float64(s)*10)/10*seconds)
	}
	t := newKeyframes(m.built)
	t.move(far, seconds)
	movement := t.movement("cycle")
	movement.Starts, movement.Loops = true, true
	return path{start: m.built, movements: []world.Movement{movement}}
}

// rotatingFan rotates at its key maxspeed.
func rotatingFan(m *mover) path {
	return m.rotate(math.Abs(m.nonzero("maxspeed", m.class.speed)), m.flag(rotatesOn))
}

// rotatingMoved is rotating, but its key spawnorigin, if it comes after its key origin, places it.
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
	if m.class.backwards && m.flag(rotatesBack) {
		speed = -speed
	}
	seconds := 360 / math.Abs(speed)
	if speed == 0 || seconds > maxSeconds {
		return p
	}
	axis, at := m.axis(rotatesRolls, rotatesPitches), m.built
	if up := m.spinUp(axis, speed); up != nil {
		movement := up.movement("start")
		movement.Starts = starts
		p.movements, starts = append(p.movements, movement), false
		at.angles = up.angles()
	}
	t := newKeyframes(at)
	t.move(at.turnedBy(axis, math.Copysign(360, speed)), seconds)
	movement := t.movement("cycle")
	movement.Starts, movement.Loops = starts, true
	p.movements = append(p.movements, movement)
	return p
}

// maxSpinUp bounds the steps in which a fan accelerates.
const maxSpinUp = 1000

// spinUp returns how a fan accelerates, each tenth of a second by a fraction of its speed, or nil if it has its speed
// at once. Half-Life SDK, bmodels.cpp, CFuncRotating::SpinUp; Source SDK 2013, bmodels.cpp.
func (m *mover) spinUp(axis int, speed float64) *keyframes {
	share := m.nonzero("fanfriction", 100) / 100 * m.class.spin
	if m.class.spin == 0 || !m.flag(rotatesSlowly) || !(share > 0 && share < 1) || share*maxSpinUp < 1 {
		return nil
	}
	t, at := newKeyframes(m.built), m.built
	for part := share; part < 1; part += share {
		at = at.turnedBy(axis, speed*part*tenth)
		t.move(at, tenth)
	}
	return t
}

// angles returns the angles of the last key.
func (t *keyframes) angles() (angles [3]float64) {
	for k, a := range t.keys[len(t.keys)-1].Place.Angles {
		angles[k] = float64(a)
	}
	return angles
}

package movers

import (
	"cmp"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// The spawnflags of doors. The last three apply only to what rotates: sliding doors may use those bits for other
// things.
const (
	startsOpen = 1
	reversed   = 2  // it rotates the other way
	rolls      = 64 // about X
	pitches    = 128
)

// maxValue is greater than any sensible value of a key.
const maxValue = 1 << 20

// flag reports whether one of the spawnflags is set.
func (m *mover) flag(bits int) bool { return m.e.Bits("spawnflags")&bits != 0 }

// togglesEnds reports whether a door or button stays at either end until it is triggered again.
func (m *mover) togglesEnds() bool {
	return m.flag(cmp.Or(m.class.doorToggleFlag, m.family.doorToggleFlag))
}

// named reports whether the entity has a name by which others can trigger it.
func (m *mover) named() bool { return m.e.Value("targetname") != "" }

// nonzero returns the value of a key, or a default if it is missing or 0.
func (m *mover) nonzero(key string, without float64) float64 {
	return floatOr(m.e, key, without)
}

// floatOr returns the value of a key of an entity, or a default if it is missing or 0.
func floatOr(e *world.Entity, key string, without float64) float64 {
	x, ok := e.Float(key)
	if !ok || x == 0 || !(math.Abs(x) < maxValue) {
		return without
	}
	return x
}

// length returns the value of a key that is a length or an angle, or a default if the game treats it as missing.
func (m *mover) length(key string, without float64) float64 {
	x, ok := m.e.Float(key)
	switch {
	case !ok, x == 0 && !m.family.zeroCounts, !(math.Abs(x) < maxValue):
		return without
	case m.family.whole:
		return math.Trunc(x)
	}
	return x
}

// fraction returns the value of a key, clamped to 0 to 1.
func (m *mover) fraction(key string) float64 {
	x, _ := m.e.Float(key)
	return min(max(x, 0), 1)
}

// speed returns the speed of the entity, at most maxValue.
func (m *mover) speed() float64 {
	if x, ok := m.e.Float("speed"); ok && math.Abs(x) >= maxValue {
		return maxValue
	}
	return math.Abs(m.nonzero("speed", m.class.speed))
}

// wait returns how many seconds the entity stays at its far end; negative means for ever.
func (m *mover) wait() float64 { return m.nonzero("wait", m.class.wait) }

// direction returns the unit vector along which the entity moves: from its own key, else from its angles, where a
// lone yaw of -1 means up and -2 means down.
func (m *mover) direction() [3]float64 {
	if m.family.movedir {
		angles, _ := m.e.Vector("movedir")
		return forward(angles)
	}
	angles := m.e.AngleKeys()
	switch angles {
	case [3]float32{0, -1, 0}, [3]float32{-90, 0, 0}:
		return [3]float64{0, 0, 1}
	case [3]float32{0, -2, 0}, [3]float32{90, 0, 0}:
		return [3]float64{0, 0, -1}
	}
	return forward(angles)
}

// forward returns the unit vector in which something with these angles faces.
func forward(angles [3]float32) [3]float64 {
	ps, pc := sincos(float64(angles[0]))
	ys, yc := sincos(float64(angles[1]))
	return [3]float64{pc * yc, pc * ys, 0 - ps}
}

// sides returns the unit vectors to the right and up of something with these angles, without roll.
func sides(angles [3]float32) (right, up [3]float64) {
	ps, pc := sincos(float64(angles[0]))
	ys, yc := sincos(float64(angles[1]))
	return [3]float64{ys, 0 - yc, 0}, [3]float64{ps * yc, ps * ys, pc}
}

// sincos takes degrees.
func sincos(degrees float64) (sin, cos float64) {
	return math.Sincos(math.Mod(degrees, 360) * math.Pi / 180)
}

// size returns the size of the model as games measure it for this class.
func (m *mover) size() (size [3]float64) {
	for k := range size {
		size[k] = m.maxs[k] - m.mins[k]
		if m.family.trueSize {
			size[k] -= 2 * m.family.grown
		}
	}
	return size
}

// across returns the size of the model along a direction.
func (m *mover) across(way [3]float64) float64 {
	size := m.size()
	sum, amounts := 0.0, 0.0
	for k := range way {
		x := float64(way[k] * size[k])
		sum += x
		amounts += math.Abs(x)
	}
	if m.family.diagonal {
		return math.Abs(sum)
	}
	return amounts
}

// axis returns the index of the angle that changes, given the spawnflags for roll and pitch: 0 is pitch, 1 yaw, 2
// roll.
func (m *mover) axis(rolls, pitches int) int {
	switch {
	case m.flag(rolls):
		return 2
	case m.flag(pitches):
		return 0
	}
	return 1
}

// pathNetwork finds entities by name, and holds the path corners and tracks among them.
type pathNetwork struct {
	entities  []world.Entity
	fold      bool
	byName    map[string]*world.Entity
	inPaths   map[string]*world.Entity // path_corners by name
	corners   map[*world.Entity]*corner
	tracks    map[*world.Entity]*track
	keyframes map[*world.Entity]*keyframe
	passed    int // corners passed by all movers so far
	steps     int // simulation steps of all movers so far
}

// Limits for all movers of a map. Each of many movers may pass all of many corners, so the limits are in proportion
// to the number of entities: twice as many may take twice as long, not four times. Movers beyond the limit stay where
// they start.
const (
	minPassed, passedEach = 1 << 11, 8
	minSteps, stepsEach   = maxSimSteps, 512
)

// passes counts n corners that a mover passes, and reports whether the limit allows them.
func (c *pathNetwork) passes(n int) bool {
	c.passed += n
	return c.passed <= minPassed+passedEach*len(c.entities)
}

// takes counts n steps of a simulation, and reports whether the limit allows them.
func (c *pathNetwork) takes(n int) bool {
	c.steps += n
	return c.steps <= minSteps+stepsEach*len(c.entities)
}

// find returns the first entity with a name, or nil.
func (c *pathNetwork) find(name string) *world.Entity {
	if c.byName == nil {
		c.byName, c.inPaths = make(map[string]*world.Entity, len(c.entities)), map[string]*world.Entity{}
		for i := range c.entities {
			e := &c.entities[i]
			key := c.key(e.Value("targetname"))
			if _, taken := c.byName[key]; !taken && key != "" {
				c.byName[key] = e
			}
			if _, taken := c.inPaths[key]; !taken && key != "" && e.Class() == "path_corner" {
				c.inPaths[key] = e
			}
		}
	}
	return c.byName[c.key(name)]
}

// key returns a name in the form in which names are compared.
func (c *pathNetwork) key(name string) string {
	if c.fold {
		return strings.ToLower(name)
	}
	return name
}

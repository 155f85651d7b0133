// Package movers holds how the games move entities: doors, platforms, trains, fans.
//
// Each family has a table with a row for each of its classes: which keys it reads, with which defaults, and the rule
// that makes a path of them. The path states both where the entity is at the map's start and how it moves later, so
// that these can't disagree. Nothing else in the program knows about doors.
//
// Mappers build doors closed, platforms at the top and trains anywhere, and the compiler bakes light with the
// entities there. The game moves them before anyone sees them.
package movers

import (
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// moverClass describes the entities of some classes.
type moverClass struct {
	families         classes.Family        // to which the row applies, if families share a table; 0 means all
	classes          string                // in lower case, separated by spaces; one that ends in * matches a prefix
	turned           turned                // how the keys angles and angle count
	rule             rule                  // nil if the game never moves it
	trigger          func(m *mover) string // what triggers it; nil means the family's function
	files            bool                  // the entity shows a model file, not a brush model
	openOnceFlag     int                   // spawnflags of secret doors that stay open
	advances         bool                  // a phase advances it instead of delaying it
	doorToggleFlag   int                   // spawnflag of doors that stay at either end until triggered again; 0 means the family's
	buttonToggleFlag int                   // likewise of buttons; 0 means none
	keyFlags         int                   // spawnflags of doors that need a key
	fixedLip         bool                  // the key lip of a platform is ignored
	dontMoveFlag     int                   // spawnflag of buttons that do not move
	shortest         float64               // map units: a button with a shorter movement does not move; 0 means none
	returns          bool                  // with an endless wait it still returns when triggered again, unlike others of its family
	eases            bool                  // it slows down toward the end, unless its key linear is set
	follows          bool                  // it follows the entities that its keys name
	platToggles      bool                  // with the first spawnflag, a platform stays at either end until triggered
	// backwards states that a spawnflag reverses the rotation.
	backwards bool
	defaults
}

// defaults are the values of keys that are missing or, in most games, 0.
type defaults struct {
	speed    float64 // map units or degrees a second
	wait     float64 // seconds at the far end
	lip      float64 // map units that stay visible of a sliding door
	distance float64 // degrees
	height   float64 // map units
	accel    float64 // acceleration of a platform, map units per second squared; 0 means none
	spin     float64 // fraction of its speed that a fan gains per tenth of a second, times its key fanfriction / 100; 0 means all at once
}

// rule returns the path of a mover.
type rule func(m *mover) path

// turned is how a class interprets the keys angles and angle.
type turned uint8

const (
	byFamily        turned = iota // as the family's default
	kept                          // they rotate the brushes
	cleared                       // they don't: they are a direction of movement, or nothing
	pitched                       // all but the yaw rotate the brushes
	pitchedIfBreaks               // as pitched if the spawnflag for breakable is set, else kept
)

// family holds the rules that all classes of a family share.
type family struct {
	rows           []moverClass
	turned         turned  // of classes without a row
	grown          float64 // map units by which the engine enlarges a brush model on each side
	trueSize       bool    // doors and buttons subtract that before they measure their size
	neverReturns   bool    // a door or button with an endless wait that doesn't toggle stays open
	diagonal       bool    // a sliding door moves |direction · size|, not the sum of the components' absolute values
	zeroCounts     bool    // a key with the value 0 counts as given
	whole          bool    // lip, height and distance are whole numbers
	fold           bool    // entity names are compared without case
	doorToggleFlag int     // spawnflag of doors that stay at either end until triggered again; 0 means none
	frames         bool    // movements happen in frames of a tenth of a second
	tick           float64 // seconds of the server's frames, at which it notices that a movement or pause has ended; 0 if at once
	attaches       string  // key that attaches an entity to another by unknown rules
	movedir        bool    // the direction of movement has a key of its own
	trigger        func(m *mover) string
	teams          teams  // how entities are grouped, or nil
	leaderReturns  bool   // all of a team return when its first one does
	unsupported    string // classes that the game moves and this package doesn't, separated by spaces
}

// path is the place of an entity at the map's start, and its movements then or later.
type path struct {
	start     pose
	movements []world.Movement
	hinge     *world.Hinge // of a door that is a model, or nil
}

// pose is a position in map units, and pitch, yaw and roll in degrees.
type pose struct{ at, angles [3]float64 }

// mover is an entity for a rule.
type mover struct {
	e          *world.Entity
	class      *moverClass
	family     *family
	mins, maxs [3]float64 // bounds of its model, as the engine has them
	built      pose       // the pose that its keys state
	paths      *pathNetwork
}

// families lists the families whose entities move. Games whose code is not public have no table.
var families = sync.OnceValue(func() map[classes.Family]*family {
	q, q3 := quake(), quake3()
	return map[classes.Family]*family{
		classes.Quake: q, classes.Hexen2: q, classes.Quake2: quake2(), classes.GoldSrc: goldSrc(), classes.Source: source(),
		classes.DarkPlaces: darkPlaces(),
		classes.Quake3:     q3, classes.Wolfenstein: q3, classes.Raven: q3, classes.Ritual: q3,
		classes.Titanfall: &titanfall,
	}
})

// titanfall has no table, because its entities' code is not public. Its brush models are rotated like Source's.
var titanfall = family{turned: kept}

// Set sets the angles of a map's entities, their places at the map's start, and their movements. Their models must be
// set before. It fails if a limit is exceeded.
func Set(w *world.World, f classes.Family, b *limit.Budget) error {
	fam := families()[f]
	if fam == nil {
		return nil
	}
	c := &pathNetwork{entities: w.Entities, fold: fam.fold}
	var followers []int
	found := map[string]*moverClass{} // by class, because a map has many entities of few classes
	for i := range w.Entities {
		e := &w.Entities[i]
		r := found[e.Class()]
		if r == nil {
			r = fam.find(f, e.Class())
			found[e.Class()] = r
		}
		if e.Model > 0 {
			e.ModelAngles = turn(e, r.turned)
		}
		if r.rule == nil || r.files != (e.Model == world.NoModel) || e.Model == 0 {
			continue
		}
		if r.follows {
			followers = append(followers, i)
		}
		m := newMover(e, w.Models, r, fam, c)
		built := m.built.place()
		p := r.rule(m)
		if !p.finite() {
			continue
		}
		if start := p.start.place(); start != built {
			e.Start = &start
		}
		if err := keep(e, p.movements, b); err != nil {
			return err
		}
		if e.Motion != nil {
			e.Motion.Hinge = p.hinge
		}
		if e.Motion != nil && !e.Motion.Movements[0].Starts {
			by := r.trigger
			if by == nil {
				by = fam.trigger
			}
			e.Motion.Trigger = by(m)
		}
	}
	if err := link(w, fam, b); err != nil {
		return err
	}
	if err := begin(w, f, b); err != nil {
		return err
	}
	return c.follow(w, followers, b)
}

// keep gives an entity movements, within the budget.
func keep(e *world.Entity, movements []world.Movement, b *limit.Budget) error {
	if len(movements) == 0 {
		return nil
	}
	n := limit.Bytes[world.Movement](len(movements))
	for i := range movements {
		n += limit.Bytes[world.Key](len(movements[i].Keys))
	}
	e.Motion = &world.Motion{Movements: movements}
	return b.Reserve(n)
}

// find returns the row of a class, or one without a rule.
func (fam *family) find(f classes.Family, class string) *moverClass {
	class = strings.ToLower(class)
	for i := range fam.rows {
		r := &fam.rows[i]
		if r.families != 0 && r.families&f == 0 {
			continue
		}
		for name := range strings.FieldsSeq(r.classes) {
			if wildcard.Match(name, class) {
				if r.turned != byFamily {
					return r
				}
				with := *r
				with.turned = fam.turned
				return &with
			}
		}
	}
	return &moverClass{turned: fam.turned}
}

// newMover returns an entity as rules need it.
func newMover(e *world.Entity, models []world.Model, r *moverClass, fam *family, c *pathNetwork) *mover {
	m := &mover{e: e, class: r, family: fam, paths: c}
	origin, _ := e.Vector("origin")
	angles := e.ModelAngles
	if r.files {
		angles = e.Angles()
	} else {
		for k := range m.mins {
			m.mins[k] = float64(models[e.Model].Mins[k]) - fam.grown
			m.maxs[k] = float64(models[e.Model].Maxs[k]) + fam.grown
		}
	}
	for k := range origin {
		m.built.at[k], m.built.angles[k] = float64(origin[k]), float64(angles[k])
	}
	return m
}

// turn returns the angles by which an entity's keys rotate its brush model.
func turn(e *world.Entity, t turned) (angles [3]float32) {
	switch t {
	case kept:
		return e.Angles()
	case pitched, pitchedIfBreaks:
		angles = e.Angles()
		if t == pitched || flagged(e, pushableBreaks) {
			angles[1] = 0
		}
	}
	return angles
}

// place converts a pose. Adding 0 turns -0 into 0.
func (p pose) place() (out world.Place) {
	for k := range p.at {
		out.Origin[k], out.Angles[k] = float32(p.at[k])+0, float32(p.angles[k])+0
	}
	return out
}

// moved returns a pose moved along a direction by a distance.
func (p pose) moved(way [3]float64, far float64) pose {
	for k := range way {
		p.at[k] += float64(way[k] * far)
	}
	return p
}

// turnedBy returns a pose rotated about an axis: 0 is pitch, 1 yaw, 2 roll.
func (p pose) turnedBy(axis int, degrees float64) pose {
	p.angles[axis] += float64(degrees)
	return p
}

// finite reports whether float32 can hold all poses of a path. Sums from a hostile map may be too large.
func (p *path) finite() bool {
	if !p.start.place().Finite() {
		return false
	}
	for i := range p.movements {
		for j := range p.movements[i].Keys {
			if k := &p.movements[i].Keys[j]; !k.Place.Finite() || !(k.Time >= 0 && k.Time < maxSeconds) {
				return false
			}
		}
	}
	return true
}

// maxSeconds is the longest movement. Slower entities don't move.
const maxSeconds = 1 << 20

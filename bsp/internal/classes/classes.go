// Package classes determines what the games draw for an entity, by its class and spawnflags.
//
// The compiler writes the brushes of every entity as a model with faces, including triggers and brushes that are
// only shown once they are switched on; and any entity may have a key "model" that its class never reads. The
// texture does not decide: a trigger may have any. So one table for all families describes what the games' code
// does.
package classes

import (
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Family is a set of families of games.
type Family uint16

// The families.
const (
	Quake Family = 1 << iota
	Quake2
	GoldSrc
	Quake3      // also its relatives without separate rows
	Wolfenstein // Return to Castle Wolfenstein, Enemy Territory
	Raven       // Jedi Outcast, Jedi Academy, Soldier of Fortune II
	Ritual      // F.A.K.K. 2, Alice, Elite Force II
	Source
	DarkPlaces // Nexuiz, Xonotic: maps of Quake III's format
	Titanfall
	Hexen2

	q3  = Quake3 | Wolfenstein | Raven | Ritual
	all = Quake | Hexen2 | Quake2 | GoldSrc | q3 | Source
)

// rule describes what games draw for some classes of entities.
type rule struct {
	families Family
	classes  string // in lower case, separated by spaces; one that ends in * matches a prefix
	brushes  seen   // when a brush model is drawn
	models   seen   // when a model file or sprite is drawn
	volume   bool   // the brushes serve only the game's logic
}

// seen reports whether an entity is drawn when the map starts; nil means always.
type seen func(e *world.Entity) bool

// never reports that an entity is not drawn, whatever its keys.
func never(*world.Entity) bool { return false }

// unlessFirst reports whether the first spawnflag, which hides an entity, is clear.
func unlessFirst(e *world.Entity) bool { return e.Bits("spawnflags")&1 == 0 }

// unflagged reports whether an entity has no spawnflag: any hides it. Quake II, g_misc.c, SP_func_object.
func unflagged(e *world.Entity) bool { return e.Bits("spawnflags") == 0 }

// only returns the rule of entities that are drawn if one of the spawnflags is set.
func only(flags int) seen {
	return func(e *world.Entity) bool { return e.Bits("spawnflags")&flags != 0 }
}

// awake reports whether a character is in the map: neither a template, from which a maker spawns others, nor asleep until an input wakes
// it. Those that sleep until the player may see them are shown. Source SDK 2013, game/server, ai_basenpc.cpp (IsTemplate, Sleep,
// UpdateSleepState).
func awake(e *world.Entity) bool {
	const template, untilInput = 1 << 11, 3
	asleep, _ := e.Float("sleepstate")
	return e.Bits("spawnflags")&template == 0 && asleep != untilInput
}

// unburied reports whether a creature is awake, and neither the key startburrowed nor a spawnflag hides it. Source SDK 2013,
// game/server/hl2: npc_headcrab.cpp (SF_HEADCRAB_START_HIDDEN, HeadcrabInit), npc_antlion.cpp and npc_antlionguard.cpp (Spawn).
func unburied(e *world.Entity) bool {
	under, _ := e.Float("startburrowed")
	return awake(e) && under == 0 && (e.Bits("spawnflags")&(1<<16) == 0 || !strings.HasPrefix(strings.ToLower(e.Class()), "npc_headcrab"))
}

// enabled reports whether the key StartDisabled, which hides an entity, is not set.
func enabled(e *world.Entity) bool {
	off, _ := e.Float("StartDisabled")
	return off == 0
}

// unnamedOr returns the rule of entities that are drawn if they have no name, and so can't be switched, or if
// one of the spawnflags is set.
func unnamedOr(flags int) seen {
	return func(e *world.Entity) bool { return e.Value("targetname") == "" || e.Bits("spawnflags")&flags != 0 }
}

// wallQuake2 is the rule of Quake II's walls: flags 1 and 2 make them switchable, and then 4 makes them start on.
func wallQuake2(e *world.Entity) bool {
	return e.Bits("spawnflags")&(1|2|4) == 0 || e.Bits("spawnflags")&4 != 0
}

// Brushes returns the flags of all surfaces of the brush model of an entity: 0 if it is drawn when the map starts,
// world.Trigger for a volume that is never drawn, world.NoDraw if the game shows it later, or does not have it.
func Brushes(f Family, e *world.Entity) world.Flags {
	r := find(f, e.Class())
	switch {
	case gone(f, e) && (r == nil || !r.volume):
		return world.NoDraw
	case r == nil || r.brushes == nil || r.brushes(e):
		return 0
	case r.volume:
		return world.Trigger
	}
	return world.NoDraw
}

// Model reports whether the model file or sprite of an entity is drawn when the map starts.
func Model(f Family, e *world.Entity) bool {
	r := find(f, e.Class())
	return !gone(f, e) && (r == nil || r.models == nil || r.models(e))
}

// start is a rule for a prefix of class names.
type start struct {
	prefix string
	rule   *rule
}

// index returns the rules by full class name, and the prefix rules.
var index = sync.OnceValues(func() (exact map[string][]*rule, starts []start) {
	exact = map[string][]*rule{}
	all := rules()
	for i := range all {
		r := &all[i]
		for name := range strings.FieldsSeq(r.classes) {
			if prefix, ok := strings.CutSuffix(name, "*"); ok {
				starts = append(starts, start{prefix, r})
				continue
			}
			exact[name] = append(exact[name], r)
		}
	}
	return exact, starts
})

// find returns the rule for a class in a family: that of its full name, else of the longest matching prefix; nil if
// there is none.
func find(f Family, class string) *rule {
	class = strings.ToLower(class)
	exact, starts := index()
	for _, r := range exact[class] {
		if r.families&f != 0 {
			return r
		}
	}
	var best *rule
	longest := -1
	for _, s := range starts {
		if s.rule.families&f != 0 && len(s.prefix) > longest && strings.HasPrefix(class, s.prefix) {
			best, longest = s.rule, len(s.prefix)
		}
	}
	return best
}

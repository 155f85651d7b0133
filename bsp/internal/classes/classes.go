// Package classes says what the games draw of an entity, by its class and spawnflags.
//
// The compiler writes the brushes of every entity as a model with faces, also of triggers and of what a game only
// shows once it is switched on; and any entity may carry a key "model" that its class never reads. The texture does
// not tell: a trigger may have any. So one table for all families says what the games' code does.
package classes

import (
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Family is a set of families of games.
type Family uint8

// The families.
const (
	Quake Family = 1 << iota
	Quake2
	GoldSrc
	Quake3      // also what no row tells apart from it
	Wolfenstein // Return to Castle Wolfenstein, Enemy Territory
	Raven       // Jedi Outcast, Jedi Academy, Soldier of Fortune II
	Ritual      // F.A.K.K. 2, Alice, Elite Force II
	Source

	q3  = Quake3 | Wolfenstein | Raven | Ritual
	all = Quake | Quake2 | GoldSrc | q3 | Source
)

// rule is what games draw of entities of some classes.
type rule struct {
	families Family
	classes  string // in lower case, apart by spaces; one that ends in * is all that start so
	brushes  seen   // when a brush model is drawn
	models   seen   // when a model file or sprite is drawn
	volume   bool   // the brushes are of use to the game's logic only
}

// seen reports whether an entity is drawn as the map starts; nil is always.
type seen func(e *world.Entity) bool

// never is of what is not drawn at any time.
func never(*world.Entity) bool { return false }

// unlessFirst is drawn unless the first spawnflag is set, by which an entity starts hidden.
func unlessFirst(e *world.Entity) bool { return spawnflags(e)&1 == 0 }

// only is drawn where one of the spawnflags is set.
func only(flags int) seen {
	return func(e *world.Entity) bool { return spawnflags(e)&flags != 0 }
}

// enabled is drawn unless its key StartDisabled is set.
func enabled(e *world.Entity) bool {
	off, _ := e.Float("StartDisabled")
	return off == 0
}

// unnamedOr is drawn where it has no name to be switched by, or one of the spawnflags is set.
func unnamedOr(flags int) seen {
	return func(e *world.Entity) bool { return e.Value("targetname") == "" || spawnflags(e)&flags != 0 }
}

// wallQuake2 is a wall of Quake II: flags 1 and 2 let it be switched, and then 4 lets it start on.
func wallQuake2(e *world.Entity) bool {
	return spawnflags(e)&(1|2|4) == 0 || spawnflags(e)&4 != 0
}

func spawnflags(e *world.Entity) int {
	f, _ := e.Float("spawnflags")
	if !(f >= 0 && f < 1<<31) {
		return 0
	}
	return int(f)
}

// Brushes returns the flags of all surfaces of the brush model of an entity: 0 where it is drawn as the map starts,
// world.Trigger where it is a volume that is never drawn, world.NoDraw where the game has to show it first.
func Brushes(f Family, e *world.Entity) world.Flags {
	r := find(f, e.Class())
	switch {
	case r == nil || r.brushes == nil || r.brushes(e):
		return 0
	case r.volume:
		return world.Trigger
	}
	return world.NoDraw
}

// Model reports whether the model file or sprite of an entity is drawn as the map starts.
func Model(f Family, e *world.Entity) bool {
	r := find(f, e.Class())
	return r == nil || r.models == nil || r.models(e)
}

// start is a rule of all classes that start with a prefix.
type start struct {
	prefix string
	rule   *rule
}

// index returns the rules by the whole name of a class, and the others.
var index = sync.OnceValues(func() (exact map[string][]*rule, starts []start) {
	exact = map[string][]*rule{}
	for i := range rules {
		for name := range strings.FieldsSeq(rules[i].classes) {
			if prefix, ok := strings.CutSuffix(name, "*"); ok {
				starts = append(starts, start{prefix, &rules[i]})
				continue
			}
			exact[name] = append(exact[name], &rules[i])
		}
	}
	return exact, starts
})

// find returns the rule of a class in a family: that of its whole name, else of the longest prefix that it has; nil
// where there is none.
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

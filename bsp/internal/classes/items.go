package classes

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Item is a model that a game's code gives an entity for its class.
type Item struct {
	Entity int    // its index
	Model  string // a file's name
	Look   world.Appearance
	Scale  float32
}

// namedModel is an item model, and the part of a class in its file's name.
type namedModel struct {
	itemModel *itemModel
	part      string
}

// items returns the item models of all families.
func items() []itemModel {
	return slices.Concat(arenaItems(), quakeItems(), hexen2Items(), quake2Items())
}

// named returns the families in which the game's code names the model of a class, by class.
var named = sync.OnceValue(func() map[string]Family {
	out := map[string]Family{}
	for _, item := range items() {
		for row := range strings.FieldsSeq(item.models) {
			class, _, _ := strings.Cut(row, ":")
			out[class] |= item.families
		}
	}
	return out
})

// Named reports whether a game's code names the model of a class, whatever an entity's key model says.
func Named(f Family, class string) bool { return named()[strings.ToLower(class)]&f != 0 }

// itemsByClass returns the item models of a family by class.
func itemsByClass(f Family) map[string][]namedModel {
	out := map[string][]namedModel{}
	list := items()
	for i := range list {
		if list[i].families&f == 0 {
			continue
		}
		for row := range strings.FieldsSeq(list[i].models) {
			class, part, _ := strings.Cut(row, ":")
			out[class] = append(out[class], namedModel{&list[i], part})
		}
	}
	return out
}

// spawnRule is a rule for the entities of a game that shows items.
type spawnRule struct {
	families Family
	gone     func(e *world.Entity) bool // the game does not have it
	waits    func(e *world.Entity) bool // it is shown later; nil means none is
	teams    bool                       // of entities with the same key team the first is shown, the others later
}

// spawnRules are the rules of the games when they start: all against all, or alone at normal skill. Quake III Arena, game, g_spawn.c
// (G_SpawnGEntityFromVars) and g_items.c (FinishSpawningItem), and OpenArena's; Nexuiz, qcsrc/server, t_items.qc (StartItem), which shows
// any of a team; Quake and Hexen II, pr_edict.c (ED_LoadFromFile); Quake II, game, g_spawn.c (SpawnEntities).
var spawnRules = []spawnRule{
	{families: Quake3, gone: notFree, waits: func(e *world.Entity) bool { return e.Value("targetname") != "" }, teams: true},
	{families: DarkPlaces, gone: notFree, teams: true},
	{families: Quake, gone: notNormal},
	{families: Hexen2, gone: notMedium},
	{families: Quake2, gone: notNormal, teams: true},
}

// gone reports whether a game does not have an entity when it starts.
func gone(f Family, e *world.Entity) bool {
	at := slices.IndexFunc(spawnRules, func(p spawnRule) bool { return p.families&f != 0 })
	return at >= 0 && !strings.EqualFold(e.Class(), "worldspawn") && spawnRules[at].gone(e)
}

// notFree reports whether a game for all against all lacks an entity.
func notFree(e *world.Entity) bool {
	const game = "ffa"
	for _, key := range []string{"notfree", "notq3a"} {
		if off, _ := e.Float(key); off != 0 {
			return true
		}
	}
	types, some := e.Lookup("gametype")
	return some && !strings.Contains(types, game) || strings.Contains(e.Value("!gametype"), game)
}

// notNormal reports whether a player alone at normal skill does not meet an entity.
func notNormal(e *world.Entity) bool { return e.Bits("spawnflags")&512 != 0 }

// notMedium reports whether a player alone at the second of Hexen II's skills, whatever its class, does not meet an entity. Hexen II,
// server.h: SPAWNFLAG_NOT_MEDIUM and NOT_SINGLE.
func notMedium(e *world.Entity) bool { return e.Bits("spawnflags")&(0x2000|0x20000) != 0 }

// Items returns the models that the games' code gives the classes of entities and shows when the map starts, in order.
func Items(f Family, entities []world.Entity) (list []Item) {
	at := slices.IndexFunc(spawnRules, func(p spawnRule) bool { return p.families&f != 0 })
	if at < 0 || len(entities) == 0 {
		return nil
	}
	rule, led, number, models := &spawnRules[at], map[string]bool{}, firstNumber, itemsByClass(f)
	for i := range entities {
		e := &entities[i]
		if rule.gone(e) {
			continue
		}
		own := number
		if i > 0 {
			number += numbers(e)
		}
		if team := e.Value("team"); rule.teams && team != "" {
			if led[team] {
				continue
			}
			led[team] = true
		}
		if rule.waits != nil && rule.waits(e) {
			continue
		}
		for _, o := range models[strings.ToLower(e.Class())] {
			if o.itemModel.when == nil || o.itemModel.when(e, &entities[0]) {
				look := o.itemModel.look
				look.Hover = paced(look.Hover, own)
				list = append(list, Item{Entity: i, Model: strings.Replace(o.itemModel.file, "%", o.part, 1), Look: look,
					Scale: cmp.Or(o.itemModel.scale, 1)})
			}
		}
	}
	return list
}

package classes

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// falling lists the classes that the games drop to the floor when the map starts, wherever the mapper placed them; staying
// lists the exceptions that fly, hang or are built in. A * at the end matches any letters. Half-Life SDK, dlls/items.cpp,
// weapons.cpp, monsters.cpp; Source SDK 2013, item.cpp, basecombatweapon.cpp, ai_basenpc.cpp.
var falling, staying = map[Family][]string{
	GoldSrc: {"ammo_*", "item_*", "weapon_*", "weaponbox", "armoury_entity", "monster_*", "hostage_entity"},
	Source:  {"item_*", "weapon_*", "npc_*", "hostage_entity", "generic_actor", "monster_generic", "cycler_actor"},
}, map[Family][]string{
	GoldSrc: {"monster_alien_controller", "monster_*apache", "monster_barnacle", "monster_bloater", "monster_flyer*", "monster_geneworm",
		"monster_ichthyosaur", "monster_leech", "monster_miniturret", "monster_nihilanth", "monster_*osprey", "monster_pitworm*",
		"monster_stukabat", "monster_tentacle", "monster_turret", "monster_tripmine"},
	Source: {"item_healthcharger", "item_suitcharger", "item_teamflag", "npc_*scanner", "npc_advisor", "npc_barnacle",
		"npc_combine_camera", "npc_combine_cannon", "npc_combinedropship", "npc_combinegunship", "npc_crow", "npc_enemyfinder*",
		"npc_furniture", "npc_helicopter", "npc_hydra", "npc_ichthyosaur", "npc_manhack", "npc_personality_core", "npc_pigeon",
		"npc_rocket_turret", "npc_rollermine", "npc_seagull", "npc_security_camera", "npc_strider", "npc_turret_ceiling", "npc_turret_ground",
		"npc_wheatley_boss"},
}

// tossed lists the classes of falling that fall however far the floor is: MOVETYPE_TOSS in MonsterInitDead (monsters.cpp), in FallInit of
// weapons and in CBasePlayerAmmo::Spawn (weapons.cpp). The others are put on the floor by DROP_TO_FLOOR. Source's people are put on a floor
// up to 2048 below, or fall (ai_basenpc.cpp, StartNPC).
var tossed = map[Family][]string{
	GoldSrc: {"monster_*_dead", "weapon_*", "weaponbox", "armoury_entity", "ammo_*"},
	Source:  {"npc_*", "generic_actor", "monster_generic", "cycler_actor"},
}

const (
	dropped   = 256     // DROP_TO_FLOOR
	unlimited = 1 << 17 // as far as any map reaches
)

// startsHeld is the spawnflag of Source's items and weapons that stay in place.
const startsHeld = 1

// boxes are the sides of what falls, by class: the first that fits. GoldSrc's engine knows boxes of no, 32 and 64 units (SV_HullForEntity),
// of which it takes the next for the sizes that the classes set (Half-Life SDK). Source's people are 26 wide (HULL_HUMAN).
var boxes = map[Family][]struct {
	classes []string
	sides   [2]float32
}{
	GoldSrc: {
		{[]string{"monster_*_dead", "monster_cockroach", "monster_rat", "monster_snark", "weapon_*", "weaponbox", "armoury_entity"},
			[2]float32{}},
		// 28 units wide: the engine's box of 32 begins where theirs does (SV_HullForBsp).
		{[]string{"monster_sitting_scientist"}, [2]float32{-14, 18}},
		{[]string{"monster_alien_grunt", "monster_bigmomma", "monster_bullchicken", "monster_gargantua"}, [2]float32{-32, 32}},
		{[]string{"*"}, [2]float32{-16, 16}},
	},
	Source: {{[]string{"npc_*", "hostage_entity", "generic_actor", "monster_generic", "cycler_actor"}, [2]float32{-13, 13}}},
}

// Falls returns how the game drops an entity to the floor when the map starts; nothing if it stays.
func Falls(f Family, e *world.Entity) (d world.Drop) {
	class := strings.ToLower(e.Class())
	if !listed(falling[f], class) || listed(staying[f], class) || e.Value("parentname") != "" {
		return d
	}
	if f == Source {
		hangs, _ := e.Float("waitingtorappel") // on a rope, until the game lets it down
		held := !strings.HasPrefix(class, "npc_") && e.Bits("spawnflags")&startsHeld != 0
		if hangs != 0 || held || strings.HasSuffix(class, "_spawn") {
			return d
		}
	}
	d.Most = dropped
	if listed(tossed[f], class) {
		d.Most = unlimited
	}
	for _, b := range boxes[f] {
		if listed(b.classes, class) {
			d.Sides = b.sides
			break
		}
	}
	return d
}

// drop states how games drop a class that has no model in the map.
type drop struct {
	families Family
	classes  []string
	staying  []string // exceptions that fly or swim
	held     int      // the spawnflag of those that stay in place, or 0
	drop     world.Drop
}

// drops are the games of id Software and its licensees, whose code names the models. Quake and its mission packs, progs, items.qc and
// ai.qc (droptofloor); Hexen II, whose monsters stand on their origin, ai.hc; Quake II, game, g_items.c (droptofloor) and g_monster.c;
// Quake III Arena, game, g_items.c (FinishSpawningItem); Nexuiz, qcsrc/server, t_items.qc (StartItem), where an item's box begins at its
// origin.
var drops = []drop{
	{families: Quake, classes: []string{"item_artifact_*", "item_key*", "item_sigil"},
		drop: world.Drop{Rise: 24, Most: 256, Sides: [2]float32{-16, 16}}},
	{families: Quake, classes: []string{"item_armor*", "weapon_*"}, drop: world.Drop{Most: 256, Sides: [2]float32{-16, 16}}},
	{families: Quake, classes: []string{"item_*"}, drop: world.Drop{Most: 256, Sides: [2]float32{0, 32}}},
	{families: Quake, classes: []string{"monster_zombie"}, held: 1, // on a cross
		drop: world.Drop{Rise: 24, Most: 256, Sides: [2]float32{-16, 16}}},
	{families: Quake, classes: []string{"monster_*"},
		staying: []string{"monster_zombie", "monster_wizard", "monster_fish", "monster_boss", "monster_oldone"},
		drop:    world.Drop{Rise: 24, Most: 256, Sides: [2]float32{-16, 16}}},
	{families: Hexen2, classes: []string{"monster_*"},
		staying: []string{"monster_imp_*", "monster_fallen_angel*", "monster_fish", "monster_hydra", "monster_snake", "monster_eidolon"},
		drop:    world.Drop{Most: 256, Sides: [2]float32{-16, 16}}},
	{families: Quake2, classes: []string{"item_*", "weapon_*", "ammo_*", "key_*"},
		drop: world.Drop{Rise: 15, Most: 128, Sides: [2]float32{-15, 15}}},
	{families: Quake2, classes: []string{"monster_*"},
		staying: []string{"monster_flyer", "monster_floater", "monster_hover", "monster_flipper",
			"monster_boss2", "monster_boss3_stand", "monster_carrier", "monster_turret", "monster_fixbot", "monster_commander_body"},
		drop: world.Drop{Rise: 24, Most: 256, Sides: [2]float32{-16, 16}}},
	{families: Quake3, classes: []string{"item_*", "weapon_*", "ammo_*", "holdable_*", "team_ctf_*flag"}, held: 1,
		drop: world.Drop{Rise: 15, Most: 4096, Sides: [2]float32{-15, 15}}},
	{families: DarkPlaces, classes: []string{"item_*", "weapon_*", "ammo_*", "team_ctf_*flag"}, held: 1,
		drop: world.Drop{Most: 4096, Sides: [2]float32{-16, 16}}},
}

// DropOf returns how the game drops an entity without a model in the map, or nil.
func DropOf(f Family, e *world.Entity) *world.Drop {
	class := strings.ToLower(e.Class())
	for i := range drops {
		d := &drops[i]
		if d.families&f != 0 && listed(d.classes, class) && !listed(d.staying, class) && e.Bits("spawnflags")&d.held == 0 {
			return &d.drop
		}
	}
	return nil
}

// listed reports whether a class is in a list.
func listed(list []string, class string) bool {
	return slices.ContainsFunc(list, func(pattern string) bool { return wildcard.Match(pattern, class) })
}

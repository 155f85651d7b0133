package classes

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// falling lists the classes that the games drop to the floor when the map starts, wherever the mapper placed them; staying
// lists the exceptions that fly, hang or are built in. A * at the end matches any letters. Half-Life SDK, dlls/items.cpp,
// weapons.cpp, monsters.cpp; Source SDK 2013, item.cpp, basecombatweapon.cpp, ai_basenpc.cpp.
var falling, staying = map[Family][]string{
	GoldSrc: {"ammo_*", "item_*", "weapon_*", "weaponbox", "armoury_entity", "monster_*", "hostage_entity"},
	Source:  {"item_*", "weapon_*", "npc_*", "hostage_entity"},
}, map[Family][]string{
	GoldSrc: {"monster_alien_controller", "monster_apache", "monster_barnacle", "monster_flyer*", "monster_ichthyosaur", "monster_leech",
		"monster_miniturret", "monster_nihilanth", "monster_osprey", "monster_tentacle", "monster_turret", "monster_tripmine"},
	Source: {"item_healthcharger", "item_suitcharger", "item_teamflag", "npc_barnacle", "npc_combine_camera", "npc_combinedropship",
		"npc_combinegunship", "npc_*scanner", "npc_crow", "npc_enemyfinder*", "npc_helicopter", "npc_ichthyosaur", "npc_manhack", "npc_pigeon",
		"npc_rollermine", "npc_seagull", "npc_security_camera", "npc_strider", "npc_turret_ceiling", "npc_turret_ground", "npc_rocket_turret"},
}

// startsHeld is the spawnflag of Source's items and weapons that stay in place.
const startsHeld = 1

// Falls reports whether the game drops an entity to the floor when the map starts.
func Falls(f Family, e *world.Entity) bool {
	class := strings.ToLower(e.Class())
	if !listed(falling[f], class) || listed(staying[f], class) || e.Value("parentname") != "" {
		return false
	}
	if f != Source {
		return true
	}
	return !strings.HasSuffix(class, "_spawn") && (strings.HasPrefix(class, "npc_") || spawnflags(e)&startsHeld == 0)
}

// listed reports whether a class is in a list.
func listed(list []string, class string) bool {
	for _, name := range list {
		start, end, open := strings.Cut(name, "*")
		if class == name || open && strings.HasPrefix(class, start) && strings.HasSuffix(class, end) {
			return true
		}
	}
	return false
}

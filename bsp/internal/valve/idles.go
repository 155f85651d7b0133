package valve

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The spawnflags of a manhack whose engine is off.
const (
	packedUp = 1 << 16
	carried  = 1 << 19
)

// idleActivity is an activity in which a class starts unless one of these spawnflags is set.
type idleActivity struct {
	activity string
	unless   int
}

// idles maps classes to the activity that they start in, if it is not ACT_IDLE. Source SDK 2013, game/server/hl2: npc_combinecamera.cpp
// (Deploy), npc_turret_ceiling.cpp and npc_turret_floor.cpp (Retire), npc_manhack.cpp (BladesInit; those packed up are ACT_IDLE).
var idles = map[string]idleActivity{
	"npc_combine_camera":      {"ACT_COMBINE_CAMERA_OPEN_IDLE", 0},
	"npc_manhack":             {"ACT_FLY", packedUp | carried},
	"npc_portal_turret_floor": {"ACT_FLOOR_TURRET_CLOSED_IDLE", 0},
	"npc_turret_ceiling":      {"ACT_CEILING_TURRET_CLOSED_IDLE", 0},
	"npc_turret_floor":        {"ACT_FLOOR_TURRET_CLOSED_IDLE", 0},
}

// armedIdles maps weapons to the activity that replaces ACT_IDLE in the hands of a character, if its model has that. Source SDK 2013,
// game/server/hl2: the tables of activities in weapon_*.cpp.
var armedIdles = map[string]string{
	"weapon_alyxgun": "ACT_IDLE_PISTOL", "weapon_pistol": "ACT_IDLE_PISTOL",
	"weapon_ar2": "ACT_IDLE_SMG1", "weapon_shotgun": "ACT_IDLE_SMG1", "weapon_smg1": "ACT_IDLE_SMG1",
	"weapon_citizenpackage": "ACT_IDLE_PACKAGE", "weapon_citizensuitcase": "ACT_IDLE_SUITCASE",
	"weapon_crowbar": "ACT_IDLE_ANGRY_MELEE", "weapon_oldmanharpoon": "ACT_IDLE_SUITCASE", "weapon_rpg": "ACT_IDLE_RPG",
}

// characters are the people and monsters whose class does not start with npc_; cyclers are models that play a sequence. Source SDK 2013,
// game/server: genericmonster.cpp, genericactor.cpp, h_cycler.cpp.
var (
	characters = map[string]bool{"monster_generic": true, "monster_furniture": true, "generic_actor": true, "cycler_actor": true,
		"hostage_entity": true}
	cyclers = map[string]bool{"cycler": true, "model_studio": true, "cycler_blender": true}
)

// stand sets the sequence that an entity shows when the map starts, and whether it plays: characters idle and ignore the keys; others
// obey them, and play their DefaultAnim again and again (props.cpp, CDynamicProp::AnimThink) unless HoldAnimation ends it. With
// RandomAnimation they stand until a random time, and DefaultAnim does not count (CDynamicProp::Spawn). Cyclers play their first sequence
// (h_cycler.cpp).
func stand(l *world.Appearance, e *world.Entity) {
	class := strings.ToLower(e.Class())
	if !isCharacter(e) {
		if random, _ := e.Float("RandomAnimation"); random == 0 {
			l.Animation = entlump.Lower(e.Value("DefaultAnim"))
		}
		if l.Animation != "" || cyclers[class] && l.Sequence == 0 {
			l.Plays = world.Repeated
		}
		if hold, _ := e.Float("HoldAnimation"); hold == 1 && l.Plays == world.Repeated {
			l.Plays = world.Once
		}
		return
	}
	l.Sequence, l.Plays = 0, world.Repeated
	first := idles[class]
	if e.Bits("spawnflags")&first.unless != 0 {
		first.activity = ""
	}
	for _, activity := range []string{first.activity, armedIdles[strings.ToLower(strings.TrimSpace(e.Value("additionalequipment")))],
		"ACT_IDLE"} {
		if activity != "" {
			l.Activities = append(l.Activities, activity)
		}
	}
}

// isCharacter reports whether an entity is a person or a monster, which has idle and scripts.
func isCharacter(e *world.Entity) bool {
	class := strings.ToLower(e.Class())
	return strings.HasPrefix(class, "npc_") || characters[class]
}

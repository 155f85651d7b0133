package movers

import "strings"

// What makes an entity move that does not do so by itself.
const (
	byName   = "name"   // another entity, by its name
	byTouch  = "touch"  // who touches it, or stands on it
	byUse    = "use"    // who uses it
	byDamage = "damage" // who shoots it
)

// quakeTrigger is what triggers an entity of Quake and the games on its rules: QuakeWorld, progs, doors.qc, plats.qc, buttons.qc; Quake II,
// g_func.c; Quake III Arena, g_mover.c.
func quakeTrigger(m *mover) string {
	health := m.nonzero("health", 0) > 0
	switch class := strings.ToLower(m.e.Class()); {
	case health, strings.HasSuffix(class, "_secret") && !m.named():
		return byDamage
	case m.named(), strings.HasSuffix(class, "train"), class == "func_rotating", class == "func_water":
		return byName
	}
	return byTouch
}

// quakeDoorTrigger is quakeTrigger, and a door that is not linked has no field in front of it: without a name, nothing opens it but a key.
// QuakeWorld, progs, doors.qc, LinkDoors, door_touch.
func quakeDoorTrigger(m *mover) string {
	by := quakeTrigger(m)
	if by == byTouch && strings.EqualFold(m.e.Class(), "func_door") && m.flag(dontLink) && !m.flag(m.class.keyFlags) {
		return ""
	}
	return by
}

// The spawnflags of GoldSrc's and Source's doors and buttons that say what triggers them. A GoldSrc door has the first one alone.
const (
	doorUse, doorTouch                   = 256, 1024
	buttonTouch, buttonDamage, buttonUse = 256, 512, 1024
)

// goldSrcTrigger is what triggers an entity of GoldSrc: Half-Life SDK, doors.cpp, buttons.cpp, plats.cpp.
func goldSrcTrigger(m *mover) string {
	class := strings.ToLower(m.e.Class())
	button, door := strings.Contains(class, "button"), strings.HasPrefix(class, "func_door") || class == "func_water"
	switch {
	case button && m.nonzero("health", 0) > 0:
		return byDamage
	case button && (class == "momentary_rot_button" || !m.flag(buttonTouch)), door && m.flag(doorUse):
		return byUse
	case button, !m.named() && (door || strings.HasPrefix(class, "func_plat")):
		return byTouch
	}
	return byName
}

// sourceTrigger is what triggers an entity of Source: Source SDK 2013, doors.cpp, buttons.cpp, props.cpp, plats.cpp.
func sourceTrigger(m *mover) string {
	class := strings.ToLower(m.e.Class())
	button, door := strings.HasSuffix(class, "button"), strings.HasPrefix(class, "func_door")
	switch {
	case class == "prop_door_rotating", class == "momentary_rot_button", button && m.flag(buttonUse), door && m.flag(doorUse):
		return byUse
	case button && m.flag(buttonDamage):
		return byDamage
	case button && m.flag(buttonTouch), door && m.flag(doorTouch), strings.HasPrefix(class, "func_plat") && !m.named():
		return byTouch
	}
	return byName
}

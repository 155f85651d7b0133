package movers

import "strings"

// What triggers an entity that does not move by itself. These are values in reports and extras.
const (
	byName   = "name"   // another entity triggers it by its name
	byTouch  = "touch"  // touching it, or standing on it
	byUse    = "use"    // using it
	byDamage = "damage" // shooting it
)

// quakeTriggers is what triggers the entities of Quake and of games with its rules: QuakeWorld, progs, doors.qc,
// plats.qc, buttons.qc; Quake II, g_func.c; Quake III Arena, g_mover.c.
type quakeTriggers struct {
	namedButtons bool // touching triggers also a button with a name
	shotFlag     int  // spawnflag of secret doors with a name that shooting triggers
	secretHealth bool // shooting triggers secret doors with health
	links        bool // an unlinked door has no trigger field in front of it: without a name, only a key opens it
}

// of returns what triggers an entity.
func (r quakeTriggers) of(m *mover) string {
	health, class := m.nonzero("health", 0) > 0, strings.ToLower(m.e.Class())
	secret := class == "func_door_secret"
	switch {
	case secret && (!m.named() || m.flag(r.shotFlag)), health && (!secret || r.secretHealth):
		return byDamage
	case r.namedButtons && class == "func_button", m.flag(m.class.keyFlags): // by whoever has the key
		return byTouch
	case m.named(), strings.HasSuffix(class, "train"), class == "func_rotating", class == "func_water":
		return byName
	case r.links && class == "func_door" && m.flag(dontLink):
		return ""
	}
	return byTouch
}

// touchFlag is the spawnflag of Return to Castle Wolfenstein's doors and buttons that are triggered by touch.
const touchFlag = 8

// wolfTrigger is what triggers the doors and buttons of Return to Castle Wolfenstein. By default players use them:
// SP/code/game, g_mover.c, finishSpawningKeyedMover; g_cmds.c, Cmd_Activate_f.
func wolfTrigger(m *mover) string {
	class := strings.ToLower(m.e.Class())
	door := class != "func_button"
	switch {
	case m.nonzero("health", 0) != 0:
		return byDamage
	case door && m.named():
		return byName
	case m.flag(touchFlag) && class != "func_door_rotating":
		return byTouch
	case class == "func_secret":
		return ""
	}
	return byUse
}

// The spawnflags of movers of Raven's games.
const (
	movedByForce = 2
	locked       = 16
	playerUse    = 64
)

// ravenDoorTrigger is what triggers doors of Raven's games. A locked one opens by touch once another entity has
// unlocked it. OpenJK, codemp, game, g_mover.c, SP_func_door.
func ravenDoorTrigger(m *mover) string {
	switch {
	case m.nonzero("health", 0) != 0 && !m.flag(locked):
		return byDamage
	case m.flag(playerUse|movedByForce) && !m.flag(locked):
		return byUse
	case m.named():
		return byName
	}
	return byTouch
}

// The spawnflags that state what triggers GoldSrc's and Source's doors and buttons. Of those of doors, GoldSrc has
// only the first.
const (
	doorUse, doorTouch                   = 256, 1024
	buttonTouch, buttonDamage, buttonUse = 256, 512, 1024
	doorIgnoresUse                       = 32768
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
	health := m.nonzero("health", 0) > 0
	switch {
	case strings.HasPrefix(class, "prop_door_rotating") && !m.flag(doorIgnoresUse), button && m.flag(buttonUse), door && m.flag(doorUse):
		return byUse
	case class == "func_button" && (m.flag(buttonDamage) || health), class == "func_rot_button" && health:
		return byDamage
	case button && m.flag(buttonTouch), door && m.flag(doorTouch), strings.HasPrefix(class, "func_plat") && !m.named():
		return byTouch
	}
	return byName
}

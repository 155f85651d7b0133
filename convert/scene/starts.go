package scene

import "strings"

// notStarts are the beginnings of classes that have "spawn" in their names and spawn something else, or are areas.
var notStarts = []string{
	"func_", "weapon_", "item_", "ammo_", "upgrade_", "trigger_", "npc_", "monster_", "logic_", "env_", "prop_", "target_", "point_", "game_",
}

// IsPlayerStart reports whether players start at entities of a class, in any of the games: info_player_start and its kin,
// team_CTF_redplayer, info_survivor_position of Left 4 Dead, and whatever is a spawn point by its name. Case does not matter.
func IsPlayerStart(class string) bool {
	class = strings.ToLower(class)
	switch {
	case strings.HasPrefix(class, "info_player"), strings.HasPrefix(class, "info_survivor_"), class == "info_deathmatch",
		class == "gmod_player_start":
		return true
	case strings.HasPrefix(class, "team_ctf_") && strings.HasSuffix(class, "player"):
		return true
	case class == "worldspawn" || strings.Contains(class, "despawn") || !strings.Contains(class, "spawn"):
		return false
	}
	for _, start := range notStarts {
		if strings.HasPrefix(class, start) {
			return false
		}
	}
	return true
}

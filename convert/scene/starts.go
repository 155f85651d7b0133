package scene

import (
	"math"
	"strings"
)

// notStarts are prefixes of classes with "spawn" in their names that are no player starts: they spawn something else, or are areas.
var notStarts = []string{
	"func_", "weapon_", "item_", "ammo_", "upgrade_", "trigger_", "npc_", "monster_", "logic_", "env_", "prop_", "target_", "point_", "game_",
}

// IsPlayerStart reports whether players start at entities of a class, in any of the games: info_player_start and its kin,
// team_CTF_redplayer, info_survivor_position of Left 4 Dead, and other classes whose names say so. Case does not matter.
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

// StartCamera is the name of the node with the camera of the first view.
const StartCamera = "player_start_camera"

// HasStartCamera reports whether the scene has the camera of the first view.
func (s *Scene) HasStartCamera() bool { return s.startCamera() >= 0 }

func (s *Scene) startCamera() int {
	for i := range s.Nodes {
		if s.Nodes[i].Camera != None && s.Nodes[i].Name == StartCamera {
			return i
		}
	}
	return -1
}

// PlaceStartCamera moves the camera of the first view, if there is one, to an eye.
func (s *Scene) PlaceStartCamera(e Eye) {
	i := s.startCamera()
	if i < 0 {
		return
	}
	round := func(v float64) float64 { return math.Round(1e6*v) / 1e6 }
	n := &s.Nodes[i]
	n.Translation = [3]float64{round(e.Position[0]), round(e.Position[1]), round(e.Position[2])}
	// First up or down, about the camera's X axis, then around, about the scene's Y axis.
	sx, cx, sy, cy := math.Sin(e.Pitch/2), math.Cos(e.Pitch/2), math.Sin(e.Yaw/2), math.Cos(e.Yaw/2)
	n.Rotation = [4]float64{round(cy * sx), round(sy * cx), round(-sy * sx), round(cy * cx)}
}

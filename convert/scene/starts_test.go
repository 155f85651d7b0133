package scene

import (
	"math"
	"testing"
)

func TestPlayerStarts(t *testing.T) {
	for class, want := range map[string]bool{
		"info_player_deathmatch": true, "info_player_start": true, "team_CTF_redspawn": true, "team_CTF_blueplayer": true,
		"info_ff_teamspawn": true, "info_survivor_position": true, "info_coop_spawn": true, "info_spawnpoint_human": true,
		"gmod_player_start": true, "ins_spawnpoint": true, "worldspawn": false, "light": false, "func_despawn": false,
		"func_respawnroom": false, "weapon_rifle_spawn": false, "team_CTF_redflag": false, "": false,
	} {
		if got := IsPlayerStart(class); got != want {
			t.Errorf("%q: %v, want %v", class, got, want)
		}
	}
}

// The camera of the first view looks where the eye looks: at a yaw of a quarter turn to the left along -X, and half down.
func TestStartCameraLooksAlongTheEye(t *testing.T) {
	n := NewNode(StartCamera, None)
	n.Camera = 0
	s := &Scene{Nodes: []Node{NewNode("root", None), n}}
	s.PlaceStartCamera(Eye{Position: [3]float64{1, 2, 3}, Pitch: -math.Pi / 4, Yaw: math.Pi / 2})
	q := s.Nodes[1].Rotation
	// The rotation of (0, 0, -1): the negative third column of its matrix.
	look := [3]float64{-2 * (q[0]*q[2] + q[1]*q[3]), -2 * (q[1]*q[2] - q[0]*q[3]), -(1 - 2*(q[0]*q[0]+q[1]*q[1]))}
	for k, want := range [3]float64{-math.Sqrt2 / 2, -math.Sqrt2 / 2, 0} {
		if math.Abs(look[k]-want) > 1e-5 {
			t.Fatalf("looks along %.3f", look)
		}
	}
	if s.Nodes[1].Translation != [3]float64{1, 2, 3} || !s.HasStartCamera() {
		t.Errorf("%+v", s.Nodes[1])
	}
}

package scene

import "testing"

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

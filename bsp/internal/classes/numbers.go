package classes

import (
	"math"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// firstNumber is that of the first entity of a Quake III map, after 64 players and 8 dead bodies. Quake III Arena, game, g_main.c
// (G_InitGame) and g_client.c (InitBodyQue).
const firstNumber = 64 + 8

// numbered are the classes that Quake III's and OpenArena's code knows, but those of items and those that it removes at once: light,
// misc_model, info_null, func_group and, unless their game is played, obelisks. An entity of any other class gives its number back, which
// the next one takes. g_spawn.c (spawns), g_utils.c (G_Spawn).
const numbered = `info_player_start info_player_deathmatch info_player_intermission info_player_dd info_player_dd_red info_player_dd_blue
	domination_point info_player_dom_red info_player_dom_blue info_notnull info_camp func_plat func_button func_door func_static
	func_rotating func_bobbing func_pendulum func_train func_timer trigger_always trigger_multiple trigger_push trigger_teleport
	trigger_hurt target_give target_remove_powerups target_delay target_speaker target_print target_laser target_score target_teleporter
	target_relay target_kill target_position target_location target_push path_corner misc_teleporter_dest misc_portal_surface
	misc_portal_camera shooter_rocket shooter_grenade shooter_plasma team_CTF_redplayer team_CTF_blueplayer team_CTF_redspawn
	team_CTF_bluespawn item_botroam`

// numberedItems are the classes of items, which keep their numbers even if the game does not show them. bg_misc.c (bg_itemlist).
const numberedItems = `item_armor_shard item_armor_combat item_armor_body item_health_small item_health item_health_large item_health_mega
	weapon_gauntlet weapon_shotgun weapon_machinegun weapon_grenadelauncher weapon_rocketlauncher weapon_lightning weapon_railgun
	weapon_plasmagun weapon_bfg weapon_grapplinghook ammo_shells ammo_bullets ammo_grenades ammo_cells ammo_lightning ammo_rockets
	ammo_slugs ammo_bfg holdable_teleporter holdable_medkit item_quad item_enviro item_haste item_invis item_regen item_flight
	team_CTF_redflag team_CTF_blueflag holdable_kamikaze holdable_portal holdable_invulnerability ammo_nails ammo_mines ammo_belt
	item_scout item_guard item_doubler item_ammoregen team_CTF_neutralflag item_redcube item_bluecube weapon_nailgun
	weapon_prox_launcher weapon_chaingun`

var isNumbered = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for class := range strings.FieldsSeq(numbered + " " + numberedItems) {
		out[class] = true
	}
	return out
})

// numbers returns how many numbers Quake III's game gives an entity that it has when it starts: a platform without a name has a trigger as
// well. g_mover.c (SP_func_plat, SP_path_corner, SP_func_train).
func numbers(e *world.Entity) int {
	class := e.Class()
	switch {
	case !isNumbered()[class],
		class == "path_corner" && e.Value("targetname") == "", class == "func_train" && e.Value("target") == "":
		return 0
	case class == "func_plat" && e.Value("targetname") == "":
		return 2
	}
	return 1
}

// paced returns how an item with a number floats: highest at a time of -1 second, and then at the faster a pace the greater its number.
// Quake III Arena, cgame, cg_ents.c (CG_Item): cos((time + 1000) * (0.005 + number * 0.00001)) of milliseconds.
func paced(h *world.Hover, number int) *world.Hover {
	if h == nil || h.Bob == 0 {
		return h
	}
	own := *h
	own.BobPeriod, own.Ahead = float32(2*math.Pi/(5+float64(number)/100)), 1
	return &own
}

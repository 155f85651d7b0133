package classes

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// itemModel is a file for classes whose models the games' code names. A class of several rows shows the models of all.
type itemModel struct {
	families Family
	file     string // with % for the class's part
	models   string // "class:part", separated by spaces
	look     world.Appearance
	scale    float32                                // 0 means 1
	when     func(e, worldspawn *world.Entity) bool // which entities show it; nil means all
}

// How items turn and float. Each of Quake III's floats at a pace of its own (paced). Weapons turn about their middle. Quake III Arena,
// cgame, cg_ents.c (CG_Item) and cg_predict.c. Those of Quake, Quake II and DarkPlaces turn by 100 degrees in a second: Quake, cl_main.c
// (EF_ROTATE).
var (
	floats   = &world.Hover{Rise: 4, Bob: 4}
	turns    = &world.Hover{TurnPeriod: 2.048, Rise: 4, Bob: 4}
	turnFast = &world.Hover{TurnPeriod: 1.024, Rise: 4, Bob: 4}
	weapon   = &world.Hover{TurnPeriod: 2.048, Rise: 12, Bob: 4, Centered: true}
	turnFlat = &world.Hover{TurnPeriod: 3.6}
)

// arenaItems are those of Quake III and its kin; powerups come later. Quake III Arena and Team Arena, game, bg_misc.c (bg_itemlist);
// Nexuiz, qcsrc/server, t_items.qc, and for the classes of other games t_quake.qc and t_quake3.qc. Which of Nexuiz' models turn is a flag
// in their files.
func arenaItems() []itemModel {
	return []itemModel{
		{families: Quake3, file: "models/powerups/%.md3", models: `item_armor_shard:armor/shard
		item_armor_combat:armor/armor_yel item_armor_body:armor/armor_red
		ammo_shells:ammo/shotgunam ammo_bullets:ammo/machinegunam ammo_grenades:ammo/grenadeam ammo_cells:ammo/plasmaam
		ammo_lightning:ammo/lightningam ammo_rockets:ammo/rocketam ammo_slugs:ammo/railgunam ammo_bfg:ammo/bfgam
		ammo_nails:ammo/nailgunam ammo_mines:ammo/proxmineam ammo_belt:ammo/chaingunam
		holdable_teleporter:holdable/teleporter holdable_medkit:holdable/medkit holdable_portal:holdable/porter
		holdable_invulnerability:holdable/invulnerability`, look: world.Appearance{Hover: turns}},
		{families: Quake3, file: "models/powerups/%.md3", models: "holdable_kamikaze:kamikazi", look: world.Appearance{Hover: turns}, scale: 2},
		{families: Quake3, file: "models/powerups/health/%_cross.md3", models: health,
			look: world.Appearance{Hover: turnFast}},
		{families: Quake3, file: "models/powerups/health/%_sphere.md3", models: health,
			look: world.Appearance{Hover: floats}},
		{families: Quake3, file: "models/%.md3", models: `weapon_gauntlet:weapons2/gauntlet/gauntlet weapon_shotgun:weapons2/shotgun/shotgun
		weapon_machinegun:weapons2/machinegun/machinegun weapon_grenadelauncher:weapons2/grenadel/grenadel
		weapon_rocketlauncher:weapons2/rocketl/rocketl weapon_lightning:weapons2/lightning/lightning
		weapon_railgun:weapons2/railgun/railgun weapon_plasmagun:weapons2/plasma/plasma weapon_bfg:weapons2/bfg/bfg
		weapon_grapplinghook:weapons2/grapple/grapple weapon_nailgun:weapons/nailgun/nailgun
		weapon_prox_launcher:weapons/proxmine/proxmine weapon_chaingun:weapons/vulcan/vulcan`, look: world.Appearance{Hover: weapon}, scale: 1.5},
		{families: Quake3, file: "models/flags/%.md3", models: "team_ctf_redflag:r_flag team_ctf_blueflag:b_flag", look: world.Appearance{Hover: turns}},

		{families: DarkPlaces, file: "models/items/%.md3", models: `item_armor_small:g_a1 item_armor1:g_a1
		item_armor_shard:g_a1 item_armor_medium:g_armormedium
		item_armor_combat:g_armormedium item_enviro:g_armormedium item_armor_big:g_a50 item_armor_large:g_a25 item_armor25:g_a25
		item_armor2:g_a25 item_armor_body:g_a25 item_health_small:g_h1 item_health1:g_h1 item_health_medium:g_h25 item_health25:g_h25
		item_health:g_h25 item_health_large:g_h50 item_health_mega:g_h100 item_health100:g_h100 item_fuel:g_fuel`,
			look: world.Appearance{Hover: turnFlat}},
		{families: DarkPlaces, file: "models/items/%.md3", models: `item_rockets:a_rockets ammo_rockets:a_rockets
		ammo_grenades:a_rockets item_cells:a_cells
		ammo_lightning:a_cells ammo_cells:a_cells ammo_slugs:a_cells ammo_bfg:a_cells item_shells:a_shells ammo_shells:a_shells`},
		{families: DarkPlaces, file: "models/items/%.mdl", models: "item_bullets:a_bullets item_spikes:a_bullets ammo_bullets:a_bullets"},
		{families: DarkPlaces, file: "models/weapons/g_%.md3", models: `weapon_laser:laser weapon_shotgun:shotgun weapon_uzi:uzi
		weapon_machinegun:uzi
		weapon_supershotgun:uzi weapon_grenadelauncher:gl weapon_electro:electro weapon_lightning:electro weapon_nailgun:electro
		weapon_crylink:crylink weapon_plasmagun:crylink weapon_nex:nex weapon_railgun:nex weapon_minstanex:minstanex weapon_hagar:hagar
		weapon_bfg:hagar weapon_supernailgun:hagar weapon_rocketlauncher:rl weapon_porto:porto weapon_hook:hookgun weapon_hlac:hlac
		weapon_tuba:tuba weapon_campingrifle:campingrifle weapon_fireball:fireball weapon_seeker:fireball`,
			look: world.Appearance{Hover: turnFlat}},
	}
}

// flagged returns the condition that of the spawnflags in mask those of value are set.
func flagged(mask, value int) func(e, worldspawn *world.Entity) bool {
	return func(e, _ *world.Entity) bool { return e.Bits("spawnflags")&mask == value }
}

// ofWorld returns the condition that worldspawn's worldtype, 0 unless it is set, has a value.
func ofWorld(kind string) func(e, worldspawn *world.Entity) bool {
	return func(_, worldspawn *world.Entity) bool {
		value := strings.TrimSpace(worldspawn.Value("worldtype"))
		return value == kind || value == "" && kind == "0"
	}
}

// idling returns the look of what plays so many frames from one on.
func idling(frame, frames, skin int) world.Appearance {
	return world.Appearance{Frame: frame, Frames: frames, Plays: world.Repeated, Skin: skin}
}

// strogg are the files of Quake II's monsters.
const strogg = "models/monsters/%/tris.md2"

// health is the parts of Quake III's health, whose models are a cross and a sphere.
const health = "item_health_small:small item_health:medium item_health_large:large item_health_mega:mega"

// quakeItems are Quake's. Quake, progs (version 1.06): items.qc, misc.qc, and the files of the monsters; which models turn, a flag in their
// files, is in models.qc. The boss comes later.
func quakeItems() []itemModel {
	return []itemModel{
		{families: Quake, file: "progs/%.mdl", models: `item_armor1:armor weapon_supershotgun:g_shot weapon_nailgun:g_nail
		weapon_supernailgun:g_nail2 weapon_grenadelauncher:g_rock weapon_rocketlauncher:g_rock2 weapon_lightning:g_light
		item_artifact_invulnerability:invulner item_artifact_envirosuit:suit item_artifact_invisibility:invisibl
		item_artifact_super_damage:quaddama`, look: world.Appearance{Hover: turnFlat}},
		{families: Quake, file: "progs/%.mdl", models: "item_armor2:armor", look: world.Appearance{Hover: turnFlat, Skin: 1}},
		{families: Quake, file: "progs/%.mdl", models: "item_armorinv:armor", look: world.Appearance{Hover: turnFlat, Skin: 2}},
		{families: Quake, file: "progs/w_%.mdl", models: "item_key1:s_key item_key2:g_key", look: world.Appearance{Hover: turnFlat}, when: ofWorld("0")},
		{families: Quake, file: "progs/m_%.mdl", models: "item_key1:s_key item_key2:g_key", look: world.Appearance{Hover: turnFlat}, when: ofWorld("1")},
		{families: Quake, file: "progs/b_%.mdl", models: "item_key1:s_key item_key2:g_key", look: world.Appearance{Hover: turnFlat}, when: ofWorld("2")},
		{families: Quake, file: "progs/%.mdl", models: "item_sigil:end1", look: world.Appearance{Hover: turnFlat}, when: flagged(15, 1)},
		{families: Quake, file: "progs/%.mdl", models: "item_sigil:end2", look: world.Appearance{Hover: turnFlat}, when: flagged(14, 2)},
		{families: Quake, file: "progs/%.mdl", models: "item_sigil:end3", look: world.Appearance{Hover: turnFlat}, when: flagged(12, 4)},
		{families: Quake, file: "progs/%.mdl", models: "item_sigil:end4", look: world.Appearance{Hover: turnFlat}, when: flagged(8, 8)},

		// Lamps with a body, whose frames are groups that play by themselves. That of a large flame is the second.
		{families: Quake, file: "progs/%.mdl", models: `light_torch_small_walltorch:flame light_flame_small_yellow:flame2
		light_flame_small_white:flame2`, look: idling(0, 1, 0)},
		{families: Quake, file: "progs/%.mdl", models: "light_flame_large_yellow:flame2", look: idling(1, 1, 0)},
		{families: Quake, file: "progs/%.spr", models: "light_globe:s_light"},

		{families: Quake, file: "progs/%.mdl", models: "monster_army:soldier", look: idling(0, 8, 0)},
		{families: Quake, file: "progs/%.mdl", models: `monster_ogre:ogre monster_ogre_marksman:ogre monster_knight:knight
		monster_hell_knight:hknight`, look: idling(0, 9, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_enforcer:enforcer", look: idling(0, 7, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_demon1:demon", look: idling(0, 13, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_shambler:shambler", look: idling(0, 17, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_dog:dog", look: idling(69, 9, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_zombie:zombie", look: idling(0, 15, 0), when: flagged(1, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_zombie:zombie", look: idling(192, 6, 0), when: flagged(1, 1)},
		{families: Quake, file: "progs/%.mdl", models: "monster_wizard:wizard", look: idling(0, 8, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_fish:fish", look: idling(39, 18, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_oldone:oldone", look: idling(0, 46, 0)},
		{families: Quake, file: "progs/%.mdl", models: "monster_shalrath:shalrath", look: world.Appearance{Frame: 23}},
		{families: Quake, file: "progs/%.mdl", models: "monster_tarbaby:tarbaby"},
	}
}

// quake2Items are Quake II's. Quake II, game: g_items.c (itemlist, SP_item_health), g_misc.c, m_*.c and the frames' numbers in m_*.h.
// Flag 1 of an item and 2 of a monster let it wait until it is triggered.
func quake2Items() []itemModel {
	return []itemModel{
		{families: Quake2, file: "models/items/%/tris.md2", models: `item_armor_body:armor/body item_armor_combat:armor/combat
		item_armor_jacket:armor/jacket item_armor_shard:armor/shard item_power_screen:armor/screen item_power_shield:armor/shield
		item_quad:quaddama item_invulnerability:invulner item_silencer:silencer item_breather:breather item_enviro:enviro
		item_ancient_head:c_head item_adrenaline:adrenal item_bandolier:band item_pack:pack key_data_cd:keys/data_cd
		key_power_cube:keys/power key_pyramid:keys/pyramid key_data_spinner:keys/spinner key_pass:keys/pass key_blue_key:keys/key
		key_red_key:keys/red_key key_airstrike_target:keys/target`, look: world.Appearance{Hover: turnFlat}, when: flagged(1, 0)},
		{families: Quake2, file: "models/weapons/%/tris.md2", models: `weapon_shotgun:g_shotg weapon_supershotgun:g_shotg2
		weapon_machinegun:g_machn weapon_chaingun:g_chain weapon_grenadelauncher:g_launch weapon_rocketlauncher:g_rocket
		weapon_hyperblaster:g_hyperb weapon_railgun:g_rail weapon_bfg:g_bfg`, look: world.Appearance{Hover: turnFlat}, when: flagged(1, 0)},
		{families: Quake2, file: "models/items/%/tris.md2", models: `ammo_grenades:ammo/grenades/medium ammo_shells:ammo/shells/medium
		ammo_bullets:ammo/bullets/medium ammo_cells:ammo/cells/medium ammo_rockets:ammo/rockets/medium ammo_slugs:ammo/slugs/medium
		item_health:healing/medium item_health_small:healing/stimpack item_health_large:healing/large item_health_mega:mega_h`,
			when: flagged(1, 0)},
		{families: Quake2, file: strogg, models: "key_commander_head:commandr/head", when: flagged(1, 0)},

		{families: Quake2, file: "models/%/tris.md2", models: `misc_explobox:objects/barrels misc_satellite_dish:objects/satellite
		light_mine1:objects/minelite/light1 light_mine2:objects/minelite/light2 misc_teleporter_dest:objects/dmspot
		misc_bigviper:ships/bigviper monster_commander_body:monsters/commandr`},
		{families: Quake2, file: "models/objects/%/tris.md2", models: "misc_teleporter:dmspot", look: world.Appearance{Skin: 1}},
		{families: Quake2, file: "models/objects/%/tris.md2", models: "misc_banner:banner", look: idling(0, 16, 0)},
		{families: Quake2, file: "models/objects/%/tris.md2", models: "misc_blackhole:black", look: idling(0, 19, 0)},
		{families: Quake2, file: strogg, models: "misc_eastertank:tank", look: idling(254, 39, 0)},
		{families: Quake2, file: strogg, models: "misc_easterchick:bitch", look: idling(208, 39, 0)},
		{families: Quake2, file: strogg, models: "misc_easterchick2:bitch", look: idling(248, 39, 0)},

		{families: Quake2, file: strogg, models: "misc_insane:insane", look: idling(59, 6, 0), when: flagged(8, 0)},
		{families: Quake2, file: strogg, models: "misc_insane:insane", look: idling(252, 15, 0), when: flagged(8, 8)},
		{families: Quake2, file: strogg, models: "monster_berserk:berserk", look: idling(0, 5, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_gladiator:gladiatr", look: idling(0, 7, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_gunner:gunner monster_hover:hover monster_tank:tank",
			look: idling(0, 30, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_tank_commander:tank", look: idling(0, 30, 2), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_brain:brain", look: idling(162, 30, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_flyer:flyer", look: idling(13, 45, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_parasite:parasite", look: idling(83, 17, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_chick:bitch", look: idling(121, 30, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_floater:float", look: idling(144, 52, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_mutant:mutant", look: idling(62, 51, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_soldier_light:soldier", look: idling(146, 30, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_soldier:soldier", look: idling(146, 30, 2), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_soldier_ss:soldier", look: idling(146, 30, 4), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_infantry:infantry", look: idling(50, 22, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_medic:medic", look: idling(12, 90, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_flipper:flipper", look: world.Appearance{Frame: 41}, when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_supertank:boss1", look: idling(194, 60, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_boss2:boss2", look: idling(0, 21, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_boss3_stand:boss3/rider", look: idling(414, 60, 0)},
		{families: Quake2, file: strogg, models: "monster_jorg:boss3/jorg", look: idling(112, 51, 0), when: flagged(2, 0)},
		{families: Quake2, file: strogg, models: "monster_jorg:boss3/rider", look: idling(112, 51, 0), when: flagged(2, 0)},
	}
}

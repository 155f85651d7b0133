package valve

import (
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// classModels maps classes to the models that the games' code gives them if the entity has no key model. If games
// disagree, it is the model of the game that had the class first. Paths are below models/. Source SDK 2013, game/server;
// the games' .fgd files.
var classModels = sync.OnceValue(func() map[string]string {
	return map[string]string{
		// Half-Life 2 and its episodes: people and monsters.
		"npc_alyx": "alyx", "npc_antlion": "antlion", "npc_antlionguard": "antlion_guard", "npc_barnacle": "barnacle", "npc_barney": "barney",
		"npc_breen": "breen", "npc_clawscanner": "shield_scanner", "npc_combine_camera": "combine_camera/combine_camera",
		"npc_combine_s": "combine_soldier", "npc_combinedropship": "combine_dropship", "npc_combinegunship": "gunship", "npc_crow": "crow",
		"npc_cscanner": "combine_scanner", "npc_dog": "dog", "npc_eli": "eli", "npc_fastzombie": "zombie/fast",
		"npc_fastzombie_torso": "gibs/fast_zombie_torso", "npc_gman": "gman", "npc_headcrab": "headcrabclassic",
		"npc_headcrab_black": "headcrabblack",
		"npc_headcrab_fast":  "headcrab", "npc_headcrab_poison": "headcrabblack", "npc_helicopter": "combine_helicopter",
		"npc_hunter":      "hunter",
		"npc_ichthyosaur": "ichthyosaur", "npc_kleiner": "kleiner", "npc_magnusson": "magnusson", "npc_manhack": "manhack",
		"npc_metropolice": "police", "npc_monk": "monk", "npc_mossman": "mossman", "npc_pigeon": "pigeon", "npc_poisonzombie": "zombie/poison",
		"npc_rollermine": "roller", "npc_seagull": "seagull", "npc_stalker": "stalker", "npc_strider": "combine_strider",
		"npc_turret_ceiling": "combine_turrets/ceiling_turret", "npc_turret_floor": "combine_turrets/floor_turret",
		"npc_turret_ground": "combine_turrets/ground_turret", "npc_vortigaunt": "vortigaunt", "npc_zombie": "zombie/classic",
		"npc_zombie_torso": "zombie/classic_torso", "npc_zombine": "zombie/zombie_soldier",

		// Items and weapons.
		"item_ammo_357": "items/357ammo", "item_ammo_357_large": "items/357ammobox", "item_ammo_ar2": "items/combine_rifle_cartridge01",
		"item_ammo_ar2_altfire": "items/combine_rifle_ammo01", "item_ammo_ar2_large": "items/combine_rifle_cartridge01",
		"item_ammo_crossbow": "items/crossbowrounds", "item_ammo_pistol": "items/boxsrounds", "item_ammo_pistol_large": "items/boxsrounds",
		"item_ammo_smg1": "items/boxmrounds", "item_ammo_smg1_grenade": "items/ar2_grenade", "item_ammo_smg1_large": "items/boxmrounds",
		"item_battery": "items/battery", "item_box_buckshot": "items/boxbuckshot", "item_healthcharger": "props_combine/health_charger001",
		"item_healthkit": "items/healthkit", "item_healthvial": "healthvial", "item_item_crate": "items/item_item_crate",
		"item_rpg_round": "weapons/w_missile_closed", "item_suit": "items/hevsuit", "item_suitcharger": "props_combine/suit_charger001",
		"prop_thumper": "props_combine/combinethumper002",

		"weapon_357": "weapons/w_357", "weapon_alyxgun": "weapons/w_alyx_gun", "weapon_annabelle": "weapons/w_annabelle",
		"weapon_ar2": "weapons/w_irifle", "weapon_bugbait": "weapons/w_bugbait", "weapon_crossbow": "weapons/w_crossbow",
		"weapon_crowbar": "weapons/w_crowbar", "weapon_frag": "weapons/w_grenade", "weapon_physcannon": "weapons/w_physics",
		"weapon_pistol": "weapons/w_pistol", "weapon_rpg": "weapons/w_rocket_launcher", "weapon_shotgun": "weapons/w_shotgun",
		"weapon_slam": "weapons/w_slam", "weapon_smg1": "weapons/w_smg1", "weapon_striderbuster": "magnusson_device",
		"weapon_stunstick": "weapons/w_stunbaton",

		// Counter-Strike: Source.
		"hostage_entity": "characters/hostage_01", "weapon_ak47": "weapons/w_rif_ak47", "weapon_aug": "weapons/w_rif_aug",
		"weapon_awp": "weapons/w_snip_awp",
		"weapon_c4":  "weapons/w_c4", "weapon_deagle": "weapons/w_pist_deagle", "weapon_elite": "weapons/w_pist_elite",
		"weapon_famas": "weapons/w_rif_famas", "weapon_fiveseven": "weapons/w_pist_fiveseven", "weapon_flashbang": "weapons/w_eq_flashbang",
		"weapon_g3sg1": "weapons/w_snip_g3sg1", "weapon_galil": "weapons/w_rif_galil", "weapon_glock": "weapons/w_pist_glock18",
		"weapon_hegrenade": "weapons/w_eq_fraggrenade", "weapon_knife": "weapons/w_knife_t", "weapon_m249": "weapons/w_mach_m249para",
		"weapon_m3": "weapons/w_shot_m3super90", "weapon_m4a1": "weapons/w_rif_m4a1", "weapon_mac10": "weapons/w_smg_mac10",
		"weapon_mp5navy": "weapons/w_smg_mp5", "weapon_p228": "weapons/w_pist_p228", "weapon_p90": "weapons/w_smg_p90",
		"weapon_scout": "weapons/w_snip_scout", "weapon_sg550": "weapons/w_snip_sg550", "weapon_sg552": "weapons/w_rif_sg552",
		"weapon_smokegrenade": "weapons/w_eq_smokegrenade", "weapon_tmp": "weapons/w_smg_tmp", "weapon_ump45": "weapons/w_smg_ump45",
		"weapon_usp": "weapons/w_pist_usp", "weapon_xm1014": "weapons/w_shot_xm1014",

		// Team Fortress 2.
		"item_ammopack_full": "items/ammopack_large", "item_ammopack_medium": "items/ammopack_medium",
		"item_ammopack_small": "items/ammopack_small",
		"item_healthkit_full": "items/medkit_large", "item_healthkit_medium": "items/medkit_medium",
		"item_healthkit_small": "items/medkit_small",
		"item_teamflag":        "flag/briefcase",

		// Left 4 Dead and its successor.
		"weapon_adrenaline_spawn": "w_models/weapons/w_eq_adrenaline", "weapon_ammo_spawn": "props/terror/ammo_stack",
		"weapon_autoshotgun_spawn": "w_models/weapons/w_autoshot_m4super", "weapon_defibrillator_spawn": "w_models/weapons/w_eq_defibrillator",
		"weapon_first_aid_kit_spawn": "w_models/weapons/w_eq_medkit", "weapon_grenade_launcher_spawn": "w_models/weapons/w_grenade_launcher",
		"weapon_hunting_rifle_spawn": "w_models/weapons/w_sniper_mini14", "weapon_molotov_spawn": "w_models/weapons/w_eq_molotov",
		"weapon_pain_pills_spawn": "w_models/weapons/w_eq_painpills", "weapon_pipe_bomb_spawn": "w_models/weapons/w_eq_pipebomb",
		"weapon_pistol_spawn": "w_models/weapons/w_pistol_a", "weapon_pumpshotgun_spawn": "w_models/weapons/w_shotgun",
		"weapon_rifle_ak47_spawn": "w_models/weapons/w_rifle_ak47", "weapon_rifle_desert_spawn": "w_models/weapons/w_desert_rifle",
		"weapon_rifle_spawn": "w_models/weapons/w_rifle_m16a2", "weapon_shotgun_chrome_spawn": "w_models/weapons/w_pumpshotgun_a",
		"weapon_shotgun_spas_spawn": "w_models/weapons/w_shotgun_spas", "weapon_smg_silenced_spawn": "w_models/weapons/w_smg_a",
		"weapon_smg_spawn": "w_models/weapons/w_smg_uzi", "weapon_sniper_military_spawn": "w_models/weapons/w_sniper_military",
		"weapon_vomitjar_spawn": "w_models/weapons/w_eq_bile_flask",

		// Portal and its successor.
		"npc_portal_turret_floor": "props/turret_01", "npc_rocket_turret": "props_bts/rocket_sentry",
		"npc_security_camera": "props/security_camera",
		"prop_button":         "props/switch001", "prop_floor_button": "props/portal_button",
		"prop_testchamber_door": "props/portal_door_combined",
		"prop_tractor_beam":     "props/tractor_beam_emitter", "prop_under_button": "props_underground/underground_testchamber_button",
		"prop_under_floor_button": "props_underground/underground_floor_button", "prop_wall_projector": "props/wall_emitter",
		"prop_weighted_cube": "props/metal_box", "weapon_portalgun": "weapons/w_portalgun",
	}
})

// citizens maps citizentype (downtrodden, refugee, rebel) to the folder of models from which the game picks one.
var citizens = map[string]string{"2": "group02", "3": "group03"}

// classModel returns the model file that the game gives an entity's class, or "".
func classModel(e *world.Entity) string {
	class := strings.ToLower(e.Class())
	if class == "npc_citizen" {
		group := citizens[strings.TrimSpace(e.Value("citizentype"))]
		if group == "" {
			group = "group01"
		}
		return "models/humans/" + group + "/male_07.mdl"
	}
	if name := classModels()[class]; name != "" {
		return "models/" + name + ".mdl"
	}
	return ""
}

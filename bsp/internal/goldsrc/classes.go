package goldsrc

// goldSrcClasses maps classes of Half-Life to the models that entities without a key model show. Half-Life SDK, dlls.
var goldSrcClasses = map[string]string{
	"ammo_357": "w_357ammobox", "ammo_9mmar": "w_9mmarclip", "ammo_9mmbox": "w_chainammo", "ammo_9mmclip": "w_9mmclip",
	"ammo_argrenades": "w_argrenade", "ammo_buckshot": "w_shotbox", "ammo_crossbow": "w_crossbow_clip", "ammo_gaussclip": "w_gaussammo",
	"ammo_rpgclip": "w_rpgammo",

	"item_airtank": "w_oxygen", "item_antidote": "w_antidote", "item_battery": "w_battery", "item_healthkit": "w_medkit",
	"item_longjump": "w_longjump", "item_security": "w_security", "item_suit": "w_suit",

	"monster_alien_controller": "controller", "monster_alien_grunt": "agrunt", "monster_alien_slave": "islave", "monster_apache": "apache",
	"monster_barnacle": "barnacle", "monster_barney": "barney", "monster_barney_dead": "barney", "monster_bigmomma": "big_mom",
	"monster_bullchicken": "bullsquid", "monster_cockroach": "roach", "monster_gargantua": "garg", "monster_gman": "gman",
	"monster_headcrab": "headcrab", "monster_hevsuit_dead": "player", "monster_hgrunt_dead": "hgrunt", "monster_houndeye": "houndeye",
	"monster_human_assassin": "hassassin", "monster_human_grunt": "hgrunt", "monster_ichthyosaur": "icky", "monster_leech": "leech",
	"monster_miniturret": "miniturret", "monster_nihilanth": "nihilanth", "monster_osprey": "osprey", "monster_rat": "bigrat",
	"monster_scientist": "scientist", "monster_scientist_dead": "scientist", "monster_sentry": "sentry",
	"monster_sitting_scientist": "scientist",
	"monster_tentacle":          "tentacle2", "monster_turret": "turret", "monster_zombie": "zombie",

	"weapon_357": "w_357", "weapon_9mmar": "w_9mmar", "weapon_9mmhandgun": "w_9mmhandgun", "weapon_crossbow": "w_crossbow",
	"weapon_crowbar": "w_crowbar", "weapon_egon": "w_egon", "weapon_gauss": "w_gauss", "weapon_glock": "w_9mmhandgun",
	"weapon_handgrenade": "w_grenade", "weapon_hornetgun": "w_hgun", "weapon_mp5": "w_9mmar", "weapon_python": "w_357",
	"weapon_rpg": "w_rpg", "weapon_satchel": "w_satchel", "weapon_shotgun": "w_shotgun", "weapon_snark": "w_sqknest",

	"xen_hair": "hair", "xen_plantlight": "light", "xen_spore_large": "fungus(large)", "xen_spore_medium": "fungus",
	"xen_spore_small": "fungus(small)",
	"xen_tree":        "tree",
}

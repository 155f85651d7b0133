package classes

import (
	"cmp"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Item is a model that a game's code gives an entity for its class.
type Item struct {
	Entity int    // its index
	Model  string // a file's name
	Hover  *world.Hover
	Scale  float32
}

// ware is a kind of classes whose models the games' code names. A class of several wares shows the models of all.
type ware struct {
	families Family
	file     string // with % for the class's part
	models   string // "class:part", separated by spaces
	hover    *world.Hover
	scale    float32 // 0 means 1
}

// How items turn and float. Quake III's turn once in 2.048 or 1.024 seconds, and each floats at a pace of its own, at about that of the
// second; whole seconds let the loops of a map end together. Weapons turn about their middle. Quake III Arena, cgame, cg_ents.c (CG_Item).
// Those of Quake, Quake II and DarkPlaces turn by 100 degrees in a second: Quake, cl_main.c (EF_ROTATE).
var (
	floats   = &world.Hover{Rise: 4, Bob: 4, Beat: 1}
	turns    = &world.Hover{Turn: 2, Rise: 4, Bob: 4, Beat: 1}
	turnFast = &world.Hover{Turn: 1, Rise: 4, Bob: 4, Beat: 1}
	weapon   = &world.Hover{Turn: 2, Rise: 12, Bob: 4, Beat: 1, Centered: true}
	turnFlat = &world.Hover{Turn: 3.6}
)

// wares lists the items that a game without teams shows when the map starts; powerups come later. Quake III Arena and Team Arena, game,
// bg_misc.c (bg_itemlist); Nexuiz, qcsrc/server, t_items.qc, and for the classes of other games t_quake.qc and t_quake3.qc. Which of
// Nexuiz' models turn is a flag in their files.
var wares = []ware{
	{Quake3, "models/powerups/%.md3", `item_armor_shard:armor/shard item_armor_combat:armor/armor_yel item_armor_body:armor/armor_red
		ammo_shells:ammo/shotgunam ammo_bullets:ammo/machinegunam ammo_grenades:ammo/grenadeam ammo_cells:ammo/plasmaam
		ammo_lightning:ammo/lightningam ammo_rockets:ammo/rocketam ammo_slugs:ammo/railgunam ammo_bfg:ammo/bfgam
		ammo_nails:ammo/nailgunam ammo_mines:ammo/proxmineam ammo_belt:ammo/chaingunam
		holdable_teleporter:holdable/teleporter holdable_medkit:holdable/medkit holdable_portal:holdable/porter
		holdable_invulnerability:holdable/invulnerability`, turns, 0},
	{Quake3, "models/powerups/%.md3", "holdable_kamikaze:kamikazi", turns, 2},
	{Quake3, "models/powerups/health/%_cross.md3", "item_health_small:small item_health:medium item_health_large:large item_health_mega:mega",
		turnFast, 0},
	{Quake3, "models/powerups/health/%_sphere.md3", "item_health_small:small item_health:medium item_health_large:large item_health_mega:mega",
		floats, 0},
	{Quake3, "models/%.md3", `weapon_gauntlet:weapons2/gauntlet/gauntlet weapon_shotgun:weapons2/shotgun/shotgun
		weapon_machinegun:weapons2/machinegun/machinegun weapon_grenadelauncher:weapons2/grenadel/grenadel
		weapon_rocketlauncher:weapons2/rocketl/rocketl weapon_lightning:weapons2/lightning/lightning
		weapon_railgun:weapons2/railgun/railgun weapon_plasmagun:weapons2/plasma/plasma weapon_bfg:weapons2/bfg/bfg
		weapon_grapplinghook:weapons2/grapple/grapple weapon_nailgun:weapons/nailgun/nailgun
		weapon_prox_launcher:weapons/proxmine/proxmine weapon_chaingun:weapons/vulcan/vulcan`, weapon, 1.5},
	{Quake3, "models/flags/%.md3", "team_ctf_redflag:r_flag team_ctf_blueflag:b_flag", turns, 0},

	{DarkPlaces, "models/items/%.md3", `item_armor_small:g_a1 item_armor1:g_a1 item_armor_shard:g_a1 item_armor_medium:g_armormedium
		item_armor_combat:g_armormedium item_enviro:g_armormedium item_armor_big:g_a50 item_armor_large:g_a25 item_armor25:g_a25
		item_armor2:g_a25 item_armor_body:g_a25 item_health_small:g_h1 item_health1:g_h1 item_health_medium:g_h25 item_health25:g_h25
		item_health:g_h25 item_health_large:g_h50 item_health_mega:g_h100 item_health100:g_h100 item_fuel:g_fuel`, turnFlat, 0},
	{DarkPlaces, "models/items/%.md3", `item_rockets:a_rockets ammo_rockets:a_rockets ammo_grenades:a_rockets item_cells:a_cells
		ammo_lightning:a_cells ammo_cells:a_cells ammo_slugs:a_cells ammo_bfg:a_cells item_shells:a_shells ammo_shells:a_shells`, nil, 0},
	{DarkPlaces, "models/items/%.mdl", "item_bullets:a_bullets item_spikes:a_bullets ammo_bullets:a_bullets", nil, 0},
	{DarkPlaces, "models/weapons/g_%.md3", `weapon_laser:laser weapon_shotgun:shotgun weapon_uzi:uzi weapon_machinegun:uzi
		weapon_supershotgun:uzi weapon_grenadelauncher:gl weapon_electro:electro weapon_lightning:electro weapon_nailgun:electro
		weapon_crylink:crylink weapon_plasmagun:crylink weapon_nex:nex weapon_railgun:nex weapon_minstanex:minstanex weapon_hagar:hagar
		weapon_bfg:hagar weapon_supernailgun:hagar weapon_rocketlauncher:rl weapon_porto:porto weapon_hook:hookgun weapon_hlac:hlac
		weapon_tuba:tuba weapon_campingrifle:campingrifle weapon_fireball:fireball weapon_seeker:fireball`, turnFlat, 0},
}

// offer is a ware, and the part of a class in its file's name.
type offer struct {
	ware *ware
	part string
}

// offers returns the wares by class.
var offers = sync.OnceValue(func() map[string][]offer {
	out := map[string][]offer{}
	for i := range wares {
		for row := range strings.FieldsSeq(wares[i].models) {
			class, part, _ := strings.Cut(row, ":")
			out[class] = append(out[class], offer{&wares[i], part})
		}
	}
	return out
})

// Items returns the models that the games' code gives the classes of entities and shows when the map starts, in order. Of a team of
// entities only the first is shown.
func Items(f Family, entities []world.Entity) (list []Item) {
	led := map[string]bool{}
	for i := range entities {
		e := &entities[i]
		if !free(e) {
			continue
		}
		if team := e.Value("team"); team != "" {
			if led[team] {
				continue
			}
			led[team] = true
		}
		if e.Value("targetname") != "" {
			continue
		}
		for _, o := range offers()[strings.ToLower(e.Class())] {
			if o.ware.families&f != 0 {
				list = append(list, Item{Entity: i, Model: strings.Replace(o.ware.file, "%", o.part, 1), Hover: o.ware.hover,
					Scale: cmp.Or(o.ware.scale, 1)})
			}
		}
	}
	return list
}

// free reports whether a game for all against all has an entity. Quake III Arena, game, g_spawn.c (G_SpawnGEntityFromVars); OpenArena's
// has the key !gametype, too. Nexuiz, qcsrc/server, t_items.qc (StartItem).
func free(e *world.Entity) bool {
	const game = "ffa"
	for _, key := range []string{"notfree", "notq3a"} {
		if off, _ := e.Float(key); off != 0 {
			return false
		}
	}
	types, some := e.Lookup("gametype")
	return (!some || strings.Contains(types, game)) && !strings.Contains(e.Value("!gametype"), game)
}

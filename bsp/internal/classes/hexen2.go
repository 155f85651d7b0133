package classes

import "github.com/bsp2gltf/bsp2gltf/world"

// quick is the look of what plays so many frames from one on, twenty in a second: HX_FRAME_TIME.
func quick(frame, frames, skin int) world.Appearance {
	look := idling(frame, frames, skin)
	look.Rate = 2
	return look
}

// slow is the same with five in a second.
func slow(frame, frames, skin int) world.Appearance {
	look := idling(frame, frames, skin)
	look.Rate = 0.5
	return look
}

// hexen2Items are Hexen II's. Raven's HexenC, as published with Hammer of Thyrion: gamecode/hc/h2, the files of the monsters with their
// $frame lists, items.hc, artifact.hc, light.hc and torch.hc. Which items turn is a flag in their files, and which weapon a class of player
// finds is the player's matter: neither is here. Of a random size the mean is taken.
func hexen2Items() []itemModel {
	return []itemModel{
		{families: Hexen2, file: "models/i_%.mdl", models: `item_health:hboost item_mana_green:gmana item_mana_blue:bmana item_mana_both:btmana
		item_armor_helmet:helmet item_armor_breastplate:bplate item_armor_bracer:bracer item_armor_amulet:amulet`},
		{families: Hexen2, file: "models/a_%.mdl", models: `art_haste:haste art_polymorph:poly art_glyph:glyph art_invisibility:invis
		art_invincibility:invinc art_cubeofforce:cube art_summon:summon art_tomeofpower:tome art_teleport:telprt art_manaboost:mboost
		art_blastradius:blast art_torch:torch art_healthboost:hboost art_superhboost:shbost`},
		{families: Hexen2, file: "models/%.mdl", models: `light_torch_small_walltorch:flame light_flame_large_yellow:flame1
		light_flame_small_yellow:flame2 light_flame_small_white:flame2`, look: idling(0, 1, 0)},
		{families: Hexen2, file: "models/%.mdl", models: "light_gem:gemlight"},
		{families: Hexen2, file: "models/%.spr", models: "light_globe:s_light"},

		{families: Hexen2, file: "models/%.mdl", models: "monster_archer:archer", look: quick(159, 18, 0)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_archer_lord:archer", look: quick(159, 18, 1)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_medusa:medusa monster_medusa_green:medusa monster_medusa_red:medusa",
			look: quick(174, 29, 0)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_mezzoman:mezzoman monster_werejaguar:mezzoman", look: quick(180, 10, 0)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_werepanther:mezzoman", look: quick(180, 10, 1)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_skull_wizard:skullwiz", look: quick(106, 19, 0)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_skull_wizard_lord:skullwiz", look: quick(106, 19, 1), scale: 1.2},
		{families: Hexen2, file: "models/%.mdl", models: "monster_spider_red_large:spider", look: quick(16, 25, 0), scale: 1.25},
		{families: Hexen2, file: "models/%.mdl", models: "monster_spider_red_small:spider", look: quick(16, 25, 0), scale: 0.8},
		{families: Hexen2, file: "models/%.mdl", models: "monster_spider_yellow_large:spider", look: quick(16, 25, 1), scale: 1.25},
		{families: Hexen2, file: "models/%.mdl", models: "monster_spider_yellow_small:spider", look: quick(16, 25, 1), scale: 0.8},
		{families: Hexen2, file: "models/golem_%.mdl", models: "monster_golem_stone:s monster_golem_iron:i monster_golem_bronze:b",
			look: slow(0, 22, 0)},
		{families: Hexen2, file: "models/boss/%.mdl", models: "monster_eidolon:smaleido", look: quick(45, 16, 0)},

		// They hover with spawnflag 2, else crouch. Flag 16 is a gargoyle, of stone, raised and larger: left out, as the lord is.
		{families: Hexen2, file: "models/%.mdl", models: "monster_imp_fire:imp", look: quick(78, 24, 0), when: flagged(2|16, 0)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_imp_fire:imp", look: quick(35, 20, 0), when: flagged(2|16, 2)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_imp_ice:imp", look: quick(78, 24, 1), when: flagged(2|16, 0)},
		{families: Hexen2, file: "models/%.mdl", models: "monster_imp_ice:imp", look: quick(35, 20, 1), when: flagged(2|16, 2)},

		// These wait in one frame, or choose frames by chance.
		{families: Hexen2, file: "models/%.mdl", models: "monster_mummy:mummy", look: world.Appearance{Frame: 83}},
		{families: Hexen2, file: "models/%.mdl", models: "monster_mummy_lord:mummy", look: world.Appearance{Frame: 83, Skin: 1}},
		{families: Hexen2, file: "models/%.mdl", models: "monster_scorpion_yellow:scorpion", look: world.Appearance{Frame: 129}},
		{families: Hexen2, file: "models/%.mdl", models: "monster_scorpion_black:scorpion", look: world.Appearance{Frame: 129, Skin: 1}},
		{families: Hexen2, file: "models/%.mdl", models: "monster_fallen_angel:fangel", look: world.Appearance{Frame: 91}},
		{families: Hexen2, file: "models/%.mdl", models: "monster_fallen_angel_lord:fangel", look: world.Appearance{Frame: 91, Skin: 1}},
		{families: Hexen2, file: "models/%.mdl", models: "monster_fish:fish monster_rat:rat monster_raven:raven monster_hydra:hydra monster_snake:snake"},
	}
}

package classes

// rules lists the classes that the games draw specially; all others are drawn. A full name takes precedence over a
// prefix, a longer prefix over a shorter one.
//
// Quake and its mission packs, progs; Quake II, game; Half-Life SDK, dlls; Quake III, Wolfenstein, Enemy Territory and
// Jedi Academy, game; Nexuiz, qcsrc; Source SDK 2013, game/server, and the games' .fgd files.
func rules() []rule {
	return []rule{
		// Volumes: InitTrigger and equivalents.
		{all, "trigger_*", never, never, true},
		{q3, "func_ladder func_rain func_snow func_pointparticles", never, nil, true},
		{Wolfenstein, "func_invisible_user", never, nil, true},
		{Raven, "misc_weather_zone", never, nil, true},
		{Quake, "func_togglewall func_particlefield", never, nil, true}, // of the first mission pack: both are felt only
		{Quake2, "func_areaportal func_killbox", never, nil, true},
		{GoldSrc, `env_bubbles env_rain env_snow func_bomb_target func_buyzone func_clip func_escapezone func_friction func_grencatch
		func_hostage_rescue func_ladder func_monsterclip func_mortar_field func_nobuild func_nobuyzone func_nogrenades
		func_op4mortarcontroller func_rain func_snow func_tankcontrols func_traincontrols func_vip_safetyzone func_weaponcheck
		dod_capture_area game_zone_player`, never, nil, true},
		{Source, `dod_capture_area env_bubbles env_embers env_physics_blocker env_player_blocker fog_volume func_block_charge
		func_bomb_target func_buyzone func_capturezone func_changeclass func_clip_interaction_layer func_clip_vphysics
		func_combine_ball_spawner func_croc func_dustcloud func_dustmotes func_fish_pool func_flagdetectionzone func_hostage_rescue
		func_ladder func_nav_* func_no_defuse func_nobuild func_nogrenades func_noportal_volume func_null func_occluder
		func_passtime_* func_playerghostinfected_clip func_playerinfected_clip func_portal_bumper func_portal_detector
		func_portal_orientation func_powerupvolume func_precipitation func_precipitation_blocker func_ragdoll_fader
		func_regenerate func_respawnflag func_respawnroom func_simpleladder func_smokevolume func_suggested_build
		func_tfbot_hint func_upgradestation func_useableladder func_vehicleclip func_viscluster info_* script_*`, never, never, true},
		{Source, "trigger_portal_cleanser", nil, never, false}, // its client draws the field

		// Brushes that are shown later.
		{GoldSrc | Source, "func_wall_toggle", unlessFirst, nil, false},
		{Source, "func_brush", enabled, nil, false},
		{Source, "prop_dynamic*", nil, enabled, false},
		{Source, "prop_dynamic_ornament", nil, never, false}, // until another wears it
		{Quake, "func_episodegate", never, nil, false},       // until the rune of the episode is found
		{Quake2, "func_wall", wallQuake2, nil, false},
		{Quake2, "func_explosive", unlessFirst, nil, false},
		{Quake2, "func_object", unflagged, nil, false},
		{Wolfenstein, "func_constructible", only(1), only(1), false},
		{Wolfenstein, "func_explosive func_static script_mover", unlessFirst, unlessFirst, false},
		{Raven, "func_usable func_wall", unlessFirst, unlessFirst, false},
		{GoldSrc, "env_sprite", nil, unnamedOr(1), false},

		// Point entities, which ignore the key model.
		{all &^ Source, "info_*", nil, never, false},
		{all, `path_* game_* multi_manager monstermaker squadmaker gibshooter scripted_* aiscripted_* target_* player_*`, nil, never, false},
		// There torches and mines are lamps with a body.
		{all &^ (Quake | Hexen2 | Quake2), "light*", nil, never, false},
		// The compiler makes surfaces of a misc_model.
		{q3, "misc_model misc_teleporter_dest misc_portal_camera misc_portal_surface shooter_* corona dlight", nil, never, false},
		// A team of Nexuiz or Xonotic; the model is that of the points which it holds (domination.qc, dom_team).
		{q3, "dom_team", nil, never, false},
		{GoldSrc, "env_* ambient_generic speaker momentary_target multisource node_*", nil, never, false},
		{GoldSrc, "env_glow env_model* env_spritetrain env_studio*", nil, nil, false},
		{Source, `ai_* ambient_* assault_* bot_* color_correction* commentary_* env_* filter_* func_instance* hammer_* keyframe_* logic_*
		material_* math_* move_* multisource npc_antlion_template_maker npc_template_maker npc_hunter_maker npc_apcdriver
		npc_bullseye npc_enemyfinder* npc_heli_* npc_maker
		npc_vehicledriver phys_ballsocket phys_constraint* phys_convert phys_hinge phys_keepupright phys_lengthconstraint
		phys_motor phys_pulleyconstraint phys_ragdollconstraint phys_ragdollmagnet phys_slideconstraint phys_spring
		phys_thruster phys_torque point_* postprocess_controller shadow_control sky_camera skybox_swapper soundent
		speaker sunlight_* tanktrain_* team_round_timer template_* tf_gamerules tf_logic_* vgui_* water_lod_control`, nil, never, false},
		{Source, "npc_headcrab npc_headcrab_fast npc_headcrab_black npc_headcrab_poison npc_antlion npc_antlionguard", nil, unburied, false},
		{Source, "npc_* generic_actor monster_generic cycler_actor", nil, awake, false},
		{Source, "env_sprite* env_glow env_effectscript env_flare env_headcrabcanister env_model* point_spotlight", nil, nil, false},
	}
}

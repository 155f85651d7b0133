package classes

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
)

// effect says what the games draw for some classes, and we don't.
type effect struct {
	families Family
	classes  string // in lower case, separated by spaces; one that ends in * matches a prefix
	what     string
}

// effects are the classes of entities that the games draw and that are not shown. Source SDK 2013, game/server and game/client,
// and Valve's wiki for later games, Black Mesa (newLight, newxog) and Strata; Half-Life SDK, dlls; Quake II, game; Jedi Academy,
// game, and Nexuiz, qcsrc.
var effects = []effect{
	{Source, `env_bubbles env_citadel_energy_core env_dustpuff env_embers env_fire env_smokestack env_smoketrail env_spark env_steam
	func_dustcloud func_dustmotes func_precipitation func_smokevolume info_particle_system`, "particles"},
	{Source, "env_beam env_laser env_portal_laser env_quadraticbeam", "a beam"},
	{Source, "prop_tractor_beam prop_wall_projector", "a bridge or a beam of light that carries"},
	{Source, "env_sun", "the disc of the sun"},
	{Source, "env_cascade_light sunlight_shadow_control", "shadows of the sun in real time"},
	{Source, "env_deferred_light env_global_light newlight_*", "light in real time"},
	{Source, "env_volumetric_fog_controller fog_volume newxog_* obb_fogvolume obb_volumefog", "fog in a volume"},
	{Source, "color_correction* env_dof_controller env_screeneffect godrays_settings postprocess_controller",
		"a change of the whole picture"},
	{Source, "func_monitor movie_display vgui_*", "a screen with a picture that the game draws"},
	{Source, "point_worldtext", "text"},
	{Source, "func_fish_pool", "fish"},
	{Source, "func_reflective_glass prop_mirror", "a mirror"},
	{Source, "linked_portal_door", "a view of another place"},
	{Source, "tf_glow", "a glow around an entity"},
	{Source, "info_projecteddecal", "a decal that the game projects"},
	{GoldSrc, "env_beam env_laser env_lightning", "a beam"},
	{GoldSrc, "env_bubbles env_rain env_snow env_spark func_rain func_snow", "particles"},
	{Quake | Hexen2, "air_bubbles func_particlefield fx_particle* misc_fireball misc_snow misc_rain", "particles"},
	{Quake2, "target_laser", "a beam"},
	{Quake2, "misc_flare", "a flare"},
	{Quake2, "dynamic_light", "light in real time"},
	{Quake2, "info_world_text", "text"},
	{q3, "func_rain func_snow func_pointparticles fx_* misc_weather_zone", "particles"},
	{q3, "misc_portal_surface", "a view of another place"},
}

// Effect returns what a game draws for an entity's class and we don't, or "".
func Effect(f Family, class string) string {
	for i := range effects {
		if effects[i].families&f == 0 {
			continue
		}
		for name := range strings.FieldsSeq(effects[i].classes) {
			if wildcard.Match(name, class) {
				return effects[i].what
			}
		}
	}
	return ""
}

// Effects returns the table of what the games draw and we don't, for the documents: by row the classes, and what they are.
func Effects() (rows [][2]string) {
	for _, e := range effects {
		rows = append(rows, [2]string{strings.Join(strings.Fields(e.classes), " "), e.what})
	}
	return rows
}

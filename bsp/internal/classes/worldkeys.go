package classes

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// worldKey says what the games draw by some keys of worldspawn, or by some ways in which a map names its sky and its decals.
type worldKey struct {
	families Family
	keys     string // separated by spaces, without a _ that may be before them
	what     string
	shown    bool // bsp2gltf does so
}

const quakes = Quake | Hexen2 | Quake2

// worldKeys are the keys of worldspawn that change a picture. QuakeSpasm, Ironwail and DarkPlaces, gl_sky.c, gl_fog.c, cl_parse.c; Q2PRO,
// g_spawn.c; Daemon, tr_bsp.cpp; Source SDK 2013, world.cpp; Xash3D, sv_game.c.
var worldKeys = []worldKey{
	{Source | GoldSrc | quakes | q3 | DarkPlaces, "skyname sky qlsky", "the six pictures of the sky", true},
	{Source, "detailmaterial", "the picture of detail sprites", true},
	{Quake | Hexen2, "fog skyfog", "fog", true},
	{Quake2, "fog_density fog_color fog_sky_factor", "fog of the re-release", true},
	{Quake2, "heightfog_density heightfog_falloff heightfog_start_color heightfog_start_dist heightfog_end_color heightfog_end_dist",
		"fog that depends on the height", false},
	{DarkPlaces, "fog fog_density fog_red fog_green fog_blue fog_alpha fog_start fog_end", "fog", true},
	{Quake | Hexen2, "wateralpha lavaalpha slimealpha telealpha", "the opacity of liquids", true},
	{GoldSrc, "WaveHeight", "the height of waves", true},
	{GoldSrc, "litwater litwater_scale litwater_minlight", "liquids in their light (Xash3D)", true},
	{GoldSrc | quakes, "wad", "archives of textures", true},
	{q3 | DarkPlaces, "gridsize", "the cells of the light grid", true},
	{q3 | DarkPlaces, "deluxeMapping mapOverBrightBits lightingIntensity", "how light is stored", true},
	{Raven, "ls_*", "patterns of light styles", true},
	{Quake2, "skyrotate skyaxis skyautorotate", "the sky turns", false},
	{DarkPlaces, "fog_height fog_fadedepth fog_heighttexture", "the fog ends at a height", false},
	{Source, "minpropscreenwidth", "props fade by their size on the screen", false},
	{q3, "ambientColor reflectionMapSize colorGrade hdrRGBE", "colours of Daemon's engine", false},
}

// looks are the ways in which skies and decals come into a map.
var looks = []worldKey{
	{Source | GoldSrc | quakes | q3 | DarkPlaces, "sky: six pictures", "a box around the map", true},
	{quakes, "sky: a texture of two layers", "clouds that move", true},
	{q3 | DarkPlaces, "sky: a script's skyparms and stages", "six pictures, and clouds over them", true},
	{Source, "sky: env_skypaint", "six pictures drawn from its keys (`sky-painted`)", true},
	{Source, "sky: sky_camera", "the 3D skybox", true},
	{Source, "decal: info_overlay, lump 45 and 60", "overlays, also on water", true},
	{Source | GoldSrc, "decal: infodecal", "what lies on surfaces when the map starts", true},
	{Source | GoldSrc, "decal: infodecal with a name", "not there when the map starts: the game shows it when it is triggered", true},
	{Source, "decal: info_projecteddecal", "a decal that the game projects", false},
	{q3, "decal: _decal", "surfaces, made by the compiler", true},
}

// WorldKey is a key of worldspawn by which the game draws what is not shown.
type WorldKey struct{ Key, What string }

// UnshownKeys returns worldspawn's keys that change the picture in the game and not here. Those that are 0 do nothing; skyaxis does so only
// where the sky turns.
func UnshownKeys(f Family, worldspawn *world.Entity) (out []WorldKey) {
	for i := range worldKeys {
		k := &worldKeys[i]
		if k.families&f == 0 || k.shown {
			continue
		}
		first := strings.Fields(k.keys)[0]
		for _, p := range worldspawn.Pairs {
			key := strings.TrimPrefix(strings.TrimRight(p.Key, " "), "_")
			if !slices.ContainsFunc(strings.Fields(k.keys), func(n string) bool { return strings.EqualFold(n, key) }) || isZero(p.Value) {
				continue
			}
			if x, _ := worldspawn.Float(first); strings.EqualFold(first, "skyrotate") && x == 0 {
				continue
			}
			out = append(out, WorldKey{key, k.what})
			break
		}
	}
	return out
}

// isZero reports whether a value is nothing, or zeros.
func isZero(value string) bool {
	return strings.Trim(value, " 0.") == "" || strings.TrimSpace(value) == "-1"
}

// WorldKeys returns the table of worldspawn's keys for the documents, and Looks that of skies and decals: by row the keys or ways, and what
// they are.
func WorldKeys() (rows [][2]string) { return rowsOf(worldKeys) }

// Looks returns the table of skies and decals.
func Looks() (rows [][2]string) { return rowsOf(looks) }

func rowsOf(list []worldKey) (rows [][2]string) {
	for _, k := range list {
		what := k.what
		if !k.shown {
			what += ": not shown (`entity-effect`)"
		}
		rows = append(rows, [2]string{k.keys, what})
	}
	return rows
}

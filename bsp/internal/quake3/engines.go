package quake3

import (
	"fmt"
	"io/fs"
	"math"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/fog"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// engine describes how a game shows stored light; a light of 1 shows a texture as it is.
type engine struct {
	page, vertex, grid channelGain
	ambient            float64 // is added to all light
	most               float64 // ends a sum of styles, or 0
	// styled: a sample of the grid without a first style is in a wall; else one without ambient light is.
	styled bool
	// filtered is DarkPlaces': world.BakedLight's Filtered and, with pages of directions, world.DisplayLight's Directed.
	filtered bool
	patched  bool                                           // it takes entities from a file beside the map, if there is one
	game     classes.Family                                 // whose movers and items are its own; 0 for the variant's
	foreign  bool                                           // its items are of models that are not known
	keyed    *worldspawnNumber                              // a key of worldspawn that changes the gains, or nil
	gamma    float64                                        // of the display, or 0
	models   *world.GridShare                               // world.Grid's Models
	fog      func(worldspawn *world.Entity) *world.RangeFog // the fog of its keys, or nil
}

// channelGain describes what an engine does with the channels of a stored colour: it multiplies them by before; where one exceeds white, it
// divides all by the greatest; then it multiplies them by after.
type channelGain struct{ before, after float64 }

// worldspawnNumber is a key of worldspawn with a number, and what the number makes of an engine.
type worldspawnNumber struct {
	key string
	by  func(e engine, x float64) engine
}

// withKeys returns the engine as the keys of a map's worldspawn change it, and the fog of these keys, or nil.
func (e engine) withKeys(entities []world.Entity) (engine, *world.RangeFog) {
	if len(entities) == 0 {
		return e, nil
	}
	var fog *world.RangeFog
	if e.fog != nil {
		fog = e.fog(&entities[0])
	}
	return e.withLight(&entities[0]), fog
}

// withLight returns the engine with the gains that a key of worldspawn changes.
func (e engine) withLight(worldspawn *world.Entity) engine {
	if e.keyed == nil {
		return e
	}
	if x, ok := worldspawn.Float(e.keyed.key); ok && x >= 0 {
		return e.keyed.by(e, x)
	}
	return e
}

// shifted returns an engine that shifts all light by a number of bits and lets it end at white, as an option asks for; with
// ownOverbright it is the engine itself.
func (e engine) shifted(bits int) engine {
	if bits <= ownOverbright {
		return e
	}
	shift := channelGain{math.Exp2(float64(min(bits, 8))), 1}
	return same(shift, engine{most: 1, styled: e.styled, filtered: e.filtered, models: e.models})
}

// same returns an engine with one gain for all kinds of light.
func same(g channelGain, e engine) engine {
	e.page, e.vertex, e.grid = g, g, g
	return e
}

// ownOverbright is the value of Options.Overbright that uses the engine's gains.
const ownOverbright = -1

// The engines with the settings that their games ship, in a window. docs/internals/light.md has the same table.
var (
	// Light is shifted by r_mapOverBrightBits (2) less the display's bits, which are 0 in a window. Quake III Arena, tr_init.c,
	// tr_bsp.c. Models have 0.6 of the grid's ambient light (r_ambientScale), and 32 of 255 more: tr_light.c, R_SetupEntityLighting.
	quake3Engine = same(channelGain{4, 1}, engine{most: 1, models: &world.GridShare{Share: 0.6, Least: 32.0 / 255}})

	// Return to Castle Wolfenstein and Enemy Territory set 2 and 0. iortcw and ET: Legacy, tr_init.c, tr_cvars.c. Their light on
	// models is not looked into.
	wolfenstein = same(channelGain{4, 1}, engine{most: 1})

	// Both shifts are 0 and can't be changed. ioq3 for Urban Terror 4, tr_init.c.
	urbanTerror = same(channelGain{1, 1}, engine{most: 1, foreign: true})

	// Raven's code has no shift for maps, and OpenJK's is 0. OpenJK, tr_init.cpp, tr_bsp.cpp; tr_light.cpp, R_SetupEntityLightingGrid.
	ravenEngine = same(channelGain{1, 1}, engine{most: 1, styled: true, patched: true})

	// Light is doubled and does not end. DarkPlaces, model_brush.c, Mod_Q3BSP_LoadLightmaps; gl_rmain.c.
	darkPlaces = same(channelGain{1, 2}, engine{filtered: true, patched: true, game: classes.DarkPlaces, fog: fog.DarkPlaces})

	// Nexuiz ships r_ambient 4 and v_gamma 1.125 (defaultNexuiz.cfg). A 64th of the former is added. DarkPlaces, gl_rmain.c,
	// R_UpdateVariables; vid_shared.c, VID_UpdateGamma.
	nexuiz = same(channelGain{1, 2}, engine{ambient: 4.0 / 64, gamma: 1.125, filtered: true, patched: true, game: classes.DarkPlaces,
		fog: fog.DarkPlaces})

	// Without its key, pages are shifted by one bit of two, and light is doubled when it is shown; with the key, light is multiplied by
	// it alone. Vertex colours are multiplied when they are read. Warfork, r_q3bsp.c, Mod_LoadLighting and Mod_LoadVertexes; r_light.c.
	qfusion = engine{page: channelGain{2, 2}, vertex: channelGain{2, 1}, grid: channelGain{1, 2},
		keyed: &worldspawnNumber{"_lightingIntensity", byIntensity}, foreign: true}

	// The map's bits are 2 or worldspawn's. One of them doubles light when it is shown; the others shift it before. Daemon, tr_bsp.cpp,
	// R_LoadEntities and R_ColorShiftLightingBytes.
	daemon = same(channelGain{2, 2}, engine{keyed: &worldspawnNumber{"mapOverBrightBits", byBits}, foreign: true, patched: true})
)

// byIntensity is qfusion for an intensity; 0 is as without the key.
func byIntensity(e engine, x float64) engine {
	if x > 0 {
		x = min(x, 64) // far above what maps have
		e.page, e.vertex, e.grid = channelGain{1, x}, channelGain{x, 1}, channelGain{1, x}
	}
	return e
}

// byBits is daemon for 0 to 3 bits.
func byBits(e engine, x float64) engine {
	bits := math.Floor(min(x, 3))
	return same(channelGain{math.Exp2(max(bits-1, 0)), math.Exp2(min(bits, 1))}, e)
}

// engineMark is a feature that identifies an engine: a class of entities, a key of worldspawn, or a file of the game.
type engineMark struct {
	class, key, file string
	game             string
	engine           engine
}

// engineMarks lists the marks of engines that show maps of Quake III's format. The first match counts.
var engineMarks = sync.OnceValue(func() []engineMark {
	return []engineMark{
		{class: "weapon_vortex", game: "Xonotic", engine: darkPlaces},
		{class: "weapon_crylink", game: "Nexuiz", engine: nexuiz},
		{class: "weapon_electro", game: "Nexuiz", engine: nexuiz},
		{class: "weapon_hagar", game: "Nexuiz", engine: nexuiz},
		{class: "weapon_nex", game: "Nexuiz", engine: nexuiz},
		{class: "weapon_uzi", game: "Nexuiz", engine: nexuiz},
		{class: "info_ut_spawn", game: "Urban Terror", engine: urbanTerror},
		{class: "weapon_riotgun", game: "Warsow or Warfork", engine: qfusion},
		{class: "weapon_electrobolt", game: "Warsow or Warfork", engine: qfusion},
		{class: "pos_player_spawn", game: "Unvanquished", engine: daemon},
		{class: "pos_alien_intermission", game: "Unvanquished", engine: daemon},
		{class: "pos_human_intermission", game: "Unvanquished", engine: daemon},
		{key: qfusion.keyed.key, game: "Warsow or Warfork", engine: qfusion},
		{key: daemon.keyed.key, game: "Unvanquished or another game of Daemon", engine: daemon},
		{file: "defaultNexuiz.cfg", game: "Nexuiz", engine: nexuiz},
		{file: "effectinfo.txt", game: "Nexuiz or another game of DarkPlaces", engine: darkPlaces},
		{file: "maps/*.mapinfo", game: "Nexuiz or another game of DarkPlaces", engine: darkPlaces},
		{file: "maps/*.rtlights", game: "Nexuiz or another game of DarkPlaces", engine: darkPlaces},
		{file: "DEPS", game: "Unvanquished or another game of Daemon", engine: daemon}, // a .dpk names the packages that it needs
	}
})

// marked reports whether maps of the variant are shown by engines that engineMarks tells apart.
func (v variant) marked() bool { return v.ident == "IBSP" && v.version == 46 }

// findMark returns the first mark that the entities or the files beside a map have, with the evidence, or nil.
func findMark(v variant, o Options, entities []world.Entity) (found *engineMark, why string) {
	if !v.marked() {
		return nil, ""
	}
	marks := engineMarks()
	present := make(map[string]bool, len(marks)) // classes of engineMarks
	for i := range entities {
		class := strings.ToLower(entities[i].Class())
		for _, m := range marks {
			if m.class != "" && m.class == class {
				present[class] = true
			}
		}
	}
	for i := range marks {
		m := &marks[i]
		file := strings.Replace(m.file, "*", o.Name, 1)
		switch {
		case present[m.class]:
			return m, fmt.Sprintf(", and has entities of the class %s", m.class)
		case m.key != "" && len(entities) > 0 && entities[0].Value(m.key) != "":
			return m, fmt.Sprintf(", and worldspawn has the key %s", m.key)
		case file != "" && o.Files != nil && fs.ValidPath(file) && isFile(o.Files, file):
			return m, fmt.Sprintf(", and %s is beside it", file)
		}
	}
	return nil, ""
}

func isFile(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

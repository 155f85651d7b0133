package quake3

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// engine describes how a game shows stored light.
type engine struct {
	overbright int            // bits by which light is shifted up
	beyond     bool           // light may exceed white; only the product with the texture is clamped
	movers     classes.Family // whose movers move as its own; 0 for the variant's
	filtered   bool           // a lightmap stage multiplies, whatever its blendFunc (model_shared.c, Mod_LoadTextureFromQ3Shader)
}

// ownOverbright is the value of Options.Overbright that uses the engine's shift.
const ownOverbright = -1

// quake3Engine shifts by r_mapOverBrightBits less the display's bits, which are 0 in a window. Quake III Arena, tr_init.c.
var quake3Engine = engine{overbright: 2}

// darkPlaces doubles light: 128 is white. DarkPlaces, model_brush.c, Mod_Q3BSP_LoadLightmaps; r_main.c.
var darkPlaces = engine{overbright: 1, beyond: true, filtered: true, movers: classes.DarkPlaces}

// engineMark is a feature that identifies an engine: a class of entities, or a file of the game.
type engineMark struct {
	class, file string
	game        string
	engine      engine
}

// engineMarks lists the marks of engines. The first match counts.
var engineMarks = []engineMark{
	{class: "weapon_vortex", game: "Xonotic", engine: darkPlaces},
	{class: "weapon_crylink", game: "Nexuiz", engine: darkPlaces},
	{class: "weapon_electro", game: "Nexuiz", engine: darkPlaces},
	{class: "weapon_hagar", game: "Nexuiz", engine: darkPlaces},
	{class: "weapon_nex", game: "Nexuiz", engine: darkPlaces},
	{class: "weapon_uzi", game: "Nexuiz", engine: darkPlaces},
	{file: "effectinfo.txt", game: "Nexuiz or another game of DarkPlaces", engine: darkPlaces},
	{file: "maps/*.mapinfo", game: "Nexuiz or another game of DarkPlaces", engine: darkPlaces},
	{file: "maps/*.rtlights", game: "Nexuiz or another game of DarkPlaces", engine: darkPlaces},
}

// marked reports whether maps of the variant are shown by engines that engineMarks tells apart.
func (v variant) marked() bool { return v.ident == "IBSP" && v.version == 46 }

// findMark returns the first mark that the entities or the files beside a map have, with the evidence, or nil.
func findMark(o Options, entities []world.Entity) (found *engineMark, why string) {
	present := make(map[string]bool, len(engineMarks)) // classes of engineMarks
	for i := range entities {
		class := strings.ToLower(entities[i].Class())
		for _, m := range engineMarks {
			if m.class != "" && m.class == class {
				present[class] = true
			}
		}
	}
	for i := range engineMarks {
		m := &engineMarks[i]
		file := strings.Replace(m.file, "*", o.Name, 1)
		switch {
		case present[m.class]:
			return m, fmt.Sprintf(", and has entities of the class %s", m.class)
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

package quake3

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// engine describes how a game shows stored light.
type engine struct {
	overbright int  // bits by which light is shifted up
	beyond     bool // light may exceed white; only the product with the texture is clamped
	filtered   bool // a lightmap stage multiplies, whatever its blendFunc (model_shared.c, Mod_LoadTextureFromQ3Shader)
}

// ownOverbright is the value of Options.Overbright that uses the engine's shift.
const ownOverbright = -1

// quake3Engine shifts by r_mapOverBrightBits less the display's bits, which are 0 in a window. Quake III Arena, tr_init.c.
var quake3Engine = engine{overbright: 2}

// darkPlaces doubles light: 128 is white. DarkPlaces, model_brush.c, Mod_Q3BSP_LoadLightmaps; r_main.c.
var darkPlaces = engine{overbright: 1, beyond: true, filtered: true}

// engineMarks lists features that identify an engine: classes of entities, or files of the game. The first match counts.
var engineMarks = []struct {
	class, file string
	game        string
	engine      engine
}{
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

// findEngine determines the engine of a map by its entities and the files beside it, and makes the curve of its light.
func (d *decoder) findEngine(context.Context) error {
	e := quake3Engine
	if d.v.ident == "IBSP" && d.v.version == 46 {
		e = d.engine()
	}
	if d.o.Overbright > ownOverbright {
		e = engine{overbright: d.o.Overbright, filtered: e.filtered}
	}
	d.curve = newCurve(e, d.o.Albedo)
	d.w.Baked.Filtered = e.filtered
	d.w.Baked.Styles = lift.Styles(d.w.Entities)
	d.w.Baked.Display = &world.DisplayLight{Albedo: d.curve.Albedo, Exponent: d.curve.Exponent}
	if !e.beyond {
		d.w.Baked.Display.Most = 1
	}
	return nil
}

// engine returns the engine of the first matching mark, else Quake III's.
func (d *decoder) engine() engine {
	classes := make(map[string]bool, len(engineMarks))
	for i := range d.w.Entities {
		class := strings.ToLower(d.w.Entities[i].Class())
		for _, m := range engineMarks {
			if m.class != "" && m.class == class {
				classes[class] = true
			}
		}
	}
	for _, m := range engineMarks {
		file := strings.Replace(m.file, "*", d.o.Name, 1)
		switch {
		case classes[m.class]:
			d.w.Format.Why += fmt.Sprintf(", and has entities of the class %s", m.class)
		case file != "" && d.o.Files != nil && fs.ValidPath(file) && isFile(d.o.Files, file):
			d.w.Format.Why += fmt.Sprintf(", and %s is beside it", file)
		default:
			continue
		}
		d.w.Format.Game = m.game
		return m.engine
	}
	return quake3Engine
}

func isFile(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

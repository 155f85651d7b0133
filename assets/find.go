package assets

import (
	"os"
	"path/filepath"
	"strings"
)

// bases are the folders that mods lie beside and borrow from.
var bases = []struct{ name, games string }{
	{"baseq3", "Quake III Arena, Quake Live"},
	{"baseoa", "OpenArena"},
	{"baseqz", "Quake Live (beta)"},
	{"baseef", "Star Trek Voyager: Elite Force"},
	{"basewsw", "Warsow"},
	{"basewf", "Warfork"},
	{"etmain", "Wolfenstein: Enemy Territory"},
	{"main", "Return to Castle Wolfenstein, Medal of Honor, Call of Duty"},
	{"valve", "Half-Life"},
	{"id1", "Quake"},
	{"baseq2", "Quake II"},
	{"base", "Jedi Knight, Soldier of Fortune II, Alice, Turtle Arena"},
}

// Find returns where a map's files may lie, for Open, when nobody said. mapPath is as for OpenMap and need not exist.
//
// For game/maps/x.bsp it is game, then the base games beside it, unless game is one itself. In place of game there
// may be game/y.pk3dir, which is then first. For a map in an archive it is the folder it lies in as game, with the
// archive itself before where a game folder would not have it (a .zip). For any other map it is the map's own folder.
func Find(mapPath string) []string {
	if archive, _, ok := splitArchive(mapPath); ok {
		game := filepath.Dir(archive)
		paths := []string{archive, game}
		if f := formatOf(archive); f != nil && f.mounted {
			paths = paths[1:] // the folder has it, where later archives win over it as in the game
		}
		return append(paths, basesBeside(game)...)
	}
	dir := filepath.Dir(mapPath)
	if lower(baseName(dir)) != "maps" {
		return []string{dir}
	}
	var paths []string
	game := parent(dir)
	if hasExt(baseName(game), folderExt) {
		paths = append(paths, game)
		game = parent(game)
	}
	paths = append(paths, game)
	return append(paths, basesBeside(game)...)
}

// parent is the folder above dir by name, also where dir is relative to the working directory.
func parent(dir string) string { return filepath.Join(dir, "..") }

// baseName is a folder's name, also of ".".
func baseName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return filepath.Base(dir)
}

// basesBeside returns the base games in the same folder as game, in the order of the table.
// It returns none if game is one: a base game borrows from nobody.
func basesBeside(game string) []string {
	own := lower(baseName(game))
	for _, b := range bases {
		if b.name == own {
			return nil
		}
	}
	beside, err := os.ReadDir(parent(game))
	if err != nil {
		return nil
	}
	var paths []string
	for _, b := range bases {
		for _, e := range beside {
			if p := filepath.Join(parent(game), e.Name()); lower(e.Name()) == b.name && isGame(p) {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// isGame tells whether a folder looks like a game's: names such as "main" and "base" are common.
func isGame(dir string) bool {
	entries, _ := os.ReadDir(dir) // none if it is no folder
	for _, e := range entries {
		switch name := lower(e.Name()); {
		case name == "maps", name == "scripts", name == "textures", strings.HasSuffix(name, folderExt):
			return true
		default:
			if f := formatOf(name); f != nil && f.mounted {
				return true
			}
		}
	}
	return false
}

package assets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type base struct{ name, games string }

// bases are the folders that mods lie beside and borrow from.
var bases = []base{
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

// annexes end the names of the folders beside a game of GoldSrc that belong to it: what players switched on, what servers
// sent, finer models. Half-Life of 2013 and later.
var annexes = []string{"_addon", "_downloads", "_hd"}

// Find returns where a map's files may lie, for Open, when nobody said. mapPath is as for OpenMap and need not exist.
//
// For game/maps/x.bsp it is game, then its annexes (for game_downloads: game and the other annexes), then the base games
// beside it, unless game is one itself. In place of game there may be game/y.pk3dir, which is then first. For a map in an
// archive it is the folder it lies in as game, with the archive itself before where a game folder would not have it (a
// .zip). For any other map it is the map's own folder. In Source's games the folder that game belongs to comes with it, as
// tf does for tf/custom/x/maps/y.bsp; Open follows the gameinfo.txt.
func Find(mapPath string) []string {
	if archive, _, ok := splitArchive(mapPath); ok {
		game := filepath.Dir(archive)
		paths := []string{archive, game}
		if isMounted(archive) {
			paths = paths[1:] // the folder has it, where later archives win over it as in the game
		}
		return append(paths, beside(game)...)
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
	if around := gameAround(game); around != "" {
		paths = append(paths, around)
	}
	return append(paths, beside(game)...)
}

// gameAround is the folder of Source's game that a folder belongs to, which is one or two above it: tf of tf/download and of
// tf/custom/x. It is "" where there is none, and where the folder has a gameinfo.txt itself.
func gameAround(game string) string {
	for up := range 3 {
		if _, ok := onDisk(filepath.Join(game, gameInfoName)); ok {
			if up == 0 {
				return ""
			}
			return game
		}
		game = parent(game)
	}
	return ""
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

// beside returns the folders beside game that it borrows from: what it is an annex of, its annexes, and the base games in
// the order of the table. A base game borrows from no other.
func beside(game string) []string {
	own := lower(baseName(game))
	whole := own
	for _, a := range annexes {
		whole = strings.TrimSuffix(whole, a)
	}
	names := []string{whole}
	for _, a := range annexes {
		names = append(names, whole+a)
	}
	if !slices.ContainsFunc(bases, func(b base) bool { return b.name == whole }) {
		for _, b := range bases {
			names = append(names, b.name)
		}
	}
	around, err := os.ReadDir(parent(game))
	if err != nil {
		return nil
	}
	var paths []string
	for _, name := range names {
		for _, e := range around {
			p := filepath.Join(parent(game), e.Name())
			if found := lower(e.Name()); found == name && found != own && isGame(p) {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// gameFolders are in the folders of games.
var gameFolders = []string{"maps", "scripts", "textures", "gfx", "models", "sprites"}

// isGame reports whether a folder looks like a game's: names such as "main" and "base" are common.
func isGame(dir string) bool {
	entries, _ := os.ReadDir(dir) // none if it is no folder
	for _, e := range entries {
		switch name := lower(e.Name()); {
		case slices.Contains(gameFolders, name), strings.HasSuffix(name, folderExt), strings.HasSuffix(name, ".wad"):
			return true
		case isMounted(name):
			return true
		}
	}
	return false
}

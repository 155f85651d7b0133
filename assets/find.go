package assets

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

type base struct{ name, games string }

// bases lists the folders of base games, whose files mods beside them use.
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

// annexes lists the suffixes of folders that extend the GoldSrc game beside them: add-ons, downloads from servers,
// high-definition models. Half-Life since 2013.
var annexes = []string{"_addon", "_downloads", "_hd"}

// Find returns the paths, for Open, where a map's files may be if the user named none. mapPath is as for OpenMap, and
// need not exist.
//
// For game/maps/x.bsp they are game, its annexes (for game_downloads: game and the other annexes), and the base games
// beside it, unless game is a base game. For game/y.pk3dir/maps/x.bsp the .pk3dir folder comes first. For a map in an
// archive, the archive's folder counts as game; if a game would not mount the archive (a .zip), it comes first,
// preceded by the game folder in it: x.zip:cstrike for x.zip:cstrike/maps/y.bsp. For any other map it is the map's
// folder. A folder inside a Source game also adds that game's folder, as tf for tf/custom/x/maps/y.bsp; Open follows
// its gameinfo.txt.
func Find(mapPath string) []string {
	if archive, member, ok := inputfile.Split(mapPath); ok {
		game := filepath.Dir(archive)
		paths := []string{archive, game}
		if isMounted(archive) {
			paths = paths[1:] // the folder mounts it, and later archives override it, as in the game
		}
		if root := rootOf(member); root != "." {
			paths = append([]string{archive + ":" + root}, paths...)
		}
		if around := gameAround(game); around != "" { // the game of an addon
			paths = append(paths, around)
		}
		return append(paths, beside(game)...)
	}
	dir := filepath.Dir(mapPath)
	if lower(baseName(dir)) != "maps" {
		return []string{dir}
	}
	var paths []string
	game := parent(dir)
	if isArchiveFolder(baseName(game)) {
		paths = append(paths, game)
		game = parent(game)
	}
	paths = append(paths, game)
	if around := gameAround(game); around != "" {
		paths = append(paths, around)
	}
	return append(paths, beside(game)...)
}

// gameAround returns the Source game that a folder belongs to, one or two levels above it: tf for tf/download and for
// tf/custom/x. It returns "" if there is none, or if the folder itself has a gameinfo.txt.
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

// parent returns the folder above dir, also if dir is relative to the working directory.
func parent(dir string) string { return filepath.Join(dir, "..") }

// baseName returns a folder's name, also for ".".
func baseName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return filepath.Base(dir)
}

// beside returns the folders beside game whose files it uses: the game that it extends, its annexes, and the base
// games in the order of the table. A base game uses none.
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
	around, err := regular.ReadDir(parent(game))
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

// gameFolders lists folders that are typical inside a game's folder.
var gameFolders = []string{"maps", "scripts", "textures", "gfx", "models", "sprites"}

// isGame reports whether a folder looks like a game's. Names such as "main" and "base" are common elsewhere.
func isGame(dir string) bool {
	entries, _ := regular.ReadDir(dir) // empty if dir is not a folder
	for _, e := range entries {
		switch name := lower(e.Name()); {
		case slices.Contains(gameFolders, name), isArchiveFolder(name), strings.HasSuffix(name, ".wad"):
			return true
		case isMounted(name):
			return true
		}
	}
	return false
}

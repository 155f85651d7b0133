package assets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Some games mount addons, and also other games, that no gameinfo.txt names.
const (
	appGarrysMod = 4000
	firstSource  = 211 // smaller app numbers are GoldSrc's games: 10 has a folder cstrike, too
	garrysMod    = "garrysmod"

	ownFolder = "|gameinfo_path|"
)

// leftForDead are the apps of games whose addons are the .vpk files in the folder addons, except those that
// addonlist.txt disables.
var leftForDead = []int{500, 550, 563}

// addons returns the search paths to put before and after those of the gameinfo.txt in dir. It fails if a file that
// lists them can't be read.
func (g *gameInfo) addons(dir string, l limit.Limits) (before, after []string, err error) {
	switch {
	case g.app == appGarrysMod || lower(baseName(dir)) == garrysMod:
		after, err = mountedGames(dir, l)
		return []string{ownFolder + "addons/*", ownFolder + "addons/*" + inputfile.GMA}, after, err
	case slices.Contains(leftForDead, g.app):
		before, err = listedAddons(dir, l)
	}
	return before, nil, err
}

// mountedGames returns the search paths of the games that Garry's Mod mounts: cfg/mountdepots.txt has the names of
// their folders, cfg/mount.cfg has paths. Facepunch's wiki, Mounting Content on a DS.
func mountedGames(dir string, l limit.Limits) (paths []string, err error) {
	depots, err := pairsOf(dir, "cfg/mountdepots.txt", l)
	if err != nil {
		return nil, err
	}
	for i := range depots {
		for _, a := range steamApps {
			if p := &depots[i]; p.Is(a.mod) && a.app >= firstSource && a.app != appGarrysMod && p.Value == "1" {
				paths = append(paths, wholeGame(fmt.Sprintf("|appid_%d|%s", a.app, p.Key))...)
			}
		}
	}
	mounts, err := pairsOf(dir, "cfg/mount.cfg", l)
	for i := range mounts {
		if at := slashes(mounts[i].Value); at != "" && !mounts[i].Block {
			paths = append(paths, wholeGame(strings.TrimSuffix(at, "/"))...)
		}
	}
	return paths, err
}

// listedAddons returns the search paths of Left 4 Dead's addons: every .vpk in the folder addons, except those that
// addonlist.txt disables.
func listedAddons(dir string, l limit.Limits) (paths []string, err error) {
	list, err := pairsOf(dir, "addonlist.txt", l)
	addons := filepath.Join(dir, "addons")
	for _, at := range slices.Concat(matches(filepath.Join(addons, "*"+inputfile.VPK)), matches(filepath.Join(addons, "workshop", "*"+inputfile.VPK))) {
		name, _ := filepath.Rel(addons, at)
		name = filepath.ToSlash(name)
		off := func(p keyvalues.Pair) bool { return lower(slashes(p.Key)) == lower(name) && p.Value == "0" }
		if !slices.ContainsFunc(list, off) {
			paths = append(paths, ownFolder+"addons/"+name)
		}
	}
	return paths, err
}

// slashes returns a path with forward slashes.
func slashes(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// wholeGame returns the search paths for a game's folder: its archives, then its loose files.
func wholeGame(folder string) []string { return []string{folder + "/*" + inputfile.VPK, folder} }

// pairsOf returns the pairs in the single block of a key-values file in a game's folder, at most maxPlaces, or none
// if the file does not exist.
func pairsOf(dir, name string, l limit.Limits) ([]keyvalues.Pair, error) {
	at, ok := onDisk(filepath.Join(dir, filepath.FromSlash(name)))
	if !ok {
		return nil, nil
	}
	data, err := readText(at)
	if err != nil {
		return nil, err
	}
	pairs, _, err := keyvalues.Parse(at, data, limit.NewBudget(l), nil)
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	return pairs[0].Pairs[:min(len(pairs[0].Pairs), maxPlaces)], nil
}

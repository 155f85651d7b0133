package assets

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
)

// game mounts the search paths of a gameinfo.txt, preceded by addons and followed by the games that it mounts.
// Missing paths are skipped, as in the engine.
func (o *opener) game(dir string, g *gameInfo) {
	o.fsys.games = append(o.fsys.games, g.Game)
	before, after, err := g.addons(dir, o.fsys.budget.Limits)
	if err != nil {
		o.fsys.note("gameinfo", dir, err.Error())
	}
	for i, location := range slices.Concat(before, g.inOrder(), []string{"|gameinfo_path|."}, after) {
		for _, at := range o.places(dir, g.app, location) {
			if o.mounted(at) {
				continue
			}
			if o.foreign && !o.within(dir, at) {
				o.fsys.note("game-paths", g.File,
					fmt.Sprintf("%.200q is outside the game, and is only searched if --game names it or the game", location))
				continue
			}
			o.placed++
			if o.placed <= maxPlaces {
				o.place(at)
			}
		}
		if i >= maxPlaces || o.placed > maxPlaces {
			o.fsys.note("game-paths", g.File, fmt.Sprintf("it stands for more than %d folders and archives; the rest is left out",
				maxPlaces))
			break
		}
	}
}

// place mounts a folder or an archive of a Source game. A folder's archives come before its loose files; loose files
// take precedence only from a folder of their own (custom/*).
func (o *opener) place(at string) {
	if !o.first(at) {
		return
	}
	if f := formatOf(at); f != nil && isFile(at) {
		if err := o.archive(f, at); err != nil {
			o.fsys.note("archive-unreadable", at, err.Error())
		}
		return
	}
	d, err := openFolder(at, o.fsys.budget)
	if err != nil {
		o.fsys.note("folder-unreadable", at, err.Error())
		return
	}
	var paks []string
	for _, p := range d.listing(".").files {
		if isNumberedVPK(p) {
			paks = append(paks, p)
		}
	}
	slices.SortFunc(paks, func(a, b string) int { return cmp.Or(comparePaks(b, a), cmp.Compare(b, a)) })
	for _, p := range paks {
		o.place(p)
	}
	o.fsys.mounts = append(o.fsys.mounts, d)
}

// mounted reports whether a place is already searched: it was mounted under this path, or the user named it in
// another way, for example through a link.
func (o *opener) mounted(at string) bool {
	if o.seen[absolute(at)] {
		return true
	}
	info, err := os.Stat(at)
	return err == nil && slices.ContainsFunc(o.named, func(named fs.FileInfo) bool { return os.SameFile(named, info) })
}

// within reports whether a path belongs to the game in dir: it is below dir's parent, or in a Steam library.
func (o *opener) within(dir, at string) bool {
	roots := []string{parent(dir)}
	if o.steam != nil {
		roots = append(roots, o.steam.Libraries...)
	}
	at, err := filepath.Abs(at)
	return err == nil && slices.ContainsFunc(roots, func(root string) bool {
		root, err := filepath.Abs(root)
		if err != nil {
			return false
		}
		rel, err := filepath.Rel(root, at)
		return err == nil && filepath.IsLocal(rel)
	})
}

// places returns the folders and archives that a location in dir's gameinfo.txt stands for. Relative paths start at
// dir's parent, where the game's executable is, or for a mod elsewhere at the folder of its app.
func (o *opener) places(dir string, app int, location string) []string {
	if len(location) > maxLocation {
		return nil
	}
	roots := []string{parent(dir)}
	if folder := o.steam.folder(app); folder != "" {
		roots = append(roots, folder)
	}
	switch prefix, rest, ok := cutPrefix(location); {
	case ok && prefix == "gameinfo_path":
		roots, location = []string{dir}, rest
	case ok && prefix == "all_source_engine_paths":
		location = rest
	case ok && strings.HasPrefix(prefix, "appid_"):
		n, _ := strconv.Atoi(prefix[len("appid_"):])
		if roots, location = nil, rest; o.steam.folder(n) != "" {
			roots = []string{o.steam.folder(n)}
		}
	case ok: // unknown kind
		return nil
	case filepath.IsAbs(filepath.FromSlash(location)):
		roots = []string{""}
	}
	for _, root := range roots {
		if found := matches(filepath.Join(root, filepath.FromSlash(location))); len(found) > 0 {
			return found
		}
	}
	return nil
}

// cutPrefix splits "|name|rest".
func cutPrefix(location string) (name, rest string, ok bool) {
	if !strings.HasPrefix(location, "|") {
		return "", "", false
	}
	name, rest, ok = strings.Cut(location[1:], "|")
	return lower(name), rest, ok
}

// matches returns the folders and VPKs that a path names. A VPK's name may lack "_dir". If the last component has *
// or ?, all matches are returned in alphabetical order, without hidden ones. Garry's Mod's addons (.gma) match if
// they are asked for.
func matches(at string) []string {
	dir, last := filepath.Split(at)
	if !strings.ContainsAny(last, "*?") {
		found, ok := onDisk(at)
		if isArchive := hasExt(at, inputfile.VPK); isArchive && !ok {
			found, ok = onDisk(at[:len(at)-len(inputfile.VPK)] + vpkDirectory + inputfile.VPK)
		} else if ok && !isArchive && !isDir(found) {
			ok = false
		}
		if !ok {
			return nil
		}
		return []string{found}
	}
	dir, ok := onDisk(dir)
	if !ok {
		return nil
	}
	entries, err := regular.ReadDir(dir)
	if err != nil {
		return nil
	}
	var found []string
	for _, e := range entries {
		name := lower(e.Name())
		p := filepath.Join(dir, e.Name())
		if name[0] == '.' || !wildcard.Match(last, name) {
			continue
		}
		if isDir(p) || (hasExt(name, inputfile.VPK) && !isChunk(name) || hasExt(last, inputfile.GMA)) && isFile(p) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(lower(a), lower(b)), cmp.Compare(a, b)) })
	return found
}

// ModFolder returns the game folder that a path stands for: the folder of a gameinfo.txt; for the root of a Source
// game as Steam installs it, the folder in it that has one; otherwise the path itself. It fails if there are several
// (limits.ErrUsage).
func ModFolder(path string) (string, error) {
	if lower(filepath.Base(path)) == gameInfoName && isFile(path) {
		return filepath.Dir(path), nil
	}
	if _, ok := onDisk(filepath.Join(path, gameInfoName)); ok || !isDir(path) || isGame(path) {
		return path, nil
	}
	entries, err := regular.ReadDir(path)
	if err != nil {
		return path, nil // Open reports what is wrong
	}
	var mods []string
	for _, e := range entries {
		dir := filepath.Join(path, e.Name())
		if g, err := readGameInfo(dir, limit.Defaults); err == nil && g != nil {
			mods = append(mods, dir)
		}
	}
	const shown = 20
	switch n := len(mods); {
	case n == 0:
		return path, nil
	case n > shown:
		return "", fmt.Errorf("game path: %s holds %d games, name one of them: %q and %d more: %w", path, n, mods[:shown], n-shown,
			limit.ErrUsage)
	case n > 1:
		return "", fmt.Errorf("game path: %s holds %d games, name one of them: %q: %w", path, n, mods, limit.ErrUsage)
	}
	return mods[0], nil
}

package assets

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Steam locates games installed by Steam. They are in libraries: folders with steamapps/appmanifest_N.acf for app N.
// Nil means that there is no Steam.
type Steam struct {
	Roots     []string // folders searched for Steam itself
	Libraries []string // existing libraries, without duplicates
}

// Installed is a game that Steam has installed.
type Installed struct {
	App      int    `json:"app"`
	Name     string `json:"name"`
	Folder   string `json:"folder"`   // the folder that Steam installed
	Mod      string `json:"mod"`      // the folder inside it to mount
	GameInfo string `json:"gameinfo"` // the path of its gameinfo.txt, or ""
}

// steamApp is a game on Steam.
type steamApp struct {
	app  int
	name string
	mod  string // the folder with the game's files; of several with | between, the first that exists
}

// steamApps lists the Steam games whose maps can be converted. Valve's list of its apps:
// https://developer.valvesoftware.com/wiki/Steam_Application_IDs
var steamApps = []steamApp{
	{10, "Counter-Strike", "cstrike"},
	{70, "Half-Life", "valve"},
	{211, "Source SDK", "sourcetest"},
	{215, "Source SDK Base 2006", "sourcetest"},
	{218, "Source SDK Base 2007", "sourcetest"},
	{220, "Half-Life 2", "hl2"},
	{240, "Counter-Strike: Source", "cstrike"},
	{280, "Half-Life: Source", "hl1"},
	{300, "Day of Defeat: Source", "dod"},
	{320, "Half-Life 2: Deathmatch", "hl2mp"},
	{340, "Half-Life 2: Lost Coast", "lostcoast"},
	{360, "Half-Life Deathmatch: Source", "hl1mp"},
	{380, "Half-Life 2: Episode One", "episodic"},
	{400, "Portal", "portal"},
	{420, "Half-Life 2: Episode Two", "ep2"},
	{440, "Team Fortress 2", "tf"},
	{500, "Left 4 Dead", "left4dead"},
	{550, "Left 4 Dead 2", "left4dead2"},
	{620, "Portal 2", "portal2"},
	{630, "Alien Swarm", "swarm"},
	{730, "Counter-Strike: Global Offensive", "csgo"},
	{2310, "Quake", "rerelease/id1|Id1"},
	{2320, "Quake II", "rerelease/baseq2|baseq2"},
	{4000, "Garry's Mod", "garrysmod"},
	{9060, "Hexen II", "data1"},
	{243730, "Source SDK Base 2013 Singleplayer", "sourcetest"},
	{243750, "Source SDK Base 2013 Multiplayer", "sourcetest"},
	{362890, "Black Mesa", "bms"},
}

const (
	maxLibraries = 100
)

// FindSteam searches for Steam in the default folders, or only in STEAM_DIR if that is set. getenv is os.Getenv and system
// is runtime.GOOS. It never fails: unreadable folders count as missing.
func FindSteam(getenv func(string) string, system string) *Steam {
	s := &Steam{Roots: steamRoots(getenv, system)}
	seen := map[string]bool{}
	add := func(dir string) {
		apps, ok := onDisk(filepath.Join(dir, "steamapps"))
		if !ok || !isDir(apps) {
			return
		}
		// Steam's own folders link to each other.
		target, err := filepath.EvalSymlinks(filepath.Dir(apps))
		if err != nil || seen[target] {
			return
		}
		seen[target] = true
		s.Libraries = append(s.Libraries, dir)
	}
	for _, root := range s.Roots {
		if !isDir(root) {
			continue // a case-insensitive search would list all folders above it
		}
		add(root)
		for _, list := range []string{"steamapps/libraryfolders.vdf", "config/libraryfolders.vdf"} {
			if at, ok := onDisk(filepath.Join(root, filepath.FromSlash(list))); ok {
				data, err := readText(at)
				if err != nil {
					continue
				}
				for _, dir := range parseLibraries(at, data) {
					add(dir)
				}
			}
		}
	}
	return s
}

// steamRoots returns the folders that Steam may be in.
func steamRoots(getenv func(string) string, system string) []string {
	if dir := getenv("STEAM_DIR"); dir != "" {
		return []string{dir}
	}
	var roots []string
	below := func(variable string, folders ...string) {
		if dir := getenv(variable); dir != "" {
			for _, f := range folders {
				roots = append(roots, filepath.Join(dir, filepath.FromSlash(f)))
			}
		}
	}
	switch system {
	case "windows":
		below("ProgramFiles(x86)", "Steam")
		below("ProgramFiles", "Steam")
	case "darwin":
		below("HOME", "Library/Application Support/Steam")
	default:
		below("HOME", ".steam/steam", ".steam/root", ".local/share/Steam",
			".var/app/com.valvesoftware.Steam/data/Steam", ".var/app/com.valvesoftware.Steam/.local/share/Steam",
			"snap/steam/common/.local/share/Steam")
		below("XDG_DATA_HOME", "Steam")
	}
	return roots
}

// parseLibraries returns the folders that a libraryfolders.vdf names: in blocks with a path or, until 2021, as
// numbered paths. Backslashes in it are doubled.
func parseLibraries(file string, data []byte) []string {
	pairs, _, err := keyvalues.Parse(file, data, nil, nil)
	if err != nil {
		return nil
	}
	root := keyvalues.Find(pairs, "libraryfolders")
	if root == nil {
		return nil
	}
	var dirs []string
	for i := range root.Pairs {
		p := &root.Pairs[i]
		dir := p.Value
		if p.Block {
			path := keyvalues.Find(p.Pairs, "path")
			if path == nil {
				continue
			}
			dir = path.Value
		}
		if isDigits(p.Key) && dir != "" && len(dir) <= maxLocation && len(dirs) < maxLibraries {
			dirs = append(dirs, strings.ReplaceAll(dir, `\\`, `\`))
		}
	}
	return dirs
}

// parseManifest returns the folder that an appmanifest_N.acf names, or "".
func parseManifest(file string, data []byte) string {
	pairs, _, err := keyvalues.Parse(file, data, nil, nil)
	if err != nil {
		return ""
	}
	state := keyvalues.Find(pairs, "appstate")
	if state == nil {
		return ""
	}
	dir := keyvalues.Find(state.Pairs, "installdir")
	if dir == nil || dir.Value == "." || dir.Value == ".." || strings.ContainsAny(dir.Value, "/\\\x00") {
		return ""
	}
	return dir.Value
}

// folder returns the folder where Steam has installed an app, or "".
func (s *Steam) folder(app int) string {
	if s == nil || app <= 0 {
		return ""
	}
	for _, library := range s.Libraries {
		at, ok := onDisk(filepath.Join(library, "steamapps", "appmanifest_"+strconv.Itoa(app)+".acf"))
		if !ok {
			continue
		}
		data, err := readText(at)
		if err != nil {
			continue
		}
		if name := parseManifest(at, data); name != "" {
			if dir, ok := onDisk(filepath.Join(filepath.Dir(at), "common", name)); ok && isDir(dir) {
				return dir
			}
		}
	}
	return ""
}

// installed returns a game with the folder to mount, if Steam has installed it.
func (s *Steam) installed(a steamApp) (Installed, bool) {
	i := Installed{App: a.app, Name: a.name, Folder: s.folder(a.app)}
	if i.Folder == "" {
		return i, false
	}
	for name := range strings.SplitSeq(a.mod, "|") {
		if mod, ok := onDisk(filepath.Join(i.Folder, name)); ok && isDir(mod) {
			i.Mod = mod
			break
		}
	}
	mod := i.Mod
	if mod == "" {
		return i, false
	}
	if g, err := readGameInfo(mod, limit.Defaults); err == nil && g != nil {
		i.GameInfo = g.File
	}
	return i, true
}

// Games returns the installed games whose maps can be converted, sorted by app.
func (s *Steam) Games() []Installed {
	var all []Installed
	for _, a := range steamApps {
		if i, ok := s.installed(a); ok {
			all = append(all, i)
		}
	}
	return all
}

// Installed returns a view of those games, in search order, that the Steam with which v was opened has installed: put
// it below v with Over. Files and folders that v already mounts are left out. A game that can't be mounted is an
// issue of the view. Close closes the archives that it opened.
func (v *FS) Installed(apps []int) *FS {
	o := opener{fsys: &FS{budget: orDefault(v.budget)}, seen: map[string]bool{}, steam: v.steam}
	for _, m := range v.mounts {
		o.first(m.path())
	}
	for _, app := range apps {
		for _, a := range steamApps {
			if a.app != app {
				continue
			}
			if i, ok := v.steam.installed(a); ok {
				if err := o.mount(i.Mod); err != nil {
					o.fsys.note("game-unreadable", i.Mod, fmt.Sprintf("%s, which Steam has installed: %v", i.Name, err))
				}
			}
		}
	}
	return o.fsys
}

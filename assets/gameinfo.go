package assets

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// Game is a Source game whose gameinfo.txt set the search paths.
type Game struct {
	Name string `json:"name"` // the game's title
	File string `json:"file"` // the path of the gameinfo.txt
}

// gameInfo holds the search paths of a gameinfo.txt.
type gameInfo struct {
	Game
	app   int // Steam app whose folder is the root, for a mod elsewhere; 0 means none
	paths []searchPath
}

// searchPath is a search path of a gameinfo.txt.
type searchPath struct {
	ids      []string // lower case
	location string   // with forward slashes
}

const (
	gameInfoName = "gameinfo.txt"
	maxText      = 1 << 20 // bytes of a gameinfo.txt, a list of mounts, or a file of Steam's; real ones have a few thousand
	// maxPlaces limits the paths of a gameinfo.txt, and the folders and archives that a view mounts for them:
	// custom/* may match many.
	maxPlaces   = 500
	maxLocation = 1024 // bytes of a path
)

// readGameInfo reads a folder's gameinfo.txt. It returns nil if there is none or if it has no search paths: ports of
// Half-Life (Xash3D) have an unrelated file of that name.
func readGameInfo(dir string, l limit.Limits) (*gameInfo, error) {
	at, ok := onDisk(filepath.Join(dir, gameInfoName))
	if !ok {
		return nil, nil
	}
	return gameInfoFrom(at, l)
}

// gameInfo is readGameInfo for a folder that has been listed.
func (d *folder) gameInfo() (*gameInfo, error) {
	l, _ := d.listed(".")
	for _, named := range []map[string]string{l.files, l.others} {
		if at, ok := named[gameInfoName]; ok {
			return gameInfoFrom(at, d.budget.Limits)
		}
	}
	return nil, nil
}

func gameInfoFrom(at string, l limit.Limits) (*gameInfo, error) {
	data, err := readText(at)
	if err != nil {
		return nil, err
	}
	g, err := parseGameInfo(at, data, l)
	if err != nil || len(g.paths) == 0 {
		return nil, err
	}
	return g, nil
}

// readText reads a file of at most maxText bytes.
func readText(at string) ([]byte, error) {
	f, err := regular.Open(at)
	if err != nil {
		return nil, limit.Unreadable(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxText+1))
	switch {
	case err != nil:
		return nil, limit.Unreadable(err)
	case len(data) > maxText:
		return nil, fmt.Errorf("%s: more than %d bytes: %w", at, maxText, limit.ErrCorrupt)
	}
	return data, nil
}

// parseGameInfo parses a gameinfo.txt. It fails only if a limit is exceeded.
func parseGameInfo(file string, data []byte, l limit.Limits) (*gameInfo, error) {
	pairs, _, err := keyvalues.Parse(file, data, limit.NewBudget(l), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	g := &gameInfo{Game: Game{File: file}}
	root := keyvalues.Find(pairs, "gameinfo")
	if root == nil {
		return g, nil
	}
	if p := keyvalues.Find(root.Pairs, "game"); p != nil {
		g.Name = p.Value
	}
	if system := keyvalues.Find(root.Pairs, "filesystem"); system != nil {
		if p := keyvalues.Find(system.Pairs, "steamappid"); p != nil {
			g.app, _ = strconv.Atoi(p.Value)
		}
		if search := keyvalues.Find(system.Pairs, "searchpaths"); search != nil {
			for i := range search.Pairs {
				p := &search.Pairs[i]
				g.paths = append(g.paths, searchPath{strings.Split(lower(p.Key), "+"), strings.ReplaceAll(p.Value, `\`, "/")})
			}
		}
	}
	if p := keyvalues.Find(root.Pairs, "mount"); p != nil {
		head, tail := mountPaths(p.Pairs)
		g.paths = append(append(head, g.paths...), tail...)
	}
	return g, nil
}

// mountPaths converts Strata Source's mount block into search paths to put before (head) and after (tail) the others.
// A block's name is a Steam app; its sub-blocks are folders of that app, in which "vpk" and "dir" name archives and
// folders. Paths beyond maxPlaces are dropped. https://wiki.stratasource.org/modding/overview/gameinfo
func mountPaths(apps []keyvalues.Pair) (head, tail []searchPath) {
	game := []string{"game"}
	full := func() bool { return len(head)+len(tail) > maxPlaces }
	for i := range apps {
		app := &apps[i]
		list := &tail
		if p := keyvalues.Find(app.Pairs, "head"); p != nil && p.Value == "1" {
			list = &head
		}
		for k := range app.Pairs {
			folder := &app.Pairs[k]
			if full() {
				return head, tail
			}
			if !folder.Block || len(app.Key)+len(folder.Key) > maxLocation {
				continue
			}
			at := "|appid_" + app.Key + "|" + strings.ReplaceAll(folder.Key, `\`, "/")
			for _, p := range folder.Pairs {
				if full() {
					break
				}
				inside := at + "/" + strings.ReplaceAll(p.Value, `\`, "/")
				switch {
				case p.Is("vpk") && !hasExt(inside, inputfile.VPK):
					*list = append(*list, searchPath{game, inside + inputfile.VPK})
				case p.Is("vpk"), p.Is("dir"):
					*list = append(*list, searchPath{game, inside})
				}
			}
			if p := keyvalues.Find(folder.Pairs, "mountmoddir"); p == nil && len(folder.Pairs) == 0 || p != nil && p.Value != "0" {
				*list = append(*list, searchPath{game, at})
			}
		}
	}
	return head, tail
}

// gameIDs lists the kinds of search paths that hold textures and models. game_lv is not among them: its low-violence
// replacements would hide the normal files.
var gameIDs = []string{"game", "mod", "platform", "game_hd", "vpk"}

// inOrder returns the relevant search paths, with downloads from servers last.
func (g *gameInfo) inOrder() []string {
	var paths, last []string
	for _, p := range g.paths {
		switch {
		case slices.ContainsFunc(p.ids, func(id string) bool { return slices.Contains(gameIDs, strings.TrimSpace(id)) }):
			paths = append(paths, p.location)
		case slices.Contains(p.ids, "download"):
			last = append(last, p.location)
		}
	}
	return append(paths, last...)
}

package assets

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Game is a game of Source whose gameinfo.txt said what to mount.
type Game struct {
	Name string `json:"name"` // as its makers call it
	File string `json:"file"` // the path of the gameinfo.txt
}

// gameInfo is what a gameinfo.txt says of where a game's files are.
type gameInfo struct {
	Game
	app   int // of Steam, whose folder is the root for a mod that lies elsewhere; 0 is none
	paths []searchPath
}

// searchPath is a place to look in. Those of a gameinfo.txt are listed with the first searched first.
type searchPath struct {
	ids      []string // lower case
	location string   // with forward slashes
}

const (
	gameInfoName = "gameinfo.txt"
	maxGameInfo  = 1 << 20 // bytes; real ones have 5,000
	// maxPlaces is how many paths of a gameinfo.txt count, and how many folders and archives a view mounts for them: custom/*
	// may stand for many.
	maxPlaces   = 500
	maxLocation = 1024 // bytes of a path
)

// readGameInfo returns what a folder's gameinfo.txt says, or nil where it has none or none with search paths: ports of
// Half-Life (Xash3D) have a file of that name which is another.
func readGameInfo(dir string, l limit.Limits) (*gameInfo, error) {
	at, ok := onDisk(filepath.Join(dir, gameInfoName))
	if !ok {
		return nil, nil
	}
	data, err := readText(at, maxGameInfo)
	if err != nil {
		return nil, err
	}
	g, err := parseGameInfo(at, data, l)
	if err != nil || len(g.paths) == 0 {
		return nil, err
	}
	return g, nil
}

// readText returns a file of at most some bytes.
func readText(at string, most int64) ([]byte, error) {
	if info, err := os.Stat(at); err != nil {
		return nil, inputError(err)
	} else if !info.Mode().IsRegular() { // a pipe would have us wait for ever
		return nil, fmt.Errorf("%s: %w: it is not a regular file", at, limit.ErrInput)
	}
	f, err := os.Open(at)
	if err != nil {
		return nil, inputError(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, inputError(err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%s: more than %d bytes: %w", at, most, limit.ErrCorrupt)
	}
	return data, nil
}

// parseGameInfo reads a gameinfo.txt. It fails on a limit only.
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

// mountPaths turns Strata Source's block of other games into search paths before and behind the others. A block is named
// for an app of Steam, the blocks in it for its folders, of which "vpk" and "dir" name archives and folders. Beyond maxPlaces
// there are no more.
// https://wiki.stratasource.org/modding/overview/gameinfo
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
				case p.Is("vpk") && !hasExt(inside, vpkExt):
					*list = append(*list, searchPath{game, inside + vpkExt})
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

// gameIDs are the kinds of search paths that textures and models are looked for in. game_lv is for countries that have
// their violence low, and what it holds would hide what all others see.
var gameIDs = []string{"game", "mod", "platform", "game_hd", "vpk"}

// inOrder are the search paths that count, with what servers have sent last.
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

package input

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// OpenModel opens a model, and mounts the folder or archive that it lies in, the game's paths, and those found around it. The game's
// folder is the one with the folder "models" or "sprites" of the model's path, or "progs" of an .md5mesh, whose skins are named from
// there; without those it is the model's own. MapFile.Name is the
// model's path in it.
func OpenModel(ctx context.Context, name string, game pipeline.GameOptions) (*Game, error) {
	if name == "-" {
		return nil, fmt.Errorf("a model has its files beside it: it can't be read from standard input: %w", limit.ErrUsage)
	}
	m, err := assets.OpenMap(ctx, name)
	if err != nil {
		return nil, err
	}
	in := &Game{again: func() (*assets.Map, error) { return assets.OpenMap(ctx, name) }}
	in.Size = m.Size
	in.Reader, in.close = m.Unwrap()
	var around []string
	in.Name, around = modelPlace(m.Path)
	steam := FindSteam(game.Steam)
	for _, paths := range [][2][]string{{nil, around}, {game.Paths, nil}} { // the model's own files come first
		for i, p := range paths[0] {
			if paths[0][i], err = assets.ModFolder(p); err != nil {
				break
			}
		}
		var v *assets.FS
		if err == nil {
			v, err = steam.OpenAround(ctx, paths[0], paths[1])
		}
		if err != nil {
			in.Close()
			return nil, err
		}
		in.mounted = append(in.mounted, v)
	}
	in.View = assets.Over(in.mounted[0], in.mounted[1])
	in.Files = in.View
	return in, nil
}

// modelPlace returns a model's path in its game's folder, and the paths of that game. at is a path as assets.Map has it.
func modelPlace(at string) (name string, around []string) {
	archive, member, packed := inputfile.Split(at)
	if packed {
		root, name := modelRoot(member)
		if root != "" {
			archive += ":" + root
		}
		return name, append([]string{archive}, assets.Find(at)...)
	}
	root, name := modelRoot(filepath.ToSlash(at))
	return name, assets.Find(filepath.Join(filepath.FromSlash(root), "maps", "any.bsp"))
}

// modelRoot splits a model's path into the game's folder and the rest.
func modelRoot(at string) (root, name string) {
	parts := strings.Split(at, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		p := strings.ToLower(parts[i])
		if p == "models" || p == "sprites" || p == "progs" && strings.HasSuffix(strings.ToLower(at), ".md5mesh") {
			return strings.Join(parts[:i], "/"), path.Join(parts[i:]...)
		}
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], "/"), parts[last]
}

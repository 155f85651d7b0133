package command

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// splitNames splits the names on a command line into maps and the output, which is "" if none is given. The last of
// several names is the output, unless it looks like a map. A glob that the shell did not expand names maps.
func splitNames(args []string) (ins []string, out string) {
	last := len(args) - 1
	if last < 1 || !isFolder(args[last]) && (looksLikeMap(args[last]) || inputfile.IsModel(args[last])) {
		return args, ""
	}
	return args[:last], args[last]
}

// looksLikeMap reports whether a name is that of a map, of an archive or a file in one, or a glob.
func looksLikeMap(name string) bool {
	_, _, inside := inputfile.Split(name)
	return inside || inputfile.IsMap(name) || inputfile.IsArchive(name) || inputfile.Foreign(name) != "" || isGlob(name)
}

// isGlob reports whether a name is a pattern, not a file.
func isGlob(name string) bool {
	if !strings.ContainsAny(name, "*?[{") {
		return false
	}
	_, err := os.Stat(name)
	return err != nil
}

// noAddress fails for a name that is a URL, because this program downloads nothing.
func noAddress(names ...string) error {
	for _, name := range names {
		if path, ok := strings.CutPrefix(name, "file://"); ok {
			return usagef("%s is an address: give the file's name, %s", human.Quote(name), human.Argument(path))
		}
		if scheme, _, url := strings.Cut(name, "://"); url {
			if !slices.Contains([]string{"http", "https", "ftp"}, strings.ToLower(scheme)) {
				return usagef("%s is an address: give the name of a file", human.Quote(name))
			}
			return usagef("%s is an address: download it first (curl -LO %s), and give the file", human.Quote(name), human.Quote(name))
		}
	}
	return nil
}

// problem is a name for which no map was found.
type problem = batch.Problem

// findMaps returns the maps that names stand for: a folder or a glob stands for all maps in it, an archive for its
// only map; with models, a folder, a glob or an archive stands for all models in it. A name that stands for itself
// need not exist.
func findMaps(ctx context.Context, names []string, skip string, models bool) (maps []string, problems []problem) {
	for _, name := range names {
		switch {
		case isFolder(name) || isGlob(name) || models && isWholeArchive(name):
			found, bad := batch.Expand(ctx, batch.Sources{Args: []string{name}, Skip: skip, Models: models})
			for _, in := range found {
				maps = append(maps, in.Path)
			}
			problems = append(problems, bad...)
			if len(found)+len(bad) == 0 {
				problems = append(problems, problem{Path: name, Err: limit.Errorf(fs.ErrNotExist, "holds no %ss", noun(models))})
			}
		case isWholeArchive(name):
			only, err := onlyMap(ctx, name)
			if err != nil {
				problems = append(problems, problem{Path: name, Err: err})
				continue
			}
			maps = append(maps, only)
		default:
			if err := batch.NotAMap(name); err != nil {
				problems = append(problems, problem{Path: name, Err: err})
				continue
			}
			maps = append(maps, name)
		}
	}
	return maps, problems
}

// single returns the only map or model that a name stands for, where a command takes one.
func (a *app) single(ctx context.Context, name string) (string, error) {
	a.files = []string{name}
	switch {
	case name == "-" || isFolder(name):
		return name, nil
	case isWholeArchive(name):
		return onlyMap(ctx, name)
	}
	return name, batch.NotAMap(name)
}

// isWholeArchive reports whether a name is that of an archive, rather than of a file in one.
func isWholeArchive(name string) bool {
	_, member, ok := inputfile.Split(name)
	return ok && member == ""
}

// onlyMap returns the name of the single map of an archive. It fails if there is none or more than one.
func onlyMap(ctx context.Context, archive string) (string, error) {
	m, err := assets.OpenMap(ctx, archive)
	if err != nil {
		return "", err
	}
	return m.Path, m.Close()
}

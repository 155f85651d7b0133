package assets

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Member is a map or another file in an archive.
type Member struct {
	Name string // in lower case with forward slashes
	Size int64  // size in the archive's directory: decompressed, but if the map itself is compressed (x.bsp.bz2), of that
}

// Maps lists the maps of an archive, sorted by name: those below folders called maps or, if there are none, all. It
// fails if the archive can't be opened, is broken or truncated.
func Maps(ctx context.Context, archive string) ([]Member, error) {
	return members(limit.From(ctx), archive, mapsOf)
}

// List lists the files of an archive whose names are wanted, sorted by name. It fails as Maps does.
func List(ctx context.Context, archive string, wanted func(name string) bool) ([]Member, error) {
	return members(limit.From(ctx), archive, func(a container) names { return filesOf(a, wanted) })
}

// members lists those files of an archive that find returns.
func members(b *limit.Budget, archive string, find func(container) names) ([]Member, error) {
	f := formatOf(archive)
	if f == nil {
		if what := inputfile.Foreign(archive); what != "" {
			return nil, fmt.Errorf("%s: is %s: %w", archive, what, limit.ErrUsage)
		}
		return nil, fmt.Errorf("%s: is not an archive (%s): %w", archive, extensions(), limit.ErrUsage)
	}
	a, err := f.open(archive, b)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if why := a.incomplete(); why != "" { // the missing part may hold what is looked for
		return nil, fmt.Errorf("%s: %w", archive, limit.Errorf(limit.ErrCorrupt, "%s", why))
	}
	found := find(a)
	list := make([]Member, len(found))
	for i, name := range found {
		size, _ := a.size(name)
		list[i] = Member{name, size}
	}
	return list, nil
}

// mapsOf returns the names of an archive's maps, sorted: those below folders called maps or, if there are none, all.
// Quake's archives have no others, and addons keep parts of maps elsewhere.
func mapsOf(a container) names {
	all := filesOf(a, IsMap)
	var below names
	for _, name := range all {
		if strings.Contains("/"+name, "/maps/") {
			below = append(below, name)
		}
	}
	if len(below) > 0 {
		return below
	}
	return all
}

// filesOf returns the names of an archive's files that are wanted, sorted.
func filesOf(a container, wanted func(name string) bool) (all names) {
	for dirs := []string{"."}; len(dirs) > 0; {
		dir := dirs[len(dirs)-1]
		dirs = dirs[:len(dirs)-1]
		children, _ := a.children(dir)
		for _, c := range children {
			switch name := path.Join(dir, c.name); {
			case c.dir:
				dirs = append(dirs, name)
			case wanted(name):
				all = append(all, name)
			}
		}
	}
	all.sort()
	return all
}

// IsMap reports whether a file of this name is a map, compressed or not: x.bsp, x.bsp.bz2. The hidden files that
// macOS adds to archives are not maps.
func IsMap(name string) bool { return inputfile.IsMap(name) }

package assets

import (
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// Member is a map or another file in an archive.
type Member struct {
	Name string // in lower case with forward slashes
	Size int64  // bytes according to the archive: inflated, but still packed if the map itself is (x.bsp.bz2)
}

// Maps lists the maps of an archive, sorted by name: those below folders called maps or, if there are none, all of them. It fails
// if the archive can't be opened, is broken, or was cut.
func Maps(archive string, b *limits.Budget) ([]Member, error) { return members(archive, b, mapsOf) }

// List lists the files of an archive whose names are wanted, sorted by name. It fails as Maps does.
func List(archive string, b *limits.Budget, wanted func(name string) bool) ([]Member, error) {
	return members(archive, b, func(a container) names { return filesOf(a, wanted) })
}

// members lists those files of an archive that find returns.
func members(archive string, b *limits.Budget, find func(container) names) ([]Member, error) {
	f := formatOf(archive)
	if f == nil {
		if what := Foreign(archive); what != "" {
			return nil, fmt.Errorf("%s: is %s: %w", archive, what, limit.ErrUsage)
		}
		return nil, fmt.Errorf("%s: is not an archive (%s): %w", archive, extensions(), limit.ErrUsage)
	}
	a, err := f.open(archive, orDefault(b))
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if why := a.incomplete(); why != "" { // what is missing may be what is looked for
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

// mapsOf returns the names of an archive's maps, sorted: those below folders called maps or, if there are none, all of them.
// Quake's archives have no other, and addons keep parts of maps elsewhere.
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

// MayHoldMaps reports whether a file of this name is an archive that may hold maps: not one of textures (.wad), nor a numbered part of a
// VPK, whose directory is another file.
func MayHoldMaps(name string) bool {
	if !IsArchive(name) || hasExt(name, wadExt) {
		return false
	}
	base := TrimExt(name)
	return !hasExt(name, vpkExt) || len(base) < 4 || base[len(base)-4] != '_' || !isDigits(base[len(base)-3:])
}

// IsArchive reports whether a file of this name is read as an archive.
func IsArchive(name string) bool { return formatOf(name) != nil }

package assets

import (
	"path"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Member is a map in an archive.
type Member struct {
	Name string // in lower case with forward slashes
	Size int64  // bytes, inflated, according to the archive
}

// Maps lists all .bsp files of an archive, sorted by name. It fails if the archive can't be opened or is broken.
func Maps(archive string, b *limit.Budget) ([]Member, error) {
	a, err := formatOf(archive).open(archive, orDefault(b))
	if err != nil {
		return nil, err
	}
	defer a.Close()
	var found names
	for dirs := []string{"."}; len(dirs) > 0; {
		dir := dirs[len(dirs)-1]
		dirs = dirs[:len(dirs)-1]
		all, _ := a.children(dir)
		for _, c := range all {
			switch name := path.Join(dir, c.name); {
			case c.dir:
				dirs = append(dirs, name)
			case hasExt(name, ".bsp"):
				found = append(found, name)
			}
		}
	}
	found.sort()
	members := make([]Member, len(found))
	for i, name := range found {
		size, _ := a.size(name)
		members[i] = Member{name, size}
	}
	return members, nil
}

// IsArchive reports whether a file of this name is read as an archive.
func IsArchive(name string) bool { return formatOf(name) != nil }

// SplitArchive splits a path for OpenMap at its first component that is an archive file. member is "" if the path ends
// there. ok is false if the path contains no archive.
func SplitArchive(path string) (archive, member string, ok bool) { return splitArchive(path) }

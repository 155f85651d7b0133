package assets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// Map is a map that was opened.
type Map struct {
	Reader io.ReaderAt // valid until Closer is closed
	Size   int64       // bytes, unpacked
	Name   string      // the map's name, without folder and extensions, in lower case
	Path   string      // what was opened; in an archive with the map's name in it: x.zip:cstrike/maps/y.bsp
	Closer io.Closer   // closes the file and releases the memory
}

// OpenMap opens a map for reading: a file, an archive with a single map, or a map in an archive, written as x.pk3:maps/y.bsp,
// x.pk3!maps/y.bsp or x.pk3/maps/y.bsp. In an archive a name without a folder is looked for in all folders, and maps below a
// folder called maps count more than others. Each may be packed by bzip2, gzip or xz. It fails if there is no such file or
// member (fs.ErrNotExist), if it can't be read (limits.ErrInput), exceeds the limits (limits.ErrLimit), if it is damaged
// (limits.ErrCorrupt), and if an archive holds several maps (limits.ErrUsage).
func OpenMap(path string, b *limits.Budget) (*Map, error) {
	b = orDefault(b)
	m, err := openStored(path, b)
	if err != nil {
		return nil, err
	}
	r, size, release, err := Unpack(m.Reader, m.Size, b)
	if err != nil {
		m.Closer.Close()
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	m.Closer = both{m.Closer, release}
	m.Reader, m.Size = r, size
	return m, nil
}

// both closes a file and releases memory.
type both struct {
	file    io.Closer
	release func()
}

func (c both) Close() error {
	c.release()
	return c.file.Close()
}

// openStored opens a map that may still be packed.
func openStored(path string, b *limit.Budget) (*Map, error) {
	if archive, member, ok := splitArchive(path); ok {
		return openMember(archive, member, b)
	}
	if strings.Contains(path, "://") {
		return nil, limit.Errorf(limit.ErrUsage, "%s: is an address: download it first, and give the file", path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, inputError(err)
	}
	if !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, limit.Errorf(limit.ErrInput,
				"%s: is a folder, not a map: bsp2gltf info --maps lists its maps, bsp2gltf batch converts all", path)
		}
		return nil, limit.Errorf(limit.ErrInput, "%s: %s", path, NotRegular(info))
	}
	f, err := regular.Open(path)
	if err != nil {
		return nil, inputError(err)
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, inputError(err)
	}
	if err := limit.Check("MaxFile", b.Limits.MaxFile, info.Size()); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Map{Reader: f, Size: info.Size(), Name: mapName(path), Path: path, Closer: f}, nil
}

// NotRegular says what something is that can't be read as a file.
func NotRegular(info fs.FileInfo) string {
	if info.IsDir() {
		return "is a folder, not a file: name a file in it"
	}
	return "is a pipe or a device, not a file: a map from a pipe is read from standard input, named -"
}

func openMember(archive, member string, b *limit.Budget) (m *Map, err error) {
	a, err := formatOf(archive).open(archive, b)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if member == "" {
		if member, err = onlyMap(a); err != nil {
			return nil, fmt.Errorf("%s: %w", archive, orIncomplete(a, err))
		}
	}
	name, ok := clean(member)
	if !ok { // it leads out of the archive
		name = ""
	}
	r, size, err := a.opened(name)
	if errors.Is(err, fs.ErrNotExist) && name != "" && !strings.Contains(name, "/") {
		if full := byShortName(mapsOf(a), name); full != "" {
			name = full
			r, size, err = a.opened(name)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, &fs.PathError{Op: "open", Path: member, Err: orIncomplete(a, err)})
	}
	return &Map{Reader: r, Size: size, Name: mapName(name), Path: archive + ":" + name, Closer: a}, nil
}

// orIncomplete returns err, or if a file is missing in an archive that was cut, an error that says so.
func orIncomplete(a container, err error) error {
	if why := a.incomplete(); why != "" && errors.Is(err, fs.ErrNotExist) {
		return limit.Errorf(limit.ErrCorrupt, "%s", why)
	}
	return err
}

// byShortName returns the map that is called short, with or without its extensions, or "" if not exactly one is.
func byShortName(all names, short string) string {
	found := ""
	for _, name := range all {
		if base := path.Base(name); base == short || mapName(base) == short {
			if found != "" {
				return ""
			}
			found = name
		}
	}
	return found
}

// onlyMap returns the one map of an archive. It fails if there is none or more than one.
func onlyMap(a container) (string, error) {
	const shown = 20
	switch found := mapsOf(a); {
	case len(found) == 0:
		if a.count() > 0 && len(a.list(".", ".mip"))+len(a.list(".", ".qpic")) == a.count() {
			return "", limit.Errorf(fs.ErrNotExist, "holds textures, no map: bsp2gltf texture writes them as pictures")
		}
		return "", limit.Errorf(fs.ErrNotExist, "holds no map (.bsp)")
	case len(found) > shown:
		return "", limit.Errorf(limit.ErrUsage, "holds %d maps, name one after a colon, or convert all with bsp2gltf batch: %q and %d more",
			len(found), found[:shown], len(found)-shown)
	case len(found) > 1:
		return "", limit.Errorf(limit.ErrUsage, "holds %d maps, name one after a colon, or convert all with bsp2gltf batch: %q",
			len(found), found)
	default:
		return found[0], nil
	}
}

// splitArchive splits a path at the first archive on it that is a file. Member is "" if the path ends there. A file
// with exactly the path's name takes precedence, however odd its name.
func splitArchive(path string) (archive, member string, ok bool) {
	if isFile(path) {
		return path, "", formatOf(path) != nil
	}
	for i := range path {
		if c := path[i]; c != ':' && c != '!' && c != '/' && c != filepath.Separator {
			continue
		}
		if formatOf(path[:i]) != nil && isFile(path[:i]) {
			return path[:i], path[i+1:], true
		}
	}
	return "", "", false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// mapName returns the last component of a path, or of a name in an archive, without its extensions, in lower case.
func mapName(path string) string { return lower(TrimExt(filepath.Base(path))) }

// SplitArchive splits a path for OpenMap at its first component that is an archive file. member is "" if the path ends
// there. ok is false if the path contains no archive.
func SplitArchive(path string) (archive, member string, ok bool) { return splitArchive(path) }

// MapStem returns the name of the map that a path leads to, without folders, archive and extensions: "q3dm1" for
// "pak0.pk3:maps/q3dm1.bsp", "de_x" for "de_x.bsp.bz2".
func MapStem(path string) string {
	if _, member, ok := splitArchive(path); ok && member != "" {
		return TrimExt(member[strings.LastIndexAny(member, `/\:!`)+1:])
	}
	return TrimExt(filepath.Base(path))
}

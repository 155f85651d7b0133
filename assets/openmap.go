package assets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// OpenMap opens a map for reading: a file, an archive with a single map, or a map in an archive, written as
// x.pk3:maps/y.bsp, x.pk3!maps/y.bsp or x.pk3/maps/y.bsp. name is the map's name, without folder and extension, in lower
// case. r is valid until closer is closed; closer is nil only if err is not. It fails if there is no such file or member
// (fs.ErrNotExist), if it can't be read (limit.ErrInput), exceeds MaxFile (limit.ErrLimit), if the archive is broken
// (limit.ErrCorrupt), and if it holds several maps (limit.ErrUsage).
func OpenMap(path string, b *limit.Budget) (r io.ReaderAt, size int64, name string, closer io.Closer, err error) {
	b = orDefault(b)
	if archive, member, ok := splitArchive(path); ok {
		return openMember(archive, member, b)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, "", nil, inputError(err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, "", nil, fmt.Errorf("%s: is not a regular file: %w", path, limit.ErrInput)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, "", nil, inputError(err)
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, 0, "", nil, inputError(err)
	}
	if err := limit.Check("MaxFile", b.Limits.MaxFile, info.Size()); err != nil {
		f.Close()
		return nil, 0, "", nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, info.Size(), mapName(path), f, nil
}

func openMember(path, member string, b *limit.Budget) (r io.ReaderAt, size int64, name string, closer io.Closer, err error) {
	a, err := formatOf(path).open(path, b)
	if err != nil {
		return nil, 0, "", nil, err
	}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if member == "" {
		if member, err = onlyMap(a); err != nil {
			return nil, 0, "", nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	name, _ = clean(member)
	r, size, err = a.opened(name)
	if errors.Is(err, fs.ErrNotExist) && name != "" && !strings.Contains(name, "/") {
		for _, full := range []string{"maps/" + name, "maps/" + name + ".bsp"} { // by its short name
			if _, there := a.size(full); there {
				name = full
				r, size, err = a.opened(name)
			}
		}
	}
	if err != nil {
		return nil, 0, "", nil, fmt.Errorf("%s: %w", path, &fs.PathError{Op: "open", Path: member, Err: err})
	}
	return r, size, mapName(name), a, nil
}

// onlyMap returns the one map of an archive. It fails if there is none or more than one.
func onlyMap(a container) (string, error) {
	const shown = 20
	found := names(a.list("maps", ".bsp")) // also one folder down
	found.sort()
	switch n := len(found); {
	case n == 0:
		return "", fmt.Errorf("holds no maps/*.bsp: %w", fs.ErrNotExist)
	case n > shown:
		return "", fmt.Errorf("holds %d maps, name one after a colon: %q and %d more: %w", n, found[:shown], n-shown, limit.ErrUsage)
	case n > 1:
		return "", fmt.Errorf("holds %d maps, name one after a colon: %q: %w", n, found, limit.ErrUsage)
	}
	return found[0], nil
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

// mapName returns a path's last component without extension, in lower case.
func mapName(path string) string {
	base := lower(filepath.Base(path))
	return strings.TrimSuffix(base, filepath.Ext(base))
}

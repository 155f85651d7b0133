package assets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// Map is a map that was opened for reading.
type Map struct {
	Size int64  // bytes, decompressed
	Name string // the map's name, without folder and extensions, in lower case
	Path string // what was opened; for a map in an archive with its name there: x.zip:cstrike/maps/y.bsp

	reader io.ReaderAt
	closer io.Closer
}

// ReadAt reads the decompressed map. It is safe for concurrent use.
func (m *Map) ReadAt(p []byte, off int64) (int, error) { return m.reader.ReadAt(p, off) }

// Close closes the file and releases the memory of a decompressed map. The map can't be read afterwards.
func (m *Map) Close() error { return m.closer.Close() }

// Bytes returns the content of a map that was decompressed into memory, which callers must not change; otherwise nil.
func (m *Map) Bytes() []byte {
	if r, ok := m.reader.(interface{ Bytes() []byte }); ok {
		return r.Bytes()
	}
	return nil
}

// Unwrap returns the reader of the map, and the function that closes it, for callers that release the memory before
// they close the rest.
func (m *Map) Unwrap() (r io.ReaderAt, close func() error) { return m.reader, m.closer.Close }

// OpenMap opens a map for reading: a file, an archive with a single map, or a map in an archive, written as
// x.pk3:maps/y.bsp, x.pk3!maps/y.bsp or x.pk3/maps/y.bsp. In an archive a name without a folder is looked for in all
// folders; maps below a folder called maps take precedence. Each may be compressed by bzip2, gzip or xz. It fails if
// there is no such file or member (fs.ErrNotExist), if it can't be read (limits.ErrInput), exceeds the limits
// (limits.ErrLimit) or is damaged (limits.ErrCorrupt), and if an archive holds several maps (limits.ErrUsage).
func OpenMap(ctx context.Context, path string) (*Map, error) {
	b := limit.From(ctx)
	m, err := openStored(path, b)
	if err != nil {
		return nil, err
	}
	r, size, release, err := unpack(m.reader, m.Size, b)
	if err != nil {
		m.Close()
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	m.closer = both{m.closer, release}
	m.reader, m.Size = r, size
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

// openStored opens a map that may still be compressed.
func openStored(path string, b *limit.Budget) (*Map, error) {
	if archive, member, ok := inputfile.Split(path); ok {
		return openMember(path, archive, member, b)
	}
	if strings.Contains(path, "://") {
		return nil, limit.Errorf(limit.ErrUsage, "%s: is an address: download it first, and give the file", path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, limit.Unreadable(err)
	}
	if !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, limit.Errorf(limit.ErrInput,
				"%s: is a folder, not a map: bsp2gltf info --maps lists its maps, bsp2gltf batch converts all", path)
		}
		return nil, limit.Errorf(limit.ErrInput, "%s: %s", path, inputfile.NotRegular(info))
	}
	f, err := regular.Open(path)
	if err != nil {
		return nil, limit.Unreadable(err)
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, limit.Unreadable(err)
	}
	if err := limit.Check("MaxFile", b.Limits.MaxFile, info.Size()); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Map{Size: info.Size(), Name: mapName(path), Path: path, reader: f, closer: f}, nil
}

func openMember(path, archive, member string, b *limit.Budget) (m *Map, err error) {
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
		if member, err = onlyMap(a, archive); err != nil {
			return nil, fmt.Errorf("%s: %w", archive, orIncomplete(a, err))
		}
	}
	name, ok := clean(member)
	if !ok { // the name leads out of the archive
		name = ""
	}
	if inputfile.IsArchive(name) {
		return nil, fmt.Errorf("%s: %w", path, absent(a, archive, member))
	}
	r, size, err := a.opened(name)
	if errors.Is(err, fs.ErrNotExist) && name != "" && !strings.Contains(name, "/") {
		if full := byShortName(mapsOf(a), name); full != "" {
			name = full
			r, size, err = a.opened(name)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, orIncomplete(a, absent(a, archive, member)))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Map{Size: size, Name: mapName(name), Path: archive + ":" + name, reader: r, closer: a}, nil
}

// orIncomplete returns err, unless a file is missing in a truncated archive: then it returns an error that says so.
func orIncomplete(a container, err error) error {
	if why := a.incomplete(); why != "" && errors.Is(err, fs.ErrNotExist) {
		return limit.Errorf(limit.ErrCorrupt, "%s", why)
	}
	return err
}

// byShortName returns the map that is called short, with or without its extensions, or "" if there is not exactly
// one.
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

// onlyMap returns the single map of an archive. It fails if there is none or more than one.
func onlyMap(a container, archive string) (string, error) {
	switch found := mapsOf(a); {
	case len(found) == 0:
		return "", noMap(a, archive)
	case len(found) > 1:
		return "", severalMaps(found, archive)
	default:
		return found[0], nil
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// mapName returns the last component of a path, or of a name in an archive, in lower case without its extensions.
func mapName(path string) string { return lower(inputfile.TrimExt(filepath.Base(path))) }

package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Open mounts paths in search order and returns a view of them. A directory is a game folder: its loose files, then
// its archives in the engine's order; or the search paths of its gameinfo.txt. A file is an archive; x.zip:dir is a
// folder in one. A path is mounted only once. An archive of a game folder that can't be read is an issue. Open fails
// if a path does not exist (fs.ErrNotExist), is not an archive (limits.ErrUsage), or can't be read
// (limits.ErrCorrupt, limits.ErrLimit, limits.ErrInput). The view keeps to the context's limits, also when it is read
// later, and keeps its archives open until it is closed.
func Open(ctx context.Context, paths []string) (*FS, error) { return (*Steam)(nil).Open(ctx, paths) }

// Open is like the function Open, and also follows a gameinfo.txt to other games that Steam has installed.
func (s *Steam) Open(ctx context.Context, paths []string) (*FS, error) {
	return s.OpenAround(ctx, paths, nil)
}

// OpenAround opens paths that the user named, then paths found around a map. A gameinfo.txt of the former may name
// any folder. One of the latter may have come with the map, so only its paths inside the game's root and Steam's
// libraries count. Symbolic links are followed in both, as the engines do. A folder found around the map that can't
// be read, or that no longer exists, is an issue: a map can be readable where its folder can't be listed.
func (s *Steam) OpenAround(ctx context.Context, named, around []string) (*FS, error) {
	u := &usage{used: map[mount]*atomic.Bool{}}
	o := opener{fsys: &FS{budget: limit.From(ctx), steam: s, usage: u}, seen: map[string]bool{}, steam: s}
	for i, p := range slices.Concat(named, around) {
		o.foreign = i >= len(named)
		before := len(o.fsys.mounts)
		err := o.mount(p)
		if !o.foreign {
			u.add(p, o.fsys.mounts[before:])
		}
		if err != nil && o.foreign && !errors.Is(err, limit.ErrLimit) {
			o.fsys.note("folder-unreadable", p, strings.TrimPrefix(err.Error(), gamePath))
			continue
		}
		if err != nil {
			o.fsys.Close()
			return nil, err
		}
	}
	return o.fsys, nil
}

// opener mounts paths.
type opener struct {
	fsys *FS
	seen map[string]bool // absolute paths mounted so far
	// named identifies the folders and archives that were mounted for paths that the user named.
	named   []fs.FileInfo
	steam   *Steam
	placed  int  // how many folders and archives were mounted for a gameinfo.txt
	foreign bool // the user did not name the folder of the current gameinfo.txt
}

// gamePath begins the errors of a path to mount.
const gamePath = "game path: "

func (o *opener) mount(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		if archive, dir, ok := inputfile.Split(path); ok {
			return o.inside(archive, dir)
		}
		return fmt.Errorf(gamePath+"%w", err)
	}
	switch {
	case info.IsDir():
		d, unlisted := openFolder(path, o.fsys.budget)
		if unlisted == nil {
			g, err := d.gameInfo()
			if err != nil {
				o.fsys.note("gameinfo", path, err.Error())
			}
			if g != nil {
				o.game(path, g)
				return nil
			}
		}
		if !o.first(path) {
			return nil
		}
		if unlisted != nil {
			return fmt.Errorf(gamePath+"%w", unlisted)
		}
		o.folder(d)
		return nil
	case !o.first(path):
		return nil
	}
	f := formatOf(path)
	if f == nil || !info.Mode().IsRegular() {
		if what := inputfile.Foreign(path); what != "" {
			return fmt.Errorf(gamePath+"%s is %s: %w", path, what, limit.ErrUsage)
		}
		return fmt.Errorf(gamePath+"%s is neither a folder nor an archive (%s): %w", path, extensions(), limit.ErrUsage)
	}
	return o.archive(f, path)
}

// first records a path, and reports whether it is new.
func (o *opener) first(path string) bool {
	abs := absolute(path)
	if o.seen[abs] {
		return false
	}
	o.seen[abs] = true
	if info, err := os.Stat(path); err == nil && !o.foreign {
		o.named = append(o.named, info)
	}
	return true
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

func (o *opener) archive(f *format, path string) error {
	a, err := f.open(path, o.fsys.budget)
	if err != nil {
		return err
	}
	o.fsys.mounts = append(o.fsys.mounts, a)
	o.fsys.close = append(o.fsys.close, a)
	return nil
}

// inside mounts a folder of an archive.
func (o *opener) inside(path, dir string) error {
	dir, ok := clean(dir)
	if !o.first(path + ":" + dir) {
		return nil
	}
	a, err := formatOf(path).open(path, o.fsys.budget)
	if err != nil {
		return err
	}
	if _, there := a.children(dir); !ok || !there {
		a.Close()
		return limit.Errorf(fs.ErrNotExist, "game path: %s has no folder %.200q", path, dir)
	}
	o.fsys.mounts = append(o.fsys.mounts, inside{a, dir})
	o.fsys.close = append(o.fsys.close, a)
	return nil
}

// folder mounts a game folder. ioquake3, FS_AddGameDirectory: archives and .pk3dir folders are pushed on the search
// path in ascending order, then the folder itself; what was pushed last is searched first. Quake and Quake II search
// loose files last, but their ports search them first, like ioquake3: a file placed beside the archives is meant to
// override them.
func (o *opener) folder(d *folder) {
	o.fsys.mounts = append(o.fsys.mounts, d)

	type pak struct {
		path   string
		format *format // nil for a .pk3dir
	}
	var paks []pak
	root := d.listing(".")
	for _, p := range root.files {
		if isMounted(p) {
			paks = append(paks, pak{p, formatOf(p)})
		}
	}
	for name, dirs := range root.dirs {
		if isArchiveFolder(name) {
			for _, p := range dirs {
				paks = append(paks, pak{p, nil})
			}
		}
	}
	slices.SortFunc(paks, func(a, b pak) int {
		return cmp.Or(comparePaks(filepath.Base(b.path), filepath.Base(a.path)), cmp.Compare(b.path, a.path))
	})
	for _, p := range paks {
		if !o.first(p.path) {
			continue
		}
		if p.format != nil {
			if err := o.archive(p.format, p.path); err != nil {
				d.note("archive-unreadable", p.path, err.Error())
			}
		} else if sub, err := openFolder(p.path, o.fsys.budget); err != nil {
			d.note("folder-unreadable", p.path, err.Error())
		} else {
			o.fsys.mounts = append(o.fsys.mounts, sub)
		}
	}
}

// comparePaks orders the archives of a folder: .pak files and VPKs by number, then all others as ioquake3 does.
func comparePaks(a, b string) int {
	x, isPak := pakNumber(a)
	y, isPak2 := pakNumber(b)
	switch {
	case isPak && isPak2:
		return cmp.Or(cmp.Compare(x, y), comparePaths(a, b))
	case isPak:
		return -1
	case isPak2:
		return 1
	}
	return comparePaths(a, b)
}

// comparePaths is ioquake3's FS_PathCmp: capitals for letters (so "_" comes after "z"), and "\" and ":" are "/".
func comparePaths(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if c := cmp.Compare(pakOrder(a[i]), pakOrder(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func pakOrder(c byte) byte {
	switch {
	case 'a' <= c && c <= 'z':
		return c - 'a' + 'A'
	case c == '\\', c == ':':
		return '/'
	}
	return c
}

// Package assets shows a game's files, loose or in archives, as one case-insensitive read-only view.
//
// A Quake III game folder holds loose files and .pk3 archives, which are zip files; a folder named x.pk3dir stands
// for an archive that is not packed. The engine asks all of them in a fixed order and takes the first file of the
// name, whatever its case and whichever way its slashes lean. Open does the same, in ioquake3's order: loose files,
// then the archives and .pk3dir folders of the folder in descending order of their names, so that pak9 beats pak0
// and a map's own zz_fixes.pk3 beats both.
//
// Quake's and Quake II's folders have .pak archives instead, of which the one with the highest number comes first. A .wad
// holds textures; it is mounted where somebody names it, or by Wads where the map does.
//
// Find guesses the folders that a map belongs to, OpenMap opens a map that is a file or lies in an archive, and Over
// puts what a map carries before the rest. Archives are arbitrary bytes: whatever one says, opening and reading it
// costs no more than its own bytes and the limit.Budget allow.
package assets

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// FS is a view over folders and archives; the first mount that has a file wins. It is safe for concurrent use.
//
// It gives fs.FS, fs.ReadFileFS, fs.StatFS and fs.ReadDirFS, and forgives more than they ask: a name may have any
// case, backslashes, doubled slashes, a leading slash or dots that stay where they are. A name with a ".." component
// is never there. Names that come out are lower case with forward slashes. Only A to Z have a case, as in the engines.
type FS struct {
	notes  // of Wads
	mounts []mount
	budget *limit.Budget
	close  []io.Closer // what Open opened; nothing for Over
}

// mount is a place that files come from: a folder, an archive, or what a map carries. Names are clean.
type mount interface {
	path() string
	// size returns the size of a file, and whether there is one.
	size(name string) (int64, bool)
	// read returns a file's content, or errAbsent.
	read(name string) ([]byte, error)
	// children returns what lies directly in dir, in no particular order, and whether there is such a directory.
	children(dir string) ([]child, bool)
	// list returns the files below dir whose names end in ext, in the engine's order.
	list(dir, ext string) []string
	issues() []Issue
}

// child is an entry of a directory: its own name, not its path.
type child struct {
	name string
	dir  bool
}

// errAbsent is what a mount answers for a file that it does not have.
var errAbsent = fs.ErrNotExist

// format is a kind of archive. Adding one is adding a row.
type format struct {
	ext     string
	mounted bool // a game folder mounts those that lie in it
	read    func(r io.ReaderAt, size int64, b *limit.Budget) (*archive, error)
}

// ioquake3 mounts *.pk3 alone; a .zip in a game folder is what somebody has downloaded. A .wad is one that a map names.
var formats = []format{
	{".pk3", true, readZip},
	{pakExt, true, readPak},
	{".zip", false, readZip},
	{wadExt, false, readWad},
}

// folderExt is the ending of a folder that the engine treats as an archive of its game folder.
const folderExt = ".pk3dir"

// formatOf returns the row for a file's name, or nil.
func formatOf(name string) *format {
	for i, f := range formats {
		if hasExt(name, f.ext) {
			return &formats[i]
		}
	}
	return nil
}

// open opens an archive. The archive keeps the file open.
func (f *format) open(path string, b *limit.Budget) (*archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, inputError(err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, inputError(err)
	}
	a, err := f.read(file, info.Size(), b)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a.named(path, file)
	return a, nil
}

// Open mounts paths, the first first, and returns a view of them. A directory is a game folder: its loose files, then
// its archives in the engine's order. A file is that archive alone. What is mounted already is not mounted again.
// An archive of a game folder that can't be read is an issue. Open fails if a path does not exist (fs.ErrNotExist),
// is no archive (limit.ErrUsage), or is one that can't be read (limit.ErrCorrupt, limit.ErrLimit, limit.ErrInput).
// A nil budget is one of the default limits. The view keeps a file open for every archive until it is closed.
func Open(paths []string, b *limit.Budget) (*FS, error) {
	o := opener{fsys: &FS{budget: orDefault(b)}, seen: map[string]bool{}}
	for _, p := range paths {
		if err := o.mount(p); err != nil {
			o.fsys.Close()
			return nil, err
		}
	}
	return o.fsys, nil
}

// Zip returns a view of one zip that is not a file of its own, such as the pakfile of a map. It is called name in
// Paths, Origin and Issues. It fails as Open does on an archive. r must stay readable; Close only ends what b reserves.
func Zip(r io.ReaderAt, size int64, name string, b *limit.Budget) (*FS, error) {
	b = orDefault(b)
	a, err := readZip(r, size, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a.named(name, nil)
	return &FS{mounts: []mount{a}, budget: b, close: []io.Closer{a}}, nil
}

// Over returns a view in which top, what a map carries, wins over under. Either may be nil. Closing it closes
// nothing: top and under belong to those who opened them. If top is not an *FS, it is listed at the first use, and
// its files are subject to MaxEntry alone.
func Over(top fs.FS, under *FS) *FS {
	if under == nil {
		under = &FS{budget: orDefault(nil)}
	}
	v := &FS{budget: orDefault(under.budget)}
	switch t := top.(type) {
	case nil:
	case *FS:
		if t != nil {
			v.mounts = append(v.mounts, t.mounts...)
		}
	default:
		v.mounts = append(v.mounts, &overlay{top: top, limits: v.budget.Limits})
	}
	v.mounts = append(v.mounts, under.mounts...)
	return v
}

// Paths are the folders and archives, the first searched first.
func (v *FS) Paths() []string {
	paths := make([]string, len(v.mounts))
	for i, m := range v.mounts {
		paths[i] = m.path()
	}
	return paths
}

// Origin is the folder or archive that a file comes from, as in Paths, or "" if there is no such file.
func (v *FS) Origin(name string) string {
	if name, ok := clean(name); ok {
		for _, m := range v.mounts {
			if _, ok := m.size(name); ok {
				return m.path()
			}
		}
	}
	return ""
}

// Close closes the archives that Open opened. Files can't be read afterwards.
func (v *FS) Close() error {
	var errs []error
	for _, c := range v.close {
		errs = append(errs, c.Close())
	}
	v.close = nil
	return errors.Join(errs...)
}

// opener mounts paths.
type opener struct {
	fsys *FS
	seen map[string]bool // absolute paths
}

func (o *opener) mount(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("game path: %w", err)
	case !o.first(path):
		return nil
	case info.IsDir():
		return o.folder(path)
	}
	f := formatOf(path)
	if f == nil || !info.Mode().IsRegular() {
		return fmt.Errorf("game path: %s is neither a folder nor an archive (%s): %w", path, extensions(), limit.ErrUsage)
	}
	return o.archive(f, path)
}

// first notes a path and tells whether it is new.
func (o *opener) first(path string) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = filepath.Clean(path)
	}
	if o.seen[abs] {
		return false
	}
	o.seen[abs] = true
	return true
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

// folder mounts a game folder. ioquake3, FS_AddGameDirectory: archives and .pk3dir folders are pushed on the search
// path in ascending order, then the folder itself; what was pushed last is searched first. Quake and Quake II search the
// loose files last, their ports as ioquake3 does: whoever lays a file beside the archives wants it seen.
func (o *opener) folder(path string) error {
	d, err := openFolder(path, o.fsys.budget)
	if err != nil {
		return fmt.Errorf("game path: %w", err)
	}
	o.fsys.mounts = append(o.fsys.mounts, d)

	type pak struct {
		path   string
		format *format // nil for a .pk3dir
	}
	var paks []pak
	root := d.listing(".")
	for _, p := range root.files {
		if f := formatOf(p); f != nil && f.mounted {
			paks = append(paks, pak{p, f})
		}
	}
	for name, dirs := range root.dirs {
		if hasExt(name, folderExt) {
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
	return nil
}

// comparePaks orders the archives of a folder: the .pak files by their numbers, then all others as ioquake3 does.
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

func extensions() string {
	var exts []string
	for _, f := range formats {
		exts = append(exts, f.ext)
	}
	return strings.Join(exts, ", ")
}

func orDefault(b *limit.Budget) *limit.Budget {
	if b == nil {
		return limit.NewBudget(limit.Limits{})
	}
	return b
}

// Issue is something about the mounts that does not stop a conversion.
type Issue struct {
	Code   string // archive-unreadable, folder-unreadable, entry-name, entry-lost, entry-checksum, overlay-unreadable, wad-missing
	Where  string // the folder or archive, with ":" and the entry's name if it is about one
	Detail string
}

// Issues are what was wrong with the mounts so far, each thing once, sorted. Reading files can add to them.
func (v *FS) Issues() []Issue {
	all := v.issues()
	for _, m := range v.mounts {
		all = append(all, m.issues()...)
	}
	slices.SortFunc(all, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(a.Where, b.Where), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(all)
}

// notes are the issues of a mount.
type notes struct {
	mu   sync.Mutex
	seen map[Issue]bool
}

func (n *notes) note(code, where, detail string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen == nil {
		n.seen = map[Issue]bool{}
	}
	n.seen[Issue{code, where, detail}] = true
}

func (n *notes) issues() []Issue {
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []Issue
	for i := range n.seen {
		all = append(all, i)
	}
	return all
}

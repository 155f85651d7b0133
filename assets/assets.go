// Package assets presents a game's files, loose or in archives, as one case-insensitive read-only file system.
//
// A Quake III game folder holds loose files and .pk3 archives, which are zip files; a folder named x.pk3dir counts as
// an unpacked archive. The engine searches all of them in a fixed order and takes the first file with the name,
// ignoring case and the direction of slashes. Open does the same, in ioquake3's order: loose files, then the folder's
// archives and .pk3dir folders in descending order of their names, so that pak9 beats pak0, and a map's own
// zz_fixes.pk3 beats both.
//
// Quake's and Quake II's folders have .pak archives instead; the one with the highest number comes first. A .wad
// holds textures; it is mounted if the caller names it, or by Wads if the map does. A folder with Source's
// gameinfo.txt stands for the folders and .vpk archives that this file lists, in its order; Steam locates other
// games.
//
// Find guesses the folders that a map belongs to, OpenMap opens a map that is a file or in an archive, and Over puts
// a map's embedded files before all others. Archives are untrusted: opening and reading one costs no more than its
// size and the limits allow.
package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// FS is a view of folders and archives. The first mount that has a file wins. It is safe for concurrent use.
//
// It implements fs.FS, fs.ReadFileFS, fs.StatFS and fs.ReadDirFS, and accepts more names than they require: any case,
// backslashes, double slashes, a leading slash, "." components. A name with a ".." component never exists. Returned
// names are in lower case with forward slashes. Only A to Z have case, as in the engines.
type FS struct {
	notes  // issues from Wads and gameinfo files
	mounts []mount
	budget *limit.Budget
	close  []io.Closer // opened by Open; empty for Over
	games  []Game
	steam  *Steam // used by Installed
	usage  *usage // which given paths were of use; nil for views not from Open
}

// mount is a source of files: a folder, an archive, or a map's embedded files. Names are in the form of clean.
type mount interface {
	path() string
	// size returns the size of a file, and whether it exists.
	size(name string) (int64, bool)
	// read returns a file's content, or errAbsent.
	read(name string) ([]byte, error)
	// children returns the entries of dir, in no particular order, and whether dir exists.
	children(dir string) ([]child, bool)
	// list returns the files below dir whose names end in ext, in the engine's order.
	list(dir, ext string) []string
	issues() []Issue
}

// child is an entry of a directory. Its name has no slashes.
type child struct {
	name string
	dir  bool
}

// errAbsent is the error of a mount for a file that it does not have.
var errAbsent = fs.ErrNotExist

// Zip returns a view of a zip that is not a file of its own, such as the pakfile of a map. name is how Paths, Origin
// and Issues call it. It fails as Open does on an archive. r must stay readable until the view is closed; Close only
// releases the memory of the directory.
func Zip(ctx context.Context, r io.ReaderAt, size int64, name string) (*FS, error) {
	b := limit.From(ctx)
	a, err := readZip(r, size, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a.named(name, nil)
	return &FS{mounts: []mount{a}, budget: b, close: []io.Closer{a}}, nil
}

// Over returns a view in which top, a map's embedded files, takes precedence over under. Either may be nil. Closing
// the view closes neither. If top is not an *FS, it is listed on first use, and only MaxEntry limits its files.
func Over(top fs.FS, under *FS) *FS {
	if under == nil {
		under = &FS{}
	}
	v := &FS{budget: orDefault(under.budget), steam: under.steam, usage: under.usage}
	switch t := top.(type) {
	case nil:
	case *FS:
		if t != nil {
			v.mounts = append(v.mounts, t.mounts...)
			v.games = append(v.games, t.games...)
		}
	default:
		v.mounts = append(v.mounts, &overlay{top: top, limits: v.budget.Limits})
	}
	v.mounts = append(v.mounts, under.mounts...)
	v.games = append(v.games, under.games...)
	return v
}

// Paths returns the folders and archives in search order.
func (v *FS) Paths() []string {
	paths := make([]string, len(v.mounts))
	for i, m := range v.mounts {
		paths[i] = m.path()
	}
	return paths
}

// Origin returns which folder or archive (as in Paths) a file comes from, or "" if there is no such file.
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

// Games returns the games whose gameinfo.txt set the search paths.
func (v *FS) Games() []Game { return v.games }

// Mount describes a folder or archive of a view.
type Mount struct {
	Path  string `json:"path"`
	Files int    `json:"files"` // in an archive; 0 for a folder, whose files are not counted
}

// Mounts returns the folders and archives in search order.
func (v *FS) Mounts() []Mount {
	all := make([]Mount, len(v.mounts))
	for i, m := range v.mounts {
		all[i].Path = m.path()
		if c, ok := m.(container); ok {
			all[i].Files = c.count()
		}
	}
	return all
}

// Verify checks the checksums of all files in .vpk and .gma archives, which reading does not check. It returns how
// many files it compared, and how many differ or are incomplete; Issues names them. It fails if the disk does
// (limits.ErrInput), or when ctx ends.
func (v *FS) Verify(ctx context.Context) (files, wrong int, err error) {
	for _, m := range v.mounts {
		if c, ok := m.(container); ok {
			n, bad, err := c.verify(ctx)
			files, wrong = files+n, wrong+bad
			if err != nil {
				return files, wrong, err
			}
		}
	}
	return files, wrong, nil
}

// Close closes the archives that Open opened. After that, their files can't be read.
func (v *FS) Close() error {
	var errs []error
	for _, c := range v.close {
		errs = append(errs, c.Close())
	}
	v.close = nil
	return errors.Join(errs...)
}

// Issue is a defect of a mount that does not stop a conversion.
type Issue struct {
	Code   string // stable: archive-cut, entry-checksum and so on
	Where  string // the folder or archive; for an entry followed by ":" and the entry's name
	Detail string
}

// Issues returns the defects of the mounts found so far, sorted and without duplicates. Reading files can add more.
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

// notes holds the issues of a mount.
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

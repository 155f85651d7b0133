// Package assets shows a game's files, loose or in archives, as one case-insensitive read-only view.
//
// A Quake III game folder holds loose files and .pk3 archives, which are zip files; a folder named x.pk3dir stands
// for an archive that is not packed. The engine asks all of them in a fixed order and takes the first file of the
// name, whatever its case and whichever way its slashes lean. Open does the same, in ioquake3's order: loose files,
// then the archives and .pk3dir folders of the folder in descending order of their names, so that pak9 beats pak0
// and a map's own zz_fixes.pk3 beats both.
//
// Quake's and Quake II's folders have .pak archives instead, of which the one with the highest number comes first. A .wad
// holds textures; it is mounted where somebody names it, or by Wads where the map does. A folder with Source's gameinfo.txt
// stands for the folders and .vpk archives that the file lists, in its order, and Steam knows where other games are.
//
// Find guesses the folders that a map belongs to, OpenMap opens a map that is a file or lies in an archive, and Over
// puts what a map carries before the rest. Archives are arbitrary bytes: whatever one says, opening and reading it
// costs no more than its own bytes and the limit.Budget allow.
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

// FS is a view over folders and archives; the first mount that has a file wins. It is safe for concurrent use.
//
// It gives fs.FS, fs.ReadFileFS, fs.StatFS and fs.ReadDirFS, and forgives more than they ask: a name may have any
// case, backslashes, doubled slashes, a leading slash or dots that stay where they are. A name with a ".." component
// is never there. Names that come out are lower case with forward slashes. Only A to Z have a case, as in the engines.
type FS struct {
	notes  // of Wads, of games
	mounts []mount
	budget *limit.Budget
	close  []io.Closer // what Open opened; nothing for Over
	games  []Game
	steam  *Steam // for Installed
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
	v := &FS{budget: orDefault(under.budget), steam: under.steam}
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

// Games are the games whose gameinfo.txt said what to mount.
func (v *FS) Games() []Game { return v.games }

// Mount is one of the places that files come from.
type Mount struct {
	Path  string `json:"path"`
	Files int    `json:"files"` // in an archive; 0 for a folder, whose files are not counted
}

// Mounts are the folders and archives, the first searched first.
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

// Verify compares every file of the archives with its checksum, of those kinds of which reading does not: .vpk and .gma. It
// returns how many were compared and how many differ or are not whole; Issues names them. It fails if the disk does
// (limit.ErrInput), or when ctx is done.
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

// Close closes the archives that Open opened. Files can't be read afterwards.
func (v *FS) Close() error {
	var errs []error
	for _, c := range v.close {
		errs = append(errs, c.Close())
	}
	v.close = nil
	return errors.Join(errs...)
}

// Issue is something about the mounts that does not stop a conversion.
type Issue struct {
	Code   string // archive-cut, entry-checksum and so on: they stay the same
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

package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
)

// scratch is a worker process's folder for fetched maps and for outputs that are not stored yet. The lock in it means
// that the process lives: the system releases the lock even if the process is killed.
type scratch struct {
	dir  string
	lock *flock.Flock
}

// Names in the folder for scratch, where strangers may have prepared links.
const (
	lockFile  = "lock"  // in each scratch folder; the one in the root is held while scratch folders are made or removed
	gamesDir  = "games" // game folders, which workers share
	runPrefix = "run-"  // prefix of scratch folders
)

// newScratch makes a scratch folder below dir and removes those of dead processes. On a file system without locks it
// removes none. It fails with ErrOutput if one of the names that it needs is a link.
func newScratch(dir string) (*scratch, error) {
	s, err := makeScratch(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, limit.ErrOutput, err)
	}
	return s, nil
}

func makeScratch(dir string) (*scratch, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	shared, err := nolink.Folder(root, gamesDir, true, 0o755)
	if err != nil {
		return nil, err
	}
	shared.Close()
	turn, err := nolink.Lock(root, lockFile)
	if err != nil {
		return nil, err
	}
	_ = turn.Lock() // one process at a time, because a new folder has no lock yet
	defer func() { _ = turn.Close() }()
	if err := sweepScratch(root); err != nil {
		return nil, err
	}
	own, err := os.MkdirTemp(dir, runPrefix)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"in", "out"} {
		if err := os.Mkdir(filepath.Join(own, name), 0o755); err != nil {
			return nil, err
		}
	}
	s := &scratch{own, flock.New(filepath.Join(own, lockFile))}
	_, _ = s.lock.TryLock() // see above
	return s, nil
}

// sweepScratch removes the scratch folders that no process holds.
func sweepScratch(root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), runPrefix) {
			continue
		}
		dir, err := nolink.Folder(root, e.Name(), false, 0)
		if err != nil {
			continue // not one of ours
		}
		orphan := dead(dir)
		dir.Close()
		if orphan {
			_ = root.RemoveAll(e.Name()) // the next worker removes what is left
		}
	}
	return err
}

// dead reports whether no process holds a scratch folder.
func dead(dir *os.Root) bool {
	lock, err := nolink.Lock(dir, lockFile)
	if err != nil {
		return false
	}
	defer func() { _ = lock.Close() }()
	free, err := lock.TryLock()
	return free && err == nil && nolink.Check(dir, lockFile, lock) == nil
}

// remove removes the folder when its process ends.
func (s *scratch) remove() {
	_ = s.lock.Close()
	_ = os.RemoveAll(s.dir) // the next worker removes what is left
}

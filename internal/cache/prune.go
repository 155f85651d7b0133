package cache

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	tempPrefix = "temp-"
	// tempAge is how old a temporary file is whose writer was killed: writing an entry takes seconds.
	tempAge = time.Hour
)

// Stats are what a store holds.
type Stats struct {
	Entries int
	Bytes   int64
	Oldest  time.Time // last use; zero where there is no entry
}

type entry struct {
	name string
	size int64
	used time.Time
}

// ours is how the path of an entry or a temporary file ends: all else in the folder is somebody's.
var ours = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v1/(?:[0-9a-f]{2}/[0-9a-f]{62}|` + tempPrefix + `[0-9]+)$`)
})

// entries lists the store, with temporary files separately. Files that disappear meanwhile are skipped.
func (s *Store) entries() (all, temps []entry, err error) {
	err = filepath.WalkDir(filepath.Join(s.dir, "v1"), func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if rel, err := filepath.Rel(s.dir, p); err != nil || !d.Type().IsRegular() || !ours().MatchString(filepath.ToSlash(rel)) {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		e := entry{p, info.Size(), info.ModTime()}
		if strings.HasPrefix(d.Name(), tempPrefix) {
			temps = append(temps, e)
		} else {
			all = append(all, e)
		}
		return nil
	})
	return all, temps, err
}

// Stats counts the store.
func (s *Store) Stats() (Stats, error) {
	var st Stats
	all, _, err := s.entries()
	for _, e := range all {
		st.Entries++
		st.Bytes += e.size
		if st.Oldest.IsZero() || e.used.Before(st.Oldest) {
			st.Oldest = e.used
		}
	}
	return st, err
}

// bound prunes the store to three quarters of its bound, if it has grown over that. Where another process does so, it is
// left for later, but not for longer than as much again is written.
func (s *Store) bound() error {
	s.pruning.Lock()
	defer s.pruning.Unlock()
	written := s.since.Load()
	if written < s.max/measureShare {
		return nil // another goroutine has done it
	}
	lock := flock.New(filepath.Join(s.dir, "lock"))
	if ok, err := lock.TryLock(); err != nil || !ok && written < 2*s.max/measureShare {
		return err
	} else if !ok {
		if err := lock.Lock(); err != nil {
			return err
		}
	}
	defer func() { _ = lock.Close() }() // the process's end would do
	s.since.Store(0)
	_, err := s.prune(s.max/4*3, 0)
	return err
}

// Pruned is what Prune removed.
type Pruned struct {
	Entries int
	Bytes   int64
}

// Prune removes what was not used for longest until the store has at most max bytes, and all that was not used for as long
// as age; 0 is any age. It waits for another process that does so.
func (s *Store) Prune(max int64, age time.Duration) (Pruned, error) {
	lock := flock.New(filepath.Join(s.dir, "lock"))
	if err := lock.Lock(); err != nil {
		return Pruned{}, err
	}
	defer func() { _ = lock.Close() }() // the process's end would do
	return s.prune(max, age)
}

func (s *Store) prune(max int64, age time.Duration) (p Pruned, err error) {
	all, temps, err := s.entries()
	if err != nil {
		return p, err
	}
	now := time.Now()
	for _, t := range temps {
		if now.Sub(t.used) > tempAge {
			os.Remove(t.name)
		}
	}
	var total int64
	for _, e := range all {
		total += e.size
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	for _, e := range all {
		if total <= max && (age == 0 || now.Sub(e.used) < age) {
			break
		}
		if err := os.Remove(e.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return p, err
		}
		total -= e.size
		p.Entries++
		p.Bytes += e.size
	}
	return p, nil
}

package diskcache

import (
	"cmp"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
)

const (
	lockName   = "lock"
	tempPrefix = "temp-"
	// tempAge is the age at which a temporary file's writer must have been killed, because writing an entry takes
	// seconds.
	tempAge = time.Hour
)

// Stats describes the contents of a store.
type Stats struct {
	Entries int
	Bytes   int64
	Oldest  time.Time // earliest last use; zero if there are no entries
}

type entry struct {
	name string
	size int64
	used time.Time
}

// ours matches the end of the path of an entry or temporary file. Other files in the folder are not ours and stay.
var ours = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[0-9a-f]{2}/[0-9a-f]{62}|` + tempPrefix + `[0-9]+)$`)
})

// entries returns the entries of the store and, separately, its temporary files. It skips files that disappear
// meanwhile.
func (s *Store) entries() (all, temps []entry, err error) {
	err = fs.WalkDir(s.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() || !ours().MatchString(p) {
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

// Stats returns the number, size and age of the entries.
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

// bound prunes the store to three quarters of its bound if it exceeds the bound. If another process is pruning, it
// leaves the check until as much again was written.
func (s *Store) bound() error {
	s.pruning.Lock()
	defer s.pruning.Unlock()
	written := s.since.Load()
	if written < s.max/measureShare {
		return nil // another goroutine has measured since
	}
	release, err := s.lock(func(l *flock.Flock) (bool, error) {
		if ok, err := l.TryLock(); ok || err != nil || written < 2*s.max/measureShare {
			return ok, err
		}
		return true, l.Lock()
	})
	if err != nil || release == nil {
		return err
	}
	defer release()
	s.since.Store(0)
	_, err = s.prune(s.max/4*3, 0)
	return err
}

// lock takes the lock of the store, and returns the function that releases it. Try reports whether it has got the lock; if not, there
// is no function.
func (s *Store) lock(try func(*flock.Flock) (bool, error)) (release func(), err error) {
	lock, err := nolink.Lock(s.dir, lockName)
	if err != nil {
		return nil, err
	}
	if ok, err := try(lock); err != nil || !ok {
		return nil, err
	}
	release = func() { _ = lock.Close() } // the end of the process would release it, too
	if err := nolink.Check(s.dir, lockName, lock); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// Pruned counts what Prune removed.
type Pruned struct {
	Entries int
	Bytes   int64
}

// Prune removes the least recently used entries until the store has at most max bytes, and all entries not used for as
// long as age; 0 means any age. If another process is pruning, it waits.
func (s *Store) Prune(max int64, age time.Duration) (Pruned, error) {
	release, err := s.lock(func(l *flock.Flock) (bool, error) { return true, l.Lock() })
	if err != nil {
		return Pruned{}, err
	}
	defer release()
	return s.prune(max, age)
}

func (s *Store) prune(max int64, age time.Duration) (p Pruned, err error) {
	all, temps, err := s.entries()
	if err != nil {
		return p, err
	}
	now := time.Now()
	for _, t := range temps {
		if now.Sub(t.used).Abs() > tempAge {
			_ = s.root.Remove(t.name)
		}
	}
	var total int64
	for i := range all {
		total += all[i].size
		if all[i].used.Sub(now) > tempAge { // by a clock that was set back since: not used after that, or touched
			all[i].used = time.Time{}
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	for _, e := range all {
		if total <= max && (age == 0 || now.Sub(e.used) < age) {
			break
		}
		if err := s.root.Remove(e.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return p, err
		}
		total -= e.size
		p.Entries++
		p.Bytes += e.size
	}
	return p, nil
}

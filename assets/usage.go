package assets

import (
	"slices"
	"sync/atomic"
)

// usage records which mounts had a file that was asked for. Views that share mounts share it. A nil usage records nothing.
type usage struct {
	given []given
	used  map[mount]*atomic.Bool // not changed once the view is open
}

// given is a path that the user named, with what was mounted for it.
type given struct {
	path   string
	mounts []mount
}

// add adds a path.
func (u *usage) add(path string, mounts []mount) {
	u.given = append(u.given, given{path, slices.Clone(mounts)})
	for _, m := range mounts {
		u.used[m] = new(atomic.Bool)
	}
}

// mark records that a mount had a file.
func (u *usage) mark(m mount) {
	if u != nil {
		if used := u.used[m]; used != nil {
			used.Store(true)
		}
	}
}

// Unused returns the paths given to Open that were of no use until now: no file of theirs was read or found.
func (v *FS) Unused() (paths []string) {
	if v.usage == nil {
		return nil
	}
	for _, g := range v.usage.given {
		if len(g.mounts) > 0 && !slices.ContainsFunc(g.mounts, func(m mount) bool { return v.usage.used[m].Load() }) {
			paths = append(paths, g.path)
		}
	}
	return paths
}

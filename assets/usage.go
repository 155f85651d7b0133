package assets

import (
	"slices"
	"sync/atomic"
)

// usage records which mounts had a file that was asked for. Views that share mounts share it. A nil usage records
// nothing.
type usage struct {
	given []given
	used  map[mount]*atomic.Bool // its keys don't change once the view is open
}

// given is a path that the user named, with its mounts.
type given struct {
	path   string
	mounts []mount
}

// add records a path that the user named.
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

// Unused returns the paths given to Open that were of no use so far: none of their files was read or found.
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

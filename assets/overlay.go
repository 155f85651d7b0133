package assets

import (
	"io/fs"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// overlay is a mount of a map's embedded files. It is listed once, on first use, because an fs.FS is case-sensitive.
type overlay struct {
	notes
	top    fs.FS
	limits limit.Limits

	once   sync.Once
	real   map[string]string // top's names by clean name
	sorted names
}

func (o *overlay) load() {
	o.once.Do(func() {
		o.real = map[string]string{}
		count := int64(0)
		err := fs.WalkDir(o.top, ".", func(at string, e fs.DirEntry, err error) error {
			if err != nil {
				o.note("overlay-unreadable", o.path(), err.Error())
				return nil
			}
			if count++; count > o.limits.MaxZipEntries {
				return &limit.Error{Limit: "MaxZipEntries", Max: o.limits.MaxZipEntries, Want: count}
			}
			name, ok := clean(at)
			if !ok || !e.Type().IsRegular() {
				return nil
			}
			if _, seen := o.real[name]; !seen || at == name {
				o.real[name] = at
			}
			o.sorted = append(o.sorted, name)
			return nil
		})
		if err != nil {
			o.note("overlay-unreadable", o.path(), err.Error())
		}
		o.sorted.sort()
	})
}

func (o *overlay) path() string { return "map" }

func (o *overlay) size(name string) (int64, bool) {
	o.load()
	at, ok := o.real[name]
	if !ok {
		return 0, false
	}
	i, err := fs.Stat(o.top, at)
	if err != nil {
		return 0, false
	}
	return i.Size(), true
}

func (o *overlay) read(name string) ([]byte, error) {
	size, ok := o.size(name)
	if !ok {
		return nil, errAbsent
	}
	if err := limit.Check("MaxEntry", o.limits.MaxEntry, size); err != nil {
		return nil, err
	}
	return fs.ReadFile(o.top, o.real[name])
}

func (o *overlay) children(dir string) ([]child, bool) {
	o.load()
	return o.sorted.children(dir)
}

// list returns names in alphabetical order, as most archives store them.
func (o *overlay) list(dir, ext string) []string {
	o.load()
	var all []string
	for _, name := range o.sorted {
		if isListed(name, dir, ext) {
			all = append(all, name)
		}
	}
	return all
}

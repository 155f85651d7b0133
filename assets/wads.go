package assets

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Wads returns a view of the .wad archives that a map names, in search order: put it below v with Over. Only the part
// of a name after its last slash counts, because compilers write paths of their machine. Each mount of v is searched,
// in its root and beside the maps. An archive that v already mounts is left out; one that is missing or can't be read
// is an issue of the view. If one is missing, all other .wad files in the roots of mounts are added last, by name,
// because maps and their archives are often renamed. Close closes the opened archives; v must stay open until then.
func (v *FS) Wads(names []string) *FS {
	w := &FS{budget: orDefault(v.budget)}
	seen := map[string]bool{}
	for _, m := range v.mounts {
		seen[lower(path.Base(strings.ReplaceAll(m.path(), `\`, "/")))] = true
	}
	if missing := v.mountWads(w, names, seen); missing {
		v.mountWads(w, v.rootWads(), seen)
	}
	return w
}

// mountWads mounts archives in w, except those in seen. It reports whether one is missing.
func (v *FS) mountWads(w *FS, names []string, seen map[string]bool) (missing bool) {
	for _, name := range names {
		base := lower(path.Base(strings.ReplaceAll(name, `\`, "/")))
		if seen[base] {
			continue
		}
		seen[base] = true
		a, err := v.wad(base, w.budget)
		switch {
		case errors.Is(err, errAbsent):
			missing = true
			w.note("wad-missing", base, "no folder or archive has it; textures that only it has are missing")
		case err != nil:
			w.note("archive-unreadable", base, err.Error())
		default:
			w.mounts = append(w.mounts, a)
			w.close = append(w.close, a)
		}
	}
	return missing
}

// rootWads returns the .wad archives in the roots of the mounts, sorted by name.
func (v *FS) rootWads() []string {
	var all []string
	for _, m := range v.mounts {
		children, _ := m.children(".")
		for _, c := range children {
			if !c.dir && hasExt(c.name, inputfile.Wad) {
				all = append(all, c.name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// wad opens a .wad from a mount, or returns errAbsent.
func (v *FS) wad(base string, b *limit.Budget) (container, error) {
	f := formatOf(base)
	if f == nil || f.ext != inputfile.Wad {
		return nil, errAbsent
	}
	for _, m := range v.mounts {
		for _, name := range []string{base, "maps/" + base} {
			size, ok := m.size(name)
			if !ok {
				continue
			}
			v.usage.mark(m)
			if d, ok := m.(*folder); ok {
				at, _ := d.find(name)
				return f.open(at, b)
			}
			return packedWad(m, name, size, b)
		}
	}
	return nil, errAbsent
}

// packedWad opens a .wad that is inside another archive. It stays in memory until it is closed.
func packedWad(m mount, name string, size int64, b *limit.Budget) (container, error) {
	if err := limit.Check("MaxEntry", b.Limits.MaxEntry, size); err != nil {
		return nil, err
	}
	if err := b.Reserve(size); err != nil {
		return nil, err
	}
	data, err := m.read(name)
	if err != nil {
		b.Release(size)
		return nil, err
	}
	a, err := readWad(bytes.NewReader(data), int64(len(data)), b)
	if err != nil {
		b.Release(size)
		return nil, fmt.Errorf("%s:%s: %w", m.path(), name, err)
	}
	a.taken += size
	a.named(m.path()+":"+name, nil)
	return a, nil
}

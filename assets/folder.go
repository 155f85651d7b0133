package assets

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// folder is a mount of loose files. A directory is listed on first use, and the listing is kept. Paths on disk are
// built only from listed names, so that no requested name can lead outside. Symbolic links can; they are followed,
// because the folder is the user's.
type folder struct {
	notes
	root   string
	budget *limit.Budget

	mu       sync.Mutex
	listings map[string]*listing // by clean name
}

// listing holds the entries of a directory: paths on disk by lower-case name. On a case-sensitive disk, Textures and
// textures are merged, and of two files the lower-case one counts.
type listing struct {
	files  map[string]string
	dirs   map[string][]string
	others map[string]string // neither file nor directory, such as pipes
}

// openFolder lists root, and fails if it can't.
func openFolder(root string, b *limit.Budget) (*folder, error) {
	d := &folder{root: root, budget: b, listings: map[string]*listing{}}
	l := &listing{files: map[string]string{}, dirs: map[string][]string{}}
	if err := l.add(root); err != nil {
		return nil, err
	}
	d.listings["."] = l
	return d, nil
}

// add lists a directory. Entries that l already has stay. A map may be in a folder of thousands, so entries are not
// sorted.
func (l *listing) add(dir string) error {
	entries, err := entriesOf(dir)
	if err != nil {
		return err
	}
	start := strings.TrimSuffix(filepath.Join(dir, "x"), "x")
	files, dirs := make(map[string]string, len(entries)), []string(nil)
	for _, e := range entries {
		name := e.Name()
		if strings.ContainsAny(name, "\\\x00") {
			continue // can't be requested
		}
		mode := e.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := os.Stat(start + name)
			if err != nil {
				continue
			}
			mode = info.Mode()
		}
		switch key := lower(name); {
		case mode.IsDir():
			dirs = append(dirs, name)
		case mode.IsRegular():
			// The lower-case one counts, else the first in the alphabet.
			if at, ok := files[key]; !ok || name == key || at != start+key && start+name < at {
				files[key] = start + name
			}
		default:
			if l.others == nil {
				l.others = map[string]string{}
			}
			if at, ok := l.others[key]; !ok || start+name < at {
				l.others[key] = start + name
			}
		}
	}
	for _, name := range slices.Sorted(slices.Values(dirs)) {
		if key := lower(name); name == key {
			l.dirs[key] = append([]string{start + name}, l.dirs[key]...)
		} else {
			l.dirs[key] = append(l.dirs[key], start+name)
		}
	}
	if len(l.files) == 0 {
		l.files = files
		return nil
	}
	for key, at := range files {
		if _, ok := l.files[key]; !ok {
			l.files[key] = at
		}
	}
	return nil
}

// entriesOf returns the entries of a directory, in any order.
func entriesOf(dir string) ([]fs.DirEntry, error) {
	f, err := regular.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// listing returns the entries of a directory, or nil if it does not exist.
func (d *folder) listing(dir string) *listing {
	if l, ok := d.listed(dir); ok {
		return l
	}
	l, _ := d.listed(".")
	for end := 0; end < len(dir); {
		start := end
		if i := strings.IndexByte(dir[start:], '/'); i >= 0 {
			end = start + i
		} else {
			end = len(dir)
		}
		dirs := l.dirs[dir[start:end]]
		if len(dirs) == 0 {
			return nil
		}
		l = d.load(dir[:end], dirs)
		end++
	}
	return l
}

func (d *folder) listed(dir string) (*listing, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l, ok := d.listings[dir]
	return l, ok
}

func (d *folder) load(name string, dirs []string) *listing {
	if l, ok := d.listed(name); ok {
		return l
	}
	l := &listing{files: map[string]string{}, dirs: map[string][]string{}}
	for _, dir := range dirs {
		if err := l.add(dir); err != nil {
			d.note("folder-unreadable", dir, err.Error())
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listings[name] = l
	return l
}

// find returns a file's path on the disk.
func (d *folder) find(name string) (string, bool) {
	l := d.listing(path.Dir(name))
	if l == nil {
		return "", false
	}
	at, ok := l.files[path.Base(name)]
	return at, ok
}

func (d *folder) path() string { return d.root }

func (d *folder) size(name string) (int64, bool) {
	at, ok := d.find(name)
	if !ok {
		return 0, false
	}
	info, err := os.Stat(at)
	if err != nil {
		return 0, false
	}
	return info.Size(), true
}

func (d *folder) read(name string) ([]byte, error) {
	at, ok := d.find(name)
	if !ok {
		return nil, errAbsent
	}
	f, err := regular.Open(at)
	if err != nil {
		return nil, limit.Unreadable(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, limit.Unreadable(err)
	}
	if err := d.budget.Inflate(info.Size(), info.Size()); err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err != nil {
		return nil, fmt.Errorf("%w: %d of %d bytes: %w", limit.ErrInput, n, len(data), err)
	}
	return data, nil
}

func (d *folder) children(dir string) ([]child, bool) {
	l := d.listing(dir)
	if l == nil {
		return nil, false
	}
	var all []child
	for name := range l.files {
		all = append(all, child{name, false})
	}
	for name := range l.dirs {
		all = append(all, child{name, true})
	}
	return all, true
}

// list returns the files directly in the directory, in alphabetical order, as archives usually store them, so that a
// map's files give the same result loose and packed. The engines use the disk's order on Unix, and the reverse on
// Windows.
func (d *folder) list(dir, ext string) []string {
	l := d.listing(dir)
	if l == nil {
		return nil
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		if hasExt(name, ext) {
			names = append(names, path.Join(dir, name))
		}
	}
	return names
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// onDisk finds a path on disk ignoring case, and reports whether it exists.
func onDisk(at string) (string, bool) {
	at = filepath.Clean(at)
	if _, err := os.Lstat(at); err == nil {
		return at, true
	}
	dir, name := filepath.Split(at)
	if name == "" || name == "." || name == ".." || dir == at {
		return "", false
	}
	if dir == "" {
		dir = "."
	}
	dir, ok := onDisk(dir)
	if !ok {
		return "", false
	}
	f, err := regular.OpenFolder(dir)
	if err != nil {
		return "", false
	}
	defer f.Close()
	all, err := f.Readdirnames(-1)
	if err != nil {
		return "", false
	}
	found := ""
	for _, n := range all { // the first in byte order counts: capitals come first
		if len(n) == len(name) && (found == "" || n < found) && lower(n) == lower(name) {
			found = n
		}
	}
	if found == "" {
		return "", false
	}
	return filepath.Join(dir, found), true
}

package assets

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"
	"unicode/utf8"
)

// ReadFile returns the content of a file, which the caller may change. It fails with a *fs.PathError that wraps
// fs.ErrNotExist if no mount has it; limits.ErrCorrupt, limits.ErrLimit or errors.ErrUnsupported if the first mount
// that has it can't read it; and limits.ErrInput if the disk fails. Every read counts towards MaxInflateTotal, also
// of loose files.
func (v *FS) ReadFile(name string) ([]byte, error) {
	data, err := v.read(name)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

func (v *FS) read(name string) ([]byte, error) {
	name, ok := clean(name)
	if !ok {
		return nil, errAbsent
	}
	for _, m := range v.mounts {
		// A loose file can disappear after its folder was listed.
		data, err := m.read(name)
		if err == nil {
			v.usage.mark(m)
			return data, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", m.path(), err)
		}
	}
	return nil, errAbsent
}

// Stat describes a file or directory. It has no times, and permissions are read-only.
func (v *FS) Stat(name string) (fs.FileInfo, error) {
	if i, ok := v.stat(name); ok {
		return i, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: errAbsent}
}

func (v *FS) stat(name string) (info, bool) {
	name, ok := clean(name)
	if !ok {
		return info{}, false
	}
	for _, m := range v.mounts {
		if size, ok := m.size(name); ok {
			v.usage.mark(m)
			return info{path.Base(name), size, 0o444}, true
		}
	}
	if name == "." {
		return info{".", 0, fs.ModeDir | 0o555}, true
	}
	for _, m := range v.mounts {
		if _, ok := m.children(name); ok {
			return info{path.Base(name), 0, fs.ModeDir | 0o555}, true
		}
	}
	return info{}, false
}

// ReadDir returns the entries of a directory in all mounts, sorted. If a name is a file in one mount and a directory
// in another, the file counts. Names that are not UTF-8 can be read but are not listed.
func (v *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, ok := clean(name)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errAbsent}
	}
	isDir := map[string]bool{}
	found := dir == "."
	for _, m := range v.mounts {
		all, ok := m.children(dir)
		found = found || ok
		for _, c := range all {
			if before, seen := isDir[c.name]; utf8.ValidString(c.name) && (!seen || before) {
				isDir[c.name] = c.dir
			}
		}
	}
	if !found {
		err := errAbsent
		if v.Origin(dir) != "" {
			err = errors.New("not a directory")
		}
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	entries := make([]fs.DirEntry, 0, len(isDir))
	for name, is := range isDir {
		entries = append(entries, dirEntry{v, path.Join(dir, name), is})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// List returns the files below dir that end in ext (".shader"), as names for ReadFile, in the engine's order: mount
// by mount in search order, each name only the first time. Within an archive the order is that of its directory, and
// direct subfolders of dir are included (ioquake3's FS_ListFilteredFiles); loose files are in alphabetical order.
// ReadFile always returns the content of the first mount that has the name.
//
// The engine's renderer joins shader scripts from the last one listed to the first, and takes the first definition it
// meets (ScanAndLoadShaderFiles). So of two files that define the same shader, the one listed later wins.
func (v *FS) List(dir, ext string) []string {
	dir, ok := clean(dir)
	if !ok {
		return nil
	}
	ext = lower(ext)
	var all []string
	seen := map[string]bool{}
	for _, m := range v.mounts {
		for _, name := range m.list(dir, ext) {
			if !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

// Open opens a file or directory. It reads the whole file.
func (v *FS) Open(name string) (fs.File, error) {
	i, ok := v.stat(name)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errAbsent}
	}
	if i.IsDir() {
		entries, err := v.ReadDir(name)
		return &openDir{i, name, entries}, err
	}
	data, err := v.read(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{i, bytes.NewReader(data)}, nil
}

// info describes a file or directory.
type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

// dirEntry is an entry of a directory. Info looks up its size.
type dirEntry struct {
	fsys *FS
	name string // from the root
	dir  bool
}

func (e dirEntry) Name() string               { return path.Base(e.name) }
func (e dirEntry) IsDir() bool                { return e.dir }
func (e dirEntry) Info() (fs.FileInfo, error) { return e.fsys.Stat(e.name) }
func (e dirEntry) String() string             { return fs.FormatDirEntry(e) }

func (e dirEntry) Type() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}

// openFile is an open file, read into memory.
type openFile struct {
	info info
	*bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

// openDir is an open directory.
type openDir struct {
	info info
	name string
	rest []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errors.New("is a directory")}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.rest)
	} else if len(d.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.rest))
	entries := d.rest[:n:n]
	d.rest = d.rest[n:]
	return entries, nil
}

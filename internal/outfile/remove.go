package outfile

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
)

// headSize is how many bytes of a file Removable shows.
const headSize = 1 << 12

// Removable returns those of the files beside the main file that may be removed when the output is committed: ours reports whether a
// file, given its first bytes, belonged to the main file's last version. A file of this output, one to keep, a read-only one, a link, a
// file in a folder that is a link, and anything but a regular file stay.
func (s *Set) Removable(names []string, ours func(name string, head []byte) bool) (removable []string) {
	if s.policy.NoClobber || s.open() != nil {
		return nil
	}
	for _, name := range names {
		at := s.path(name)
		if s.taken[fold(name)] || !filepath.IsLocal(filepath.FromSlash(name)) || s.kept(at) != "" || s.linked(path.Dir(name)) {
			continue
		}
		f, err := nolink.Open(s.root, filepath.FromSlash(name), os.O_RDONLY, 0)
		if err != nil {
			continue
		}
		head, err := io.ReadAll(io.LimitReader(f, headSize))
		info, err2 := f.Stat()
		f.Close()
		if err == nil && err2 == nil && ours(name, head) && writable(at, info) {
			removable = append(removable, name)
		}
	}
	return removable
}

// linked reports whether a folder of the output is reached through a link.
func (s *Set) linked(dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if info, err := s.root.Lstat(filepath.FromSlash(dir)); err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// Paths returns the paths of files of the output as reports show them.
func (s *Set) Paths(names []string) []string {
	var paths []string
	for _, name := range names {
		paths = append(paths, filepath.ToSlash(s.path(name)))
	}
	return paths
}

// Remove removes files that Removable returned, and the folders that are empty then.
func (s *Set) Remove(names []string) {
	for _, name := range names {
		if s.linked(path.Dir(name)) || s.root.Remove(filepath.FromSlash(name)) != nil {
			continue
		}
		for dir := path.Dir(name); dir != "." && s.root.Remove(filepath.FromSlash(dir)) == nil; dir = path.Dir(dir) {
		}
	}
}

//go:build unix

package diskcache_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
)

// put stores data and returns the file of its entry.
func put(t *testing.T, s *diskcache.Store, dir string, name string) (file string) {
	t.Helper()
	if err := s.Put(key(name), []byte("data of "+name)); err != nil {
		t.Fatal(err)
	}
	k := key(name).String()
	return filepath.Join(dir, "v1", k[:2], k[2:])
}

// An entry under the name of another is none: it would change outputs in silence.
func TestSwappedEntriesAreMisses(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, 0)
	a, b := put(t, s, dir, "a"), put(t, s, dir, "b")
	if err := errors.Join(os.Rename(a, a+"x"), os.Rename(b, a), os.Rename(a+"x", b)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if got, ok := s.Get(key(name)); ok {
			t.Errorf("the entry of %s is %q", name, got)
		}
		put(t, s, dir, name)
		if got, ok := s.Get(key(name)); !ok || string(got) != "data of "+name {
			t.Errorf("%s was not made again: %q", name, got)
		}
	}
}

// Only a regular file is an entry: a pipe does not make Get wait, and no link is followed. Each is replaced.
func TestEntriesAreRegularFiles(t *testing.T) {
	for what, plant := range map[string]func(file string) error{
		"a pipe":           func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"a device":         func(file string) error { return os.Symlink("/dev/zero", file) },
		"a link":           func(file string) error { return os.Symlink(filepath.Dir(file)+"/../kept", file) },
		"a link out of it": func(file string) error { return os.Symlink(filepath.Dir(file)+"/../../kept", file) },
		"a dangling link":  func(file string) error { return os.Symlink("nothing", file) },
		"a loop":           func(file string) error { return os.Symlink(filepath.Base(file), file) },
	} {
		dir := t.TempDir()
		s := open(t, dir, 0)
		file := put(t, s, dir, "k")
		for _, kept := range []string{filepath.Join(dir, "kept"), filepath.Join(dir, "v1", "kept")} {
			if err := os.Link(file, kept); err != nil { // a good entry
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.Remove(file), plant(file)); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Get(key("k")); ok {
			t.Errorf("%s was read: %q", what, got)
		}
		put(t, s, dir, "k")
		if got, ok := s.Get(key("k")); !ok || string(got) != "data of k" {
			t.Errorf("%s was not replaced: %q", what, got)
		}
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s is there: %v, %v", what, info, err)
		}
	}
}

// An entry is at most as large as Put allows: one of terabytes, with a header that fits it, is not read.
func TestEntriesAreAsLargeAsPutAllows(t *testing.T) {
	dir := t.TempDir()
	const max = 8 << 20
	s := open(t, dir, max)
	file := put(t, s, dir, "k")
	for _, size := range []int64{max / 8, max/8 + 1, 1 << 40} {
		head := append([]byte("b2gcach2"), binary.LittleEndian.AppendUint64(nil, uint64(size-48))...)
		if err := errors.Join(os.WriteFile(file, head, 0o600), os.Truncate(file, size)); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Get(key("k")); ok {
			t.Errorf("an entry of %d bytes was read", size)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("the entry of %d bytes stays", size)
		}
	}
	if err := s.Put(key("large"), make([]byte, max/8-48)); err != nil {
		t.Fatal(err)
	}
	if got, ok := s.Get(key("large")); !ok || len(got) != max/8-48 {
		t.Error("the largest entry that Put allows is not read")
	}
	// A header that promises more, or less, than there is.
	for _, n := range []uint64{0, 1, 1 << 62, ^uint64(0), ^uint64(0) - 47} {
		file := put(t, s, dir, "k")
		b, _ := os.ReadFile(file)
		binary.LittleEndian.PutUint64(b[8:], n)
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Get(key("k")); ok {
			t.Errorf("a header of %d bytes", n)
		}
	}
}

// A folder of entries that is a link is refused in words: it was taken for an empty one, and grew without bound.
func TestALinkedFolderOfEntriesIsRefused(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(dir, "v1")); err != nil {
		t.Fatal(err)
	}
	_, err := diskcache.Open(dir, 0, "1")
	var refused *nolink.Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), filepath.Join(dir, "v1")+" is a symbolic link, not a folder") {
		t.Errorf("%v", err)
	}
	// The folder as a whole may be one: its owner has named it.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	s := open(t, link, 0)
	put(t, s, link, "k")
	if p, err := s.Prune(0, 0); err != nil || p.Entries != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

// Nothing is made, written or locked through a link in a prepared folder.
func TestNothingIsWrittenThroughLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	victim := filepath.Join(elsewhere, "victim")
	if err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o600), os.Symlink(victim, filepath.Join(dir, "lock")),
		os.Mkdir(filepath.Join(dir, "v1"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for i := range 256 { // each folder of entries
		if err := os.Symlink(elsewhere, filepath.Join(dir, "v1",
			string("0123456789abcdef"[i/16])+string("0123456789abcdef"[i%16]))); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir, 0)
	for _, name := range []string{"a", "b", "c"} {
		_ = s.Put(key(name), bytes.Repeat([]byte(name), 100)) // what can't be kept is made again
		if _, ok := s.Get(key(name)); ok {
			t.Errorf("the entry of %s was kept", name)
		}
	}
	if _, err := s.Prune(0, 0); err == nil {
		t.Error("the lock is a link, and was taken")
	}
	left, err := os.ReadDir(elsewhere)
	if data, _ := os.ReadFile(victim); err != nil || len(left) != 1 || string(data) != "mine" {
		t.Errorf("elsewhere there are %v, %q, %v", left, data, err)
	}
	// A dangling one makes no file.
	if err := errors.Join(os.Remove(filepath.Join(dir, "lock")),
		os.Symlink(filepath.Join(elsewhere, "new"), filepath.Join(dir, "lock"))); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Prune(0, 0); err == nil {
		t.Error("the lock is a link to nothing, and was taken")
	}
	if _, err := os.Lstat(filepath.Join(elsewhere, "new")); err == nil {
		t.Error("a file was made through a link")
	}
}

// Package nolink opens what a program keeps for itself in a folder that strangers may have prepared: files and folders by their
// names in an os.Root, never through a symbolic link, and never anything that is not a regular file.
//
// An os.Root follows links that stay inside it. Here they are refused, because a link among files that a program writes by itself
// is never its own: it would lead what is written, or removed, to another file.
package nolink

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Refused is the error for a name that leads to something else than what is wanted.
type Refused struct {
	Path string
	What string // like "a symbolic link"
	Want string // like "a regular file"
}

func (e *Refused) Error() string {
	return fmt.Sprintf("%.200s is %s, not %s: nothing is read or written through it", e.Path, e.What, e.Want)
}

// kinds names what a name may lead to.
var kinds = []struct {
	mode fs.FileMode
	what string
}{
	{fs.ModeSymlink, "a symbolic link"}, {fs.ModeDir, "a folder"}, {fs.ModeNamedPipe, "a pipe"}, {fs.ModeSocket, "a socket"},
	{fs.ModeDevice, "a device"}, {^fs.FileMode(0), "something else"},
}

func refused(root *os.Root, name string, info fs.FileInfo, want string) error {
	what := "a file"
	for _, k := range kinds {
		if info.Mode().Type()&k.mode != 0 {
			what = k.what
			break
		}
	}
	return &Refused{filepath.Join(root.Name(), name), what, want}
}

// changed returns the error for a name that somebody changes at this moment.
func changed(root *os.Root, name string) error {
	return &Refused{filepath.Join(root.Name(), name), "another file than a moment ago", "the same"}
}

// Folder opens a folder. With create it is made if it is missing, with the permissions perm.
func Folder(root *os.Root, name string, create bool, perm fs.FileMode) (*os.Root, error) {
	if create {
		if err := root.Mkdir(name, perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	before, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, refused(root, name, before, "a folder")
	}
	dir, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if after, err := dir.Stat("."); err != nil || !os.SameFile(before, after) {
		dir.Close()
		return nil, changed(root, name)
	}
	return dir, nil
}

// Open opens a regular file with the flags of os.OpenFile, except O_TRUNC. It does not wait for the other end of a pipe.
func Open(root *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	before, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
		return root.OpenFile(name, flag|os.O_EXCL, perm) // which follows no link
	case err != nil:
		return nil, err
	case !before.Mode().IsRegular():
		return nil, refused(root, name, before, "a regular file")
	}
	f, err := root.OpenFile(name, flag&^os.O_CREATE|noWait, perm)
	if err != nil {
		return nil, err
	}
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		f.Close()
		return nil, changed(root, name)
	}
	return f, nil
}

// Lock returns the lock of a file, which is made if it is missing. It is not locked yet; after it was locked, Check reports whether
// it is the lock of this file.
func Lock(root *os.Root, name string) (*flock.Flock, error) {
	f, err := Open(root, name, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process has just made it
		f, err = Open(root, name, os.O_RDWR, 0)
	}
	if err != nil {
		return nil, err
	}
	f.Close()
	// The library opens a path. It creates nothing, because the flag to create a file is missing, and writes nothing.
	return flock.New(filepath.Join(root.Name(), name), flock.SetFlag(os.O_RDWR|noWait)), nil
}

// Check returns an error if a lock that is held is not that of a file of the folder, because its path led elsewhere.
func Check(root *os.Root, name string, l *flock.Flock) error {
	held, err := l.Stat()
	if err != nil {
		return err
	}
	if here, err := root.Lstat(name); err != nil || !os.SameFile(held, here) {
		return changed(root, name)
	}
	return nil
}

// Package regular opens files that nobody named by hand: what a folder lists, what lies beside another file, what a file names.
//
// Among them may be pipes and devices, which a stranger or a game has put there. Opening a pipe waits for its other end, and opening a
// device may do something. So only regular files and folders are opened, and opening one never waits. A test beside this package holds the
// list of all other calls that open something, with the reason of each.
package regular

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Open opens a regular file to read it. It fails with a *fs.PathError for anything else.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := check(name, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil { // somebody may have replaced it
		err = check(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// check returns an error if a file is not a regular one.
func check(name string, info fs.FileInfo) error {
	var what string
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "is a folder, not a file"
	case mode&fs.ModeNamedPipe != 0:
		what = "is a pipe, not a file"
	case mode&fs.ModeSocket != 0:
		what = "is a socket, not a file"
	default:
		what = "is a device, not a file"
	}
	return &fs.PathError{Op: "open", Path: name, Err: errors.New(what)}
}

// OpenFolder opens a folder to list it. It fails with a *fs.PathError for anything else.
func OpenFolder(name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is not a folder")}
	}
	return os.OpenFile(name, os.O_RDONLY|noWait|onlyFolder, 0)
}

// ReadDir lists a folder as os.ReadDir does.
func ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := OpenFolder(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

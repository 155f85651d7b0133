package batch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
)

// stateDir is the folder in the output folder for the manifest, the lock and the pictures. A stranger may have
// prepared it, so its files are opened only by nolink: otherwise lines of the manifest could be written through a
// link into any file.
const stateDir = ".bsp2gltf"

// manifests returns the names of the files in the state folder that match a pattern.
func manifests(state *os.Root, pattern string) (names []string, err error) {
	entries, err := fs.ReadDir(state.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if ok, err := path.Match(pattern, e.Name()); err != nil {
			return nil, err
		} else if ok {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// mend terminates the last line of a file, so that the next record starts on a new line.
func mend(state *os.Root, name string) error {
	f, err := nolink.Open(state, name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, size-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		_, err = f.WriteString("\n")
	}
	return err
}

// replaceFile replaces a file atomically. An existing file with its temporary name was left by a killed process with
// the same ID.
func replaceFile(dir *os.Root, name string, write func(io.Writer) error) error {
	temp := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	_ = dir.Remove(temp)
	f, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	text := bufio.NewWriter(f)
	if err = write(text); err == nil {
		err = text.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = dir.Rename(temp, name)
	}
	if err != nil {
		_ = dir.Remove(temp)
	}
	return err
}

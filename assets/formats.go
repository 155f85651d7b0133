package assets

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// container is an archive that was opened.
type container interface {
	mount
	io.Closer
	// named says where the archive is, and notes what was dropped from it. The file is closed with it; it may be nil.
	named(where string, f *os.File)
	// opened returns a file for reading in any order.
	opened(name string) (io.ReaderAt, int64, error)
	// count is the number of files.
	count() int
	// verify compares with their checksums the files that are not compared when they are read.
	verify(ctx context.Context) (files, wrong int, err error)
}

// format is a kind of archive. Adding one is adding a row.
type format struct {
	ext    string
	mounts func(file string) bool // whether a game folder mounts one of that name that lies in it
	read   func(r io.ReaderAt, size int64, b *limit.Budget) (container, error)
}

// ioquake3 mounts *.pk3 alone; a .zip in a game folder is what somebody has downloaded. A .wad is one that a map names. Of
// Valve's archives the later engines take those with numbers by themselves; for the others there is gameinfo.txt.
var formats = []format{
	{".pk3", always, reader(readZip)},
	{pakExt, always, reader(readPak)},
	{vpkExt, isNumberedVPK, reader(readVPK)},
	{gmaExt, always, reader(readGMA)},
	{".zip", never, reader(readZip)},
	{wadExt, never, reader(readWad)},
}

func always(string) bool { return true }

func never(string) bool { return false }

// reader makes the function that reads a kind of archive one of any kind.
func reader[T container](read func(io.ReaderAt, int64, *limit.Budget) (T, error)) func(io.ReaderAt, int64, *limit.Budget) (container, error) {
	return func(r io.ReaderAt, size int64, b *limit.Budget) (container, error) { return read(r, size, b) }
}

// folderExt is the ending of a folder that the engine treats as an archive of its game folder.
const folderExt = ".pk3dir"

// formatOf returns the row for a file's name, or nil.
func formatOf(name string) *format {
	for i, f := range formats {
		if hasExt(name, f.ext) {
			return &formats[i]
		}
	}
	return nil
}

// isMounted reports whether a game folder mounts a file that lies in it as an archive.
func isMounted(file string) bool {
	f := formatOf(file)
	return f != nil && f.mounts(file)
}

// open opens an archive. The archive keeps the file open.
func (f *format) open(path string, b *limit.Budget) (container, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, inputError(err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, inputError(err)
	}
	a, err := f.read(file, info.Size(), b)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a.named(path, file)
	return a, nil
}

func extensions() string {
	var exts []string
	for _, f := range formats {
		exts = append(exts, f.ext)
	}
	return strings.Join(exts, ", ")
}

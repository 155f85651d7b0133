package assets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// container is an open archive.
type container interface {
	mount
	io.Closer
	// named sets the archive's location, and adds an issue for what was dropped from it. The archive closes f, which
	// may be nil, when it is closed.
	named(where string, f *os.File)
	// opened returns a file for random access.
	opened(name string) (io.ReaderAt, int64, error)
	// incomplete returns what is missing of a truncated archive, or "".
	incomplete() string
	// count returns the number of files.
	count() int
	// verify checks the checksums of files that reading does not check.
	verify(ctx context.Context) (files, wrong int, err error)
}

// format is an archive format. To add one, add a row, and its extension to package inputfile.
type format struct {
	ext    string
	marks  []string               // how its files begin; none if that varies
	mounts func(file string) bool // reports whether a game mounts a file of that name in its folder
	read   func(r io.ReaderAt, size int64, b *limit.Budget) (container, error)
}

// ioquake3 mounts only *.pk3; a .zip in a game folder is just a download. A .wad is mounted if a map names it. Newer
// engines mount Valve's numbered archives by themselves; gameinfo.txt names the others. The .kpf of a re-release is in the folder above
// the game's, and holds what all its games share.
var formats = []format{
	{inputfile.Pk3, zipMarks, always, reader(readZip)},
	{inputfile.Dpk, zipMarks, always, reader(readZip)},
	{inputfile.Pkz, zipMarks, always, reader(readZip)},
	{inputfile.Kpf, zipMarks, never, reader(readZip)},
	{inputfile.Pak, []string{pakMark}, always, reader(readPak)},
	{inputfile.VPK, []string{vpkMagic}, isMountedVPK, readVPKOrBloodlines},
	{inputfile.GMA, []string{gmaMark}, always, reader(readAddonFile)},
	{inputfile.WorkshopGMA, []string{gmaMark}, never, reader(readAddonFile)},
	{inputfile.Zip, zipMarks, never, reader(readZip)},
	{inputfile.Wad, wadMarks, never, reader(readWad)},
}

func always(string) bool { return true }

func never(string) bool { return false }

// reader adapts a function that reads one kind of archive to the table's type.
func reader[T container](read func(io.ReaderAt, int64, *limit.Budget) (T, error)) func(io.ReaderAt, int64,
	*limit.Budget) (container, error) {
	return func(r io.ReaderAt, size int64, b *limit.Budget) (container, error) { return read(r, size, b) }
}

// isArchiveFolder reports whether a folder of this name is one that the engines treat as an archive. The second is Daemon's.
func isArchiveFolder(name string) bool { return hasExt(name, ".pk3dir") || hasExt(name, ".dpkdir") }

// formatOf returns the row for a file's name, or nil.
func formatOf(name string) *format {
	for i, f := range formats {
		if hasExt(name, f.ext) {
			return &formats[i]
		}
	}
	return nil
}

// isMounted reports whether a game folder mounts a file in it as an archive.
func isMounted(file string) bool {
	f := formatOf(file)
	return f != nil && f.mounts(file)
}

// open opens an archive, which keeps the file open.
func (f *format) open(path string, b *limit.Budget) (container, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, limit.Unreadable(err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, limit.Unreadable(err)
	}
	a, err := f.read(file, info.Size(), b)
	if err != nil {
		err = f.explain(file, info.Size(), err)
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a.named(path, file)
	return a, nil
}

// explain replaces the error of a file that is not an archive of the format by one that says what it is, if that is
// known.
func (f *format) explain(r io.ReaderAt, size int64, err error) error {
	if !errors.Is(err, limit.ErrCorrupt) {
		return err
	}
	head := make([]byte, min(size, filetype.HeadBytes))
	if n, rerr := r.ReadAt(head, 0); n < len(head) && rerr != nil {
		return err
	}
	for _, m := range f.marks {
		if strings.HasPrefix(string(head), m) {
			return err
		}
	}
	if what := filetype.Sentence(head); what != "" {
		return limit.Errorf(limit.ErrCorrupt, "not a %s archive, but %s", f.ext, what)
	}
	return err
}

func extensions() string {
	var exts []string
	for _, f := range formats {
		exts = append(exts, f.ext)
	}
	return strings.Join(exts, ", ")
}

func orDefault(b *limit.Budget) *limit.Budget {
	if b == nil {
		return limit.NewBudget(limit.Limits{})
	}
	return b
}

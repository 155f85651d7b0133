package assets

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/codec/inflate"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/lzma"
)

// archive is a mount of the files in an archive. Files are read with ReadAt, by any number of goroutines.
type archive struct {
	notes
	where   string
	r       io.ReaderAt
	bytes   int64    // size of r
	file    *os.File // to close, or nil
	budget  *limit.Budget
	taken   int64  // bytes reserved with budget
	release func() // releases the memory that holds the archive, or nil
	entries []entry
	dropped int              // entries with invalid names
	lost    int              // entries compressed in an unknown way
	cut     int              // entries that end after the archive's end
	index   map[string]int32 // index into entries by name; of duplicates, the one that the engine uses

	once   sync.Once
	sorted names
}

// entry is a file of an archive.
type entry struct {
	name         string // clean
	offset       int64  // in the archive: of the local header or, if bare, of the content
	bare         bool   // the content has no local header
	summed       bool   // a bare entry has a checksum
	stored, size uint32 // bytes before and after decompression
	crc          uint32 // IEEE, of the content
	method       uint16
	flags        uint16
}

// Methods of an entry.
const (
	methodStore   = 0
	methodDeflate = 8
	methodLZMA    = 14 // written by Valve's tools into the pakfiles of maps

	// Deflate expands two bits to at most 258 bytes.
	deflateRatio = 1032
)

// named sets the archive's location, and adds an issue for what was dropped from it.
func (a *archive) named(where string, f *os.File) {
	a.where, a.file = where, f
	if a.dropped > 0 {
		a.note("entry-name", where, fmt.Sprintf("%d names lead out of the archive or exceed %d bytes", a.dropped, maxName))
	}
	if a.lost > 0 {
		a.note("entry-lost", where, fmt.Sprintf("%d entries are packed in a way that is not read", a.lost))
	}
	if why := a.incomplete(); why != "" {
		a.note("archive-cut", where, why)
	}
}

func (a *archive) incomplete() string {
	if a.cut == 0 {
		return ""
	}
	return fmt.Sprintf("incomplete: %d of its %d files end behind its %d bytes: download it again", a.cut, a.cut+len(a.entries), a.bytes)
}

func (a *archive) Close() error {
	a.budget.Release(a.taken)
	a.taken = 0
	if a.release != nil {
		a.release()
		a.release = nil
	}
	if a.file == nil {
		return nil
	}
	return a.file.Close()
}

func (a *archive) path() string { return a.where }

func (a *archive) size(name string) (int64, bool) {
	i, ok := a.index[name]
	if !ok {
		return 0, false
	}
	return int64(a.entries[i].size), true
}

func (a *archive) read(name string) ([]byte, error) {
	i, ok := a.index[name]
	if !ok {
		return nil, errAbsent
	}
	return a.readEntry(&a.entries[i])
}

// readEntry returns the content of e. It fails before it allocates if e's size is impossible.
func (a *archive) readEntry(e *entry) ([]byte, error) {
	section, err := a.data(e)
	if err != nil {
		return nil, err
	}
	var data []byte
	if e.method == methodLZMA {
		data, err = a.unpackLZMA(e, section)
	} else {
		data, err = a.inflate(e, section)
	}
	if err != nil {
		return nil, err
	}
	if e.bare {
		return data, nil
	}
	// The engine ignores the checksum, so players also see a file with a wrong one.
	if sum := crc32.ChecksumIEEE(data); sum != e.crc {
		a.note("entry-checksum", a.where+":"+e.name, fmt.Sprintf("crc32 is %08x, not %08x", sum, e.crc))
	}
	return data, nil
}

// data returns the stored bytes of e. It fails if they are incomplete or can't decompress to e's size.
func (a *archive) data(e *entry) (*io.SectionReader, error) {
	switch {
	case e.bare:
		return io.NewSectionReader(a.r, e.offset, int64(e.stored)), nil
	case e.flags&flagEncrypted != 0:
		return nil, fmt.Errorf("zip: encrypted: %w", errors.ErrUnsupported)
	case e.method != methodStore && e.method != methodDeflate && e.method != methodLZMA:
		return nil, fmt.Errorf("zip: method %d: %w", e.method, errors.ErrUnsupported)
	case e.stored == 1<<32-1, e.size == 1<<32-1, e.offset >= 1<<32-1:
		return nil, fmt.Errorf("zip: zip64: %w", errors.ErrUnsupported)
	case e.method == methodStore && e.stored != e.size:
		return nil, corrupt("%d bytes are stored of %d", e.stored, e.size)
	case e.method == methodDeflate && int64(e.size) > int64(e.stored)*deflateRatio:
		return nil, corrupt("%d bytes can't inflate to %d", e.stored, e.size)
	}
	var h [localLen]byte
	if _, err := a.r.ReadAt(h[:], e.offset); err != nil {
		return nil, readError(err)
	}
	if string(h[:4]) != localMark {
		return nil, corrupt("there is no file header at %d", e.offset)
	}
	start := e.offset + localLen + int64(binary.LittleEndian.Uint16(h[26:])) + int64(binary.LittleEndian.Uint16(h[28:]))
	if int64(e.stored) > a.bytes-start {
		return nil, incomplete("zip", "an entry's %d bytes at byte %d end behind its %d bytes", e.stored, start, a.bytes)
	}
	return io.NewSectionReader(a.r, start, int64(e.stored)), nil
}

// inflate returns the content of a stored or deflated entry.
func (a *archive) inflate(e *entry, src io.Reader) ([]byte, error) {
	if err := a.budget.Inflate(int64(e.size), int64(e.stored)); err != nil {
		return nil, err
	}
	data := make([]byte, e.size)
	if e.method == methodStore {
		_, err := io.ReadFull(src, data)
		return data, readError(err)
	}
	return data, readError(deflated(data, src))
}

// inflaters holds idle *inflate.Decoder values.
var inflaters = sync.Pool{New: func() any { return new(inflate.Decoder) }}

// deflated fills data. It fails if src decompresses to fewer or more bytes.
func deflated(data []byte, src io.Reader) error {
	d := inflaters.Get().(*inflate.Decoder)
	defer inflaters.Put(d)
	n, err := d.Decode(data, src)
	switch {
	case errors.Is(err, inflate.ErrLonger):
		return corrupt("more than %d bytes come out", len(data))
	case errors.Is(err, io.ErrUnexpectedEOF) || err == nil && n < len(data):
		return corrupt("%d bytes come out of %d", n, len(data))
	}
	return err
}

// unpackLZMA returns the content of an entry of method 14: two bytes for the compressor's version, two for the size
// of the properties (5), the properties, and the stream. APPNOTE.TXT 5.8. Bit 1 of the flags announces an end marker;
// the stream itself shows whether it has one.
func (a *archive) unpackLZMA(e *entry, src io.Reader) ([]byte, error) {
	const before = 4 + lzma.PropsLen
	if e.stored < before {
		return nil, corrupt("%d bytes are no lzma", e.stored)
	}
	if err := a.budget.Reserve(int64(e.stored)); err != nil {
		return nil, err
	}
	defer a.budget.Release(int64(e.stored))
	stored := make([]byte, e.stored)
	if _, err := io.ReadFull(src, stored); err != nil {
		return nil, readError(err)
	}
	if n := binary.LittleEndian.Uint16(stored[2:]); n != lzma.PropsLen {
		return nil, corrupt("lzma has %d bytes of properties", n)
	}
	data, err := lzma.Raw(stored[4:before], int64(e.size), stored[before:], a.budget)
	if err != nil {
		return nil, fmt.Errorf("zip: %w", err)
	}
	a.budget.Release(int64(e.size)) // as with the other methods, the caller owns the content
	return data, nil
}

// readError adds the kind of error to an error from reading an entry.
func readError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, limit.ErrCorrupt):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return corrupt("an entry is cut short")
	case errors.Is(err, inflate.ErrCorrupt):
		return corrupt("%s", err)
	}
	return fmt.Errorf("%w: %w", limit.ErrInput, err)
}

func (a *archive) children(dir string) ([]child, bool) {
	a.once.Do(func() {
		for i := range a.entries {
			a.sorted = append(a.sorted, a.entries[i].name)
		}
		a.sorted.sort()
	})
	return a.sorted.children(dir)
}

func (a *archive) list(dir, ext string) []string {
	var names []string
	for i := range a.entries {
		if name := a.entries[i].name; isListed(name, dir, ext) {
			names = append(names, name)
		}
	}
	return names
}

// isListed reports whether the engine lists a file of an archive for the folder dir: files in it, and in its direct
// subfolders. ioquake3, FS_ListFilteredFiles: it skips files where (depth - pathDepth) > 2, counting slashes in the
// file's name and in dir. So scripts/old/a.shader is read from a pk3, but not as a loose file.
func isListed(name, dir, ext string) bool {
	rest := below(name, dir)
	return rest != "" && hasExt(rest, ext) && strings.Count(rest, "/") <= 1
}

// names holds the files of a mount in byte order. Directories are derived from them, so that they take no memory,
// however deeply a hostile archive nests them.
type names []string

func (n *names) sort() {
	slices.Sort(*n)
	*n = slices.Compact(*n)
}

func (n names) children(dir string) ([]child, bool) {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	var all []child
	i, _ := slices.BinarySearch(n, prefix)
	for i < len(n) && strings.HasPrefix(n[i], prefix) {
		name, _, isDir := strings.Cut(n[i][len(prefix):], "/")
		all = append(all, child{name, isDir})
		if i++; isDir {
			i, _ = slices.BinarySearch(n, prefix+name+"0") // the byte after "/"
		}
	}
	return all, len(all) > 0 || dir == "."
}

// opened returns a file for OpenMap: a section of the archive if it is stored, otherwise decompressed in memory.
func (a *archive) opened(name string) (io.ReaderAt, int64, error) {
	i, ok := a.index[name]
	if !ok {
		return nil, 0, errAbsent
	}
	e := &a.entries[i]
	if err := limit.Check("MaxFile", a.budget.Limits.MaxFile, int64(e.size)); err != nil {
		return nil, 0, err
	}
	if e.method == methodStore && e.flags&flagEncrypted == 0 {
		r, err := a.data(e)
		return r, int64(e.size), err
	}
	if err := a.budget.Reserve(int64(e.size)); err != nil {
		return nil, 0, err
	}
	a.taken += int64(e.size)
	data, err := a.readEntry(e)
	return inMemory(data), int64(e.size), err
}

// inMemory returns a reader of a file in memory.
func inMemory(data []byte) io.ReaderAt { return inflated{bytes.NewReader(data), data} }

// inflated is a file in memory. Package le reads its lumps without copying.
type inflated struct {
	*bytes.Reader
	data []byte
}

// Bytes returns the whole file, which must not be changed.
func (m inflated) Bytes() []byte { return m.data }

func (a *archive) count() int { return len(a.index) }

// verify checks the checksums of entries that reading does not check.
func (a *archive) verify(ctx context.Context) (files, wrong int, err error) {
	buffer := make([]byte, 256<<10)
	for i := range a.entries {
		e := &a.entries[i]
		if !e.bare || !e.summed {
			continue
		}
		files++
		sum, err := checksum(ctx, nil, a.r, e.offset, int64(e.size), buffer)
		if err != nil {
			return files, wrong, fmt.Errorf("%s:%s: %w", a.where, e.name, err)
		}
		if sum != e.crc {
			wrong++
			a.note("entry-checksum", a.where+":"+e.name, fmt.Sprintf("crc32 is %08x, not %08x", sum, e.crc))
		}
	}
	return files, wrong, nil
}

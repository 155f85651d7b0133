package assets

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// vpk is a mount of one of Valve's archives: a directory, followed by the files' content, which may also be in chunks
// beside it: x_dir.vpk has x_000.vpk, x_001.vpk and so on. A chunk is opened when a file in it is first read.
//
// The directory stays in memory as stored, but with names in lower case, and with a hash table to find entries. That
// takes 17 to 23 bytes per entry beyond its stored size; an archive may have 200,000 entries.
type vpk struct {
	notes
	where  string
	r      io.ReaderAt
	bytes  int64    // size of r
	file   *os.File // to close, or nil
	budget *limit.Budget
	taken  int64  // bytes reserved with budget
	tree   []byte // the directory; its names are in the form of clean
	data   int64  // offset in r of the content that is not in chunks
	groups []vpkGroup
	files  []vpkFile // in the order of the directory
	slots  []uint32  // hash table: an index into files plus 1, or 0, at a file's hash or after it
	seed   maphash.Seed
	chunks []vpkChunk               // by number
	beside func() map[string]string // paths of the existing chunks, by lower-case name

	dropped, repeated int  // entries with invalid or duplicate names
	cut               bool // the directory is incomplete
	behind            int  // entries whose content should be in r but ends after it
}

const (
	vpkDirectory = "_dir"

	vpkMagic      = "\x34\x12\xaa\x55"
	vpkRespawn    = 0x00030002 // version 2.3 of Titanfall and Apex Legends, with other records
	vpkClientMod  = 54         // of Counter-Strike: Source ClientMod, with compressed files (sourcepp)
	vpkRecordLen  = 18
	vpkHere       = 0x7FFF   // in place of a chunk's number: the content is in the same file as the directory
	vpkEnd        = 0xFFFF   // ends a record
	vpkBareTree   = 64 << 20 // largest directory without a header, in bytes
	vpkHeaderMost = 28       // bytes of the longest header
)

// vpkHeaders maps versions to the header's size in bytes.
var vpkHeaders = map[uint32]int64{1: 12, 2: vpkHeaderMost}

// errVPK is the error for a file without a directory.
var errVPK = fmt.Errorf("vpk: there is no directory in it (of x_dir.vpk, x_000.vpk, x_001.vpk the one to name is x_dir.vpk): %w",
	limit.ErrCorrupt)

// readVPK reads the directory of a VPK of version 1 or 2, or of one without a header, like the earliest ones. A
// defect loses entries, not the archive. It fails if there is no directory (limits.ErrCorrupt), if the version is
// unknown (errors.ErrUnsupported), or if there are more than MaxVPKEntries.
func readVPK(r io.ReaderAt, size int64, b *limit.Budget) (*vpk, error) {
	var head [vpkHeaderMost]byte
	n, err := r.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("vpk: %w: %w", limit.ErrInput, err)
	}
	header, tree, bare := int64(0), min(size, vpkBareTree), true
	if n >= 4 && string(head[:4]) == vpkMagic {
		version := binary.LittleEndian.Uint32(head[4:])
		switch {
		case n < 12:
			return nil, incomplete("vpk", "the header has at least 12 bytes, the file has %d", size)
		case version == vpkRespawn:
			return nil, fmt.Errorf("vpk: version 2.3, of Titanfall and Apex Legends: %w", errors.ErrUnsupported)
		case version == vpkClientMod:
			return nil, fmt.Errorf("vpk: version 54, of Counter-Strike: Source ClientMod: %w", errors.ErrUnsupported)
		case vpkHeaders[version] == 0:
			return nil, fmt.Errorf("vpk: version %#x: %w", version, errors.ErrUnsupported)
		}
		header, tree, bare = vpkHeaders[version], int64(binary.LittleEndian.Uint32(head[8:])), false
	}
	v := &vpk{r: r, bytes: size, budget: b, data: header + tree, cut: tree > size-header, seed: maphash.MakeSeed()}
	if err := v.readTree(header, max(0, min(tree, size-header)), bare); err != nil {
		b.Release(v.taken)
		return nil, err
	}
	if v.cut && len(v.files) == 0 {
		b.Release(v.taken)
		return nil, incomplete("vpk", "its directory has %d bytes, the file has %d", tree, size)
	}
	return v, nil
}

func (v *vpk) incomplete() string {
	switch {
	case v.cut:
		return fmt.Sprintf("incomplete: the directory is broken or cut short; %s could be read: download it again", countFiles(len(v.files)))
	case v.behind > 0:
		return fmt.Sprintf("incomplete: %d of its %s end behind its %d bytes: download it again", v.behind, countFiles(len(v.files)), v.bytes)
	}
	return ""
}

// countFiles returns "1 file", "2 files".
func countFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// reserve reserves bytes until the archive is closed.
func (v *vpk) reserve(n int64) error {
	if err := v.budget.Reserve(n); err != nil {
		return fmt.Errorf("vpk: %w", err)
	}
	v.taken += n
	return nil
}

// named sets the archive's location, and adds an issue for what was dropped from it.
func (v *vpk) named(where string, f *os.File) {
	v.where, v.file = where, f
	v.beside = sync.OnceValue(func() map[string]string { return chunksBeside(where) })
	if why := v.incomplete(); why != "" {
		v.note("archive-cut", where, why)
	}
	if v.dropped > 0 {
		v.note("entry-name", where, fmt.Sprintf("%d names lead out of the archive or exceed %d bytes", v.dropped, maxName))
	}
	if v.repeated > 0 {
		v.note("entry-repeated", where, fmt.Sprintf("%d entries have the name of an earlier one", v.repeated))
	}
}

func (v *vpk) Close() error {
	v.budget.Release(v.taken)
	v.taken = 0
	var errs []error
	for i := range v.chunks {
		c := &v.chunks[i]
		c.once.Do(func() {}) // so that it can't be opened any more
		if c.file != nil {
			errs = append(errs, c.file.Close())
			c.file = nil
		}
	}
	if v.file != nil {
		errs = append(errs, v.file.Close())
	}
	return errors.Join(errs...)
}

func (v *vpk) path() string { return v.where }

func (v *vpk) count() int { return len(v.files) }

// size reports a file as absent if its chunk is missing, because another mount may have it.
func (v *vpk) size(name string) (int64, bool) {
	e, ok := v.find(name)
	if !ok {
		return 0, false
	}
	_, _, n, ok := v.content(&e)
	if !ok {
		v.noteCut(name, &e, n)
	}
	return int64(len(e.preload)) + n, ok
}

func (v *vpk) read(name string) ([]byte, error) {
	e, ok := v.find(name)
	if !ok {
		return nil, errAbsent
	}
	r, at, n, ok := v.content(&e)
	if n < e.length {
		v.noteCut(name, &e, n)
	}
	if !ok {
		return nil, errAbsent
	}
	total := int64(len(e.preload)) + n
	if err := v.budget.Inflate(total, total); err != nil {
		return nil, err
	}
	data := make([]byte, total)
	copy(data, e.preload)
	if n > 0 {
		if _, err := io.ReadFull(io.NewSectionReader(r, at, n), data[len(e.preload):]); err != nil {
			return nil, fmt.Errorf("vpk: %w: %w", limit.ErrInput, err)
		}
	}
	return data, nil
}

// opened returns a file for OpenMap: a section of a file on disk, unless the directory holds a part of it.
func (v *vpk) opened(name string) (io.ReaderAt, int64, error) {
	e, ok := v.find(name)
	if !ok {
		return nil, 0, errAbsent
	}
	if _, _, n, _ := v.content(&e); n < e.length {
		return nil, 0, v.cutEntry(&e, n)
	}
	size, _ := v.size(name)
	if err := limit.Check("MaxFile", v.budget.Limits.MaxFile, size); err != nil {
		return nil, 0, err
	}
	if r, at, n, _ := v.content(&e); len(e.preload) == 0 && n == e.length && n > 0 {
		return io.NewSectionReader(r, at, n), n, nil
	}
	if err := v.reserve(size); err != nil {
		return nil, 0, err
	}
	data, err := v.read(name)
	return bytes.NewReader(data), size, err
}

func (v *vpk) children(dir string) ([]child, bool) {
	var all []child
	dirs := map[string]bool{}
	for i := range v.groups {
		g := &v.groups[i]
		folder := string(g.path)
		if folder == dir || folder == "" && dir == "." {
			for k := range v.filesOf(i) {
				f := &v.files[int(g.first)+k]
				all = append(all, child{string(appendVPKName(nil, &vpkGroup{ext: g.ext}, v.nameAt(int(f.name)))), false})
			}
			continue
		}
		if rest := below(folder, dir); rest != "" {
			name, _, _ := strings.Cut(rest, "/")
			if !dirs[name] {
				dirs[name] = true
				all = append(all, child{name, true})
			}
		}
	}
	return all, len(all) > 0 || dir == "."
}

func (v *vpk) list(dir, ext string) []string {
	var all []string
	for i := range v.groups {
		g := &v.groups[i]
		if p := string(g.path); dir != "." && p != dir && below(p, dir) == "" {
			continue
		}
		for k := range v.filesOf(i) {
			if name := string(v.appendName(nil, &v.files[int(g.first)+k])); isListed(name, dir, ext) {
				all = append(all, name)
			}
		}
	}
	return all
}

// verify checks every file's checksum, in the order of the content on disk.
func (v *vpk) verify(ctx context.Context) (files, wrong int, err error) {
	order := slices.Clone(v.files)
	place := func(f vpkFile) int64 {
		e := v.record(int(f.name))
		return int64(e.chunk)<<32 | e.offset
	}
	slices.SortStableFunc(order, func(a, b vpkFile) int { return cmp.Compare(place(a), place(b)) })
	buffer := make([]byte, 256<<10)
	for i := range order {
		e := v.record(int(order[i].name))
		name := string(v.appendName(nil, &order[i]))
		r, at, n, _ := v.content(&e)
		files++
		if n < e.length {
			v.noteCut(name, &e, n)
			wrong++
			continue
		}
		sum, err := checksum(ctx, e.preload, r, at, n, buffer)
		if err != nil {
			return files, wrong, fmt.Errorf("%s:%s: %w", v.where, name, err)
		}
		if sum != e.crc {
			wrong++
			v.note("entry-checksum", v.where+":"+name, fmt.Sprintf("crc32 is %08x, not %08x", sum, e.crc))
		}
	}
	return files, wrong, nil
}

// checksum returns the IEEE CRC-32 of before followed by n bytes of r.
func checksum(ctx context.Context, before []byte, r io.ReaderAt, at, n int64, buffer []byte) (uint32, error) {
	sum := crc32.ChecksumIEEE(before)
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		b := buffer[:min(n, int64(len(buffer)))]
		if _, err := io.ReadFull(io.NewSectionReader(r, at, n), b); err != nil {
			return 0, readError(err)
		}
		sum = crc32.Update(sum, crc32.IEEETable, b)
		at, n = at+int64(len(b)), n-int64(len(b))
	}
	return sum, nil
}

package assets

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Quake's archives: a header of twelve bytes, the files, and a table of fixed-size records with their offsets. The
// engines search the table from its start, so of duplicate names the first one counts.
const (
	tableHeader = 12

	pakMark   = "PACK"
	pakRecord = 64 // packfile_t: a name of 56 bytes, an offset and a length. Quake, common.c.

	wadRecord = 32 // lumpinfo_t: offset, stored size, real size, type, compression, and at 16 a name of 16 bytes. Quake, wad.h.
)

// wadMarks are how .wad files of Quake and of Half-Life begin.
var wadMarks = []string{"WAD2", "WAD3"}

// wadTypes maps the types of a .wad's records to file extensions. All others are .lmp.
var wadTypes = map[byte]string{
	0x42: ".qpic",
	0x43: ".mip", // Half-Life's, with a palette
	0x44: ".mip", // Quake's
	0x46: ".font",
}

// readPak reads the directory of a .pak.
func readPak(r io.ReaderAt, size int64, b *limit.Budget) (*archive, error) {
	h, err := tableHead(r, size, "pak", pakMark)
	if err != nil {
		return nil, err
	}
	if h[1]%pakRecord != 0 {
		return nil, fmt.Errorf("pak: a directory of %d bytes: %w", h[1], limit.ErrCorrupt)
	}
	return readTable("pak", r, size, b, h[0], h[1]/pakRecord, pakRecord, func(e []byte) (string, entry, bool) {
		return le.String(e[:56]), bareEntry(e[56:], e[60:]), true
	})
}

// readWad reads the directory of a WAD2 or WAD3. A texture is called NAME.mip, others get an extension by type.
func readWad(r io.ReaderAt, size int64, b *limit.Budget) (*archive, error) {
	h, err := tableHead(r, size, "wad", wadMarks...)
	if err != nil {
		return nil, err
	}
	return readTable("wad", r, size, b, h[1], h[0], wadRecord, func(e []byte) (string, entry, bool) {
		name, ext := le.String(e[16:]), wadTypes[e[12]]
		if ext == "" {
			ext = ".lmp"
		}
		if name != "" {
			name += ext
		}
		return name, bareEntry(e, e[4:]), e[13] == 0
	})
}

func bareEntry(offset, length []byte) entry {
	n := binary.LittleEndian.Uint32(length)
	return entry{offset: int64(binary.LittleEndian.Uint32(offset)), stored: n, size: n, bare: true}
}

// tableHead returns the two numbers after the magic of an archive.
func tableHead(r io.ReaderAt, size int64, kind string, marks ...string) (h [2]int64, err error) {
	var b [tableHeader]byte
	n, err := r.ReadAt(b[:min(size, tableHeader)], 0)
	if err != nil && err != io.EOF {
		return h, fmt.Errorf("%s: %w: %w", kind, limit.ErrInput, err)
	}
	switch marked := n >= 4 && slices.Contains(marks, string(b[:4])); {
	case marked && n < tableHeader:
		return h, incomplete(kind, "the header has %d bytes, the file has %d", tableHeader, size)
	case !marked && n < tableHeader:
		return h, fmt.Errorf("%s: %d bytes are no header: %w", kind, size, limit.ErrCorrupt)
	case !marked:
		return h, fmt.Errorf("%s: it starts with %q: %w", kind, b[:4], limit.ErrCorrupt)
	}
	return [2]int64{int64(binary.LittleEndian.Uint32(b[4:])), int64(binary.LittleEndian.Uint32(b[8:]))}, nil
}

// readTable reads n records at an offset. decode returns a record's name and entry, and false if it can't be read.
// Entries outside the archive or with invalid names are dropped. It fails if records are missing (limits.ErrCorrupt)
// or are more than MaxZipEntries.
func readTable(kind string, r io.ReaderAt, size int64, b *limit.Budget, offset, n, record int64,
	decode func([]byte) (string, entry, bool)) (*archive, error) {
	if err := limit.Check("MaxZipEntries", b.Limits.MaxZipEntries, n); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	if offset > size || n*record > size-offset {
		return nil, incomplete(kind, "its directory of %d entries at byte %d ends behind its %d bytes", n, offset, size)
	}
	taken := n * (record + 128) // names, entries and the index
	if err := b.Reserve(taken); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	a := &archive{r: r, bytes: size, budget: b, taken: taken, index: make(map[string]int32, n)}
	in := bufio.NewReaderSize(io.NewSectionReader(r, offset, n*record), 32<<10)
	one := make([]byte, record)
	for range n {
		if _, err := io.ReadFull(in, one); err != nil {
			b.Release(taken)
			return nil, fmt.Errorf("%s: %w: %w", kind, limit.ErrInput, err)
		}
		raw, e, ok := decode(one)
		name, named := clean(raw)
		_, seen := a.index[name]
		switch {
		case !named || name == "." || isAbsolute([]byte(raw)):
			a.dropped++
		case !ok:
			a.lost++
		case e.offset > size || int64(e.size) > size-e.offset:
			a.cut++
		case !seen:
			e.name = name
			a.index[name] = int32(len(a.entries))
			a.entries = append(a.entries, e)
		}
	}
	return a, nil
}

// pakNumber returns the number of a .pak or VPK: 1 for pak1.pak and pak01_dir.vpk. A .pak without a number is
// searched before those with one.
func pakNumber(file string) (n int, ok bool) {
	name := lower(filepath.Base(file))
	digits, ok := strings.CutSuffix(name, inputfile.Pak)
	if isNumberedVPK(name) {
		digits, ok = strings.CutSuffix(name, vpkDirectory+inputfile.VPK)
	}
	if !ok {
		return 0, false
	}
	digits, _ = strings.CutPrefix(digits, "pak")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return math.MaxInt, true
	}
	return n, true
}

// isNumberedVPK reports whether engines since Left 4 Dead mount a file of that name by themselves: pak01_dir.vpk.
func isNumberedVPK(file string) bool {
	name := lower(filepath.Base(file))
	stem, ok := strings.CutSuffix(name, vpkDirectory+inputfile.VPK)
	digits, isPak := strings.CutPrefix(stem, "pak")
	return ok && isPak && isDigits(digits)
}

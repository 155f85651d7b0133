package assets

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Vampire: The Masquerade – Bloodlines has archives named pack000.vpk and so on, which are not Valve's: the files, a table of
// names, offsets and sizes, and at the end the number of files, the table's offset and a zero. sourcepp, VPK_VTMB.cpp.
const (
	bloodlinesTail  = 9
	bloodlinesEntry = 12 // bytes of an entry without its name
)

// readVPKOrBloodlines reads a VPK, or an archive of Bloodlines, which has the same extension.
func readVPKOrBloodlines(r io.ReaderAt, size int64, b *limit.Budget) (container, error) {
	a, err := readBloodlines(r, size, b)
	switch {
	case err != nil:
		return nil, err
	case a == nil:
		return reader(readVPK)(r, size, b)
	}
	return a, nil
}

// isMountedVPK reports whether a game mounts a .vpk of that name by itself: a numbered one or, of Bloodlines, pack000.vpk.
func isMountedVPK(file string) bool {
	stem, ok := strings.CutSuffix(lower(filepath.Base(file)), inputfile.VPK)
	digits, isPack := strings.CutPrefix(stem, "pack")
	return ok && isPack && len(digits) == 3 && isDigits(digits) || isNumberedVPK(file)
}

// readBloodlines reads the table of an archive of Bloodlines, or returns nil if the file is not one. It fails if there are more than
// MaxVPKEntries files.
func readBloodlines(r io.ReaderAt, size int64, b *limit.Budget) (*archive, error) {
	var head [4]byte
	var tail [bloodlinesTail]byte
	if size < bloodlinesTail {
		return nil, nil
	}
	if _, err := r.ReadAt(tail[:], size-bloodlinesTail); err != nil {
		return nil, fmt.Errorf("vpk: %w: %w", limit.ErrInput, err)
	}
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("vpk: %w: %w", limit.ErrInput, err)
	}
	count, start := int64(binary.LittleEndian.Uint32(tail[:])), int64(binary.LittleEndian.Uint32(tail[4:]))
	length := size - bloodlinesTail - start
	if string(head[:]) == vpkMagic || tail[8] != 0 || count == 0 || length < count*bloodlinesEntry || length > vpkBareTree {
		return nil, nil
	}
	if err := limit.Check("MaxVPKEntries", b.Limits.MaxVPKEntries, count); err != nil {
		return nil, fmt.Errorf("vpk: %w", err)
	}
	taken := length + count*128 // the table, the entries and the index
	if err := b.Reserve(taken); err != nil {
		return nil, fmt.Errorf("vpk: %w", err)
	}
	a := &archive{r: r, bytes: size, budget: b, taken: taken, index: map[string]int32{}}
	table := make([]byte, length)
	_, err := r.ReadAt(table, start)
	if err == nil && a.bloodlines(table, count) {
		return a, nil
	}
	b.Release(taken)
	if err != nil {
		return nil, fmt.Errorf("vpk: %w: %w", limit.ErrInput, err)
	}
	return nil, nil
}

// bloodlines adds the entries of a table, and reports whether the table has that many and nothing else.
func (a *archive) bloodlines(table []byte, count int64) bool {
	for range count {
		if len(table) < bloodlinesEntry {
			return false
		}
		n := int64(binary.LittleEndian.Uint32(table))
		if n > int64(len(table)-bloodlinesEntry) {
			return false
		}
		raw, e := string(table[4:4+n]), bareEntry(table[4+n:], table[8+n:])
		table = table[bloodlinesEntry+n:]
		name, ok := clean(raw)
		_, seen := a.index[name]
		switch {
		case !ok || name == "." || isAbsolute([]byte(raw)):
			a.dropped++
		case e.offset+int64(e.size) > a.bytes:
			a.cut++
		case !seen:
			e.name = name
			a.index[name] = int32(len(a.entries))
			a.entries = append(a.entries, e)
		}
	}
	return len(table) == 0
}

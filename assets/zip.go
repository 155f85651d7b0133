package assets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Zip file format, APPNOTE.TXT 4.3 and 4.4.
const (
	endLen     = 22 // end of central directory record
	headerLen  = 46 // file header in the central directory
	localLen   = 30 // file header before the data
	endMark    = "PK\x05\x06"
	headerMark = "PK\x01\x02"
	localMark  = "PK\x03\x04"
	zip64Mark  = "PK\x06\x07"
	zip64Len   = 20 // locator, just before the end record
	maxComment = 1<<16 - 1

	flagEncrypted = 1
)

// zipMarks are how a zip begins: with a file's header or, if it is empty, with its end record.
var zipMarks = []string{localMark, endMark}

// readZip reads the directory of a zip. Names that lead out of the archive or are too long are dropped. It fails if
// the directory is incomplete (limits.ErrCorrupt), has more than MaxZipEntries entries, or is a zip64.
//
// Why not archive/zip: its NewReader reads all headers into objects, and allocates by a count that a zip64 record may
// set to a thirtieth of the file's size, where no limit can apply. The two tolerances below are those of archive/zip,
// and a test compares both readers.
func readZip(r io.ReaderAt, size int64, b *limit.Budget) (*archive, error) {
	end, at, err := findEnd(r, size)
	if err != nil {
		return nil, err
	}
	records := int64(binary.LittleEndian.Uint16(end[10:]))
	dirSize := int64(binary.LittleEndian.Uint32(end[12:]))
	dirOffset := int64(binary.LittleEndian.Uint32(end[16:]))
	if records == 1<<16-1 || dirSize == 1<<32-1 || dirOffset == 1<<32-1 {
		if isAt(r, at-zip64Len, zip64Mark) {
			return nil, fmt.Errorf("zip: zip64: %w", errors.ErrUnsupported)
		}
	}
	if err := limit.Check("MaxZipEntries", b.Limits.MaxZipEntries, records); err != nil {
		return nil, fmt.Errorf("zip: %w", err)
	}

	// Something may precede the archive, such as a self-extractor. Offsets count from the archive's start, unless
	// there is a header where they point in the file.
	base := at - dirSize - dirOffset
	if base != 0 && isAt(r, dirOffset, headerMark) {
		base = 0
	}
	start := base + dirOffset
	if base < 0 || start > at || records*headerLen > at-start {
		return nil, corrupt("a directory of %d entries and %d bytes at %d does not fit before %d", records, dirSize, dirOffset, at)
	}

	// A hostile directory may have far more bytes than its entries need: names are bounded, and the rest is skipped.
	taken := min(at-start, b.Limits.MaxZipEntries*(headerLen+maxName)) + records*64
	if err := b.Reserve(taken); err != nil {
		return nil, fmt.Errorf("zip: %w", err)
	}
	a := &archive{r: r, bytes: size, budget: b, taken: taken}
	if err := a.readDirectory(start, at, base, records); err != nil {
		b.Release(taken)
		return nil, err
	}
	return a, nil
}

// findEnd returns the end of central directory record and its offset. A comment of up to 64 KiB may follow it.
func findEnd(r io.ReaderAt, size int64) ([]byte, int64, error) {
	for _, n := range []int64{1024, endLen + maxComment} {
		tail := make([]byte, min(n, size))
		if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
			return nil, 0, fmt.Errorf("zip: %w: %w", limit.ErrInput, err)
		}
		for i := len(tail) - endLen; i >= 0; i-- {
			t := tail[i:]
			if string(t[:4]) == endMark && endLen+int(binary.LittleEndian.Uint16(t[20:])) <= len(t) {
				return t[:endLen], size - int64(len(t)), nil
			}
		}
	}
	if isAt(r, 0, localMark) {
		return nil, 0, incomplete("zip", "the directory at its end is missing after %d bytes", size)
	}
	return nil, 0, corrupt("there is no end of directory in %d bytes", size)
}

func isAt(r io.ReaderAt, offset int64, mark string) bool {
	var b [4]byte
	if offset < 0 {
		return false
	}
	n, _ := r.ReadAt(b[:], offset)
	return n == len(b) && string(b[:]) == mark
}

// readDirectory reads the headers from start to end. Their number must equal records modulo 65536.
func (a *archive) readDirectory(start, end, base, records int64) error {
	var (
		r     = bufio.NewReaderSize(io.NewSectionReader(a.r, start, end-start), 32<<10)
		names strings.Builder           // of all entries: they share one string
		ends  = make([]int, 0, records) // of each in names
		one   []byte
		count int64
	)
	names.Grow(int(min(end-start-records*headerLen, records*maxName)))
	a.entries = make([]entry, 0, records)
	for {
		h, err := r.Peek(headerLen)
		if err != nil && err != io.EOF {
			return fmt.Errorf("zip: %w: %w", limit.ErrInput, err)
		}
		if err != nil || string(h[:4]) != headerMark {
			break
		}
		count++
		if err := limit.Check("MaxZipEntries", a.budget.Limits.MaxZipEntries, count); err != nil {
			return fmt.Errorf("zip: %w", err)
		}
		e := entry{
			flags:  binary.LittleEndian.Uint16(h[8:]),
			method: binary.LittleEndian.Uint16(h[10:]),
			crc:    binary.LittleEndian.Uint32(h[16:]),
			stored: binary.LittleEndian.Uint32(h[20:]),
			size:   binary.LittleEndian.Uint32(h[24:]),
			offset: base + int64(binary.LittleEndian.Uint32(h[42:])),
		}
		nameLen := int(binary.LittleEndian.Uint16(h[28:]))
		total := headerLen + nameLen + int(binary.LittleEndian.Uint16(h[30:])) + int(binary.LittleEndian.Uint16(h[32:]))
		if nameLen > maxName {
			a.dropped++
		} else if h, err = r.Peek(headerLen + nameLen); err == nil {
			name, ok := h[headerLen:], false
			if isDirectory(name) {
				ok = true
			} else if !isAbsolute(name) {
				if one, ok = appendClean(one[:0], name); ok && len(one) > 0 {
					names.Write(one)
					ends = append(ends, names.Len())
					a.entries = append(a.entries, e)
				}
			}
			if !ok {
				a.dropped++
			}
		}
		if _, err := r.Discard(total); err != nil {
			return corrupt("entry %d of the directory ends after %d", count-1, end)
		}
	}
	if uint16(count) != uint16(records) {
		return corrupt("the directory has %d entries, not %d", count, records)
	}

	before := 0
	a.index = make(map[string]int32, len(a.entries))
	for i := range a.entries {
		a.entries[i].name = names.String()[before:ends[i]]
		before = ends[i]
		a.index[a.entries[i].name] = int32(i)
	}
	return nil
}

func isDirectory(name []byte) bool {
	return len(name) > 0 && isSlash(name[len(name)-1])
}

// isAbsolute reports whether a name starts at a root or a drive, or is empty.
func isAbsolute(name []byte) bool {
	return len(name) == 0 || isSlash(name[0]) || len(name) > 1 && name[1] == ':'
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// incomplete returns the error for an archive whose end is missing.
func incomplete(kind, format string, args ...any) error {
	return fmt.Errorf("%s: incomplete: "+format+": download it again: %w", append(append([]any{kind}, args...), limit.ErrCorrupt)...)
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("zip: "+format+": %w", append(args, limit.ErrCorrupt)...)
}

package assets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Garry's Mod packs an addon in one file: "GMAD", a version, texts about the addon, a table of names, sizes and
// checksums, and the files, contiguous in the table's order. Facepunch/gmad, AddonReader.h.
const (
	gmaMark    = "GMAD"
	gmaVersion = 3 // the newest
)

// gmaReader reads the start of an addon.
type gmaReader struct {
	in *bufio.Reader
	at int64 // bytes read
}

// number returns the next n bytes as a number.
func (g *gmaReader) number(n int) (uint64, error) {
	var b [8]byte
	k, err := io.ReadFull(g.in, b[:n])
	g.at += int64(k)
	return binary.LittleEndian.Uint64(b[:]), err
}

// text returns the bytes up to the next zero, truncated to one byte more than the longest valid name.
func (g *gmaReader) text(dst []byte) ([]byte, error) {
	for {
		c, err := g.in.ReadByte()
		if err != nil || c == 0 {
			g.at++
			return dst, err
		}
		g.at++
		if len(dst) <= maxName {
			dst = append(dst, c)
		}
	}
}

// readAddonFile reads the table of an addon as readGMA does. The Workshop keeps older ones compressed by LZMA: such an addon stays
// in memory, uncompressed, until it is closed.
func readAddonFile(r io.ReaderAt, size int64, b *limit.Budget) (*archive, error) {
	r, size, release, err := unpack(r, size, b)
	if err != nil {
		return nil, fmt.Errorf("gma: %w", err)
	}
	a, err := readGMA(r, size, b)
	if err != nil {
		release()
		return nil, err
	}
	a.release = release
	return a, nil
}

// readGMA reads the table of an addon. Files outside the archive or with invalid names are dropped. It fails if the
// table is incomplete (limits.ErrCorrupt) or has more than MaxZipEntries, and on a newer version
// (errors.ErrUnsupported).
func readGMA(r io.ReaderAt, size int64, b *limit.Budget) (*archive, error) {
	a := &archive{r: r, bytes: size, budget: b, index: map[string]int32{}}
	g := &gmaReader{in: bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 32<<10)}
	err := g.head()
	if err == nil {
		err = a.readAddon(g)
	}
	switch {
	case err == nil:
		return a, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		b.Release(a.taken)
		return nil, incomplete("gma", "its table of files does not end in %d bytes", size)
	case !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) && !errors.Is(err, errors.ErrUnsupported):
		err = fmt.Errorf("%w: %w", limit.ErrInput, err)
	}
	b.Release(a.taken)
	return nil, fmt.Errorf("gma: %w", err)
}

// head reads the description of the addon.
func (g *gmaReader) head() error {
	var mark [5]byte
	n, err := io.ReadFull(g.in, mark[:])
	switch g.at += int64(n); {
	case n >= 4 && string(mark[:4]) != gmaMark:
		return fmt.Errorf("it starts with %q: %w", mark[:4], limit.ErrCorrupt)
	case err != nil:
		return err
	case mark[4] > gmaVersion:
		return fmt.Errorf("version %d: %w", mark[4], errors.ErrUnsupported)
	}
	for range 2 { // author and time
		if _, err := g.number(8); err != nil {
			return err
		}
	}
	for mark[4] > 1 { // required addons
		s, err := g.text(nil)
		if err != nil {
			return err
		}
		if len(s) == 0 {
			break
		}
	}
	for range 3 { // name, description, author
		if _, err := g.text(nil); err != nil {
			return err
		}
	}
	_, err = g.number(4) // the addon's version
	return err
}

// readAddon reads the table. The files start where it ends.
func (a *archive) readAddon(g *gmaReader) error {
	var name []byte
	for count, offset := int64(1), int64(0); ; count++ {
		number, err := g.number(4)
		if err != nil {
			return err
		}
		if number == 0 {
			break
		}
		if err := limit.Check("MaxZipEntries", a.budget.Limits.MaxZipEntries, count); err != nil {
			return err
		}
		if name, err = g.text(name[:0]); err != nil {
			return err
		}
		size, err := g.number(8)
		if err != nil {
			return err
		}
		sum, err := g.number(4)
		if err != nil {
			return err
		}
		taken := int64(128 + len(name)) // the name, the entry and the index
		if err := a.budget.Reserve(taken); err != nil {
			return err
		}
		a.taken += taken
		start := offset
		offset = a.bytes // stay inside the file after an impossible size
		if size <= uint64(a.bytes-start) {
			offset = start + int64(size)
		}
		clean, ok := clean(string(name))
		_, seen := a.index[clean]
		switch {
		case !ok || clean == "." || isAbsolute(name):
			a.dropped++
		case size > math.MaxUint32 || offset-start != int64(size):
			a.cut++
		case !seen:
			n := uint32(size)
			a.index[clean] = int32(len(a.entries))
			a.entries = append(a.entries, entry{name: clean, offset: start, stored: n, size: n, crc: uint32(sum), bare: true, summed: true})
		}
	}
	whole := a.entries[:0]
	for _, e := range a.entries {
		if e.offset += g.at; int64(e.size) > a.bytes-e.offset {
			a.cut++
			delete(a.index, e.name)
			continue
		}
		a.index[e.name] = int32(len(whole))
		whole = append(whole, e)
	}
	a.entries = whole
	return nil
}

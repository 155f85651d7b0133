package source

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// pakfile gives the archive that the map carries.
func (d *decoder) pakfile(context.Context) error {
	if d.variant.pages && d.entries[lumpXZip].length > 0 {
		d.Issue("lump-unsupported", lumpName(lumpXZip), "the archive of %d bytes in it is not read: how it is packed is not known", d.entries[lumpXZip].length)
	}
	e := d.entries[lumpPakfile]
	if e.length == 0 {
		return nil
	}
	if err := d.f.Within(lumpName(lumpPakfile), e.offset, e.length); err != nil {
		d.Issue("lump-broken", lumpName(lumpPakfile), "is left out: %v", err)
		return nil
	}
	d.w.Pak = d.f.Section(e.offset, e.length)
	if !d.big {
		return nil
	}
	pak, err := d.consolePak(d.w.Pak)
	if err != nil {
		return fmt.Errorf("%s: %w", lumpName(lumpPakfile), err)
	}
	d.w.Pak = pak
	return nil
}

// The parts of a zip's directory. APPNOTE.TXT 4.3.12 and 4.3.16.
const (
	zipEnd       = 22
	zipEntry     = 46
	zipNameAt    = 28
	zipExtraAt   = 30
	zipCommentAt = 32
)

// consolePak is the archive of a console's map with its directory put right. To have files start where the disc's sectors
// do, their headers are padded by an extra field, of which the entries in the directory say the length, too, but
// do not have the bytes (v20be_x360_shack.360). Such archives say XZP in their comment; others are returned as they are.
func (d *decoder) consolePak(pak *io.SectionReader) (*io.SectionReader, error) {
	tail := make([]byte, min(pak.Size(), 4096)) // the comment is short
	if _, err := pak.ReadAt(tail, pak.Size()-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %w", limit.ErrInput, err)
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || len(tail) < at+zipEnd || !bytes.HasPrefix(tail[at+zipEnd:], []byte("XZP")) {
		return pak, nil
	}
	size, start := int64(binary.LittleEndian.Uint32(tail[at+12:])), int64(binary.LittleEndian.Uint32(tail[at+16:]))
	if size > pak.Size() || start > pak.Size()-size {
		return pak, nil // which is found where the archive is opened
	}
	if err := limit.Check("MaxLump", d.Budget.Limits.MaxLump, size); err != nil {
		return nil, err
	}
	if err := d.Reserve(size); err != nil {
		return nil, err
	}
	directory := make([]byte, size)
	if _, err := pak.ReadAt(directory, start); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %w", limit.ErrInput, err)
	}
	for b := directory; len(b) >= zipEntry && string(b[:4]) == "PK\x01\x02"; {
		b[zipExtraAt], b[zipExtraAt+1] = 0, 0
		b = b[min(len(b), zipEntry+lift.U16(b[zipNameAt:])+lift.U16(b[zipCommentAt:])):]
	}
	return io.NewSectionReader(&patchedFile{pak, start, directory}, 0, pak.Size()), nil
}

// patchedFile is a file with other bytes at a place.
type patchedFile struct {
	r     io.ReaderAt
	at    int64
	bytes []byte
}

// ReadAt reads the file, and what is in its place.
func (p *patchedFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := p.r.ReadAt(b, off)
	if from := max(off, p.at); from < off+int64(n) && from < p.at+int64(len(p.bytes)) {
		copy(b[from-off:n], p.bytes[from-p.at:])
	}
	return n, err
}

package valve

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Pak returns the archive inside a map, or nil if there is none.
func Pak(dc *decoding.Context, f *le.File, name string, offset, length int64, console bool) (*io.SectionReader, error) {
	if length == 0 {
		return nil, nil
	}
	if err := f.Within(name, offset, length); err != nil {
		dc.Issue("lump-broken", name, "is left out: %v", err)
		return nil, nil
	}
	pak := f.Section(offset, length)
	if !console {
		return pak, nil
	}
	pak, err := consolePak(dc, pak)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return pak, nil
}

// The parts of a zip's directory. APPNOTE.TXT 4.3.12 and 4.3.16.
const (
	zipEnd       = 22
	zipEntry     = 46
	zipNameAt    = 28
	zipExtraAt   = 30
	zipCommentAt = 32
)

// consolePak returns the archive of a console's map with a corrected directory. Local headers are padded by an extra field to
// align files with disc sectors; the directory's entries repeat the length of this field but lack its bytes
// (v20be_x360_shack.360). Such archives have XZP in their comment; others are returned unchanged.
func consolePak(dc *decoding.Context, pak *io.SectionReader) (*io.SectionReader, error) {
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
	if err := limit.Check("MaxLump", dc.Budget.Limits.MaxLump, size); err != nil {
		return nil, err
	}
	if err := dc.Reserve(size); err != nil {
		return nil, err
	}
	directory := make([]byte, size)
	if _, err := pak.ReadAt(directory, start); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %w", limit.ErrInput, err)
	}
	for b := directory; len(b) >= zipEntry && string(b[:4]) == "PK\x01\x02"; {
		b[zipExtraAt], b[zipExtraAt+1] = 0, 0
		b = b[min(len(b), zipEntry+record.U16(b[zipNameAt:])+record.U16(b[zipCommentAt:])):]
	}
	return io.NewSectionReader(&patchedFile{pak, start, directory}, 0, pak.Size()), nil
}

// patchedFile is a file with some bytes replaced.
type patchedFile struct {
	r     io.ReaderAt
	at    int64
	bytes []byte
}

// ReadAt reads the file with the replaced bytes.
func (p *patchedFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := p.r.ReadAt(b, off)
	if from := max(off, p.at); from < off+int64(n) && from < p.at+int64(len(p.bytes)) {
		copy(b[from-off:n], p.bytes[from-p.at:])
	}
	return n, err
}

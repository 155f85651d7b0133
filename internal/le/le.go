// Package le reads little-endian binary files within their bounds.
//
// A File is an io.ReaderAt with a size. Only File handles offsets that come from a file. Lump reads a part of it
// after checking that it lies within the file, Records decodes a lump into structs of fixed size, and a Cursor
// walks headers and records of varying size in file order with one check at the end. Every format error is a
// *FormatError.
package le

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// FormatError reports a file that violates its format. It is a limit.ErrCorrupt.
type FormatError struct {
	Code   string // stable, for reports: "lump-bounds", "record-size", "index-range"
	Lump   string // like "lump 13 (faces)", or "" for the header
	Index  int    // index of the record, or -1
	Offset int64  // in the file, or -1
	Detail string
}

func (e *FormatError) Error() string {
	var b strings.Builder
	if e.Lump != "" {
		b.WriteString(e.Lump + ": ")
	}
	if e.Index >= 0 {
		fmt.Fprintf(&b, "record %d: ", e.Index)
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, "at byte %d: ", e.Offset)
	}
	b.WriteString(e.Detail)
	return b.String()
}

// Is makes every FormatError a limit.ErrCorrupt.
func (e *FormatError) Is(target error) bool { return target == limit.ErrCorrupt }

// Incomplete is the code of a file that ends before the parts of its directory do.
const Incomplete = "incomplete"

// File is a file of known size.
type File struct {
	// AllowCut makes Lump return what is there of a part that the file's end cuts.
	AllowCut bool
	Cut      bool // a decoder found that the file ends too early

	r      io.ReaderAt
	memory []byte // the whole file, if its reader has it in memory
	size   int64
	budget *limit.Budget
}

// Open returns a File. It fails if size exceeds the budget's MaxFile. If r has a method Bytes that returns the whole file, lumps are
// parts of that slice and must not be changed.
func Open(r io.ReaderAt, size int64, b *limit.Budget) (*File, error) {
	if size < 0 {
		return nil, fmt.Errorf("a file of %d bytes: %w", size, limit.ErrInput)
	}
	if err := limit.Check("MaxFile", b.Limits.MaxFile, size); err != nil {
		return nil, err
	}
	f := &File{r: r, size: size, budget: b}
	if m, ok := r.(interface{ Bytes() []byte }); ok {
		if data := m.Bytes(); int64(len(data)) == size {
			f.memory = data
		}
	}
	return f, nil
}

// Budget returns the budget for reading the file.
func (f *File) Budget() *limit.Budget { return f.budget }

// Head returns the first n bytes, or all bytes if the file is shorter.
func (f *File) Head(n int) ([]byte, error) {
	return f.read("header", 0, min(int64(n), f.size))
}

// Within returns a *FormatError if length bytes at offset are not within the file.
func (f *File) Within(name string, offset, length int64) error {
	if offset < 0 || length < 0 || offset > f.size || length > f.size-offset {
		return &FormatError{"lump-bounds", name, -1, -1,
			fmt.Sprintf("%d bytes at offset %d are outside the file of %d bytes", length, offset, f.size)}
	}
	return nil
}

// Size returns the size of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Section returns a reader of a part of the file.
func (f *File) Section(offset, length int64) *io.SectionReader {
	return io.NewSectionReader(f.r, offset, length)
}

// Lump reads length bytes at offset and reserves them. It fails with a *FormatError if they are not within the
// file, unless that may be cut, and with a limit.Error if they exceed MaxLump or MaxMemory.
func (f *File) Lump(name string, offset, length int64) (Lump, error) {
	cut := f.AllowCut && offset >= 0 && length > 0 && offset+length > f.size
	if cut {
		offset = min(offset, f.size)
		length = f.size - offset
	}
	if err := f.Within(name, offset, length); err != nil {
		return Lump{}, err
	}
	if err := limit.Check("MaxLump", f.budget.Limits.MaxLump, length); err != nil {
		return Lump{}, fmt.Errorf("%s: %w", name, err)
	}
	if err := f.budget.Reserve(length); err != nil {
		return Lump{}, fmt.Errorf("%s: %w", name, err)
	}
	data, err := f.read(name, offset, length)
	if err != nil {
		f.budget.Release(length)
	}
	return Lump{name, data, cut}, err
}

// Copy is Lump for a caller outside of the module: its bytes are the caller's, and not reserved any more. No bytes are at any offset.
func (f *File) Copy(name string, offset, length int64) ([]byte, error) {
	if length == 0 {
		return nil, nil
	}
	l, err := f.Lump(name, offset, length)
	if err != nil {
		return nil, err
	}
	f.budget.Release(int64(len(l.Data)))
	if f.memory != nil {
		return bytes.Clone(l.Data), nil
	}
	return l.Data, nil
}

func (f *File) read(name string, offset, length int64) ([]byte, error) {
	if f.memory != nil {
		return f.memory[offset : offset+length : offset+length], nil
	}
	data := make([]byte, length)
	if n, err := f.r.ReadAt(data, offset); int64(n) < length { // a complete read may return io.EOF
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("%s: %w: %w", name, limit.ErrInput, err)
	}
	return data, nil
}

// Lump is a named part of a file.
type Lump struct {
	Name string // as in messages, like "lump 13 (faces)"
	Data []byte
	Cut  bool // the file ends within it: the last record may be incomplete
}

// Fault returns an error in a record of the lump. Index is -1 if the error concerns no single record.
func (l Lump) Fault(code string, index int, format string, args ...any) *FormatError {
	return &FormatError{code, l.Name, index, -1, fmt.Sprintf(format, args...)}
}

// Whole reports whether the lump consists of records of size bytes. The last one of a cut lump need not be complete.
func (l Lump) Whole(size int) bool { return l.Cut || len(l.Data)%size == 0 }

// Count returns how many records of size bytes the lump holds. It fails if there is a remainder.
func (l Lump) Count(size int) (int, error) {
	if !l.Whole(size) {
		return 0, l.Fault("record-size", -1, "%d bytes is not a multiple of the %d-byte record", len(l.Data), size)
	}
	return len(l.Data) / size, nil
}

// Records decodes the lump as structs of fixed size, in file order.
func Records[T any](l Lump) ([]T, error) {
	var zero T
	size := binary.Size(zero)
	n, err := l.Count(size)
	if err != nil {
		return nil, err
	}
	out := make([]T, n)
	for i := range out {
		if _, err := binary.Decode(l.Data[i*size:], binary.LittleEndian, &out[i]); err != nil {
			return nil, err // can't happen: the size was just checked
		}
	}
	return out, nil
}

// Float32 reads a float from the first four bytes of b.
func Float32(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// Int32 reads a signed integer from the first four bytes of b.
func Int32(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }

// Vector reads three floats from the first twelve bytes of b.
func Vector(b []byte) [3]float32 { return [3]float32{Float32(b), Float32(b[4:]), Float32(b[8:])} }

// String returns the text of a fixed-size field, up to its first NUL.
func String(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}

// Cursor reads values in file order. After a read beyond the end all further reads return zero, and Err reports
// where it happened.
type Cursor struct {
	name string
	data []byte
	pos  int
	err  error
}

// NewCursor returns a cursor at the start of data; name is used in its error.
func NewCursor(name string, data []byte) *Cursor { return &Cursor{name: name, data: data} }

// Err returns the error of the first read beyond the end, or nil.
func (c *Cursor) Err() error { return c.err }

// Bytes returns the next n bytes, without a copy.
func (c *Cursor) Bytes(n int) []byte {
	if c.err == nil && (n < 0 || n > len(c.data)-c.pos) {
		c.err = &FormatError{"truncated", c.name, -1, int64(c.pos), fmt.Sprintf("%d bytes wanted, %d left", n, len(c.data)-c.pos)}
	}
	if c.err != nil {
		return make([]byte, max(0, min(n, 256)))
	}
	c.pos += n
	return c.data[c.pos-n : c.pos]
}

// Uint32 reads an unsigned integer of four bytes.
func (c *Cursor) Uint32() uint32 { return binary.LittleEndian.Uint32(c.Bytes(4)) }

// Int32 reads a signed integer of four bytes.
func (c *Cursor) Int32() int32 { return int32(c.Uint32()) }

// Float32 reads a float of four bytes.
func (c *Cursor) Float32() float32 { return math.Float32frombits(c.Uint32()) }

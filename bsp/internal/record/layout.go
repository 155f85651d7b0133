// Package record reads lumps that are arrays of records. A layout states the size and the fields of a record, and decodes it; the layouts
// of branches of a format give the same Go type.
package record

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Layout is the layout of a record: its size, its fields, and how it is decoded.
type Layout[T any] struct {
	Size int
	// Fields lists the widths of the fields in order: "4*3 2 1*2" is three fields of four bytes, one of two and two of
	// one.
	Fields string
	Decode func([]byte) T
	// Version is the lump version in the directory, if it distinguishes two layouts.
	Version int32
}

// WithVersion returns the layout with another lump version.
func (r Layout[T]) WithVersion(version int32) Layout[T] {
	r.Version = version
	return r
}

// Records decodes a lump into borrowed memory. It fails if the lump is not a whole number of records, or if a limit
// is exceeded.
func (r Layout[T]) Records(dc *decoding.Context, l le.Lump) ([]T, error) {
	n, err := l.Count(r.Size)
	if err != nil {
		return nil, err
	}
	if err := dc.Borrow(limit.Bytes[T](n)); err != nil {
		return nil, err
	}
	out := make([]T, n)
	for i := range out {
		out[i] = r.Decode(l.Data[i*r.Size:])
	}
	return out, nil
}

// List is a lump as records of one layout.
type List[T any] struct {
	Layout[T]
	Lump le.Lump
}

// Count returns the number of whole records.
func (l *List[T]) Count() int { return len(l.Lump.Data) / l.Size }

// At decodes record i.
func (l *List[T]) At(i int) T { return l.Decode(l.Lump.Data[i*l.Size:]) }

// Records decodes all.
func (l *List[T]) Records(dc *decoding.Context) ([]T, error) { return l.Layout.Records(dc, l.Lump) }

// Optional decodes an optional lump: if it is broken, that is an issue and there are no records. It fails if a limit is exceeded.
func (l *List[T]) Optional(dc *decoding.Context) ([]T, error) {
	out, err := l.Records(dc)
	if errors.Is(err, limit.ErrCorrupt) {
		dc.Issue("lump-broken", l.Lump.Name, "is left out: %v", err)
		return nil, nil
	}
	return out, err
}

// All is the result of Score if every record fits.
const All = 1000

// Score returns the share of plausible records, in thousandths. It is 0 if the lump is not a whole number of records.
func (l *List[T]) Score(ctx context.Context, fits func(i, n int, record T) bool) int {
	n := l.Count()
	if !l.Lump.Whole(l.Size) {
		return 0
	}
	if n == 0 {
		return All
	}
	good := 0
	for i := range n {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return 0
		}
		if fits(i, n, l.At(i)) {
			good++
		}
	}
	return int(int64(good) * All / int64(n))
}

// Field is a run of fields of the same width in bytes.
type Field struct{ Width, Count int }

// Fields parses the fields of a layout.
func Fields(s string) (list []Field) {
	for _, word := range strings.Fields(s) {
		width, count, times := strings.Cut(word, "*")
		f := Field{Count: 1}
		f.Width, _ = strconv.Atoi(width)
		if times {
			f.Count, _ = strconv.Atoi(count)
		}
		list = append(list, f)
	}
	return list
}

// Swap reverses the bytes of each field, record by record, to convert big-endian data. An incomplete last record is
// left unchanged.
func Swap(data []byte, fields string) {
	list := Fields(fields)
	size := 0
	for _, f := range list {
		size += f.Width * f.Count
	}
	for size > 0 && len(data) >= size {
		for _, f := range list {
			for range f.Count {
				switch f.Width {
				case 2:
					data[0], data[1] = data[1], data[0]
				case 4:
					data[0], data[1], data[2], data[3] = data[3], data[2], data[1], data[0]
				}
				data = data[f.Width:]
			}
		}
	}
}

package lift

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Row is the layout of a record: its size, its fields, and how it is lifted.
type Row[T any] struct {
	Size int
	// Fields lists the widths of the fields in order: "4*3 2 1*2" is three fields of four bytes, one of two and two of
	// one.
	Fields string
	Lift   func([]byte) T
	// Version is the lump version in the directory, if it distinguishes two layouts.
	Version int32
}

// WithVersion returns the row with another lump version.
func (r Row[T]) WithVersion(version int32) Row[T] {
	r.Version = version
	return r
}

// Records lifts a lump into borrowed memory. It fails if the lump is not a whole number of records, or if a limit
// is exceeded.
func (r Row[T]) Records(j *Job, l le.Lump) ([]T, error) {
	n, err := l.Count(r.Size)
	if err != nil {
		return nil, err
	}
	if err := j.Borrow(limit.Bytes[T](n)); err != nil {
		return nil, err
	}
	out := make([]T, n)
	for i := range out {
		out[i] = r.Lift(l.Data[i*r.Size:])
	}
	return out, nil
}

// List is a lump as records of one layout.
type List[T any] struct {
	Row[T]
	Lump le.Lump
}

// Count returns the number of whole records.
func (l *List[T]) Count() int { return len(l.Lump.Data) / l.Size }

// At lifts record i.
func (l *List[T]) At(i int) T { return l.Lift(l.Lump.Data[i*l.Size:]) }

// Records lifts all.
func (l *List[T]) Records(j *Job) ([]T, error) { return l.Row.Records(j, l.Lump) }

// Optional lifts an optional lump: if it is broken, that is an issue and there are no records. It fails if a limit is exceeded.
func (l *List[T]) Optional(j *Job) ([]T, error) {
	out, err := l.Records(j)
	if errors.Is(err, limit.ErrCorrupt) {
		j.Issue("lump-broken", l.Lump.Name, "is left out: %v", err)
		return nil, nil
	}
	return out, err
}

// All is the result of Fit if every record fits.
const All = 1000

// Fit returns the share of plausible records, in thousandths. It is 0 if the lump is not a whole number of records.
func (l *List[T]) Fit(ctx context.Context, fits func(i, n int, record T) bool) int {
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

// Fields parses the fields of a row.
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

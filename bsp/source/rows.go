package source

import (
	"context"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// row is a layout of a record: how long it is, of what fields, and how it is lifted.
type row[T any] struct {
	size int
	// fields are the bytes of each field in order, "4*3 2 1*2" being three of four bytes, one of two and two single ones.
	fields string
	lift   func([]byte) T
	// version is the one that the directory has for lumps of such records, where that tells two layouts apart.
	version int32
}

// list is a lump as records of one layout.
type list[T any] struct {
	row[T]
	lump le.Lump
}

// count is how many whole records there are.
func (l *list[T]) count() int { return len(l.lump.Data) / l.size }

// at lifts record i.
func (l *list[T]) at(i int) T { return l.lift(l.lump.Data[i*l.size:]) }

// records lifts all.
func (l *list[T]) records(d *decoder, cost int64) ([]T, error) { return l.row.records(d, l.lump, cost) }

// records lifts a lump.
func (r row[T]) records(d *decoder, l le.Lump, cost int64) ([]T, error) {
	return lift.Records(l, r.size, cost, d.borrow, r.lift)
}

// all is what fit returns where each record fits.
const all = 1000

// fit returns how many of a thousand records of a lump are what they can be, each as one of n. It is 0 where the lump is not whole records.
func fit[T any](ctx context.Context, l *list[T], fits func(i, n int, record T) bool) int {
	n := l.count()
	if len(l.lump.Data)%l.size != 0 {
		return 0
	}
	if n == 0 {
		return all
	}
	good := 0
	for i := range n {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return 0
		}
		if fits(i, n, l.at(i)) {
			good++
		}
	}
	return int(int64(good) * all / int64(n))
}

// field is some fields of the same width in bytes.
type field struct{ width, count int }

// parseFields reads the fields of a row.
func parseFields(s string) (list []field) {
	for _, word := range strings.Fields(s) {
		width, count, times := strings.Cut(word, "*")
		f := field{count: 1}
		f.width, _ = strconv.Atoi(width)
		if times {
			f.count, _ = strconv.Atoi(count)
		}
		list = append(list, f)
	}
	return list
}

// swap turns the bytes of each field around, record by record, so that what is big-endian is lifted as what is not.
// What is left of the last record stays as it is.
func swap(data []byte, fields string) {
	list := parseFields(fields)
	size := 0
	for _, f := range list {
		size += f.width * f.count
	}
	for size > 0 && len(data) >= size {
		for _, f := range list {
			for range f.count {
				switch f.width {
				case 2:
					data[0], data[1] = data[1], data[0]
				case 4:
					data[0], data[1], data[2], data[3] = data[3], data[2], data[1], data[0]
				}
				data = data[f.width:]
			}
		}
	}
}

// u16, i16 and i32 read whole numbers as ints; u32 reads what is never negative, and at most math.MaxInt32.
func u16(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }
func i16(b []byte) int { return int(int16(binary.LittleEndian.Uint16(b))) }
func i32(b []byte) int { return int(le.Int32(b)) }
func u32(b []byte) int { return int(min(binary.LittleEndian.Uint32(b), math.MaxInt32)) }

// v3 reads a vector.
func v3(b []byte) [3]float32 {
	return [3]float32{le.Float32(b), le.Float32(b[4:]), le.Float32(b[8:])}
}

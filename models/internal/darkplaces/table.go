package darkplaces

import (
	"encoding/binary"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
)

// table is an array of records in a file.
type table struct {
	order binary.ByteOrder
	data  []byte
	size  int
}

// newTable returns n records at an offset of a file; if n is 0, the offset is not checked.
func newTable(order binary.ByteOrder, data []byte, what string, at, n uint32, size int) (table, error) {
	length := int64(n) * int64(size)
	if n > 0 && (int64(at) > int64(len(data)) || length > int64(len(data))-int64(at)) {
		return table{}, modelfile.Fault("bounds", what, "%d of %d bytes at %d are outside the %d bytes", n, size, at, len(data))
	}
	if n == 0 {
		return table{order, nil, size}, nil
	}
	return table{order, data[at:][:length], size}, nil
}

func (t table) len() int                       { return len(t.data) / t.size }
func (t table) uint32(record, at int) uint32   { return t.order.Uint32(t.data[record*t.size+at:]) }
func (t table) number(record, at int) int      { return int(int32(t.uint32(record, at))) }
func (t table) float32(record, at int) float32 { return math.Float32frombits(t.uint32(record, at)) }
func (t table) name(record int) string         { return text(t.data[record*t.size:][:32]) }
func (t table) vector(record, at int) [3]float32 {
	return [3]float32{t.float32(record, at), t.float32(record, at+4), t.float32(record, at+8)}
}

// matrix returns a record as a matrix.
func (t table) matrix(record int) (m space.Matrix) {
	for i := range m {
		for k := range m[i] {
			m[i][k] = float64(t.float32(record, 16*i+4*k))
		}
	}
	return m
}

// text returns the text before the first NUL, as valid UTF-8.
func text(b []byte) string { return entlump.Text(le.String(b)) }

// indices returns n numbers, starting with record from. Records have 4 bytes.
func (t table) indices(from, n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = t.uint32(from+i, 0)
	}
	return out
}

// rate returns the frames per second of a sequence, or the engine's default of ten if it is not plausible.
func rate(fps float32) float64 {
	if fps > 1e-3 && fps < 1e4 {
		return float64(fps)
	}
	return 10
}

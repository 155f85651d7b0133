package sourcemdl

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
)

// Records of a .vvd file.
const (
	vertexVersion    = 4
	vertexHeaderSize = 64
	vertexSize       = 48
	fixupSize        = 12
)

// vertices is a model's vertices, in the order of its meshes.
type vertices struct {
	data  []byte   // records, mstudiovertex_t
	order []uint32 // index of each vertex's record; nil if the records are in order
	count int
}

// record returns the record of vertex i.
func (v *vertices) record(i int) []byte {
	if v.order != nil {
		i = int(v.order[i])
	}
	return v.data[i*vertexSize:][:vertexSize]
}

// readVertices reads NAME.vvd of a model with this checksum.
//
// In a model with levels of detail the vertices are sorted by the coarsest level that uses them, coarsest first.
// Fixups restore the order of the meshes: they are ranges of vertices, each with its level. All are used here,
// because the triangles of every level refer to the finest level's vertices.
func readVertices(j *decoding, checksum uint32) (v vertices, err error) {
	f, err := j.companion("its vertices", ".vvd")
	if err != nil {
		return v, err
	}
	switch {
	case len(f.Data) < vertexHeaderSize || string(f.Data[:4]) != "IDSV":
		return v, modelfile.Fault("ident", f.What, "it starts with %.4q, not %q", f.Data, "IDSV")
	case f.Int32(4) != vertexVersion:
		return v, fmt.Errorf("%s: version %d: %w", f.What, f.Int32(4), errors.ErrUnsupported)
	}
	j.compare(f.uint32(8), checksum, f.What)
	count, start := int64(f.Int32(16)), int64(f.Int32(56))
	fixups, err := f.Table("fixups", f.Int32(48), int64(f.Int32(52)), fixupSize)
	if err != nil {
		return v, err
	}
	if fixups.Len() == 0 {
		v.data, err = f.Bytes("vertices", start, count*vertexSize)
		v.count = int(count)
		return v, err
	}
	// The records end where the tangents begin, or at the file's end.
	end := int64(len(f.Data))
	if tangents := int64(f.Int32(60)); tangents > start && tangents < end {
		end = tangents
	}
	if start < 0 || start > end {
		return v, modelfile.Fault("bounds", f.What, "its vertices are at %d of %d", start, end)
	}
	stored := (end - start) / vertexSize
	if count < 0 || count > stored {
		return v, modelfile.Fault("count", f.What, "%d vertices of %d", count, stored)
	}
	if err := j.memory.Borrow(4 * count); err != nil {
		return v, err
	}
	v = vertices{data: f.Data[start:end], order: make([]uint32, 0, count), count: int(count)}
	for i := range fixups.Len() {
		b := fixups.Record(i)
		first, n := int64(le.Int32(b[4:])), int64(le.Int32(b[8:]))
		if first < 0 || n < 0 || first+n > stored || int64(len(v.order))+n > count {
			return v, modelfile.Fault("index-range", f.What, "fixup %d: %d vertices from %d of %d", i, n, first, stored)
		}
		for k := first; k < first+n; k++ {
			v.order = append(v.order, uint32(k))
		}
	}
	v.count = len(v.order)
	return v, nil
}

// compare adds an issue if the checksum of a file is not the model's. Some such files fit nevertheless.
func (j *decoding) compare(checksum, models uint32, what string) {
	if checksum != models {
		j.issue("model-checksum", "%s: the checksum is %08x, not %08x", what, checksum, models)
	}
}

// vertex is a vertex in stored form.
type vertex struct {
	position, normal [3]float32
	uv               [2]float32
	weights          [3]float32
	bones            [3]uint8
	count            int // number of bones that move it
}

func (v *vertices) vertex(i int) vertex {
	b := v.record(i)
	return vertex{
		weights: le.Vector(b), bones: [3]uint8(b[12:15]), count: min(int(b[15]), 3),
		position: le.Vector(b[16:]), normal: le.Vector(b[28:]), uv: [2]float32{le.Float32(b[40:]), le.Float32(b[44:])},
	}
}

// index16 reads an index of two bytes.
func index16(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }

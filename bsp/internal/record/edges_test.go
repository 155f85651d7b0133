package record_test

import (
	"encoding/binary"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

func bytesOf(t *testing.T, numbers any) []byte {
	t.Helper()
	data, err := binary.Append(nil, binary.LittleEndian, numbers)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSurfedgeRunsItsEdgeBackwards(t *testing.T) {
	for _, row := range []record.Layout[record.Edge]{record.EdgeV1, record.EdgeWide} {
		e := &record.Edges{
			Surfedges: bytesOf(t, []int32{1, -1, 2, -1 << 31, 0}),
			Vertices:  bytesOf(t, []float32{0, 0, 0, 1, 1, 1, 2, 2, 2}),
		}
		numbers := bytesOf(t, []uint16{9, 0, 1, 2}) // edge 0 starts at a vertex that there isn't, edge 1 joins vertices 1 and 2
		if row.Size == 8 {
			numbers = bytesOf(t, []uint32{9, 0, 1, 2})
		}
		e.List = record.List[record.Edge]{Layout: row, Lump: le.Lump{Data: numbers}}
		for i, want := range []float32{1, 2} {
			if p, ok := e.Corner(i); !ok || p[0] != want {
				t.Errorf("surfedge %d starts at %g, want vertex %g", i, p, want)
			}
		}
		for i := -1; i <= e.Count(); i++ {
			if _, ok := e.Corner(i); ok != (i == 0 || i == 1) {
				t.Errorf("surfedge %d: %v", i, ok)
			}
		}
	}
}

func TestEdgesAddUp(t *testing.T) {
	t.Run("edges", decodingtest.Rows([]record.Layout[record.Edge]{record.EdgeV1, record.EdgeWide}, nil, 4, 8))
}

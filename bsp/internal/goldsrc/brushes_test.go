package goldsrc_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
)

// Quake II's brushes belong to the model in whose leafs they are. One with impossible sides is an issue, and one in no leaf is left out.
func TestBrushesOfQuakeII(t *testing.T) {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	m.Polygon(m.Project(qbsp.Texture{Name: "e1u1/wall"}, vec3{0, 0, 1}, 0), square(0, 0, 64)...)
	data := m.Write(qbsp.Quake2)
	lump := func(i int) []byte {
		at := binary.LittleEndian.Uint32(data[8+8*i:])
		return data[at:][:binary.LittleEndian.Uint32(data[8+8*i+4:])]
	}
	put := func(i int, values ...any) {
		var b bytes.Buffer
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
		data = brushmap.Place(data, 8+8*i, b.Bytes())
	}
	// A box from 0 0 0 to 32 64 96 has the last six planes, each a normal, a distance and a type.
	planes := bytes.Clone(lump(1))
	first := int16(len(planes) / 20)
	box := [][4]float32{{1, 0, 0, 32}, {-1, 0, 0, 0}, {0, 1, 0, 64}, {0, -1, 0, 0}, {0, 0, 1, 96}, {0, 0, -1, 0}}
	var more, sides []any
	for i, p := range box {
		more, sides = append(more, p, int32(0)), append(sides, first+int16(i), int16(0))
	}
	put(1, append([]any{planes}, more...)...)
	put(15, sides...)
	const solid, water = 1, 32
	put(14, []int32{0, 6, solid, 0, 7, solid, 0, 0, solid, 0, 0, water}) // brushes: first side, sides, contents
	put(10, []uint16{0, 1})                                              // what leafs have
	copy(lump(8)[28+24:], []byte{0, 0, 2, 0})                            // leaf 1: the first of them, and how many
	w := decodeOptions(t, data, goldsrc.Options{Solids: true})
	if b := w.Volumes.Brushes; len(b) != 1 || b[0].Model != 0 || b[0].Contents != solid || b[0].Record != 0 ||
		!slices.Equal(b[0].Planes, box) {
		t.Errorf("brushes %+v", b)
	}
	if len(w.Issues) != 1 || w.Issues[0].Code != "brush" || w.Issues[0].Where != "brush 1" {
		t.Errorf("issues %+v", w.Issues)
	}
}

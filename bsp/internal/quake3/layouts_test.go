package quake3

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// The fields of each record add up to its size in the directory's table, and each value comes from one of them.
func TestRowsAddUp(t *testing.T) {
	t.Run("planes", decodingtest.Rows([]record.Layout[plane]{planeV46}, nil, 16))
	t.Run("brushes", decodingtest.Rows([]record.Layout[brush]{brushV46}, nil, 12))
	t.Run("brush sides", decodingtest.Rows([]record.Layout[brushSide]{brushSideV46, brushSideWide}, nil, 8, 12))
	t.Run("leafs", decodingtest.Rows([]record.Layout[leaf]{leafV46}, nil, 48))
	t.Run("light grid", decodingtest.Rows([]record.Layout[gridSample]{gridV46, gridWide}, nil, 8, 30))
	narrow, wide := variant{}, variant{wide: true}
	for _, c := range []struct {
		name   string
		v      variant
		lump   int
		fields string
		decode func(b []byte, v variant) any
	}{
		{"shaders", narrow, lumpShaders, "1*64 4*2", structs[shaderRecord]},
		{"models", narrow, lumpModels, "4*6 4*4", structs[modelRecord]},
		{"fogs", narrow, lumpFogs, "1*64 4*2", structs[fogRecord]},
		{"shaders of the wide layout", wide, lumpShaders, "1*64 4*2", structs[shaderRecord]},
		{"models of the wide layout", wide, lumpModels, "4*6 4*4", structs[modelRecord]},
		{"fogs of the wide layout", wide, lumpFogs, "1*64 4*2", structs[fogRecord]},
		{"surfaces", narrow, lumpSurfaces, "4*7 4*3 4*2 4*3 4*9 4*2", decodedSurface},
		{"surfaces of the wide layout", wide, lumpSurfaces, "4*7 1*8 4*12 4*2 4*3 4*9 4*2", decodedSurface},
		{"vertices", narrow, lumpVertices, "4*3 4*2 4*2 4*3 1*4", decodedVertex},
		{"vertices of the wide layout", wide, lumpVertices, "4*3 4*2 4*8 4*3 1*16", decodedVertex},
	} {
		if err := decodingtest.Layout(c.v.recordSize(c.lump), c.fields, func(b []byte) any { return c.decode(b, c.v) }); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// structs decodes a record that is a struct of its own.
func structs[T any](b []byte, _ variant) any {
	list, err := le.Records[T](le.Lump{Data: b})
	if err != nil || len(list) != 1 {
		panic(err) // it has another size
	}
	return list[0]
}

func decodedSurface(b []byte, v variant) any {
	list, err := readSurfaces(le.Lump{Data: b}, v)
	if err != nil || len(list) != 1 {
		panic(err)
	}
	return list[0]
}

func decodedVertex(b []byte, v variant) any {
	type values struct {
		position, normal [3]float32
		uv               [2]float32
		lightmap         [4][2]float32
		color            [4][4]uint8
	}
	x := vertex{b, v.slots()}
	out := values{position: x.position(), normal: x.normal(), uv: x.uv()}
	for k := range v.slots() {
		out.lightmap[k], out.color[k] = x.lightmap(k), [4]uint8(x.color(k))
	}
	return out
}

// A record that Ritual's branches rearrange has all words of the narrow record, each once, from within the stored one.
func TestRearrangedRecordsAreWhole(t *testing.T) {
	for _, r := range []*ritual{&fakk, &eliteForce2} {
		for _, x := range r.records {
			seen := map[int]bool{}
			for _, w := range x.words {
				if seen[w] || w < 0 || 4*w+4 > x.size {
					t.Errorf("%s: word %d of %d bytes", lumps[x.lump].name, w, x.size)
				}
				seen[w] = true
			}
			if n := 4 * len(x.words); n != lumps[x.lump].narrow {
				t.Errorf("%s: %d bytes, a narrow record has %d", lumps[x.lump].name, n, lumps[x.lump].narrow)
			}
		}
	}
}

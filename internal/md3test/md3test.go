// Package md3test writes small MD3 files for tests.
package md3test

import (
	"bytes"
	"encoding/binary"
)

// Model is the content of a file.
type Model struct {
	Frames   int
	Surfaces []Surface
}

// Surface has the blocks of a surface in stored form.
type Surface struct {
	Name      string
	Shaders   []string
	Vertices  [][]Vertex // by frame
	UV        [][2]float32
	Triangles [][3]int32
	Order     string // order of the blocks: s(haders), t(riangles), u(v), v(ertices); "tsuv" if empty
}

// Vertex is a position in 1/64 units and the two bytes of a normal.
type Vertex struct {
	X, Y, Z        int16
	Polar, Azimuth uint8
}

// Bytes returns the encoded file.
func (m Model) Bytes() []byte {
	var body bytes.Buffer
	for _, s := range m.Surfaces {
		body.Write(s.bytes())
	}
	var b bytes.Buffer
	b.WriteString("IDP3")
	put(&b, int32(15), name("test"), int32(0))
	put(&b, int32(m.Frames), int32(0), int32(len(m.Surfaces)), int32(0))
	frames := 56 * m.Frames
	put(&b, int32(108), int32(108+frames), int32(108+frames), int32(108+frames+body.Len()))
	b.Write(make([]byte, frames))
	b.Write(body.Bytes())
	return b.Bytes()
}

func (s Surface) bytes() []byte {
	var blocks bytes.Buffer
	offset := map[rune]int32{}
	order := s.Order
	if order == "" {
		order = "tsuv"
	}
	for _, r := range order {
		offset[r] = int32(108 + blocks.Len())
		switch r {
		case 's':
			for i, n := range s.Shaders {
				put(&blocks, name(n), int32(i))
			}
		case 't':
			put(&blocks, s.Triangles)
		case 'u':
			put(&blocks, s.UV)
		case 'v':
			for _, f := range s.Vertices {
				put(&blocks, f)
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("IDP3")
	put(&b, name(s.Name), int32(0))
	put(&b, int32(len(s.Vertices)), int32(len(s.Shaders)), int32(len(s.UV)), int32(len(s.Triangles)))
	put(&b, offset['t'], offset['s'], offset['u'], offset['v'], int32(108+blocks.Len()))
	b.Write(blocks.Bytes())
	return b.Bytes()
}

// Triangle returns a surface of one triangle facing +Z: (0 0 0), (64 0 0), (0 32 0), stored clockwise.
func Triangle(surface, shader string) Surface {
	return Surface{
		Name: surface, Shaders: []string{shader},
		Vertices:  [][]Vertex{{{0, 0, 0, 0, 0}, {64 * 64, 0, 0, 0, 0}, {0, 32 * 64, 0, 0, 0}}},
		UV:        [][2]float32{{0, 1}, {1, 1}, {0, 0}},
		Triangles: [][3]int32{{0, 2, 1}},
	}
}

func name(s string) (b [64]byte) {
	copy(b[:], s)
	return b
}

func put(b *bytes.Buffer, values ...any) {
	for _, v := range values {
		if err := binary.Write(b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
}

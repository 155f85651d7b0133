// Package phy writes the physics of Source's models, for tests and for a map of testdata.
package phy

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Solid is a box that hangs on a bone, in the bone's axes and in map units.
type Solid struct {
	Bone       string
	Mins, Maxs [3]float32
}

// Sizes of the parts of a solid, and where its piece and its points are.
const (
	header, surface, node = 28, 48, 28
	pieceAt               = header + surface + node
	pointsAt              = pieceAt + 16 + 12*16
	size                  = pointsAt + 8*16
)

// File returns a file of solids, each a tree of one node with one piece of twelve triangles.
func File(solids ...Solid) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
	}
	text := ""
	put([]int32{16, 0, int32(len(solids)), 0x9a7e})
	for i, s := range solids {
		put(int32(size), []byte("VPHY"), [2]int16{0x100, 0}, int32(size-header), [3]float32{}, int32(0))
		put([8]int32{}, int32(surface), [2]int32{}, []byte("IVPS"))
		put([]int32{0, node}, [4]float32{}, [4]uint8{})
		put(int32(pointsAt-pieceAt), [2]int32{}, [2]int16{12, 0})
		for axis := range 3 { // a corner's bits are the sides it is on
			for side := range 2 {
				u, v := 1<<((axis+1)%3), 1<<((axis+2)%3)
				if side == 0 {
					u, v = v, u
				}
				a := side << axis
				for _, t := range [2][3]int{{a, a + u, a + u + v}, {a, a + u + v, a + v}} {
					put(uint32(0), uint32(t[0]), uint32(t[1]), uint32(t[2]))
				}
			}
		}
		for c := range 8 {
			p := s.Mins
			for k := range p {
				if c>>k&1 != 0 {
					p[k] = s.Maxs[k]
				}
				p[k] *= 0.0254
			}
			put([]float32{p[0], -p[2], p[1], 0}) // metres, Y down
		}
		text += fmt.Sprintf("solid {\n\"index\" \"%d\"\n\"name\" \"%s\"\n}\n", i, s.Bone)
	}
	put([]byte(text), uint8(0))
	return b.Bytes()
}

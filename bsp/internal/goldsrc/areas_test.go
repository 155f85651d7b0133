package goldsrc_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The tree of the fixture is a node of plane 0 with leaf 1 before it and leaf 0, which is solid, behind.
func TestAreasOfQuake2(t *testing.T) {
	data := floor(qbsp.Texture{Name: "e1u1/metal1", Width: 64, Height: 64}).Write(qbsp.Quake2)
	leafs := int(binary.LittleEndian.Uint32(data[8+8*8:])) // lump 8
	binary.LittleEndian.PutUint16(data[leafs+28+6:], 5)
	options := goldsrc.Options{Name: "x", Areas: true}
	w := decodeOptions(t, data, options)
	if w.Volumes.Areas == nil || len(w.Volumes.Areas.Of) != 2 || w.Volumes.Areas.Several() || len(w.Issues) != 0 {
		t.Fatalf("%+v, %v", w.Volumes.Areas, w.Issues)
	}
	n := w.Volumes.Areas.Nodes[0]
	at := func(distance float32) (p [3]float32) {
		for k := range p {
			p[k] = n.Normal[k] * (n.Distance + distance)
		}
		return p
	}
	if before, behind := w.Volumes.Areas.At(at(1)), w.Volumes.Areas.At(at(-1)); before != 5 || behind != world.NoArea {
		t.Errorf("area %d before the plane and %d behind", before, behind)
	}
	binary.LittleEndian.PutUint32(data[8+8*8+4:], 57) // not whole records
	if w := decodeOptions(t, data, options); w.Volumes.Areas != nil || len(w.Issues) != 1 || w.Issues[0].Code != "lump-broken" {
		t.Error(w.Volumes.Areas, w.Issues)
	}
	// Quake has none.
	if a := decodeOptions(t, floor(qbsp.Texture{Name: "a", Width: 16, Height: 16}).Write(qbsp.Quake), options).Volumes.Areas; a.Several() ||
		a.Seen {
		t.Error(a)
	}
}

// withLump returns a map with another lump, behind all others.
func withLump(data []byte, i int, lump []byte) []byte {
	out := append(data[:len(data):len(data)], lump...)
	binary.LittleEndian.PutUint32(out[4+8*i:], uint32(len(data)))
	binary.LittleEndian.PutUint32(out[8+8*i:], uint32(len(lump)))
	return out
}

// Two rooms of two leafs each that can't see each other: the map has no areas, but is cut into two parts.
func TestPartsOfQuakeBySight(t *testing.T) {
	data := floor(qbsp.Texture{Name: "a", Width: 16, Height: 16}).Write(qbsp.Quake)
	node := func(first, second int16) []byte {
		b := make([]byte, 24)
		binary.LittleEndian.PutUint16(b[4:], uint16(first))
		binary.LittleEndian.PutUint16(b[6:], uint16(second))
		return b
	}
	data = withLump(data, 5, slices.Concat(node(1, 2), node(-2, -3), node(-4, -5)))
	leafs := make([]byte, 6*28) // the last is of a brush model
	for i, row := range []int32{-1, 0, 0, 1, 1, -1} {
		binary.LittleEndian.PutUint32(leafs[28*i+4:], uint32(row))
	}
	data = withLump(withLump(data, 10, leafs), 4, []byte{0b0011, 0b1100})
	models := int(binary.LittleEndian.Uint32(data[4+8*14:]))
	binary.LittleEndian.PutUint32(data[models+52:], 4)
	options := goldsrc.Options{Name: "x", Areas: true}
	w := decodeOptions(t, data, options)
	if a := w.Volumes.Areas; a == nil || !a.Seen || !slices.Equal(a.Of, []int{world.NoArea, 0, 0, 1, 1, world.NoArea}) ||
		len(w.Issues) != 0 {
		t.Errorf("%+v, %v", a, w.Issues)
	}
	for _, seen := range []uint32{0, 0xffffffff, 1 << 30} { // leafs that the model counts
		binary.LittleEndian.PutUint32(data[models+52:], seen)
		decodeOptions(t, data, options)
	}
	if a := decodeOptions(t, withLump(data, 4, nil), options).Volumes.Areas; a == nil || a.Seen {
		t.Error("a map without visibility data was cut into parts", a)
	}
}

// Leaf 1 of the fixture is a liquid from 8 16 24 to 40 48 56: an eye in it sees a colour over all, as the game draws it. GoldSrc has
// another law, and a leaf without a cluster is a brush model's.
func TestLiquidsTintTheView(t *testing.T) {
	for _, c := range []struct {
		what         string
		v            qbsp.Variant
		lump, size   int
		contents     int32
		cluster      int16
		wide         bool
		color, alpha float64 // red as displayed
	}{
		{"water of Quake", qbsp.Quake, 10, 28, -3, 0, false, 130, 128}, {"slime", qbsp.Quake, 10, 28, -4, 0, false, 0, 150},
		{"lava with large limits", qbsp.BSP2, 10, 44, -5, 0, true, 255, 150}, {"water of RMQ", qbsp.PSB2, 10, 32, -3, 0, false, 130, 128},
		{"water of Quake II", qbsp.Quake2, 8, 28, 32, 1, false, 127.5, 102}, {"slime in lava", qbsp.Quake2, 8, 28, 24, 0, false, 255, 153},
		{"of a brush model", qbsp.Quake2, 8, 28, 32, -1, false, 0, 0}, {"sky", qbsp.Quake, 10, 28, -6, 0, false, 0, 0},
		{"of GoldSrc", qbsp.HalfLife, 10, 28, -3, 0, false, 0, 0},
	} {
		data := floor(qbsp.Texture{Name: "a", Width: 16, Height: 16}).Write(c.v)
		head := 4 + 8*c.lump
		if c.lump == 8 {
			head += 4
		}
		b := data[int(binary.LittleEndian.Uint32(data[head:]))+c.size:]
		binary.LittleEndian.PutUint32(b, uint32(c.contents))
		if c.lump == 8 {
			binary.LittleEndian.PutUint16(b[4:], uint16(c.cluster))
		}
		for i, x := range []float32{8, 16, 24, 40, 48, 56} {
			if c.wide {
				binary.LittleEndian.PutUint32(b[8+4*i:], math.Float32bits(x))
			} else {
				binary.LittleEndian.PutUint16(b[8+2*i:], uint16(x))
			}
		}
		got := decodeOptions(t, data, goldsrc.Options{Name: "x"}).Volumes.Waters
		if c.alpha == 0 {
			if len(got) > 0 {
				t.Errorf("%s: %+v", c.what, got)
			}
			continue
		}
		if len(got) != 1 || !slices.Equal(got[0].Boxes, [][2][3]float32{{{8, 16, 24}, {40, 48, 56}}}) || got[0].Surface != 56 ||
			got[0].Bottom != 24 || got[0].Fog == nil {
			t.Errorf("%s: %+v", c.what, got)
			continue
		}
		f := got[0].Fog
		if red := 255 * gamma.Encode(float64(f.Color[0])); math.Abs(red-c.color) > 0.01 || math.Abs(255*f.Share(0.01)-c.alpha) > 0.01 ||
			math.Abs(255*float64(f.Sky)-c.alpha) > 0.01 {
			t.Errorf("%s: red %g, %+v", c.what, red, f)
		}
	}
}

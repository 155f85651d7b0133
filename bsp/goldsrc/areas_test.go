package goldsrc_test

import (
	"encoding/binary"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/goldsrc"
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
	if w := decodeOptions(t, floor(qbsp.Texture{Name: "a", Width: 16, Height: 16}).Write(qbsp.Quake), options); w.Volumes.Areas != nil {
		t.Error(w.Volumes.Areas)
	}
}

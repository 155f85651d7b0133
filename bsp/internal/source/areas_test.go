package source_test

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The map is a room, area 1, and a 3D skybox, area 2, with solid rock between them.
func TestAreas(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/source/maps/sky3d.bsp")
	if err != nil {
		t.Fatal(err)
	}
	if w := decodeOptions(t, data, source.Options{Name: "sky3d"}); w.Volumes.Areas != nil {
		t.Error("areas that nobody asked for")
	}
	w := decodeOptions(t, data, source.Options{Name: "sky3d", Areas: true})
	if !w.Volumes.Areas.Several() {
		t.Fatal(w.Volumes.Areas)
	}
	for at, want := range map[[3]float32]int{{0, 0, 64}: 1, {1152, 0, 16}: 2, {700, 0, 16}: world.NoArea} {
		if got := w.Volumes.Areas.At(at); got != want {
			t.Errorf("%g: area %d, want %d", at, got, want)
		}
	}
}

// The map's two rooms share an area but can't see each other: the visibility data cuts it into parts. Leafs are dleaf_t of 32 bytes.
func TestPartsBySight(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/source/maps/areas.bsp")
	if err != nil {
		t.Fatal(err)
	}
	u32 := binary.LittleEndian.Uint32
	leafs := data[u32(data[8+16*10:]):][:u32(data[8+16*10+4:])]
	for i := 0; i < len(leafs); i += 32 {
		area := binary.LittleEndian.Uint16(leafs[i+6:]) & 0x1ff
		binary.LittleEndian.PutUint16(leafs[i+4:], area-1) // the cluster; what is solid has none
		if area > 0 {
			binary.LittleEndian.PutUint16(leafs[i+6:], 1)
		}
	}
	options := source.Options{Name: "areas", Areas: true}
	if a := decodeOptions(t, data, options).Volumes.Areas; a.Seen || a.Several() {
		t.Error("parts of a map that does not say what is seen", a)
	}
	lump := binary.LittleEndian.AppendUint32(nil, 2)
	for _, at := range []uint32{20, 0, 21, 0} { // where the rows begin: of what is seen, and of what is heard
		lump = binary.LittleEndian.AppendUint32(lump, at)
	}
	lump = append(lump, 0b01, 0b10)
	binary.LittleEndian.PutUint32(data[8+16*4:], uint32(len(data)))
	binary.LittleEndian.PutUint32(data[8+16*4+4:], uint32(len(lump)))
	w := decodeOptions(t, append(data, lump...), options)
	if a := w.Volumes.Areas; !a.Seen || !a.Several() || len(w.Issues) != 0 {
		t.Errorf("%+v, %v", a, w.Issues)
	}
}

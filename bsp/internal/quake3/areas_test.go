package quake3_test

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestAreas(t *testing.T) {
	m := mapOf(triangle())
	plane := m.Plane([3]float32{1, 0, 0}, 32)
	m.Nodes = []ibsp.Node{{Plane: plane, Children: [2]int32{-2, 1}}, {Plane: m.Plane([3]float32{0, 0, 1}, 0), Children: [2]int32{-3, -1}}}
	m.Leaves = []ibsp.Leaf{{Cluster: -1, Area: -1}, {Area: 1}, {Area: 0}}
	data := m.Write(ibsp.Quake3)
	if w := decode(t, data); w.Volumes.Areas != nil {
		t.Error("areas that nobody asked for")
	}
	options := quake3.Options{Name: "x", Areas: true}
	w := decodeOptions(t, data, options)
	if w.Volumes.Areas == nil || len(w.Issues) != 0 || !w.Volumes.Areas.Several() {
		t.Fatal(w.Volumes.Areas, w.Issues)
	}
	for at, want := range map[[3]float32]int{{40, 0, 0}: 1, {32, 9, 9}: 1, {31, 0, 1}: 0, {31, 0, -1}: world.NoArea} {
		if got := w.Volumes.Areas.At(at); got != want {
			t.Errorf("%g: area %d, want %d", at, got, want)
		}
	}
	// A tree that leads nowhere, and one in a circle.
	at, _ := ibsp.Lump(data, ibsp.LumpNodes)
	for _, child := range []int32{0, 99, -99} {
		brushmap.SetInt32(data, at+4, child)
		if got := decodeOptions(t, data, options).Volumes.Areas.At([3]float32{40, 0, 0}); got != world.NoArea {
			t.Errorf("child %d: area %d", child, got)
		}
	}
	ibsp.SetLump(data, ibsp.LumpLeaves, 0, 47)
	if w := decodeOptions(t, data, options); w.Volumes.Areas != nil || len(w.Issues) != 1 || w.Issues[0].Code != "lump-broken" {
		t.Error(w.Volumes.Areas, w.Issues)
	}
}

// Two rooms in one area that can't see each other.
func TestPartsBySight(t *testing.T) {
	m := mapOf(triangle())
	plane := m.Plane([3]float32{1, 0, 0}, 32)
	m.Nodes = []ibsp.Node{{Plane: plane, Children: [2]int32{-2, 1}}, {Plane: m.Plane([3]float32{0, 0, 1}, 0), Children: [2]int32{-3, -1}}}
	m.Leaves = []ibsp.Leaf{{Cluster: -1, Area: -1}, {Cluster: 1}, {Cluster: 0}}
	options := quake3.Options{Name: "x", Areas: true}
	for _, c := range []struct {
		name string
		lump []byte // the number of clusters, the bytes of a row, rows
		seen bool
	}{
		{"two rooms", []byte{2, 0, 0, 0, 1, 0, 0, 0, 0b01, 0b10}, true},
		{"one room", []byte{2, 0, 0, 0, 1, 0, 0, 0, 0b11, 0b11}, false},
		{"nothing", nil, false},
		{"no rows", []byte{2, 0, 0, 0, 1, 0, 0, 0, 0b01}, false},
		{"rows of no bytes", []byte{2, 0, 0, 0, 0, 0, 0, 0, 0b01}, false},
		{"below nothing", []byte{255, 255, 255, 255, 255, 255, 255, 255, 0b01}, false},
		{"more than there are", []byte{9, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, false},
	} {
		m.Visibility = c.lump
		a := decodeOptions(t, m.Write(ibsp.Quake3), options).Volumes.Areas
		if a == nil || a.Seen != c.seen || c.seen &&
			(a.At([3]float32{40, 0, 0}) == a.At([3]float32{31, 0, 1}) || a.At([3]float32{31, 0, -1}) != world.NoArea) {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
}

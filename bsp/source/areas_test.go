package source_test

import (
	"os"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/source"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The map is a room, area 1, and a 3D skybox, area 2, with solid rock between them.
func TestAreas(t *testing.T) {
	data, err := os.ReadFile("../../testdata/source/maps/sky3d.bsp")
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

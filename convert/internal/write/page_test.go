package write

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// A page has directions of light only where its viewer shows light by them; a white light after them stays the one of its material.
func TestPagesLeaveOutIdleDirections(t *testing.T) {
	s := &scene.Scene{
		Images:    []scene.Image{{Element: "texture"}, {Element: "lightmap"}, {Element: "light direction (map axes)"}, {Element: "texture", Name: "white"}},
		Materials: []scene.Material{{Lightmap: 1}, {Lightmap: 3}, {Lightmap: scene.None}},
	}
	out := withoutIdleDirections(s)
	if len(out.Images) != 3 || out.Images[out.Materials[1].Lightmap].Name != "white" || out.Materials[0].Lightmap != 1 ||
		out.Materials[2].Lightmap != scene.None || s.Materials[1].Lightmap != 3 {
		t.Errorf("%+v", out)
	}
	s.Materials[0].Directed = &scene.Directed{Image: 2}
	if out := withoutIdleDirections(s); len(out.Images) != 4 {
		t.Errorf("%d images", len(out.Images))
	}
}

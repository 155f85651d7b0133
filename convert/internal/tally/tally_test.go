package tally

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestMissingNamesTexturesAndModels(t *testing.T) {
	r := New("", 3)
	if m := r.Missing(); m.Textures+m.Models+len(m.Names) != 0 {
		t.Errorf("nothing is missing: %v", m)
	}
	r.Materials.Missing = []materials.Missing{{Material: "textures/a"}, {Material: strings.Repeat("ä", 300)}}
	r.Add([]world.Issue{
		{Code: "model-missing", Detail: "models/b.mdl"}, {Code: "model-broken", Detail: "models/broken.mdl"},
		{Code: "character-missing", Detail: "models/c.mdl"}, {Code: "model-missing", Detail: "models/beyond.mdl"}, // the fourth issue is not listed
	})
	m := r.Missing()
	want := []string{"textures/a", strings.Repeat("ä", 200), "models/b.mdl", "models/c.mdl"}
	if m.Textures != 2 || m.Models != 3 || !slices.Equal(m.Names, want) {
		t.Errorf("got %v", m)
	}
	for i := range 200 {
		r.Materials.Missing = append(r.Materials.Missing, materials.Missing{Material: fmt.Sprint(i)})
	}
	if m := r.Missing(); m.Textures != 202 || len(m.Names) != 100 {
		t.Errorf("%d textures, %d names", m.Textures, len(m.Names))
	}
}

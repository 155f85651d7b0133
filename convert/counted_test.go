package convert

import (
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// Every face is counted, whatever is left out: convertMap looks at that.
func TestEveryFaceIsCounted(t *testing.T) {
	settings := []pipeline.Pipeline{set(t, "output.hidden=true", "lightmap.carrier=vertex"),
		set(t, "entities.skip=['func_*']", "entities.nodes=false", "sky.mode=none")}
	for i, file := range testkit.Some(fixtures(t), 2, 12) {
		convertMap(t, settings[i%2], file)
	}
}

// A table of 168 vertices is in a map three times, in two skins and once with a lamp on it.
func TestMapSharesVertices(t *testing.T) {
	s, _ := convertMap(t, defaults(), filepath.FromSlash("../testdata/source/maps/models.bsp"))
	tables, places := 0, map[*[3]float32]bool{}
	for _, m := range s.Meshes {
		for i := range m.Primitives {
			if p := m.Primitives[i].Positions; len(p) == 168 {
				tables++
				places[&p[0]] = true
			}
		}
	}
	if tables < 2 || len(places) != 1 {
		t.Errorf("%d primitives of a table, %d in memory", tables, len(places))
	}
}

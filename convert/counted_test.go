package convert

import (
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// Every face of the file is kept or dropped for a reason, once.
func TestEveryFaceIsCounted(t *testing.T) {
	check := func(t *testing.T, r *report.Report, file string) {
		t.Helper()
		n := r.Surfaces.Kept
		for _, k := range r.Surfaces.Dropped {
			n += k
		}
		if n != r.Surfaces.Total || r.Surfaces.Total == 0 {
			t.Errorf("%s: %d of %d faces: %+v", file, n, r.Surfaces.Total, r.Surfaces)
		}
		if e := r.Entities; e.Total != e.Nodes+e.Skipped {
			t.Errorf("%s: %+v", file, e)
		}
	}
	for i, file := range testkit.Some(fixtures(t), 2, 12) {
		for k, p := range []pipeline.Pipeline{defaults(), set(t, "output.hidden=true", "lightmap.carrier=vertex"), set(t, "entities.skip=['func_*']", "entities.nodes=false", "sky.mode=none")} {
			if step := testkit.Step(3, 3); i%step != k%step {
				continue
			}
			_, r := convertMap(t, p, file)
			check(t, r, file)
		}
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

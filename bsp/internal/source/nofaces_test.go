package source_test

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// A map may only carry entities: lumps of which it has nothing are empty, and so is the world.
func TestMapOfEntitiesAlone(t *testing.T) {
	data := floor(bricks).Write(vbsp.Desolation)
	for lump := range 64 {
		if lump != vbsp.LumpEntities {
			vbsp.SetLump(data, lump, 0, 0)
		}
	}
	w := decode(t, data)
	wantIssues(t, w, "no-faces: map: it has no faces")
	if len(w.Entities) != 1 || w.Entities[0].Model != 0 || len(w.Models) != 1 || len(w.Models[0].Surfaces) != 0 ||
		w.Format.Game != "Desolation" {
		t.Errorf("%d entities, models %+v, %s", len(w.Entities), w.Models, w.Format.Game)
	}
	// So does one whose models have no faces.
	w = decode(t, vbsp.Replace(floor(bricks).Write(vbsp.Source2007), vbsp.LumpFaces, nil))
	if len(w.Entities) != 1 || len(w.Models) != 1 || w.Faces != 0 {
		t.Errorf("%d entities, models %+v", len(w.Entities), w.Models)
	}
}

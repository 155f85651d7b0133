package inspect_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
)

func TestInspectModel(t *testing.T) {
	for in, want := range map[string]struct{ bones, triangles, sequences int }{ // boxes: of the signpost without their tops and bottoms
		"../../testdata/source/models/ours/gate.mdl":  {2, 2 * 12, 2},
		"../../testdata/source/models/ours/table.mdl": {0, 7 * 12, 0}, // $staticprop
		"../../testdata/goldsrc/models/signpost.mdl":  {2, 2 * 8, 2},
		"../../testdata/goldsrc/models/outside.mdl":   {2, 2 * 8, 2},
	} {
		i, err := inspect.InspectModel(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(i.Bones) != want.bones || i.Triangles != want.triangles || i.Vertices == 0 || len(i.Sequences) != want.sequences {
			t.Errorf("%s: %d bones, %d triangles, %d vertices, sequences %+v", in, len(i.Bones), i.Triangles, i.Vertices, i.Sequences)
		}
		for _, s := range i.Sequences {
			if s.Name == "" || s.Frames < 1 || s.FPS <= 0 {
				t.Errorf("%s: %+v", in, s)
			}
		}
	}
	if _, err := inspect.InspectModel(t.Context(), "../../testdata/no such.mdl", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

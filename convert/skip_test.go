package convert

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
)

// A skipped class has no model, sprite, rope, lamp or decal, whether entities have nodes or not. The numbers say by how many there are
// fewer.
func TestSkippedClassesPlaceNothing(t *testing.T) {
	for _, c := range []struct {
		file, class            string
		props, lamps, overlays int
	}{
		{"demo/maps/demo.bsp", "light", 0, 7, 0},
		{"goldsrc/maps/entities.bsp", "env_model", 2, 0, 0},
		{"goldsrc/maps/entities.bsp", "monster_*", 1, 0, 0},
		{"goldsrc/maps/entities.bsp", "light*", 0, 4, 0},
		{"source/maps/models.bsp", "prop_*", 3, 0, 0},
		{"source/maps/details.bsp", "env_sprite", 1, 0, 0},
		{"source/maps/details.bsp", "NPC_zombie", 1, 0, 0},
		{"source/maps/details.bsp", "keyframe_rope", 1, 0, 0},
		{"source/maps/decal.bsp", "infodecal", 0, 0, 1},
	} {
		for _, nodes := range []string{"entities.nodes=true", "entities.nodes=false"} {
			file := filepath.Join("..", "testdata", filepath.FromSlash(c.file))
			_, all := convertMap(t, set(t, nodes), file)
			_, r := convertMap(t, set(t, nodes, `entities.skip=["`+c.class+`"]`), file)
			props, lamps, overlays := all.Props.Total-r.Props.Total, all.Lights.Shown-r.Lights.Shown, all.Overlays.Total-r.Overlays.Total
			if props != c.props || lamps != c.lamps || overlays != c.overlays {
				t.Errorf("%s, %s, %s: %d props, %d lamps, %d overlays fewer", c.file, c.class, nodes, props, lamps, overlays)
			}
		}
	}
}

func TestSkippedModelsOfQuake3(t *testing.T) {
	m := &ibsp.Map{Models: make([]ibsp.Model, 1), Entities: []ibsp.Entity{{{"classname", "worldspawn"}},
		{{"classname", "misc_gamemodel"}, {"model", "models/a.md3"}}, {{"classname", "func_static"}, {"model", "models/b.md3"}}}}
	corners := []ibsp.Vertex{{}, {XYZ: [3]float32{0, 64, 0}}, {XYZ: [3]float32{64, 0, 0}}}
	m.Models[0].Surfaces = []ibsp.Surface{ibsp.NewPolygon(m.Shader("textures/a", 0, 1), corners)}
	data := m.Write(ibsp.Quake3)
	for option, want := range map[string]report.Props{
		"entities.skip=[]": {Total: 2, Nodes: 2}, "entities.skip=[misc_gamemodel]": {Total: 1, Nodes: 1}, `entities.skip=["*"]`: {},
	} {
		_, r, err := Map(t.Context(), set(t, option), Source{Name: "a", Reader: bytes.NewReader(data), Size: int64(len(data))})
		if err != nil || r.Props != want {
			t.Errorf("%s: %+v, %v", option, r.Props, err)
		}
	}
}

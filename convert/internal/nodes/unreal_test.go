package nodes_test

import (
	"regexp"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/converttest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// With the preset for Unreal each solid belongs to a mesh of the file, the light is in the vertices, and there are no lamps.
func TestPresetForUnreal(t *testing.T) {
	l, err := pipeline.PresetLayer("unreal")
	if err != nil {
		t.Fatal(err)
	}
	c, err := pipeline.Load(l)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"../../../testdata/demo/maps/demo.bsp", "../../../testdata/source/maps/showcase.bsp"} {
		s, _ := converttest.Map(t, c.Pipeline, file)
		solid, named, solids, colored, unfolded := regexp.MustCompile(`^UCX_(.+)_\d\d+$`), map[string]int{}, 0, 0, 0
		for i := range s.Meshes {
			named[s.Meshes[i].Name]++
			for k := range s.Meshes[i].Primitives {
				p := &s.Meshes[i].Primitives[k]
				unfolded += min(len(p.UV2), 1)
				within(t, s.Meshes[i].Name, p.UV2)
				colored += min(len(p.Colors), 1)
			}
		}
		for name := range named {
			if m := solid.FindStringSubmatch(name); m != nil {
				solids++
				if named[m[1]] != 1 || named[name] != 1 {
					t.Errorf("%s: %s: %d meshes have its name, %d that of its mesh", file, name, named[name], named[m[1]])
				}
			}
		}
		if unfolded == 0 {
			t.Errorf("%s: no primitive has a second UV set", file)
		}
		if solids < 50 || colored == 0 || len(s.Lights) != 0 || len(s.Cameras) == 0 {
			t.Errorf("%s: %d solids, %d primitives with colours, %d lights, %d cameras", file, solids, colored, len(s.Lights),
				len(s.Cameras))
		}
	}
}

// within fails where coordinates are not on the page.
func within(t *testing.T, name string, uv [][2]float32) {
	t.Helper()
	for _, at := range uv {
		if !(at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1) {
			t.Fatalf("%s: UV2 %v is outside 0 to 1", name, at)
		}
	}
}

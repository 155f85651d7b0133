package meshes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// listed returns the meshes with the numbers of their triangles and vertices.
func listed(m Meshes) (list []string) {
	for i := range m.Meshes {
		triangles, vertices := 0, 0
		for _, p := range m.Meshes[i].Primitives {
			triangles, vertices = triangles+len(p.Indices)/3, vertices+len(p.Positions)
		}
		list = append(list, fmt.Sprintf("%s: %d of %d", m.Meshes[i].Name, triangles, vertices))
	}
	return list
}

// The unit is 1 metre here, so that a cell of 100 metres is 100 units wide. The squares have 64 units.
func TestTheWorldInCells(t *testing.T) {
	w := func() *world.World {
		return &world.World{
			Materials: []world.Material{{Name: "a"}},
			Models: []world.Model{
				{Name: "*0", Surfaces: []world.Surface{square(0, -1, 64), moved(square(0, -1, 64), 10, 10, -1),
					moved(square(0, -1, 64), 250, 0, 0)}},
				{Name: "*1", Surfaces: []world.Surface{moved(square(0, -1, 64), 500, 0, 0)}},
			},
		}
	}
	for option, want := range map[string][]string{
		"none":     {"*0: 6 of 12", "*1: 2 of 4"},
		"grid:100": {"*0 cell_0_0_-1: 2 of 4", "*0 cell_0_0_0: 2 of 4", "*0 cell_2_0_0: 2 of 4", "*1: 2 of 4"},
		// The centre of the third square is at 282, in the fifth cell of 60. The square is larger than a cell: the centres of its
		// triangles are at (293, 21) and (271, 43). Those of the first square are at (43, 21) and (21, 43), those of the second
		// at (53, 31) and (31, 53).
		"grid:60": {"*0 cell_0_0_-1: 2 of 4", "*0 cell_0_0_0: 2 of 4", "*0 cell_4_0_0: 2 of 4", "*1: 2 of 4"},
		// In cells of 40 units, (43, 21) and (21, 43) are in different cells.
		"grid:40": {
			"*0 cell_0_1_-1: 1 of 3", "*0 cell_0_1_0: 1 of 3", "*0 cell_1_0_-1: 1 of 3", "*0 cell_1_0_0: 1 of 3", "*0 cell_6_1_0: 1 of 3",
			"*0 cell_7_0_0: 1 of 3", "*1: 2 of 4",
		},
	} {
		m, _ := build(t, set(t, "output.split="+option), w())
		if got := listed(m); !slices.Equal(got, want) || len(m.Issues) != 0 {
			t.Errorf("%s:\n%s\n%v", option, strings.Join(got, "\n"), m.Issues)
		}
	}
	m, _ := build(t, set(t, "output.split=areas"), w()) // 32 metres are 32 units
	if got := listed(m); len(got) != 7 || len(m.Issues) != 1 || m.Issues[0].Code != "split-cells" {
		t.Errorf("%d partitions, %v", len(got), m.Issues)
	}
}

// From x = 100 everything is in area 7. At smaller x, z from 0 is in area 3, and the rest is below. A square from 60 to 124 spans both
// areas: the centres of its triangles are at x 103 and 81, so each area has one.
func TestTheWorldInAreas(t *testing.T) {
	split := splitter{areas: &world.Areas{
		Nodes: []world.LeafNode{{Normal: [3]float32{1, 0, 0}, Distance: 100, Children: [2]int{-1, 1}},
			{Normal: [3]float32{0, 0, 1}, Children: [2]int{-2, -3}}},
		Of: []int{7, 3, world.NoArea},
	}}
	for _, c := range []struct {
		at    [3]float32
		whole bool
		want  string
	}{
		{[3]float32{}, false, "area_3:6"}, {[3]float32{200}, false, "area_7:6"}, {[3]float32{0, 0, -50}, false, ":6"},
		{[3]float32{60}, false, "area_3:3 area_7:3"}, {[3]float32{60}, true, "area_3:6"},
	} {
		s := moved(square(0, -1, 64), c.at[0], c.at[1], c.at[2])
		var got []string
		for _, part := range split.split(scenetest.Mesh(&s), c.whole) {
			name := ""
			if part.partition != (partition{}) {
				name = part.partition.name()
			}
			got = append(got, fmt.Sprintf("%s:%d", name, len(part.mesh.Indices)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("at %v: %v, want %s", c.at, got, c.want)
		}
	}
}

package assemble

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// moved returns a surface, translated.
func moved(s world.Surface, x, y, z float32) world.Surface {
	for i := range s.Shape.(*world.Polygon).Corners {
		p := &s.Shape.(*world.Polygon).Corners[i].Position
		p[0], p[1], p[2] = p[0]+x, p[1]+y, p[2]+z
	}
	return s
}

// rooms returns the nodes of the world that have meshes, with the numbers of their triangles and vertices.
func rooms(s *scene.Scene) (list []string) {
	for i := range s.Nodes {
		if n := &s.Nodes[i]; n.Mesh != scene.None {
			triangles, vertices := 0, 0
			for _, p := range s.Meshes[n.Mesh].Primitives {
				triangles, vertices = triangles+len(p.Indices)/3, vertices+len(p.Positions)
			}
			list = append(list, fmt.Sprintf("%s < %s: %s, %d of %d", n.Name, s.Nodes[n.Parent].Name, s.Meshes[n.Mesh].Name, triangles, vertices))
		}
	}
	return list
}

// The unit is 1 metre here, so that a cell of 100 metres is 100 units wide. The squares have 64 units.
func TestTheWorldInCells(t *testing.T) {
	w := func() *world.World {
		return &world.World{
			Materials: []world.Material{{Name: "a"}},
			Models: []world.Model{
				{Name: "*0", Surfaces: []world.Surface{square(0, -1, 64), moved(square(0, -1, 64), 10, 10, -1), moved(square(0, -1, 64), 250, 0, 0)}},
				{Name: "*1", Surfaces: []world.Surface{moved(square(0, -1, 64), 500, 0, 0)}},
			},
			Entities: []world.Entity{entity(0, "classname", "worldspawn"), entity(1, "classname", "func_door")},
		}
	}
	for option, want := range map[string][]string{
		"none": {"worldspawn < unnamed: *0, 6 of 12", "func_door < unnamed: *1, 2 of 4"},
		"grid:100": {
			"worldspawn_cell_0_0_-1 < worldspawn: *0 cell_0_0_-1, 2 of 4", "worldspawn_cell_0_0_0 < worldspawn: *0 cell_0_0_0, 2 of 4",
			"worldspawn_cell_2_0_0 < worldspawn: *0 cell_2_0_0, 2 of 4", "func_door < unnamed: *1, 2 of 4",
		},
		// The centre of the third square is at 282, in the fifth cell of 60. The square is larger than a cell: the centres of its
		// triangles are at (293, 21) and (271, 43). Those of the first square are at (43, 21) and (21, 43), those of the second
		// at (53, 31) and (31, 53).
		"grid:60": {
			"worldspawn_cell_0_0_-1 < worldspawn: *0 cell_0_0_-1, 2 of 4", "worldspawn_cell_0_0_0 < worldspawn: *0 cell_0_0_0, 2 of 4",
			"worldspawn_cell_4_0_0 < worldspawn: *0 cell_4_0_0, 2 of 4", "func_door < unnamed: *1, 2 of 4",
		},
		// In cells of 40 units, (43, 21) and (21, 43) are in different cells.
		"grid:40": {
			"worldspawn_cell_0_1_-1 < worldspawn: *0 cell_0_1_-1, 1 of 3", "worldspawn_cell_0_1_0 < worldspawn: *0 cell_0_1_0, 1 of 3",
			"worldspawn_cell_1_0_-1 < worldspawn: *0 cell_1_0_-1, 1 of 3", "worldspawn_cell_1_0_0 < worldspawn: *0 cell_1_0_0, 1 of 3",
			"worldspawn_cell_6_1_0 < worldspawn: *0 cell_6_1_0, 1 of 3", "worldspawn_cell_7_0_0 < worldspawn: *0 cell_7_0_0, 1 of 3",
			"func_door < unnamed: *1, 2 of 4",
		},
	} {
		s, r := literal(t, set(t, "output.split="+option), w())
		if got := rooms(s); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s", option, strings.Join(got, "\n"))
		}
		if r.Surfaces.Kept != 4 || len(r.Issues) != 0 {
			t.Errorf("%s: %d kept, %v", option, r.Surfaces.Kept, r.Issues)
		}
	}
	s, r := literal(t, set(t, "output.split=areas"), w()) // 32 metres are 32 units
	if got := rooms(s); len(got) != 7 || len(r.Issues) != 1 || r.Issues[0].Code != "split-cells" {
		t.Errorf("%d rooms, %v", len(got), r.Issues)
	}
}

func TestTheWorldInAreas(t *testing.T) {
	w := &world.World{
		Materials: []world.Material{{Name: "a"}},
		Models: []world.Model{{Name: "*0", Surfaces: []world.Surface{
			square(0, -1, 64), moved(square(0, -1, 64), 200, 0, 0), moved(square(0, -1, 64), 0, 0, -50), moved(square(0, -1, 64), 60, 0, 0),
		}}},
		// From x = 100 everything is in area 7. At smaller x, z from 0 is in area 3, and the rest is below.
		Volumes: world.Volumes{Areas: &world.Areas{
			Nodes: []world.LeafNode{{Normal: [3]float32{1, 0, 0}, Distance: 100, Children: [2]int{-1, 1}}, {Normal: [3]float32{0, 0, 1}, Children: [2]int{-2, -3}}},
			Of:    []int{7, 3, world.NoArea},
		}},
	}
	s, r := literal(t, set(t, "output.split=areas"), w)
	// The last square spans both areas: the centres of its triangles are at x 103 and 81, so each area has one.
	want := []string{
		"worldspawn < unnamed: *0, 2 of 4", "worldspawn_area_3 < worldspawn: *0 area_3, 3 of 7", "worldspawn_area_7 < worldspawn: *0 area_7, 3 of 7",
	}
	if got := rooms(s); !slices.Equal(got, want) || len(r.Issues) != 0 {
		t.Errorf("%s\n%v", strings.Join(got, "\n"), r.Issues)
	}
}

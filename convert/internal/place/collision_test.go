package place

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cube is a brush from 0 to 32 units.
func cube(model, record int) world.Brush {
	return world.Brush{Model: model, Record: record, Contents: 1, Names: "solid", Planes: [][4]float32{
		{1, 0, 0, 32}, {-1, 0, 0, 0}, {0, 1, 0, 32}, {0, -1, 0, 0}, {0, 0, 1, 32}, {0, 0, -1, 0},
	}}
}

func TestBrushesAsCollisionShapes(t *testing.T) {
	w := func() *world.World {
		return &world.World{
			Models:   []world.Model{{Name: "*0"}, {Name: "*1"}, {Name: "*2"}},
			Entities: []world.Entity{entity(0, "classname", "worldspawn"), entity(1, "classname", "func_door", "origin", "32 0 0")},
			Volumes:  world.Volumes{Brushes: []world.Brush{cube(0, 7), cube(1, 8), cube(2, 9), {Record: 10, Planes: [][4]float32{{1, 0, 0, 32}}}}},
		}
	}
	s, out := put(t, pipeline.Default(), w())
	if len(out.Meshes) != 0 || len(s.Nodes) != 3 {
		t.Errorf("unasked: %d nodes", len(s.Nodes))
	}
	s, out = put(t, set(t, "geometry.collision=brushes"), w())
	if len(s.Nodes) != 6 || len(out.Issues) != 1 {
		t.Errorf("%d nodes, %v", len(s.Nodes), out.Issues)
	}
	n := findNode(t, s, "brush_7-convcolonly")
	if parentOf(t, s, n.Name) != "collision" || n.Extras["contents"] != 1.0 || n.Extras["contents_names"] != "solid" {
		t.Errorf("%+v", n)
	}
	if got := parentOf(t, s, "brush_8-convcolonly"); got != "func_door" {
		t.Errorf("a door's brush hangs on %s", got)
	}
	p := s.Meshes[n.Mesh].Primitives[0]
	least, most := write.Bounds(p.Positions)
	if least[0] != 0 || most[1] != 1 || least[2] != -1 || len(p.Indices) != 36 {
		t.Errorf("%v to %v, %d indices", least, most, len(p.Indices))
	}
	if m := s.Materials[p.Material]; m.Name != "collision" || !m.Material.Draw.Unlit || m.Alpha != pbr.Blend {
		t.Errorf("%+v", m)
	}
}

// A map without brushes reports why it has no collision meshes.
func TestCollisionWithoutBrushesIsAnIssue(t *testing.T) {
	w := &world.World{Models: []world.Model{{Name: "*0"}}, Entities: []world.Entity{entity(0, "classname", "worldspawn")}}
	if _, out := put(t, set(t, "geometry.collision=brushes"), w); len(out.Issues) != 1 || out.Issues[0].Code != "collision-missing" {
		t.Errorf("%v", out.Issues)
	}
}

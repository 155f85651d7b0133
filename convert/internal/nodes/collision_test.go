package nodes

import (
	"maps"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cube returns a brush from 0 to 32 units.
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
			Volumes: world.Volumes{Brushes: []world.Brush{cube(0, 7), cube(1, 8), cube(2, 9),
				{Record: 10, Planes: [][4]float32{{1, 0, 0, 32}}}}},
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

// Unreal makes a solid of a mesh UCX_MESH_NN for the mesh MESH. Water, brushes for bots and triggers, which are not drawn, would become
// walls: they are left out.
func TestBrushesNamedForUnreal(t *testing.T) {
	brush := func(model, record int, names string) world.Brush {
		b := cube(model, record)
		b.Names = names
		return b
	}
	w := &world.World{
		Models: []world.Model{{Name: "*0", Surfaces: shown()}, {Name: "*1", Surfaces: shown()}, {Name: "*2", Surfaces: shown()},
			{Name: "*3"}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"),
			entity(1, "classname", "func_door", "targetname", "a-b", "origin", "32 0 0"),
			entity(2, "classname", "func_door", "targetname", "a b"), entity(3, "classname", "trigger_once")},
		Volumes: world.Volumes{Brushes: []world.Brush{
			brush(0, 1, "solid"), brush(0, 2, "water translucent"), brush(0, 3, "playerclip detail"), brush(0, 4, "botclip"),
			brush(1, 5, "solid"),
			brush(2, 6, "solid"), brush(3, 7, "solid"),
		}},
	}
	var meshes []scene.Mesh
	s, out := put(t, set(t, "geometry.collision=unreal"), w, func(in *Input) { meshes = in.Meshes.Meshes })
	want := map[int]string{0: "worldspawn", 1: "func_door_a_b", 2: "func_door_a_b_2"}
	if !maps.Equal(out.MeshNames, want) || len(meshes) != 4 {
		t.Errorf("meshes are called %v", out.MeshNames)
	}
	var names []string
	for i := range out.Meshes {
		names = append(names, out.Meshes[i].Name)
		if n := findNode(t, s, out.Meshes[i].Name); n.Body != scene.NoBody {
			t.Errorf("%s is a body of OMI_physics_body", n.Name)
		}
	}
	if got := strings.Join(names, " "); got != "UCX_worldspawn_01 UCX_worldspawn_02 UCX_func_door_a_b_01 UCX_func_door_a_b_2_01" {
		t.Error(got)
	}
}

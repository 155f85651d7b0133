package nodes

import (
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Curved surfaces that stop a player are meshes of triangles: of the world below one node, of a door below its own. What stops no player
// and what no entity shows is left out, and Unreal's solids are convex.
func TestCurvedSurfacesAsCollisionShapes(t *testing.T) {
	flat := &world.Patch{Width: 3, Height: 3}
	for i := range 9 {
		flat.Control = append(flat.Control, world.Vertex{Position: [3]float32{float32(i % 3 * 16), float32(i / 3 * 16), 0}})
	}
	w := func() *world.World {
		surfaces := []world.Surface{{Shape: flat, Record: 3}, {Shape: flat, Record: 4}}
		return &world.World{
			Models:    []world.Model{{Name: "*0", Surfaces: surfaces}, {Name: "*1", Surfaces: surfaces}, {Name: "*2", Surfaces: surfaces}},
			Materials: []world.Material{{Name: "m"}},
			Entities:  []world.Entity{entity(0, "classname", "worldspawn"), entity(1, "classname", "func_door", "origin", "32 0 0")},
			Volumes: world.Volumes{CollisionSurfaces: []world.CollisionSurface{
				{Model: 0, Surface: 0, Contents: 1, Names: "solid"}, {Model: 0, Surface: 1, Contents: 32, Names: "water"},
				{Model: 1, Surface: 1, Contents: 0x10001, Names: "solid playerclip"}, {Model: 2, Surface: 0, Contents: 1, Names: "solid"},
			}},
		}
	}
	s, out := put(t, set(t, "geometry.collision=brushes"), w())
	n, door := findNode(t, s, "face_3-colonly"), findNode(t, s, "face_4-colonly")
	if len(sheetNodes(s)) != 2 || len(out.Issues) > 0 || parentOf(t, s, n.Name) != "collision" || parentOf(t, s, door.Name) != "func_door" {
		t.Errorf("%v, %v", sheetNodes(s), out.Issues)
	}
	if n.Extras["contents"] != 1.0 || door.Extras["contents_names"] != "solid playerclip" || !n.Unseen || n.Body != scene.NoBody {
		t.Errorf("%+v %+v", n, door)
	}
	if p := s.Meshes[n.Mesh].Primitives[0]; len(p.Indices) != 6 || s.Materials[p.Material].Name != "collision" {
		t.Errorf("%d indices of %s", len(p.Indices), s.Materials[p.Material].Name)
	}
	s, _ = put(t, set(t, "geometry.collision=omi"), w())
	if n := findNode(t, s, "face_3"); n.Body != scene.SheetBody {
		t.Errorf("%+v", n)
	}
	s, _ = put(t, set(t, "geometry.collision=unreal"), w())
	if names := sheetNodes(s); len(names) > 0 {
		t.Errorf("for Unreal: %v", names)
	}
	stable := set(t, "geometry.collision=brushes", "output.names=stable")
	a, _ := put(t, stable, w())
	moved := w()
	moved.Models[0].Surfaces[0].Record = 99
	b, _ := put(t, stable, moved)
	if was, is := sheetNodes(a), sheetNodes(b); !slices.Equal(was, is) || was[0] == "face_3-colonly" {
		t.Errorf("%v, then %v", was, is)
	}
}

// sheetNodes returns the names of the nodes of sheets.
func sheetNodes(s *scene.Scene) (names []string) {
	for i := range s.Nodes {
		if strings.HasPrefix(s.Nodes[i].Name, "face_") {
			names = append(names, s.Nodes[i].Name)
		}
	}
	return names
}

package nodes

import (
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// tetrahedron is a piece whose corner is at the model's origin and whose edges along the axes are 32 units long.
var tetrahedron = world.ConvexPart{
	Positions: [][3]float32{{0, 0, 0}, {32, 0, 0}, {0, 32, 0}, {0, 0, 32}}, Indices: []uint32{0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3},
}

// solidProps has two static props of a model with two pieces, and an entity's with another one.
func solidProps() *world.World {
	one := [3]float32{1, 1, 1}
	two, other := []world.ConvexPart{tetrahedron, tetrahedron}, []world.ConvexPart{tetrahedron}
	return &world.World{
		Models: []world.Model{{Name: "*0"}, {Name: "models/a.mdl", Surfaces: shown()}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"),
			entity(world.NoModel, "classname", "prop_physics", "origin", "0 0 64")},
		Props: []world.Prop{
			{Kind: world.StaticProp, Model: "models/a.mdl", Index: 1, Entity: world.NoEntity, Origin: [3]float32{32, 0, 0}, Scale: one,
				ConvexParts: two},
			{Kind: world.StaticProp, Model: "models/a.mdl", Index: 1, Entity: world.NoEntity, Record: 1, Scale: one, ConvexParts: two},
			{Model: "models/b.mdl", Index: world.NoModel, Entity: 1, Origin: [3]float32{0, 0, 64}, Scale: one, ConvexParts: other},
		},
	}
}

// The solids of props hang on the props' nodes, whose place they have; those of a prop without a node of its own hang on one in its place.
func TestPhysicsOfProps(t *testing.T) {
	s, out := put(t, set(t, "geometry.collision=brushes"), solidProps())
	if len(out.Meshes) != 3 || len(out.Issues) > 0 {
		t.Errorf("%d meshes, %v", len(out.Meshes), out.Issues)
	}
	n, again := findNode(t, s, "prop_0_solid_1-convcolonly"), findNode(t, s, "prop_1_solid_1-convcolonly")
	if parentOf(t, s, n.Name) != "a" || parentOf(t, s, again.Name) != "a_2" || n.Mesh != again.Mesh ||
		text(n.Extras) != `{"contents":1,"contents_names":"solid"}` {
		t.Errorf("%+v, %+v", n, again)
	}
	least, most := write.Bounds(s.Meshes[n.Mesh].Primitives[0].Positions)
	if !slices.Equal(least, []float64{0, 0, -1}) || !slices.Equal(most, []float64{1, 1, 0}) ||
		len(s.Meshes[n.Mesh].Primitives[0].Indices) != 12 {
		t.Errorf("%v to %v", least, most)
	}
	if holder := findNode(t, s, parentOf(t, s, "prop_2_solid_0-convcolonly")); parentOf(t, s, holder.Name) != "collision" ||
		holder.Translation != [3]float64{0, 2, 0} {
		t.Errorf("%+v", holder)
	}
}

// Unreal's solids are those of a mesh, not of each prop that shows it.
func TestPhysicsOfPropsNamedForUnreal(t *testing.T) {
	_, out := put(t, set(t, "geometry.collision=unreal"), solidProps())
	s, _ := put(t, set(t, "geometry.collision=unreal"), solidProps())
	var names []string
	for i := range s.Nodes {
		if n := &s.Nodes[i]; strings.HasPrefix(n.Name, "UCX_") {
			names = append(names, n.Name)
		}
	}
	if got := strings.Join(names, " "); got != "UCX_a_01 UCX_a_02" || out.MeshNames[1] != "a" {
		t.Errorf("%s, %v", got, out.MeshNames)
	}
}

// Instances of a node have no nodes of their own; their solids have.
func TestPhysicsOfInstances(t *testing.T) {
	s, _ := put(t, set(t, "geometry.collision=omi", "output.instancing=gpu"), solidProps())
	n := findNode(t, s, "prop_1_solid_0")
	if at := s.Nodes[n.Parent]; n.Body != scene.ConvexBody || at.Mesh != scene.None ||
		s.Nodes[findNode(t, s, "prop_0_solid_0").Parent].Translation != [3]float64{1, 0, 0} {
		t.Errorf("%+v below %+v", n, at)
	}
}

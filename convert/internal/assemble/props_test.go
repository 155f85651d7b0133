package assemble

import (
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// propWorld has two static props of a model that was not read, one of a model that was, a grass sprite and two
// props of entities.
func propWorld() *world.World {
	one, white := [3]float32{1, 1, 1}, [4]uint8{255, 255, 255, 255}
	light := world.NewRGB(0.5, 0.25, 1)
	return &world.World{
		Unit: 1.0 / 32, Materials: []world.Material{{Name: "m"}},
		Models:   []world.Model{{Name: "*0"}, {Name: "models/read.mdl", Surfaces: []world.Surface{square(0, world.NoChart, 1)}}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"), entity(world.NoModel, "classname", "prop_physics", "origin", "0 0 64")},
		Props: []world.Prop{
			{Kind: world.StaticProp, Model: "models/a/tree.mdl", Index: world.NoModel, Entity: world.NoEntity, Origin: [3]float32{32, 0, 0},
				Angles: [3]float32{0, 90, 0}, Scale: [3]float32{2, 2, 2}, Look: world.Look{Skin: 3}, Stored: world.Stored{Solid: 6, Flags: 8}, Draw: world.PropDraw{Fade: [2]float32{320, 640}, Tint: [4]uint8{1, 2, 3, 4}}, Light: world.PropLight{Even: &light}},
			{Kind: world.StaticProp, Model: "models/a/tree.mdl", Index: world.NoModel, Entity: world.NoEntity, Record: 1, Scale: one, Draw: world.PropDraw{Tint: white}},
			{Kind: world.StaticProp, Model: "models/read.mdl", Index: 1, Entity: world.NoEntity, Record: 2, Scale: one, Draw: world.PropDraw{Tint: white}},
			{Kind: world.DetailProp, Index: world.NoModel, Entity: world.NoEntity, Scale: one, Draw: world.PropDraw{Tint: white},
				Sprite: &world.Sprite{Kind: 2, Facing: 1, Mins: [2]float32{-16, 0}, Maxs: [2]float32{16, 64}, UVMaxs: [2]float32{0.5, 1}}},
			{Model: "models/box.mdl", Index: world.NoModel, Entity: 1, Scale: one, Draw: world.PropDraw{Tint: white}},
			{Model: "models/unknown.mdl", Index: world.NoModel, Entity: 1, Scale: one, Draw: world.PropDraw{Tint: white}},
		},
	}
}

var propBoxes = map[string]models.Box{
	"models/a/tree.mdl": {Mins: [3]float32{-32, -16, 0}, Maxs: [3]float32{32, 16, 64}},
	"models/box.mdl":    {Maxs: [3]float32{32, 32, 32}},
}

func TestStaticPropsAreBoxesWhereTheModelIsNotRead(t *testing.T) {
	s, r := literalBoxes(t, set(t, "entities.details=node"), propWorld(), propBoxes)
	if r.Props != (report.Props{Total: 6, Meshes: 1, Boxes: 3, Nodes: 2}) {
		t.Errorf("%+v", r.Props)
	}
	n, second := findNode(t, s, "tree"), findNode(t, s, "tree_2")
	if parentOf(t, s, "tree") != "static_props" || n.Translation != [3]float64{1, 0, 0} || n.Scale != [3]float64{2, 2, 2} ||
		!near(rotate(n.Rotation, [3]float64{1, 0, 0}), [3]float64{0, 0, -1}) || n.Mesh != second.Mesh {
		t.Errorf("%+v, %+v", n, second)
	}
	want := map[string]any{"kind": "static", "index": 0.0, "flags": 8.0, "model": "models/a/tree.mdl", "skin": 3.0, "solid": 6.0,
		"fade_min": 10.0, "fade_max": 20.0, "tint": "1 2 3 4", "light_r": 0.5, "light_g": 0.25, "light_b": 1.0}
	if text(n.Extras) != text(want) {
		t.Errorf("%s, want %s", text(n.Extras), text(want))
	}
	p := s.Meshes[n.Mesh].Primitives[0]
	least, most := write.Bounds(p.Positions)
	if !slices.Equal(least, []float64{-1, 0, -0.5}) || !slices.Equal(most, []float64{1, 2, 0.5}) {
		t.Errorf("the box is from %v to %v", least, most)
	}
	if m := s.Materials[p.Material]; m.Name != "placeholder_prop" || m.Alpha != pbr.Blend || m.BaseColor[3] != 0.5 {
		t.Errorf("%+v", m)
	}
	if findNode(t, s, "read").Mesh == scene.None || findNode(t, s, "box_mdl").Mesh == scene.None || parentOf(t, s, "box_mdl") != "prop_physics" {
		t.Error("a mesh is missing")
	}
	grass := findNode(t, s, "sprite")
	if parentOf(t, s, "sprite") != "detail_props" || grass.Extras["sprite_top"] != 2.0 || grass.Extras["sprite_u1"] != 0.5 || grass.Extras["model"] != nil {
		t.Errorf("%+v", grass)
	}
	readGLB(t, glb(t, s))
	contentsOf, err := write.OBJ(s, "a", "")
	contents(t, contentsOf, err)
}

// Seen from outside, the corners of every side run counter-clockwise.
func TestBoxesFaceOutwards(t *testing.T) {
	ps := &props{placer: placerOf(assembly{axes: axes.Axes{Unit: 1}})}
	p := ps.boxPrimitive(models.Box{Mins: [3]float32{-1, -2, -3}, Maxs: [3]float32{1, 2, 3}})
	for i := 0; i < len(p.Indices); i += 3 {
		a, b, c := space.Vector64(p.Positions[p.Indices[i]]), space.Vector64(p.Positions[p.Indices[i+1]]), space.Vector64(p.Positions[p.Indices[i+2]])
		var u, v [3]float64
		for k := range 3 {
			u[k], v[k] = b[k]-a[k], c[k]-a[k]
		}
		n := space.Vector64(p.Normals[p.Indices[i]])
		if x := space.Cross(u, v); x[0]*n[0]+x[1]*n[1]+x[2]*n[2] <= 0 || n[0]*a[0]+n[1]*a[1]+n[2]*a[2] <= 0 {
			t.Errorf("triangle %d at %v faces %v, its normal is %v", i/3, a, x, n)
		}
	}
	if len(p.Indices) != 36 || len(p.Positions) != 24 {
		t.Errorf("%d indices of %d vertices", len(p.Indices), len(p.Positions))
	}
}

func TestOptionsOfProps(t *testing.T) {
	for _, test := range []struct {
		option string
		want   report.Props
	}{
		{"entities.props=node", report.Props{Total: 6, Nodes: 5, Dropped: 1}}, // grass without a picture is dropped
		{"entities.props=none", report.Props{Total: 6, Nodes: 2, Dropped: 4}},
		{"entities.details=node", report.Props{Total: 6, Meshes: 1, Boxes: 3, Nodes: 2}},
		{"entities.details=none", report.Props{Total: 6, Meshes: 1, Boxes: 3, Nodes: 1, Dropped: 1}},
	} {
		if _, r := literalBoxes(t, set(t, test.option), propWorld(), propBoxes); r.Props != test.want {
			t.Errorf("%s: %+v, want %+v", test.option, r.Props, test.want)
		}
	}
	// Where no file gives the size, a static prop is a box of 16 units.
	s, r := literal(t, defaults(), propWorld())
	least, most := write.Bounds(s.Meshes[findNode(t, s, "tree").Mesh].Primitives[0].Positions)
	if !slices.Equal(least, []float64{-0.25, -0.25, -0.25}) || !slices.Equal(most, []float64{0.25, 0.25, 0.25}) || r.Props.Boxes != 2 {
		t.Errorf("%v to %v, %+v", least, most, r.Props)
	}
}

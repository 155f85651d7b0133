package nodes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
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
		Models: []world.Model{{Name: "*0"}, {Name: "models/read.mdl", Surfaces: shown()}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"),
			entity(world.NoModel, "classname", "prop_physics", "origin", "0 0 64")},
		Props: []world.Prop{
			{Kind: world.StaticProp, Model: "models/a/tree.mdl", Index: world.NoModel, Entity: world.NoEntity, Origin: [3]float32{32, 0, 0},
				Angles: [3]float32{0, 90, 0}, Scale: [3]float32{2, 2, 2}, Appearance: world.Appearance{Skin: 3},
				Stored: world.Stored{Solid: 6, Flags: 8}, Draw: world.PropDraw{Fade: [2]float32{320, 640}, Tint: [4]uint8{1, 2, 3, 4}},
				Light: world.PropLight{Even: &light}},
			{Kind: world.StaticProp, Model: "models/a/tree.mdl", Index: world.NoModel, Entity: world.NoEntity, Record: 1, Scale: one,
				Draw: world.PropDraw{Tint: white}},
			{Kind: world.StaticProp, Model: "models/read.mdl", Index: 1, Entity: world.NoEntity, Record: 2, Scale: one,
				Draw: world.PropDraw{Tint: white}},
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
	s, out := put(t, set(t, "entities.details=node"), propWorld(), func(in *Input) { in.Boxes = propBoxes })
	if got := forms(out); !slices.Equal(got, []Form{AsBox, AsBox, AsMesh, AsNode, AsBox, AsNode}) {
		t.Errorf("%v", got)
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
	if findNode(t, s, "read").Mesh == scene.None || findNode(t, s, "box_mdl").Mesh == scene.None ||
		parentOf(t, s, "box_mdl") != "prop_physics" {
		t.Error("a mesh is missing")
	}
	grass := findNode(t, s, "sprite")
	if parentOf(t, s, "sprite") != "detail_props" || grass.Extras["sprite_top"] != 2.0 || grass.Extras["sprite_u1"] != 0.5 ||
		grass.Extras["model"] != nil {
		t.Errorf("%+v", grass)
	}
	for i, want := range []string{"tree", "tree_2", "read", "sprite", "box_mdl", "prop_physics"} {
		if got := s.Nodes[out.Props[i].Node].Name; got != want {
			t.Errorf("prop %d is node %s, want %s", i, got, want)
		}
	}
}

// Boxes with light carry it in their vertices, on middle grey; props of one size share everything else.
func TestBoxesCarryTheLightOfTheirProps(t *testing.T) {
	w := propWorld()
	light := make([]world.RGB, 24)
	for i := range light {
		light[i] = world.NewRGB(0.5, 0.25, 4)
	}
	w.Props[0].Light.Colors = [][]world.RGB{light}
	s, _ := put(t, pipeline.Default(), w, func(in *Input) { in.Boxes = propBoxes })
	lit, plain := s.Meshes[findNode(t, s, "tree").Mesh].Primitives[0], s.Meshes[findNode(t, s, "tree_2").Mesh].Primitives[0]
	// 4 is beyond white: all channels are divided by it. 65535/8 is 8191.9, 65535/16 4095.9.
	if len(lit.Colors) != 24 || lit.Colors[5] != [4]uint16{8192, 4096, 65535, 65535} {
		t.Errorf("%v", lit.Colors)
	}
	if m := s.Materials[lit.Material]; m.BaseColor != [4]float32{0.5, 0.5, 0.5, 0.5} || !m.Material.Draw.Unlit {
		t.Errorf("lit: %+v", m)
	}
	if m := s.Materials[plain.Material]; m.BaseColor != [4]float32{0.1, 0.1, 0.1, 0.5} || plain.Colors != nil ||
		plain.Material == lit.Material {
		t.Errorf("without light: %+v, %v", m, plain.Colors)
	}
	if &lit.Positions[0] != &plain.Positions[0] || &lit.Normals[0] != &plain.Normals[0] || &lit.Indices[0] != &plain.Indices[0] {
		t.Error("the boxes share no vertices") // the writer writes shared ones once
	}
}

// Seen from outside, the corners of every side run counter-clockwise.
func TestBoxesFaceOutwards(t *testing.T) {
	p := boxPrimitive(models.Box{Mins: [3]float32{-1, -2, -3}, Maxs: [3]float32{1, 2, 3}}, axes.Axes{Unit: 1})
	for i := 0; i < len(p.Indices); i += 3 {
		a, b, c := space.Vector64(p.Positions[p.Indices[i]]), space.Vector64(p.Positions[p.Indices[i+1]]),
			space.Vector64(p.Positions[p.Indices[i+2]])
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
	for option, want := range map[string][]Form{
		"entities.props=node":   {AsNode, AsNode, AsNode, Dropped, AsNode, AsNode}, // grass without a picture is dropped
		"entities.props=none":   {Dropped, Dropped, Dropped, Dropped, AsNode, AsNode},
		"entities.details=node": {AsBox, AsBox, AsMesh, AsNode, AsBox, AsNode},
		"entities.details=none": {AsBox, AsBox, AsMesh, Dropped, AsBox, AsNode},
	} {
		if _, out := put(t, set(t, option), propWorld(), func(in *Input) { in.Boxes = propBoxes }); !slices.Equal(forms(out), want) {
			t.Errorf("%s: %v, want %v", option, forms(out), want)
		}
	}
	// If no file gives the size, a static prop is a box of 16 units, and the prop of an entity is its entity.
	s, out := put(t, pipeline.Default(), propWorld())
	least, most := write.Bounds(s.Meshes[findNode(t, s, "tree").Mesh].Primitives[0].Positions)
	if !slices.Equal(least, []float64{-0.25, -0.25, -0.25}) || !slices.Equal(most, []float64{0.25, 0.25, 0.25}) ||
		out.Props[4].As != AsNode {
		t.Errorf("%v to %v, %v", least, most, forms(out))
	}
}

// A prop has its own angles, whether its entity has a node or not: GoldSrc turns the pitch of models around.
func TestPropsAreTurnedByTheirOwnAngles(t *testing.T) {
	w := &world.World{Models: []world.Model{{Name: "*0"}, {Name: "models/vase.mdl", Surfaces: shown()}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"),
			entity(world.NoModel, "classname", "env_model", "origin", "32 0 0", "angles", "30 90 0")},
		Props: []world.Prop{{Model: "models/vase.mdl", Index: 1, Entity: 1, Scale: [3]float32{1, 1, 1}, Origin: [3]float32{32, 0, 0},
			Angles: [3]float32{-30, 90, 0}}},
	}
	for _, option := range []string{"entities.nodes=true", "entities.nodes=false"} {
		s, out := put(t, set(t, option), w)
		at := scene.Places(s)[out.Props[0].Node]
		// The map's X is turned to Y and up by 30 degrees; the scene's Y is up, and its -Z is the map's Y.
		if !near(at.At, [3]float64{1, 0, 0}) || !near(at.X, [3]float64{0, 0.5, -math.Sqrt(0.75)}) {
			t.Errorf("%s: %+v", option, at)
		}
	}
}

// forms returns what became of the props.
func forms(out *Placed) (list []Form) {
	for _, p := range out.Props {
		list = append(list, p.As)
	}
	return list
}

func TestPropsFollowTheirEntity(t *testing.T) {
	w := &world.World{Models: []world.Model{
		{Name: "*0"}, {Name: "*1", Surfaces: shown()},
		{Name: "models/vase.md3", Surfaces: shown()},
	}}
	w.Entities = []world.Entity{
		entity(0, "classname", "worldspawn"),
		entity(world.NoModel, "classname", "misc_gamemodel", "origin", "32 0 0", "angle", "90"),
		entity(1, "classname", "func_train", "origin", "0 32 0", "angle", "90"),
		entity(world.NoModel, "classname", "gone", "origin", "0 0 32"),
	}
	for i := 1; i < 4; i++ {
		p := world.Prop{Model: "models/vase.md3", Index: 2, Entity: i, Scale: [3]float32{1, 2, 3}, Angles: w.Entities[i].Angles()}
		p.Origin, _ = w.Entities[i].Vector("origin")
		w.Props = append(w.Props, p)
	}
	s, _ := put(t, set(t, "entities.skip=[gone]"), w)
	var at []scene.Transform
	for i, place := range scene.Places(s) {
		if strings.HasPrefix(s.Nodes[i].Name, "vase") {
			at = append(at, place)
		}
	}
	if len(at) != 3 {
		t.Fatalf("%d props", len(at))
	}
	// The scales of the map's axes X, Y, Z become those of X, Z, Y.
	if !near(at[0].At, [3]float64{1, 0, 0}) || !near(at[0].X, [3]float64{0, 0, -1}) || !near(at[0].Y, [3]float64{0, 3, 0}) {
		t.Errorf("on an entity: %+v", at[0])
	}
	if !near(at[1].At, [3]float64{0, 0, -1}) || !near(at[1].X, [3]float64{1, 0, 0}) { // Quake III Arena, cg_ents.c, CG_Mover
		t.Errorf("on a mover, which is turned as the mover is: %+v", at[1])
	}
	if !near(at[2].At, [3]float64{0, 1, 0}) {
		t.Errorf("of an entity that was left out: %+v", at[2])
	}
}

// A prop that floats rests where it is when the map starts, 8 units above its mean height of 16, which are 0.75 metres, and says how it
// moves unless movements are left out.
func TestHoveringPropsSayHow(t *testing.T) {
	w := &world.World{Models: []world.Model{{Name: "*0"}, {Name: "models/gun.md3", Surfaces: shown()}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"), entity(world.NoModel, "classname", "weapon")}}
	w.Props = []world.Prop{{Model: "models/gun.md3", Index: 1, Entity: 1, Scale: [3]float32{1, 1, 1},
		Appearance: world.Appearance{Hover: &world.Hover{TurnPeriod: 2.5, Rise: 16, Bob: 8, BobPeriod: 0.5, Ahead: 1}}}}
	for motion, want := range map[string]bool{"all": true, "none": false} {
		s, out := put(t, set(t, "entities.motion="+motion), w)
		n := s.Nodes[out.Props[0].Node]
		if got := n.Translation[1]; math.Abs(got-0.75) > 1e-6 {
			t.Errorf("it is at %g", got)
		}
		have, _ := n.Extras["hover"].([]float32)
		if wanted := []float32{2.5, 0.25, 0.5, 1}; slices.Equal(have, wanted) != want || (n.Hover != nil) != want {
			t.Errorf("%s: %v, %+v", motion, have, n.Hover)
		}
	}
}

// A prop that hovers does not follow its entity's angles. One that turns about its middle has a node below the one that turns: 16 units
// are half a metre.
func TestHoveringProps(t *testing.T) {
	w := &world.World{
		Models: []world.Model{{Name: "*0"}, {Name: "models/gun.md3", Surfaces: shown(), Maxs: [3]float32{32, 0, 16}}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"),
			entity(world.NoModel, "classname", "weapon", "origin", "32 0 0", "angles", "90 90 0"),
			entity(world.NoModel, "classname", "gone", "origin", "0 0 32")},
	}
	for i, h := range []world.Hover{{TurnPeriod: 1, Rise: 16, Centered: true}, {TurnPeriod: 1, Rise: 16}, {TurnPeriod: 1, Rise: 16}} {
		w.Props = append(w.Props, world.Prop{Model: "models/gun.md3", Index: 1, Entity: 1 + i/2, Scale: [3]float32{2, 2, 2},
			Origin: [3]float32{0, 0, float32(32 * (i / 2))}, Appearance: world.Appearance{Hover: &h}})
	}
	s, out := put(t, set(t, "entities.skip=[gone]"), w)
	places := scene.Places(s)
	for i, want := range []struct {
		at    [3]float64
		apart bool
	}{{[3]float64{0.5, 0.25, 0}, true}, {[3]float64{1, 0.5, 0}, false}, {[3]float64{0, 1.5, 0}, false}} {
		p := out.Props[i]
		at := places[p.Node]
		if !near(at.At, want.at) || !near(at.X, [3]float64{2, 0, 0}) || !near(at.Y, [3]float64{0, 2, 0}) {
			t.Errorf("prop %d: %+v, want at %v", i, at, want.at)
		}
		if s.Nodes[p.Node].Mesh != 1 || (p.Hovers != p.Node) != want.apart || want.apart && s.Nodes[p.Node].Parent != p.Hovers {
			t.Errorf("prop %d: %+v", i, p)
		}
	}
}

// Props of one mesh are consecutive nodes, after all others. Nodes below an entity, of named entities and with other light are not.
func TestPropsOfOneMeshAreInstances(t *testing.T) {
	w := &world.World{Models: []world.Model{{}, {Name: "models/x.mdl", Surfaces: shown()}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"),
			entity(world.NoModel, "classname", "prop_dynamic"), entity(world.NoModel, "classname", "prop_dynamic", "targetname", "n")}}
	for i := range 4 {
		w.Props = append(w.Props, world.Prop{Kind: world.StaticProp, Model: "models/x.mdl", Index: 1, Entity: world.NoEntity, Record: i})
	}
	for i := range 2 {
		w.Props = append(w.Props, world.Prop{Model: "models/x.mdl", Index: 1, Entity: i + 1})
	}
	w.Lights = []world.Light{{Entity: world.NoEntity, Intensity: 1}}
	s, out := put(t, set(t, "output.instancing=gpu", "entities.nodes=false"), w, func(in *Input) {
		in.Meshes.Meshes, in.Meshes.Props[2] = make([]scene.Mesh, 3), 2
	})
	var got []string
	for _, n := range s.Nodes {
		got = append(got, fmt.Sprintf("%s:%d", n.Name, n.Instances))
	}
	want := "unnamed:0 worldspawn:0 static_props:0 x_mdl:0 x_4:0 x_mdl_2:0 light_0:0 x:3 x_2:-1 x_3:-1"
	if strings.Join(got, " ") != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	for i, want := range []string{"x", "x_2", "x_4", "x_3", "x_mdl_2", "x_mdl"} {
		if name := s.Nodes[out.Props[i].Node].Name; name != want {
			t.Errorf("prop %d is %s, want %s", i, name, want)
		}
	}
}

// A coarser level of detail has no parent. The node that it may replace refers to it.
func TestLevelsOfDetail(t *testing.T) {
	w := &world.World{Models: []world.Model{{}, {Surfaces: shown()}, {Surfaces: shown()}}, Props: []world.Prop{
		{Kind: world.StaticProp, Model: "a.mdl", Index: 1, Entity: world.NoEntity},
		{Kind: world.StaticProp, Model: "a.mdl", Index: 2, Level: 1},
		{Kind: world.StaticProp, Model: "b.mdl", Index: world.NoModel, Entity: world.NoEntity},
		{Kind: world.StaticProp, Model: "b.mdl", Index: 2, Level: 1},
	}}
	s, out := put(t, set(t, "entities.props=node"), w)
	if _, out := put(t, pipeline.Default(), w); out.Props[1].Node == scene.None {
		t.Error("there is no level")
	}
	if out.Props[1].Node != scene.None || len(s.Nodes) != 4 {
		t.Errorf("%+v", out.Props) // nodes without a mesh have no levels
	}
	s, out = put(t, pipeline.Default(), w)
	a, lod := s.Nodes[out.Props[0].Node], s.Nodes[out.Props[1].Node]
	if lod.Name != "a_lod1" || lod.Parent != scene.None || lod.Mesh != 2 || !slices.Equal(a.Levels, []int{out.Props[1].Node}) {
		t.Errorf("%+v, %+v", a, lod)
	}
}

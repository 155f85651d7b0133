package assemble

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// parentOf is the name of a node's parent.
func parentOf(t *testing.T, s *scene.Scene, name string) string {
	t.Helper()
	return s.Nodes[findNode(t, s, name).Parent].Name
}

func TestEntitiesHangOnTheirParents(t *testing.T) {
	s, r := entityScene(t, defaults(),
		entity(world.NoModel, "classname", "child", "origin", "32 64 0", "angles", "0 90 0", "parentname", "Train,muzzle"),
		entity(world.NoModel, "classname", "grandchild", "origin", "32 64 32", "parentname", "kid"),
		entity(world.NoModel, "classname", "train", "targetname", "train", "origin", "32 0 0", "angles", "0 90 0"),
		entity(world.NoModel, "classname", "train", "targetname", "train", "origin", "999 0 0"),
		entity(world.NoModel, "classname", "second", "targetname", "kid", "origin", "0 0 0", "parentname", "train"),
		entity(world.NoModel, "classname", "orphan", "origin", "32 0 0", "parentname", "nobody"))
	for child, want := range map[string]string{
		"child": "train_train", "second_kid": "train_train", "grandchild": "second_kid", "orphan": "test", "train_train": "test",
	} {
		if got := parentOf(t, s, child); got != want {
			t.Errorf("%s hangs on %s, want %s", child, got, want)
		}
	}
	// The child is 64 units (2 m) north of the train, which faces north: in the train's local axes that is +X.
	n := findNode(t, s, "child")
	if !near(n.Translation, [3]float64{2, 0, 0}) || math.Abs(math.Abs(n.Rotation[3])-1) > 1e-9 {
		t.Errorf("%+v", n)
	}
	// World positions do not depend on the parents.
	places := scene.Places(s)
	for i, n := range s.Nodes {
		if n.Parent >= i {
			t.Errorf("%s comes before its parent", n.Name)
		}
		if n.Name == "grandchild" && (!near(places[i].At, [3]float64{1, 1, -2}) || !near(places[i].X, [3]float64{1, 0, 0})) {
			t.Errorf("the grandchild is at %+v", places[i])
		}
	}
	if findNode(t, s, "orphan").Extras["parentname"] != "nobody" || r.Entities.Nodes != 7 {
		t.Errorf("%+v", r.Entities)
	}
}

// A door that starts open is open in the scene, with its children. The map places the children on the closed door.
func TestWhatHangsOnADoorMovesWithIt(t *testing.T) {
	door := entity(world.NoModel, "classname", "door", "targetname", "d", "origin", "32 0 0")
	door.Start = &world.Place{Origin: [3]float32{64, 0, 0}, Angles: [3]float32{0, 90, 0}}
	s, _ := entityScene(t, defaults(), door, entity(world.NoModel, "classname", "handle", "origin", "64 0 0", "parentname", "d"))
	// The door is 2 m east and turned to the north; the handle is 1 m in front of it.
	if n := findNode(t, s, "door_d"); !near(n.Translation, [3]float64{2, 0, 0}) || !near([3]float64(n.Rotation[:3]), [3]float64{0, math.Sqrt(0.5), 0}) {
		t.Errorf("the door is at %+v", n)
	}
	if n := findNode(t, s, "handle"); !near(n.Translation, [3]float64{1, 0, 0}) || n.Rotation != [4]float64{0, 0, 0, 1} {
		t.Errorf("the handle is at %+v", n)
	}
}

func TestParentsInACircleAreNone(t *testing.T) {
	named := func(name, parent string) world.Entity {
		return entity(world.NoModel, "classname", "e", "targetname", name, "parentname", parent)
	}
	s, _ := entityScene(t, defaults(), named("tail", "a"), named("a", "b"), named("b", "c"), named("c", "a"), named("self", "self"), named("end", "tail"))
	for child, want := range map[string]string{"e_a": "test", "e_b": "test", "e_c": "test", "e_self": "test", "e_tail": "e_a", "e_end": "e_tail"} {
		if got := parentOf(t, s, child); got != want {
			t.Errorf("%s hangs on %s, want %s", child, got, want)
		}
	}
}

// The time for a chain of parents is not quadratic in its length, and a chain that is too deep is cut.
func TestLongChainsOfParents(t *testing.T) {
	var list []world.Entity
	for i := range 20_000 {
		list = append(list, entity(world.NoModel, "classname", "e", "targetname", fmt.Sprint("n", i), "parentname", fmt.Sprint("n", i+1), "origin", fmt.Sprint(i, " 0 0")))
	}
	s, _ := entityScene(t, defaults(), list...)
	depth, deep := make([]int, len(s.Nodes)), 0
	for i := range s.Nodes {
		if p := s.Nodes[i].Parent; p != scene.None {
			depth[i] = depth[p] + 1
		}
		deep = max(deep, depth[i])
	}
	if deep != deepest {
		t.Errorf("%d deep, want %d", deep, deepest)
	}
}

func TestParentsThatAreLeftOut(t *testing.T) {
	s, _ := entityScene(t, set(t, "entities.skip=[gone]"),
		entity(world.NoModel, "classname", "gone", "targetname", "a", "origin", "32 0 0"),
		entity(world.NoModel, "classname", "child", "parentname", "a", "origin", "64 0 0"))
	if n := findNode(t, s, "child"); n.Parent != 0 || n.Translation != [3]float64{2, 0, 0} {
		t.Errorf("%+v", n)
	}
}

func TestBrushModelsTurnWhereTheGameTurnsThem(t *testing.T) {
	w := &world.World{Unit: 1.0 / 32, Turns: true, Materials: []world.Material{{Name: "m"}}, Models: []world.Model{
		{Name: "*0"}, {Name: "*1", Surfaces: []world.Surface{square(0, world.NoChart, 1)}},
	}}
	w.Entities = []world.Entity{entity(0, "classname", "worldspawn", "angles", "0 90 0"), entity(1, "classname", "func_brush", "angles", "0 90 0", "origin", "0 0 32")}
	s, _ := literal(t, defaults(), w)
	if n := findNode(t, s, "func_brush"); !near(rotate(n.Rotation, [3]float64{1, 0, 0}), [3]float64{0, 0, -1}) || n.Translation != [3]float64{0, 1, 0} {
		t.Errorf("%+v", n)
	}
	if n := findNode(t, s, "worldspawn"); n.Rotation != [4]float64{0, 0, 0, 1} {
		t.Errorf("the world is turned: %+v", n)
	}
}

func TestOutputsAreListedInOrder(t *testing.T) {
	for _, test := range []struct {
		name  string
		pairs []string
		want  any
	}{
		{"none", []string{"origin", "1 2 3"}, nil},
		{"in file order, escapes as commas", []string{"OnOpen", "b,Trigger,,0,-1", "x", "y", "OnOpen", "a\x1bKill\x1bp,q\x1b0.5\x1b1"},
			`[["OnOpen","b,Trigger,,0,-1"],["OnOpen","a,Kill,p,q,0.5,1"]]`},
		{"no delay", []string{"OnUser1", "!self,Fire<&>,,,-1"}, `[["OnUser1","!self,Fire<&>,,,-1"]]`},
		{"numbers are none", []string{"list", "1,2,3,4,5"}, nil},
		{"prose is none", []string{"message", "one, two, three, four, five"}, nil},
		{"no target", []string{"k", ",Input,,0,-1"}, nil},
		{"no input", []string{"k", "a,,,0,-1"}, nil},
		{"six fields", []string{"k", "a,b,c,d,0,-1"}, nil},
	} {
		e := entity(world.NoModel, test.pairs...)
		if got := keyValues(&e)["_outputs"]; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	e := entity(world.NoModel, "_outputs", "mine", "OnOpen", "b,Trigger,,0,-1")
	if got := keyValues(&e); got["_outputs"] != "mine" || got["_outputs_2"] != `[["OnOpen","b,Trigger,,0,-1"]]` || got["OnOpen"] != "b,Trigger,,0,-1" {
		t.Errorf("%v", got)
	}
}

// For any parents, no node is its own ancestor, parents come before children and each entity occurs once.
func TestParentsComeFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world.World{}
		a := placerOf(assembly{w: w})
		a.targets = map[string]int{}
		n := rapid.IntRange(1, 200).Draw(t, "entities")
		name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"})
		for i := range n {
			e := entity(world.NoModel, "targetname", fmt.Sprint(name.Draw(t, "name"), i/8), "parentname", fmt.Sprint(name.Draw(t, "parent"), rapid.IntRange(0, n/8).Draw(t, "of")))
			w.Entities = append(w.Entities, e)
			if _, taken := a.targets[e.Value("targetname")]; !taken {
				a.targets[e.Value("targetname")] = i
			}
		}
		parents := a.parents()
		depth := map[int]int{world.NoEntity: 0}
		for _, i := range parentsFirst(parents) {
			if _, twice := depth[i]; twice {
				t.Fatalf("entity %d comes twice", i)
			}
			up, ok := depth[parents[i]]
			if !ok || up+1 > deepest {
				t.Fatalf("entity %d hangs on %d, which is %d deep", i, parents[i], up)
			}
			depth[i] = up + 1
		}
		if len(depth) != n+1 || parents[0] != world.NoEntity {
			t.Fatalf("%d of %d entities", len(depth)-1, n)
		}
	})
}

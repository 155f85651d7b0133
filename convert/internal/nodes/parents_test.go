package nodes

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestEntitiesHangOnTheirParents(t *testing.T) {
	s, _ := putEntities(t, pipeline.Default(),
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
	if findNode(t, s, "orphan").Extras["parentname"] != "nobody" {
		t.Errorf("%+v", findNode(t, s, "orphan"))
	}
}

// A door that starts open is open in the scene, with its children. The map places the children on the closed door.
func TestWhatHangsOnADoorMovesWithIt(t *testing.T) {
	door := entity(world.NoModel, "classname", "door", "targetname", "d", "origin", "32 0 0")
	door.Start = &world.Place{Origin: [3]float32{64, 0, 0}, Angles: [3]float32{0, 90, 0}}
	s, _ := putEntities(t, pipeline.Default(), door, entity(world.NoModel, "classname", "handle", "origin", "64 0 0", "parentname", "d"))
	// The door is 2 m east and turned to the north; the handle is 1 m in front of it.
	if n := findNode(t, s, "door_d"); !near(n.Translation, [3]float64{2, 0, 0}) ||
		!near([3]float64(n.Rotation[:3]), [3]float64{0, math.Sqrt(0.5), 0}) {
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
	s, _ := putEntities(t, pipeline.Default(), named("tail", "a"), named("a", "b"), named("b", "c"), named("c", "a"), named("self", "self"),
		named("end", "tail"))
	for child, want := range map[string]string{"e_a": "test", "e_b": "test", "e_c": "test", "e_self": "test", "e_tail": "e_a",
		"e_end": "e_tail"} {
		if got := parentOf(t, s, child); got != want {
			t.Errorf("%s hangs on %s, want %s", child, got, want)
		}
	}
}

// The time for a chain of parents is not quadratic in its length, and a chain that is too deep is cut.
func TestLongChainsOfParents(t *testing.T) {
	parents := make([]int, 20_000)
	for i := range parents {
		parents[i] = i + 1
	}
	parents[len(parents)-1] = world.NoEntity
	unlinkCircles(parents)
	depth, deep := map[int]int{world.NoEntity: 0}, 0
	for _, i := range parentsFirst(parents) {
		depth[i] = depth[parents[i]] + 1
		deep = max(deep, depth[i])
	}
	if deep != deepest || len(depth) != len(parents)+1 {
		t.Errorf("%d deep, want %d", deep, deepest)
	}
}

func TestParentsThatAreLeftOut(t *testing.T) {
	s, _ := putEntities(t, set(t, "entities.skip=[gone]"),
		entity(world.NoModel, "classname", "gone", "targetname", "a", "origin", "32 0 0"),
		entity(world.NoModel, "classname", "child", "parentname", "a", "origin", "64 0 0"))
	if n := findNode(t, s, "child"); n.Parent != 0 || n.Translation != [3]float64{2, 0, 0} {
		t.Errorf("%+v", n)
	}
}

// For any parents, no node is its own ancestor, parents come before children and each entity occurs once.
func TestParentsComeFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var entities []world.Entity
		n := rapid.IntRange(1, 200).Draw(t, "entities")
		name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"})
		for i := range n {
			e := entity(world.NoModel, "targetname", fmt.Sprint(name.Draw(t, "name"), i/8), "parentname",
				fmt.Sprint(name.Draw(t, "parent"), rapid.IntRange(0, n/8).Draw(t, "of")))
			entities = append(entities, e)
		}
		parents := parentsOf(entities, targetsOf(entities))
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

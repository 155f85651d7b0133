package nodes

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestExtrasAreFlatAndKeepRepeatedKeys(t *testing.T) {
	e := entity(world.NoModel, "classname", "thing", "a", "1", "a", "2", "A", "3", "a_2", "4", "a", "5", "", "6")
	got := keyValues(&e)
	want := map[string]any{"classname": "thing", "a": "1", "a_2": "2", "A": "3", "a_2_2": "4", "a_3": "5", "": "6"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	many := world.Entity{}
	for range 100_000 { // in no time that grows with the square
		many.Pairs = append(many.Pairs, world.Pair{Key: "a"}, world.Pair{Key: "a_7"})
	}
	if n := len(keyValues(&many)); n != 200_000 {
		t.Errorf("%d keys are left", n)
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
	if got := keyValues(&e); got["_outputs"] != "mine" || got["_outputs_2"] != `[["OnOpen","b,Trigger,,0,-1"]]` ||
		got["OnOpen"] != "b,Trigger,,0,-1" {
		t.Errorf("%v", got)
	}
}

package movers

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// What the game moves and we do not is said once for each class.
func TestStillMoversAreIssues(t *testing.T) {
	w := &world.World{Entities: []world.Entity{entity("Func_Conveyor"), entity("func_elevator"), entity("func_conveyor"),
		entity("func_door")}}
	issues := &world.Issues{Most: 9}
	ReportUnsupported(w, classes.Source, issues)
	want := []world.Issue{
		{Code: "mover-still", Where: "func_conveyor", Detail: "the game moves 2 of them, but they stand still here"},
		{Code: "mover-still", Where: "func_elevator", Detail: "the game moves 1 of them, but they stand still here"},
	}
	if got := issues.List(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

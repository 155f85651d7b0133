package classes

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// What the game knows has a number, a platform two; what it removes or does not know has none.
func TestEntitiesHaveNumbers(t *testing.T) {
	for _, c := range []struct {
		e    *world.Entity
		want int
	}{
		{entity("info_player_deathmatch"), 1},
		{entity("item_quad"), 1},
		{entity("light"), 0},
		{entity("misc_model"), 0},
		{entity("func_group"), 0},
		{entity("path_corner"), 0},
		{entity("path_corner", "targetname", "a"), 1},
		{entity("func_train"), 0},
		{entity("func_train", "target", "a"), 1},
		{entity("func_plat"), 2},
		{entity("func_plat", "targetname", "a"), 1},
		{entity("team_redobelisk"), 0},
		{entity("FUNC_DOOR"), 0}, // names are compared with their case
		{entity("of_another_game"), 0},
	} {
		if got := numbers(c.e); got != c.want {
			t.Errorf("%v: %d, want %d", c.e.Pairs, got, c.want)
		}
	}
}

// Number 100 floats by cos((t + 1) * 6): its beat is 2π / 6 seconds, and at 0 it is at 4 * cos 6 = 3.84 units.
func TestItemsFloatByTheirNumbers(t *testing.T) {
	h := paced(turns, 100)
	if math.Abs(float64(h.BobPeriod)-1.0471976) > 1e-6 || math.Abs(h.Height(0)-3.8406811) > 1e-5 || h.TurnPeriod != turns.TurnPeriod {
		t.Errorf("%+v, at first %g", h, h.Height(0))
	}
	if turns.BobPeriod != 0 || paced(turnFlat, 100) != turnFlat || paced(nil, 100) != nil {
		t.Error("what does not float has a pace")
	}
}

package movers

import (
	"fmt"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Doors of Quake that touch move together, also over one between them; elsewhere a key or a name says it.
func TestTeams(t *testing.T) {
	// Boxes of 8 units at 0, 9 (which is near enough: both grow by one), 18 and 40.
	models := []world.Model{{}}
	for _, x := range []float32{0, 9, 18, 40} {
		models = append(models, world.Model{Mins: [3]float32{x, 0, 0}, Maxs: [3]float32{x + 8, 64, 96}})
	}
	for _, c := range []struct {
		family classes.Family
		keys   [4][]string
		want   string
	}{
		{classes.Quake, [4][]string{}, "[0 1 2] [0 1 2] [0 1 2] []"},
		{classes.Quake, [4][]string{1: {"spawnflags", "4"}}, "[] [] [] []"}, // the others are 10 units apart
		{classes.Quake3, [4][]string{0: {"team", "a"}, 3: {"team", "a"}}, "[0 3] [] [] [0 3]"},
		{classes.GoldSrc, [4][]string{1: {"targetname", "a"}, 2: {"targetname", "A"}}, "[] [1 2] [1 2] []"},
		{classes.Source, [4][]string{}, "[] [] [] []"},
	} {
		w := &world.World{Models: models}
		for i, keys := range c.keys {
			e := entity("func_door", keys...)
			e.Model = i + 1
			w.Entities = append(w.Entities, e)
		}
		if err := Set(w, c.family, limit.NewBudget(limit.Limits{})); err != nil {
			t.Fatal(err)
		}
		var got [4][]int
		for i := range w.Entities {
			got[i] = w.Entities[i].Motion.Team
		}
		if text := fmt.Sprint(got); text != "["+c.want+"]" {
			t.Errorf("family %#x, %q: %s, want %s", c.family, c.keys, text, c.want)
		}
	}
}

// The first of a team of Quake III says when all return.
func TestTeamsReturnAsOne(t *testing.T) {
	door := func(pairs ...string) world.Entity {
		e := entity("func_door", append(pairs, "team", "a")...)
		e.Model = 1
		return e
	}
	for _, c := range []struct {
		first, other []string
		want         string
	}{
		{[]string{"wait", "3"}, nil, "cycle 0:0 0.145:58 3.15:58 3.295:0"},
		{[]string{"wait", "-1"}, nil, "open 0:0 0.145:58; close 0:58 0.145:0"},
		{nil, []string{"wait", "-1"}, "cycle 0:0 0.145:58 2.15:58 2.295:0"},
		{[]string{"wait", "0.5"}, []string{"speed", "50"}, "cycle 0:0 1.16:58 2.32:0"}, // it has not arrived when the first returns
	} {
		got := set(t, classes.Quake3, door(c.first...), door(c.other...))
		if text := told(&got[1]); text != c.want {
			t.Errorf("%q, %q: %s, want %s", c.first, c.other, text, c.want)
		}
	}
	alone := set(t, classes.Quake2, door("wait", "9", "speed", "58"), door("speed", "58"))
	if text := told(&alone[1]); text != "cycle 0:0 1:58 4:58 5:0" {
		t.Errorf("Quake II's return by themselves, but the second does %s", text)
	}
}

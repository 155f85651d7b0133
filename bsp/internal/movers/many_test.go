package movers

import (
	"fmt"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Twice as many movers on a path of twice the length have about twice as many keys, not four times: the path is the same for all.
func TestManyMoversOnOnePath(t *testing.T) {
	for _, c := range []struct {
		name, mover, corner, next string
		family                    classes.Family
		n                         int
	}{
		{"trains", "func_train", "path_corner", "target", classes.Quake3, 200},
		{"trains", "func_train", "path_corner", "target", classes.GoldSrc, 200},
		{"track trains", "func_tracktrain", "path_track", "target", classes.Source, 60},
		{"splines", "move_keyframed", "keyframe_track", "NextKey", classes.Source, 200},
		{"followers", "func_vectormamamam", "path_corner", "target", classes.DarkPlaces, 200},
	} {
		keys := func(n int) (keys int) {
			w := &world.World{Models: []world.Model{{}, {Maxs: [3]float32{64, 8, 96}}}}
			for i := range n {
				corner := entity(c.corner, "targetname", fmt.Sprint("c", i), c.next, fmt.Sprint("c", (i+1)%n),
					"origin", fmt.Sprint(i%7*90, i/7%11*90, i%3*40), "MoveSpeed", "100")
				w.Entities = append(w.Entities, corner)
			}
			if c.name == "followers" {
				train := entity("func_train", "target", "c0", "targetname", "train")
				train.Model = 1
				w.Entities = append(w.Entities, train)
			}
			for i := range n {
				to := fmt.Sprint("c", i)
				if c.name == "followers" {
					to = "train"
				}
				e := entity(c.mover, c.next, to, "speed", "200", "MoveSpeed", "200", "PositionInterpolator", "1", "origin", "5 5 5")
				if e.Model = 1; c.name == "splines" {
					e.Model = world.NoModel
				}
				w.Entities = append(w.Entities, e)
			}
			if err := Set(w, c.family, limit.NewBudget(limit.Limits{})); err != nil {
				t.Fatal(err)
			}
			for i := range w.Entities {
				if m := w.Entities[i].Motion; m != nil {
					for k := range m.Movements {
						keys += len(m.Movements[k].Keys)
					}
				}
			}
			return keys
		}
		some, twice := keys(c.n), keys(2*c.n)
		if some < 1000 || float64(twice) > 2.3*float64(some) {
			t.Errorf("%s: %d keys of %d, %d of %d", c.name, some, c.n, twice, 2*c.n)
		}
	}
}

// Keys are left out in one pass: what was left out between two keys is not looked at again. A key stays where the line between its
// neighbours is not near enough.
func TestReduceKeys(t *testing.T) {
	way := newKeyframes(pose{})
	for i := range 100 {
		way.move(pose{at: [3]float64{float64(i + 1), 0.05 * float64(i%2), 0}}, 1) // straight, but for what is near enough
	}
	way.move(pose{at: [3]float64{100, 50, 0}, angles: [3]float64{0, 90, 0}}, 1)
	got := reduceKeys(way.keys)
	if len(got) != 3 || got[1].Time != 100 || got[2].Time != 101 {
		t.Errorf("%v", got)
	}
}

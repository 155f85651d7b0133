package movers

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Whatever the keys say, a movement has at least two keys, at times that do not fall, in places that the world can hold, and the rest of
// the
// entity is in such a place.
func TestAnyKeysMakeActs(t *testing.T) {
	list := slices.Sorted(maps.Keys(families()))
	value := rapid.SampledFrom([]string{"", "0", "1", "-1", "2", "16", "64", "1e30", "-1e30", "1e-30", "nan", "inf", "0.1 0 0", "1 0 0 0 1",
		"100 100 100",
		"100 100 100.001", "x", "y", "z"})
	key := rapid.SampledFrom([]string{"speed", "wait", "lip", "height", "distance", "angle", "angles", "origin", "spawnflags", "target",
		"targetname",
		"altpath", "rotation", "phase", "startposition", "movedistance", "wheels", "startspeed", "bank", "spawnpos", "accel", "maxspeed",
		"spawnorigin", "returndelay", "NextKey", "MoveSpeed", "PositionInterpolator", "netname", "target2", "targetnormal", "closespeed",
		"rotate", "duration", "linear"})
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(list).Draw(t, "family")
		names := []string{"path_corner", "path_track", "keyframe_track"}
		for _, r := range families()[f].rows {
			names = append(names, strings.Fields(r.classes)...)
		}
		w := &world.World{Models: []world.Model{{}, {Mins: [3]float32{-1, 2, 3}, Maxs: [3]float32{1 << 20, 5, 6}}}}
		for range rapid.IntRange(1, 6).Draw(t, "entities") {
			e := entity(rapid.SampledFrom(names).Draw(t, "class"))
			e.Model = rapid.SampledFrom([]int{world.NoModel, 1}).Draw(t, "model")
			for range rapid.IntRange(0, 8).Draw(t, "pairs") {
				e.Pairs = append(e.Pairs, world.Pair{Key: key.Draw(t, "key"), Value: value.Draw(t, "value")})
			}
			w.Entities = append(w.Entities, e)
		}
		if err := Set(w, f, limit.NewBudget(limit.Limits{})); err != nil {
			t.Fatal(err)
		}
		for i := range w.Entities {
			e := &w.Entities[i]
			if e.Start != nil && !e.Start.Finite() {
				t.Fatalf("%v starts at %v", e.Pairs, e.Start)
			}
			if e.Motion == nil {
				continue
			}
			for _, a := range e.Motion.Movements {
				if len(a.Keys) < 2 || a.Keys[0].Time != 0 || a.Name == "" {
					t.Fatalf("%v: %+v", e.Pairs, a)
				}
				for k := range a.Keys[1:] {
					if a.Keys[k+1].Time < a.Keys[k].Time || !a.Keys[k+1].Place.Finite() {
						t.Fatalf("%v: %+v", e.Pairs, a.Keys[k:k+2])
					}
				}
			}
		}
	})
}

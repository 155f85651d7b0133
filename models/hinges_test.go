package models

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// A door whose model lies to the right of its hinge has the hinge on the left, and opens to the other side. Seen along +X, the right is -Y.
func TestHingesOfDoors(t *testing.T) {
	yaw := func(seconds float64, degrees float32) world.Key {
		return world.Key{Time: seconds, Place: world.Place{Angles: [3]float32{0, degrees, 0}}}
	}
	for _, test := range []struct {
		name       string
		mins, maxs [3]float32
		angles     [3]float32
		closed     float32
		movements  []world.Movement
		want       string
	}{
		{"to the left", [3]float32{-2, 0, 0}, [3]float32{2, 48, 96}, [3]float32{}, 0,
			[]world.Movement{{Name: "open", Keys: []world.Key{yaw(0, 0), yaw(1, -90)}}}, "open 0 -90"},
		{"to the right", [3]float32{-2, -48, 0}, [3]float32{2, 0, 96}, [3]float32{}, 0,
			[]world.Movement{{Name: "open", Keys: []world.Key{yaw(0, 0), yaw(1, -90)}}}, "open 0 90"},
		{"to the right, turned", [3]float32{-2, -48, 0}, [3]float32{2, 0, 96}, [3]float32{0, 180, 0}, 180,
			[]world.Movement{{Name: "open", Keys: []world.Key{yaw(0, 180), yaw(1, 90)}}}, "open 180 270"},
		{"open at the start", [3]float32{-2, -48, 0}, [3]float32{2, 0, 96}, [3]float32{0, -90, 0}, 0,
			[]world.Movement{{Name: "close", Keys: []world.Key{yaw(0, -90), yaw(1, 0)}}, {Name: "open", Keys: []world.Key{yaw(0, 0), yaw(1, -90)}}},
			"close -90 0 open 0 90 close 90 0"},
	} {
		w := &world.World{
			Models:   []world.Model{{}, {Mins: test.mins, Maxs: test.maxs}},
			Entities: []world.Entity{{Motion: &world.Motion{Movements: test.movements, Hinge: &world.Hinge{Closed: test.closed}}}},
			Props:    []world.Prop{{Index: 1, Kind: world.EntityProp, Angles: test.angles}},
		}
		turnHinges(w)
		var got []string
		for _, m := range w.Entities[0].Motion.Movements {
			got = append(got, m.Name)
			for _, k := range m.Keys {
				got = append(got, fmt.Sprint(k.Place.Angles[1]))
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

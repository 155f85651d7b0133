package valve

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

func entityOf(pairs ...string) world.Entity {
	e := world.Entity{}
	for i := 0; i < len(pairs); i += 2 {
		e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	return e
}

func TestRangeFog(t *testing.T) {
	on := []string{"fogenable", "1", "fogcolor", "255 0 128", "fogstart", "100", "fogend", "500"}
	// decode(128/255) is ((0.50196 + 0.055)/1.055)^2.4 = 0.21586.
	plain := world.RangeFog{Start: 100, End: 500, Most: 1, Color: [3]float32{1, 0, 0.21586}}
	half, radial := plain, plain
	half.Most, radial.Radial = 0.5, true
	blended := func(second world.SecondFog) *world.RangeFog {
		f := plain
		f.Second = &second
		return &f
	}
	for _, c := range []struct {
		what string
		keys []string
		want *world.RangeFog
	}{
		{"plain", on, &plain},
		{"a density", append(on, "fogmaxdensity", "0.5"), &half},
		{"a density above 1", append(on, "fogmaxdensity", "3"), &plain},
		{"no density", append(on, "fogmaxdensity", "0"), nil},
		{"radial", append(on, "fogradial", "1"), &radial},
		{"a second colour", append(on, "fogblend", "1", "fogcolor2", "0 255 0", "fogdir", "0 -3 4"),
			blended(world.SecondFog{Color: [3]float32{0, 1, 0}, Direction: [3]float32{0, -0.6, 0.8}})},
		{"a second colour by its own angles, the reverse of up", append(on, "fogblend", "1", "fogcolor2", "255 255 255", "fogdir", "1 0 0",
			"use_angles", "1", "angles", "-90 0 0"), blended(world.SecondFog{Color: [3]float32{1, 1, 1}, Direction: [3]float32{0, 0, -1}})},
		{"a second colour without keys", append(on, "fogblend", "1"), blended(world.SecondFog{})},
		{"a second colour that is not asked for", append(on, "fogblend", "0", "fogcolor2", "0 255 0", "fogdir", "0 0 1"), &plain},
		{"off", on[2:], nil},
		{"without a colour", append([]string{"fogenable", "1"}, on[4:]...), nil},
		{"inside out", []string{"fogenable", "1", "fogcolor", "1 1 1", "fogstart", "5", "fogend", "5"}, nil},
		{"not a number", []string{"fogenable", "1", "fogcolor", "1 1 1", "fogstart", "5", "fogend", "nan"}, nil},
		{"far", []string{"fogenable", "1", "fogcolor", "1 1 1", "fogstart", "5", "fogend", "1e38"}, nil},
	} {
		e := entityOf(c.keys...)
		got := RangeFog(&e)
		if got != nil && c.want != nil && math.Abs(float64(got.Color[2]-c.want.Color[2])) < 1e-4 {
			got.Color[2] = c.want.Color[2]
		}
		if got != nil && got.Second != nil {
			for k, v := range got.Second.Direction { // cos 90° is 6e-17
				got.Second.Direction[k] = float32(math.Round(float64(v)*1e6) / 1e6)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

// The last master counts, else the first fog, whether it is on or not.
func TestMasterFog(t *testing.T) {
	fog := func(end string, more ...string) world.Entity {
		return entityOf(append([]string{"classname", "env_fog_controller", "fogenable", "1", "fogcolor", "1 1 1", "fogend", end}, more...)...)
	}
	off := entityOf("classname", "Env_Fog_Controller")
	for _, c := range []struct {
		what string
		list []world.Entity
		want float32 // its end, or 0 for no fog
	}{
		{"none", []world.Entity{entityOf("classname", "worldspawn")}, 0},
		{"the first", []world.Entity{fog("10"), fog("20")}, 10},
		{"the first is off", []world.Entity{off, fog("20")}, 0},
		{"the last master", []world.Entity{fog("10", "spawnflags", "1"), fog("20", "spawnflags", "3"), fog("30")}, 20},
	} {
		got := MasterFog(c.list)
		if c.want == 0 && got != nil || c.want != 0 && (got == nil || got.End != c.want) {
			t.Errorf("%s: %+v, want an end of %g", c.what, got, c.want)
		}
	}
}

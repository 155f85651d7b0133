package fog_test

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/fog"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func worldspawn(pairs ...string) *world.Entity {
	e := &world.Entity{}
	for i := 0; i < len(pairs); i += 2 {
		e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	return e
}

// A density of 0.5 is 0.5/250 a unit: 0.002. At 400 units from a start of 100 it covers 1 - e^-0.6 = 0.451188, of alpha 0.5 a half. It ends
// at the lesser of end and 2048/0.5 + start.
func TestDarkPlacesFog(t *testing.T) {
	for _, c := range []struct {
		what       string
		keys       []string
		start, end float32
		at400, sky float64 // shares; 0 where there is no fog
	}{
		{"nothing", nil, 0, 0, 0, 0},
		{"a density", []string{"fog", "0.5 1 0 0"}, 0, 4096, 0.550671, 0.999723},
		{"all", []string{"fog", "0.5 1 0 0 0.5 100 1100"}, 100, 1100, 0.225594, 0.432332},
		{"with an underscore and a blank", []string{"_fog ", "0.5 1 0 0 0.5 100 1100"}, 100, 1100, 0.225594, 0.432332},
		{"single numbers", []string{"fog_density", "0.5", "fog_red", "1", "fog_start", "100"}, 100, 4196, 0.451188, 0.999723},
		{"a later key resets what was before", []string{"fog_start", "50", "fog", "0.5 1"}, 0, 4096, 0.550671, 0.999723},
		{"numbers end at what is none", []string{"fog", "0.5 1 0 0 x 100"}, 0, 4096, 0.550671, 0.999723},
		{"no density", []string{"fog", "0 1 1 1"}, 0, 0, 0, 0},
		{"a negative density", []string{"fog", "-1 1 1 1"}, 0, 0, 0, 0},
		{"not a number", []string{"fog", "nan 1 1 1"}, 0, 0, 0, 0},
		{"no alpha", []string{"fog", "0.5 1 1 1 0"}, 0, 0, 0, 0},
		{"a start beyond all worlds", []string{"fog", "0.5 1 1 1 1 1e30"}, 0, 0, 0, 0},
	} {
		f := fog.DarkPlaces(worldspawn(c.keys...))
		if (f == nil) != (c.at400 == 0) {
			t.Errorf("%s: %+v", c.what, f)
			continue
		}
		if f == nil {
			continue
		}
		if f.Start != c.start || f.End != c.end || !f.Radial || f.Color[0] != 1 || f.Color[1] != 0 {
			t.Errorf("%s: %+v", c.what, f)
		}
		if got := f.Share(400); math.Abs(got-c.at400) > 1e-5 || math.Abs(float64(f.Sky)-c.sky) > 1e-5 {
			t.Errorf("%s: %g at 400 units, %g of the sky; want %g and %g", c.what, got, f.Sky, c.at400, c.sky)
		}
	}
}

// At 640 units a density of 0.08 covers 1 - e^-0.64 = 0.472708. Without a colour it is grey: 0.3 as displayed.
func TestQuakeFog(t *testing.T) {
	for _, c := range []struct {
		keys       []string
		red        float64
		at640, sky float64
	}{
		{[]string{"fog", "0.08 1 0 0"}, 1, 0.472708, 0.5},
		{[]string{"_fog", "0.08", "_skyfog", "0.25"}, 0.073239, 0.472708, 0.25},
		{[]string{"fog", "0"}, 0, 0, 0},
		{[]string{"wad", "x"}, 0, 0, 0},
	} {
		f := fog.Quake(worldspawn(c.keys...))
		if (f == nil) != (c.at640 == 0) {
			t.Errorf("%v: %+v", c.keys, f)
			continue
		}
		if f == nil {
			continue
		}
		if math.Abs(f.Share(640)-c.at640) > 1e-5 || f.Radial || float64(f.Sky) != c.sky || math.Abs(float64(f.Color[0])-c.red) > 1e-5 {
			t.Errorf("%v: %+v, %g at 640 units", c.keys, f, f.Share(640))
		}
	}
}

// Quake II's re-release has other keys for the same fog.
func TestQuake2Fog(t *testing.T) {
	f := fog.Quake2(worldspawn("fog_density", "0.08", "fog_color", "1 0 0", "fog_sky_factor", "0.25"))
	if f == nil || math.Abs(f.Share(640)-0.472708) > 1e-5 || f.Sky != 0.25 || f.Color != [3]float32{1, 0, 0} || f.Radial {
		t.Errorf("%+v", f)
	}
	if f := fog.Quake2(worldspawn("fog", "0.08 1 0 0", "fog_color", "1 0 0")); f != nil {
		t.Errorf("without a density: %+v", f)
	}
}

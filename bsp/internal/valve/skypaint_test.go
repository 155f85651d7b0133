package valve

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestPaintedSkies(t *testing.T) {
	paint := entityOf("classname", "env_skypaint", "topcolor", "0.1 0.2 0.3", "fadebias", "0.25", "drawstars", "0", "sunnormal", "0 0 2")
	if s := PaintedSky("skybox/sky_day01_01", []world.Entity{paint}); s != nil {
		t.Errorf("a sky with images is painted: %+v", s)
	}
	s := PaintedSky("skybox/painted", []world.Entity{paint})
	if s == nil || s.Top != [3]float32{0.1, 0.2, 0.3} || s.Bottom != [3]float32{0.8, 1, 1} || s.FadeBias != 0.25 || s.Stars ||
		s.ToSun != [3]float32{0, 0, 1} {
		t.Errorf("%+v", s)
	}
	// Without an entity it is as the entity starts. An env_sun that shines down along +X stands at -X, up.
	s = PaintedSky("skybox/painted", []world.Entity{entityOf("classname", "env_sun", "use_angles", "1", "angles", "0 0 0", "pitch", "-30")})
	want := [3]float64{-math.Cos(math.Pi / 6), 0, 0.5}
	for k, x := range want {
		if math.Abs(float64(s.ToSun[k])-x) > 1e-6 {
			t.Errorf("the sun stands at %v, want %v", s.ToSun, want)
		}
	}
	if !s.Stars || s.Top != [3]float32{0.2, 0.5, 1} {
		t.Errorf("%+v", s)
	}
}

// An env_sun stands against its light, beyond its place as seen from its target, or overhead.
func TestSunOfPaintedSkies(t *testing.T) {
	for _, c := range []struct {
		what string
		sun  world.Entity
		want [3]float32
	}{
		{"by its angles", entityOf("classname", "env_sun", "use_angles", "1", "angles", "0 90 0", "pitch", "0"), [3]float32{0, -1, 0}},
		{"by its target", entityOf("classname", "env_sun", "origin", "0 30 40", "target", "There", "angles", "0 90 0"), [3]float32{0, 0.6, 0.8}},
		{"without either", entityOf("classname", "env_sun", "angles", "0 90 0"), [3]float32{0, 0, 1}},
	} {
		s := PaintedSky("skybox/painted", []world.Entity{c.sun, entityOf("classname", "info_target", "targetname", "there", "origin", "0 0 0")})
		for k, want := range c.want {
			if math.Abs(float64(s.ToSun[k]-want)) > 1e-6 {
				t.Errorf("%s: %g, want %g", c.what, s.ToSun, c.want)
				break
			}
		}
	}
}

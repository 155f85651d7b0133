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
	s = PaintedSky("skybox/painted", []world.Entity{entityOf("classname", "env_sun", "angles", "0 0 0", "pitch", "-30")})
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

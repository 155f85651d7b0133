package materials

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A sky that the game paints has six images, though there are none in the game, and misses none.
func TestPaintedSkiesAreDrawn(t *testing.T) {
	w := plantest.Shown(world.Material{Name: "tools/toolsskybox", Flags: world.Sky})
	w.Sky = world.SkyBox{Name: "skybox/painted", Painted: &world.PaintedSky{Top: [3]float32{0, 0, 1}, Bottom: [3]float32{1, 1, 1}, FadeBias: 1}}
	set, err := Load(t.Context(), Input{World: w, Files: imagetest.Files(), PaintSky: true, GuessSky: true}, plainOptions)
	if err != nil {
		t.Fatal(err)
	}
	m := &set.Materials[0]
	for k, image := range m.Sky.Box {
		if image == pbr.NoImage || m.Sky.Guessed {
			t.Errorf("side %d: image %d, guessed %t", k, image, m.Sky.Guessed)
		}
	}
	if len(set.Missing) != 0 || len(set.Issues) != 1 || set.Issues[0].Code != "sky-painted" {
		t.Errorf("missing %v, issues %v", set.Missing, set.Issues)
	}
}

// The bottom's colour is at the horizon and below, the top's at the zenith; a small bias keeps the former low. Half way up, at a height of
// 0.6, a bias of 1 leaves 0.4 of it, one of 0.5 the square of that.
func TestPaintedColours(t *testing.T) {
	s := world.PaintedSky{Top: [3]float32{0, 0, 1}, Bottom: [3]float32{1, 0, 0}, FadeBias: 1}
	for _, c := range []struct {
		d    [3]float64
		bias float32
		want [3]uint8
	}{
		{[3]float64{0, 0, 2}, 1, [3]uint8{0, 0, 255}}, {[3]float64{1, 0, 0}, 1, [3]uint8{255, 0, 0}},
		{[3]float64{1, 0, -1}, 1, [3]uint8{255, 0, 0}},
		{[3]float64{0.8, 0, 0.6}, 1, [3]uint8{102, 0, 153}}, {[3]float64{0.8, 0, 0.6}, 0.5, [3]uint8{41, 0, 214}},
		{[3]float64{0.8, 0, 0.6}, 0, [3]uint8{0, 0, 255}},
	} {
		if s.FadeBias = c.bias; paintedIn(&s, c.d) != c.want {
			t.Errorf("%v with a bias of %g: %v, want %v", c.d, c.bias, paintedIn(&s, c.d), c.want)
		}
	}
	s.Sun, s.ToSun, s.SunSize, s.Dusk, s.DuskScale, s.DuskIntensity = [3]float32{0, 1, 0}, [3]float32{1, 0, 0}, 1, [3]float32{0, 1, 0}, 1, 1
	if to, from := paintedIn(&s, [3]float64{1, 0, 0}), paintedIn(&s, [3]float64{-1, 0, 0}); to[1] != 255 || from[1] == 0 || from[1] > 128 {
		t.Errorf("towards the sun %v, away from it %v", to, from)
	}
}

package materials

import (
	"bytes"
	"image/png"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// guessed loads the sky of a map without its images, and returns the brightness, 0 to 255, of the middle of each side of its box.
func guessed(t *testing.T, w *world.World, guess bool) (set *Set, sides [6]float64) {
	t.Helper()
	w.Materials = []world.Material{{Name: "tools/toolsskybox", Flags: world.Sky}}
	w.Models = []world.Model{{Surfaces: []world.Surface{{Flags: world.Sky, Shape: &world.Polygon{}}}}}
	set, err := Load(t.Context(), Input{World: w, Files: fstest.MapFS{}, GuessSky: guess}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for k, i := range set.Materials[0].Sky.Box {
		if i < 0 {
			continue
		}
		im, err := png.Decode(bytes.NewReader(set.Images[i].Data))
		if err != nil {
			t.Fatal(err)
		}
		r, g, b, _ := im.At(guessedSide/2, guessedSide/2).RGBA()
		sides[k] = float64(r+g+b) / 3 / 257
	}
	return set, sides
}

// A missing sky is named, and drawn in the colours of the map's light: it is brightest around the sun, and dark at night.
func TestMissingSkiesAreGuessed(t *testing.T) {
	sun := world.Light{Kind: world.SunLight, Direction: [3]float32{-1, 0, 0}, Color: [3]float32{1, 0.9, 0.7}, Intensity: 1}
	air := world.Light{Kind: world.AmbientLight, Color: [3]float32{0.6, 0.8, 1}, Intensity: 0.4}
	moon := world.Light{Kind: world.AmbientLight, Color: [3]float32{0.5, 0.6, 1}, Intensity: 0.02}
	sky := world.SkyBox{Name: "skybox/sky_desert"}
	set, day := guessed(t, &world.World{Sky: sky, Lights: []world.Light{sun, air}}, true)
	if m := &set.Materials[0]; !m.Sky.Guessed || len(set.Images) != 6 || len(set.Missing) != 1 || set.Missing[0].Material != sky.Name {
		t.Errorf("%+v, %d images, missing: %+v", m.Sky, len(set.Images), set.Missing)
	}
	if day[0] < day[2]+30 || day[2] < 60 || day[4] < 60 { // the sun is at +x: right
		t.Errorf("a day: %.0f", day)
	}
	for what, w := range map[string]*world.World{
		"the light of a night": {Sky: sky, Lights: []world.Light{moon}},
		"a night by its name":  {Sky: world.SkyBox{Name: "skybox/sky_nite02"}},
	} {
		if _, night := guessed(t, w, true); night[4] > 50 || night[0] <= night[4] || night[0] > 80 {
			t.Errorf("%s: %.0f", what, night)
		}
	}
	if _, dull := guessed(t, &world.World{Sky: sky}, true); dull[4] < 60 || dull[4] > 200 {
		t.Errorf("nothing is known: %.0f", dull)
	}
	fog := &world.RangeFog{Color: [3]float32{0.5, 0.1, 0.1}}
	if _, red := guessed(t, &world.World{Sky: sky, Volumes: world.Volumes{RangeFog: fog}}, true); red[0] < 60 {
		t.Errorf("fog: %.0f", red)
	}
	scripted := &world.World{Sky: sky, Entities: []world.Entity{{Pairs: []world.Pair{{Key: "_sun", Value: "1 1 0.8 120 90 0"}}}}}
	if _, s := guessed(t, scripted, true); s[1] < s[3]+30 { // at +y: back
		t.Errorf("a sun of a key: %.0f", s)
	}
	if set, _ := guessed(t, &world.World{Sky: sky, Lights: []world.Light{sun}}, false); !set.Materials[0].Sky.Empty() ||
		len(set.Missing) != 1 {
		t.Errorf("switched off: %+v", set.Materials[0].Sky)
	}
}

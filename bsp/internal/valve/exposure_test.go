package valve

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestStartExposure(t *testing.T) {
	controller := entityOf("classname", "env_tonemap_controller", "targetname", "Tone")
	auto := func(pairs ...string) []world.Entity {
		return []world.Entity{controller, entityOf(append([]string{"classname", "logic_auto"}, pairs...)...)}
	}
	for _, c := range []struct {
		what string
		list []world.Entity
		want world.Exposure
	}{
		{"nothing", nil, world.Exposure{Min: 0.5, Max: 2, Target: 0.6, Bright: 0.02}},
		{"a range", auto("OnMapSpawn", "tone,SetAutoExposureMin,.8,0,-1", "OnMapSpawn", "tone,SetAutoExposureMax,1.4,0,-1"),
			world.Exposure{Min: 0.8, Max: 1.4, Target: 0.6, Bright: 0.02}},
		{"later games", auto("OnMapSpawn", "tone\x1bSetTonemapPercentTarget\x1b70\x1b0\x1b0", "OnMapSpawn",
			"tone\x1bSetTonemapPercentBrightPixels\x1b3\x1b0\x1b0"),
			world.Exposure{Min: 0.5, Max: 2, Target: 0.7, Bright: 0.03}},
		{"by class", auto("OnNewGame", "env_tonemap_controller,SetAutoExposureMax,3,0,-1"),
			world.Exposure{Min: 0.5, Max: 3, Target: 0.6, Bright: 0.02}},
		{"the default again", auto("OnMapSpawn", "tone,SetAutoExposureMax,3,0,-1", "OnMapSpawn", "tone,UseDefaultAutoExposure,,0,-1"),
			usualExposure},
		{"not above 0", auto("OnMapSpawn", "tone,SetAutoExposureMin,0,0,-1", "OnMapSpawn", "tone,SetAutoExposureMax,nan,0,-1"),
			usualExposure},
		{"inside out", auto("OnMapSpawn", "tone,SetAutoExposureMin,4,0,-1"), world.Exposure{Min: 4, Max: 4, Target: 0.6, Bright: 0.02}},
		{"later, or another", auto("OnLoadGame", "tone,SetAutoExposureMax,3,0,-1", "OnMapSpawn", "other,SetAutoExposureMax,3,0,-1"),
			usualExposure},
	} {
		if got := *StartExposure(c.list); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

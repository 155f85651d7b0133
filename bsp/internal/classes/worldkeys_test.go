package classes

import (
	"fmt"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// A key that changes the picture is told where the game reads it, unless its value does nothing.
func TestKeysThatAreNotShown(t *testing.T) {
	for _, c := range []struct {
		family Family
		pairs  []world.Pair
		want   string
	}{
		{Quake2, []world.Pair{{Key: "skyrotate", Value: "4"}, {Key: "skyaxis", Value: "0 0 1"}}, "[{skyrotate the sky turns}]"},
		{Quake2, []world.Pair{{Key: "skyaxis", Value: "0 0 1"}}, "[]"},
		{Quake2, []world.Pair{{Key: "heightfog_density", Value: "0.2"}}, "[{heightfog_density fog that depends on the height}]"},
		{Quake, []world.Pair{{Key: "skyrotate", Value: "4"}}, "[]"},
		{DarkPlaces, []world.Pair{{Key: "_fog_height ", Value: "64"}}, "[{fog_height the fog ends at a height}]"},
		{Source, []world.Pair{{Key: "minpropscreenwidth", Value: "0.00"}, {Key: "skyname", Value: "x"}}, "[]"},
		{Source, []world.Pair{{Key: "minpropscreenwidth", Value: "-1"}}, "[]"},
		{Source, []world.Pair{{Key: "minpropscreenwidth", Value: "12"}}, "[{minpropscreenwidth props fade by their size on the screen}]"},
	} {
		if got := fmt.Sprint(UnshownKeys(c.family, &world.Entity{Pairs: c.pairs})); got != c.want {
			t.Errorf("%v: %s, want %s", c.pairs, got, c.want)
		}
	}
}

package lightstyle

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Letters count 25ths; worldspawn replaces patterns by channel; a lamp's flag 4 turns its style off.
func TestRavenStyles(t *testing.T) {
	entity := func(pairs ...string) (e world.Entity) {
		for i := 0; i < len(pairs); i += 2 {
			e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
		}
		return e
	}
	got := RavenLevels([]world.Entity{
		entity("classname", "worldspawn", "ls_1r", "z", "ls_1g", "m", "ls_1b", "a", "ls_20r", "az", "ls_20g", "az", "ls_20b", "zz"),
		entity("classname", "light", "targetname", "on", "style", "32"),
		entity("classname", "light", "targetname", "off", "style", "33", "spawnflags", "4"),
		entity("classname", "light", "targetname", "linear", "style", "34", "spawnflags", "1"),
		entity("classname", "light", "targetname", "dim", "style", "35", "spawnflags", "4", "style_off", "1"),
		entity("classname", "light", "targetname", "strobe", "style", "36", "switch_style", "4"),
		entity("classname", "light", "style", "37", "spawnflags", "4"), // has no name: nothing switches it
	})
	for style, want := range map[uint8][3]float64{
		1: {1, 0.48, 0}, 4: {0.24, 0.24, 0.24}, 9: {0.5, 0.5, 0.5}, 20: {0.5, 0.5, 1},
		32: {1, 1, 1}, 33: {}, 34: {1, 1, 1}, 35: {1, 0.48, 0}, 36: {0.24, 0.24, 0.24},
	} {
		for k, l := range got[style] {
			if math.Abs(float64(l)-want[k]) > 1e-6 {
				t.Errorf("style %d: %v, want %v", style, got[style], want)
				break
			}
		}
	}
	for _, style := range []uint8{0, 14, 37} {
		if l, ok := got[style]; ok {
			t.Errorf("style %d: %v", style, l)
		}
	}
}

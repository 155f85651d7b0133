package lightstyle

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestStyles(t *testing.T) {
	lamp := func(pairs ...string) (e world.Entity) {
		for i := 0; i < len(pairs); i += 2 {
			e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
		}
		return e
	}
	got := Levels([]world.Entity{
		lamp("classname", "light", "style", "32"),
		lamp("classname", "light", "style", "33", "spawnflags", "1"),
		lamp("classname", "light_spot", "style", "34", "pattern", "AMz"),
		lamp("classname", "light", "style", "35", "spawnflags", "1"),
		lamp("classname", "light", "style", "35"),
		lamp("classname", "light", "style", "36", "defaultstyle", "4"),
		lamp("classname", "func_wall", "style", "37", "spawnflags", "1"),
		lamp("classname", "light", "style", "4", "spawnflags", "1"),
	})
	for style, want := range map[uint8]float64{
		4: 0.5, 9: 12.5 / 12, 32: 1, 33: 0, 34: (0 + 12 + 25) / 36.0, 35: 1, 36: 0.5,
	} {
		if l, ok := got[style]; !ok || l[0] != l[1] || l[1] != l[2] || math.Abs(float64(l[0])-want) > 1e-6 {
			t.Errorf("style %d: %g, want %g", style, l, want)
		}
	}
	for _, style := range []uint8{0, 37} {
		if l, ok := got[style]; ok {
			t.Errorf("style %d: %g", style, l)
		}
	}
}

// Styles below 12 flicker as in all games, those of lamps with a pattern by it; the last lamp of a style decides, and one that is off does
// not.
func TestPatterns(t *testing.T) {
	lamp := func(style string, pairs ...string) world.Entity {
		e := world.Entity{Pairs: []world.Pair{{Key: "classname", Value: "light"}, {Key: "style", Value: style}}}
		for i := 0; i < len(pairs); i += 2 {
			e.Pairs = append(e.Pairs, world.Pair{Key: pairs[i], Value: pairs[i+1]})
		}
		return e
	}
	got := Patterns([]world.Entity{lamp("32", "pattern", "ab"), lamp("33", "pattern", "ab"), lamp("33", "pattern", "cd", "spawnflags", "1"),
		lamp("34", "defaultstyle", "4"),
		lamp("35"), lamp("4", "pattern", "x"), lamp("36", "pattern", "a"), lamp("36", "pattern", "b")})
	for style, want := range map[uint8]string{0: "", 4: "mamamamamama", 32: "ab", 33: "", 34: "mamamamamama", 35: "", 36: "b"} {
		if got[style] != want {
			t.Errorf("style %d: %q, want %q", style, got[style], want)
		}
	}
}

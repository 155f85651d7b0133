package classes

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// A train of 0,0,0 to 64,32,16 whose path starts at 100,200,300.
func TestTrainsStandAtTheirFirstCorner(t *testing.T) {
	e := &world.Entity{Pairs: []world.Pair{{Key: "classname", Value: "func_train"}, {Key: "target", Value: "p1"}, {Key: "angle", Value: "90"}}}
	for _, c := range []struct {
		f    Family
		want [3]float32
	}{{Quake, [3]float32{101, 201, 301}}, {GoldSrc, [3]float32{68, 184, 292}}, {Source, [3]float32{68, 184, 292}}, {Quake3, [3]float32{100, 200, 300}}} {
		if got := Corner(c.f, e); got != "p1" {
			t.Errorf("family %d: the corner is %q", c.f, got)
		}
		at := AtCorner(c.f, e, [3]float32{}, [3]float32{64, 32, 16}, [3]float32{100, 200, 300}, false)
		if at.Origin != c.want || at.Angles != [3]float32{} {
			t.Errorf("family %d: %v %v, want %v", c.f, at.Origin, at.Angles, c.want)
		}
	}
	e.Pairs[0].Value = "func_tracktrain"
	if got := Corner(GoldSrc, e); got != "" {
		t.Errorf("%s goes to %q", e.Class(), got)
	}
}

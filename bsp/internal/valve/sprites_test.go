package valve

import (
	"fmt"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// The modes are those of Source SDK 2013, public/const.h, and how they blend is in sprite_dx9.cpp: 0 not at all, 1, 2 and 4 by the alpha,
// 3, 5, 7 and 9 added by the alpha. 8 is drawn twice, by its alpha and added by the rest: the sum is added here. In the mode of effects, 6,
// an entity is not drawn if it is a sprite. Only in mode 0 does the amount not count.
func TestRenderModes(t *testing.T) {
	for mode, want := range []struct {
		blend world.Blend
		seen  bool
	}{
		{world.BlendNone, true}, {world.BlendAlpha, true}, {world.BlendAlpha, true}, {world.BlendAdd, true}, {world.BlendMask, true},
		{world.BlendAdd, true}, {world.BlendNone, true}, {world.BlendAdd, true}, {world.BlendAdd, true}, {world.BlendAdd, true},
		{world.BlendNone, false}, {world.BlendNone, true},
	} {
		for _, amount := range []int{0, 64} {
			e := &world.Entity{Pairs: []world.Pair{{Key: "rendermode", Value: fmt.Sprint(mode)}, {Key: "renderamt", Value: fmt.Sprint(amount)},
				{Key: "rendercolor", Value: "10 300 -1"}}}
			normal := mode == renderNormal || mode > renderNone
			alpha := uint8(amount)
			if normal {
				alpha = 255
			}
			blend, tint, seen := Rendering(e)
			if blend != want.blend || tint != [4]uint8{10, 255, 0, alpha} || seen != (want.seen && (normal || amount > 0)) {
				t.Errorf("mode %d, amount %d: %d %v %t", mode, amount, blend, tint, seen)
			}
		}
	}
}

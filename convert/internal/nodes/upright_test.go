package nodes

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// GoldSrc turns the pitch of a model around: its node, below that of its entity, makes up for it, also after the model fell to the floor.
func TestFallenModelsKeepTheirPitch(t *testing.T) {
	for _, start := range []*world.Place{nil, {Origin: [3]float32{0, 0, -8}, Angles: [3]float32{30, 0, 0}}} {
		e := &world.Entity{Model: world.NoModel, Start: start, Pairs: []world.Pair{{Key: "angles", Value: "30 0 0"}}}
		for _, p := range []*world.Prop{{Model: "models/agibs.mdl"}, {Sprite: &world.Sprite{}}} { // also a square that does not turn to the viewer
			p.Angles = [3]float32{-30, 0, 0}
			got, want := upright(p, e, nil), axes.Quaternion([3]float32{-60, 0, 0})
			for k := range got {
				if math.Abs(got[k]-want[k]) > 1e-6 {
					t.Errorf("start %v, sprite %t: %v, want %v", start, p.Sprite != nil, got, want)
					break
				}
			}
		}
	}
}

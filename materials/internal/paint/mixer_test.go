package paint

import (
	"math"
	"testing"
)

// A linear base of 0.5, 0.25 and 0 with an alpha of 0.25 under a detail that is stored as 1, 0.5 and 0 with an alpha of 0.5:
// linear 1, 0.2140 and 0. The factor is a half, where nothing else is said.
func TestDrawsDetailOverTexels(t *testing.T) {
	base, over := [4]float32{0.5, 0.25, 0, 0.25}, [4]float32{1, 0.5, 0, 0.5}
	white := [3]float64{1, 1, 1}
	stored := map[BlendMode]bool{Doubled: true, TwoPatterns: true, BumpOfColor: true, Covered: true, Reduced: true}
	for _, c := range []struct {
		mode   BlendMode
		factor float64
		tint   [3]float64
		want   [4]float64
	}{
		{Doubled, 1, white, [4]float64{1, 0.25, 0, 0.25}},
		{Doubled, 0.5, white, [4]float64{0.75, 0.25, 0, 0.25}},
		{Doubled, 1, [3]float64{0.5, 1, 1}, [4]float64{0.5, 0.25, 0, 0.25}},
		{AddedMix, 0.5, white, [4]float64{1, 0.3570, 0, 0.25}},
		{OverMix, 0.5, white, [4]float64{0.625, 0.2410, 0, 0.25}}, // a quarter of the way
		{Faded, 0.5, white, [4]float64{0.75, 0.2320, 0, 0.375}},
		{Under, 0.5, white, [4]float64{0.6875, 0.2365, 0, 0.5}},         // 3/8 of the way
		{TwoPatterns, 0.5, white, [4]float64{0.6875, 0.34375, 0, 0.25}}, // 1 - 0.5/4 = 0.875, doubled 1.75, by a half 1.375
		{MultipliedMix, 0.5, white, [4]float64{0.5, 0.15175, 0, 0.1875}},
		{MaskedMix, 0.5, white, [4]float64{0.5, 0.25, 0, 0.1875}},
		{BumpOfColor, 0.5, white, [4]float64{0.5, 0.25, 0, 0.25}}, // 1.5 · 2/3
		{Covered, 1, white, [4]float64{0.5, 0.25, 0, 0.5}},
		{Reduced, 1, white, [4]float64{1, 0.375, 0, 0.25}}, // twice the base, half of it white: 1 and 0.75; times the detail
		// Pixels brighter than a half, and all but the darkest quarter; no detail is needed.
		{ShoneAbove, 0.25, white, [4]float64{0, 0, 0, 0.25}},
		{ShoneAbove, 0.8, white, [4]float64{0.375, 0.0625, 0, 0.25}},
		{ShoneAbove, 1, white, [4]float64{0.5, 0.25, 0, 0.25}},
	} {
		m := NewMixer(&Mix{Mode: c.mode, Stored: stored[c.mode], Factor: c.factor, Tint: c.tint})
		got := m.Over(base, over)
		for k := range got {
			if math.Abs(float64(got[k])-c.want[k]) > 2e-4 {
				t.Errorf("mode %d, factor %g, tint %g: %.4f, want %.4f", c.mode, c.factor, c.tint, got, c.want)
				break
			}
		}
	}
}

// A normal of 0.6, 0, 0.8 is stored as 0.8, 0.5, 0.9: half-Lambert light from ahead is (0.8 / 2 + 1/2)² = 0.81.
func TestCablesAreLitFromAhead(t *testing.T) {
	m := NewMixer(&Mix{Mode: Ribbed, Stored: true, Factor: 1, Tint: White})
	got := m.Over([4]float32{1, 0.5, 0, 0.25}, [4]float32{0.8, 0.5, 0.9, 1})
	for k, want := range [4]float64{0.81, 0.405, 0, 0.25} {
		if math.Abs(float64(got[k])-want) > 1e-4 {
			t.Errorf("%v, want %v in %d", got, want, k)
		}
	}
}

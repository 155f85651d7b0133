package thumb

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// A picture of one luminance settles where the part of the range with the target holds it: from (11/16)^1.5 to (12/16)^1.5, 0.570 to 0.650.
func TestSettledExposure(t *testing.T) {
	usual := world.Exposure{Min: 0.5, Max: 2, Target: 0.6, Bright: 0.02}
	wide := world.Exposure{Min: 0.01, Max: 100, Target: 0.6, Bright: 0.02}
	even := func(l float64) []float64 { return []float64{l, l, l, l} }
	for _, c := range []struct {
		what     string
		light    []float64
		exposure world.Exposure
		lo, hi   float64
	}{
		{"dark: as far as it goes", even(0.05), usual, 2, 2},
		{"bright: as far as it goes", even(3), usual, 0.5, 0.5},
		{"in reach", even(0.4), usual, 0.570 / 0.4, 0.650 / 0.4},
		{"fixed", even(0.05), world.Exposure{Min: 1, Max: 1, Target: 0.6, Bright: 0.02}, 1, 1},
		{"a spot of light in the dark: the middle shall be 0.03 at least", append(make([]float64, 0), 1, 0.001, 0.001, 0.001),
			wide, 20, 100},
	} {
		if got := settled(c.light, c.exposure); got < c.lo-0.01 || got > c.hi+0.01 || math.IsNaN(got) {
			t.Errorf("%s: %g, want %g to %g", c.what, got, c.lo, c.hi)
		}
	}
}

// Half of the pixels of four parts of a quarter each exceed the end of the second.
func TestBrightestShare(t *testing.T) {
	h := histogramOf([]float64{0.01, 0.1, 0.5, 1}, 1)
	for _, c := range []struct{ share, want float64 }{{0.25, end(15)}, {0.125, (end(15) + 1) / 2}, {0.5, end(binOf(0.5))}, {1, 0}} {
		if got := h.brightest(c.share); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%g: %g, want %g", c.share, got, c.want)
		}
	}
}

// What is decided stays so: the median of the factors so far is that of all.
func TestDecidedMedians(t *testing.T) {
	e := &world.Exposure{Min: 0.5, Max: 2}
	random, decisions := rand.New(rand.NewPCG(1, 2)), 0
	for range 2000 {
		all := make([]float64, 1+random.IntN(8))
		for i := range all {
			all[i] = [3]float64{e.Min, 1 + random.Float64(), e.Max}[random.IntN(3)]
		}
		n := len(all) + random.IntN(2) // an eye may see nothing
		want := median(slices.Clone(all))
		for k := 1; k <= len(all); k++ {
			if !decided(all[:k], n, e) {
				continue
			}
			decisions++
			if got := median(slices.Clone(all[:k])); got != want {
				t.Fatalf("%v of %v: %g, want %g", all[:k], all, got, want)
			}
		}
	}
	if decisions == 0 || decided(nil, 0, e) {
		t.Errorf("%d decisions", decisions)
	}
}

package gamma

import (
	"math"
	"testing"
)

// The table follows the curves that light is bent by, closer than the 16 bits that are written of it.
func TestTableFollowsItsFunction(t *testing.T) {
	bent := New(0.35, 1)
	for _, albedo := range []float64{0.05, 0.35, 1} {
		own := New(albedo, 1)
		f := func(v float32) float32 { return own.Linear(bent.Shown(v)) }
		table := NewTable(f)
		for i := range 20000 {
			v := float32(math.Exp2(float64(i)/1000 - 14)) // 2^-14 to 2^6
			got, want := float64(table.At(v)), float64(f(v))
			if math.Abs(got-want) > max(want, 1)/65535 {
				t.Fatalf("albedo %g: %g at %g, want %g", albedo, got, v, want)
			}
		}
	}
}

func TestTableAtItsEnds(t *testing.T) {
	calls := 0
	table := NewTable(func(v float32) float32 { calls++; return 2 * v })
	for _, v := range []float32{0, 1e-30, 1.0 / 4096, 0.3, 1, 255.9, 256, 1e30} {
		for range 100 {
			if got := table.At(v); math.Abs(float64(got-2*v)) > 1e-6*float64(v) {
				t.Errorf("%g at %g", got, v)
			}
		}
	}
	// 0 is not computed, 1e-30 and 1/4096 share a point and 1/4096 has the next too, 0.3, 1 and 255.9 have two each; only the
	// last two numbers are computed each time.
	if want := 2 + 3*2 + 2*100; calls != want {
		t.Errorf("%d calls, want %d", calls, want)
	}
	if got := table.At(float32(math.NaN())); got != 0 {
		t.Errorf("%g for no number", got)
	}
}

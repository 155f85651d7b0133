package gamma

import (
	"math"
	"testing"
)

func TestAlbedoCurve(t *testing.T) {
	for _, c := range []struct{ albedo, shown, want float64 }{
		{1, 0, 0}, {1, 1, 1}, {0.35, 0, 0}, {0.35, 1, 1},
		// decode(0.5) = ((0.5+0.055)/1.055)^2.4 = 0.526066^2.4 = 0.214041.
		{1, 0.5, 0.214041},
		// decode(0.175) = (0.23/1.055)^2.4 = 0.025843; decode(0.35) = (0.405/1.055)^2.4 = 0.100482.
		{0.35, 0.5, 0.257190},
		// decode(0.7) = (0.755/1.055)^2.4 = 0.447988, so twice the light is 4.458 times it.
		{0.35, 2, 4.458416},
		// decode(0.02) = 0.02/12.92 = 0.001548 in the straight part; decode(0.1) = (0.155/1.055)^2.4 = 0.010023.
		{0.1, 0.2, 0.154446},
		{0, 0.5, 0.214041}, {math.NaN(), 0.5, 0.214041}, {-1, 0.5, 0.214041}, {7, 0.5, 0.214041}, // 1
		{0.001, 0.5, 0.5}, // 0.01 at least: all in the straight part
	} {
		if got := float64(New(c.albedo, 1).Linear(float32(c.shown))); math.Abs(got-c.want) > 2e-5 {
			t.Errorf("albedo %g, light %g: %f, want %f", c.albedo, c.shown, got, c.want)
		}
	}
}

// At the albedo's brightness the viewer's product is the engine's: encode(decode(a) * curve(l)) = a^exponent * l.
func TestAlbedoCurveMeetsTheEngine(t *testing.T) {
	for _, exponent := range []float64{1, 0.8} {
		for _, a := range []float64{0.05, 0.35, 0.7, 1} {
			c := New(a, exponent)
			for i := range 512 {
				l := float32(i) / 255
				got, want := Decode(a)*float64(c.Linear(l)), Decode(math.Pow(a, exponent)*float64(l))
				if math.Abs(got-want) > 1e-6 {
					t.Errorf("albedo %g, light %g: %g, want %g", a, l, got, want)
				}
			}
		}
	}
}

func TestShownIsTheInverseOfLinear(t *testing.T) {
	for _, exponent := range []float64{1, 0.8} {
		c := New(0.35, exponent)
		for i := range 600 {
			l := float32(i) / 255
			if got := c.Shown(c.Linear(l)); math.Abs(float64(got-l)) > 1e-5 {
				t.Errorf("exponent %g: %g comes back as %g", exponent, l, got)
			}
		}
	}
}

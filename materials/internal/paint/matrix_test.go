package paint

import "testing"

func TestBend(t *testing.T) {
	for _, c := range []struct {
		m, want [6]float64
		ok      bool
	}{
		{[6]float64{2.3, 0, 0.1, 0, 3.6, 0.2}, [6]float64{2, 0, 0.1, 0, 4, 0.2}, true},
		{[6]float64{0, -3.2, 0, 3.2, 0, 0}, [6]float64{0, -3, 0, 3, 0, 0}, true},       // a quarter turn
		{[6]float64{2.2, 2.2, 0, -2.2, 2.2, 0}, [6]float64{2, 2, 0, -2, 2, 0}, true},   // an eighth
		{[6]float64{1.3, 0, 0, 0, 3, 0}, [6]float64{1, 0, 0, 0, 3, 0}, false},          // coarse
		{[6]float64{1.4, 0.6, 0, 0.6, 1.4, 0}, [6]float64{1, 1, 0, 1, 1, 0}, false},    // nothing would be left
		{[6]float64{1e27, 0, 0, 0, 1e27, 0}, [6]float64{1e27, 0, 0, 0, 1e27, 0}, true}, // hostile
	} {
		if m, ok := Bend(c.m); m != c.want || ok != c.ok {
			t.Errorf("%g: %g %v", c.m, m, ok)
		}
	}
}
